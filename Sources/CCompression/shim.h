#pragma once
#include <brotli/decode.h>
#include <isa-l.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

// The context is no pointer: it is the size of the largest piece of memory that the decoder gets.
static inline void *halyard_brotli_allocate(void *limit, size_t size) {
  return size <= (size_t)(uintptr_t)limit ? malloc(size) : NULL;
}

static inline void halyard_brotli_free(void *limit, void *piece) {
  (void)limit;
  free(piece);
}

static inline BrotliDecoderState *halyard_brotli_open(size_t largest_piece) {
  return BrotliDecoderCreateInstance(halyard_brotli_allocate, halyard_brotli_free, (void *)(uintptr_t)largest_piece);
}

// Swift sees no struct inflate_state: its tables are arrays of thousands of elements, which would be tuples.
struct halyard_inflate_progress {
  int status;
  size_t consumed;
  size_t produced;
  bool finished;
};

static inline void *halyard_inflate_open(uint32_t wrapper) {
  struct inflate_state *state = (struct inflate_state *)malloc(sizeof *state);
  if (state) {
    isal_inflate_init(state);
    state->crc_flag = wrapper;
  }
  return state;
}

static inline void halyard_inflate_reset(void *opaque, uint32_t wrapper) {
  struct inflate_state *state = (struct inflate_state *)opaque;
  isal_inflate_reset(state);
  state->crc_flag = wrapper;
}

static inline struct halyard_inflate_progress halyard_inflate(
    void *opaque, const uint8_t *input, uint32_t offered, uint8_t *output, uint32_t room) {
  struct inflate_state *state = (struct inflate_state *)opaque;
  // Never written through; the pointer is mutable for want of const only.
  state->next_in = (uint8_t *)input;
  state->avail_in = offered;
  state->next_out = output;
  state->avail_out = room;
  int status = isal_inflate(state);
  return (struct halyard_inflate_progress){
      status, offered - state->avail_in, room - state->avail_out, state->block_state == ISAL_BLOCK_FINISH};
}
