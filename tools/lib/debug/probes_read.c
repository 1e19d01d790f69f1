/* SPDX-License-Identifier: MIT */
/* One pass over the events of a recording. For each context it is known which path it is in, how many steps of it are
 * done, and which activation runs. A path that enters a block which begins with a call leaves over a piece without a
 * plan: the next path of the activation says which one it is. */
#include "tools/lib/debug/probes_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/probes_words.h"
#include "tools/lib/recording/by_context.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/replay.h"

#define BLOCK_MAX                                                                                                      \
    (1u << 16) /* bytes of a block transfer whose words are noted; of a larger one all memory is unknown */

typedef struct progress {
    const replay_script *script; /* of the path that runs; NULL: between paths */
    uint32_t plan, done;         /* steps of it that are in pieces */
    uint32_t activation;         /* PROBES_NONE: none is known */
    uint32_t address;            /* of its last access, */
    bool address_known;
} progress;

typedef struct reading {
    probes_run *r;
    progress *contexts;
    size_t context_max;
    uint32_t *pending; /* by activation: its piece without a plan, PROBES_NONE */
    size_t pending_max;
    uint32_t *plans; /* by path: plan + 1, open addressing */
    uint32_t plan_room;
    uint32_t last; /* the context of the last piece; PROBES_NONE: the next piece is a new one */
} reading;

/* ---- contexts, activations ---- */

static uint32_t context_of(reading *b, uint32_t number)
{
    probes_run *r = b->r;
    size_t known = r->context_count, at = 0;
    r->contexts = by_context(r->contexts, &r->context_count, &r->context_max, sizeof *r->contexts, number, &at);
    if (r->context_count > known) {
        b->contexts = memory_room(b->contexts, at, &b->context_max, sizeof *b->contexts);
        b->contexts[at] = (progress){.activation = PROBES_NONE};
    }
    return (uint32_t)at;
}

static uint32_t last_piece(const probes_context *c)
{
    return c->stretch_count ? c->stretches[c->stretch_count - 1].last : PROBES_NONE;
}

static void activation_push(reading *b, uint32_t context, uint32_t function, bool called)
{
    probes_run *r = b->r;
    progress *c = &b->contexts[context];
    uint32_t call = called && c->activation != PROBES_NONE ? last_piece(&r->contexts[context]) : PROBES_NONE;
    if (call != PROBES_NONE && r->pieces[call].activation != c->activation)
        call = PROBES_NONE;
    r->activations = memory_room(r->activations, r->activation_count, &r->activation_max, sizeof *r->activations);
    b->pending = memory_room(b->pending, r->activation_count, &b->pending_max, sizeof *b->pending);
    b->pending[r->activation_count] = PROBES_NONE;
    r->activations[r->activation_count] = (probes_activation){function, c->activation, call, context};
    c->activation = r->activation_count++;
}

static void activation_pop(reading *b, uint32_t context)
{
    progress *c = &b->contexts[context];
    if (c->activation != PROBES_NONE)
        c->activation = b->r->activations[c->activation].caller;
}

/* ---- plans ---- */

static void plans_grow(reading *b)
{
    uint32_t *old = b->plans, old_room = b->plan_room;
    b->plan_room = old_room ? 2 * old_room : 1024;
    b->plans = memory_zero(b->plan_room, sizeof *b->plans);
    for (uint32_t i = 0; i < old_room; i++) {
        size_t at = old[i] ? (b->r->plans[old[i] - 1]->path * 2654435761u >> 3) & (b->plan_room - 1) : 0;
        while (old[i] && b->plans[at])
            at = (at + 1) & (b->plan_room - 1);
        if (old[i])
            b->plans[at] = old[i];
    }
    free(old);
}

static uint32_t plan_of(reading *b, const replay_script *script)
{
    probes_run *r = b->r;
    if (2 * r->plan_count >= b->plan_room)
        plans_grow(b);
    size_t at = (script->path * 2654435761u >> 3) & (b->plan_room - 1);
    while (b->plans[at] && r->plans[b->plans[at] - 1]->path != script->path)
        at = (at + 1) & (b->plan_room - 1);
    if (!b->plans[at]) {
        r->plans = memory_room(r->plans, r->plan_count, &r->plan_max, sizeof(probes_plan *));
        r->plans[r->plan_count++] = probes_plan_new(r->app, r->code, script);
        b->plans[at] = r->plan_count;
    }
    return b->plans[at] - 1;
}

/* ---- pieces ---- */

static void piece_add(reading *b, uint32_t context, probes_piece piece)
{
    probes_run *r = b->r;
    probes_context *c = &r->contexts[context];
    r->pieces = memory_room(r->pieces, r->piece_count, &r->piece_max, sizeof *r->pieces);
    r->pieces[r->piece_count] = piece;
    if (b->last != context) {
        c->stretches = memory_room(c->stretches, c->stretch_count, &c->stretch_max, sizeof *c->stretches);
        c->stretches[c->stretch_count++] = (probes_stretch){r->piece_count, 0};
    }
    c->stretches[c->stretch_count - 1].last = r->piece_count++;
    b->last = context;
}

/* Begins the path of this script. */
static void path_begin(reading *b, uint32_t context, const replay_script *script)
{
    progress *c = &b->contexts[context];
    if (!script->span &&
        (c->activation == PROBES_NONE || b->r->activations[c->activation].function != script->function))
        activation_push(b, context, script->function, false);
    if (script->span && c->activation == PROBES_NONE)
        activation_push(b, context, script->function, false);
    c->script = script;
    c->plan = plan_of(b, script);
    c->done = 0;
    uint32_t piece = b->pending[c->activation];
    const probes_plan *p = b->r->plans[c->plan];
    if (piece == PROBES_NONE)
        return;
    b->pending[c->activation] = PROBES_NONE;
    if (!script->first_reported)
        return;
    b->r->pieces[piece] = (probes_piece){c->plan, 0, p->lead, c->activation};
    c->done = p->lead;
}

/* Steps of the path up to the one that did an item; `all`: to its end. Where that step is. */
static debug_instant path_advance(reading *b, uint32_t context, const replay_script *script, uint32_t item, bool all)
{
    probes_run *r = b->r;
    progress *c = &b->contexts[context];
    if (c->script != script)
        path_begin(b, context, script);
    const probes_plan *p = r->plans[c->plan];
    uint32_t step = all ? p->count : 0;
    while (step < p->count && p->steps[step].items <= item)
        step++;
    uint32_t to = all || step == p->count ? p->count : step + 1;
    probes_piece *open = b->last == context && r->piece_count ? &r->pieces[r->piece_count - 1] : NULL;
    bool goes_on = open && open->count && open->plan == c->plan && open->activation == c->activation &&
                   open->from + open->count == c->done;
    if (to > c->done && goes_on)
        open->count = to - open->from;
    else if (to > c->done)
        piece_add(b, context, (probes_piece){c->plan, c->done, to - c->done, c->activation});
    c->done = to > c->done ? to : c->done;
    uint32_t piece = last_piece(&r->contexts[context]);
    if (piece == PROBES_NONE)
        return (debug_instant){r->piece_count ? r->piece_count - 1 : 0, 0};
    const probes_piece *at = &r->pieces[piece];
    return (debug_instant){piece, at->count && step >= at->from && step < at->from + at->count ? step - at->from
                                  : at->count                                                  ? at->count - 1
                                                                                               : 0};
}

/* A store without a probe stands with the next probe, but its instruction is anywhere after the one before: the first
 * instant at which it may have executed. `at` is where path_advance put it. */
static debug_instant store_earliest(const reading *b, uint32_t context, const replay_script *script, uint32_t item,
                                    debug_instant at)
{
    const probes_run *r = b->r;
    const progress *c = &b->contexts[context];
    const probes_plan *p = r->plans[c->plan];
    uint32_t step = 0;
    if (replay_is_recorded(&script->items[item]))
        return at;
    while (item > 0 && !replay_is_recorded(&script->items[item - 1]))
        item--;
    while (item && step < p->count && p->steps[step].items < item)
        step++;
    step += item != 0;
    for (uint32_t i = at.window + 1, from = UINT32_MAX; i-- > 0 && from > step;) {
        const probes_piece *piece = &r->pieces[i];
        if (piece->activation != c->activation || !piece->count)
            continue; /* of an interrupt */
        if (piece->plan != c->plan || (from != UINT32_MAX && piece->from + piece->count != from))
            break;
        from = piece->from;
        at = (debug_instant){i, step > from && step - from < piece->count ? step - from : 0};
    }
    return at;
}

/* The path has ended. Notes the piece of a block that begins with a call, if one does now. */
static void path_end(reading *b, uint32_t context, const replay_script *script)
{
    progress *c = &b->contexts[context];
    bool call = false;
    path_advance(b, context, script, script->before_count, true);
    for (uint32_t i = script->before_count; i < script->count; i++)
        call |= script->items[i].kind == REPLAY_BLOCK;
    c->script = NULL;
    if (!call || script->span)
        return;
    piece_add(b, context, (probes_piece){c->plan, 0, 0, c->activation});
    b->pending[c->activation] = b->r->piece_count - 1;
}

/* ---- events ---- */

/* What an access, or its value, says of memory. */
static void announce(reading *b, uint32_t context, const replay_event *e)
{
    probes_run *r = b->r;
    progress *c = &b->contexts[context];
    debug_instant at = path_advance(b, context, e->script, e->item, false);
    const descriptors *all = program_descriptors(r->app);
    const descriptor_site *site = descriptors_site(all, e->id);
    const descriptor_function *f = descriptors_of_site(all, e->id);
    if (f && !(f->flags & DESCRIPTOR_MEMORY))
        return; /* what was loaded stays only until a store, and those are not announced */
    bool valued = site && site->flags & (DESCRIPTOR_SITE_VALUE | DESCRIPTOR_SITE_VALUE64);
    bool value = e->kind == REPLAY_VALUE;
    if (!value) {
        c->address = e->address;
        c->address_known = !e->unknown;
        if (e->unknown && e->store)
            probes_forget(r, at);
    }
    if (!c->address_known || valued != value)
        return;
    if (e->size > BLOCK_MAX) {
        if (e->store)
            probes_forget(r, at);
        return;
    }
    if (e->store && !value && !(site && site->flags & DESCRIPTOR_SITE_CALL)) /* what a call stores comes after it */
        at = store_earliest(b, context, e->script, e->item, at);
    bool whole = value && e->size <= 8 && !(site->flags & DESCRIPTOR_SITE_BITFIELD);
    probes_word_add(r, at, c->address, e->size, e->store, whole ? &e->value : NULL);
}

/* After a gap, nothing that was known before is certain. */
static void forget_all(reading *b)
{
    probes_run *r = b->r;
    for (uint32_t i = 0; i < r->context_count; i++)
        b->contexts[i] = (progress){.activation = PROBES_NONE};
    if (r->piece_count)
        probes_forget(r, (debug_instant){r->piece_count - 1, PROBES_STEPS_MAX});
    b->last = PROBES_NONE;
    r->lost = true;
}

static void take(reading *b, const replay_event *e)
{
    if (e->kind == REPLAY_GAP || e->kind == REPLAY_UNRESOLVED) {
        forget_all(b);
        return;
    }
    uint32_t context = context_of(b, e->context);
    if (e->kind == REPLAY_ENTRY && !e->script->span) {
        b->contexts[context].script = NULL;
        activation_push(b, context, e->function, true);
    } else if (e->kind == REPLAY_EXIT && (!e->script || !e->script->span)) {
        b->contexts[context].script = NULL;
        activation_pop(b, context);
    } else if (e->kind == REPLAY_BLOCK && e->item < e->script->before_count) {
        path_advance(b, context, e->script, e->item, false);
    } else if (e->kind == REPLAY_ACCESS || e->kind == REPLAY_VALUE) {
        announce(b, context, e);
    } else if (e->kind == REPLAY_PATH) {
        path_end(b, context, e->script);
    }
}

/* ---- the whole ---- */

static void names_take(probes_run *r)
{
    given_names names = {0};
    given_names_read(&names, r->file);
    for (uint32_t i = 0; i < r->context_count; i++)
        for (size_t k = 0; k < names.count && !r->contexts[i].name; k++)
            if (names.all[k].number == NAMES_CONTEXT(r->contexts[i].number))
                r->contexts[i].name = memory_text(names.all[k].text);
    given_names_free(&names);
}

static void count_exact(probes_run *r)
{
    for (uint32_t i = 0; i < r->piece_count; i++) {
        r->steps += r->pieces[i].count;
        r->exact += r->plans[r->pieces[i].plan]->exact ? r->pieces[i].count : 0;
    }
}

bool probes_read(probes_run *r, char *message, size_t message_size)
{
    reading b = {.r = r, .contexts = memory_zero(1, sizeof *b.contexts), .context_max = 1, .last = PROBES_NONE};
    replay *events = replay_open(r->file, (replay_model){r->scripts, scripts_model});
    for (replay_event e; replay_next(events, &e) && r->piece_count < PROBES_NONE - 2;)
        take(&b, &e);
    r->lost |= replay_unresolved(events) || replay_unknown(events) || container_gap_count(r->file);
    if (replay_error(events))
        snprintf(r->damage, sizeof r->damage, "%s", replay_error(events));
    replay_close(events);
    names_take(r);
    count_exact(r);
    free(b.contexts);
    free(b.pending);
    free(b.plans);
    if (!r->steps)
        snprintf(message, message_size, "%s: %s", container_path(r->file), *r->damage ? r->damage : "it has no paths");
    return r->steps != 0;
}
