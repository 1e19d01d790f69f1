/* SPDX-License-Identifier: MIT */
/* Which flags an instruction reads and sets, from its text. Each flag is a location. */
#ifndef WEFT_TESTS_LIB_NAIVE_FLAGS_H
#define WEFT_TESTS_LIB_NAIVE_FLAGS_H

#include "tests/lib/naive_text.h"

enum {
    NAIVE_N = 1 << 17,
    NAIVE_Z = 1 << 18,
    NAIVE_C = 1 << 19,
    NAIVE_V = 1 << 20,
    NAIVE_Q = 1 << 21,
    NAIVE_GE = 1 << 22
};
enum { NAIVE_NZCV = NAIVE_N | NAIVE_Z | NAIVE_C | NAIVE_V, NAIVE_ALL_FLAGS = NAIVE_NZCV | NAIVE_Q | NAIVE_GE };

/* The mask with the flags that the instruction reads, or sets, in place of NAIVE_FLAGS. An exception: t is NULL. */
uint64_t naive_flags_read(uint64_t mask, const naive_line *t, int condition, bool passed);
/* What an instruction that writes flags leaves as it was, and so reads. */
uint64_t naive_flags_kept(uint64_t writes, const naive_line *t);
uint64_t naive_flags_set(uint64_t mask, const naive_line *t);

#endif
