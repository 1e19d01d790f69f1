/* SPDX-License-Identifier: MIT */
/* The fast paths of the recorder, to be inlined into probes. True: the event was taken, as nearly always. False:
 * nothing was done, and the function of the same name without _fast or _here (core/recorder.h) must be called. They
 * take less than 100 instructions. */
#ifndef WEFT_CORE_RECORDER_FAST_H
#define WEFT_CORE_RECORDER_FAST_H

#include "core/recorder.h"
#include "core/recorder_runs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The paths of this interval so far. The history is kept (core/recorder_history.h). */
static inline uint32_t weft_recorder_paths(const weft_recorder *recorder)
{
    return recorder->paths + weft_history_paths(&recorder->history);
}

/* The accesses of this interval so far. */
static inline uint32_t weft_recorder_accesses(const weft_recorder *recorder)
{
    return recorder->accesses + (recorder->turn & WEFT_TURN_RUN);
}

/* Accesses before the end of the stretch's last path; before the stretch's start, if it has no path yet. */
static inline uint32_t weft_recorder_accesses_done(const weft_recorder *recorder)
{
    return recorder->accesses_done + (recorder->turn_done & WEFT_TURN_RUN);
}

/* Notes that all accesses so far belong to paths that have ended. */
static inline void weft_recorder_sample(weft_recorder *recorder)
{
    recorder->accesses_done = recorder->accesses;
    recorder->turn_done = recorder->turn;
}

/* The same for values. */
static inline void weft_recorder_path_done(weft_recorder *recorder)
{
    weft_recorder_sample(recorder);
    recorder->values_done = recorder->values;
}

/* Whether the bus section is plain, and no frame waits. */
static inline bool weft_recorder_bus_plain(const weft_recorder *recorder)
{
    const weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    return bus->limit >= bus->start;
}

/* With interrupts masked, or closed: opens the recorder for an exception, or sets WEFT_RECORDER_CLOSED or _FREE. */
static inline void weft_recorder_set_open(weft_recorder *recorder, uint32_t open)
{
    bool lent = open < WEFT_RECORDER_FREE && weft_recorder_bus_plain(recorder);
    recorder->open = open;
    recorder->turn =
        (recorder->turn & WEFT_TURN_RUN) | (lent ? open << WEFT_TURN_EXCEPTION : (uint32_t)WEFT_TURN_CLOSED);
}

/* Before an access: paths may have ended while the history was lent. */
static inline void weft_recorder_look_at_paths(weft_recorder *recorder)
{
    const uint32_t *at = recorder->history.at;
    if (at == recorder->seen_at)
        return;
    recorder->seen_at = at;
    weft_recorder_sample(recorder);
}

/* Before a value. */
static inline void weft_recorder_look_at_paths_for_value(weft_recorder *recorder)
{
    const uint32_t *at = recorder->history.at;
    if (at == recorder->values_seen_at)
        return;
    recorder->values_seen_at = at;
    recorder->values_done = recorder->values;
}

/* Both, before history.at is set; weft_recorder_see follows. */
static inline void weft_recorder_look_back(weft_recorder *recorder)
{
    const uint32_t *at = recorder->history.at;
    if (at != recorder->seen_at)
        weft_recorder_sample(recorder);
    if (at != recorder->values_seen_at)
        recorder->values_done = recorder->values;
}

/* After history.at was set, but not by a path. */
static inline void weft_recorder_see(weft_recorder *recorder)
{
    recorder->seen_at = recorder->values_seen_at = recorder->history.at;
}

/* Whether there is room for an item of the raw coder. */
static inline bool weft_recorder_control_fits(const weft_recorder *recorder)
{
    const weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    return control->at <= control->limit;
}

/* Lends the history to the probes of the current context. With interrupts masked; kept. */
void weft_recorder_lend(weft_recorder *recorder);
/* Takes the history back, if it is lent. With interrupts masked. */
void weft_recorder_keep(weft_recorder *recorder);

/* While lent: weft_history_go_on. */
static inline bool weft_recorder_go_on(weft_recorder *recorder)
{
    weft_recorder_look_back(recorder);
    bool moved = weft_history_go_on(&recorder->history);
    weft_recorder_see(recorder);
    return moved;
}

/* Writes the present run of predicted paths, and begins another one. Nothing is pending. */
static inline void weft_recorder_end_run(weft_recorder *recorder)
{
    weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    control->at = weft_put_run(control->at, recorder->history.run);
    recorder->history.run = 0;
}

/* Writes the present run of predicted words of packs, at the frame's end. */
static inline void weft_recorder_end_pack_run(weft_recorder *recorder)
{
    weft_region *models = &recorder->region[WEFT_REGION_MODELS];
    weft_packs *packs = &recorder->packs;
    models->at = weft_put_pack_run(models->at, packs->count - packs->written);
    packs->written = packs->count;
}

/* Codes a path, for which there is room, of the current context, which has this exception. The history is kept, and
 * nothing is pending. */
static inline void weft_recorder_put_path(weft_recorder *recorder, uint32_t exception, uint32_t path)
{
    weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    weft_history *history = &recorder->history;
    uint32_t word = weft_history_word(exception, path), predicted = weft_history_predicted(history);
    if (path == predicted) {
        weft_history_take(history, word);
        return;
    }
    weft_recorder_end_run(recorder);
    weft_history_learn(history, word, path);
    control->at = weft_put_other(control->at, path - predicted);
}

/* A path that is not predicted, as its word. With interrupts masked. False: the path was not put, since the history is
 * not lent to this context, or there is more to do first. The port has this in assembler, too. With WEFT_SHORT_STEPS,
 * weft_history_put_few comes before it, and, if the control section is full, weft_recorder_keep after it: steps of
 * their own. */
static inline bool weft_recorder_path_lent(weft_recorder *recorder, uint32_t word)
{
    weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    weft_history *history = &recorder->history;
    const uint32_t *at = history->at, *from = history->from;
    uint32_t *to = history->to, predicted = *at, run = history->run;
    size_t taken = (size_t)(at - from);
    if ((predicted ^ word) >> WEFT_HISTORY_PATH_BITS)
        return false;
    if (WEFT_SHORT_STEPS) {
        if (at != from || to >= history->last || run >= WEFT_RUN_LONG ||
            weft_zigzag((int32_t)(word - predicted)) / WEFT_OTHER_LONG)
            return false;
    } else if ((ptrdiff_t)taken >= history->last - to) {
        return false;
    } else if (taken) {
        if (taken > WEFT_HISTORY_FEW)
            return false;
        run += (uint32_t)taken;
        do
            *to++ = *from++;
        while (from != at);
        *to = WEFT_HISTORY_NONE;
    }
    uint32_t *found = &history->end[word & history->found_mask]; /* the word before its entry */
    const uint32_t *source = weft_history_place(history, found[1]);
    uint32_t other = *source++ ^ word;
    if (other) {
        source = to;
        if (!(other & WEFT_HISTORY_PATH_MASK)) {
            history->from = at; /* what would be predicted is of another context: nothing but the copy is done */
            history->to = to;
            history->run = run;
            return false;
        }
    }
    found[1] = weft_history_before_end(history, to);
    *to++ = word;
    *to = WEFT_HISTORY_NONE;
    history->to = to;
    history->from = source;
    history->at = source;
    recorder->seen_at = recorder->values_seen_at =
        &recorder->turn; /* no place of the history: `at` may be where it was */
    uint8_t *item = control->at;
    if (run) {
        history->run = history->back = 0;
        item = weft_put_run(item, run);
    }
    item = weft_put_other(item, word - predicted);
    control->at = item;
    if (!WEFT_SHORT_STEPS && item > control->limit)
        weft_recorder_keep(recorder);
    return true;
}

/* The history is lent, and what is predicted has not been copied to `at` yet. As above. */
static inline bool weft_recorder_path_again(weft_recorder *recorder, uint32_t word)
{
    if (!weft_history_take_again(&recorder->history, word))
        return false;
    recorder->seen_at = recorder->values_seen_at = recorder->history.end;
    return true;
}

/* Whether the fast path takes another path. The history is kept. */
static inline bool weft_recorder_takes_path(const weft_recorder *recorder)
{
    return weft_recorder_control_fits(recorder) && weft_recorder_paths(recorder) < recorder->paths_max;
}

/* A path of the context of the event before, which the raw coder takes. The history is kept. */
static inline void weft_recorder_path_here(weft_recorder *recorder, uint32_t path)
{
    weft_recorder_put_path(recorder, weft_history_exception(recorder->context), path);
    weft_recorder_path_done(recorder);
}

/* The same in two steps, if it must end a run, or the ring ends with it, for a caller that knows the path's word,
 * which is not WEFT_HISTORY_NONE. With WEFT_SHORT_STEPS, in two or three: its bytes are a step of their own, and belong
 * to it once it is put. Another path of the same context may come between two steps (a thread that the recorder cannot
 * tell from the caller): it is put first. WEFT_AGAIN: again. WEFT_FULL: there is no room, and nothing was done. The
 * first step asked for the room of the others, so an item in steps ends no frame that the item in one step would not.
 */
static inline weft_status weft_recorder_path_step(weft_recorder *recorder, uint32_t word, uint32_t path)
{
    weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    weft_history *history = &recorder->history;
    bool second = control->at == recorder->run_ended;
    if (!second && !weft_recorder_takes_path(recorder))
        return WEFT_FULL;
    if (WEFT_SHORT_STEPS && second && recorder->item_end && recorder->item_word == word && !history->run) {
        control->at = recorder->item_end;
        weft_history_learn(history, word, path);
        weft_recorder_path_done(recorder);
        return WEFT_OK;
    }
    uint32_t predicted = weft_history_predicted(history);
    if (path == predicted) {
        weft_history_take(history, word);
    } else if (history->run || (!second && !WEFT_SHORT_STEPS && history->to + 1 == history->end)) {
        if (history->run)
            weft_recorder_end_run(recorder);
        recorder->run_ended = control->at;
        if (WEFT_SHORT_STEPS)
            recorder->item_end = NULL;
        return WEFT_AGAIN;
    } else if (WEFT_SHORT_STEPS) {
        recorder->run_ended = control->at;
        recorder->item_end = weft_put_other(control->at, path - predicted);
        recorder->item_word = word;
        return WEFT_AGAIN;
    } else {
        weft_history_learn(history, word, path);
        control->at = weft_put_other(control->at, path - predicted);
    }
    weft_recorder_path_done(recorder);
    return WEFT_OK;
}

static inline bool weft_recorder_path_fast(weft_recorder *recorder, uint32_t context, uint32_t path)
{
    if (context != recorder->context || !weft_recorder_takes_path(recorder))
        return false;
    weft_recorder_path_here(recorder, path);
    return true;
}

/* Begins to make `context`, another one than that of the event before, the current one, in steps; the history is kept.
 * Then call weft_recorder_enter_go_on until recorder->entering is 0, before anything else is done. False: nothing was
 * done, and weft_recorder_path and its kin must do so with the event. */
bool weft_recorder_enter_begin(weft_recorder *recorder, uint32_t context);
/* The next step of it. */
void weft_recorder_enter_go_on(weft_recorder *recorder);

static inline uint32_t weft_slot_stride(uint32_t state)
{
    return (uint32_t)(int16_t)(state >> 16);
}

/* A run of predicted addresses has been written. */
static inline void weft_recorder_end_turn(weft_recorder *recorder, uint32_t turn, uint32_t run)
{
    recorder->accesses += run;
    recorder->turn = turn - run;
}

/* Writes an address that its slot does not predict, and for which there is room: its difference from the slot's last
 * one, or from that of all, if the slot is stale. `state` is the slot's, or the epoch. */
static inline void weft_recorder_put_miss(weft_recorder *recorder, uint32_t turn, weft_slot *slot, uint32_t difference,
                                          uint32_t state, uint32_t address, bool stale)
{
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    uint32_t run = turn & WEFT_TURN_RUN;
    uint32_t stride = (uint32_t)(int16_t)difference == difference && !stale ? difference : 0;
    slot->last = address;
    slot->state = (state & 0xffff) | stride << 16;
    recorder->address = address;
    recorder->accesses++;
    weft_recorder_end_turn(recorder, turn, run);
    bus->at = weft_put_other(weft_put_run(bus->at, run), difference);
}

/* Codes an address, for which there is room. The site's next address is predicted at its last stride. */
static inline void weft_recorder_put_address(weft_recorder *recorder, uint32_t site, uint32_t address)
{
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    weft_slot *slot = &recorder->slots[site & recorder->slots_mask];
    uint32_t turn = recorder->turn, run = turn & WEFT_TURN_RUN, last = slot->last, state = slot->state;
    bool stale = (state ^ recorder->epoch) & 0xffff;
    weft_recorder_look_at_paths(recorder);
    if (stale) {
        last = recorder->address;
        state = recorder->epoch;
    }
    if (address - last != weft_slot_stride(state)) {
        weft_recorder_put_miss(recorder, turn, slot, address - last, state, address, stale);
        return;
    }
    *slot = (weft_slot){address, state};
    recorder->address = address;
    if (run == WEFT_TURN_RUN_MAX) {
        bus->at = weft_put_run(bus->at, run);
        weft_recorder_end_turn(recorder, turn, run);
    }
    recorder->turn++;
}

/* The same, not inlined. */
void weft_recorder_put_address_apart(weft_recorder *recorder, uint32_t site, uint32_t address);

/* Whether an address only makes the present run longer, so that there need be no room. For a plain bus section. */
static inline bool weft_recorder_hits(const weft_recorder *recorder, uint32_t site, uint32_t address)
{
    const weft_slot *slot = &recorder->slots[site & recorder->slots_mask];
    return address - slot->last == weft_slot_stride(slot->state) && !((slot->state ^ recorder->epoch) & 0xffff) &&
           (recorder->turn & WEFT_TURN_RUN) < WEFT_TURN_RUN_MAX;
}

/* weft_recorder_fits for an address; also false while a frame waits. */
static inline bool weft_recorder_bus_fits(const weft_recorder *recorder)
{
    const weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    return bus->end - bus->at >= (ptrdiff_t)WEFT_RECORDER_ADDRESS_MAX;
}

/* An access in the context of the event before. */
static inline bool weft_recorder_access_here(weft_recorder *recorder, uint32_t site, uint32_t address)
{
    const weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    if (bus->at > bus->limit && !(weft_recorder_bus_plain(recorder) && weft_recorder_hits(recorder, site, address)))
        return false;
    weft_recorder_put_address(recorder, site, address);
    return true;
}

static inline bool weft_recorder_access_fast(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address)
{
    return context == recorder->context && weft_recorder_access_here(recorder, site, address);
}

#ifdef __cplusplus
}
#endif

#endif
