/* SPDX-License-Identifier: MIT */
/* The words of statements in the order of time, from the first one on: what has a column is read; what is computed
 * follows from the registers; what is loaded follows from what was stored there last. So no edge is followed, and no
 * column is held but those of the file. Private to the room. */
#ifndef WEFT_TOOLS_LIB_WET_RUN_WORDS_H
#define WEFT_TOOLS_LIB_WET_RUN_WORDS_H

#include "tools/lib/wet/tap.h"

typedef struct run_words {
    wet_file *f;
    thumb_state state; /* registers and flags as they were last written; 0: never */
    wet_memory
        *stored; /* of each byte: data (as `producer`) and address (`instance`) of the operation that stored it */
} run_words;

/* A statement that executed: its node, the place of its first slot there, the node's execution and taps by slot. */
typedef struct run_statement {
    uint32_t node, slot, instance;
    const wet_statement *s;
    wet_tap *taps;
} run_statement;

run_words run_words_new(wet_file *f);
void run_words_free(run_words *w);
/* The words of the next statement's slots, in order; what it wrote is noted. */
void run_words_next(run_words *w, const run_statement *at, uint32_t *words);

#endif
