/* SPDX-License-Identifier: MIT */
/* What came of each window. Where any thread could come in, each that uses the object is looked at now. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/inspect/race_watch.h"

/* What B stores there was lost: unless it only sets the very bytes that A had loaded, whatever they were before. */
static bool is_lost(const race_watch *w, const race_window *one, uint32_t context)
{
    for (uint32_t i = 0; i < one->size; i++) {
        uint32_t found = race_share_find(&w->share, one->address + i);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], context);
        unsigned byte = (one->address + i) & 3;
        if (by && by->stored >> byte & 1 &&
            (one->varies || (by->varies | by->derived) >> byte & 1 ||
             by->value[byte] != (uint8_t)(one->value >> 8 * i)))
            return true;
    }
    return false;
}

/* B adds to what it finds there. */
static bool is_added_to(const race_watch *w, const race_window *one, uint32_t context)
{
    for (uint32_t i = 0; i < one->size; i++) {
        uint32_t found = race_share_find(&w->share, one->address + i);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], context);
        if (by && (by->stored & by->derived) >> ((one->address + i) & 3) & 1)
            return true;
    }
    return false;
}

/* Two parts of the object that one activation of B used. */
static bool is_torn(const race_watch *w, const race_window *one, uint32_t context, bool store)
{
    uint32_t first = 0, first_word = 0;
    for (uint32_t at = one->address; at < one->address + one->size; at++) {
        uint32_t found = race_share_find(&w->share, at);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], context);
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

static protection protection_of(const race_watch *w, const race_window *one, uint32_t context, bool store)
{
    protection all = {UINT64_MAX, UINT64_MAX};
    bool used = false;
    for (uint32_t at = one->address & ~3u; at < one->address + one->size; at += 4) {
        uint32_t found = race_share_find(&w->share, at);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], context);
        if (!by || !(store ? by->store_pc : by->load_pc))
            continue;
        all.locks &= store ? by->locks : by->load_locks;
        all.guards &= store ? by->guards : by->load_guards;
        used = true;
    }
    return used ? all : (protection){0};
}

static bool is_protected(const race_watch *w, const race_window *one, uint32_t context, bool store)
{
    uint64_t both = one->locks & ~w->no_locks;
    protection by = protection_of(w, one, context, store);
    if (one->guards & by.guards & (race_guards_of(w, one->by) | race_handovers_between(w, one->over, one->by)))
        return true;
    return one->by == RACE_THREADS && w->share.kind[one->over] == RACE_THREADS && both & by.locks;
}

/* Whatever thread comes in. */
static bool is_safe_from_threads(const race_watch *w, const race_window *one)
{
    if (one->by != RACE_THREADS || w->share.kind[one->over] != RACE_THREADS)
        return false;
    /* A thread that comes in between puts the guard itself back to 0 before the next one can. */
    if ((one->guards | race_guards_at(w, one->address)) & race_guards_of_threads(w))
        return true;
    return one->locks & ~w->no_locks & 1; /* bit 0: the scheduler, so no other thread runs */
}

static uint32_t step_pc(const race_watch *w, const race_window *one, uint32_t context, bool store)
{
    for (uint32_t i = 0; i < one->size; i++) {
        uint32_t found = race_share_find(&w->share, one->address + i);
        const race_view *by = found == UINT32_MAX ? NULL : race_view_of(w, &w->share.word[found], context);
        if (by && (store ? by->store_pc : by->load_pc))
            return store ? by->store_pc : by->load_pc;
    }
    return 0;
}

static void find_name(const race_watch *w, const race_window *one, char *name, size_t size)
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

/* The races that were found, by kind and contexts. */
typedef struct found_races {
    races *out;
    uint32_t *slots, *next; /* the first race of each, from 1; the next one of the same, with higher numbers */
    size_t slot_max, next_max;
    const char **context; /* names by index; NULL: not asked for yet */
    const char *object;   /* the last one */
} found_races;

static const char *keep_name(races *out, const char *name)
{
    out->name = memory_room(out->name, out->name_count, &out->name_max, sizeof *out->name);
    return out->name[out->name_count++] = memory_text(name);
}

static const char *context_name(found_races *f, const race_watch *w, uint32_t index)
{
    char name[96];
    const processor_context *c = &w->p->contexts[index];
    if (!f->context[index]) {
        vectors_name_from(w->p->im, c->number, c->entry, name, sizeof name);
        f->context[index] = keep_name(f->out, name);
    }
    return f->context[index];
}

static size_t slot_of(const found_races *f, const race *r)
{
    uint64_t hash = ((uint64_t)r->step[0].context << 32 | r->step[1].context) * 0x9e3779b97f4a7c15u + r->kind;
    size_t at = (hash ^ hash >> 29) & (f->slot_max - 1);
    for (const race *other; f->slots[at]; at = (at + 1) & (f->slot_max - 1)) {
        other = &f->out->all[f->slots[at] - 1];
        if (other->kind == r->kind && other->step[0].context == r->step[0].context &&
            other->step[1].context == r->step[1].context)
            break;
    }
    return at;
}

static void make_slots(found_races *f)
{
    free(f->slots);
    f->slot_max = f->slot_max ? 2 * f->slot_max : 256;
    f->slots = memory_zero(f->slot_max, sizeof *f->slots);
    for (size_t i = f->out->count; i-- > 0;) { /* so that the first of each is what stays */
        size_t at = slot_of(f, &f->out->all[i]);
        f->slots[at] = (uint32_t)i + 1;
    }
}

/* One race: of the same pair of contexts, and of the same object or between the same instructions. */
static void add_race(found_races *f, const race *r)
{
    races *out = f->out;
    if (2 * out->count >= f->slot_max)
        make_slots(f);
    uint32_t *link = &f->slots[slot_of(f, r)];
    for (; *link; link = &f->next[*link - 1]) {
        race *known = &out->all[*link - 1];
        if (strcmp(known->object, r->object) &&
            (known->step[0].pc != r->step[0].pc || known->step[2].pc != r->step[2].pc))
            continue;
        known->windows += r->windows;
        known->seen += r->seen;
        return;
    }
    *link = (uint32_t)out->count + 1;
    f->next = memory_room(f->next, out->count, &f->next_max, sizeof *f->next);
    f->next[out->count] = 0;
    out->all = memory_room(out->all, out->count, &out->max, sizeof *out->all);
    out->all[out->count++] = *r;
}

static const char *object_name(found_races *f, const race_watch *w, const race_window *one)
{
    char name[128] = "";
    find_name(w, one, name, sizeof name);
    if (!f->object || strcmp(f->object, name))
        f->object = keep_name(f->out, name);
    return f->object;
}

static uint64_t seen_of(const race_watch *w, const race_window *one, uint32_t context)
{
    if (one->by != RACE_THREADS)
        return one->seen;
    for (uint32_t n = one->came; n; n = w->came[n - 1].next)
        if (w->came[n - 1].by == context)
            return w->came[n - 1].seen;
    return 0;
}

static void give(found_races *f, const race_watch *w, const race_window *one, uint32_t context, bool store)
{
    const processor_context *over = &w->p->contexts[one->over], *by = &w->p->contexts[context];
    race r = {.kind = one->kind,
              .address = one->address,
              .size = one->size,
              .windows = one->count,
              .seen = seen_of(w, one, context)};
    r.object = object_name(f, w, one);
    r.over = context_name(f, w, one->over);
    r.by = context_name(f, w, context);
    r.step[0] = (race_step){over->number, one->first_pc, one->kind == RACE_TORN_WRITE};
    r.step[1] = (race_step){by->number, step_pc(w, one, context, store), store};
    r.step[2] = (race_step){over->number, one->second_pc, one->kind != RACE_TORN_READ};
    add_race(f, &r);
}

static void judge(found_races *f, const race_watch *w, const race_window *one, uint32_t context)
{
    bool harm = one->kind == RACE_TAKEN         ? is_added_to(w, one, context)
                : one->kind == RACE_LOST_UPDATE ? is_lost(w, one, context)
                                                : is_torn(w, one, context, true);
    if (harm && !is_protected(w, one, context, true))
        give(f, w, one, context, true);
    else if (one->kind == RACE_TORN_WRITE && is_torn(w, one, context, false) && !is_protected(w, one, context, false))
        give(f, w, one, context, false);
}

/* Each other thread that uses a word of the window, in order. `judged`: by context, room for all. */
static void judge_threads(found_races *f, const race_watch *w, const race_window *one, bool *judged)
{
    memset(judged, 0, w->share.contexts * sizeof *judged);
    for (uint32_t at = one->address & ~3u; at < one->address + one->size; at += 4) {
        uint32_t found = race_share_find(&w->share, at);
        const race_word *word = found == UINT32_MAX ? NULL : &w->share.word[found];
        for (uint32_t n = 0; word && n < word->users; n++) {
            const race_user *user = &w->share.user[word->first + n];
            if (user->context == one->over || w->share.kind[user->context] != RACE_THREADS || judged[user->context])
                continue;
            judged[user->context] = true;
            judge(f, w, one, user->context);
        }
    }
}

void race_judge(races *out, const race_watch *w)
{
    found_races f = {.out = out, .context = memory_zero(w->share.contexts + (size_t)1, sizeof(char *))};
    bool *judged = memory_zero(w->share.contexts + (size_t)1, sizeof *judged);
    for (size_t i = 0; i < w->count; i++) {
        const race_window *one = &w->all[i];
        if (one->by != RACE_THREADS)
            judge(&f, w, one, w->share.context_of[one->by]);
        else if (!is_safe_from_threads(w, one))
            judge_threads(&f, w, one, judged);
    }
    free(f.slots);
    free(f.next);
    free(f.context);
    free(judged);
    out->shared = 4 * w->share.shared;
    out->many = w->share.many;
    out->many_locks = w->many_locks;
}
