/* SPDX-License-Identifier: MIT */
/* Twice over the windows: first the notes of each word are counted, then each is put where it goes. The same for the
 * batches. */
#include "tools/lib/wet/past_read.h"

#include <stdlib.h>
#include <zstd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/varint.h"

/* The sections while they are read. */
typedef struct reading {
    wet_past *p;
    weft_reader windows, masks, states, entries, restores, blocks, reads;
    uint64_t window_count, entry_count, restore_count, block_count, batch;
    uint32_t *latest; /* value of each word, */
    uint8_t *masks_latest;
    size_t count_max;
    uint32_t *counts;      /* notes of each word; then where the next one goes */
    uint32_t *read_counts; /* the same of its batches */
    uint32_t registers[64];
    size_t register_max[64];
} reading;

static bool section(weft_reader *in, weft_reader *out, uint64_t *count)
{
    *count = varint_read64(in);
    uint64_t size = varint_read64(in);
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
           (r->p->f->version < WET_VERSION_READS || section(in, &r->reads, &r->batch)) && weft_reader_left(in) == 0 &&
           r->window_count <= UINT32_MAX;
}

static inline uint32_t difference(weft_reader *in)
{
    return (uint32_t)weft_unzigzag(varint_read(in));
}

static void read_registers(reading *r, uint32_t window, bool keep)
{
    wet_past *p = r->p;
    for (uint32_t left = varint_read(&r->windows); left && r->windows.status == WEFT_OK; left--) {
        uint32_t loc = varint_read(&r->windows) & 63, change = difference(&r->windows);
        if (!keep)
            continue;
        r->registers[loc] += change;
        p->registers[loc] =
            memory_room(p->registers[loc], p->register_count[loc], &r->register_max[loc], sizeof(wet_note));
        p->registers[loc][p->register_count[loc]++] =
            (wet_note){.window = window, .value = r->registers[loc], .mask = 15};
    }
}

/* The number of a word among those that were touched, from 0. */
static uint32_t word_of(reading *r, uint32_t number)
{
    uint32_t *page = pages_take(&r->p->words, number >> PAST_PAGE_BITS, 1u << PAST_PAGE_BITS, sizeof *page);
    uint32_t *at = &page[number & ((1u << PAST_PAGE_BITS) - 1)];
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
    for (uint32_t left = varint_read(&r->windows); left && r->windows.status == WEFT_OK; left--) {
        number = (number + (uint32_t)(varint_read64(&r->windows) >> 3)) & 0x3fffffffu;
        uint32_t word = word_of(r, number);
        r->counts[word]++;
    }
}

/* The second time each goes to its word. */
static void read_words(reading *r, uint32_t window)
{
    uint32_t number = 0;
    for (uint32_t left = varint_read(&r->windows); left; left--) {
        uint64_t code = varint_read64(&r->windows);
        number = (number + (uint32_t)(code >> 3)) & 0x3fffffffu;
        uint32_t word = word_of(r, number);
        if (code & WET_STATE) {
            const uint8_t *mask = weft_read_bytes(&r->masks, 1);
            r->masks_latest[word] = mask ? *mask & 15 : 0;
            r->latest[word] += difference(&r->states);
        }
        r->p->notes[r->counts[word]++] = (wet_note){window, code & 7, r->masks_latest[word], r->latest[word]};
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

/* Goes over all batches; `keep`: each is put where it goes, else they are counted. False: damaged. */
static bool batches_read(reading *r, weft_reader in, bool keep)
{
    wet_past *p = r->p;
    uint64_t batches = (r->window_count + r->batch - 1) / r->batch;
    for (uint32_t batch = 0; batch < batches; batch++) {
        uint32_t number = 0;
        for (uint32_t left = varint_read(&in); left && in.status == WEFT_OK; left--) {
            number = (number + varint_read(&in)) & 0x3fffffffu;
            uint32_t word = past_word(p, number);
            if (!word) /* a window said its state, when it was read first */
                return false;
            if (keep)
                p->reads[r->read_counts[word - 1]] = batch;
            r->read_counts[word - 1]++;
        }
    }
    return in.status == WEFT_OK && weft_reader_left(&in) == 0;
}

static bool read_reads(reading *r)
{
    wet_past *p = r->p;
    if (p->f->version < WET_VERSION_READS)
        return true;
    if (!r->batch || r->batch > UINT32_MAX)
        return false;
    r->read_counts = memory_zero(p->word_count + UINT64_C(1), sizeof *r->read_counts);
    if (!batches_read(r, r->reads, false))
        return false;
    p->reads_first = memory_zero(p->word_count + UINT64_C(1), sizeof *p->reads_first);
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->word_count; i++) {
        p->reads_first[i] = at;
        at += r->read_counts[i];
        r->read_counts[i] = p->reads_first[i];
    }
    p->reads_first[p->word_count] = at;
    p->reads = memory_grow(NULL, at + UINT64_C(1), sizeof *p->reads);
    p->batch = (uint32_t)r->batch;
    return batches_read(r, r->reads, true);
}

static void read_exceptions(reading *r)
{
    wet_past *p = r->p;
    size_t max = 0;
    for (uint64_t i = 0; i < r->entry_count && r->entries.status == WEFT_OK; i++) {
        uint64_t pc = varint_read64(&r->entries);
        p->entries = memory_room(p->entries, p->entry_count, &max, sizeof *p->entries);
        p->entries[p->entry_count++] = (wet_back){pc ? (uint32_t)(pc - 1) * 2 : 0, (uint32_t)varint_read(&r->entries)};
    }
    uint64_t event = 0;
    max = 0;
    for (uint64_t i = 0; i < r->restore_count && r->restores.status == WEFT_OK; i++) {
        p->restores = memory_room(p->restores, p->restore_count, &max, sizeof *p->restores);
        wet_floats *f = &p->restores[p->restore_count++];
        f->event = event += varint_read64(&r->restores);
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
        p->blocks[2 * i] = varint_read(&r->blocks);
        p->blocks[2 * i + 1] = varint_read(&r->blocks);
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
    return read_reads(r) && r->windows.status == WEFT_OK && r->masks.status == WEFT_OK && r->states.status == WEFT_OK &&
           r->entries.status == WEFT_OK && r->restores.status == WEFT_OK && r->blocks.status == WEFT_OK;
}

void *past_read(void *context)
{
    wet_past *p = context;
    const wet_file *f = p->f;
    reading *r = memory_zero(1, sizeof *r);
    r->p = p;
    uint8_t *plain = memory_try((size_t)f->snapshots_plain + 1);
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
    free(r->read_counts);
    free(r);
    return NULL;
}
