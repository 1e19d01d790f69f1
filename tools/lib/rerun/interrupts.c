/* SPDX-License-Identifier: MIT */
/* Where interrupts come. A recording says of each start of a handler at which address the interrupted code stood, how
 * deep its stack was, and a byte of each word that the processor stacked (port/cortex-m/places.h). It stands between
 * two events of that code. So the code is executed tentatively, from the first of these to the call that records the
 * second, and an instruction is looked for where all of that fits; then all is as it was. If there is none, the
 * interrupt came within a probe: that of the first event, after it was recorded, or that of the second, before. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/rerun/pending.h"
#include "tools/lib/rerun/search.h"

/* Stores while the counter is past the moment of an interrupt. A thread that is switched away between the load and the
 * store of a lap takes back what the others have counted since, when it goes on. */
enum { PAST_MAX = 1000000 };

/* Whether the code of that exception (0: a thread) has been interrupted, or runs. */
static bool is_active(const rerun *r, uint32_t exception)
{
    for (unsigned i = 0; i < r->active_count; i++)
        if (r->active[i].handler == exception)
            return true;
    return exception == 0;
}

static bool has_probes(const rerun *r, uint32_t pc)
{
    const image_symbol *f = image_function(&r->im->symbols, pc);
    const descriptors *all = program_descriptors(r->app);
    for (size_t i = 0; f && i < all->count; i++)
        if (!strcmp(all->function[i].name, f->name))
            return true;
    return false;
}

/* Weft's own interrupt, which sends frames (weft_poll_in). A probe has asked for it, so it comes at once, or when the
 * handlers that run have returned. What interrupts it comes there. */
static bool is_worker(const rerun *r, uint32_t exception)
{
    uint32_t poll, size;
    return !has_probes(r, vectors_word(r->im, exception)) && image_symbol_named(r->im, "weft_poll", &poll, &size) &&
           rerun_entries_reach(r->entries, vectors_word(r->im, exception), poll);
}

/* The start that stands next is of a handler that another one interrupted before its own start was recorded. Then that
 * one's start is the next here. False: nothing interrupts the code that runs before its next event. */
static bool next_start(rerun *r, rerun_place *next)
{
    const rerun_core *core = &r->m.core;
    if (!rerun_expected_start(r->expected, next))
        return false;
    bool counted = next->counted;
    uint32_t laps = next->laps; /* of the one that was recorded first: until then no handler has counted */
    const rerun_active *top = r->active_count ? &r->active[r->active_count - 1] : NULL;
    if (top && !top->started && next->handler == core->exception)
        return false; /* its own */
    for (unsigned depth = 0; depth < RERUN_ACTIVE_MAX; depth++) {
        next->counted = counted;
        next->laps = laps;
        if (next->interrupted == core->exception)
            return true;
        if (!core->exception && is_worker(r, next->interrupted)) {
            next->in_worker = true;
            return true;
        }
        if (is_active(r, next->interrupted) || !rerun_expected_start_of(r->expected, next->interrupted, next))
            return false;
    }
    return false;
}

/* The last handler that can still go on has no event left, and its next activation has not started. */
static bool is_of_next_activation(rerun *r, const rerun_place *place)
{
    const rerun_active *top = r->active_count ? &r->active[r->active_count - 1] : NULL;
    return top && top->started && top->handler == place->interrupted &&
           !rerun_expected_own(r->expected, place->interrupted);
}

static void say_not_found(rerun *r, const rerun_place *place)
{
    char why[300], handler[VECTORS_NAME_MAX];
    const image_symbol *f = image_function(&r->im->symbols, place->pc);
    snprintf(why, sizeof why, "%s interrupted it at 0x%08" PRIx32 " in %s, which the execution does not come to so",
             vectors_name(r->im, place->handler, handler), place->pc, f ? f->name : "?");
    rerun_stop(r, why);
}

/* What comes next is recorded by what runs here, or by what it interrupted; else an interrupt came whose place is not
 * recorded. It is not executed past that. */
static bool goes_on(rerun *r)
{
    uint32_t exception;
    if (rerun_expected_next(r->expected, &exception) && exception != r->m.core.exception && !is_active(r, exception))
        rerun_expected_stray(r->expected);
    else if (!rerun_expected_gap(r->expected))
        return true;
    rerun_stop(r, rerun_expected_error(r->expected));
    return false;
}

bool rerun_counted(rerun *r)
{
    if (r->plan.stores == r->m.stores)
        return false;
    r->plan.stores = r->m.stores;
    uint32_t left = r->plan.laps - rerun_laps(r);
    r->plan.past = left >> 31 ? r->plan.past + 1 : 0;
    if (r->plan.past > PAST_MAX)
        rerun_stop(r, "it has counted past the moment of the recording's next interrupt or count");
    return left == 0;
}

/* Its moment is looked for where the program has counted that far. */
static bool wait_for(rerun *r, uint32_t laps)
{
    r->plan.waits = r->counter && rerun_laps(r) != laps;
    r->plan.laps = laps;
    return r->plan.waits;
}

/* Where the program counts, many events may come before the next record. So its code stands at a probe's return, or
 * comes to a probe's call within this count. What the probe calls may be a routine of a library that the program calls,
 * too. */
static bool may_be_in_probe(const rerun *r, const rerun_place *place, const rerun_search *s)
{
    if (place->in_worker || s->calls.count)
        return true;
    bool stands = rerun_entries_return(r->entries, r->m.core.pc);
    return (stands || s->comes) && rerun_entries_reach(r->entries, 0, place->pc);
}

bool rerun_plan(rerun *r)
{
    rerun_place place;
    uint32_t laps;
    memset(&r->plan, 0, sizeof r->plan);
    r->plan.made = true;
    if (!goes_on(r))
        return false;
    if (rerun_expected_laps(r->expected, r->m.core.exception, &laps) && !wait_for(r, laps) &&
        rerun_ended_outside(r, laps)) {
        r->ended = rerun_expected_take_laps(r->expected, laps);
        return false;
    }
    if (!next_start(r, &place) || (place.counted && wait_for(r, place.laps)))
        return true;
    if (place.counted && rerun_is_leaving(r, place.pc)) {
        r->ended = true;
        return false;
    }
    rerun_search s = place.in_worker ? (rerun_search){0} : rerun_look_ahead(r, &place);
    bool before_event = place.under_way || rerun_entries_before_event(r->entries, place.pc, place.hashes);
    bool probe = may_be_in_probe(r, &place, &s);
    if (!s.found && before_event && !(place.counted && probe) && is_of_next_activation(r, &place))
        return true;
    bool unseen = s.visited || s.cut || has_probes(r, place.pc) || (place.counted && !probe);
    if (!s.found && (s.own || (unseen && place.counted))) { /* then after that, or where it has counted so far again */
        r->plan.waits = place.counted;
        r->plan.laps = place.laps;
        r->plan.stores = r->m.stores;
        return true;
    }
    if (!s.found && unseen) {
        say_not_found(r, &place);
        return false;
    }
    const rerun_active *top = r->active_count ? &r->active[r->active_count - 1] : NULL;
    bool in_call = !s.found && s.calls.count && (!before_event || (place.counted && !place.under_way));
    bool at_probe = !place.counted && rerun_entries_reach(r->entries, 0, place.pc);
    r->plan.comes = true;
    r->plan.place = place;
    r->plan.steps = s.found ? s.steps : in_call && !at_probe ? s.calls.first : 0;
    r->plan.in_probe = !s.found;
    r->plan.at_call = !s.found && !(in_call && place.counted) && (before_event || (top && !top->started));
    bool other = before_event ? s.comes : rerun_entries_return(r->entries, r->m.core.pc);
    r->sum.uncertain += s.found ? s.also : in_call && (place.counted ? s.calls.count > 1 || other : at_probe);
    return true;
}

bool rerun_push(rerun *r, uint32_t handler)
{
    const rerun_core *core = &r->m.core;
    if (r->active_count == RERUN_ACTIVE_MAX) {
        rerun_stop(r, "too many handlers have interrupted one another here");
        return false;
    }
    r->active[r->active_count++] = (rerun_active){.handler = handler,
                                                  .exception = core->exception,
                                                  .sp = core->word[RERUN_SP],
                                                  .other_sp = core->other_sp,
                                                  .other_sp_known = core->other_sp_known,
                                                  .process_stack = core->process_stack,
                                                  .spoiled = core->spoiled,
                                                  .flags_spoiled = core->flags_spoiled};
    return true;
}

bool rerun_interrupt(rerun *r, full_event *event)
{
    rerun_core *core = &r->m.core;
    const rerun_place *place = &r->plan.place;
    if (core->primask) {
        rerun_stop(r, "an interrupt is recorded here, where interrupts are masked");
        return false;
    }
    if (!rerun_push(r, place->handler))
        return false;
    rerun_active *entered = &r->active[r->active_count - 1];
    entered->in_probe = r->plan.in_probe;
    entered->unplaced = place->in_worker && !r->returned;
    rerun_pending_taken(&r->m, place->handler);
    core->floats_used = place->floats; /* what Weft's own code uses of the FPU counts, too */
    if (r->plan.in_probe)              /* the probe's own stack lies between */
        rerun_set(core, RERUN_SP, place->frame + rerun_place_size(place), true);
    if (place->in_worker) {
        core->exception = place->interrupted;
        core->process_stack = false;
    }
    rerun_status status = rerun_enter(&r->m, place->handler, event);
    event->from = entered->exception;
    if (status != RERUN_DONE)
        rerun_stop(r, rerun_status_text(status));
    if (r->plan.in_probe || r->returned) { /* the handler finds what the probe, or the handler before, has left */
        core->spoiled |= 0xfu | RERUN_BIT(12);
        core->flags_spoiled = RERUN_APSR;
    }
    r->sum.interrupts += status == RERUN_DONE;
    r->plan.made = false;
    return status == RERUN_DONE;
}

/* The thread that goes on stands in a probe, of which only the return is executed. PendSV may come before it does. */
static void leave_probe(rerun *r, full_event *event)
{
    rerun_core *core = &r->m.core;
    size_t i = 0;
    while (i < r->away_count && r->away[i].in_probe != core->word[RERUN_SP])
        i++;
    if (i == r->away_count || core->exception || rerun_pending(&r->m))
        return;
    rerun_set(core, RERUN_SP, r->away[i].sp, true);
    event->registers[RERUN_SP] = r->away[i].sp;
    r->away[i] = r->away[--r->away_count];
}

void rerun_keep(rerun *r, const full_event *event)
{
    const rerun_active *entered = &r->active[r->active_count - 1];
    size_t i = 0;
    while (i < r->kept_count && r->kept[i].frame && r->kept[i].frame != event->frame)
        i++;
    if (i == r->kept_count) {
        r->kept = memory_room(r->kept, r->kept_count, &r->kept_max, sizeof *r->kept);
        r->kept_count++;
    }
    r->kept[i] = (rerun_kept){event->frame, entered->spoiled, entered->flags_spoiled};
}

/* What a probe spoiled of what goes on. Of a thread that starts, nothing. */
static void bring_back(rerun *r, uint32_t frame)
{
    rerun_core *core = &r->m.core;
    core->spoiled = core->flags_spoiled = 0;
    for (size_t i = 0; i < r->kept_count; i++) {
        if (r->kept[i].frame != frame)
            continue;
        core->spoiled = r->kept[i].spoiled;
        core->flags_spoiled = r->kept[i].flags_spoiled;
        r->kept[i].frame = 0;
    }
}

void rerun_returned(rerun *r, full_event *event)
{
    rerun_core *core = &r->m.core;
    r->plan.made = false;
    if (!r->active_count)
        return;
    const rerun_active *left = &r->active[--r->active_count];
    if (left->in_probe && !core->exception && rerun_pending(&r->m)) {
        r->away = memory_room(r->away, r->away_count, &r->away_max, sizeof *r->away);
        r->away[r->away_count++] = (rerun_away){core->word[RERUN_SP], left->sp};
    } else if (left->in_probe) {
        r->sum.uncertain += left->unplaced && r->m.pends &&
                            r->m.own >> RERUN_PENDSV & 1; /* which stores registers where that stack ends */
        rerun_set(core, RERUN_SP, left->sp, true);
        event->registers[RERUN_SP] = left->sp;
        core->exception = event->to = left->exception;
        core->other_sp = left->other_sp;
        core->other_sp_known = left->other_sp_known;
        core->process_stack = left->process_stack;
        event->xpsr = (event->xpsr & ~0x1ffu) | left->exception;
    }
    leave_probe(r, event);
    r->returned = true;
    core->spoiled = left->spoiled;
    core->flags_spoiled = left->flags_spoiled;
    if (left->handler < 32 && r->m.own >> left->handler & 1)
        bring_back(r, event->frame);
}
