#pragma once
#include <brotli/decode.h>
#include <stdint.h>
#include <stdlib.h>

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
