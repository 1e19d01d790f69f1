/* SPDX-License-Identifier: MIT */
/* The memory of a program that is executed on the host: bytes, each of them known or not. What the image has is known
 * from the start. RAM holds what was stored; devices hold nothing: what they answer is never known here. Pages are made
 * when they are first used, so memory is in proportion to what the program touches. */
#ifndef WEFT_TOOLS_LIB_RERUN_SPACE_H
#define WEFT_TOOLS_LIB_RERUN_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/image/image.h"

typedef struct rerun_space rerun_space;

/* `zero`: RAM is 0 at reset, as the emulator's is; else it is unknown. The image outlives the space. */
rerun_space *rerun_space_open(const image *im, bool zero);
void rerun_space_close(rerun_space *space);

/* Peripherals, and the core's own registers (from 0xa0000000 on). */
static inline bool rerun_is_device(uint32_t address)
{
    return (address >= 0x40000000u && address < 0x60000000u) || address >= 0xa0000000u;
}

/* The bytes at an address, little-endian, size 1 to 8. False: not all of them are known; then *value is 0. */
bool rerun_load(rerun_space *space, uint32_t address, unsigned size, uint64_t *value);
void rerun_store(rerun_space *space, uint32_t address, unsigned size, uint64_t value, bool known);

/* From the mark on, stores are noted, so that rerun_back undoes them. Marks nest: back goes to the newest one. */
size_t rerun_mark(rerun_space *space);
void rerun_back(rerun_space *space, size_t mark);

#endif
