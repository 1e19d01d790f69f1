/* SPDX-License-Identifier: MIT */
/* The model runs the same way in both directions: run() is compiled once to code and once to decode. For each number:
 *   1  tables predict it (past_guesses)
 *   2  was each of the predictions right? (decisions)
 *   3  if none was: the number itself (literal, symbol)
 *   4  all tables learn, as in past_learn (learn)
 *
 * A decision has one counter, chosen by what is known of the predictions. Mixing several counters made blocks no
 * smaller, and took three times as long. The tables are small, since each block clears them and most are short. */
#include "tools/lib/squeeze/coded.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/squeeze/mix.h"
#include "tools/lib/squeeze/mixing.h"
#include "tools/lib/squeeze/past.h"

#define TABLE_BITS_MAX 15 /* log2 of a table's rows. More: better on long blocks, slower on all */
#define TABLE_BITS_MIN 8
#define LEVELS 8u /* of confidence */
#define DECISIONS (LEVELS * LEVELS * 16u)

struct squeeze_coder {
    mixing mixing;
    arithmetic c;
    unsigned bits; /* log2 of the tables' rows, for this block */
    guess tables[PREDICTORS << TABLE_BITS_MAX];
    uint32_t decisions[PREDICTORS][DECISIONS];
    uint32_t lengths[33 * 64], tops[33 * 8], lows[33 * 32];
    uint32_t order0[256], order1[1u << TABLE_BITS_MAX], order2[1u << TABLE_BITS_MAX];
    weights node[256];
};

squeeze_coder *squeeze_coder_new(void)
{
    squeeze_coder *m = memory_zero(1, sizeof *m);
    mixing_make(&m->mixing);
    return m;
}

void squeeze_coder_free(squeeze_coder *m)
{
    free(m);
}

static void coder_start(squeeze_coder *m, unsigned shape, size_t count)
{
    m->bits = TABLE_BITS_MIN;
    while (m->bits < TABLE_BITS_MAX && (size_t)1 << m->bits < 2 * count)
        m->bits++;
    size_t rows = (size_t)1 << m->bits;
    for (unsigned i = 0; i < PREDICTORS; i++) {
        memset(m->tables + ((size_t)i << TABLE_BITS_MAX), 0, rows * sizeof *m->tables);
        counters_set(m->decisions[i], i == 2 ? LEVELS * 16 : DECISIONS);
    }
    if (shape == SQUEEZE_SYMBOLS) {
        counters_set(m->order0, 256);
        counters_set(m->order1, rows);
        counters_set(m->order2, rows);
        weights_set(m->node, 256);
    } else {
        counters_set(m->lengths, sizeof m->lengths / 4);
        counters_set(m->tops, sizeof m->tops / 4);
        counters_set(m->lows, sizeof m->lows / 4);
    }
}

/* Codes a bit with one counter. */
static inline bool plain_bit(squeeze_coder *m, const bool decode, bool bit, uint32_t *counter)
{
    uint32_t p = *counter >> 16;
    bit = arithmetic_bit(&m->c, decode, bit, p < 16 ? 16 : p > 65520 ? 65520 : p, 16);
    counter_learn(m->mixing.share, counter, bit);
    return bit;
}

/* ---- the model ---- */

/* What `all` has for a confidence: four bits each, from the lowest on. Quicker than a table, and than branches. */
static inline uint32_t of_sure(uint64_t all, uint32_t sure)
{
    return (uint32_t)(all >> 4 * sure) & 15;
}

static inline uint32_t level(const guess *g)
{
    return of_sure(UINT64_C(0x7666665555443210), g->sure);
}

/* The counter of a decision. It is chosen by the confidence of this prediction and of the next one, and by whether both
 * predict the same. */
static inline uint32_t *decision(squeeze_coder *m, unsigned which, const guess *own, const guess *next, bool same,
                                 uint32_t outcomes)
{
    uint32_t other = next ? (level(next) >> 1) * 2 + same : 0;
    return &m->decisions[which][(level(own) + other * LEVELS) * 16 + (outcomes & 15)];
}

/* Step 2. Returns the predictor that was right, PREDICTORS if none was. Decoding sets *value if one was. */
static inline unsigned decisions(squeeze_coder *m, const bool decode, const past *q, const bool symbols,
                                 guess *const guesses[PREDICTORS], uint32_t *value)
{
    uint32_t a = guesses[0]->value, b = guesses[1]->value, c = q->value[0] + guesses[2]->value, found = *value;
    const guess *last = symbols ? NULL : guesses[2];
    if (plain_bit(m, decode, found == a, decision(m, 0, guesses[0], guesses[1], a == b, q->outcomes))) {
        *value = a;
        return 0;
    }
    if (a != b && plain_bit(m, decode, found == b, decision(m, 1, guesses[1], last, last && b == c, q->outcomes))) {
        *value = b;
        return 1;
    }
    if (!symbols && c != a && c != b &&
        plain_bit(m, decode, found == c, decision(m, 2, last, NULL, false, q->outcomes))) {
        *value = c;
        return 2;
    }
    return PREDICTORS;
}

/* Step 3, words: the count of bits after the last literal's, the three below the leading one together, the rest one by
 * one. */
static inline uint32_t literal(squeeze_coder *m, const bool decode, past *q, uint32_t word)
{
    unsigned length = word ? 32 - (unsigned)__builtin_clz(word) : 0, node = 1;
    for (int i = 5; i >= 0; i--)
        node = node * 2 + plain_bit(m, decode, length >> i & 1, &m->lengths[q->length * 64 + node]);
    length = node & 63;
    if (length > 32) /* only in damaged files */
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
static inline uint32_t symbol(squeeze_coder *m, const bool decode, const past *q, uint32_t value)
{
    uint32_t node = 1, first = q->value[0] * 0x9e3779b1u, second = hash2(q->value[0], q->value[1]);
    unsigned shift = 32 - m->bits;
    for (int i = 7; i >= 0; i--) {
        uint32_t *const counters[MIXING_INPUTS] = {&m->order0[node], &m->order1[(first + node * 0x85ebca6bu) >> shift],
                                                   &m->order2[(second + node * 0x9e3779b1u) >> shift]};
        node = node * 2 + mixing_bit(&m->mixing, &m->c, decode, value >> i & 1, counters, &m->node[node]);
    }
    return node & 255;
}

/* For one prediction: one that was right is surer by 1, up to 15; one that was wrong has a half or a quarter left, and
 * is replaced at 1 or below. */
static inline void guess_learn(guess *g, uint32_t value)
{
    bool same = g->value == value;
    uint32_t now = same || g->sure > 1 ? g->value : value;
    *g = (guess){now, of_sure(same ? UINT64_C(0xffedcba987654321) : UINT64_C(0x3333222211111111), g->sure)};
}

/* Step 4, and step 1 for the next number: its predictions come from memory while those of this one learn. */
static inline __attribute__((always_inline)) void learn(squeeze_coder *m, past *q, const bool symbols,
                                                        guess *guesses[PREDICTORS], unsigned outcome, uint32_t value)
{
    guess *const now[PREDICTORS] = {guesses[0], guesses[1], guesses[2]};
    uint32_t stride = value - q->value[0];
    past_add(q, symbols, outcome, value);
    past_guesses(q, symbols, m->tables, TABLE_BITS_MAX, m->bits, guesses);
    for (unsigned i = 0; i < (symbols ? 2u : 3u); i++)
        __builtin_prefetch(guesses[i]);
    guess_learn(now[0], value);
    guess_learn(now[1], value);
    if (!symbols)
        guess_learn(now[2], stride);
}

static inline __attribute__((always_inline)) void run(squeeze_coder *m, const bool decode, const bool symbols,
                                                      bool strides, uint32_t *values, size_t count)
{
    past q = {0};
    guess *guesses[PREDICTORS];
    past_guesses(&q, symbols, m->tables, TABLE_BITS_MAX, m->bits, guesses);
    for (size_t i = 0; i < count; i++) {
        uint32_t value = decode ? 0 : values[i];
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
        learn(m, &q, symbols, guesses, outcome, value);
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

void squeeze_encode(squeeze_coder *m, squeeze_bytes *out, const uint32_t *values, size_t count)
{
    uint8_t shape = (uint8_t)shape_of(values, count);
    uint32_t *in = (uint32_t *)(uintptr_t)values; /* is only read */
    squeeze_bytes_add(out, &shape, 1);
    coder_start(m, shape, count);
    m->c = arithmetic_encode(out);
    if (shape == SQUEEZE_SYMBOLS)
        run(m, false, true, false, in, count);
    else
        run(m, false, false, shape == SQUEEZE_STRIDES, in, count);
    arithmetic_finish(&m->c);
}

bool squeeze_decode_first(squeeze_coder *m, const uint8_t *bytes, size_t size, size_t count, uint32_t *values,
                          size_t first)
{
    if (!size || bytes[0] >= SQUEEZE_SHAPES)
        return false;
    coder_start(m, bytes[0], count);
    m->c = arithmetic_decode(bytes + 1, size - 1);
    if (bytes[0] == SQUEEZE_SYMBOLS)
        run(m, true, true, false, values, first);
    else
        run(m, true, false, bytes[0] == SQUEEZE_STRIDES, values, first);
    return true;
}

bool squeeze_decode(squeeze_coder *m, const uint8_t *bytes, size_t size, uint32_t *values, size_t count)
{
    return squeeze_decode_first(m, bytes, size, count, values, count);
}
