/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/past.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/past_read.h"
#include "tools/lib/wet/store.h"
#include "tools/lib/wet/stream.h"

wet_past *wet_past_open(wet_file *f, char *message, size_t message_size)
{
    if (!f->window) {
        snprintf(message, message_size,
                 "it was built by an older weft and has no snapshots (version %u); build it again", f->version);
        return NULL;
    }
    if ((f->time - 1) / f->window >> WET_NOTE_WINDOW_BITS) {
        snprintf(message, message_size, "it has more windows than 2^%d", WET_NOTE_WINDOW_BITS);
        return NULL;
    }
    wet_stream_check(f, f->snapshots, f->snapshots_size);
    wet_past *p = memory_zero(1, sizeof *p);
    p->f = f;
    pages_init(&p->words, PAST_PAGES);
    f->past = p;
    p->reading = pthread_create(&p->reader, NULL, past_read, p) == 0;
    if (!p->reading)
        past_read(p);
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
    wet_store_pause(p->f, true);
    pthread_join(p->reader, NULL);
    wet_store_pause(p->f, false);
    p->reading = false;
    for (uint64_t i = 0; i < p->block_count; i++)
        p->good &= blocks_take(p->f, &p->blocks[2 * i]);
    if (p->good)
        return;
    p->f->damaged = true;
    p->word_count = 0;
    pages_clear(&p->words);
}

void wet_past_close(wet_past *p)
{
    ready(p);
    p->f->past = NULL;
    pages_free(&p->words);
    for (unsigned loc = 0; loc < 64; loc++)
        free(p->registers[loc]);
    free(p->notes);
    free(p->first);
    free(p->reads);
    free(p->reads_first);
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
    uint32_t word = past_word(p, number);
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
    uint64_t page = number >> PAST_PAGE_BITS;
    if (p->words.all[page])
        return number;
    while (page < PAST_PAGES && !p->words.all[page])
        page++;
    return page << PAST_PAGE_BITS;
}

static uint32_t noted(const wet_past *p, uint32_t number, unsigned flags, uint32_t window, bool backward)
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

/* The same of the batches that read it. */
static uint32_t listed(const wet_past *p, uint32_t number, uint32_t window, bool backward)
{
    uint32_t word = p->batch ? past_word(p, number) : 0;
    if (!word)
        return WET_NEVER;
    uint32_t batch = window / p->batch, start = p->reads_first[word - 1], end = p->reads_first[word], low = start;
    for (uint32_t high = end; low < high;) { /* the first one from that of the window on; backward: after it */
        uint32_t middle = low + (high - low) / 2;
        if (p->reads[middle] < batch || (backward && p->reads[middle] == batch))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == (backward ? start : end))
        return WET_NEVER;
    uint64_t first = (uint64_t)p->reads[low - backward] * p->batch, last = first + p->batch - 1;
    if (!backward)
        return first > window ? (uint32_t)first : window;
    uint32_t most = (p->f->time - 1) / p->f->window < window ? (p->f->time - 1) / p->f->window : window;
    return last < most ? (uint32_t)last : most;
}

uint32_t wet_past_touched(wet_past *p, uint32_t number, unsigned flags, uint32_t window, bool backward)
{
    ready(p);
    uint32_t note = noted(p, number, flags, window, backward);
    uint32_t read = flags & WET_READ ? listed(p, number, window, backward) : WET_NEVER;
    if (note == WET_NEVER || read == WET_NEVER)
        return note == WET_NEVER ? read : note;
    return (note > read) == backward ? note : read;
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
