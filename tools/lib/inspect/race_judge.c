/* SPDX-License-Identifier: MIT */
/* What came of each window. */
#include <stdio.h>
#include <string.h>

#include "tools/lib/inspect/race_watch.h"

/* What B stores there was lost: unless it only sets the very bytes that A had loaded, whatever they were before. */
static bool is_lost(const race_watch *w, const race_window *one)
{
    for (uint32_t i = 0; i < one->size; i++) {
        uint32_t found = race_share_find(&w->share, one->address + i);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], one->by);
        unsigned byte = (one->address + i) & 3;
        if (by && by->stored >> byte & 1 &&
            (one->varies || (by->varies | by->derived) >> byte & 1 ||
             by->value[byte] != (uint8_t)(one->value >> 8 * i)))
            return true;
    }
    return false;
}

/* B adds to what it finds there. */
static bool is_added_to(const race_watch *w, const race_window *one)
{
    for (uint32_t i = 0; i < one->size; i++) {
        uint32_t found = race_share_find(&w->share, one->address + i);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], one->by);
        if (by && (by->stored & by->derived) >> ((one->address + i) & 3) & 1)
            return true;
    }
    return false;
}

/* Two parts of the object that one activation of B used. */
static bool is_torn(const race_watch *w, const race_window *one, bool store)
{
    uint32_t first = 0, first_word = 0;
    for (uint32_t at = one->address; at < one->address + one->size; at++) {
        uint32_t found = race_share_find(&w->share, at);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], one->by);
        uint32_t in = !by ? 0 : store ? by->stored_in[at & 3] : by->loaded_in[at & 3];
        if (!in)
            continue;
        if (first == in && at >> 2 != first_word)
            return true;
        first = in;
        first_word = at >> 2;
    }
    return false;
}

/* What protected B whenever it stored, or loaded, a word of the window. */
typedef struct protection {
    uint64_t locks, guards;
} protection;

static protection protection_of(const race_watch *w, const race_window *one, bool store)
{
    protection all = {UINT64_MAX, UINT64_MAX};
    bool used = false;
    for (uint32_t at = one->address & ~3u; at < one->address + one->size; at += 4) {
        uint32_t found = race_share_find(&w->share, at);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], one->by);
        if (!by || !(store ? by->store_pc : by->load_pc))
            continue;
        all.locks &= store ? by->locks : by->load_locks;
        all.guards &= store ? by->guards : by->load_guards;
        used = true;
    }
    return used ? all : (protection){0};
}

static bool is_protected(const race_watch *w, const race_window *one, bool store)
{
    uint64_t threads = w->share.threads, both = one->locks & ~w->no_locks;
    protection by = protection_of(w, one, store);
    if (one->guards & by.guards & race_guards_of(w, one->by))
        return true;
    if (!(threads >> one->by & 1) || !(threads >> one->over & 1))
        return false;
    /* A thread that comes in between puts the guard itself back to 0 before the next one can. */
    if ((one->guards | race_guards_at(w, one->address)) & race_guards_of_threads(w))
        return true;
    return both & 1 || both & by.locks; /* bit 0: the scheduler, so no other thread runs */
}

static uint32_t step_pc(const race_watch *w, const race_window *one, bool store)
{
    for (uint32_t i = 0; i < one->size; i++) {
        uint32_t found = race_share_find(&w->share, one->address + i);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], one->by);
        if (by && (store ? by->store_pc : by->load_pc))
            return store ? by->store_pc : by->load_pc;
    }
    return 0;
}

static void name_object(const race_watch *w, const race_window *one, char *name, size_t size)
{
    uint32_t offset;
    if (types_at(w->types, one->address, one->size, name, size) != TYPES_UNKNOWN)
        return;
    const image_symbol *symbol = image_object(&w->p->im->symbols, one->address, &offset);
    if (symbol && offset)
        snprintf(name, size, "%s+%u", symbol->name, (unsigned)offset);
    else if (symbol)
        snprintf(name, size, "%s", symbol->name);
    else
        snprintf(name, size, "0x%08x", (unsigned)one->address);
}

static void give(races *out, const race_watch *w, const race_window *one, bool store)
{
    const processor_context *over = &w->p->contexts[one->over], *by = &w->p->contexts[one->by];
    race r = {.kind = one->kind, .address = one->address, .size = one->size, .windows = one->count, .seen = one->seen};
    name_object(w, one, r.object, sizeof r.object);
    vectors_name_from(w->p->im, over->number, over->entry, r.over, sizeof r.over);
    vectors_name_from(w->p->im, by->number, by->entry, r.by, sizeof r.by);
    r.step[0] = (race_step){over->number, one->first_pc, one->kind == RACE_TORN_WRITE};
    r.step[1] = (race_step){by->number, step_pc(w, one, store), store};
    r.step[2] = (race_step){over->number, one->second_pc, one->kind != RACE_TORN_READ};
    for (size_t i = 0; i < out->count; i++) {
        race *known = &out->all[i];
        if (known->kind != r.kind || known->step[0].context != over->number || known->step[1].context != by->number ||
            (strcmp(known->object, r.object) &&
             (known->step[0].pc != one->first_pc || known->step[2].pc != one->second_pc)))
            continue;
        known->windows += r.windows;
        known->seen += r.seen;
        return;
    }
    out->all = memory_room(out->all, out->count, &out->max, sizeof *out->all);
    out->all[out->count++] = r;
}

void race_judge(races *out, const race_watch *w)
{
    for (size_t i = 0; i < w->count; i++) {
        const race_window *one = &w->all[i];
        bool harm = one->kind == RACE_TAKEN         ? is_added_to(w, one)
                    : one->kind == RACE_LOST_UPDATE ? is_lost(w, one)
                                                    : is_torn(w, one, true);
        if (harm && !is_protected(w, one, true))
            give(out, w, one, true);
        else if (one->kind == RACE_TORN_WRITE && is_torn(w, one, false) && !is_protected(w, one, false))
            give(out, w, one, false);
    }
    out->shared = 4 * w->share.shared;
    out->many = w->share.many;
    out->many_locks = w->many_locks;
}
