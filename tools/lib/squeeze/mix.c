/* SPDX-License-Identifier: MIT */
/* The model runs the same way in both directions: run() is compiled once to code and once to decode.
 *   1  tables predict the number (predict)
 *   2  was each of the predictions right? (decisions)
 *   3  if none was: the number itself (literal, symbol)
 *   4  all tables learn (learn)
 *
 * A counter holds a probability of 22 bits and in its low 10 bits how often it was used. Mixing: each counter's
 * probability p becomes stretch(p) = ln(p / (1 - p)) * 256; these are weighted and added, and squash turns the sum
 * back. The weights then move to where they would have been less wrong. Arithmetic is of integers only: a block means
 * the same on each machine. */
#include "tools/lib/squeeze/mix.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"

#define INPUTS 3
#define PREDICTORS 3
#define USES_MAX 255u     /* of a counter: more: slower to follow changes; 1 to 1023 */
#define WEIGHT 22000      /* at first, of 65536 */
#define RATE 16           /* of weights. More: quicker, noisier */
#define TABLE_BITS_MAX 16 /* of predictors and hashed counters. More: better on long blocks, slower on all */
#define TABLE_BITS_MIN 8
#define SURE_MAX 3u /* how sure a prediction can be */

typedef struct weights {
    int32_t of[INPUTS];
} weights;

/* A prediction, and how often it was right of late. */
typedef struct guess {
    uint32_t value, sure;
} guess;

typedef struct coder {
    uint32_t low, high, code;
    const uint8_t *in, *end;
    squeeze_bytes *out;
} coder;

struct squeeze_mixer {
    int16_t stretch[4096];
    uint32_t share[1024]; /* of the error that a counter takes */
    coder c;
    unsigned bits; /* of the tables, for this block */
    guess tables[PREDICTORS][1u << TABLE_BITS_MAX];
    uint32_t sure[PREDICTORS][8192], past[PREDICTORS][256], near[1u << TABLE_BITS_MAX];
    weights decision[PREDICTORS][16];
    uint32_t lengths[33 * 64], tops[33 * 8], lows[33 * 32];
    uint32_t order0[256], order1[65536], order2[1u << TABLE_BITS_MAX];
    weights node[256];
};

/* 4096 / (1 + e^-x) at x = -8, -7.5, ..., 8. */
static const int16_t squash_at[33] = {1,    2,    4,    6,    10,   17,   27,   45,   74,   120,  194,
                                      311,  488,  747,  1102, 1546, 2048, 2550, 2994, 3349, 3608, 3785,
                                      3902, 3976, 4022, 4051, 4069, 4079, 4086, 4090, 4092, 4094, 4095};

static inline int squash(int x)
{
    if (x >= 2047)
        return 4095;
    if (x <= -2047)
        return 1;
    int part = x & 127, at = (x >> 7) + 16;
    return (squash_at[at] * (128 - part) + squash_at[at + 1] * part + 64) >> 7;
}

squeeze_mixer *squeeze_mixer_new(void)
{
    squeeze_mixer *m = memory_zero(1, sizeof *m);
    int at = 0;
    for (int x = -2047; x <= 2047; x++)
        for (int p = squash(x); at <= p; at++)
            m->stretch[at] = (int16_t)x;
    for (uint32_t i = 0; i < 1024; i++)
        m->share[i] = 131072 / (2 * i + 3);
    return m;
}

void squeeze_mixer_free(squeeze_mixer *m)
{
    free(m);
}

static void counters_set(uint32_t *counters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        counters[i] = 1u << 31;
}

static void weights_set(weights *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        all[i] = (weights){{WEIGHT, WEIGHT, WEIGHT}};
}

static void mixer_start(squeeze_mixer *m, unsigned shape, size_t count)
{
    m->bits = TABLE_BITS_MIN;
    while (m->bits < TABLE_BITS_MAX && (size_t)1 << m->bits < 2 * count)
        m->bits++;
    for (unsigned i = 0; i < PREDICTORS; i++) {
        memset(m->tables[i], 0, sizeof *m->tables[i] << m->bits);
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

/* ---- the arithmetic code ---- */

static inline uint32_t coder_byte(coder *c)
{
    return c->in < c->end ? *c->in++ : 0;
}

/* A bit that is 1 with a probability of p / 4096, p from 1 to 4095. */
static inline bool coder_bit(coder *c, const bool decode, bool bit, uint32_t p)
{
    uint32_t middle = c->low + (uint32_t)((uint64_t)(c->high - c->low) * p >> 12);
    if (decode)
        bit = c->code <= middle;
    if (bit)
        c->high = middle;
    else
        c->low = middle + 1;
    while (!((c->low ^ c->high) >> 24)) {
        if (decode) {
            c->code = c->code << 8 | coder_byte(c);
        } else {
            uint8_t byte = (uint8_t)(c->high >> 24);
            squeeze_bytes_add(c->out, &byte, 1);
        }
        c->low <<= 8;
        c->high = c->high << 8 | 255;
    }
    return bit;
}

static inline void counter_learn(const squeeze_mixer *m, uint32_t *counter, bool bit)
{
    uint32_t uses = *counter & 1023, p = *counter >> 10;
    int32_t error = (int32_t)((bit ? (1u << 22) - 1 : 0) - p);
    p += (uint32_t)((int64_t)error * m->share[uses] >> 16);
    *counter = p << 10 | (uses < USES_MAX ? uses + 1 : uses);
}

/* A bit by one counter. */
static inline bool plain_bit(squeeze_mixer *m, const bool decode, bool bit, uint32_t *counter)
{
    uint32_t p = *counter >> 20;
    bit = coder_bit(&m->c, decode, bit, p < 1 ? 1 : p);
    counter_learn(m, counter, bit);
    return bit;
}

/* A bit by three. */
static inline bool mixed_bit(squeeze_mixer *m, const bool decode, bool bit, uint32_t *const counters[INPUTS],
                             weights *w)
{
    int32_t x[INPUTS];
    int64_t sum = 0;
    for (unsigned i = 0; i < INPUTS; i++) {
        x[i] = m->stretch[*counters[i] >> 20];
        sum += (int64_t)x[i] * w->of[i];
    }
    sum >>= 16;
    int p = squash(sum > 2047 ? 2047 : sum < -2047 ? -2047 : (int)sum);
    bit = coder_bit(&m->c, decode, bit, (uint32_t)p);
    int32_t error = ((bit ? 4096 : 0) - p) * RATE;
    for (unsigned i = 0; i < INPUTS; i++) {
        w->of[i] += (x[i] * error + 0x8000) >> 16;
        counter_learn(m, counters[i], bit);
    }
    return bit;
}

/* ---- the model ---- */

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

/* Step 1. */
static inline void predict(squeeze_mixer *m, const past *q, const bool symbols, guess *guesses[PREDICTORS])
{
    unsigned shift = 32 - m->bits;
    uint32_t near = hash2(q->value[0], symbols ? q->value[1] : 0);
    uint32_t b = symbols ? hash2(near, q->value[2]) : near;
    uint32_t a =
        symbols ? hash2(b, hash2(q->value[3], hash2(q->value[4], q->value[5]))) : hash2(q->value[0], q->value[1]);
    guesses[0] = &m->tables[0][a >> shift];
    guesses[1] = &m->tables[1][b >> shift];
    guesses[2] = &m->tables[2][hash2(q->stride[0], q->stride[1]) >> shift];
}

/* Step 2. Returns the predictor that was right, PREDICTORS if none was; decoding, *value if one was. */
static inline unsigned decisions(squeeze_mixer *m, const bool decode, const past *q, const bool symbols,
                                 guess *const guesses[PREDICTORS], uint32_t *value)
{
    const unsigned count = symbols ? 2 : 3;
    uint32_t p[PREDICTORS] = {guesses[0]->value, guesses[1]->value, q->value[0] + guesses[2]->value};
    uint32_t equal = (p[0] == p[1] ? 1u : 0) | (p[1] == p[2] ? 2u : 0) | (p[0] == p[2] ? 4u : 0);
    uint32_t sure = (guesses[0]->sure * 4 + guesses[1]->sure) * 4 + (symbols ? 0 : guesses[2]->sure);
    uint32_t near = hash2(q->value[0], symbols ? q->value[1] : 0);
    for (unsigned i = 0; i < count; i++) {
        if ((i == 1 && p[1] == p[0]) || (i == 2 && (p[2] == p[1] || p[2] == p[0])))
            continue;
        uint32_t *const counters[INPUTS] = {&m->sure[i][(sure * 8 + equal) * 16 + (q->outcomes & 15)],
                                            &m->past[i][q->outcomes & 255],
                                            &m->near[(near + i * 0x9e3779b1u) >> (32 - m->bits)]};
        if (mixed_bit(m, decode, *value == p[i], counters, &m->decision[i][q->outcomes & 15])) {
            *value = p[i];
            return i;
        }
    }
    return PREDICTORS;
}

/* Step 3, words: the count of bits after the last literal's, the three below the leading one together, the rest one by
 * one. */
static inline uint32_t literal(squeeze_mixer *m, const bool decode, past *q, uint32_t word)
{
    unsigned length = word ? 32 - (unsigned)__builtin_clz(word) : 0, node = 1;
    for (int i = 5; i >= 0; i--)
        node = node * 2 + plain_bit(m, decode, length >> i & 1, &m->lengths[q->length * 64 + node]);
    length = node & 63;
    if (length > 32) /* no writer makes it */
        length = 32;
    q->length = length;
    uint32_t got = length ? 1 : 0;
    for (unsigned left = length ? length - 1 : 0, done = 0; left; left--, done++) {
        bool bit = word >> (left - 1) & 1;
        uint32_t *counter = done < 3 ? &m->tops[length * 8 + (got & ((1u << done) - 1)) + (1u << done) - 1]
                                     : &m->lows[(length - 1) * 32 + left - 1];
        got = got * 2 + plain_bit(m, decode, bit, counter);
    }
    return got;
}

/* Step 3, symbols. */
static inline uint32_t symbol(squeeze_mixer *m, const bool decode, const past *q, uint32_t value)
{
    uint32_t node = 1, second = hash2(q->value[0], q->value[1]), *first = &m->order1[(q->value[0] & 255) << 8];
    for (int i = 7; i >= 0; i--) {
        uint32_t *const counters[INPUTS] = {&m->order0[node], &first[node],
                                            &m->order2[(second + node * 0x9e3779b1u) >> (32 - m->bits)]};
        node = node * 2 + mixed_bit(m, decode, value >> i & 1, counters, &m->node[node]);
    }
    return node & 255;
}

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

/* Step 4. */
static inline void learn(past *q, const bool symbols, guess *const guesses[PREDICTORS], unsigned outcome,
                         uint32_t value)
{
    uint32_t stride = value - q->value[0];
    guess_learn(guesses[0], value);
    guess_learn(guesses[1], value);
    if (!symbols)
        guess_learn(guesses[2], stride);
    q->outcomes = q->outcomes << 2 | outcome;
    for (unsigned i = symbols ? 5 : 1; i > 0; i--)
        q->value[i] = q->value[i - 1];
    q->value[0] = value;
    q->stride[1] = q->stride[0];
    q->stride[0] = stride;
}

static inline __attribute__((always_inline)) void run(squeeze_mixer *m, const bool decode, const bool symbols,
                                                      bool strides, uint32_t *values, size_t count)
{
    past q = {0};
    guess *guesses[PREDICTORS];
    for (size_t i = 0; i < count; i++) {
        uint32_t value = decode ? 0 : values[i];
        predict(m, &q, symbols, guesses);
        unsigned outcome = decisions(m, decode, &q, symbols, guesses, &value);
        if (outcome == PREDICTORS && symbols)
            value = symbol(m, decode, &q, value);
        else if (outcome == PREDICTORS && strides)
            value = q.value[0] +
                    (uint32_t)weft_unzigzag(literal(m, decode, &q, weft_zigzag((int32_t)(value - q.value[0]))));
        else if (outcome == PREDICTORS)
            value = literal(m, decode, &q, value);
        if (decode)
            values[i] = value;
        learn(&q, symbols, guesses, outcome, value);
    }
}

static unsigned bits_of(uint32_t word)
{
    return word ? 32 - (unsigned)__builtin_clz(word) : 0;
}

static unsigned shape_of(const uint32_t *values, size_t count)
{
    uint64_t plain = 0, strides = 0;
    uint32_t most = 0, last = 0;
    for (size_t i = 0; i < count; i++) {
        most |= values[i];
        plain += bits_of(values[i]);
        strides += bits_of(weft_zigzag((int32_t)(values[i] - last)));
        last = values[i];
    }
    return most < 256 ? SQUEEZE_SYMBOLS : strides < plain ? SQUEEZE_STRIDES : SQUEEZE_WORDS;
}

void squeeze_mix(squeeze_mixer *m, squeeze_bytes *out, const uint32_t *values, size_t count)
{
    uint8_t shape = (uint8_t)shape_of(values, count);
    uint32_t *in = (uint32_t *)(uintptr_t)values; /* is only read */
    squeeze_bytes_add(out, &shape, 1);
    mixer_start(m, shape, count);
    m->c = (coder){.high = UINT32_MAX, .out = out};
    if (shape == SQUEEZE_SYMBOLS)
        run(m, false, true, false, in, count);
    else
        run(m, false, false, shape == SQUEEZE_STRIDES, in, count);
    uint8_t last = (uint8_t)((m->c.low >> 24) + 1); /* and zeros: between low and high */
    squeeze_bytes_add(out, &last, 1);
}

bool squeeze_unmix(squeeze_mixer *m, const uint8_t *bytes, size_t size, uint32_t *values, size_t count)
{
    if (!size || bytes[0] >= SQUEEZE_SHAPES)
        return false;
    mixer_start(m, bytes[0], count);
    m->c = (coder){.high = UINT32_MAX, .in = bytes + 1, .end = bytes + size};
    for (unsigned i = 0; i < 4; i++)
        m->c.code = m->c.code << 8 | coder_byte(&m->c);
    if (bytes[0] == SQUEEZE_SYMBOLS)
        run(m, true, true, false, values, count);
    else
        run(m, true, false, bytes[0] == SQUEEZE_STRIDES, values, count);
    return true;
}
