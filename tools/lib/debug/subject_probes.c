/* SPDX-License-Identifier: MIT */
/* A recording of probes as a subject. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/debug/probes_monitor.h"
#include "tools/lib/debug/probes_run.h"
#include "tools/lib/debug/probes_search.h"
#include "tools/lib/debug/probes_step.h"
#include "tools/lib/debug/probes_words.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/wet/core.h"

static debug_instant first(void *own)
{
    const probes_run *r = own;
    debug_instant at = {0, 0};
    if (!r->pieces[0].count)
        probes_next(r, &at);
    return at;
}

static debug_instant last(void *own)
{
    const probes_run *r = own;
    debug_instant at = {r->piece_count, 0};
    probes_previous(r, &at);
    return at;
}

static bool next(void *own, debug_instant *at)
{
    return probes_next(own, at);
}

static bool previous(void *own, debug_instant *at)
{
    return probes_previous(own, at);
}

static uint32_t pc(void *own, debug_instant at)
{
    return probes_pc(own, at);
}

/* ---- contexts ---- */

static uint32_t id_of(uint32_t number)
{
    return number && number < VECTORS_THREAD ? DEBUG_HANDLER_ID + number
                                             : number - (number ? VECTORS_THREAD - 2 : 0) + !number;
}

static uint32_t number_of(uint32_t id)
{
    return id >= DEBUG_HANDLER_ID ? id - DEBUG_HANDLER_ID : id == 1 ? 0 : id + VECTORS_THREAD - 2;
}

/* Whether what a context did last was the end of its outermost activation: it does not wait then. */
static bool is_over(const probes_run *r, uint32_t piece)
{
    const probes_piece *p = &r->pieces[piece];
    const probes_plan *plan = r->plans[p->plan];
    const replay_script *script = scripts_path(r->scripts, plan->path);
    return p->count && p->from + p->count == plan->count && script->exit &&
           r->activations[p->activation].caller == PROBES_NONE;
}

/* Where a context goes on after a piece, as far as that path tells. */
static uint32_t pc_after(const probes_run *r, uint32_t piece)
{
    const probes_piece *p = &r->pieces[piece];
    const probes_plan *plan = r->plans[p->plan];
    uint32_t step = p->from + p->count;
    return !p->count ? 0 : plan->steps[step < plan->count ? step : plan->count - 1].pc;
}

static debug_contexts contexts(void *own, debug_instant at)
{
    const probes_run *r = own;
    debug_contexts c = {memory_zero(r->context_count + 1, sizeof *c.all), 1};
    uint32_t current = r->activations[r->pieces[at.window].activation].context;
    c.all[0] =
        (debug_context){.id = id_of(r->contexts[current].number), .at = at, .has_pc = true, .pc = probes_pc(r, at)};
    for (uint32_t i = 0; i < r->context_count; i++) {
        uint32_t piece = i == current ? PROBES_NONE : probes_context_piece(r, i, at.window);
        if (piece == PROBES_NONE || is_over(r, piece))
            continue;
        c.all[c.count++] = (debug_context){.id = id_of(r->contexts[i].number),
                                           .at = {piece, 0},
                                           .has_pc = pc_after(r, piece) != 0,
                                           .pc = pc_after(r, piece)};
    }
    return c;
}

static void context_name(void *own, uint32_t id, char *name, size_t size)
{
    const probes_run *r = own;
    char text[VECTORS_NAME_MAX];
    uint32_t number = number_of(id);
    const char *given = vectors_name(program_image(r->app), number, text);
    for (uint32_t i = 0; i < r->context_count; i++)
        if (r->contexts[i].number == number && r->contexts[i].name)
            given = r->contexts[i].name;
    text_safe(name, size, given);
}

static uint32_t context_of(const probes_run *r, uint32_t piece)
{
    return id_of(r->contexts[r->activations[r->pieces[piece].activation].context].number);
}

static bool runs_again(void *own, debug_instant at, uint32_t id, bool backward, debug_instant *found)
{
    const probes_run *r = own;
    uint32_t piece = at.window, by = backward ? -1u : 1u;
    do
        piece += by; /* before the first one: beyond all */
    while (piece < r->piece_count && (!r->pieces[piece].count || context_of(r, piece) != id));
    if (piece >= r->piece_count)
        return false;
    *found = (debug_instant){piece, backward ? r->pieces[piece].count - 1 : 0};
    return true;
}

/* ---- state ---- */

static bool get(void *own, debug_instant at, const debug_context *c, unsigned i, uint64_t *value)
{
    (void)own;
    (void)at;
    uint32_t ipsr = c->id >= DEBUG_HANDLER_ID ? c->id - DEBUG_HANDLER_ID : 0;
    if (i != DEBUG_PC && i != DEBUG_XPSR)
        return false;
    *value = i == DEBUG_PC ? c->pc : WET_XPSR_THUMB | ipsr; /* gdb does nothing without T; the flags are not known */
    return i == DEBUG_XPSR || c->has_pc;
}

static size_t memory(void *own, debug_instant at, uint32_t address, uint8_t *bytes, size_t size)
{
    return probes_memory(own, at, address, bytes, size);
}

static size_t calls(void *own, debug_instant at, const debug_context *c, uint32_t *pcs, size_t max)
{
    const probes_run *r = own;
    (void)at;
    if (!max)
        return 0;
    uint32_t *activations = memory_grow(NULL, max, sizeof *activations);
    pcs[0] = c->pc;
    size_t count = 1 + probes_callers(r, r->pieces[c->at.window].activation, pcs + 1, activations, max - 1);
    free(activations);
    return count;
}

static debug_hit search(void *own, debug_instant *at, const debug_points *points, bool backward)
{
    return probes_search(own, at, points, backward);
}

static bool watched(void *own, debug_instant at, const debug_points *points, bool backward, debug_hit *hit)
{
    return probes_watched(own, at, points, backward, hit);
}

static void monitor(void *own, debug_instant *at, const debug_context *c, const char *command, FILE *out)
{
    probes_monitor(own, at, c, command, out);
}

static const char *damage(void *own)
{
    const probes_run *r = own;
    return *r->damage ? r->damage : NULL;
}

static void close_run(void *own)
{
    probes_run_free(own);
}

debug_subject *debug_subject_probes(const char *weft, const char *elf, char *message, size_t message_size)
{
    probes_run *r = probes_run_read(weft, elf, message, message_size);
    if (!r)
        return NULL;
    debug_subject *s = memory_zero(1, sizeof *s);
    *s = (debug_subject){.own = r,
                         .im = program_image(r->app),
                         .lost = r->lost,
                         .first = first,
                         .last = last,
                         .next = next,
                         .previous = previous,
                         .pc = pc,
                         .contexts = contexts,
                         .context_name = context_name,
                         .runs_again = runs_again,
                         .get = get,
                         .memory = memory,
                         .calls = calls,
                         .search = search,
                         .watched = watched,
                         .monitor = monitor,
                         .damage = damage,
                         .close = close_run};
    return s;
}
