/* SPDX-License-Identifier: MIT */
/* How much of what `weft rerun` executes is of one context, of one function, or of both. The recording that it writes
 * is whole: what a part lacks could not be told from what did not happen. */
#ifndef WEFT_TOOLS_WEFT_RERUN_CHOSEN_H
#define WEFT_TOOLS_WEFT_RERUN_CHOSEN_H

#include "tools/lib/base/json.h"
#include "tools/lib/image/image.h"
#include "tools/lib/recording/filter.h"
#include "tools/lib/recording/full.h"

typedef struct rerun_chosen {
    event_choice choice;
    const image *im;
    uint32_t context; /* that is chosen */
    uint32_t running; /* the context of the next instruction */
    uint64_t instructions, accesses;
} rerun_chosen;

/* EXIT_DONE, or the exit status after a message: there is no such context or function. */
int rerun_chosen_begin(rerun_chosen *c, event_choice choice, const image *im);
void rerun_chosen_add(rerun_chosen *c, const full_event *event);
/* Nothing where nothing is chosen. */
void rerun_chosen_print(const rerun_chosen *c, FILE *to);
void rerun_chosen_put(const rerun_chosen *c, json *j);

#endif
