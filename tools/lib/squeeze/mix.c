/* SPDX-License-Identifier: MIT */
/* For each number:
 *   1  tables predict the number (past_guesses)
 *   2  was each of the predictions right? (decisions)
 *   3  if none was: the number itself (literal, symbol)
 *   4  all tables learn (past_learn) */
#include "tools/lib/squeeze/mix.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/squeeze/mixing.h"
#include "tools/lib/squeeze/past.h"

#define TABLE_BITS_MAX 16 /* log2 of a table's rows. More: better on long blocks, slower on all */
#define TABLE_BITS_MIN 8
#define SURE_MAX 3u /* confidence of a prediction, at most */

struct squeeze_mixer {
    mixing mixing;
    arithmetic c;
    unsigned bits; /* log2 of the tables' rows, for this block */
    guess tables[PREDICTORS << TABLE_BITS_MAX];
    uint32_t sure[PREDICTORS][8192], past[PREDICTORS][256], near[1u << TABLE_BITS_MAX];
    weights decision[PREDICTORS][16];
    uint32_t lengths[33 * 64], tops[33 * 8], lows[33 * 32];
    uint32_t order0[256], order1[65536], order2[1u << TABLE_BITS_MAX];
    weights node[256];
};

squeeze_mixer *squeeze_mixer_new(void)
{
    squeeze_mixer *m = memory_zero(1, sizeof *m);
    mixing_make(&m->mixing);
    return m;
}

void squeeze_mixer_free(squeeze_mixer *m)
{
    free(m);
}

static void mixer_start(squeeze_mixer *m, unsigned shape, size_t count)
{
    m->bits = TABLE_BITS_MIN;
    while (m->bits < TABLE_BITS_MAX && (size_t)1 << m->bits < 2 * count)
        m->bits++;
    for (unsigned i = 0; i < PREDICTORS; i++) {
        memset(m->tables + ((size_t)i << TABLE_BITS_MAX), 0, sizeof *m->tables << m->bits);
        counters_set(m->sure[i], 8192);
        counters_set(m->past[i], 256);
        weights_set(m->decision[i], 16);
    }
    counters_set(m->near, (size_t)1 << m->bits);
    if (shape == SQUEEZE_SYMBOLS) {
        counters_set(m->order0, 256);
        counters_set(m->order1, 65536);
        counters_set(m->order2, (size_t)1 << m->bits);
        weights_set(m->node, 256);
    } else {
        counters_set(m->lengths, sizeof m->lengths / 4);
        counters_set(m->tops, sizeof m->tops / 4);
        counters_set(m->lows, sizeof m->lows / 4);
    }
}

/* Codes a bit with one counter. */
static inline bool plain_bit(squeeze_mixer *m, uint32_t *counter)
{
    uint32_t p = *counter >> 20;
    bool bit = arithmetic_bit(&m->c, true, false, p < 1 ? 1 : p, 12);
    counter_learn(m->mixing.share, counter, bit);
    return bit;
}

/* Codes a bit with three counters. */
static inline bool mixed_bit(squeeze_mixer *m, uint32_t *const counters[MIXING_INPUTS], weights *w)
{
    return mixing_bit(&m->mixing, &m->c, true, false, counters, w);
}

/* ---- the model ---- */

/* Step 2. Returns the predictor that was right, and *value; PREDICTORS if none was. */
static inline unsigned decisions(squeeze_mixer *m, const past *q, const bool symbols, guess *const guesses[PREDICTORS],
                                 uint32_t *value)
{
    const unsigned count = symbols ? 2 : 3;
    uint32_t p[PREDICTORS] = {guesses[0]->value, guesses[1]->value, q->value[0] + guesses[2]->value};
    uint32_t equal = (p[0] == p[1] ? 1u : 0) | (p[1] == p[2] ? 2u : 0) | (p[0] == p[2] ? 4u : 0);
    uint32_t sure = (guesses[0]->sure * 4 + guesses[1]->sure) * 4 + (symbols ? 0 : guesses[2]->sure);
    uint32_t near = hash2(q->value[0], symbols ? q->value[1] : 0);
    for (unsigned i = 0; i < count; i++) {
        if ((i == 1 && p[1] == p[0]) || (i == 2 && (p[2] == p[1] || p[2] == p[0])))
            continue;
        uint32_t *const counters[MIXING_INPUTS] = {&m->sure[i][(sure * 8 + equal) * 16 + (q->outcomes & 15)],
                                                   &m->past[i][q->outcomes & 255],
                                                   &m->near[(near + i * 0x9e3779b1u) >> (32 - m->bits)]};
        if (mixed_bit(m, counters, &m->decision[i][q->outcomes & 15])) {
            *value = p[i];
            return i;
        }
    }
    return PREDICTORS;
}

/* Step 3, words: the count of bits after the last literal's, the three below the leading one together, the rest one by
 * one. */
static inline uint32_t literal(squeeze_mixer *m, past *q)
{
    unsigned node = 1;
    for (int i = 5; i >= 0; i--)
        node = node * 2 + plain_bit(m, &m->lengths[q->length * 64 + node]);
    unsigned length = node & 63;
    if (length > 32) /* only in damaged files */
        length = 32;
    q->length = length;
    uint32_t got = length ? 1 : 0;
    for (unsigned left = length ? length - 1 : 0, done = 0; left; left--, done++) {
        uint32_t *counter = done < 3 ? &m->tops[length * 8 + (got & ((1u << done) - 1)) + (1u << done) - 1]
                                     : &m->lows[(length - 1) * 32 + left - 1];
        got = got * 2 + plain_bit(m, counter);
    }
    return got;
}

/* Step 3, symbols. */
static inline uint32_t symbol(squeeze_mixer *m, const past *q)
{
    uint32_t node = 1, second = hash2(q->value[0], q->value[1]), *first = &m->order1[(q->value[0] & 255) << 8];
    for (int i = 7; i >= 0; i--) {
        uint32_t *const counters[MIXING_INPUTS] = {&m->order0[node], &first[node],
                                                   &m->order2[(second + node * 0x9e3779b1u) >> (32 - m->bits)]};
        node = node * 2 + mixed_bit(m, counters, &m->node[node]);
    }
    return node & 255;
}

/* Step 4, for one prediction. */
static inline void guess_learn(guess *g, uint32_t value)
{
    if (g->value == value) {
        g->sure += g->sure < SURE_MAX;
    } else if (g->sure > 1) {
        g->sure >>= 1;
    } else {
        *g = (guess){value, 1};
    }
}

static inline __attribute__((always_inline)) void run(squeeze_mixer *m, const bool symbols, bool strides,
                                                      uint32_t *values, size_t count)
{
    past q = {0};
    guess *guesses[PREDICTORS];
    for (size_t i = 0; i < count; i++) {
        uint32_t value = 0;
        past_guesses(&q, symbols, m->tables, TABLE_BITS_MAX, m->bits, guesses);
        unsigned outcome = decisions(m, &q, symbols, guesses, &value);
        if (outcome == PREDICTORS && symbols)
            value = symbol(m, &q);
        else if (outcome == PREDICTORS && strides)
            value = q.value[0] + (uint32_t)weft_unzigzag(literal(m, &q));
        else if (outcome == PREDICTORS)
            value = literal(m, &q);
        values[i] = value;
        past_learn(&q, symbols, guesses, outcome, value, guess_learn);
    }
}

bool squeeze_unmix(squeeze_mixer *m, const uint8_t *bytes, size_t size, uint32_t *values, size_t count)
{
    if (!size || bytes[0] >= SQUEEZE_SHAPES)
        return false;
    mixer_start(m, bytes[0], count);
    m->c = arithmetic_decode(bytes + 1, size - 1);
    if (bytes[0] == SQUEEZE_SYMBOLS)
        run(m, true, false, values, count);
    else
        run(m, false, bytes[0] == SQUEEZE_STRIDES, values, count);
    return true;
}
