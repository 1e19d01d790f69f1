/* SPDX-License-Identifier: MIT */
/* Binary arithmetic coder with 32-bit bounds. Both directions share their code, so that a model is written once:
 * bit_code returns the bit that it was given when it encodes, and the bit that it read when it decodes. It computes
 * with integers only, so the bytes are the same on every machine. */
#ifndef WEFT_TOOLS_LIB_BASE_BITS_H
#define WEFT_TOOLS_LIB_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bit_coder {
    bool decoding;
    bool bad;           /* read more bytes than an encoder would have written */
    uint32_t low, high; /* the interval, both ends in it */
    uint32_t code;
    uint8_t *out; /* encoding: from malloc */
    size_t out_size, out_max;
    const uint8_t *in; /* decoding */
    size_t in_size, in_at;
} bit_coder;

void bit_coder_encode(bit_coder *c);
void bit_coder_decode(bit_coder *c, const uint8_t *bytes, size_t size);
/* Ends encoding with the fewest bytes that decode to the same bits if zeros follow. The bytes are in out, which the
 * caller frees. */
void bit_coder_finish(bit_coder *c);

/* The bytes that both ends of the interval begin with go out, or come in. */
void bit_code_out(bit_coder *c);

/* Codes a bit that is 1 with probability one / 65536, 1 <= one <= 65535. */
static inline unsigned bit_code(bit_coder *c, uint32_t one, unsigned bit)
{
    uint32_t range = c->high - c->low;
    uint32_t middle = c->low + (range >> 16) * one + ((range & 0xffff) * one >> 16);
    if (c->decoding)
        bit = c->code <= middle;
    if (bit)
        c->high = middle;
    else
        c->low = middle + 1;
    if (!((c->low ^ c->high) >> 24))
        bit_code_out(c);
    return bit;
}

/* An adaptive probability. It adapts fast at first, then slower, down to steps of 1 / limit. */
typedef struct bit_model {
    uint16_t one;
    uint8_t count;
} bit_model;

enum { BIT_MODEL_FAST = 20, BIT_MODEL_SLOW = 126 };
static const bit_model bit_model_start = {32768, 0};
void bit_models_init(bit_model *models, size_t count);

/* The step, in 1 / 65536, after `count` bits; not above 65535. */
extern const uint16_t bit_model_rates[BIT_MODEL_SLOW + 2];

/* limit <= BIT_MODEL_SLOW. */
static inline void bit_model_update(bit_model *m, unsigned bit, unsigned limit)
{
    uint32_t rate = bit_model_rates[m->count];
    if (bit)
        m->one = (uint16_t)(m->one + ((65535u - 32u - (m->one < 65503u ? m->one : 65503u)) * rate >> 16));
    else
        m->one = (uint16_t)(m->one - ((m->one > 32u ? m->one - 32u : 0) * rate >> 16));
    if (m->count < limit)
        m->count++;
}

/* Codes a bit with a model and updates that. */
static inline unsigned bit_code_with(bit_coder *c, bit_model *m, unsigned bit, unsigned limit)
{
    bit = bit_code(c, m->one, bit);
    bit_model_update(m, bit, limit);
    return bit;
}

#endif
