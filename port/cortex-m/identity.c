/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/identity.h"
#include "core/own.h"

/* Per compiled file, the plugin makes two sections as large as the halves of its check sum. They are not loaded: only
 * their sizes and alignments count. The linker adds up the sizes, and names the ends of a section whose name is a C
 * identifier. */
extern const uint8_t __start_weft_id_low[] __attribute__((weak));
extern const uint8_t __stop_weft_id_low[] __attribute__((weak));
extern const uint8_t __start_weft_id_high[] __attribute__((weak));
extern const uint8_t __stop_weft_id_high[] __attribute__((weak));

uint32_t weft_image_identity(void)
{
    uint32_t low = (uint32_t)((uintptr_t)__stop_weft_id_low - (uintptr_t)__start_weft_id_low);
    uint32_t high = (uint32_t)((uintptr_t)__stop_weft_id_high - (uintptr_t)__start_weft_id_high);
    uint32_t sum = low + (high << 16);
    return (low || high) && sum == 0 ? 1 : sum;
}
