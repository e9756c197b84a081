#include "crc32c.h"
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define CRC32C __attribute__((target("sse4.2")))
#define OF_BYTE(state, byte) _mm_crc32_u8((uint32_t)(state), byte)
#define OF_WORD(state, word) _mm_crc32_u64(state, word)

bool cchecksums_has_crc32c(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__aarch64__)
#include <sys/auxv.h>
#define CRC32C __attribute__((target("crc")))
#define OF_BYTE(state, byte) __builtin_arm_crc32cb((uint32_t)(state), byte)
#define OF_WORD(state, word) __builtin_arm_crc32cd((uint32_t)(state), word)

// HWCAP_CRC32 of asm/hwcap.h.
bool cchecksums_has_crc32c(void) { return getauxval(AT_HWCAP) & 1 << 7; }

#else
#define CRC32C
#define OF_BYTE(state, byte) (state)
#define OF_WORD(state, word) (state)

bool cchecksums_has_crc32c(void) { return false; }
#endif

CRC32C uint32_t cchecksums_crc32c(uint32_t state, const uint8_t *bytes, size_t count) {
  uint64_t wide = state;
  for (; count >= sizeof(uint64_t); bytes += sizeof(uint64_t), count -= sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    wide = OF_WORD(wide, word);
  }
  for (; count > 0; bytes++, count--) wide = OF_BYTE(wide, *bytes);
  return (uint32_t)wide;
}
