/* SPDX-License-Identifier: MIT */
/* What a replay knows of each context: the path that it is in, how far, and which functions are active. */
#ifndef WEFT_TOOLS_LIB_RECORDING_CONTEXTS_H
#define WEFT_TOOLS_LIB_RECORDING_CONTEXTS_H

#include <stddef.h>

#include "tools/lib/base/numbering.h"
#include "tools/lib/recording/events.h"

/* What the accesses of a group have in common, once it is known (tools/lib/image/descriptor.h). */
typedef struct group_base {
    uint32_t base;
    bool known;
    bool guessed; /* `known` is a guess, of which nothing was made yet */
} group_base;

/* What is thought of the bases of an activation that began before the replay did, as long as base_count is 0. */
typedef enum activation_guess { GUESS_NONE, GUESS_KNOWN, GUESS_UNKNOWN } activation_guess;

/* An activation of a function. */
typedef struct activation {
    uint32_t function;
    activation_guess guess;
    uint32_t caught;             /* of its last path: replay_script */
    uint32_t frame;              /* where its frame is; 0: not recorded */
    group_base *bases;           /* by group; the memory is kept for the next activation at this depth */
    size_t base_count, base_max; /* base_count is 0 while none is known */
} activation;

typedef struct context_state {
    uint32_t number;
    uint32_t restarts; /* of the replay, when the state was made: each gap restarts it */
    bool known;        /* where it stands in its path is right: item, accesses and values below */
    bool sought;       /* next was looked for */
    bool landed;       /* the path may belong to an activation further down: its next record says where its frame is */
    bool repeat_first; /* report the script's first block even if an earlier record did: that one may be lost */
    const replay_script *next;              /* of the path in progress; NULL: its record is not there */
    uint32_t item;                          /* of the script: reported so far */
    uint32_t accesses, values;              /* of the script: done so far */
    uint32_t told;                          /* paths of its next record that were reported before it */
    int64_t missed_accesses, missed_values; /* of the paths after this one, of its next record: made in the gap */
    uint32_t length;                        /* of the next access, if a length site came before it; else 0 */
    const replay_script *last;              /* the path that ended last; NULL: none */
    activation *stack;                      /* innermost last */
    size_t depth, depth_max;
    size_t kept;      /* how many of the outermost have not ended since contexts_keep */
    uint8_t *entered; /* per function: its entry was reported, so all that its activations begin with was */
    size_t entered_max;
} context_state;

/* All contexts of a replay. A list that is all zero is empty. */
typedef struct context_list {
    context_state *all;
    size_t count, max;
    numbering numbers; /* of the contexts: their indices */
} context_list;

/* The state of a context, valid until the next call. After another restart it starts again. It is known then only if
 * nothing was missed before, as at the start of a recording (`fresh`). */
context_state *contexts_state(context_list *contexts, uint32_t number, uint32_t restarts, bool fresh);
void contexts_free(context_list *contexts);

/* ---- a replay in ranges (replay_all.h) ---- */

/* From here on `kept` counts again. */
void contexts_keep(context_list *contexts);
/* A copy of all but the bases and frames. */
void contexts_copy(context_list *to, const context_list *from);
/* Gives the bases to such a copy: `before` is where the range before it ended. */
void contexts_carry(context_list *contexts, const context_list *before);
/* Guesses them: `before` is where the last range ended before contexts_keep. An activation that was open there has the
 * bases that it had, all bases of others are known. */
void contexts_guess(context_list *contexts, const context_list *before);
/* For a range whose guess was right: replaces bases that are still guesses by the known ones. */
void contexts_settle(context_list *contexts, const context_list *before);
/* Whether all but the bases and frames is equal. */
bool contexts_equal(const context_list *a, const context_list *b);
/* Whether the base of a group is known, of the activation with `depth` others below it. */
bool contexts_known(const context_list *contexts, uint32_t number, size_t depth, uint32_t group);

/* A function becomes the innermost active one. */
void context_push(context_state *state, uint32_t function);
/* The base of a group of the innermost activation, whose function has `groups` of them. NULL: there is no such
 * group. */
group_base *context_base(context_state *state, uint32_t group, uint32_t groups);
/* No base of the innermost activation is known any more. */
void context_forget_bases(context_state *state);
/* Control came back into a function, perhaps by a longjmp. If several activations of it are open, it is not known which
 * one goes on: no base of any, nor of what it called, is known any more. */
void context_doubt_bases(context_state *state, uint32_t function);
/* Notes that the entry of a function was reported. */
void context_note_entry(context_state *state, uint32_t function);
/* Whether that entry was reported. */
bool context_entered(const context_state *state, uint32_t function);

#endif
