/* SPDX-License-Identifier: MIT */
/* Steps per CPU second of each predictor in each direction on a predictable stream, and its misses. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/bfcm.h"

enum { VALUES = 1 << 20, BITS = 12, ROUNDS = 20 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct seconds {
    double forward, backward;
} seconds;

/* All values, backward and forward again. */
static void time_round(weft_bfcm *b, seconds *took)
{
    static uint32_t out[4096];
    double start = now();
    for (size_t i = 0; i < VALUES; i += WEFT_COUNT(out))
        weft_bfcm_backward(b, out, WEFT_COUNT(out));
    double middle = now();
    for (size_t i = 0; i < VALUES; i += WEFT_COUNT(out))
        weft_bfcm_forward(b, out, WEFT_COUNT(out));
    took->backward += middle - start;
    took->forward += now() - middle;
}

static void bench(unsigned method, unsigned context)
{
    static uint32_t tables[2 << BITS], misses[VALUES];
    static uint8_t flags[VALUES / 2];
    weft_bfcm b;
    weft_bfcm_config config = {method, context, BITS, tables, flags, VALUES, misses, VALUES};
    seconds took = {0};
    weft_bfcm_init(&b, &config);
    for (unsigned i = 0; i < VALUES; i++)
        weft_bfcm_push(&b, method & 1 ? i * 4u : method == WEFT_BFCM_LAST ? 5 : i % 16u);
    size_t missed = b.left;
    for (unsigned round = 0; round < ROUNDS; round++)
        time_round(&b, &took);
    printf("%-11s %2u %7zu %17.0f %18.0f\n", weft_bfcm_names[method], context, missed,
           1e-6 * VALUES * ROUNDS / took.forward, 1e-6 * VALUES * ROUNDS / took.backward);
}

int main(void)
{
    puts("method       n  misses  forward Msteps/s  backward Msteps/s");
    for (unsigned method = 0; method < WEFT_BFCM_METHODS; method++)
        for (unsigned size = 0; size < WEFT_BFCM_SIZES; size++)
            bench(method, weft_bfcm_contexts[method][size]);
    return 0;
}
