/* SPDX-License-Identifier: MIT */
#include "core/recorder_history.h"

#include <string.h>

#include "core/own.h"

void weft_history_restart(weft_history *history)
{
    history->to = history->start;
    *history->to = WEFT_HISTORY_NONE;
    history->source = history->other = history->end;
    history->end[-1] = WEFT_HISTORY_NONE;
    history->turned = history->before = history->run = history->back = history->pending = 0;
    memset(history->end + 1, 0, (history->found_mask + 1) * sizeof *history->end);
}

void weft_history_init(weft_history *history, uint32_t *words, uint32_t places)
{
    uint32_t *end = words + places;
    *end = WEFT_HISTORY_NONE;
    history->none = WEFT_HISTORY_NONE;
    history->at = &history->none; /* in this order, so that a probe always finds a word that no path equals */
    history->end = end;
    history->start = words;
    history->found_mask = places / 4 - 1;
    weft_history_restart(history);
}

/* So that the compiler takes one instruction to load them and one to store them. */
typedef struct four_words {
    uint32_t word[4];
} four_words;

uint32_t weft_history_copy(weft_history *history, uint32_t count)
{
    uint32_t left = (uint32_t)(history->end - history->to);
    const uint32_t *from = history->from;
    uint32_t *to = history->to;
    if (count > WEFT_HISTORY_STEP)
        count = WEFT_HISTORY_STEP;
    if (count > left)
        count = left;
    for (uint32_t fours = count / 4; fours > 0; fours--, from += 4, to += 4)
        *(four_words *)(void *)to = *(const four_words *)(const void *)from;
    if (count & 2) {
        *(weft_two_words *)(void *)to = *(const weft_two_words *)(const void *)from;
        from += 2;
        to += 2;
    }
    if (count & 1)
        *to++ = *from++;
    history->from = from;
    history->to = to;
    history->run += count;
    weft_history_turn(history);
    return count;
}

void weft_history_settle(weft_history *history)
{
    weft_history_keep(history);
    while (history->pending)
        weft_history_settle_step(history);
}

bool weft_history_catch_up(weft_history *history)
{
    uint32_t taken = (uint32_t)(history->at - history->from);
    if (taken == 0 || (ptrdiff_t)taken >= history->last - history->to)
        return false;
    (void)weft_history_copy(history, taken);
    return true;
}

/* At the ring's end, its start comes next if it is of the same exception. Elsewhere, if what was taken repeats what
 * stands before it, the source goes back as in weft_history_take_again. */
bool weft_history_go_on(weft_history *history)
{
    const uint32_t *at = history->at;
    uint32_t distance = (uint32_t)(history->to - at);
    if (at != history->from)
        return false;
    if (at == history->end) {
        if ((*history->start ^ at[-1]) >> WEFT_HISTORY_PATH_BITS)
            return false;
        at = history->start;
    } else if (at < history->to && distance + history->back + history->run_before <= history->run &&
               distance <= (uint32_t)(at - history->start)) {
        history->back += distance;
        at -= distance;
    } else {
        return false;
    }
    history->from = at;
    history->at = at;
    return true;
}
