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

int main(void)
{
    static uint32_t tables[2 << BITS], misses[VALUES], out[4096];
    static uint8_t flags[VALUES / 2];
    puts("method       n  misses  forward Msteps/s  backward Msteps/s");
    for (unsigned method = 0; method < WEFT_BFCM_METHODS; method++)
        for (unsigned size = 0; size < WEFT_BFCM_SIZES; size++) {
            weft_bfcm b;
            weft_bfcm_config config = {method, weft_bfcm_contexts[method][size], BITS, tables, flags, VALUES, misses,
                                       VALUES};
            double forward = 0, backward = 0;
            weft_bfcm_init(&b, &config);
            for (unsigned i = 0; i < VALUES; i++)
                weft_bfcm_push(&b, method & 1 ? i * 4u : method == WEFT_BFCM_LAST ? 5 : i % 16u);
            size_t missed = b.left;
            for (unsigned round = 0; round < ROUNDS; round++) {
                double start = now();
                for (size_t i = 0; i < VALUES; i += 4096)
                    weft_bfcm_backward(&b, out, 4096);
                double middle = now();
                for (size_t i = 0; i < VALUES; i += 4096)
                    weft_bfcm_forward(&b, out, 4096);
                backward += middle - start;
                forward += now() - middle;
            }
            printf("%-11s %2u %7zu %17.0f %18.0f\n", weft_bfcm_names[method], config.context, missed,
                   1e-6 * VALUES * ROUNDS / forward, 1e-6 * VALUES * ROUNDS / backward);
        }
    return 0;
}
