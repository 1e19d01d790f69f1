/* SPDX-License-Identifier: MIT */
/* Contexts - thread mode, exception handlers, threads - what each executed, and its deepest chain of calls. The last of
 * CONTEXTS_MAX stands for all further ones, too; how many there are is known. */
#ifndef WEFT_TOOLS_LIB_REPORT_CONTEXTS_H
#define WEFT_TOOLS_LIB_REPORT_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/base/numbering.h"

enum { CONTEXTS_MAX = 64 };

typedef struct context_line {
    uint32_t number;
    bool others;           /* it stands for all further ones */
    uint64_t cost;         /* instructions that it executed itself */
    uint32_t deepest;      /* calls that were open at once, in one context */
    uint32_t deepest_node; /* of the tree of calls, of the call that was deepest */
    uint64_t deepest_at;
} context_line;

typedef struct contexts {
    context_line all[CONTEXTS_MAX];
    uint32_t count;
    uint32_t last;   /* that ran last */
    numbering every; /* the number of each context that there is */
    uint32_t now;    /* the one that was asked for last, among them */
    uint32_t *depth; /* of each of them: calls that are open */
    size_t depth_max;
} contexts;

/* Its index. */
uint32_t contexts_find(contexts *c, uint32_t number);
void contexts_enter(contexts *c, uint32_t number);
void contexts_leave(contexts *c, uint32_t number);
void contexts_spend(contexts *c, uint32_t index, uint64_t cost, uint32_t node, uint64_t time);
/* Events are missing: all calls end. */
void contexts_gap(contexts *c);
/* Frees what it holds. */
void contexts_end(contexts *c);

#endif
