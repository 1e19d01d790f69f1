/* SPDX-License-Identifier: MIT */
/* 1. The different windows are packed into words, the first path in the highest bits, and sorted by their first word;
 *    then those with the same first word by the second one, and so on. What stands after an activation's end is 0, and
 *    so before all paths.
 * 2. What a window shares with the one before is read from the words. */
#include "tools/lib/profile/sequences_windows.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"

enum { AHEAD = 32 /* windows from which on memory is asked for : 8 to 128 */ };
enum { PATHS_MAX = 64 /* of a window */ };

typedef struct keyed {
    uint64_t key;
    uint32_t item;
} keyed;

typedef struct windows {
    const kept_stream *s;
    equal_windows from;
    unsigned k;
    size_t parts;
    unsigned bits, each, words; /* of a code; codes in a word; words of a window's codes */
    uint64_t *packed;           /* of each window: its codes; then its count, and in the lowest 8 bits its length */
    keyed *order;
    size_t begin[THREADS_MAX + 1]; /* of the parts that are sorted further by one thread each */
} windows;

/* ---- step 1 ---- */

static inline const uint64_t *packed_of(const windows *w, uint32_t item)
{
    return w->packed + (size_t)item * (w->words + 1);
}

static void pack_part(void *own, size_t part)
{
    windows *w = own;
    for (size_t i = threads_first(w->from.count, w->parts, part); i < threads_first(w->from.count, w->parts, part + 1);
         i++) {
        const uint32_t *number = w->s->numbers + w->from.window[i].first;
        uint64_t *packed = w->packed + i * (w->words + 1);
        unsigned length = w->from.length[w->from.window[i].first];
        for (unsigned n = 0, word = 0; word < w->words; word++) {
            packed[word] = 0;
            for (unsigned each = 0; each < w->each; each++, n++)
                packed[word] = packed[word] << w->bits | (n < length ? w->from.code[number[n]] : 0);
        }
        packed[w->words] = (uint64_t)w->from.window[i].count << 8 | length;
        w->order[i] = (keyed){packed[0], (uint32_t)i};
    }
}

enum { FEW = 16, MANY = 1024 /* windows that are sorted one by one; by digits */ };

/* Stable, by digits of 11 bits. `spare` has room for as many. */
static void sort_keys(keyed *all, keyed *spare, size_t count, unsigned bits)
{
    enum { DIGIT = 11, MASK = (1 << DIGIT) - 1 };
    keyed *from = all, *to = spare;
    for (unsigned shift = 0; shift < bits; shift += DIGIT) {
        size_t start[MASK + 1] = {0}, sum = 0;
        for (size_t i = 0; i < count; i++)
            start[from[i].key >> shift & MASK]++;
        for (unsigned digit = 0; digit <= MASK; digit++) {
            size_t here = start[digit];
            start[digit] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++)
            to[start[from[i].key >> shift & MASK]++] = from[i];
        keyed *swap = from;
        from = to;
        to = swap;
    }
    if (from != all)
        memcpy(all, from, count * sizeof *all);
}

static void sort_few(keyed *all, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        keyed one = all[i];
        size_t at = i;
        for (; at && all[at - 1].key > one.key; at--)
            all[at] = all[at - 1];
        all[at] = one;
    }
}

/* Puts two sorted runs, which end at `middle` and `end`, together. */
static void merge_runs(const keyed *from, const keyed *middle, const keyed *end, keyed *to)
{
    const keyed *other = middle;
    while (from < middle && other < end)
        *to++ = other->key < from->key ? *other++ : *from++;
    while (from < middle)
        *to++ = *from++;
    while (other < end)
        *to++ = *other++;
}

/* By runs that become longer. */
static void sort_some(keyed *all, keyed *spare, size_t count)
{
    keyed *from = all, *to = spare;
    for (size_t i = 0; i < count; i += FEW)
        sort_few(all + i, count - i < FEW ? count - i : FEW);
    for (size_t run = FEW; run < count; run *= 2) {
        for (size_t i = 0; i < count; i += 2 * run) {
            size_t middle = count - i < run ? count : i + run, end = count - i < 2 * run ? count : i + 2 * run;
            merge_runs(from + i, from + middle, from + end, to + i);
        }
        keyed *swap = from;
        from = to;
        to = swap;
    }
    if (from != all)
        memcpy(all, from, count * sizeof *all);
}

/* Sorts windows that are the same before a word. Depth: `words`, up to 64 paths of 25 bits: 32. */
static void sort_from(const windows *w, keyed *all, keyed *spare, size_t count, unsigned word)
{
    for (size_t i = 0; i < count && word; i++)
        all[i].key = packed_of(w, all[i].item)[word];
    if (count <= FEW)
        sort_few(all, count);
    else if (count < MANY)
        sort_some(all, spare, count);
    else
        sort_keys(all, spare, count, w->bits * w->each);
    for (size_t i = 0, end; i < count && word + 1 < w->words; i = end) {
        for (end = i + 1; end < count && all[end].key == all[i].key; end++)
            ;
        if (end - i > 1)
            sort_from(w, all + i, spare, end - i, word + 1);
    }
}

typedef struct sorting {
    windows *w;
    keyed *spare;
} sorting;

/* Windows from one first word to another. */
static void sort_part(void *own, size_t part)
{
    sorting *s = own;
    size_t first = s->w->begin[part], end = s->w->begin[part + 1];
    sort_from(s->w, s->w->order + first, s->spare + first, end - first, 0);
}

/* Puts the windows into as many parts as there are threads, by their first code. */
static void divide(windows *w, keyed *spare)
{
    unsigned shift = w->bits * (w->each - 1);
    size_t *start = memory_zero(w->from.codes + (size_t)2, sizeof *start), sum = 0, part = 0;
    for (size_t i = 0; i < w->from.count; i++)
        start[w->order[i].key >> shift]++;
    for (size_t code = 0; code <= w->from.codes; code++) {
        size_t here = start[code];
        while (part < w->parts && sum >= threads_first(w->from.count, w->parts, part))
            w->begin[part++] = sum;
        start[code] = sum;
        sum += here;
    }
    while (part <= w->parts)
        w->begin[part++] = sum;
    for (size_t i = 0; i < w->from.count; i++)
        spare[start[w->order[i].key >> shift]++] = w->order[i];
    free(start);
}

static void sort_windows(windows *w)
{
    w->bits = 32 - (unsigned)__builtin_clz(w->from.codes | 1);
    w->each = 64 / w->bits < w->k ? 64 / w->bits : w->k;
    w->words = (w->k + w->each - 1) / w->each;
    w->packed = memory_table(w->from.count * (w->words + 1) + 1, sizeof *w->packed);
    w->order = memory_grow(NULL, w->from.count + 1, sizeof *w->order);
    keyed *spare = memory_grow(NULL, w->from.count + 1, sizeof *spare);
    threads_run(w->parts, pack_part, w);
    divide(w, spare);
    sorting s = {w, w->order};
    w->order = spare;
    threads_run(w->parts, sort_part, &s);
    free(s.spare);
}

/* ---- step 2 ---- */

/* How many codes two windows begin with alike; of 0 too. */
static unsigned shared_codes(const windows *w, uint32_t a, uint32_t b)
{
    const uint64_t *x = packed_of(w, a), *y = packed_of(w, b);
    unsigned word = 0;
    while (word + 1 < w->words && x[word] == y[word])
        word++;
    uint64_t differ = x[word] ^ y[word];
    if (!differ)
        return w->k;
    unsigned above = (unsigned)__builtin_clzll(differ) - (64 - w->bits * w->each);
    return word * w->each + above / w->bits;
}

/* The paths of a window from the n-th on. */
static void paths_from(const windows *w, const uint64_t *packed, unsigned n, unsigned length, uint32_t *path)
{
    uint64_t mask = (UINT64_C(1) << w->bits) - 1;
    unsigned top = w->bits * (w->each - 1), word = n / w->each, below = top - n % w->each * w->bits;
    for (; n < length; n++) {
        path[n] = w->from.value[packed[word] >> below & mask];
        word += below == 0;
        below = below ? below - w->bits : top;
    }
}

typedef struct giving {
    const windows *w;
    sorted_windows to;
} giving;

static void give_block(void *own, size_t block)
{
    giving *g = own;
    const windows *w = g->w;
    size_t first = block * WINDOWS_AT_ONCE, end = first + WINDOWS_AT_ONCE;
    fresh_paths filled = {0};
    for (size_t i = first; i < end && i < w->from.count; i++) {
        if (i + AHEAD < w->from.count) {
            const uint64_t *ahead = packed_of(w, w->order[i + AHEAD].item);
            __builtin_prefetch(ahead);
            __builtin_prefetch(ahead + w->words);
        }
        const uint64_t *packed = packed_of(w, w->order[i].item);
        unsigned length = packed[w->words] & 255,
                 same = i ? shared_codes(w, w->order[i - 1].item, w->order[i].item) : 0;
        uint32_t path[PATHS_MAX];
        paths_from(w, packed, i == first ? 0 : same, length, path);
        sorted_windows_set(&g->to, &filled, i, path, length, same);
        g->to.sums[i + 1] = packed[w->words] >> 8;
    }
}

static sorted_windows give_windows(const windows *w, const uint32_t *rank)
{
    giving g = {w, sorted_windows_new(w->from.count, rank)};
    threads_run(sorted_windows_blocks(&g.to), give_block, &g);
    for (size_t i = 0; i < w->from.count; i++)
        g.to.sums[i + 1] += g.to.sums[i];
    return g.to;
}

sorted_windows windows_sorted(const kept_stream *s, unsigned k, const uint32_t *rank)
{
    windows w = {.s = s, .from = equal_windows_find(s, k, rank), .k = k, .parts = threads_count()};
    sort_windows(&w);
    sorted_windows to = give_windows(&w, rank);
    equal_windows_free(&w.from);
    free(w.packed);
    free(w.order);
    return to;
}

/* ---- windows in order ---- */

sorted_windows sorted_windows_new(size_t count, const uint32_t *rank)
{
    sorted_windows to = {.done = true, .rank = rank, .count = count};
    to.sums = memory_zero(count + 1, sizeof *to.sums);
    to.shared = memory_zero(count + 1, 1);
    to.length = memory_zero(count + 1, 1);
    to.fresh = memory_zero(sorted_windows_blocks(&to), sizeof *to.fresh);
    return to;
}

void sorted_windows_set(sorted_windows *w, fresh_paths *filled, size_t i, const uint32_t *path, unsigned length,
                        unsigned shared)
{
    unsigned known = i % WINDOWS_AT_ONCE ? shared : 0;
    uint32_t **fresh = &w->fresh[i / WINDOWS_AT_ONCE];
    w->length[i] = (uint8_t)length;
    w->shared[i] = (uint8_t)shared;
    if (known == length)
        return;
    *fresh = memory_room(*fresh, filled->count + (length - known) - 1, &filled->max, sizeof **fresh);
    memcpy(*fresh + filled->count, path + known, (length - known) * sizeof *path);
    filled->count += length - known;
}

void sorted_windows_free(sorted_windows *w)
{
    for (size_t i = 0; w->fresh && i < sorted_windows_blocks(w); i++)
        free(w->fresh[i]);
    free(w->fresh);
    free(w->sums);
    free(w->shared);
    free(w->length);
}
