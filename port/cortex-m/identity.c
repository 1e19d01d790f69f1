/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/identity.h"
#include "core/bytes.h"
#include "core/own.h"

/* A word per compiled file, from the plugin: a check sum of what it says about the file's functions. The linker names
 * the ends of a section whose name is a C identifier. */
extern const uint8_t __start_weft_id[] __attribute__((weak));
extern const uint8_t __stop_weft_id[] __attribute__((weak));

uint32_t weft_image_identity(void)
{
    size_t size = (size_t)((uintptr_t)__stop_weft_id - (uintptr_t)__start_weft_id);
    uint32_t sum = size ? weft_crc32(0, __start_weft_id, size) : 0;
    return size && sum == 0 ? 1 : sum;
}
