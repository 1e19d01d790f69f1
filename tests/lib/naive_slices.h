/* SPDX-License-Identifier: MIT */
/* Slices of a full recording, by keeping every event and every dependence. */
#ifndef WEFT_TESTS_LIB_NAIVE_SLICES_H
#define WEFT_TESTS_LIB_NAIVE_SLICES_H

#include "tests/lib/naive_run.h"

/* A part of an event, with what it depends on. Instructions such as push and pop have several parts. */
typedef struct naive_part {
    uint32_t event;
    uint64_t reads, writes;
    uint32_t access_first, access_count;
    uint32_t *needs, need_count;
} naive_part;

extern naive_part *naive_parts;
extern size_t naive_part_count;

/* Finds the dependences of the run, which naive_run_read kept. */
void naive_slices_prepare(const char *elf);
/* A flag for each event, from malloc: whether it is in the slice of one. */
uint8_t *naive_slice(uint32_t event, bool forward);

#endif
