/* SPDX-License-Identifier: MIT */
/* Logistic mixing (as in the PAQ programs): several opinions about a bit become one probability. An opinion is a logit,
 * log(p / (1 - p)), 256 to the unit; the mixture is their sum with weights, which learn from each bit. Integers
 * only. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_LOGISTIC_H
#define WEFT_TOOLS_LIB_GRAMMAR_LOGISTIC_H

#include <stdint.h>

enum { LOGIT_MAX = 2047, LOGIT_ONE = 256, WEIGHT_ONE = 65536 };

/* The probability, of 4096, of a logit: by pieces of straight lines. */
static inline int squash(int x)
{
    static const int16_t at[33] = {1,    2,    3,    6,    10,   16,   27,   45,   73,   120,  194,
                                   310,  488,  747,  1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785,
                                   3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094};
    if (x > LOGIT_MAX)
        return 4095;
    if (x < -LOGIT_MAX)
        return 1;
    int part = (x + 2048) >> 7, rest = (x + 2048) & 127;
    return (at[part] * (128 - rest) + at[part + 1] * rest + 64) >> 7;
}

/* The way back: logit[p] of each probability p of 4096. */
static inline void logistic_table(int16_t logit[4096])
{
    int next = 0;
    for (int x = -LOGIT_MAX; x <= LOGIT_MAX; x++)
        for (int p = squash(x); next <= p; next++)
            logit[next] = (int16_t)x;
    for (; next < 4096; next++)
        logit[next] = LOGIT_MAX;
}

static inline int logistic_mix(const int32_t *weight, const int32_t *input, unsigned inputs)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < inputs; i++)
        sum += (int64_t)input[i] * weight[i];
    sum /= WEIGHT_ONE;
    return sum > LOGIT_MAX ? LOGIT_MAX : sum < -LOGIT_MAX ? -LOGIT_MAX : (int)sum;
}

/* The mixture had the probability `was`, of 4096, and the bit came. `rate`: step of the weights, 6 to 8; larger:
 * faster, and less steady. */
static inline void logistic_learn(int32_t *weight, const int32_t *input, unsigned inputs, int was, unsigned bit,
                                  int rate)
{
    int error = ((int)(bit << 12) - was) * rate;
    for (unsigned i = 0; i < inputs; i++)
        weight[i] += (input[i] * error + 512) / 1024;
}

#endif
