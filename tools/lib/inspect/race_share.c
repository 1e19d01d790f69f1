/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/race_share.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/inspect/devices.h"
#include "tools/lib/inspect/race_limits.h"

/* Lowest and highest stack pointer: of the main stack first, then by index of the thread. */
typedef struct extent {
    uint32_t least, top;
} extent;

typedef struct sharing {
    race_share *s; /* all words that are used, at first */
    extent *extents;
    size_t extent_count, extent_max;
    bool named; /* only words of objects that have names */
    const image *im;
} sharing;

static void put_slot(race_share *s, uint32_t number)
{
    size_t at = s->word[number].address * 2654435761u >> 5 & (s->slot_max - 1);
    while (s->slots[at])
        at = (at + 1) & (s->slot_max - 1);
    s->slots[at] = number + 1;
}

static void make_slots(race_share *s, size_t max)
{
    free(s->slots);
    s->slot_max = max;
    s->slots = memory_zero(max, sizeof *s->slots);
    for (uint32_t i = 0; i < s->count; i++)
        put_slot(s, i);
}

static race_word *word_of(race_share *s, uint32_t address)
{
    if (2 * s->count >= s->slot_max)
        make_slots(s, s->slot_max ? 2 * s->slot_max : 4096);
    uint32_t found = race_share_find(s, address);
    if (found != UINT32_MAX)
        return &s->word[found];
    s->word = memory_room(s->word, s->count, &s->max, sizeof *s->word);
    s->word[s->count] = (race_word){.address = address & ~3u};
    put_slot(s, (uint32_t)s->count);
    return &s->word[s->count++];
}

static void note_stack(sharing *h, const processor *p)
{
    uint32_t sp = p->registers[13], number = p->process ? 1 + p->thread : 0;
    if (!sp)
        return;
    while (h->extent_count <= number) {
        h->extents = memory_room(h->extents, h->extent_count, &h->extent_max, sizeof *h->extents);
        h->extents[h->extent_count++] = (extent){UINT32_MAX, 0};
    }
    extent *e = &h->extents[number];
    e->least = sp < e->least ? sp : e->least;
    e->top = sp > e->top ? sp : e->top;
}

/* Gives contexts that are new their kind. */
static void note_contexts(race_share *s, const processor *p)
{
    for (; s->contexts < p->context_count; s->contexts++) {
        uint32_t number = p->contexts[s->contexts].number;
        uint8_t kind = RACE_NO_KIND;
        if (!number || number >= VECTORS_THREAD)
            kind = RACE_THREADS;
        else if (s->exceptions < RACE_EXCEPTIONS_MAX)
            kind = (uint8_t)s->exceptions;
        if (kind < RACE_EXCEPTIONS_MAX) {
            s->number[s->exceptions] = number;
            s->context_of[s->exceptions++] = s->contexts;
        }
        s->many |= kind == RACE_NO_KIND;
        s->kind = memory_room(s->kind, s->contexts, &s->contexts_max, sizeof *s->kind);
        s->kind[s->contexts] = kind;
    }
}

/* The user that a context is of a word. The one that used it last comes first. */
static race_user *user_of(race_share *s, race_word *w, uint32_t context)
{
    uint32_t *link = &w->first;
    while (*link && s->user[*link - 1].context != context)
        link = &s->user[*link - 1].next;
    uint32_t number = *link;
    if (number) {
        *link = s->user[number - 1].next;
    } else {
        s->user = memory_room(s->user, s->user_count, &s->user_max, sizeof *s->user);
        s->user[s->user_count] = (race_user){.context = context};
        number = (uint32_t)++s->user_count;
        w->users++;
    }
    s->user[number - 1].next = w->first;
    w->first = number;
    return &s->user[number - 1];
}

static void note_accesses(sharing *h, const processor *p, const full_event *event)
{
    race_share *s = h->s;
    note_contexts(s, p);
    if (s->kind[p->context] == RACE_NO_KIND)
        return;
    uint64_t bit = UINT64_C(1) << s->kind[p->context];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const full_access *a = &event->accesses[i];
        if (devices_is(a->address))
            continue;
        for (uint32_t at = a->address & ~3u; at - (a->address & ~3u) < (a->address & 3) + a->size; at += 4) {
            race_word *w = word_of(s, at);
            race_user *user = user_of(s, w, p->context);
            *(a->store ? &w->written : &w->read) |= bit;
            *(a->store ? &user->written : &user->read) = true;
        }
    }
}

static bool on_stack(const sharing *h, uint32_t address)
{
    for (size_t i = 0; i < h->extent_count; i++)
        if (address >= (h->extents[i].least & ~3u) && address < h->extents[i].top)
            return true;
    return false;
}

static bool is_named(const sharing *h, uint32_t address)
{
    uint32_t offset;
    return image_object(&h->im->symbols, address, &offset);
}

static int by_context(const void *a, const void *b)
{
    const race_user *x = a, *y = b;
    return (x->context > y->context) - (x->context < y->context);
}

static uint32_t one_more(uint32_t known, uint32_t context)
{
    return known == RACE_NOBODY ? context : RACE_SEVERAL;
}

/* Moves the users of a word to where they stay. */
static void keep_users(race_share *s, race_word *w, race_user *to, size_t *count)
{
    uint32_t first = (uint32_t)*count;
    w->reader = w->writer = RACE_NOBODY;
    for (uint32_t next = w->first; next; next = s->user[next - 1].next) {
        const race_user *user = &s->user[next - 1];
        bool thread = s->kind[user->context] == RACE_THREADS;
        to[(*count)++] = *user;
        w->reader = thread && user->read ? one_more(w->reader, user->context) : w->reader;
        w->writer = thread && user->written ? one_more(w->writer, user->context) : w->writer;
    }
    w->first = first;
    qsort(to + first, w->users, sizeof *to, by_context);
}

/* Keeps the words that are shared. */
static void keep_shared(sharing *h)
{
    race_share *s = h->s;
    race_user *users = memory_zero(s->user_count + 1, sizeof *users);
    size_t kept = 0, user_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        race_word w = s->word[i];
        if (!w.written || w.users < 2 || on_stack(h, w.address) || (h->named && !is_named(h, w.address)))
            continue;
        keep_users(s, &w, users, &user_count);
        s->word[kept++] = w;
    }
    free(s->user);
    s->user = users;
    s->user_count = user_count;
    s->count = s->shared = kept;
    size_t max = 1024;
    while (max < 4 * kept)
        max *= 2;
    make_slots(s, max);
}

/* The other words of the objects that have a shared one. */
static void add_neighbours(sharing *h)
{
    const image_symbol *last = NULL;
    for (size_t i = 0; i < h->s->shared; i++) {
        uint32_t offset;
        const image_symbol *symbol = image_object(&h->im->symbols, h->s->word[i].address, &offset);
        if (!symbol || symbol == last || symbol->size > RACE_OBJECT_MAX)
            continue;
        last = symbol;
        for (uint32_t at = symbol->address & ~3u; at - (symbol->address & ~3u) < symbol->size; at += 4)
            if (!on_stack(h, at))
                word_of(h->s, at);
    }
}

/* Exceptions that the core raises by itself, and that came. */
static void find_assumed(race_share *s, const processor *p)
{
    for (uint32_t kind = 0; kind < s->exceptions; kind++) {
        uint32_t number = s->number[kind];
        if (number >= PROCESSOR_SYSTICK && !p->enabled_once[number])
            s->assumed |= UINT64_C(1) << kind;
    }
}

bool race_share_read(race_share *s, const race_source *source, const image *im)
{
    static full_event event;
    processor *p = processor_new(im);
    sharing h = {.s = s, .named = source->probes, .im = im};
    bool good = source->begin(source->own, p);
    while (good && source->next(source->own, &event) > 0) {
        if (event.kind == FULL_EXECUTED && event.access_count)
            note_accesses(&h, p, &event);
        uint32_t before = p->depth ? p->active[p->depth - 1].context : 0;
        processor_feed(p, &event);
        if (event.kind == FULL_EXCEPTION || event.written & FULL_REGISTER(13))
            note_stack(&h, p);
        note_contexts(s, p);
        if (event.kind == FULL_EXCEPTION && p->switched && s->kind[before] < RACE_THREADS)
            s->switchers |= UINT64_C(1) << s->kind[before];
        if (!(event.time & 0xfffff))
            progress_show(event.time, "instructions");
    }
    progress_end();
    note_contexts(s, p);
    find_assumed(s, p);
    keep_shared(&h);
    add_neighbours(&h);
    free(h.extents);
    processor_free(p);
    return good;
}

void race_share_free(race_share *s)
{
    free(s->word);
    free(s->slots);
    free(s->user);
    free(s->kind);
    *s = (race_share){0};
}
