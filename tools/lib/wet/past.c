/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/past.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/stream.h"

#define PAGE_BITS 10 /* words of a page */
#define PAGES (1u << (30 - PAGE_BITS))

/* The sections while they are read. */
typedef struct reading {
    wet_past *p;
    weft_reader windows, masks, states, entries, restores, blocks;
    uint64_t window_count, entry_count, restore_count, block_count;
    wet_note *notes; /* in the order of time */
    uint32_t *words; /* of which each is */
    size_t note_count, note_max, word_max;
    uint32_t *latest; /* value of each word, */
    uint8_t *masks_latest;
    size_t latest_max, masks_max, count_max;
    uint32_t *counts; /* notes of each word */
    uint32_t registers[64];
    size_t register_max[64];
} reading;

static bool section(weft_reader *in, weft_reader *out, uint64_t *count)
{
    *count = weft_read_varint64(in);
    uint64_t size = weft_read_varint64(in);
    const uint8_t *bytes = size <= weft_reader_left(in) ? weft_read_bytes(in, (size_t)size) : NULL;
    if (size && !bytes)
        return false;
    weft_reader_init(out, bytes, (size_t)size);
    return in->status == WEFT_OK;
}

static bool sections(reading *r, weft_reader *in)
{
    uint64_t none;
    return section(in, &r->windows, &r->window_count) && section(in, &r->masks, &none) &&
           section(in, &r->states, &none) && section(in, &r->entries, &r->entry_count) &&
           section(in, &r->restores, &r->restore_count) && section(in, &r->blocks, &r->block_count) &&
           weft_reader_left(in) == 0 && r->window_count <= UINT32_MAX;
}

static inline uint32_t difference(weft_reader *in)
{
    return (uint32_t)weft_unzigzag(weft_read_varint(in));
}

static void read_registers(reading *r, uint32_t window)
{
    wet_past *p = r->p;
    for (uint32_t left = weft_read_varint(&r->windows); left && r->windows.status == WEFT_OK; left--) {
        uint32_t loc = weft_read_varint(&r->windows) & 63;
        r->registers[loc] += difference(&r->windows);
        p->registers[loc] =
            memory_room(p->registers[loc], p->register_count[loc], &r->register_max[loc], sizeof(wet_note));
        p->registers[loc][p->register_count[loc]++] = (wet_note){window, r->registers[loc], 0, 15};
    }
}

/* The number of a word among those that were touched, from 0. */
static uint32_t word_of(reading *r, uint32_t number)
{
    uint32_t **page = &r->p->pages[number >> PAGE_BITS];
    if (!*page)
        *page = memory_zero(1u << PAGE_BITS, sizeof **page);
    uint32_t *at = &(*page)[number & ((1u << PAGE_BITS) - 1)];
    if (*at)
        return *at - 1;
    uint32_t word = r->p->word_count++;
    r->latest = memory_room(r->latest, word, &r->latest_max, sizeof *r->latest);
    r->masks_latest = memory_room(r->masks_latest, word, &r->masks_max, 1);
    r->counts = memory_room(r->counts, word, &r->count_max, sizeof *r->counts);
    r->latest[word] = r->counts[word] = 0;
    r->masks_latest[word] = 0;
    *at = word + 1;
    return word;
}

static void read_words(reading *r, uint32_t window)
{
    uint32_t number = 0;
    for (uint32_t left = weft_read_varint(&r->windows); left && r->windows.status == WEFT_OK; left--) {
        uint64_t code = weft_read_varint64(&r->windows);
        number = (number + (uint32_t)(code >> 3)) & 0x3fffffffu;
        uint32_t word = word_of(r, number);
        if (code & WET_STATE) {
            const uint8_t *mask = weft_read_bytes(&r->masks, 1);
            r->masks_latest[word] = mask ? *mask & 15 : 0;
            r->latest[word] += difference(&r->states);
        }
        r->notes = memory_room(r->notes, r->note_count, &r->note_max, sizeof *r->notes);
        r->words = memory_room(r->words, r->note_count, &r->word_max, sizeof *r->words);
        r->notes[r->note_count] = (wet_note){window, r->latest[word], code & 7, r->masks_latest[word]};
        r->words[r->note_count++] = word;
        r->counts[word]++;
    }
}

/* From the order of time to that of words. */
static void notes_order(reading *r)
{
    wet_past *p = r->p;
    p->notes = memory_zero(r->note_count + 1, sizeof *p->notes);
    p->first = memory_zero(p->word_count + UINT64_C(1), sizeof *p->first);
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->word_count; i++) {
        p->first[i] = at;
        at += r->counts[i];
        r->counts[i] = p->first[i];
    }
    p->first[p->word_count] = at;
    for (size_t i = 0; i < r->note_count; i++)
        p->notes[r->counts[r->words[i]]++] = r->notes[i];
}

static void read_exceptions(reading *r)
{
    wet_past *p = r->p;
    size_t max = 0;
    for (uint64_t i = 0; i < r->entry_count && r->entries.status == WEFT_OK; i++) {
        uint64_t pc = weft_read_varint64(&r->entries);
        p->entries = memory_room(p->entries, p->entry_count, &max, sizeof *p->entries);
        p->entries[p->entry_count++] =
            (wet_back){pc ? (uint32_t)(pc - 1) * 2 : 0, (uint32_t)weft_read_varint(&r->entries)};
    }
    uint64_t event = 0;
    max = 0;
    for (uint64_t i = 0; i < r->restore_count && r->restores.status == WEFT_OK; i++) {
        p->restores = memory_room(p->restores, p->restore_count, &max, sizeof *p->restores);
        wet_floats *f = &p->restores[p->restore_count++];
        f->event = event += weft_read_varint64(&r->restores);
        for (unsigned k = 0; k < 17; k++)
            f->values[k] = difference(&r->restores) + (k ? f->values[k - 1] : 0);
    }
}

static void read_blocks(reading *r, wet_file *f)
{
    for (uint64_t i = 0; i < r->block_count && r->blocks.status == WEFT_OK; i++) {
        uint32_t node = weft_read_varint(&r->blocks), time = weft_read_varint(&r->blocks), at = 1;
        uint32_t blocks = node < f->node_count ? (f->nodes[node].n.count - 1) / WET_BLOCK + 1 : 0;
        if (blocks < 2) {
            r->blocks.status = WEFT_CORRUPT;
            return;
        }
        if (!f->nodes[node].block_times)
            f->nodes[node].block_times = memory_zero(blocks, sizeof(uint32_t));
        while (at < blocks && f->nodes[node].block_times[at])
            at++;
        if (at < blocks)
            f->nodes[node].block_times[at] = time;
    }
}

static bool read_all(reading *r, wet_file *f, weft_reader *in)
{
    if (!sections(r, in))
        return false;
    r->p->windows = (uint32_t)r->window_count;
    for (uint32_t w = 0; w < r->p->windows && r->windows.status == WEFT_OK; w++) {
        read_registers(r, w);
        read_words(r, w);
    }
    read_exceptions(r);
    read_blocks(r, f);
    notes_order(r);
    return r->windows.status == WEFT_OK && r->masks.status == WEFT_OK && r->states.status == WEFT_OK &&
           r->entries.status == WEFT_OK && r->restores.status == WEFT_OK && r->blocks.status == WEFT_OK &&
           r->window_count == (f->time + UINT64_C(0) + f->window - 1) / f->window;
}

wet_past *wet_past_open(wet_file *f, char *message, size_t message_size)
{
    if (!f->window) {
        snprintf(message, message_size,
                 "it was built by an older weft and has no snapshots (version %u); build it again", f->version);
        return NULL;
    }
    wet_stream_check(f, f->snapshots, f->snapshots_size);
    reading *r = memory_zero(1, sizeof *r);
    wet_past *p = r->p = memory_zero(1, sizeof *p);
    p->pages = memory_zero(PAGES, sizeof *p->pages);
    uint8_t *plain = malloc((size_t)f->snapshots_plain + 1);
    weft_reader in;
    weft_reader_init(&in, plain, plain ? (size_t)f->snapshots_plain : 0);
    bool good =
        plain && !f->damaged &&
        ZSTD_decompress(plain, (size_t)f->snapshots_plain, f->snapshots, f->snapshots_size) == f->snapshots_plain &&
        read_all(r, f, &in);
    free(plain);
    free(r->notes);
    free(r->words);
    free(r->latest);
    free(r->masks_latest);
    free(r->counts);
    free(r);
    if (good)
        return p;
    snprintf(message, message_size, "its snapshots are damaged");
    wet_past_close(p);
    return NULL;
}

void wet_past_close(wet_past *p)
{
    for (uint32_t i = 0; i < PAGES; i++)
        free(p->pages[i]);
    for (unsigned loc = 0; loc < 64; loc++)
        free(p->registers[loc]);
    free(p->pages);
    free(p->notes);
    free(p->first);
    free(p->entries);
    free(p->restores);
    free(p);
}

/* How many of `count` notes are of windows before `window`. */
static uint32_t notes_before(const wet_note *notes, uint32_t count, uint32_t window)
{
    uint32_t low = 0;
    while (low < count) {
        uint32_t middle = low + (count - low) / 2;
        if (notes[middle].window < window)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

bool wet_past_register(const wet_past *p, unsigned loc, uint32_t window, uint32_t *value)
{
    uint32_t before = notes_before(p->registers[loc], p->register_count[loc], window);
    if (before)
        *value = p->registers[loc][before - 1].value;
    return before != 0;
}

/* The notes of a word; NULL: it was never touched. */
static const wet_note *notes_of(const wet_past *p, uint32_t number, uint32_t *count)
{
    const uint32_t *page = p->pages[number >> PAGE_BITS];
    uint32_t word = page ? page[number & ((1u << PAGE_BITS) - 1)] : 0;
    *count = word ? p->first[word] - p->first[word - 1] : 0;
    return word ? p->notes + p->first[word - 1] : NULL;
}

uint8_t wet_past_word(const wet_past *p, uint32_t number, uint32_t window, uint32_t *value)
{
    uint32_t count;
    const wet_note *notes = notes_of(p, number, &count);
    uint32_t before = notes_before(notes, count, window);
    *value = before ? notes[before - 1].value : 0;
    return before ? notes[before - 1].mask : 0;
}

uint64_t wet_past_next(const wet_past *p, uint32_t number)
{
    uint64_t page = number >> PAGE_BITS;
    if (p->pages[page])
        return number;
    while (page < PAGES && !p->pages[page])
        page++;
    return page << PAGE_BITS;
}

uint32_t wet_past_touched(const wet_past *p, uint32_t number, unsigned flags, uint32_t window, bool backward)
{
    uint32_t count;
    const wet_note *notes = notes_of(p, number, &count);
    uint32_t at = notes_before(notes, count, backward && window != WET_NEVER ? window + 1 : window);
    if (backward)
        while (at-- > 0)
            if (notes[at].flags & flags)
                return notes[at].window;
    for (; !backward && at < count; at++)
        if (notes[at].flags & flags)
            return notes[at].window;
    return WET_NEVER;
}
