/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/snapshots.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/pages.h"

#define PAGE_BITS 10 /* words of a page */

typedef struct word {
    uint32_t value, told; /* unknown bytes are 0 */
    uint8_t mask, told_mask, touched;
    bool listed; /* in `read` */
} word;

/* Numbers of words. */
typedef struct numbers {
    uint32_t *all, count;
    size_t max;
} numbers;

struct wet_snapshots {
    pages words;
    numbers touched; /* in this window */
    numbers read;    /* in this batch, where a window has nothing else to say of them */
    uint32_t registers[64];
    uint64_t known;
    squeeze_bytes windows, states, masks, entries, restores, reads;
    uint64_t window_count, entry_count, restore_count, last_restore;
};

wet_snapshots *wet_snapshots_new(void)
{
    wet_snapshots *s = memory_zero(1, sizeof *s);
    pages_init(&s->words, 1u << (30 - PAGE_BITS));
    return s;
}

void wet_snapshots_free(wet_snapshots *s)
{
    pages_free(&s->words);
    free(s->touched.all);
    free(s->read.all);
    squeeze_bytes_free(&s->windows);
    squeeze_bytes_free(&s->masks);
    squeeze_bytes_free(&s->states);
    squeeze_bytes_free(&s->entries);
    squeeze_bytes_free(&s->restores);
    squeeze_bytes_free(&s->reads);
    free(s);
}

static void number_add(numbers *n, uint32_t number)
{
    n->all = memory_room(n->all, n->count, &n->max, sizeof *n->all);
    n->all[n->count++] = number;
}

static word *word_at(const wet_snapshots *s, uint32_t number)
{
    word *page = s->words.all[number >> PAGE_BITS];
    return &page[number & ((1u << PAGE_BITS) - 1)];
}

static word *word_touch(wet_snapshots *s, uint32_t number, uint8_t how)
{
    word *page = pages_take(&s->words, number >> PAGE_BITS, 1u << PAGE_BITS, sizeof *page);
    word *w = &page[number & ((1u << PAGE_BITS) - 1)];
    if (!w->touched)
        number_add(&s->touched, number);
    w->touched |= how;
    return w;
}

uint32_t wet_word_bytes(uint8_t mask)
{
    static const uint32_t wide[16] = {0,          0xff,       0xff00,     0xffff,     0xff0000,   0xff00ff,
                                      0xffff00,   0xffffff,   0xff000000, 0xff0000ff, 0xff00ff00, 0xff00ffff,
                                      0xffff0000, 0xffff00ff, 0xffffff00, 0xffffffff};
    return wide[mask & 15];
}

void wet_snapshots_access(wet_snapshots *s, uint32_t address, unsigned size, bool store, uint64_t value)
{
    for (unsigned done = 0; done < size;) {
        unsigned first = (address + done) & 3, left = size - done, part = left < 4 - first ? left : 4 - first;
        uint8_t mask = (uint8_t)(((1u << part) - 1) << first);
        word *w = word_touch(s, (address + done) >> 2, store ? WET_WRITTEN : WET_READ);
        w->value =
            (w->value & ~wet_word_bytes(mask)) | ((uint32_t)(value >> 8 * done) << 8 * first & wet_word_bytes(mask));
        w->mask |= mask;
        done += part;
    }
}

/* Words that were never touched are not known anyway. */
void wet_snapshots_forget(wet_snapshots *s, uint32_t address, uint32_t size)
{
    for (uint64_t at = address; at < address + (uint64_t)size && at <= UINT32_MAX; at++) {
        uint32_t number = (uint32_t)(at >> 2);
        const word *page = s->words.all[number >> PAGE_BITS];
        if (!page) {
            at |= (4u << PAGE_BITS) - 1;
            continue;
        }
        uint8_t mask = (uint8_t)(1u << (at & 3));
        if (!(page[number & ((1u << PAGE_BITS) - 1)].mask & mask))
            continue;
        word *w = word_touch(s, number, WET_WRITTEN);
        w->value &= ~wet_word_bytes(mask);
        w->mask &= (uint8_t)~mask;
    }
}

bool wet_snapshots_word(const wet_snapshots *s, uint32_t address, uint32_t *value)
{
    const word *page = s->words.all[address >> 2 >> PAGE_BITS];
    const word *w = page ? &page[address >> 2 & ((1u << PAGE_BITS) - 1)] : NULL;
    if (!w || address & 3 || w->mask != 15)
        return false;
    *value = w->value;
    return true;
}

static void difference(squeeze_bytes *out, uint32_t now, uint32_t before)
{
    squeeze_bytes_varint(out, weft_zigzag((int32_t)(now - before)));
}

static void window_registers(wet_snapshots *s, const uint32_t registers[64], uint64_t known)
{
    uint64_t changed = known & ~s->known;
    for (uint64_t rest = known & s->known; rest; rest &= rest - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(rest);
        if (registers[loc] != s->registers[loc])
            changed |= UINT64_C(1) << loc;
    }
    squeeze_bytes_varint(&s->windows, (uint64_t)__builtin_popcountll(changed));
    for (uint64_t rest = changed; rest; rest &= rest - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(rest);
        squeeze_bytes_varint(&s->windows, loc);
        difference(&s->windows, registers[loc], s->registers[loc]);
        s->registers[loc] = registers[loc];
    }
    s->known |= known;
}

static int number_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void numbers_sort(numbers *n)
{
    if (n->count)
        qsort(n->all, n->count, sizeof *n->all, number_order);
}

static bool has_state(const word *w)
{
    return w->value != w->told || w->mask != w->told_mask;
}

/* Words that were only read go to the batch; the others stay. */
static void reads_take(wet_snapshots *s)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->touched.count; i++) {
        uint32_t number = s->touched.all[i];
        word *w = word_at(s, number);
        if (w->touched != WET_READ || has_state(w)) {
            s->touched.all[kept++] = number;
            continue;
        }
        w->touched = 0;
        if (w->listed)
            continue;
        w->listed = true;
        number_add(&s->read, number);
    }
    s->touched.count = kept;
}

static void window_words(wet_snapshots *s)
{
    uint32_t before = 0;
    reads_take(s);
    numbers_sort(&s->touched);
    squeeze_bytes_varint(&s->windows, s->touched.count);
    for (uint32_t i = 0; i < s->touched.count; i++) {
        uint32_t number = s->touched.all[i];
        word *w = word_at(s, number);
        bool state = has_state(w);
        squeeze_bytes_varint(&s->windows,
                             (uint64_t)(number - before) * 8 + w->touched + (state ? (unsigned)WET_STATE : 0));
        if (state) {
            squeeze_bytes_add(&s->masks, &w->mask, 1);
            difference(&s->states, w->value, w->told);
        }
        w->told = w->value;
        w->told_mask = w->mask;
        w->touched = 0;
        before = number;
    }
    s->touched.count = 0;
}

static void batch_end(wet_snapshots *s)
{
    uint32_t before = 0;
    numbers_sort(&s->read);
    squeeze_bytes_varint(&s->reads, s->read.count);
    for (uint32_t i = 0; i < s->read.count; i++) {
        squeeze_bytes_varint(&s->reads, s->read.all[i] - before);
        before = s->read.all[i];
        word_at(s, before)->listed = false;
    }
    s->read.count = 0;
}

void wet_snapshots_window(wet_snapshots *s, const uint32_t registers[64], uint64_t known)
{
    window_registers(s, registers, known);
    window_words(s);
    s->window_count++;
    if (s->window_count % WET_BATCH == 0)
        batch_end(s);
}

void wet_snapshots_entry(wet_snapshots *s, uint32_t resume, uint32_t it)
{
    squeeze_bytes_varint(&s->entries, resume ? resume / 2 + UINT64_C(1) : 0);
    squeeze_bytes_varint(&s->entries, it);
    s->entry_count++;
}

void wet_snapshots_restore(wet_snapshots *s, uint64_t event, const uint32_t values[17])
{
    squeeze_bytes_varint(&s->restores, event - s->last_restore);
    for (unsigned i = 0; i < 17; i++)
        difference(&s->restores, values[i], i ? values[i - 1] : 0);
    s->last_restore = event;
    s->restore_count++;
}

static void section(squeeze_bytes *out, uint64_t count, const squeeze_bytes *bytes)
{
    squeeze_bytes_varint(out, count);
    squeeze_bytes_varint(out, bytes->size);
    if (bytes->size)
        squeeze_bytes_add(out, bytes->data, bytes->size);
}

squeeze_bytes wet_snapshots_bytes(wet_snapshots *s)
{
    squeeze_bytes out = {0};
    if (s->window_count % WET_BATCH)
        batch_end(s);
    section(&out, s->window_count, &s->windows);
    section(&out, 0, &s->masks);
    section(&out, 0, &s->states);
    section(&out, s->entry_count, &s->entries);
    section(&out, s->restore_count, &s->restores);
    section(&out, 0, &(squeeze_bytes){0}); /* blocks */
    section(&out, WET_BATCH, &s->reads);
    return out;
}
