/* SPDX-License-Identifier: MIT */
/* A window of the run (wet/snapshots.h), executed again: what each instruction did to registers and memory. Registers
 * at the window's start come from the snapshots; words that have no column of their own are computed from the
 * registers, as the target did, so no edge is followed but those of loads whose value is that of a store.
 *
 * The window has a place between two steps, which can be moved back and forth. Registers and memory are those at the
 * place. */
#ifndef WEFT_TOOLS_LIB_DEBUG_WINDOW_H
#define WEFT_TOOLS_LIB_DEBUG_WINDOW_H

#include "tools/lib/debug/exceptions.h"
#include "tools/lib/debug/order.h"
#include "tools/lib/debug/words.h"

/* An instruction that executed, or an exception. Counts are those before it. */
typedef struct debug_step {
    uint32_t time, node, instance, instruction;
    uint32_t changes, accesses, words;
    uint16_t statement; /* its place in the node */
    bool exception;
} debug_step;

typedef struct debug_change {
    uint8_t loc;
    bool known; /* before */
    uint32_t before, after;
} debug_change;

typedef struct debug_access {
    uint32_t address;
    uint8_t size;
    bool store, core; /* core: by an exception, not by an instruction */
    uint64_t value;
} debug_access;

/* A change of what is known of a word. */
typedef struct debug_word_change {
    uint32_t number, before, after;
    uint8_t mask_before, mask_after;
} debug_word_change;

typedef struct debug_window {
    uint32_t number;
    debug_step *steps; /* and one more, whose counts are those of all */
    uint32_t step_count;
    debug_change *changes;
    debug_access *accesses;
    debug_word_change *word_changes;
    uint32_t change_count, access_count, word_change_count;
    size_t step_max, change_max, access_max, word_change_max;

    uint32_t at; /* the place: steps before it */
    uint32_t registers[64];
    uint64_t known;
    uint32_t words_at; /* the same for memory: word changes before it */
    debug_words words;
    uint64_t used; /* when it was last asked for */
} debug_window;

/* What windows are made from. */
typedef struct debug_source {
    wet_file *f;
    wet_past *past;
    debug_exceptions exceptions;
    debug_order *order;
    bool v8m; /* the core is of ARMv8-M */
} debug_source;

/* Made by window_make.h. */
void debug_window_free(debug_window *w);
/* Moves the place: registers and `known` are those before that step. */
void debug_window_go(debug_window *w, uint32_t step);
/* Known bytes of a word at the place, as a mask. */
uint8_t debug_window_word(debug_window *w, wet_past *past, uint32_t number, uint32_t *value);

#endif
