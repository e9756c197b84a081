#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether this processor has instructions for CRC-32C.
bool cchecksums_has_crc32c(void);
// Only on such a processor.
uint32_t cchecksums_crc32c(uint32_t state, const uint8_t *bytes, size_t count);
