/* SPDX-License-Identifier: MIT */
/* Reports the events that the script of a path stands for, with their addresses and values, and keeps the stack of
 * activations that they imply. */
#ifndef WEFT_TOOLS_LIB_RECORDING_REPORT_H
#define WEFT_TOOLS_LIB_RECORDING_REPORT_H

#include "tools/lib/recording/contexts.h"
#include "tools/lib/recording/frame_numbers.h"

/* A base whose state was taken from `contexts_guess`, and that something was made of. */
typedef struct report_guess {
    uint32_t context, group;
    size_t depth; /* of its activation, from 0 */
    bool known;
} report_guess;

typedef struct report {
    const container_frame *frame; /* that the events come from */
    context_state *state;         /* of the context that they belong to; NULL: of none */
    bool fresh;                   /* since the recording began nothing was missed */
    frame_numbers numbers;
    replay_accesses accesses; /* so far */
    bool light;               /* no number is read, so no base is known: blocks, accesses and values are left out */
    report_guess *guess;      /* in order */
    size_t guess_count, guess_max;
    unsigned left_out;   /* kinds of events that the caller does not fetch: bits REPLAY_KIND */
    replay_event nobody; /* where those are written, to be ignored */
    replay_event *out;   /* events that are not fetched yet: out[at .. count) */
    size_t at, count, max;
    group_base *moved; /* scratch */
    size_t moved_max;
} report;

/* Appends an event, unless its kind is left out; the caller sets what it is about. Valid until the next one. */
replay_event *report_event(report *r, replay_kind kind);
/* Appends the items of a script that happened before its record, from where the context stands, while `accesses` and
 * `values` last. False: the script does not have that many. */
bool report_items(report *r, const replay_script *script, uint32_t accesses, uint32_t values);
/* Appends the record of a path and the items that happened with it. The context is then between two paths. */
void report_record(report *r, const replay_script *script);

#endif
