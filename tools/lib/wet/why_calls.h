/* SPDX-License-Identifier: MIT */
/* The calls that led to operations: what each is control dependent on, and so on. In a loop such a chain is long, and
 * soon meets the one of an operation that was asked for before: from there on it is known. Private to the room.
 *
 *     store <- branch <- branch <- ... <- branch <- call
 *               store <- branch <-^       met: the call, and how many steps are left to it, is known */
#ifndef WEFT_TOOLS_LIB_WET_WHY_CALLS_H
#define WEFT_TOOLS_LIB_WET_WHY_CALLS_H

#include "tools/lib/wet/file.h"

typedef struct why_calls why_calls;

/* Begins with nothing known. */
why_calls *why_calls_new(wet_file *f);
void why_calls_free(why_calls *c);
/* Replaces an instance of an operation by the next call up its chain. Adds the steps to *steps, which stays at most
 * `most`. False: the chain ends, in main or with what nothing called, or no call comes within these steps. */
bool why_calls_next(why_calls *c, wet_origin *at, uint32_t *steps, uint32_t most);

#endif
