/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions_stand.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/by_context.h"

static stand_context *context_of(functions_stand *stand, uint32_t context)
{
    stand->all = by_context(stand->all, &stand->count, &stand->max, sizeof *stand->all, context, &stand->at);
    return &stand->all[stand->at];
}

functions_stand functions_stand_of(const replay *r, const feeder *f)
{
    functions_stand stand = {0};
    for (size_t i = 0; i < replay_context_count(r); i++) {
        size_t depth = replay_context_depth(r, i);
        stand_context *c = depth ? context_of(&stand, replay_context_number(r, i)) : NULL;
        if (!c)
            continue;
        c->replayed = memory_zero(depth, sizeof *c->replayed);
        for (c->replayed_count = 0; c->replayed_count < depth; c->replayed_count++)
            c->replayed[c->replayed_count] = replay_context_call(r, i, c->replayed_count);
    }
    for (size_t i = 0; i < f->open_count; i++) {
        const open_paths *open = &f->open[i];
        stand_context *c = open->depth ? context_of(&stand, open->context) : NULL;
        if (!c)
            continue;
        c->paths = memory_copy(open->path, open->depth, sizeof *c->paths);
        c->path_count = open->depth;
    }
    for (size_t i = 0; i < functions_context_count(f->all); i++) {
        size_t depth = functions_depth(f->all, i);
        stand_context *c = depth ? context_of(&stand, functions_context_number(f->all, i)) : NULL;
        if (!c)
            continue;
        c->calls = memory_zero(depth, sizeof *c->calls);
        for (c->call_count = 0; c->call_count < depth; c->call_count++)
            c->calls[c->call_count] = functions_call_at(f->all, i, c->call_count);
    }
    return stand;
}

void functions_stand_begin(const functions_stand *stand, replay *r, feeder *f)
{
    for (size_t i = 0; i < stand->count; i++) {
        const stand_context *c = &stand->all[i];
        for (size_t k = 0; k < c->replayed_count; k++)
            replay_begin_call(r, c->context, c->replayed[k]);
        for (size_t k = 0; k < c->path_count; k++)
            functions_open_push(functions_open_of(f, c->context), c->paths[k]);
        for (size_t k = 0; k < c->call_count; k++)
            functions_part_open(f->all, c->context, &c->calls[k]);
    }
}

static bool same_place(function_place a, function_place b)
{
    return a.file == b.file && a.line == b.line;
}

static bool same_call(const functions_call *a, const functions_call *b)
{
    return a->function == b->function && same_place(a->at, b->at) && a->entered == b->entered &&
           (!a->entered || (a->caller == b->caller && same_place(a->from, b->from)));
}

static bool same_numbers(const uint32_t *a, const uint32_t *b, size_t count)
{
    return !count || !memcmp(a, b, count * sizeof *a);
}

static bool same_replayed(const replay_call *a, const replay_call *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].function != b[i].function || a[i].caught != b[i].caught)
            return false;
    return true;
}

static bool same_context(const stand_context *a, const stand_context *b)
{
    if (a->replayed_count != b->replayed_count || a->path_count != b->path_count || a->call_count != b->call_count ||
        !same_replayed(a->replayed, b->replayed, a->replayed_count) || !same_numbers(a->paths, b->paths, a->path_count))
        return false;
    for (size_t i = 0; i < a->call_count; i++)
        if (!same_call(&a->calls[i], &b->calls[i]))
            return false;
    return true;
}

/* All contexts of a are in b, and the same there. */
static bool holds(const functions_stand *b, const functions_stand *a)
{
    for (size_t i = 0; i < a->count; i++) {
        size_t at = 0;
        while (at < b->count && b->all[at].context != a->all[i].context)
            at++;
        if (at == b->count || !same_context(&a->all[i], &b->all[at]))
            return false;
    }
    return true;
}

bool functions_stand_equal(const functions_stand *a, const functions_stand *b)
{
    return a->count == b->count && holds(b, a);
}

void functions_stand_free(functions_stand *stand)
{
    for (size_t i = 0; i < stand->count; i++) {
        free(stand->all[i].replayed);
        free(stand->all[i].paths);
        free(stand->all[i].calls);
    }
    free(stand->all);
    *stand = (functions_stand){0};
}
