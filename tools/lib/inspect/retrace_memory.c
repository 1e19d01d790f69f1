/* SPDX-License-Identifier: MIT */
/* Memory, as far as it is known: what the image holds, and what was stored since. */
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/inspect/retrace_parts.h"

#define SCS 0xe000e000u    /* the system control space: 4 KB */
#define PRIORITIES 0x0400u /* in it: NVIC_IPR, up to */
#define PRIORITIES_END 0x05f0u
#define SYSTEM_PRIORITIES 0x0d18u /* SHPR1..3 */
#define SYSTEM_PRIORITIES_END 0x0d24u

static bool is_priority(uint32_t address)
{
    uint32_t at = address - SCS;
    return (at >= PRIORITIES && at < PRIORITIES_END) || (at >= SYSTEM_PRIORITIES && at < SYSTEM_PRIORITIES_END);
}

/* Devices change by themselves; priorities are 0 at reset. */
static retrace_word *word_of(retrace *r, uint32_t address)
{
    address &= ~3u;
    uint32_t number = numbering_of(&r->words_of, address);
    size_t before = r->word_max;
    r->words = memory_room(r->words, number, &r->word_max, sizeof *r->words);
    memset(r->words + before, 0, (r->word_max - before) * sizeof *r->words);
    retrace_word *w = &r->words[number];
    if (w->address == address)
        return w;
    const uint8_t *bytes = image_bytes(r->im, address, 4);
    *w = (retrace_word){.address = address, .known = bytes || is_priority(address) ? 0xf : 0};
    for (unsigned i = 0; bytes && i < 4; i++)
        w->value |= (uint32_t)bytes[i] << 8 * i;
    return w;
}

static bool is_device(uint32_t address)
{
    return (address >> 29 == 2 || address >> 20 == 0xe00) && !is_priority(address);
}

/* How many of the `left` bytes from `address` are in its word. */
static uint32_t in_word(uint32_t address, uint32_t left)
{
    uint32_t room = 4 - (address & 3);
    return left < room ? left : room;
}

bool retrace_memory_load(retrace *r, uint32_t address, uint32_t size, uint64_t *value)
{
    *value = 0;
    if (is_device(address))
        return false;
    for (uint32_t i = 0, n; i < size; i += n) {
        const retrace_word *w = word_of(r, address + i);
        unsigned byte = (address + i) & 3;
        n = in_word(address + i, size - i);
        uint32_t bytes = (1u << n) - 1;
        if ((w->known >> byte & bytes) != bytes)
            return false;
        *value |= (w->value >> 8 * byte & ((UINT64_C(1) << 8 * n) - 1)) << 8 * i;
    }
    return true;
}

void retrace_memory_store(retrace *r, uint32_t address, uint32_t size, uint64_t value, bool known)
{
    for (uint32_t i = 0, n; i < size; i += n) {
        retrace_word *w = word_of(r, address + i);
        unsigned byte = (address + i) & 3;
        n = in_word(address + i, size - i);
        uint32_t bytes = ((1u << n) - 1) << byte, bits = (uint32_t)((UINT64_C(1) << 8 * n) - 1) << 8 * byte;
        w->known = (uint8_t)(known ? w->known | bytes : w->known & ~bytes);
        w->value = (w->value & ~bits) | ((uint32_t)(value >> 8 * i) << 8 * byte & bits);
    }
}
