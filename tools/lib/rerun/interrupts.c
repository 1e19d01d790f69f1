/* SPDX-License-Identifier: MIT */
/* Where interrupts come. A recording says of each start of a handler at which address the interrupted code stood, how
 * deep its stack was, and a byte of each word that the processor stacked (port/cortex-m/places.h). It stands between
 * two events of that code. So the code is executed tentatively, from the first of these to the call that records the
 * second, and an instruction is looked for where all of that fits; then all is as it was. If there is none, the
 * interrupt came within a probe: that of the first event, after it was recorded, or that of the second, before. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/rerun/pending.h"
#include "tools/lib/rerun/run_parts.h"

enum { SEARCH_MAX = 50000000 }; /* instructions without a probe that are looked through */
/* Stores while the counter is past the moment of an interrupt. A thread that is switched away between the load and the
 * store of a tick takes back what the others have counted since, when it goes on. */
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
    uint32_t ticks = next->ticks; /* of the one that was recorded first: until then no handler has counted */
    const rerun_active *top = r->active_count ? &r->active[r->active_count - 1] : NULL;
    if (top && !top->started && next->handler == core->exception)
        return false; /* its own */
    for (unsigned depth = 0; depth < RERUN_ACTIVE_MAX; depth++) {
        next->counted = counted;
        next->ticks = ticks;
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

static uint32_t frame_size(const rerun_place *place)
{
    return place->floats ? RERUN_FRAME_FLOATS : RERUN_FRAME;
}

/* Whether what the processor would stack now is what it stacked then, as far as both are known. */
static bool fits(const rerun_core *core, const rerun_place *place)
{
    static const uint8_t stacked[6] = {0, 1, 2, 3, 12, RERUN_LR};
    uint32_t sp = core->word[RERUN_SP];
    if (core->pc != place->pc || !rerun_knows(core, RERUN_BIT(RERUN_SP)) ||
        ((sp - frame_size(place)) & ~7u) != place->frame)
        return false;
    for (unsigned i = 0; i < 6; i++)
        if (rerun_knows(core, RERUN_BIT(stacked[i])) && !(core->spoiled >> stacked[i] & 1) &&
            weft_stacked_hash(core->word[stacked[i]]) != place->hashes[i])
            return false;
    bool flags = (core->flags_known & RERUN_APSR) == RERUN_APSR && !core->flags_spoiled;
    return !flags || weft_stacked_hash(rerun_stacked_state(core) & WEFT_STACKED_STATE) == place->hashes[6];
}

typedef struct search {
    bool found, also;      /* also: another moment fits too */
    bool called;           /* Weft was called meanwhile, by what records nothing here, and may have been interrupted */
    uint64_t called_after; /* steps */
    bool visited;          /* an instruction of the same function was executed */
    bool cut;              /* the next event was not come to */
    uint64_t steps;        /* to the moment that was found */
} search;

/* From here to the next event. */
static void look(rerun *r, const rerun_place *place, search *s)
{
    rerun_core first = {0};
    uint64_t stores = 0; /* before it */
    rerun_moment before = {.most = 0};
    const image_symbol *function = image_function(&r->im->symbols, place->pc);
    full_event event;
    uint64_t steps = 0;
    uint32_t back;
    if (function && rerun_entries_at(r->entries, function->address, &back) != RERUN_NO_ENTRY)
        function = NULL; /* of a probe only the return is executed */
    for (;;) {
        rerun_core *core = &r->m.core;
        if (place->counted && rerun_ticks(r) != place->ticks)
            return;
        if (fits(core, place)) {
            s->also |= s->found && (stores != r->m.stores || !rerun_same_core(&first, core));
            first = s->found ? first : *core;
            stores = s->found ? stores : r->m.stores;
            s->steps = s->found ? s->steps : steps;
            s->found = true;
        }
        rerun_entry entry = rerun_entries_at(r->entries, core->pc, &back);
        s->cut = steps > SEARCH_MAX;
        if (rerun_pending(&r->m) || rerun_records(r, entry) || rerun_leaves(core) || s->cut || rerun_waits(&r->m, &before))
            return;
        if (entry != RERUN_NO_ENTRY) {
            if (!s->called && rerun_entries_reach(r->entries, core->pc, place->pc)) {
                s->called = true;
                s->called_after = steps;
            }
            rerun_return(r, entry, back);
            if (!back)
                continue;
        } else {
            s->visited |= function && image_function(&r->im->symbols, core->pc) == function;
        }
        rerun_status status = rerun_step(&r->m, &event);
        s->cut = status != RERUN_DONE && status != RERUN_ENDED;
        if (status != RERUN_DONE)
            return;
        steps++;
    }
}

/* Does it come to the end of the recording before it counts again? */
static bool comes_to_end(rerun *r, uint32_t ticks)
{
    full_event event;
    uint32_t back;
    for (uint64_t steps = 0; steps < SEARCH_MAX && rerun_ticks(r) == ticks; steps++) {
        rerun_entry entry = rerun_entries_at(r->entries, r->m.core.pc, &back);
        if (entry == RERUN_END || entry == RERUN_CHECK || rerun_records(r, entry) || rerun_leaves(&r->m.core) ||
            rerun_pending(&r->m))
            return true;
        if (entry != RERUN_NO_ENTRY)
            rerun_return(r, entry, back);
        if ((entry == RERUN_NO_ENTRY || back) && rerun_step(&r->m, &event) != RERUN_DONE)
            return true;
    }
    return false;
}

/* What is done tentatively: then all is as it was. */
typedef struct trial {
    rerun_machine machine;
    rerun_summary sum;
    bool high;
    size_t mark;
} trial;

static trial begin_trial(const rerun *r)
{
    return (trial){r->m, r->sum, r->high, rerun_mark(r->m.space)};
}

static void end_trial(rerun *r, const trial *before)
{
    rerun_back(r->m.space, before->mark);
    r->m = before->machine;
    r->sum = before->sum;
    r->high = before->high;
}

static search look_ahead(rerun *r, const rerun_place *place)
{
    search s = {0};
    trial before = begin_trial(r);
    look(r, place, &s);
    end_trial(r, &before);
    return s;
}

/* A debugger had the program leave (port/cortex-m/program/runtime.h), which nothing in it calls. */
static bool is_leaving(const rerun *r, uint32_t pc)
{
    const image_symbol *f = image_function(&r->im->symbols, pc);
    return f && (!strcmp(f->name, "weft_target_leave") || !strcmp(f->name, "weft_target_catch"));
}

/* A debugger may have ended the recording, anywhere between two counts. */
static bool was_ended_outside(rerun *r, uint32_t ticks)
{
    if (!rerun_expected_ticks_last(r->expected))
        return false;
    trial before = begin_trial(r);
    bool comes = comes_to_end(r, ticks);
    end_trial(r, &before);
    return !comes;
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

uint32_t rerun_ticks(rerun *r)
{
    uint64_t ticks = 0;
    (void)rerun_load(r->m.space, r->counter, 4, &ticks);
    return (uint32_t)ticks;
}

bool rerun_counted(rerun *r)
{
    if (r->plan.stores == r->m.stores)
        return false;
    r->plan.stores = r->m.stores;
    uint32_t left = r->plan.ticks - rerun_ticks(r);
    r->plan.past = left >> 31 ? r->plan.past + 1 : 0;
    if (r->plan.past > PAST_MAX)
        rerun_stop(r, "it has counted past the moment of the recording's next interrupt or count");
    return left == 0;
}

/* Its moment is looked for where the program has counted that far. */
static bool wait_for(rerun *r, uint32_t ticks)
{
    r->plan.waits = r->counter && rerun_ticks(r) != ticks;
    r->plan.ticks = ticks;
    return r->plan.waits;
}

bool rerun_plan(rerun *r)
{
    rerun_place place;
    uint32_t ticks;
    memset(&r->plan, 0, sizeof r->plan);
    r->plan.made = true;
    if (!goes_on(r))
        return false;
    if (rerun_expected_ticks(r->expected, r->m.core.exception, &ticks) && !wait_for(r, ticks) &&
        was_ended_outside(r, ticks)) {
        r->ended = rerun_expected_take_ticks(r->expected, ticks);
        return false;
    }
    if (!next_start(r, &place) || (place.counted && wait_for(r, place.ticks)))
        return true;
    if (place.counted && is_leaving(r, place.pc)) {
        r->ended = true;
        return false;
    }
    search s = place.in_worker ? (search){0} : look_ahead(r, &place);
    bool before_event = place.under_way || rerun_entries_before_event(r->entries, place.pc, place.hashes);
    if (!s.found && before_event && is_of_next_activation(r, &place))
        return true;
    bool unseen = s.visited || s.cut || has_probes(r, place.pc) ||
                  (place.counted && !s.called && !place.in_worker && !rerun_entries_reach(r->entries, 0, place.pc));
    if (!s.found && unseen && place.counted) { /* then where it has counted that far again */
        r->plan.waits = true;
        r->plan.ticks = place.ticks;
        r->plan.stores = r->m.stores;
        return true;
    }
    if (!s.found && unseen) {
        say_not_found(r, &place);
        return false;
    }
    const rerun_active *top = r->active_count ? &r->active[r->active_count - 1] : NULL;
    bool in_call = !s.found && s.called && !before_event, at_probe = rerun_entries_reach(r->entries, 0, place.pc);
    r->plan.comes = true;
    r->plan.place = place;
    r->plan.steps = s.found ? s.steps : in_call && !at_probe ? s.called_after : 0;
    r->plan.in_probe = !s.found;
    r->plan.at_call = !s.found && (before_event || (top && !top->started));
    r->sum.uncertain += s.found ? s.also : in_call && at_probe;
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
        rerun_set(core, RERUN_SP, place->frame + frame_size(place), true);
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
        r->sum.uncertain += left->unplaced && r->m.pends; /* which stores registers where that stack ends */
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
    if (!core->exception && core->word[RERUN_SP] != left->sp) { /* another thread: of what probes spoiled there */
        core->spoiled = 0xfu | RERUN_BIT(12) | RERUN_BIT(RERUN_LR);
        core->flags_spoiled = RERUN_APSR;
    }
}
