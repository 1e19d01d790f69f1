/* SPDX-License-Identifier: MIT */
/* Memory that something else than the program wrote, of a program that counts (port/cortex-m/places.h). */
#include "core/own.h"
#include "port/cortex-m/inputs_parts.h"
#include "port/cortex-m/places.h"
#include "port/cortex-m/probes.h"

extern volatile uint32_t __weft_laps __attribute__((weak)); /* there if the program counts */

static bool counts(void)
{
    return &__weft_laps && weft_target_recorder;
}

__attribute__((noinline)) void __weft_input_piece(const volatile void *start, uint32_t size)
{
    uint32_t at = (uint32_t)(uintptr_t)start, back = (uint32_t)(uintptr_t)__builtin_return_address(0) & ~1u, value = 0;
    if (!counts())
        return;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint32_t)((const volatile uint8_t *)start)[i] << 8 * i;
    weft_input_put(at, back, value);
}

/* A second execution executes this loop, and puts each piece into its memory. */
void weft_input_memory(const volatile void *start, size_t size)
{
    const volatile uint8_t *at = start;
    while (size) {
        size_t piece = 4 - ((uintptr_t)at & 3);
        piece = piece < size ? piece : size;
        __weft_input_piece(at, (uint32_t)piece);
        at += piece;
        size -= piece;
    }
}

void weft_check_memory(const volatile void *start, size_t size)
{
    uint32_t at = (uint32_t)(uintptr_t)start, back = (uint32_t)(uintptr_t)__builtin_return_address(0) & ~1u;
    if (!counts())
        return;
    uint32_t sum = WEFT_MEMORY_SUM_START;
    for (size_t i = 0; i < size; i++)
        sum = WEFT_MEMORY_SUM_STEP(sum, ((const volatile uint8_t *)start)[i]);
    weft_input_put(at, back, sum);
}
