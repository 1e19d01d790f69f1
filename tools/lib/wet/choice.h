/* SPDX-License-Identifier: MIT */
/* Which words of a whole execution trace can go without a column, for they follow from other words.
 *
 * The words are the vertices of a graph, with an arrow to each word that is needed to find one. A choice drops columns
 * so that no circle is left among the words that have to be found, and that none takes more than `cost_max` steps. To
 * drop the most bytes is the feedback vertex set problem. Here the largest column is tried first: that tends to keep
 * each circle's smallest column, and gives short chains.
 *
 *     x (100 bytes)   loaded from where y was stored: found by y
 *     y (40 bytes)    computed from x
 *     z (60 bytes)    computed from y
 *
 *     x is tried first: it goes, found by y. z goes as well. y would need x, which needs y: its column stays. */
#ifndef WEFT_TOOLS_LIB_WET_CHOICE_H
#define WEFT_TOOLS_LIB_WET_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wet_choice wet_choice;

/* Words are numbered 0, 1, ... as they are added. */
wet_choice *wet_choice_new(void);
void wet_choice_free(wet_choice *choice);

/* A word that is read from its column. */
void wet_choice_stored(wet_choice *choice);
/* A word without a column; it needs words with lower numbers only. */
void wet_choice_found(wet_choice *choice);
/* A word that may be dropped, which would save that many bytes. */
void wet_choice_candidate(wet_choice *choice, uint64_t bytes);
/* The word added last needs `word`, at `hop` further steps. Words with the same `use` (ascending) are alternatives. */
void wet_choice_need(wet_choice *choice, uint32_t use, uint32_t word, uint32_t hop);

/* Chooses. */
void wet_choice_run(wet_choice *choice, uint32_t cost_max);
/* Whether a word has no column (any more). */
bool wet_choice_is_found(const wet_choice *choice, uint32_t word);
/* No circle, no cost above the maximum (for tests). */
bool wet_choice_check(const wet_choice *choice, uint32_t cost_max);

#endif
