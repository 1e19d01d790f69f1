/* SPDX-License-Identifier: MIT */
/* Makes a grammar from its elements, in the order of a walk of the start rule that enters each rule where it is met
 * first. Segments and whole program path files are written in that order. Rules and terminals get their numbers as they
 * are met.
 *
 *     terminal 7       R0 -> 7                              is terminal 0
 *     rule             R0 -> 7 R1         R1 ->             R1 is entered
 *     terminal 4, 5                       R1 -> 4 5         are terminals 1 and 2
 *     leave                                                 back in R0
 *     terminal 9       R0 -> 7 R1 9                         is terminal 3
 *     known RULE|1     R0 -> 7 R1 9 R1                      finish gives the grammar that grammar.h shows */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_READING_H
#define WEFT_TOOLS_LIB_GRAMMAR_READING_H

#include "tools/lib/grammar/grammar.h"

/* A rule whose elements are being read. */
typedef struct open_rule {
    uint32_t rule, count; /* count: elements so far */
} open_rule;

typedef struct grammar_reading {
    /* in the order of the walk; those of a rule are in order, but inner rules lie between */
    struct reading_element *elements;
    size_t count, elements_max;
    open_rule *stack; /* the start rule at the bottom */
    size_t depth, stack_max;
    uint32_t *terminals;
    size_t terminal_count, terminals_max;
    uint32_t rules; /* without the start rule */
} grammar_reading;

/* Begins in the start rule. */
void grammar_reading_begin(grammar_reading *r);
/* The rule that the walk is in. */
open_rule *grammar_reading_top(grammar_reading *r);
/* The next element: one that was met before, as in grammar.h; or a new terminal; or a new rule, which is entered. */
void grammar_reading_known(grammar_reading *r, uint32_t symbol);
void grammar_reading_terminal(grammar_reading *r, uint32_t value);
void grammar_reading_rule(grammar_reading *r);
/* The rule that the walk is in ends. */
void grammar_reading_leave(grammar_reading *r);
/* The grammar. NULL: `well` is false, or the elements are not a grammar. Frees the memory of the walk. */
grammar *grammar_reading_finish(grammar_reading *r, bool well);

#endif
