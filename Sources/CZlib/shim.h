#pragma once
#include <zlib.h>

// A macro in zlib.h.
static inline int halyard_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
