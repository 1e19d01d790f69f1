/* SPDX-License-Identifier: MIT */
/* bench_wet X.wet...: how fast the queries of whole execution traces are: tables 6 to 9 of the paper. Without files it says
 * how to make some (tests/bench/wet.sh does). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/lib/check.h"
#include "tools/lib/wet_control.h"
#include "tools/lib/wet_place.h"
#include "tools/lib/wet_slice.h"
#include "tools/lib/wet_statement.h"

enum { SLICES = 25 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void control(wet_file *f, bool backward)
{
    double start = now();
    uint64_t count = wet_control_addresses(f, 1, UINT32_MAX, backward, NULL);
    double took = now() - start;
    printf("  control flow %-8s %8.1f MB %8.2f s %8.1f MB/s\n", backward ? "backward" : "forward", 4e-6 * (double)count,
           took, 4e-6 * (double)count / took);
}

static bool is_load(const wet_statement *s)
{
    return s->access_count == 1 && !s->accesses[0].store;
}

/* All words of a kind, node after node ("per instruction", as the paper has it). */
static void words(wet_file *f, const char *name, unsigned kind, bool loads_only)
{
    double start = now();
    uint64_t count = 0;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < f->node_count; i++) {
        const wet_node *n = &f->nodes[i].n;
        for (uint32_t slot = 0; slot < n->slot_count; slot++) {
            uint32_t operation = f->nodes[i].slot_operation[slot];
            const wet_slot *s = wet_slot_at(n, f->statements, operation, slot);
            if (s->kind != kind ||
                (loads_only && !is_load(&f->statements[n->statements[n->operation_statement[operation]]])))
                continue;
            for (uint32_t k = 0; k < n->count; k++)
                sum += wet_word(f, i, slot, k);
            count += n->count;
        }
    }
    double took = now() - start;
    printf("  %-21s %8.1f MB %8.2f s %8.1f MB/s   (sum %08x)\n", name, 4e-6 * (double)count, took,
           4e-6 * (double)count / took, sum);
}

static void slices(wet_file *f, bool forward)
{
    check_random random = {42};
    double total = 0, worst = 0;
    uint64_t instances = 0;
    for (int i = 0; i < SLICES; i++) {
        uint32_t time = 1 + check_random_below(&random, f->time), low;
        const uint32_t *nodes, *instance;
        wet_control *c = wet_control_new(f, time, time, false);
        wet_instance at = {0, 0, 0};
        if (wet_control_next(c, &low, &nodes, &instance))
            at = (wet_instance){nodes[0], check_random_below(&random, f->nodes[nodes[0]].n.statement_count), instance[0]};
        wet_control_free(c);
        double start = now();
        wet_slice *slice = wet_slice_run(f, at, forward, NULL, NULL);
        double took = now() - start;
        total += took;
        worst = took > worst ? took : worst;
        instances += slice->instances;
        wet_slice_free(slice);
    }
    printf("  %d slices %-8s    mean %.2f s, longest %.2f s, mean %.1f million instances\n", SLICES,
           forward ? "forward" : "backward", total / SLICES, worst, 1e-6 * (double)instances / SLICES);
}

static void file(const char *path)
{
    char message[512];
    double start = now();
    wet_file *f = wet_file_open(path, message, sizeof message);
    if (!f) {
        printf("%s\n", message);
        return;
    }
    printf("%s: tier %d, %llu statements, %.1f MB, opened in %.3f s\n", path, f->tier, (unsigned long long)f->executed,
           1e-6 * (double)f->size, now() - start);
    control(f, false);
    control(f, true);
    words(f, "values loaded", WET_VALUE, true);
    words(f, "addresses", WET_ADDRESS, false);
    slices(f, false);
    slices(f, true);
    if (f->damaged)
        printf("  DAMAGED\n");
    wet_file_close(f);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        puts("give whole execution traces (made by `weft wet build`), or run tests/bench/wet.sh");
    for (int i = 1; i < argc; i++)
        file(argv[i]);
    return 0;
}
