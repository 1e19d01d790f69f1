/* SPDX-License-Identifier: MIT */
/* A grammar at rest: the rules as arrays, and the way back to the stream. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_GRAMMAR_H
#define WEFT_TOOLS_LIB_GRAMMAR_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rule 0 is the start rule. The others are numbered in the order in which a walk from it meets them first. An element
 * of a right side is an index into `terminals`, or GRAMMAR_RULE | number of a rule.
 *
 *     R0 -> 7 R1 9 R1      symbols    0  RULE|1  3  RULE|1  1  2      terminals  7 4 5 9
 *     R1 -> 4 5            start      0, 4, 6                         length     6 */
#define GRAMMAR_RULE 0x80000000u

typedef struct grammar {
    uint32_t *symbols;   /* right sides, one after the other */
    uint64_t *counts;    /* how often each element stands there in a row (runs.h); NULL: once each */
    size_t *start;       /* of each rule's right side, and the end: rules + 1 elements */
    size_t rules;        /* with the start rule */
    uint32_t *terminals; /* the values, in the order of their first appearance in the stream */
    size_t terminal_count;
    uint64_t length; /* of the stream */
} grammar;

void grammar_free(grammar *g);

/* Elements on all right sides. */
static inline size_t grammar_symbols(const grammar *g)
{
    return g->start[g->rules];
}

static inline uint64_t grammar_count(const grammar *g, size_t at)
{
    return g->counts ? g->counts[at] : 1;
}

/* Calls `emit` with pieces of the stream, in order. It returns false to stop. */
typedef bool grammar_emit(void *context, const uint32_t *symbols, size_t count);
bool grammar_expand(const grammar *g, grammar_emit *emit, void *context);

/* The same, pulled. */
typedef struct grammar_walk grammar_walk;
grammar_walk *grammar_walk_open(const grammar *g);
void grammar_walk_close(grammar_walk *walk);
/* The next symbols, up to `max`; 0 at the end. */
size_t grammar_walk_read(grammar_walk *walk, uint32_t *symbols, size_t max);
/* The same as indices into `terminals`. */
size_t grammar_walk_terminals(grammar_walk *walk, uint32_t *terminals, size_t max);

/* Sets `length` from the rules. For grammars from outside: false if the rules are not a grammar, that is
 *     - a number is out of range, or a count is 0
 *     - a rule uses itself
 *     - a rule other than the start rule is not longer than one symbol
 *     - the stream has 2^63 symbols or more */
bool grammar_measure(grammar *g);

/* All rules that the start rule reaches, each after those that it uses: `*count` of them, from malloc. */
uint32_t *grammar_order(const grammar *g, size_t *count);
/* How often each rule is used in the stream, modulo 2^64, by number; from malloc. `order` is that of grammar_order. */
uint64_t *grammar_frequencies(const grammar *g, const uint32_t *order, size_t count);

#endif
