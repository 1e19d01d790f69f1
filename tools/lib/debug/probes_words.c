/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/probes_words.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/probes_step.h"

probes_word *probes_word_find(const probes_run *r, uint32_t number)
{
    uint32_t at = numbering_find(&r->word_numbers, number);
    return at < r->word_count ? &r->words[at] : NULL;
}

static probes_word *word_at(probes_run *r, uint32_t number)
{
    uint32_t at = numbering_of(&r->word_numbers, number);
    if (at == r->word_count) {
        r->words = memory_room(r->words, at, &r->word_max, sizeof *r->words);
        r->words[r->word_count++] = (probes_word){.number = number};
    }
    probes_word *w = &r->words[at];
    w->entries = memory_room(w->entries, w->count, &w->max, sizeof *w->entries);
    return w;
}

debug_instant probes_entry_at(const probes_entry *e)
{
    return (debug_instant){e->piece, e->step};
}

uint32_t probes_word_before(const probes_word *w, debug_instant at)
{
    uint32_t low = 0, high = w->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (debug_instant_compare(probes_entry_at(&w->entries[middle]), at) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether something between two instants made all memory unknown; `after` itself counts, `at` does not. */
static bool forgotten(const probes_run *r, debug_instant after, debug_instant at)
{
    uint32_t low = 0, high = r->forget_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (debug_instant_compare(r->forgets[middle], after) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->forget_count && debug_instant_compare(r->forgets[low], at) < 0;
}

void probes_forget(probes_run *r, debug_instant at)
{
    r->forgets = memory_room(r->forgets, r->forget_count, &r->forget_max, sizeof *r->forgets);
    r->forgets[r->forget_count++] = at;
}

static uint32_t mask_bits(unsigned mask)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < 4; i++)
        bits |= mask >> i & 1 ? 0xffu << 8 * i : 0;
    return bits;
}

unsigned probes_entry_changed(const probes_word *w, uint32_t i)
{
    return i && !w->entries[i].store ? w->entries[i - 1].stale & w->entries[i].touched : 0;
}

unsigned probes_entry_learned(const probes_word *w, uint32_t i)
{
    const probes_entry *e = &w->entries[i];
    unsigned open = i && !e->store ? e->touched & e->known & ~w->entries[i - 1].known : 0, learned = 0;
    while (open && i--) {
        learned |= w->entries[i].store ? open & w->entries[i].touched : 0;
        open &= ~w->entries[i].touched;
    }
    return learned;
}

/* What was known of bytes is stale from their last access on, if the last entry, a load, found other values. */
static void stale_mark(probes_word *w, const probes_entry *load)
{
    const probes_entry *last = &w->entries[w->count - 1];
    for (unsigned k = 0; k < 4; k++) {
        unsigned byte = load->touched & load->known & last->known & 1u << k;
        if (!byte || ((load->value ^ last->value) >> 8 * k & 0xff) == 0)
            continue;
        uint32_t i = w->count;
        do
            w->entries[--i].stale |= byte;
        while (i && !(w->entries[i].touched & byte));
    }
}

/* A store of unknown bytes may have come before entries that are there: what these say of its bytes is not sure. */
static void store_before(const probes_run *r, probes_word *w, probes_entry e)
{
    uint32_t at = w->count;
    while (at && debug_instant_compare(probes_entry_at(&w->entries[at - 1]), probes_entry_at(&e)) > 0)
        w->entries[--at].known &= ~e.touched;
    memmove(w->entries + at + 1, w->entries + at, (w->count++ - at) * sizeof *w->entries);
    if (at && !forgotten(r, probes_entry_at(&w->entries[at - 1]), probes_entry_at(&e))) {
        e.known = w->entries[at - 1].known & ~e.touched;
        e.value = w->entries[at - 1].value;
    }
    w->entries[at] = e;
}

/* Bytes of `touched` have these values now; `known` false: they have some value. */
static void add(probes_run *r, debug_instant at, uint32_t number, unsigned touched, bool store, bool known,
                uint32_t value)
{
    probes_word *w = word_at(r, number);
    probes_entry e = {.piece = at.window,
                      .step = at.step < PROBES_STEPS_MAX ? at.step : PROBES_STEPS_MAX - 1,
                      .store = store,
                      .touched = touched};
    const probes_entry *before = w->count ? &w->entries[w->count - 1] : NULL;
    bool late = before && debug_instant_compare(probes_entry_at(before), at) > 0;
    if (late && store && !known) {
        store_before(r, w, e);
        return;
    }
    if (late) {
        e.piece = before->piece;
        e.step = before->step;
        at = probes_entry_at(before);
    }
    bool still = before && !forgotten(r, probes_entry_at(before), at);
    if (still) {
        e.known = before->known;
        e.value = before->value;
    }
    if (known || store) {
        e.known = (e.known & ~touched) | (known ? touched : 0);
        e.value = (e.value & ~mask_bits(touched)) | (known ? value & mask_bits(touched) : 0);
    }
    if (still && known && !store)
        stale_mark(w, &e);
    w->entries[w->count++] = e;
}

void probes_word_add(probes_run *r, debug_instant at, uint32_t address, uint32_t size, bool store,
                     const uint64_t *value)
{
    uint64_t end = (uint64_t)address + size;
    for (uint64_t a = address; a < end;) {
        unsigned first = a & 3, count = end - a < 4 - first ? (unsigned)(end - a) : 4 - first;
        uint64_t moved = value ? a == address ? *value << 8 * first : *value >> 8 * (a - address) : 0;
        add(r, at, (uint32_t)(a >> 2), ((1u << count) - 1) << first, store, value != NULL, (uint32_t)moved);
        a += count;
    }
}

/* The bytes (a mask) of a word that an entry, the last one before `at`, tells for that instant. Stale ones it tells
 * only for the instant after the access. */
static unsigned known_bytes(const probes_run *r, const probes_entry *e, debug_instant at)
{
    debug_instant after = probes_entry_at(e);
    if (forgotten(r, after, at))
        return 0;
    bool next = e->stale && (!probes_next(r, &after) || debug_instant_compare(after, at) == 0);
    return e->known & (~e->stale | (next ? e->touched : 0));
}

size_t probes_memory(const probes_run *r, debug_instant at, uint32_t address, uint8_t *bytes, size_t size)
{
    const image *im = program_image(r->app);
    const probes_entry *e = NULL;
    unsigned known = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t a = address + (uint32_t)i;
        if (!i || !(a & 3)) {
            const probes_word *w = probes_word_find(r, a >> 2);
            uint32_t before = w ? probes_word_before(w, at) : 0;
            e = before ? &w->entries[before - 1] : NULL;
            known = e ? known_bytes(r, e, at) : 0;
        }
        const uint8_t *loaded = known >> (a & 3) & 1 ? NULL : image_loaded(im, a, 1);
        if (loaded)
            bytes[i] = *loaded;
        else if (known >> (a & 3) & 1)
            bytes[i] = (uint8_t)(e->value >> 8 * (a & 3));
        else
            return i;
    }
    return size;
}
