/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/past.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/stream.h"

#define PAGE_BITS 10 /* words of a page */
#define PAGES (1u << (30 - PAGE_BITS))

struct wet_past {
    wet_file *f;
    pthread_t reader;
    bool reading, good;
    wet_note *notes; /* of one word after the other; of one word by window */
    uint32_t **pages;
    uint32_t *first; /* of each word that was touched, and one more: its notes */
    uint32_t word_count;
    wet_note *registers[64]; /* flags unused */
    uint32_t register_count[64];
    wet_back *entries;
    uint32_t entry_count;
    wet_floats *restores;
    uint32_t restore_count;
    uint32_t *blocks; /* pairs: node, timestamp */
    uint64_t block_count;
};

/* The sections while they are read. */
typedef struct reading {
    wet_past *p;
    weft_reader windows, masks, states, entries, restores, blocks;
    uint64_t window_count, entry_count, restore_count, block_count;
    uint32_t *latest; /* value of each word, */
    uint8_t *masks_latest;
    size_t count_max;
    uint32_t *counts; /* notes of each word; then where the next one goes */
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

static void read_registers(reading *r, uint32_t window, bool keep)
{
    wet_past *p = r->p;
    for (uint32_t left = weft_read_varint(&r->windows); left && r->windows.status == WEFT_OK; left--) {
        uint32_t loc = weft_read_varint(&r->windows) & 63, change = difference(&r->windows);
        if (!keep)
            continue;
        r->registers[loc] += change;
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
    r->counts = memory_room(r->counts, word, &r->count_max, sizeof *r->counts);
    r->counts[word] = 0;
    *at = word + 1;
    return word;
}

/* The first time notes are counted. */
static void count_words(reading *r)
{
    uint32_t number = 0;
    for (uint32_t left = weft_read_varint(&r->windows); left && r->windows.status == WEFT_OK; left--) {
        number = (number + (uint32_t)(weft_read_varint64(&r->windows) >> 3)) & 0x3fffffffu;
        uint32_t word = word_of(r, number);
        r->counts[word]++;
    }
}

/* The second time each goes to its word. */
static void read_words(reading *r, uint32_t window)
{
    uint32_t number = 0;
    for (uint32_t left = weft_read_varint(&r->windows); left; left--) {
        uint64_t code = weft_read_varint64(&r->windows);
        number = (number + (uint32_t)(code >> 3)) & 0x3fffffffu;
        uint32_t word = word_of(r, number);
        if (code & WET_STATE) {
            const uint8_t *mask = weft_read_bytes(&r->masks, 1);
            r->masks_latest[word] = mask ? *mask & 15 : 0;
            r->latest[word] += difference(&r->states);
        }
        r->p->notes[r->counts[word]++] = (wet_note){window, r->latest[word], code & 7, r->masks_latest[word]};
    }
}

static void notes_place(reading *r)
{
    wet_past *p = r->p;
    uint32_t at = 0;
    p->first = memory_zero(p->word_count + UINT64_C(1), sizeof *p->first);
    r->latest = memory_zero(p->word_count + UINT64_C(1), sizeof *r->latest);
    r->masks_latest = memory_zero(p->word_count + UINT64_C(1), 1);
    for (uint32_t i = 0; i < p->word_count; i++) {
        p->first[i] = at;
        at += r->counts[i];
        r->counts[i] = p->first[i];
    }
    p->first[p->word_count] = at;
    p->notes = memory_grow(NULL, at + UINT64_C(1), sizeof *p->notes);
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

static void read_blocks(reading *r)
{
    wet_past *p = r->p;
    size_t max = 0;
    for (uint64_t i = 0; i < r->block_count && r->blocks.status == WEFT_OK; i++) {
        p->blocks = memory_room(p->blocks, 2 * (size_t)i + 1, &max, sizeof *p->blocks);
        p->blocks[2 * i] = weft_read_varint(&r->blocks);
        p->blocks[2 * i + 1] = weft_read_varint(&r->blocks);
        p->block_count = i + 1;
    }
}

static bool read_all(reading *r, weft_reader *in)
{
    const wet_file *f = r->p->f;
    if (!sections(r, in) || r->window_count != (f->time + (uint64_t)f->window - 1) / f->window)
        return false;
    const weft_reader start = r->windows;
    for (uint32_t w = 0; w < r->window_count && r->windows.status == WEFT_OK; w++) {
        read_registers(r, w, false);
        count_words(r);
    }
    if (r->windows.status != WEFT_OK)
        return false;
    notes_place(r);
    r->windows = start;
    for (uint32_t w = 0; w < r->window_count; w++) {
        read_registers(r, w, true);
        read_words(r, w);
    }
    read_exceptions(r);
    read_blocks(r);
    return r->windows.status == WEFT_OK && r->masks.status == WEFT_OK && r->states.status == WEFT_OK &&
           r->entries.status == WEFT_OK && r->restores.status == WEFT_OK && r->blocks.status == WEFT_OK;
}

/* The thread: the file's data and its own. */
static void *read_past(void *context)
{
    wet_past *p = context;
    const wet_file *f = p->f;
    reading *r = memory_zero(1, sizeof *r);
    r->p = p;
    uint8_t *plain = malloc((size_t)f->snapshots_plain + 1);
    weft_reader in;
    weft_reader_init(&in, plain, plain ? (size_t)f->snapshots_plain : 0);
    p->good =
        plain &&
        ZSTD_decompress(plain, (size_t)f->snapshots_plain, f->snapshots, f->snapshots_size) == f->snapshots_plain &&
        read_all(r, &in);
    free(plain);
    free(r->latest);
    free(r->masks_latest);
    free(r->counts);
    free(r);
    return NULL;
}

wet_past *wet_past_open(wet_file *f, char *message, size_t message_size)
{
    if (!f->window) {
        snprintf(message, message_size,
                 "it was built by an older weft and has no snapshots (version %u); build it again", f->version);
        return NULL;
    }
    wet_stream_check(f, f->snapshots, f->snapshots_size);
    wet_past *p = memory_zero(1, sizeof *p);
    p->f = f;
    p->pages = memory_zero(PAGES, sizeof *p->pages);
    f->past = p;
    p->reading = pthread_create(&p->reader, NULL, read_past, p) == 0;
    if (!p->reading)
        read_past(p);
    return p;
}

/* Where each block of a node's timestamps begins. */
static bool blocks_take(wet_file *f, const uint32_t *pair)
{
    uint32_t node = pair[0], at = 1,
             blocks = node < f->node_count ? ((f->nodes[node].n.count - 1) >> f->block_bits) + 1 : 0;
    if (blocks < 2)
        return false;
    if (!f->nodes[node].block_times)
        f->nodes[node].block_times = memory_zero(blocks, sizeof(uint32_t));
    while (at < blocks && f->nodes[node].block_times[at])
        at++;
    if (at < blocks)
        f->nodes[node].block_times[at] = pair[1];
    return at < blocks;
}

/* Waits for the thread. What is damaged is as if nothing were known. */
static void ready(wet_past *p)
{
    if (!p->reading)
        return;
    pthread_join(p->reader, NULL);
    p->reading = false;
    for (uint64_t i = 0; i < p->block_count; i++)
        p->good &= blocks_take(p->f, &p->blocks[2 * i]);
    if (p->good)
        return;
    p->f->damaged = true;
    p->word_count = 0;
    for (uint32_t i = 0; i < PAGES; i++) {
        free(p->pages[i]);
        p->pages[i] = NULL;
    }
}

void wet_past_close(wet_past *p)
{
    ready(p);
    p->f->past = NULL;
    for (uint32_t i = 0; i < PAGES; i++)
        free(p->pages[i]);
    for (unsigned loc = 0; loc < 64; loc++)
        free(p->registers[loc]);
    free(p->pages);
    free(p->notes);
    free(p->first);
    free(p->entries);
    free(p->restores);
    free(p->blocks);
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

bool wet_past_register(wet_past *p, unsigned loc, uint32_t window, uint32_t *value)
{
    if (!window)
        return false;
    ready(p);
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

uint8_t wet_past_word(wet_past *p, uint32_t number, uint32_t window, uint32_t *value)
{
    uint32_t count;
    *value = 0;
    if (!window)
        return 0;
    ready(p);
    const wet_note *notes = notes_of(p, number, &count);
    uint32_t before = notes_before(notes, count, window);
    *value = before ? notes[before - 1].value : 0;
    return before ? notes[before - 1].mask : 0;
}

uint64_t wet_past_next(wet_past *p, uint32_t number)
{
    ready(p);
    uint64_t page = number >> PAGE_BITS;
    if (p->pages[page])
        return number;
    while (page < PAGES && !p->pages[page])
        page++;
    return page << PAGE_BITS;
}

uint32_t wet_past_touched(wet_past *p, uint32_t number, unsigned flags, uint32_t window, bool backward)
{
    uint32_t count;
    ready(p);
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

wet_back wet_past_back(wet_past *p, uint32_t entry)
{
    ready(p);
    return entry < p->entry_count ? p->entries[entry] : (wet_back){0, 0};
}

const wet_floats *wet_past_floats(wet_past *p, uint64_t event)
{
    ready(p);
    uint32_t low = 0, high = p->restore_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->restores[middle].event < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->restore_count && p->restores[low].event == event ? &p->restores[low] : NULL;
}
