/* SPDX-License-Identifier: MIT */
/* What an instruction reads, from its text. */
#ifndef WEFT_TESTS_LIB_NAIVE_READS_H
#define WEFT_TESTS_LIB_NAIVE_READS_H

#include "tests/lib/naive_text.h"

naive_reads naive_reads_of(const naive_line *t, int condition);

#endif
