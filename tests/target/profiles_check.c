/* SPDX-License-Identifier: MIT */
/* From what the emulator saw at the probes (a WATCH file of `weft capture --watch`), without the trace and the ELF:
 *
 *     profiles_check stream C WATCH >PATHS    the path numbers of context C, in order, as little-endian 32-bit values;
 *                                             of all contexts if C is -1 (an interrupt that comes while a probe is on
 *                                             its way is rightly recorded before the interrupted path, but stands after
 *                                             it here)
 *     profiles_check contexts WATCH           the contexts that have paths, a line each
 *     profiles_check ngrams K WATCH           COUNT tab PATH..., sorted as `weft paths -k K` does
 *
 * n-grams are counted for each activation. An activation is the 16 bytes that a probe was given; it is a new one when
 * the program itself has written there. The counts are plain ones: a table of all n-grams. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/qemu/probes.h"

/* In the order of `weft capture` (tools/weft/capture.c). */
enum { CALL_PATH, CALL_KPATH, CALL_KPATH_EXIT };
enum { K_MAX = 32, TABLE = 1 << 22, LIVE = 1 << 12 };

typedef struct ngram {
    uint64_t count;
    uint32_t length, path[K_MAX];
} ngram;

static ngram *table[TABLE];
static size_t ngrams;

static void count_ngram(const uint32_t *path, unsigned length)
{
    uint64_t hash = length;
    for (unsigned i = 0; i < length; i++)
        hash = (hash ^ path[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    size_t slot = hash & (TABLE - 1);
    while (table[slot] && (table[slot]->length != length || memcmp(table[slot]->path, path, length * sizeof *path)))
        slot = (slot + 1) & (TABLE - 1);
    if (!table[slot]) {
        if (++ngrams > TABLE / 2 || !(table[slot] = calloc(1, sizeof **table)))
            exit(2);
        table[slot]->length = length;
        memcpy(table[slot]->path, path, length * sizeof *path);
    }
    table[slot]->count++;
}

/* The last paths of an activation, oldest first. */
typedef struct activation {
    uint32_t address, last[K_MAX];
    unsigned count;
} activation;

static activation live[LIVE];
static unsigned live_count;

static activation *activation_at(uint32_t address)
{
    for (unsigned i = 0; i < live_count; i++)
        if (live[i].address == address)
            return live + i;
    if (live_count == LIVE)
        exit(2);
    live[live_count] = (activation){.address = address};
    return live + live_count++;
}

static void push(activation *a, uint32_t path, unsigned k)
{
    if (a->count == k) {
        memmove(a->last, a->last + 1, (k - 1) * sizeof *a->last);
        a->count--;
    }
    a->last[a->count++] = path;
    for (unsigned length = 1; length <= a->count; length++)
        count_ngram(a->last + a->count - length, length);
}

/* A store ends all activations whose bytes it overlaps. */
static void stored(uint32_t address, uint32_t size)
{
    for (unsigned i = live_count; i-- > 0;)
        if (address < live[i].address + 16 && live[i].address < address + size)
            live[i] = live[--live_count];
}

static int by_path(const void *left, const void *right)
{
    const ngram *l = *(ngram *const *)left, *r = *(ngram *const *)right;
    for (unsigned i = 0; i < l->length && i < r->length; i++)
        if (l->path[i] != r->path[i])
            return l->path[i] < r->path[i] ? -1 : 1;
    return (l->length > r->length) - (l->length < r->length);
}

static void print_ngrams(void)
{
    size_t count = 0;
    for (size_t i = 0; i < TABLE; i++)
        if (table[i])
            table[count++] = table[i];
    qsort(table, count, sizeof *table, by_path);
    for (size_t i = 0; i < count; i++) {
        printf("%llu\t", (unsigned long long)table[i]->count);
        for (unsigned p = 0; p < table[i]->length; p++)
            printf(p ? " %u" : "%u", table[i]->path[p]);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    static bool seen[1 << 16];
    bool ngram_mode = argc == 4 && !strcmp(argv[1], "ngrams");
    bool list_mode = argc == 3 && !strcmp(argv[1], "contexts");
    unsigned k = ngram_mode ? (unsigned)atoi(argv[2]) : 0;
    int context = argc == 4 && !ngram_mode ? atoi(argv[2]) : -1;
    FILE *file = argc >= 3 ? fopen(argv[argc - 1], "rb") : NULL;
    if (!file || k > K_MAX || (ngram_mode && !k))
        return 2;
    for (probe_record r; fread(&r, sizeof r, 1, file) == 1;) {
        if (r.kind == PROBE_STORE)
            stored(r.values[0], r.what);
        if (r.kind != PROBE_CALL || r.what > CALL_KPATH_EXIT)
            continue;
        if (ngram_mode && r.what != CALL_PATH)
            push(activation_at(r.values[1]), r.values[0], k);
        else if (list_mode && !seen[r.context])
            printf("%u\n", r.context);
        else if (!ngram_mode && !list_mode && (context < 0 || context == r.context))
            fwrite(&r.values[0], 4, 1, stdout);
        seen[r.context] = true;
    }
    if (ngram_mode)
        print_ngrams();
    return fflush(stdout) ? 1 : 0;
}
