/* SPDX-License-Identifier: MIT */
/* What the models of coded.h and mix.h know of the numbers before, and where their tables keep predictions. Private to
 * the room. */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_PAST_H
#define WEFT_TOOLS_LIB_SQUEEZE_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PREDICTORS 3

/* A prediction, and how often it was right of late. */
typedef struct guess {
    uint32_t value, sure;
} guess;

typedef struct past {
    uint32_t value[6], stride[2]; /* the last one first */
    uint32_t outcomes;            /* two bits each: the predictor that was right, or 3 */
    uint32_t length;              /* of the last literal */
} past;

static inline uint32_t hash2(uint32_t a, uint32_t b)
{
    uint32_t x = a * 0x9e3779b1u + b * 0x85ebca6bu;
    return (x ^ x >> 15) * 0x2c1b3c6du;
}

/* By predictor: a hash, whose upper bits are the place in its table. */
static inline void past_places(const past *q, const bool symbols, uint32_t places[PREDICTORS])
{
    uint32_t near = hash2(q->value[0], symbols ? q->value[1] : 0);
    uint32_t b = symbols ? hash2(near, q->value[2]) : near;
    places[0] =
        symbols ? hash2(b, hash2(q->value[3], hash2(q->value[4], q->value[5]))) : hash2(q->value[0], q->value[1]);
    places[1] = b;
    places[2] = hash2(q->stride[0], q->stride[1]);
}

/* Step 1 of a model: where each predictor's prediction is. A table has 2^bits_max rows, of which
 * 2^bits are in use. */
static inline void past_guesses(const past *q, const bool symbols, guess *tables, const unsigned bits_max,
                                unsigned bits, guess *guesses[PREDICTORS])
{
    uint32_t places[PREDICTORS];
    past_places(q, symbols, places);
    for (unsigned i = 0; i < PREDICTORS; i++)
        guesses[i] = &tables[((size_t)i << bits_max) + (places[i] >> (32 - bits))];
}

static inline void past_add(past *q, const bool symbols, unsigned outcome, uint32_t value)
{
    uint32_t stride = value - q->value[0];
    q->outcomes = q->outcomes << 2 | outcome;
    if (symbols) {
        for (unsigned i = 5; i > 1; i--)
            q->value[i] = q->value[i - 1];
    }
    q->value[1] = q->value[0];
    q->value[0] = value;
    q->stride[1] = q->stride[0];
    q->stride[0] = stride;
}

/* Step 4: all tables learn, each prediction by guess_learn. */
static inline __attribute__((always_inline)) void past_learn(past *q, const bool symbols,
                                                             guess *const guesses[PREDICTORS], unsigned outcome,
                                                             uint32_t value, void (*guess_learn)(guess *, uint32_t))
{
    guess_learn(guesses[0], value);
    guess_learn(guesses[1], value);
    if (!symbols)
        guess_learn(guesses[2], value - q->value[0]);
    past_add(q, symbols, outcome, value);
}

#endif
