#pragma once
#include <zlib.h>

// A macro in zlib.h; 15 + 16 is the largest window with a gzip header.
static inline int halyard_inflate_init_gzip(z_stream *stream) {
  return inflateInit2(stream, 15 + 16);
}
