/* SPDX-License-Identifier: MIT */
/* The work of the windowed detector is bounded. Its sources are compiled for this program so that each of their basic
 * blocks is counted. */
#include <math.h>

#include "core/loopnest.h"
#include "tests/lib/check.h"
#include "tests/lib/hostile.h"

enum { INPUT_MAX = 200000, OUT_MAX = 6 * INPUT_MAX, WINDOW_MAX = 2048 };

static uint32_t input[INPUT_MAX];
static uint8_t out_bytes[OUT_MAX];
static weft_loopnest_term terms[WINDOW_MAX];
static uint16_t buckets[2 * WINDOW_MAX];

static uint64_t steps;
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    steps++;
}

/* Steps are basic blocks: about 20 for the term that is closed, 3 per earlier term in its bucket, 2 per byte compared.
 * By the bound in core/loopnest.h, with symbols of at most 3 bytes here, there are W/2 and W/2 (1 + ln W/2) of these.
 * Copying is not counted. */
static void hostile_strings_take_bounded_work(void)
{
    for (unsigned kind = 0; kind < HOSTILE_KINDS; kind++) {
        hostile(input, kind, INPUT_MAX);
        for (uint32_t window = 8; window <= 2048; window *= 4) {
            weft_loopnest_config config = {terms, window, buckets, 2 * window, window, kind == HOSTILE_TOO_DEEP ? 1 : 8,
                                           0};
            weft_loopnest nest;
            weft_writer out;
            CHECK_EQ(weft_loopnest_init(&nest, &config), WEFT_OK);
            weft_writer_init(&out, out_bytes, OUT_MAX);
            steps = 0;
            for (size_t i = 0; i < INPUT_MAX; i++)
                CHECK_EQ(weft_loopnest_push(&nest, input[i], &out), WEFT_OK);
            double half = window / 2, bound = 40 + half * (3 + 2 * 3 * (1 + log(half)));
            CHECK(steps > 0 && (double)steps / INPUT_MAX <= bound);
        }
    }
}

int main(void)
{
    RUN(hostile_strings_take_bounded_work);
    return check_failed();
}
