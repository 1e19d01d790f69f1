/* SPDX-License-Identifier: MIT */
/* A naive simulator of caches, flash and branch prediction, one at a time. Its caches are lists of lines in the order
 * of their use. */
#ifndef WEFT_TESTS_LIB_NAIVE_MISSES_H
#define WEFT_TESTS_LIB_NAIVE_MISSES_H

#include <stdbool.h>

/* Begins again, as the model of this text (tools/lib/misses/model.h). */
void naive_misses_setup(const char *text);
/* Whether an instruction's fetch, an access, a conditional branch missed. */
bool naive_misses_fetch(unsigned pc, unsigned size);
bool naive_misses_access(unsigned address, unsigned size, bool store);
bool naive_misses_branch(unsigned pc, bool backward, bool taken);
/* Cycles waited for flash, by kind of event. */
unsigned long long naive_misses_waited(unsigned kind);

#endif
