#pragma once
#include <stddef.h>
#include <stdint.h>

/* Of the libFuzzer runtime without a main of its own, which comes with the toolchain. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));
