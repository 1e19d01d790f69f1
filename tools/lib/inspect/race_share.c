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

static void note_accesses(sharing *h, const processor *p, const full_event *event)
{
    if (p->context >= RACE_CONTEXTS_MAX) {
        h->s->many = true;
        return;
    }
    uint64_t bit = UINT64_C(1) << p->context;
    for (uint32_t i = 0; i < event->access_count; i++) {
        const full_access *a = &event->accesses[i];
        if (devices_is(a->address))
            continue;
        for (uint32_t at = a->address & ~3u; at - (a->address & ~3u) < (a->address & 3) + a->size; at += 4) {
            race_word *w = word_of(h->s, at);
            *(a->store ? &w->written : &w->read) |= bit;
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

/* Keeps the words that are shared. */
static void keep_shared(sharing *h)
{
    race_share *s = h->s;
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        race_word w = s->word[i];
        uint64_t users = w.read | w.written;
        if (!w.written || !(users & (users - 1)) || on_stack(h, w.address) || (h->named && !is_named(h, w.address)))
            continue;
        w.views = s->view_count;
        s->view_count += (uint32_t)__builtin_popcountll(users);
        s->word[kept++] = w;
    }
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
    for (uint32_t i = 0; i < p->context_count && i < RACE_CONTEXTS_MAX; i++) {
        uint32_t number = s->number[i] = p->contexts[i].number;
        if (!number || number >= VECTORS_THREAD)
            s->threads |= UINT64_C(1) << i;
        else if (number >= PROCESSOR_SYSTICK && !p->enabled_once[number])
            s->assumed |= UINT64_C(1) << i;
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
        if (event.kind == FULL_EXCEPTION && p->switched && before && before < RACE_CONTEXTS_MAX)
            s->switchers |= UINT64_C(1) << before;
        if (!(event.time & 0xfffff))
            progress_show(event.time, "instructions");
    }
    progress_end();
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
    *s = (race_share){0};
}
