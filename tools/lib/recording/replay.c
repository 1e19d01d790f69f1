/* SPDX-License-Identifier: MIT */
/* The steps, per frame:
 *   1  load it. A gap before it makes the state of every context unknown: a new generation begins
 *   2  take one stretch after the other. The entry that ends a stretch says how many accesses and values it holds, and
 *      how many of them belong to a path that is unfinished at its end: the tail
 *   3  at a path symbol, report the rest of the path's script, with addresses and values from the sections
 *   4  at the end of a stretch that has a tail, look ahead for the path that it belongs to (scout.h), and report that
 *      much of the path's script
 * A context that is unknown after a gap becomes known when it first appears: the scout finds its next path record, and
 * the counts of that record's stretch show how many of the path's accesses came before the gap (core/FORMAT.md). */
#include "tools/lib/recording/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/contexts.h"
#include "tools/lib/recording/engines.h"
#include "tools/lib/recording/numbers.h"
#include "tools/lib/recording/scout.h"

struct replay {
    const container *file;
    replay_model model;
    frame_window frames[2], *current; /* the one in replay; the other is the scout's */
    scout scout;
    place at;
    size_t next_frame;
    bool open;  /* a frame is being replayed */
    bool ended; /* the gap at the end was reported */
    uint32_t recording, generation;
    bool fresh;                            /* the generation began with a recording: nothing was missed */
    uint32_t accesses_taken, values_taken; /* of the stretch */
    uint64_t paths_taken;                  /* of the frame */
    bool left_over; /* the tail of the frame's last stretch is not known, and was not passed over */
    numbers bus, values;
    uint32_t address; /* of the last access of the epoch, 0 at its start */
    leases *leases;
    context_list contexts;
    context_state *state; /* of the current stretch */
    uint32_t context_reported;
    bool context_any;
    replay_event *out;
    size_t out_at, out_count, out_max;
    uint64_t unresolved, unknown;
    weft_counts expected; /* events up to here, to size gaps */
    char error[240];
};

/* ---- events ---- */

static replay_event *emit(replay *r, replay_kind kind)
{
    r->out = memory_room(r->out, r->out_count, &r->out_max, sizeof *r->out);
    replay_event *event = &r->out[r->out_count++];
    *event = (replay_event){.kind = kind,
                            .context = r->state ? r->state->number : 0,
                            .offset = r->current->frame.offset,
                            .time = r->current->frame.frame.time};
    return event;
}

static bool misfit(replay *r, const char *what)
{
    if (!r->error[0])
        snprintf(r->error, sizeof r->error, "byte %" PRIu64 ": the recording does not fit the program: %s",
                 r->current->frame.offset, what);
    r->open = false;
    return false;
}

/* ---- the path that a context is in ---- */

/* Finds the script of the path that the current context is in, once per path. A context that is unknown becomes known;
 * that happens at the start of a stretch. */
static bool resolve(replay *r)
{
    context_state *state = r->state;
    scout_found result;
    if (state->sought)
        return true;
    if (!scout_seek(&r->scout, r->at, state->number, !state->known, &result))
        return misfit(r, "no function has one of its paths");
    state->sought = true;
    state->next = result.script;
    if (!result.script || state->known)
        return true;
    if (result.accesses < 0 || result.values < 0)
        return misfit(r, "a path has fewer accesses than were recorded");
    state->known = true;
    state->accesses = (uint32_t)result.accesses;
    state->values = (uint32_t)result.values;
    return true;
}

/* ---- addresses and values ---- */

static void restart(replay *r)
{
    numbers_restart(&r->bus);
    numbers_restart(&r->values);
    r->address = 0;
}

static bool start_numbers(replay *r, const trace_body *body)
{
    numbers_coding coding;
    r->address = 0;
    return numbers_bus_coding(body->bus_coder, &coding) && body->value_coder <= WEFT_VALUE_BFCM &&
           numbers_start(&r->bus, true, coding, body->slots_log2, body->section[WEFT_REGION_BUS],
                         body->size[WEFT_REGION_BUS]) &&
           numbers_start(&r->values, false, body->value_coder == WEFT_VALUE_BFCM ? NUMBERS_BFCM : NUMBERS_VARINTS,
                         body->value_slots_log2, body->section[WEFT_REGION_VALUES], body->size[WEFT_REGION_VALUES]);
}

static uint32_t next_address(replay *r, uint32_t site)
{
    lease_answer answer = leases_next(r->leases, site, &r->address);
    if (answer == LEASE_PLAIN)
        r->address = (uint32_t)numbers_next(&r->bus, site, 0);
    if (answer == LEASE_MISSING)
        misfit(r, "addresses are missing");
    return r->address;
}

/* ---- reporting a script ---- */

/* Leaves all activations above the `depth` outermost ones. */
static void unwind(replay *r, size_t depth)
{
    context_state *state = r->state;
    while (state->depth > depth) {
        replay_event *event = emit(r, REPLAY_EXIT);
        event->id = event->function = state->stack[--state->depth].function;
        event->unwound = true;
    }
}

/* Where the innermost activation's frame is. After a longjmp, that shows which activation it is. */
static void note_frame(replay *r, const replay_script *script, uint32_t frame)
{
    context_state *state = r->state;
    size_t depth = state->depth;
    while (state->landed && depth &&
           (state->stack[depth - 1].function != script->function || state->stack[depth - 1].frame != frame))
        depth--;
    if (depth)
        unwind(r, depth);
    else
        context_doubt_bases(state, script->function);
    state->stack[state->depth - 1].frame = frame;
    state->landed = false;
}

/* Does the path go on right where the last one of its context ended? Then no longjmp or exception came between. */
static bool follows(const replay_script *last, const replay_script *script)
{
    return last && last->function == script->function &&
           (last->away || (last->enters == script->begins && last->enters != REPLAY_NO_BLOCK));
}

/* Before a script's first item: the activation that it belongs to becomes the innermost one. */
static void enter_activation(replay *r, const replay_script *script)
{
    context_state *state = r->state;
    state->repeat_first = false;
    if (script->span || script->entry)
        return;
    size_t depth = state->depth;
    while (depth && state->stack[depth - 1].function != script->function)
        depth--;
    if (depth == 0) {
        /* It began before the recording, or in a gap; or a call that does not return led back into it (longjmp). */
        state->repeat_first = !r->fresh || !context_entered(state, script->function);
        context_push(state, script->function);
        return;
    }
    bool goes_on = follows(state->last, script);
    state->landed = script->lands && !goes_on && script->frames;
    if (!state->landed && (state->depth > depth || (script->lands && !goes_on)))
        context_doubt_bases(state, script->function);
    unwind(r, depth);
    if (!script->keeps_bases)
        context_forget_bases(state);
}

/* Where an access or a base site finds its address. False: it is not known. */
static bool find_address(replay *r, const replay_script *script, const replay_item *item, uint32_t *address)
{
    group_base *base = context_base(r->state, item->group, script->groups);
    if (item->how == REPLAY_RECORDED) {
        *address = next_address(r, item->id);
        if (base)
            *base = (group_base){*address - item->constant, true};
        return true;
    }
    *address = item->how == REPLAY_STATIC ? item->constant : base ? base->base + item->constant : 0;
    return item->how == REPLAY_STATIC || (base && base->known);
}

/* Items that only give bases. */
static void emit_base(replay *r, const replay_script *script, const replay_item *item)
{
    if (item->kind == REPLAY_MOVE) {
        group_base *moved = context_base(r->state, item->group, script->groups);
        if (moved)
            moved->base += item->constant;
        return;
    }
    group_base base;
    base.known = find_address(r, script, item, &base.base);
    if (item->frame && base.known && r->state->depth)
        note_frame(r, script, base.base);
    group_base *given = context_base(r->state, item->target, script->groups);
    if (given)
        *given = base;
}

static void emit_access(replay *r, const replay_script *script, const replay_item *item, replay_event *event)
{
    event->size = item->size ? item->size : r->state->length;
    r->state->length = 0;
    event->store = item->store;
    event->derived = item->how != REPLAY_RECORDED;
    event->unknown = !find_address(r, script, item, &event->address);
    if (!event->unknown)
        return;
    event->address = 0;
    r->unknown++;
}

static void emit_item(replay *r, const replay_script *script, const replay_item *item)
{
    context_state *state = r->state;
    if (item->kind == REPLAY_LENGTH) {
        state->length = next_address(r, item->id);
        return;
    }
    if (item->kind == REPLAY_BASE || item->kind == REPLAY_MOVE) {
        emit_base(r, script, item);
        return;
    }
    replay_event *event = emit(r, (replay_kind)item->kind);
    event->id = item->id;
    event->function = script->function;
    if (item->kind == REPLAY_ACCESS) {
        emit_access(r, script, item, event);
    } else if (item->kind == REPLAY_VALUE) {
        event->value = numbers_next(&r->values, item->id, r->address);
        event->size = item->size;
        event->store = item->store;
    } else if (item->kind == REPLAY_ENTRY && !script->span) {
        context_note_entry(state, script->function);
        context_push(state, script->function);
    } else if (item->kind == REPLAY_EXIT && !script->span && state->depth) {
        state->depth--;
    }
}

/* An item of which the recording holds an address or a value. */
static bool is_recorded(const replay_item *item)
{
    return item->kind == REPLAY_VALUE || item->kind == REPLAY_LENGTH ||
           ((item->kind == REPLAY_ACCESS || item->kind == REPLAY_BASE) && item->how == REPLAY_RECORDED);
}

/* Reports the items before the record, from where the context stands, while `accesses` and `values` last. Those of
 * the script that were missed in a gap are passed over. */
static bool emit_script(replay *r, const replay_script *script, uint32_t accesses, uint32_t values)
{
    context_state *state = r->state;
    uint32_t skip_accesses = state->item ? 0 : state->accesses, skip_values = state->item ? 0 : state->values;
    uint32_t left_accesses = accesses, left_values = values;
    if (state->item == 0)
        enter_activation(r, script);
    for (; state->item < script->before_count; state->item++) {
        const replay_item *item = &script->items[state->item];
        if (item->kind == REPLAY_ACCESS && !is_recorded(item) && skip_accesses)
            continue; /* it happened in the gap */
        uint32_t *skip = item->kind == REPLAY_VALUE ? &skip_values : &skip_accesses;
        uint32_t *left = item->kind == REPLAY_VALUE ? &left_values : &left_accesses;
        if (is_recorded(item)) {
            if (*skip) {
                --*skip;
                continue;
            }
            if (*left == 0)
                break;
            --*left;
        } else if (left_accesses == 0 && left_values == 0 && state->accesses + accesses < script->accesses) {
            break; /* as late as the path allows */
        }
        if (item->kind == REPLAY_BLOCK && state->item == 0 && script->first_reported && !state->repeat_first)
            continue;
        emit_item(r, script, item);
    }
    state->accesses += accesses;
    state->values += values;
    r->accesses_taken += accesses;
    r->values_taken += values;
    if (left_accesses || left_values)
        return misfit(r, "a path has other accesses than were recorded");
    return true;
}

/* Step 3. */
static bool path_record(replay *r, uint32_t path)
{
    const replay_script *script = r->model.script(r->model.context, path);
    if (!script)
        return misfit(r, "no function has one of its paths");
    if (!r->state->known && !resolve(r))
        return false;
    context_state *state = r->state;
    if ((state->sought && state->next != script) || state->accesses > script->accesses ||
        state->values > script->values)
        return misfit(r, "a path has other accesses than were recorded");
    uint32_t accesses = script->accesses - state->accesses, values = script->values - state->values;
    if (accesses > r->at.stretch.accesses - r->at.stretch.accesses_tail - r->accesses_taken ||
        values > r->at.stretch.values - r->at.stretch.values_tail - r->values_taken)
        return misfit(r, "a path has more accesses than were recorded");
    if (!emit_script(r, script, accesses, values))
        return false;
    replay_event *event = emit(r, REPLAY_PATH);
    event->id = path;
    event->function = script->function;
    for (uint32_t i = script->before_count; i < script->count; i++)
        emit_item(r, script, &script->items[i]);
    r->paths_taken++;
    state->last = script;
    state->sought = false;
    state->next = NULL;
    state->item = state->accesses = state->values = 0;
    return true;
}

/* Step 4. */
static bool end_stretch(replay *r)
{
    const trace_stretch *stretch = &r->at.stretch;
    if (r->accesses_taken != stretch->accesses - stretch->accesses_tail ||
        r->values_taken != stretch->values - stretch->values_tail)
        return misfit(r, "paths have fewer accesses than were recorded");
    if (stretch->accesses_tail == 0 && stretch->values_tail == 0)
        return true;
    if (!resolve(r))
        return false;
    if (r->state->next) {
        if (!emit_script(r, r->state->next, stretch->accesses_tail, stretch->values_tail))
            return false;
    } else {
        replay_event *event = emit(r, REPLAY_UNRESOLVED);
        event->accesses = stretch->accesses_tail;
        event->values = stretch->values_tail;
        r->unresolved += event->accesses + event->values;
        if (!(r->current->body.bus_coder & WEFT_BUS_TRE))
            numbers_skip(&r->bus, stretch->accesses_tail);
        else if (stretch->last)
            r->left_over = true; /* in the frame's last stretch: nothing follows */
        numbers_skip(&r->values, stretch->values_tail);
    }
    restart(r);
    return true;
}

/* ---- the way through the container ---- */

static void begin_stretch(replay *r)
{
    r->accesses_taken = r->values_taken = 0;
    r->state = contexts_state(&r->contexts, r->at.stretch.context, r->generation, r->fresh);
    if (!r->context_any || r->context_reported != r->state->number)
        emit(r, REPLAY_CONTEXT);
    r->context_any = true;
    r->context_reported = r->state->number;
}

/* Events between what was expected and what the frame says. */
static void emit_gap(replay *r, bool restarted)
{
    const weft_counts *now = &r->current->body.before, *then = &r->expected;
    replay_event *event = emit(r, REPLAY_GAP);
    event->counted =
        !restarted && now->paths >= then->paths && now->accesses >= then->accesses && now->values >= then->values;
    if (!event->counted)
        return;
    event->paths = now->paths - then->paths;
    event->accesses = now->accesses - then->accesses;
    event->values = now->values - then->values;
}

/* What the end record counts beyond the last frame. */
static void end_recording(replay *r)
{
    weft_counts *then = &r->expected, now;
    if (r->ended || !r->current->full || !container_end_counts(r->file, r->recording, &now))
        return;
    r->ended = true;
    if (now.paths < then->paths || now.accesses < then->accesses || now.values < then->values ||
        (now.paths == then->paths && now.accesses == then->accesses && now.values == then->values))
        return;
    r->state = NULL;
    replay_event *event = emit(r, REPLAY_GAP);
    event->counted = true;
    event->paths = now.paths - then->paths;
    event->accesses = now.accesses - then->accesses;
    event->values = now.values - then->values;
}

/* Step 1. False: no more frames. */
static bool open_frame(replay *r)
{
    size_t index = container_next(r->file, WEFT_FRAME_TRACE, r->next_frame);
    if (index == container_frame_count(r->file)) {
        end_recording(r);
        return false;
    }
    if (r->scout.ahead->full && r->scout.ahead->index == index) {
        r->current = r->scout.ahead;
        r->scout.ahead = r->scout.current;
        r->scout.current = r->current;
    }
    window_load(r->current, r->file, index);
    r->next_frame = index + 1;
    const trace_body *body = &r->current->body;
    bool restarted = r->current->frame.recording != r->recording;
    if (restarted || r->current->frame.after_gap) {
        r->generation++;
        r->fresh = restarted && !r->current->frame.after_gap;
        r->state = NULL;
        r->context_any = false;
        if (restarted)
            r->expected = (weft_counts){0};
        if (r->current->frame.after_gap || (restarted && r->recording != UINT32_MAX))
            emit_gap(r, restarted && !r->current->frame.after_gap);
        r->recording = r->current->frame.recording;
    }
    r->expected.paths = body->before.paths + body->counts.paths;
    r->expected.accesses = body->before.accesses + body->counts.accesses;
    r->expected.values = body->before.values + body->counts.values;
    r->open = true;
    r->paths_taken = 0;
    r->left_over = false;
    if (!start_numbers(r, body))
        return misfit(r, "a coder of addresses or values that this build does not know");
    if (!leases_start(r->leases, body->section[WEFT_REGION_MODELS], body->size[WEFT_REGION_MODELS]))
        return misfit(r, "its address models are damaged");
    if (!place_start(&r->at, r->current))
        return misfit(r, "its contexts are damaged");
    begin_stretch(r);
    return true;
}

static bool close_frame(replay *r)
{
    if (trace_symbols_corrupt(r->current->decoder))
        return misfit(r, "its control symbols are damaged, or of a coder that this build does not know");
    if (r->paths_taken != r->current->body.counts.paths)
        return misfit(r, "paths are missing, or left over");
    if (!r->at.stretch.last || !end_stretch(r))
        return misfit(r, "switches of context are missing");
    if (r->left_over) {
        r->open = false;
        return true;
    }
    if (leases_left(r->leases))
        return misfit(r, "addresses are left over");
    if (!numbers_done(&r->bus) || !numbers_done(&r->values))
        return misfit(r, "addresses or values are missing, or left over");
    r->open = false;
    return true;
}

static bool step(replay *r)
{
    uint32_t symbol;
    if (!r->open)
        return open_frame(r);
    if (!window_symbol(r->current, r->at.symbol, &symbol))
        return close_frame(r);
    if (symbol >= WEFT_SYMBOL_PATH) {
        if (!path_record(r, symbol - WEFT_SYMBOL_PATH))
            return false;
        r->at.symbol++;
        return true;
    }
    if (symbol != WEFT_SYMBOL_CONTEXT)
        return misfit(r, "an escape symbol that this build does not know");
    if (!end_stretch(r))
        return false;
    r->at.symbol++;
    if (r->at.stretch.last || !trace_stretches_next(&r->at.stretches, &r->at.stretch))
        return misfit(r, "switches of context are missing");
    begin_stretch(r);
    return true;
}

replay *replay_open(const container *file, replay_model model)
{
    replay *r = memory_zero(1, sizeof *r);
    r->file = file;
    r->model = model;
    r->recording = UINT32_MAX;
    r->generation = 1;
    window_open(&r->frames[0]);
    window_open(&r->frames[1]);
    r->leases = leases_open();
    r->current = &r->frames[0];
    r->scout = (scout){file, model, r->current, &r->frames[1]};
    return r;
}

void replay_close(replay *r)
{
    if (!r)
        return;
    window_close(&r->frames[0]);
    window_close(&r->frames[1]);
    contexts_free(&r->contexts);
    leases_close(r->leases);
    numbers_free(&r->bus);
    numbers_free(&r->values);
    free(r->out);
    free(r);
}

bool replay_next(replay *r, replay_event *event)
{
    while (r->out_at == r->out_count) {
        r->out_at = r->out_count = 0;
        if (r->error[0] || !step(r)) {
            if (r->out_count == 0)
                return false;
        }
    }
    *event = r->out[r->out_at++];
    return true;
}

const char *replay_error(const replay *r)
{
    return r->error[0] ? r->error : NULL;
}

uint64_t replay_unknown(const replay *r)
{
    return r->unknown;
}

uint64_t replay_unresolved(const replay *r)
{
    return r->unresolved;
}
