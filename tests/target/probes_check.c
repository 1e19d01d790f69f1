/* SPDX-License-Identifier: MIT */
/* A recording of probes as a debugger sees it (tools/lib/debug/subject.h), held against a full recording of the same
 * run.
 *
 *     probes_check APP.elf PROBES.weft FULL.weft [-v]
 *
 * pcs      each instant of a context is an instruction that executed in it, in the order of the instants: the
 *          emulator's instructions hold them as a subsequence. Those that a line alone tells are left out and counted.
 * paths    each call of a path probe that the emulator saw from the first one to the last is an instant
 * memory   where a path ends, the bytes that it announced are those that the emulator's memory holds
 * back     the instants, from the last one backwards, are the same
 *
 * Prints a line with the counts; exit status 1 if something differs. Thread mode is taken for one context. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/probes_words.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/full.h"

#define RAM 0x20000000u
#define RAM_SIZE (16u << 20)

typedef struct moment {
    debug_instant at;
    uint32_t pc;
    bool ends; /* the call of the probe that ends a path */
} moment;

typedef struct lane {
    moment *moments;
    size_t count, max, next;
} lane;

typedef struct announced {
    debug_instant at;
    uint32_t word;
    uint8_t bytes;
} announced;

static lane lanes[512];
static announced *all;
static size_t announced_count, announced_max;
static uint8_t *ram;
static bool verbose;
static uint64_t matched, ends, by_line, bytes_same, bytes_other, paths_missed;

static lane *lane_of(const probes_run *r, debug_instant at)
{
    uint32_t number = r->contexts[r->activations[r->pieces[at.window].activation].context].number;
    if (number >= VECTORS_THREAD) {
        puts("threads are not looked at here");
        exit(2);
    }
    return &lanes[number];
}

static uint64_t moments_gather(debug_subject *s, const probes_run *r)
{
    uint64_t count = 0;
    debug_instant at = s->first(s->own);
    do {
        const probes_piece *p = &r->pieces[at.window];
        const probes_plan *plan = r->plans[p->plan];
        count++;
        if (!plan->exact) {
            by_line++;
            continue;
        }
        lane *l = lane_of(r, at);
        l->moments = memory_room(l->moments, l->count, &l->max, sizeof *l->moments);
        l->moments[l->count++] = (moment){at, s->pc(s->own, at), p->from + at.step + 1 == plan->count};
    } while (s->next(s->own, &at));
    return count;
}

static bool same_backwards(debug_subject *s, uint64_t count)
{
    debug_instant at = s->last(s->own), before = at;
    for (count--; s->previous(s->own, &at); count--, before = at)
        if (debug_instant_compare(at, before) >= 0)
            return false;
    return count == 0 && debug_instant_compare(at, s->first(s->own)) == 0;
}

static int time_order(const void *a, const void *b)
{
    const announced *x = a, *y = b;
    return debug_instant_compare(x->at, y->at);
}

static void announced_gather(const probes_run *r)
{
    for (size_t i = 0; i < r->word_count; i++)
        for (uint32_t k = 0; k < r->words[i].count; k++) {
            const probes_entry *e = &r->words[i].entries[k];
            all = memory_room(all, announced_count, &announced_max, sizeof *all);
            all[announced_count++] = (announced){probes_entry_at(e), r->words[i].number, e->touched & e->known};
        }
    if (announced_count)
        qsort(all, announced_count, sizeof *all, time_order);
}

/* Compares memory while the emulator stands where a path ends. */
static void memory_compare(debug_subject *s, debug_instant at)
{
    announced wanted = {.at = {at.window, 0}};
    size_t low = 0, high = announced_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (time_order(&all[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < announced_count && all[low].at.window == at.window; low++)
        for (unsigned i = 0; i < 4; i++) {
            uint32_t address = all[low].word * 4 + i;
            uint8_t byte;
            if (!(all[low].bytes >> i & 1) || address - RAM >= RAM_SIZE || !s->memory(s->own, at, address, &byte, 1))
                continue;
            bytes_same += byte == ram[address - RAM];
            bytes_other += byte != ram[address - RAM];
            if (verbose && byte != ram[address - RAM])
                printf("# %u.%u: byte at 0x%08x is %02x, not %02x\n", at.window + 1, at.step, address,
                       ram[address - RAM], byte);
        }
}

static void executed(debug_subject *s, lane *l, const full_event *event, const uint8_t *is_end)
{
    uint32_t pc = event->instruction->pc;
    bool known = l->next < l->count;
    if (known && l->moments[l->next].pc == pc) {
        const moment *m = &l->moments[l->next++];
        matched++;
        if (m->ends && event->passed) {
            ends++;
            memory_compare(s, m->at);
        }
    } else if (known && l->next && event->passed && is_end[pc / 2]) {
        paths_missed++;
    }
    for (uint32_t i = 0; i < event->access_count; i++) {
        const full_access *a = &event->accesses[i];
        for (unsigned k = 0; a->store && k < a->size; k++)
            if (a->address + k - RAM < RAM_SIZE)
                ram[a->address + k - RAM] = (uint8_t)(a->value >> 8 * k);
    }
}

static bool follow(debug_subject *s, const char *path)
{
    char message[300];
    static full_event event;
    uint32_t context = 0;
    full_reader *reader = full_open(path, message, sizeof message);
    uint8_t *is_end = memory_zero(1 << 23, 1); /* code below 16 MB */
    for (unsigned c = 0; c < 512; c++)
        for (size_t i = 0; i < lanes[c].count; i++)
            if (lanes[c].moments[i].ends && lanes[c].moments[i].pc < 1 << 24)
                is_end[lanes[c].moments[i].pc / 2] = 1;
    while (reader && full_next(reader, &event) > 0)
        if (event.kind == FULL_EXCEPTION)
            context = event.to;
        else if (context < 512)
            executed(s, &lanes[context], &event, is_end);
    if (reader)
        full_close(reader);
    else
        puts(message);
    free(is_end);
    return reader != NULL;
}

int main(int argc, char **argv)
{
    char message[400] = "usage: probes_check APP.elf PROBES.weft FULL.weft [-v]";
    debug_subject *s = argc > 3 ? debug_subject_probes(argv[2], argv[1], message, sizeof message) : NULL;
    if (!s) {
        puts(message);
        return 2;
    }
    const probes_run *r = s->own;
    verbose = argc > 4;
    ram = memory_zero(RAM_SIZE, 1);
    uint64_t count = moments_gather(s, r);
    announced_gather(r);
    bool back = same_backwards(s, count);
    if (!follow(s, argv[3]))
        return 2;
    uint64_t left = 0;
    for (unsigned c = 0; c < 512; c++) {
        left += lanes[c].count - lanes[c].next;
        if (verbose && lanes[c].next < lanes[c].count)
            printf("# context %u: stuck at %u.%u, 0x%x\n", c, lanes[c].moments[lanes[c].next].at.window + 1,
                   lanes[c].moments[lanes[c].next].at.step, lanes[c].moments[lanes[c].next].pc);
    }
    printf("instants=%llu matched=%llu left=%llu by_line=%llu paths=%llu paths_missed=%llu bytes=%llu other=%llu "
           "back=%d\n",
           (unsigned long long)count, (unsigned long long)matched, (unsigned long long)left,
           (unsigned long long)by_line, (unsigned long long)ends, (unsigned long long)paths_missed,
           (unsigned long long)bytes_same, (unsigned long long)bytes_other, back);
    debug_subject_close(s);
    return left || paths_missed || bytes_other || !back;
}
