/* SPDX-License-Identifier: MIT */
/* Procedures of a program, the ways of its instructions, and which instruction controls which. */
#ifndef WEFT_TESTS_LIB_NAIVE_CONTROL_H
#define WEFT_TESTS_LIB_NAIVE_CONTROL_H

#include "tests/lib/naive_text.h"

/* Procedures that executed: their instructions and which of them control which. */
typedef struct naive_procedure {
    uint32_t start, end, count;
    uint32_t *pcs;
    uint8_t *exits;    /* an endless loop's way out */
    uint8_t *controls; /* [x * count + b] */
} naive_procedure;

/* To be called first, after naive_run_read: the run shows starts of procedures and ways of jumps through tables. */
void naive_control_read(const char *elf);
/* The start of the procedure around an instruction. */
uint32_t naive_procedure_of(uint32_t pc);
/* Made when it is first asked for. */
naive_procedure *naive_procedure_at(uint32_t pc);
/* The instruction's number in the procedure, or -1. */
int naive_index_of(const naive_procedure *p, int64_t pc);
bool naive_is_call(const naive_line *t);
/* How the instruction ends: 0 goes on, 1 direct branch, 2 return, 3 jump through a table. */
int naive_ending(const naive_line *t);
/* Ways of an instruction inside its procedure; -1 is its exit. */
int naive_ways_of(uint32_t pc, int64_t ways[300]);

#endif
