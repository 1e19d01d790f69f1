/* SPDX-License-Identifier: MIT */
/* Flash with wait states: the current line, and the one that is read ahead. */
#ifndef WEFT_TOOLS_LIB_MISSES_FLASH_H
#define WEFT_TOOLS_LIB_MISSES_FLASH_H

#include <stdbool.h>
#include <stdint.h>

#define FLASH_END 0x20000000u /* of the addresses where flash is */

typedef struct flash_config {
    bool there, prefetch;
    uint32_t wait, line; /* states; bytes, a power of two */
} flash_config;

typedef struct flash {
    flash_config config;
    uint32_t current; /* number of the current line + 1; 0: none */
    uint64_t ready;   /* when the line after it has been read */
} flash;

/* The cycles that a fetch of the line with this address waits, at a time `now`. */
static inline uint32_t flash_wait(flash *f, uint32_t address, uint64_t now)
{
    uint32_t line = address / f->config.line + 1, wait = f->config.wait;
    if (line == f->current)
        return 0;
    if (f->config.prefetch && f->current && line == f->current + 1)
        wait = f->ready > now ? (uint32_t)(f->ready - now) : 0;
    f->current = line;
    f->ready = now + wait + 1 + f->config.wait;
    return wait;
}

#endif
