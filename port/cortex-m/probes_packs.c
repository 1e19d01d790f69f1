/* SPDX-License-Identifier: MIT */
/* The plugin's entry point for packed paths, in a file of its own so that a program without them does not link it. The
 * record and its word are put in one mask, so that no other context's come in between. */
#include "core/own.h"
#include "core/recorder_packs.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

/* To put what was taken into the ring, to take the history back, to enter and to put; and more after interrupts. */
enum { TRIES = 64 };

typedef enum step { TAKEN, AGAIN, OTHER_CONTEXT, NO_ROOM } step;

typedef struct pack {
    uint32_t number, word;
    uint32_t key; /* the number's word in the history; of a large number one that nothing equals while it is lent */
} pack;

/* The history is lent to the caller. What is predicted is tried before anything else is done, and again after each
 * step. */
static inline step put_lent(weft_recorder *recorder, const pack *p)
{
    weft_history *history = &recorder->history;
    if (weft_history_take_lent(history, p->key)) {
        weft_recorder_put_pack(recorder, p->number, p->word);
        return TAKEN;
    }
    ptrdiff_t taken = history->at - history->from;
    if (taken && weft_history_catch_up(history))
        return AGAIN;
    if (!taken && weft_recorder_path_lent(recorder, p->key)) {
        weft_recorder_put_pack(recorder, p->number, p->word);
        return TAKEN;
    }
    if (taken || history->to >= history->last || !weft_recorder_go_on(recorder))
        weft_recorder_keep(recorder);
    return AGAIN;
}

/* The history is kept, and all of it is in the ring. */
static inline step put_kept(weft_recorder *recorder, const pack *p)
{
    if (!weft_recorder_takes_path(recorder))
        return NO_ROOM;
    if (!weft_recorder_path_step(recorder, weft_history_word(weft_ipsr(), p->number), p->number))
        return AGAIN;
    weft_recorder_put_pack(recorder, p->number, p->word);
    return TAKEN;
}

/* One step, with interrupts masked. */
static inline step put_here(const pack *p)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder || recorder->open != weft_ipsr())
        return OTHER_CONTEXT;
    if (!weft_recorder_pack_fits(recorder, p->number, p->word))
        return NO_ROOM;
    if (weft_history_lent(&recorder->history))
        return put_lent(recorder, p);
    if (recorder->history.pending) {
        weft_history_settle_step(&recorder->history);
        return AGAIN;
    }
    return put_kept(recorder, p);
}

static __attribute__((noinline)) void put(const pack *p)
{
    step done = AGAIN;
    for (unsigned tries = 0; done == AGAIN && tries < TRIES; tries++) {
        uint32_t primask = weft_mask_interrupts();
        done = put_here(p);
        weft_restore_interrupts(primask);
        if (done == OTHER_CONTEXT && weft_delivery_enter())
            done = AGAIN;
    }
    if (done == TAKEN)
        weft_delivery_lend();
    else
        weft_deliver(WEFT_TAG_PATH | WEFT_TAG_TWO, p->number, p->word, 0);
}

void __weft_packed(uint32_t number, uint32_t word)
{
    const pack p = {number, word, (weft_ipsr() << WEFT_HISTORY_PATH_BITS) + number};
    if (weft_target_recorder)
        put(&p);
}
