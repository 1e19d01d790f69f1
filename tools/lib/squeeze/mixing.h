/* SPDX-License-Identifier: MIT */
/* A bit whose probability is mixed from three counters. Private to the room.
 *
 * Each counter's probability p becomes logit(p) = ln(p / (1 - p)) * 256; these are weighted and added, and squash
 * turns the sum back. The weights then move to where they would have been less wrong. */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_MIXING_H
#define WEFT_TOOLS_LIB_SQUEEZE_MIXING_H

#include "tools/lib/squeeze/arithmetic.h"

#define MIXING_INPUTS 3
#define MIXING_WEIGHT 22000 /* at first, of 65536 */
#define MIXING_RATE 16      /* of weights. More: quicker, noisier */

typedef struct weights {
    int32_t of[MIXING_INPUTS];
} weights;

typedef struct mixing {
    int16_t logit[4096];
    uint32_t share[COUNTER_SHARES];
} mixing;

/* x is at most 2047 and at least -2047; from 1 to 4095. */
static inline int mixing_squash(int x)
{
    /* 4096 / (1 + e^-x) at x = -8, -7.5, ..., 8. */
    static const int16_t at[33] = {1,    2,    4,    6,    10,   17,   27,   45,   74,   120,  194,
                                   311,  488,  747,  1102, 1546, 2048, 2550, 2994, 3349, 3608, 3785,
                                   3902, 3976, 4022, 4051, 4069, 4079, 4086, 4090, 4092, 4094, 4095};
    int part = x & 127, below = (x >> 7) + 16;
    return x >= 2047 ? 4095 : x <= -2047 ? 1 : (at[below] * (128 - part) + at[below + 1] * part + 64) >> 7;
}

static inline void mixing_make(mixing *m)
{
    int at = 0;
    for (int x = -2047; x <= 2047; x++)
        for (int p = mixing_squash(x); at <= p; at++)
            m->logit[at] = (int16_t)x;
    counter_shares(m->share);
}

static inline void weights_set(weights *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        all[i] = (weights){{MIXING_WEIGHT, MIXING_WEIGHT, MIXING_WEIGHT}};
}

static inline bool mixing_bit(const mixing *m, arithmetic *c, const bool decode, bool bit,
                              uint32_t *const counters[MIXING_INPUTS], weights *w)
{
    int32_t x[MIXING_INPUTS];
    int64_t sum = 0;
    for (unsigned i = 0; i < MIXING_INPUTS; i++) {
        x[i] = m->logit[*counters[i] >> 20];
        sum += (int64_t)x[i] * w->of[i];
    }
    sum >>= 16;
    int p = mixing_squash(sum > 2047 ? 2047 : sum < -2047 ? -2047 : (int)sum);
    bit = arithmetic_bit(c, decode, bit, (uint32_t)p, 12);
    int32_t error = ((bit ? 4096 : 0) - p) * MIXING_RATE;
    for (unsigned i = 0; i < MIXING_INPUTS; i++) {
        w->of[i] += (x[i] * error + 0x8000) >> 16;
        counter_learn(m->share, counters[i], bit);
    }
    return bit;
}

#endif
