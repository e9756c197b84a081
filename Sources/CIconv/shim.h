#pragma once
#include <errno.h>
#include <iconv.h>
#include <stddef.h>

struct halyard_iconv_step {
  size_t consumed;
  size_t produced;
  /* 0, EILSEQ, EINVAL or E2BIG */
  int error;
};

/* NULL when the pair of charsets is not known. */
static inline iconv_t halyard_iconv_open(const char *to, const char *from) {
  iconv_t handle = iconv_open(to, from);
  return handle == (iconv_t)-1 ? NULL : handle;
}

/* Converts once; an input of NULL writes out what the converter still holds back. */
static inline struct halyard_iconv_step halyard_iconv_convert(
    iconv_t handle, const unsigned char *input, size_t input_count,
    unsigned char *output, size_t output_count) {
  char *in = (char *)input;
  char *out = (char *)output;
  size_t in_left = input_count;
  size_t out_left = output_count;
  size_t result = iconv(handle, input ? &in : NULL, &in_left, &out, &out_left);
  struct halyard_iconv_step step = {
      input_count - in_left, output_count - out_left, result == (size_t)-1 ? errno : 0};
  return step;
}
