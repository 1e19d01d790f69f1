/* SPDX-License-Identifier: MIT */
/* Contexts - thread mode, exception handlers, threads - and how often, how long and how regularly each ran. Times are
 * instructions of the run. Of contexts beyond CONTEXTS_MAX only one is kept for all. */
#ifndef WEFT_TOOLS_LIB_REPORT_CONTEXTS_H
#define WEFT_TOOLS_LIB_REPORT_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONTEXTS_MAX = 64 };

typedef struct context_range {
    uint64_t count, sum, min, max;
} context_range;

typedef struct context_line {
    uint32_t number;
    bool others;             /* it stands for all further ones */
    uint64_t cost;           /* instructions that it executed itself */
    uint64_t runs;           /* activations of its first function that began: of a handler, how often it ran */
    context_range length;    /* from a run's beginning to its end, with what interrupted it */
    context_range period;    /* from the beginning of a run to that of the next */
    uint32_t depth, deepest; /* calls that are open, and most of them */
    uint32_t deepest_node;   /* of the tree of calls, of the call that was deepest */
    uint64_t deepest_at;
    uint64_t began;
    bool open;
} context_line;

typedef struct contexts {
    context_line all[CONTEXTS_MAX];
    uint32_t count;
    uint32_t last;         /* that ran last */
    uint8_t priority[256]; /* of exceptions, as the register holds it: what the program stored there, if recorded */
    bool priority_known[256];
    uint32_t over[CONTEXTS_MAX][CONTEXTS_MAX]; /* how often a run of the first interrupted the second */
} contexts;

/* Its index. */
uint32_t contexts_find(contexts *c, uint32_t number);
void contexts_enter(contexts *c, uint32_t number, uint64_t time);
void contexts_leave(contexts *c, uint32_t number, uint64_t time);
void contexts_spend(contexts *c, uint32_t index, uint64_t cost, uint32_t node, uint64_t time);
/* Events are missing: all that is open ends, and is not counted as a whole. */
void contexts_gap(contexts *c);
/* A store to a register of the interrupt controller (Armv7-M Architecture Reference Manual, B3.2 and B3.4). */
void contexts_store(contexts *c, uint32_t address, uint32_t size, uint64_t value);

/* "thread mode", "SysTick", "interrupt 5", "thread 1"; the text is cut to `room`. */
void contexts_name(uint32_t number, char *text, size_t room);

#endif
