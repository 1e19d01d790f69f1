/* SPDX-License-Identifier: MIT */
#include "core/recorder_history.h"

#include <string.h>

#include "core/own.h"

void weft_history_restart(weft_history *history)
{
    history->to = history->start;
    history->source = history->other = history->end;
    history->end[-1] = WEFT_HISTORY_NONE;
    history->turned = history->before = 0;
    weft_history_begin_run(history);
    memset(history->found, 0, (history->found_mask + 1) * sizeof *history->found);
}

void weft_history_init(weft_history *history, uint32_t *words, uint32_t places)
{
    uint32_t *end = words + places;
    *end = WEFT_HISTORY_NONE;
    history->back = 0;
    history->at = end; /* in this order: there is always a word that nothing equals where a probe looks */
    history->end = end;
    history->start = words;
    history->found = end + 1;
    history->found_mask = places / 4 - 1;
    weft_history_restart(history);
}
