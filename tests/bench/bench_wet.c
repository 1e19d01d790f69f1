/* SPDX-License-Identifier: MIT */
/* bench_wet X.wet...: how fast whole execution traces answer: tables 4 and 6 to 9 of the paper, one column per file
 * (the same run in tier 1 and tier 2). Each query opens the file again; the slices share what has been decoded. Seconds
 * are CPU seconds, so that other programs do not count. Without files it says how to make some (tests/bench/wet.sh
 * does). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/lib/check.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/open.h"
#include "tools/lib/wet/place.h"
#include "tools/lib/wet/slice.h"
#include "tools/lib/wet/slice_log.h"
#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/word.h"

enum { SLICES = 25, PART = 4096 };

static double read_clock(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static wet_file *open_or_end(const char *path)
{
    char message[512];
    wet_file *f = wet_file_open(path, message, sizeof message);
    if (!f) {
        printf("%s\n", message);
        exit(1);
    }
    return f;
}

static void close_file(wet_file *f)
{
    if (f->damaged)
        printf("DAMAGED\n");
    wet_file_close(f);
}

/* A query's result. words: words extracted, or instances of all slices. Slices: what was done once for all of them, in
 * seconds of all threads, of this one, and by the clock; and the longest of the others. */
typedef struct answer {
    uint64_t words;
    double seconds, once, own, wall, longest;
} answer;

static answer control(wet_file *f, bool backward)
{
    double start = now();
    answer a = {.words = wet_control_addresses(f, 1, UINT32_MAX, backward, NULL)};
    a.seconds = now() - start;
    return a;
}

static bool is_load(const wet_statement *s)
{
    return s->access_count == 1 && !s->accesses[0].store;
}

/* Whether a slot holds words of the kind: addresses, or values that were loaded. */
static bool is_of_kind(const wet_file *f, const wet_node *n, uint32_t operation, uint32_t slot, bool addresses)
{
    const wet_slot *s = wet_slot_at(n, f->statements, operation, slot);
    return s->kind == (addresses ? WET_ADDRESS : WET_VALUE) &&
           (addresses || is_load(&f->statements[n->statements[n->operation_statement[operation]]]));
}

/* Extracts all words of a slot; their sum. */
static uint32_t sum_of(wet_file *f, uint32_t node, uint32_t slot, uint32_t count)
{
    static uint32_t part[PART];
    uint32_t sum = 0;
    for (uint32_t at = 0; at < count; at += PART) {
        uint32_t size = count - at < PART ? count - at : PART;
        wet_words(f, node, slot, at, size, part);
        for (uint32_t k = 0; k < size; k++)
            sum += part[k];
    }
    return sum;
}

/* All words of a kind, node after node ("per instruction", as the paper has it). */
static answer words(wet_file *f, bool addresses)
{
    double start = now();
    answer a = {0};
    uint32_t sum = 0;
    for (uint32_t i = 0; i < f->node_count; i++) {
        const wet_node *n = &f->nodes[i].n;
        for (uint32_t slot = 0; slot < n->slot_count; slot++) {
            if (!is_of_kind(f, n, f->nodes[i].slot_operation[slot], slot, addresses))
                continue;
            sum += sum_of(f, i, slot, n->count);
            a.words += n->count;
        }
    }
    a.seconds = now() - start;
    __asm volatile("" : : "r"(sum)); /* so that the words are really computed */
    return a;
}

static answer slices(wet_file *f, bool forward)
{
    check_random random = {42};
    answer a = {.once = now(), .own = read_clock(CLOCK_THREAD_CPUTIME_ID), .wall = read_clock(CLOCK_MONOTONIC)};
    slice_log_reach(f, f->time);
    a.once = now() - a.once;
    a.own = read_clock(CLOCK_THREAD_CPUTIME_ID) - a.own;
    a.wall = read_clock(CLOCK_MONOTONIC) - a.wall;
    for (int i = 0; i < SLICES; i++) {
        uint32_t time = 1 + check_random_below(&random, f->time), low;
        const uint32_t *nodes, *instance;
        wet_control *c = wet_control_new(f, time, time, false);
        wet_instance at = {0, 0, 0};
        if (wet_control_next(c, &low, &nodes, &instance))
            at = (wet_instance){nodes[0], check_random_below(&random, f->nodes[nodes[0]].n.statement_count),
                                instance[0]};
        wet_control_free(c);
        double start = now();
        wet_slice *slice = wet_slice_run(f, (wet_start){at, 0}, forward, NULL, NULL);
        double took = now() - start;
        a.seconds += took;
        a.longest = took > a.longest ? took : a.longest;
        a.words += slice->instances;
        wet_slice_free(slice);
    }
    return a;
}

/* A row: the query on each file. */
static void rates(int count, char **paths, const char *table, const char *name, answer (*query)(wet_file *, bool),
                  bool which)
{
    for (int i = 0; i < count; i++) {
        wet_file *f = open_or_end(paths[i]);
        answer a = query(f, which);
        double mb = 4e-6 * (double)a.words;
        if (i == 0)
            printf("  %-10s %-22s %8.1f MB", table, name, mb);
        printf("   tier %d: %6.2f s %8.1f MB/s", f->tier, a.seconds, mb / a.seconds);
        close_file(f);
    }
    puts("");
}

static void slice_rates(int count, char **paths, const char *table, bool forward)
{
    for (int i = 0; i < count; i++) {
        wet_file *f = open_or_end(paths[i]);
        answer a = slices(f, forward);
        if (i == 0)
            printf("  %-10s %d slices %-10s mean %.1f million instances", table, SLICES,
                   forward ? "forward," : "backward,", 1e-6 * (double)a.words / SLICES);
        printf("   tier %d: edges found once, in %.2f s of all threads, %.2f of the first, %.2f by the clock; then "
               "mean %.3f s, longest %.2f s",
               f->tier, a.once, a.own, a.wall, a.seconds / SLICES, a.longest);
        close_file(f);
    }
    puts("");
}

/* Each branch, load and store gives one bit. */
static void history(const char *path)
{
    wet_file *f = open_or_end(path);
    uint64_t branches = 0, loads = 0, stores = 0;
    for (uint32_t i = 0; i < f->node_count; i++) {
        const wet_node *n = &f->nodes[i].n;
        for (uint32_t k = 0; k < n->statement_count; k++) {
            const wet_statement *s = &f->statements[n->statements[k]];
            branches += f->statics[s->instruction].insn.flow == THUMB_BRANCH ? n->count : 0;
            for (uint32_t j = 0; j < s->access_count; j++)
                *(s->accesses[j].store ? &stores : &loads) += n->count;
        }
    }
    printf("  table 4     a bit each: branches %.2f MB, loads %.2f MB, stores %.2f MB\n", (double)branches / 8e6,
           (double)loads / 8e6, (double)stores / 8e6);
    close_file(f);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        puts("give whole execution traces (made by `weft wet build`), or run tests/bench/wet.sh");
        return 0;
    }
    int count = argc - 1;
    history(argv[1]);
    rates(count, argv + 1, "table 6", "control flow forward", control, false);
    rates(count, argv + 1, "", "control flow backward", control, true);
    rates(count, argv + 1, "table 7", "values loaded", words, false);
    rates(count, argv + 1, "table 8", "addresses", words, true);
    slice_rates(count, argv + 1, "table 9", false);
    slice_rates(count, argv + 1, "", true);
    return 0;
}
