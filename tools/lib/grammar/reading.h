/* SPDX-License-Identifier: MIT */
/* Makes a grammar of its elements in the order of a walk that enters each rule where it is met first: the order in which segments
 * and whole program paths are written. Rules and terminals get their numbers as they are met. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_READING_H
#define WEFT_TOOLS_LIB_GRAMMAR_READING_H

#include "tools/lib/grammar/grammar.h"

/* A rule whose elements are being read. */
typedef struct open_rule {
    uint32_t rule, count; /* count: elements so far */
} open_rule;

typedef struct grammar_reading {
    struct reading_element
        *elements; /* in the order of the walk; those of a rule are in order, but inner rules lie between */
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
/* An element that was met before, as in grammar.h; a new terminal; a new rule, which is entered. */
void grammar_reading_known(grammar_reading *r, uint32_t symbol);
void grammar_reading_terminal(grammar_reading *r, uint32_t value);
void grammar_reading_rule(grammar_reading *r);
void grammar_reading_leave(grammar_reading *r);
/* Takes the memory of the walk. NULL if it was not done well, or is no grammar. */
grammar *grammar_reading_finish(grammar_reading *r, bool well);

#endif
