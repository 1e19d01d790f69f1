/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions_effects.h"

#include <stdlib.h>

#include "core/format.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/recording/by_context.h"
#include "tools/lib/recording/control.h"

enum {
    PER_THREAD = 4,      /* ranges : 1 to 100 : fewer: threads wait for each other; more: more tables to add up */
    CALLS_MAX = 1 << 20, /* kept of a context */
};

/* ---- one range ---- */

static bool goes_on(const effect_call *call, const replay_script *script)
{
    return !call->ended &&
           (script->arrives == REPLAY_NO_BLOCK ? call->function == script->function : call->caught == script->arrives);
}

/* The activation that a path goes on in, if the range knows it; the number of calls up to it. 0: none. */
static size_t depth_of(const effect_context *c, const replay_script *script)
{
    size_t depth = c->count;
    while (depth && !goes_on(&c->calls[depth - 1], script))
        depth--;
    return depth;
}

static void push(functions_effect *e, effect_context *c, effect_call call)
{
    e->wrong |= c->count == CALLS_MAX;
    if (e->wrong)
        return;
    c->calls = memory_room(c->calls, c->count, &c->max, sizeof *c->calls);
    c->calls[c->count++] = call;
}

/* An activation from before the range goes on: what is open in the range was called by it, and ends. */
static void go_below(functions_effect *e, effect_context *c, effect_call call)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->calls[i].ended)
            c->calls[kept++] = c->calls[i];
    c->count = kept;
    push(e, c, call);
}

static void add_path(functions_effect *e, effect_context *c, const effect_path *path)
{
    const replay_script *script = path->script;
    effect_call call = {script->function, script->entry ? script->path : FUNCTIONS_NONE, script->path, script->caught,
                        false};
    size_t depth = script->entry ? 0 : depth_of(c, script);
    if (depth)
        c->count = depth;
    else if (script->entry || e->reset)
        push(e, c, call);
    else
        go_below(e, c, call);
    if (!c->count)
        return; /* there is no room */
    effect_call *top = &c->calls[c->count - 1];
    top->last = script->path;
    top->caught = script->caught;
    top->ended = script->exit;
    if (script->exit && !path->stays && (top->first != FUNCTIONS_NONE || e->reset))
        c->count--;
}

static effect_path *path_of(const feeder *f, functions_effect *e, uint32_t path)
{
    uint32_t number = numbering_of(&e->paths, path);
    if (number < e->path_count)
        return &e->path[number];
    e->path = memory_room(e->path, e->path_count, &e->path_max, sizeof *e->path);
    const replay_script *script = scripts_path(f->paths, path);
    e->path[e->path_count++] = (effect_path){script, script && script->exit && functions_path_stays(f, script), false};
    if (script)
        e->ran[script->function] = true;
    return &e->path[number];
}

static void note(functions_effect *e, uint32_t path)
{
    e->noted = memory_room(e->noted, e->noted_count, &e->noted_max, sizeof *e->noted);
    e->noted[e->noted_count++] = path;
}

static void take_path(const feeder *f, functions_effect *e, uint32_t context, uint32_t number)
{
    effect_path *path = path_of(f, e, number);
    if (!path->script) {
        e->wrong = true;
        return;
    }
    if (!path->noted && (!f->choice.one_context || context == f->choice.context)) {
        path->noted = true;
        note(e, number);
    }
    if (path->script->span)
        return;
    e->all = by_context(e->all, &e->count, &e->max, sizeof *e->all, context, &e->at);
    add_path(e, &e->all[e->at], path);
}

static void reset(functions_effect *e)
{
    e->reset = true;
    for (size_t i = 0; i < e->count; i++)
        e->all[i].count = 0;
}

typedef struct searching {
    const feeder *f;
    functions_effects *effects;
} searching;

static void search_range(void *own, size_t number)
{
    const searching *s = own;
    functions_effect *e = &s->effects->all[number];
    control *events = control_open_range(s->f->file, e->first, e->end);
    for (control_event event; control_next(events, &event);) {
        if (event.kind == CONTROL_PATH)
            take_path(s->f, e, event.context, event.path);
        else if (event.kind == CONTROL_GAP)
            reset(e);
    }
    control_close(events);
}

/* ---- all of them ---- */

/* Each range but the first begins with a TRACE frame. */
static void divide(functions_effects *effects, const container *file, size_t functions)
{
    size_t frames = container_frame_count(file), parts = PER_THREAD * threads_count();
    parts = frames < parts ? frames + !frames : parts;
    effects->all = memory_zero(parts, sizeof *effects->all);
    for (size_t i = 0; i < parts; i++) {
        size_t first = i ? container_next(file, WEFT_FRAME_TRACE, threads_first(frames, parts, i)) : 0;
        if (i && (first >= frames || first == effects->all[effects->count - 1].first))
            continue;
        if (i)
            effects->all[effects->count - 1].end = first;
        functions_effect *e = &effects->all[effects->count++];
        *e = (functions_effect){.first = first, .end = frames, .ran = memory_zero(functions + 1, sizeof *e->ran)};
    }
}

functions_effects *functions_effects_of(const feeder *f)
{
    if (threads_count() == 1)
        return NULL;
    size_t functions = program_descriptors(f->app)->count;
    functions_effects *effects = memory_zero(1, sizeof *effects);
    divide(effects, f->file, functions);
    threads_run(effects->count, search_range, &(searching){f, effects});
    bool *ran = memory_zero(functions + 1, sizeof *ran);
    for (size_t i = 0; i < effects->count; i++)
        for (size_t k = 0; k < functions; k++)
            ran[k] |= effects->all[i].ran[k];
    /* Machine code takes most of the time of short recordings, and one function needs nothing of another. */
    costs_prepare(f->costs, ran);
    free(ran);
    return effects;
}

void functions_effects_free(functions_effects *effects)
{
    if (!effects)
        return;
    for (size_t i = 0; i < effects->count; i++) {
        functions_effect *e = &effects->all[i];
        for (size_t k = 0; k < e->count; k++)
            free(e->all[k].calls);
        numbering_free(&e->paths);
        free(e->all);
        free(e->path);
        free(e->noted);
        free(e->ran);
    }
    free(effects->all);
    free(effects);
}
