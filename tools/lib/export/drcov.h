/* SPDX-License-Identifier: MIT */
/* DynamoRIO's drcov log (version 2), which disassemblers' coverage plugins read (Lighthouse, bncov, lightkeeper): the
 * blocks of machine code that ran. It has no counts and no place for losses. */
#ifndef WEFT_TOOLS_LIB_EXPORT_DRCOV_H
#define WEFT_TOOLS_LIB_EXPORT_DRCOV_H

#include <stdio.h>

#include "tools/lib/profile/execution.h"

/* A block is a sequence of executed instructions without a gap that ends at the latest with a jump. Returns the blocks;
 * *bytes: of code in them. function: of this one alone; NULL: of all. */
uint64_t export_drcov(const execution *run, const char *function, FILE *file, uint64_t *bytes);

#endif
