/* SPDX-License-Identifier: MIT */
/* 1. Paths get codes, from 1 on, in their order; 0 is an activation's end, which stands before all.
 * 2. Equal windows are found by open addressing. The hash of a window follows from that of the one before:
 *        h(i) = sum of m(code[i + n]) B^(k - 1 - n),   h(i + 1) = (h(i) - m(code[i]) B^(k - 1)) B + m(code[i + k])
 *    Each thread takes the windows whose hash is its own. A slot is asked for some windows ahead, so that the processor
 *    need not wait for memory.
 * 3. The different windows are packed into words, the first path in the highest bits, and sorted by their first word;
 *    then those with the same first word by the second one, and so on.
 * 4. What a window shares with the one before is read from the words. */
#include "tools/lib/profile/sequences_windows.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/base/threads.h"

/* A window, by its first place in the stream. */
typedef struct window_slot {
    uint32_t first, tag;
    uint32_t count;  /* 0: a free slot */
    uint32_t number; /* of its part's windows, by their first places */
} window_slot;

typedef struct slots {
    window_slot *all;
    size_t mask, used;
} slots;

typedef struct keyed {
    uint64_t key;
    uint32_t item;
} keyed;

typedef struct windows {
    const kept_stream *s;
    unsigned k;
    uint32_t *code;  /* of the paths */
    uint32_t *value; /* the path of each code */
    uint32_t codes;
    uint8_t *length; /* of the window that begins at each path */
    size_t parts;
    slots found[THREADS_MAX];
    window_slot *window; /* the different ones */
    size_t count;
    unsigned bits, each, words; /* of a code; codes in a word; words of a window's codes */
    uint64_t *packed;           /* of each window: its codes; then its count, and in the lowest 8 bits its length */
    keyed *order;
    size_t begin[THREADS_MAX + 1]; /* of the parts that are sorted further by one thread each */
} windows;

/* ---- step 1 ---- */

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static void find_codes(windows *w, const uint32_t *rank)
{
    dense d = dense_of(w->s->paths, w->s->count);
    keyed *order = memory_grow(NULL, d.alphabet + (size_t)1, sizeof *order);
    uint32_t *code = memory_grow(NULL, d.alphabet + (size_t)1, sizeof *code);
    w->code = d.text;
    w->codes = d.alphabet;
    w->value = memory_grow(NULL, d.alphabet + (size_t)1, sizeof *w->value);
    for (uint32_t i = 0; i < d.alphabet; i++)
        order[i] = (keyed){rank ? rank[d.symbols[i]] : d.symbols[i], i};
    if (d.alphabet)
        qsort(order, d.alphabet, sizeof *order, by_key);
    for (uint32_t i = 0; i < d.alphabet; i++) {
        code[order[i].item] = i + 1;
        w->value[i + 1] = d.symbols[order[i].item];
    }
    for (size_t i = 0; i < w->s->count; i++)
        w->code[i] = code[w->code[i]];
    free(order);
    free(code);
    free(d.symbols);
}

static void find_lengths(windows *w)
{
    const kept_stream *s = w->s;
    size_t end = s->count, start = s->start_count;
    w->length = memory_grow(NULL, s->count + 1, 1);
    for (size_t i = s->count; i-- > 0;) {
        w->length[i] = (uint8_t)(end - i < w->k ? end - i : w->k);
        while (start && s->starts[start - 1] > i)
            start--;
        if (start && s->starts[start - 1] == i)
            end = i;
    }
}

/* ---- step 2 ---- */

enum { AHEAD = 32 /* windows that are looked up at once : 8 to 128 */ };
#define BASE 0x9e3779b97f4a7c15u

static inline uint64_t mixed(uint32_t code)
{
    uint64_t m = code * (uint64_t)0xd6e8feb86659fd93u;
    return m ^ m >> 32;
}

static uint64_t hash_of(const windows *w, size_t at, unsigned length, uint64_t sum)
{
    if (length < w->k) { /* as if codes of 0 came after it */
        sum = 0;
        for (unsigned n = 0; n < w->k; n++)
            sum = sum * BASE + (n < length ? mixed(w->code[at + n]) : 0);
    }
    sum *= 0xff51afd7ed558ccdu;
    return sum ^ sum >> 32;
}

static void put_slot(slots *t, window_slot one)
{
    size_t at = one.tag & t->mask;
    while (t->all[at].count)
        at = (at + 1) & t->mask;
    t->all[at] = one;
}

static void make_room(slots *t)
{
    slots old = *t;
    if (2 * (t->used + AHEAD) <= t->mask + 1 && t->all)
        return;
    t->mask = t->all ? 2 * t->mask + 1 : 4095;
    t->all = memory_table(t->mask + 1, sizeof *t->all);
    for (size_t i = 0; old.all && i <= old.mask; i++)
        if (old.all[i].count)
            put_slot(t, old.all[i]);
    free(old.all);
}

static bool same_window(const windows *w, uint32_t a, uint32_t b)
{
    return w->length[a] == w->length[b] && !memcmp(w->code + a, w->code + b, w->length[a] * sizeof *w->code);
}

static void count_window(const windows *w, slots *t, uint32_t first, uint32_t tag)
{
    size_t at = tag & t->mask;
    while (t->all[at].count && (t->all[at].tag != tag || !same_window(w, t->all[at].first, first)))
        at = (at + 1) & t->mask;
    if (!t->all[at].count) {
        t->all[at] = (window_slot){first, tag, 0, (uint32_t)t->used++};
    }
    t->all[at].count++;
}

static void count_ahead(const windows *w, slots *t, const window_slot *ahead, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const window_slot *slot = &t->all[ahead[i].tag & t->mask];
        if (slot->tag == ahead[i].tag)
            __builtin_prefetch(w->code + slot->first);
    }
    for (unsigned i = 0; i < count; i++)
        count_window(w, t, ahead[i].first, ahead[i].tag);
}

/* The part's share of all windows. */
static void count_part(void *own, size_t part)
{
    windows *w = own;
    slots *t = &w->found[part];
    window_slot ahead[AHEAD];
    unsigned waiting = 0;
    uint64_t sum = 0, power = 1;
    for (unsigned n = 0; n < w->k; n++) {
        sum = sum * BASE + (n < w->s->count ? mixed(w->code[n]) : 0);
        power *= n ? BASE : 1;
    }
    make_room(t);
    for (size_t i = 0; i < w->s->count; i++) {
        uint64_t hash = hash_of(w, i, w->length[i], sum), next = i + w->k < w->s->count ? mixed(w->code[i + w->k]) : 0;
        sum = (sum - mixed(w->code[i]) * power) * BASE + next;
        if ((hash >> 40) % w->parts != part)
            continue;
        ahead[waiting] = (window_slot){(uint32_t)i, (uint32_t)hash, 0, 0};
        __builtin_prefetch(&t->all[ahead[waiting++].tag & t->mask]);
        if (waiting < AHEAD)
            continue;
        count_ahead(w, t, ahead, waiting);
        make_room(t);
        waiting = 0;
    }
    count_ahead(w, t, ahead, waiting);
}

static void gather(windows *w)
{
    size_t first = 0;
    for (size_t part = 0; part < w->parts; part++)
        w->count += w->found[part].used;
    w->window = memory_grow(NULL, w->count + 1, sizeof *w->window);
    for (size_t part = 0; part < w->parts; part++) {
        const slots *t = &w->found[part];
        for (size_t i = 0; i <= t->mask; i++)
            if (t->all[i].count)
                w->window[first + t->all[i].number] = t->all[i];
        first += t->used;
        free(t->all);
    }
}

/* ---- step 3 ---- */

static inline const uint64_t *packed_of(const windows *w, uint32_t item)
{
    return w->packed + (size_t)item * (w->words + 1);
}

static void pack_part(void *own, size_t part)
{
    windows *w = own;
    for (size_t i = threads_first(w->count, w->parts, part); i < threads_first(w->count, w->parts, part + 1); i++) {
        const uint32_t *code = w->code + w->window[i].first;
        uint64_t *packed = w->packed + i * (w->words + 1);
        unsigned length = w->length[w->window[i].first];
        for (unsigned n = 0, word = 0; word < w->words; word++) {
            packed[word] = 0;
            for (unsigned each = 0; each < w->each; each++, n++)
                packed[word] = packed[word] << w->bits | (n < length ? code[n] : 0);
        }
        packed[w->words] = (uint64_t)w->window[i].count << 8 | length;
        w->order[i] = (keyed){packed[0], (uint32_t)i};
    }
}

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

/* Sorts windows that are the same before a word. Depth: `words`, up to 64 paths of 25 bits: 32. */
static void sort_from(const windows *w, keyed *all, keyed *spare, size_t count, unsigned word)
{
    enum { FEW = 24, MANY = 1024 };
    for (size_t i = 0; i < count && word; i++)
        all[i].key = packed_of(w, all[i].item)[word];
    if (count <= FEW)
        sort_few(all, count);
    else if (count < MANY)
        qsort(all, count, sizeof *all, by_key);
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
    size_t *start = memory_zero(w->codes + (size_t)2, sizeof *start), sum = 0, part = 0;
    for (size_t i = 0; i < w->count; i++)
        start[w->order[i].key >> shift]++;
    for (size_t code = 0; code <= w->codes; code++) {
        size_t here = start[code];
        while (part < w->parts && sum >= threads_first(w->count, w->parts, part))
            w->begin[part++] = sum;
        start[code] = sum;
        sum += here;
    }
    while (part <= w->parts)
        w->begin[part++] = sum;
    for (size_t i = 0; i < w->count; i++)
        spare[start[w->order[i].key >> shift]++] = w->order[i];
    free(start);
}

static void sort_windows(windows *w)
{
    w->bits = 32 - (unsigned)__builtin_clz(w->codes | 1);
    w->each = 64 / w->bits < w->k ? 64 / w->bits : w->k;
    w->words = (w->k + w->each - 1) / w->each;
    w->packed = memory_grow(NULL, w->count * (w->words + 1) + 1, sizeof *w->packed);
    w->order = memory_grow(NULL, w->count + 1, sizeof *w->order);
    keyed *spare = memory_grow(NULL, w->count + 1, sizeof *spare);
    threads_run(w->parts, pack_part, w);
    divide(w, spare);
    sorting s = {w, w->order};
    w->order = spare;
    threads_run(w->parts, sort_part, &s);
    free(s.spare);
}

/* ---- step 4 ---- */

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

static uint32_t code_at(const windows *w, const uint64_t *packed, unsigned n)
{
    unsigned below = (w->each - 1 - n % w->each) * w->bits;
    return (uint32_t)(packed[n / w->each] >> below & ((UINT64_C(1) << w->bits) - 1));
}

static sorted_windows give_windows(const windows *w, const uint32_t *rank)
{
    sorted_windows to = {.done = true, .rank = rank, .count = w->count};
    to.sums = memory_zero(w->count + 1, sizeof *to.sums);
    to.shared = memory_zero(w->count + 1, 1);
    to.length = memory_zero(w->count + 1, 1);
    for (size_t i = 0; i < w->count; i++) {
        if (i + AHEAD < w->count)
            __builtin_prefetch(packed_of(w, w->order[i + AHEAD].item));
        const uint64_t *packed = packed_of(w, w->order[i].item);
        unsigned length = packed[w->words] & 255, same = 0;
        if (i)
            same = shared_codes(w, w->order[i - 1].item, w->order[i].item);
        to.sums[i + 1] = to.sums[i] + (packed[w->words] >> 8);
        to.length[i] = (uint8_t)length;
        to.shared[i] = (uint8_t)same;
        to.fresh = memory_room(to.fresh, to.fresh_count + length - same, &to.fresh_max, sizeof *to.fresh);
        for (unsigned n = same; n < length; n++)
            to.fresh[to.fresh_count++] = w->value[code_at(w, packed, n)];
    }
    return to;
}

sorted_windows windows_sorted(const kept_stream *s, unsigned k, const uint32_t *rank)
{
    windows w = {.s = s, .k = k, .parts = threads_count()};
    find_codes(&w, rank);
    find_lengths(&w);
    threads_run(w.parts, count_part, &w);
    gather(&w);
    sort_windows(&w);
    sorted_windows to = give_windows(&w, rank);
    free(w.code);
    free(w.value);
    free(w.length);
    free(w.window);
    free(w.packed);
    free(w.order);
    return to;
}
