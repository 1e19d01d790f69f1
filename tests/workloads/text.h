/* SPDX-License-Identifier: MIT */
/* A text for the compressors to work on, the same everywhere: by the seed. */
#ifndef WEFT_WORKLOADS_TEXT_H
#define WEFT_WORKLOADS_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "tests/workloads/seeded.h"

/* Words with the frequencies of a language, roughly: the first are more frequent. */
static inline void write_text(char *text, size_t size)
{
    static const char *const words[] = {"the",     "of",      "and",   "to",     "a",     "in",      "warp",
                                        "weft",    "loom",    "shed",  "thread", "cloth", "pattern", "weaver",
                                        "shuttle", "through", "under", "over",   "again", "between"};
    uint32_t random = workload_seed;
    size_t at = 0, column = 0;
    while (at < size) {
        random = random * 1664525u + 1013904223u;
        uint32_t r = random >> 16;
        const char *word = words[r % 20 * (r >> 8) / 256 % 20];
        for (; *word && at < size; column++)
            text[at++] = *word++;
        if (at < size)
            text[at++] = column > 70 ? '\n' : r % 13 ? ' ' : ',';
        column = column > 70 ? 0 : column + 1;
    }
}

/* FNV-1a of bytes. */
static inline uint32_t checksum(const void *bytes, size_t size)
{
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)bytes)[i]) * 16777619u;
    return sum;
}

#endif
