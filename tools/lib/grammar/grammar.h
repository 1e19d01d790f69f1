/* SPDX-License-Identifier: MIT */
/* Grammars of long streams on the host: SEQUITUR and SEQUITUR(1) (Larus, "Whole program paths", section 3), the same
 * grammar as core/sequitur.h makes, for up to 2^30 symbols on right sides. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_GRAMMAR_H
#define WEFT_TOOLS_LIB_GRAMMAR_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Builds a grammar symbol by symbol. Memory: 20 to 40 bytes a symbol of the grammar, and the distinct symbols. */
typedef struct grammar_builder grammar_builder;

grammar_builder *grammar_builder_new(bool lookahead);
/* Appends symbols of the stream, any 32-bit values. */
void grammar_push(grammar_builder *builder, const uint32_t *symbols, size_t count);
/* Bytes of memory it holds. */
size_t grammar_builder_bytes(const grammar_builder *builder);

/* A grammar at rest. Rule 0 is the start rule; the others are numbered in the order in which a walk from it meets
 * them first. An element of a right side is an index into `terminals`, or GRAMMAR_RULE | number of a rule. */
#define GRAMMAR_RULE 0x80000000u

typedef struct grammar {
    uint32_t *symbols;   /* right sides, one after the other */
    uint64_t *counts;    /* how often each element stands there in a row (tools/lib/grammar/runs.h); NULL: once each */
    size_t *start;       /* of each rule's right side, and the end: rules + 1 elements */
    size_t rules;        /* the start rule too */
    uint32_t *terminals; /* the values, in the order of their first appearance in the stream */
    size_t terminal_count;
    uint64_t length; /* of the stream */
} grammar;

/* The grammar of all symbols so far; the builder is used up and freed. */
grammar *grammar_finish(grammar_builder *builder);
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

/* Sets `length` from the rules. False if the rules are no grammar: a number out of range, a count of 0, a rule that uses itself, a
 * rule but the start that is no more than one symbol, or a stream of 2^63 symbols or more. For grammars from outside. */
bool grammar_measure(grammar *g);

#endif
