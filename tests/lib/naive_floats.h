/* SPDX-License-Identifier: MIT */
/* What an instruction of the floating point extension reads, from its text. */
#ifndef WEFT_TESTS_LIB_NAIVE_FLOATS_H
#define WEFT_TESTS_LIB_NAIVE_FLOATS_H

#include "tests/lib/naive_text.h"

/* `name` is that of the instruction, without sizes and condition. */
void naive_reads_floats(const naive_line *t, const char *name, naive_reads *r);

#endif
