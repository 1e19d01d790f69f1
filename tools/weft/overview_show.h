/* SPDX-License-Identifier: MIT */
/* What `weft overview` prints for people: a run on one screen. */
#ifndef WEFT_TOOLS_WEFT_OVERVIEW_SHOW_H
#define WEFT_TOOLS_WEFT_OVERVIEW_SHOW_H

#include "tools/lib/inspect/irq.h"
#include "tools/lib/profile/rounds.h"
#include "tools/lib/recording/filter.h"
#include "tools/weft/profiled.h"

/* A loop that ran, by its head. */
typedef struct overview_loop {
    const rounds_loop *rounds;
    const char *function, *file; /* file: NULL where no line is known */
    uint32_t line;
} overview_loop;

typedef struct overview {
    profiled run;
    event_choice choice;
    uint64_t events, bytes, lost;
    rounds *rounds;      /* NULL: the input has no paths in order */
    overview_loop *loop; /* those with the most rounds first */
    size_t loop_count;
    bool interrupts_known;
    irqs interrupts;
} overview;

/* In at most `columns` characters a line. */
void overview_show(const overview *o, unsigned columns);

#endif
