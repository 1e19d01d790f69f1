/* SPDX-License-Identifier: MIT */
/* Events. The steps of each:
 *   1. the fast paths (core/recorder_fast.h) take nearly all of them
 *   2. if a frame waits, offer it again; if the sink still refuses, the event is lost (weft_recorder_open)
 *   3. if the context changed, end the stretch (enter)
 *   4. if the item does not fit its region, cut the frame: seal it, offer it, begin the next interval (cut)
 *   5. write the item */
#include "core/own.h"
#include "core/recorder_parts.h"

/* Step 4. Ends the interval's frame, and begins a new interval in context `next`. On WEFT_OK that has a fresh frame. On
 * WEFT_AGAIN no buffer is free, even after the oldest frame was offered to the sink, and its events are lost. Where a
 * profile replaces the control stream, there is no such frame: what did not come by the profile is lost. */
static weft_status cut(weft_recorder *recorder, uint32_t next)
{
    weft_recorder_end_sections(recorder);
    if (recorder->config.profile_only)
        weft_recorder_lose(recorder);
    else
        weft_recorder_end_frame(recorder);
    recorder->context = next;
    weft_recorder_begin_interval(recorder);
    recorder->waiting = true;
    if (weft_recorder_free_buffer(recorder) != WEFT_OK) {
        weft_recorder_close_regions(recorder);
        return WEFT_AGAIN;
    }
    weft_recorder_begin_frame(recorder);
    return WEFT_OK;
}

/* Moves the interval's events, which are lost, to `aside`. They cannot go to `before` yet: parts of a profile may still
 * have to say how many paths came before this interval. */
static void put_aside(weft_recorder *recorder)
{
    weft_recorder_move_counts(recorder, &recorder->aside);
    weft_recorder_begin_stretch(recorder);
}

/* Step 2. True when a frame is open: none waited, or the sink took it just now. */
bool weft_recorder_open(weft_recorder *recorder)
{
    if (!recorder->waiting && !recorder->profiling)
        return true;
    bool parts = recorder->profiling || recorder->profile_part;
    if ((!parts && weft_recorder_free_buffer(recorder) != WEFT_OK) ||
        (parts && recorder->config.profiler->frames->send(recorder) != WEFT_OK)) {
        if ((recorder->paths | recorder->accesses | recorder->values | recorder->marks) >> 31)
            put_aside(recorder); /* before 32 bits overflow */
        return false;
    }
    weft_recorder_lose(recorder); /* the events since the cut */
    weft_recorder_begin_frame(recorder);
    if (recorder->profile_part)
        weft_recorder_profile_done(recorder);
    return true;
}

void weft_recorder_put_escape(weft_recorder *recorder, uint32_t symbol)
{
    weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    weft_recorder_end_run(recorder);
    uint8_t *to = control->at;
    to[0] = WEFT_CODE_OTHER;
    to[1] = (uint8_t)(symbol + 1);
    control->at = to + 2;
    if (symbol == WEFT_SYMBOL_CONTEXT)
        weft_history_switch(&recorder->history);
}

bool weft_recorder_put_symbol(weft_recorder *recorder, uint32_t symbol)
{
    if (recorder->config.control_coder)
        return recorder->coded->put(recorder, symbol);
    bool path = symbol >= WEFT_SYMBOL_PATH;
    if (!weft_recorder_fits(recorder, WEFT_REGION_CONTROL) ||
        (path && weft_recorder_paths(recorder) >= WEFT_RECORDER_PATHS_MAX))
        return false;
    if (path)
        weft_recorder_put_path(recorder, weft_history_exception(recorder->context), symbol - WEFT_SYMBOL_PATH);
    else
        weft_recorder_put_escape(recorder, symbol);
    return true;
}

/* Accesses or values came since the stretch's last path. */
static bool has_tail(const weft_recorder *recorder)
{
    return weft_recorder_accesses(recorder) != weft_recorder_accesses_done(recorder) ||
           recorder->values != recorder->values_done;
}

/* The entry of a switch in the marks section, about the stretch that ends (FORMAT.md, "Stretches"): context, */
static inline void put_entry(weft_recorder *recorder, uint32_t context)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    uint32_t accesses = weft_recorder_accesses(recorder) - recorder->accesses_start;
    uint32_t head = context << 3 | (recorder->values != recorder->values_start ? 4u : 0u) | (accesses ? 2u : 0u);
    marks->at = context >> 29 ? weft_put_varint64(marks->at, (uint64_t)context << 3 | (head & 7))
                              : weft_put_varint(marks->at, head);
}

/* accesses, */
static inline void put_entry_accesses(weft_recorder *recorder)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    uint32_t all = weft_recorder_accesses(recorder), accesses = all - recorder->accesses_start;
    if (!accesses)
        return;
    uint8_t *to = weft_put_varint(marks->at, accesses);
    marks->at = weft_put_varint(to, all - weft_recorder_accesses_done(recorder));
}

/* and values. */
static inline void put_entry_values(weft_recorder *recorder)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    uint32_t values = recorder->values - recorder->values_start;
    if (!values)
        return;
    uint8_t *to = weft_put_varint(marks->at, values);
    marks->at = weft_put_varint(to, recorder->values - recorder->values_done);
}

/* Step 3: makes `context` the current one in an open frame. False: the frame was cut for that, and waits. */
static bool enter(weft_recorder *recorder, uint32_t context)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    recorder->switches++;
    if (weft_recorder_is_empty(recorder)) {
        recorder->context = recorder->first_context = context; /* nothing was recorded before */
        return true;
    }
    bool tail = has_tail(recorder);
    /* A reader of the models section must know the sites of all accesses. So a tail ends its frame where there is a
     * model coder. */
    if (marks->at > marks->limit || (tail && recorder->config.model_coder) ||
        !weft_recorder_put_symbol(recorder, WEFT_SYMBOL_CONTEXT))
        return cut(recorder, context) == WEFT_OK; /* the next frame's head names the context */
    put_entry(recorder, context);
    put_entry_accesses(recorder);
    put_entry_values(recorder);
    if (tail)
        weft_recorder_next_epoch(recorder, false);
    recorder->context = context;
    weft_recorder_begin_stretch(recorder);
    return true;
}

enum { ENTERING_STRETCH = 1, ENTERING_SYMBOL, ENTERING_VALUES, ENTERING_ACCESSES, ENTERING_RUN, ENTERING_CONTEXT };

/* The next step, once no run is open. */
static uint8_t entry_step(const weft_recorder *recorder)
{
    return weft_recorder_accesses(recorder) != recorder->accesses_start ? ENTERING_ACCESSES
           : recorder->values != recorder->values_start                 ? ENTERING_VALUES
                                                                        : ENTERING_SYMBOL;
}

static inline void begin_entry(weft_recorder *recorder)
{
    put_entry(recorder, recorder->context);
    recorder->entering = recorder->history.run ? (uint8_t)ENTERING_RUN : entry_step(recorder);
}

bool weft_recorder_enter_begin(weft_recorder *recorder, uint32_t context)
{
    const weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    const weft_history *history = &recorder->history;
    if (!recorder->plain || history->to == history->start || !weft_recorder_control_fits(recorder) ||
        marks->at > marks->limit || recorder->epoch == UINT16_MAX)
        return false;
    recorder->context = context;
    if (WEFT_SHORT_STEPS)
        recorder->entering = ENTERING_CONTEXT;
    else
        begin_entry(recorder);
    return true;
}

void weft_recorder_enter_go_on(weft_recorder *recorder)
{
    unsigned entering = recorder->entering--;
    if (entering > ENTERING_SYMBOL) {
        if (entering == ENTERING_CONTEXT) {
            begin_entry(recorder);
        } else if (entering == ENTERING_RUN) {
            weft_recorder_end_run(recorder);
            recorder->entering = entry_step(recorder);
        } else if (entering == ENTERING_VALUES) {
            put_entry_values(recorder);
        } else {
            put_entry_accesses(recorder);
            if (recorder->values == recorder->values_start)
                recorder->entering = ENTERING_SYMBOL;
        }
        return;
    }
    if (entering == ENTERING_SYMBOL) {
        recorder->switches++;
        weft_recorder_put_escape(recorder, WEFT_SYMBOL_CONTEXT);
        if (WEFT_SHORT_STEPS || recorder->history.to == recorder->history.start)
            return; /* that took long */
        recorder->entering = 0;
    }
    if (has_tail(recorder)) {
        recorder->address = 0;
        recorder->value = 0;
        recorder->epoch++;
    }
    weft_recorder_begin_stretch(recorder);
}

/* Steps 2 and 3. False: the event is lost. */
bool weft_recorder_ready(weft_recorder *recorder, uint32_t context)
{
    if (weft_recorder_open(recorder)) {
        if (context == recorder->context)
            return true;
        if (enter(recorder, context))
            return true;
    }
    recorder->context = context;
    return false;
}

/* All steps but the first. They do its work too, so at -Os there is no first step. Else out of line, so that the fast
 * path saves few registers. */
#ifndef __OPTIMIZE_SIZE__
__attribute__((noinline))
#endif
static void
slow_path(weft_recorder *recorder, uint32_t context, uint32_t path)
{
    uint32_t symbol = path + WEFT_SYMBOL_PATH;
    bool put = weft_recorder_ready(recorder, context) &&
               (weft_recorder_put_symbol(recorder, symbol) ||
                (cut(recorder, context) == WEFT_OK && weft_recorder_put_symbol(recorder, symbol)));
    if (!put || recorder->config.control_coder)
        recorder->paths++;
    weft_recorder_path_done(recorder);
}

void weft_recorder_path(weft_recorder *recorder, uint32_t context, uint32_t path)
{
#ifndef __OPTIMIZE_SIZE__
    if (weft_recorder_path_fast(recorder, context, path))
        return;
#endif
    slow_path(recorder, context, path);
}

weft_status weft_recorder_cut(weft_recorder *recorder)
{
    return cut(recorder, recorder->context);
}

bool weft_recorder_make_room(weft_recorder *recorder, uint32_t context, unsigned region)
{
    return weft_recorder_ready(recorder, context) &&
           (weft_recorder_fits(recorder, region) || cut(recorder, context) == WEFT_OK);
}

#if WEFT_SMALL
/* A run ends in one place, whatever ends it. */
void weft_recorder_put_address_apart(weft_recorder *recorder, uint32_t site, uint32_t address)
{
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    weft_slot *slot = &recorder->slots[site & recorder->slots_mask];
    uint32_t last = slot->last, state = slot->state, run = recorder->turn & WEFT_TURN_RUN;
    bool stale = (state ^ recorder->epoch) & 0xffff;
    weft_recorder_look_at_paths(recorder);
    if (stale) {
        last = recorder->address;
        state = recorder->epoch;
    }
    recorder->address = address;
    uint32_t difference = address - last;
    bool predicted = difference == weft_slot_stride(state);
    if (!predicted || run == WEFT_TURN_RUN_MAX) {
        bus->at = weft_put_run(bus->at, run);
        weft_recorder_end_turn(recorder, recorder->turn, run);
    }
    if (predicted) {
        recorder->turn++;
    } else {
        uint32_t stride = (uint32_t)(int16_t)difference == difference && !stale ? difference : 0;
        state = (state & 0xffff) | stride << 16;
        recorder->accesses++;
        bus->at = weft_put_other(bus->at, difference);
    }
    *slot = (weft_slot){address, state};
}

static inline void put_address(weft_recorder *recorder, uint32_t site, uint32_t address)
{
    weft_recorder_put_address_apart(recorder, site, address);
}
#else
void weft_recorder_put_address_apart(weft_recorder *recorder, uint32_t site, uint32_t address)
{
    weft_recorder_put_address(recorder, site, address);
}

static inline void put_address(weft_recorder *recorder, uint32_t site, uint32_t address)
{
    weft_recorder_put_address(recorder, site, address);
}
#endif

void weft_recorder_access_bus(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address)
{
    const weft_number_coder *coder = recorder->config.bus_coder;
    if (coder)
        coder->access(recorder, context, site, address);
    else if (weft_recorder_ready(recorder, context) &&
             (weft_recorder_hits(recorder, site, address) || weft_recorder_fits(recorder, WEFT_REGION_BUS) ||
              cut(recorder, context) == WEFT_OK))
        put_address(recorder, site, address);
    else
        recorder->accesses++;
}

void weft_recorder_access(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address)
{
#ifndef __OPTIMIZE_SIZE__
    if (weft_recorder_access_fast(recorder, context, site, address))
        return;
#endif
    recorder->access(recorder, context, site, address);
}

bool weft_recorder_make_mark(weft_recorder *recorder, uint32_t context)
{
    return weft_recorder_make_room(recorder, context, WEFT_REGION_MARKS) &&
           (weft_recorder_put_symbol(recorder, WEFT_SYMBOL_MARK) ||
            (cut(recorder, context) == WEFT_OK && weft_recorder_put_symbol(recorder, WEFT_SYMBOL_MARK)));
}

weft_status weft_recorder_end(weft_recorder *recorder)
{
    if (!weft_recorder_open(recorder))
        return WEFT_AGAIN;
    return weft_recorder_is_empty(recorder) ? WEFT_OK : cut(recorder, recorder->context);
}

/* Cuts the open frame, then counts the losses as a separate interval. If that frame waits, its interval takes them. */
void weft_recorder_lost(weft_recorder *recorder, const weft_counts *lost)
{
    bool open = weft_recorder_end(recorder) == WEFT_OK;
    weft_recorder_add(&recorder->aside, lost);
    recorder->early += weft_recorder_all(lost);
    if (!open)
        return;
    weft_recorder_lose(recorder);
    weft_recorder_begin_frame(recorder);
}

weft_status weft_recorder_flush(weft_recorder *recorder)
{
    return weft_recorder_end(recorder) == WEFT_OK ? recorder->send(recorder) : WEFT_AGAIN;
}

weft_status weft_recorder_finish(weft_recorder *recorder)
{
    if (weft_recorder_flush(recorder) != WEFT_OK)
        return WEFT_AGAIN;
    if (recorder->config.profiler && recorder->config.profiler->frames->end(recorder) != WEFT_OK)
        return WEFT_AGAIN;
    /* A recording without events also has its head and META. A META that was due and refused is waited for. One that
     * is only repeated is not, and comes once after the last frame, or a slow sink would be given nothing else. */
    uint8_t due = recorder->meta_due;
    if (due < recorder->config.meta_every)
        recorder->meta_due = 0;
    weft_moment now;
    weft_recorder_moment(recorder, &now);
    weft_recorder_send_meta(recorder, &now);
    if (!recorder->meta_due && !due)
        return WEFT_AGAIN;
    if (!recorder->meta_due)
        recorder->meta_due = due;
    for (unsigned tries = 0; recorder->names && recorder->names(recorder, &now) != WEFT_OK; tries++)
        if (tries == recorder->names_count)
            return WEFT_AGAIN;
    return weft_recorder_send_stats(recorder);
}
