/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/bits.h"

#include "tools/lib/base/memory.h"

void bit_coder_encode(bit_coder *c)
{
    *c = (bit_coder){.high = UINT32_MAX};
}

/* Zeros follow the last byte: the encoder leaves them out. */
static uint32_t next_byte(bit_coder *c)
{
    if (c->in_at < c->in_size)
        return c->in[c->in_at++];
    c->bad |= c->in_at++ >= c->in_size + 4;
    return 0;
}

void bit_coder_decode(bit_coder *c, const uint8_t *bytes, size_t size)
{
    *c = (bit_coder){.decoding = true, .high = UINT32_MAX, .in = bytes, .in_size = size};
    for (int i = 0; i < 4; i++)
        c->code = c->code << 8 | next_byte(c);
}

static void put_byte(bit_coder *c, uint32_t byte)
{
    c->out = memory_room(c->out, c->out_size, &c->out_max, 1);
    c->out[c->out_size++] = (uint8_t)byte;
}

void bit_code_out(bit_coder *c)
{
    while (!((c->low ^ c->high) >> 24)) {
        if (c->decoding)
            c->code = c->code << 8 | next_byte(c);
        else
            put_byte(c, c->high >> 24);
        c->low <<= 8;
        c->high = c->high << 8 | 0xff;
    }
}

void bit_coder_finish(bit_coder *c)
{
    /* The fewest bytes that lie in the interval when zeros follow them. */
    for (unsigned shift = 32; c->low;) {
        shift -= 8;
        uint32_t mask = shift ? (1u << shift) - 1 : 0;
        uint64_t value = ((uint64_t)c->low + mask) & ~(uint64_t)mask;
        if (value > c->high)
            continue;
        for (unsigned at = 24; at + 8 > shift; at -= 8) {
            put_byte(c, (uint32_t)(value >> at) & 0xff);
            if (at == 0)
                break;
        }
        break;
    }
}

/* 655360 / (10 * count + 18): the estimate of Krichevsky and Trofimov, nearly: (n1 + 0.4) / (n + 0.8). */
#define RATE(n) 655360 / (10 * (n) + 18)
#define RATES(n) RATE(n), RATE(n + 1), RATE(n + 2), RATE(n + 3), RATE(n + 4), RATE(n + 5), RATE(n + 6), RATE(n + 7)
const uint16_t bit_model_rates[BIT_MODEL_SLOW + 2] = {
    RATES(0),  RATES(8),  RATES(16), RATES(24), RATES(32), RATES(40),  RATES(48),  RATES(56),
    RATES(64), RATES(72), RATES(80), RATES(88), RATES(96), RATES(104), RATES(112), RATES(120),
};

void bit_models_init(bit_model *models, size_t count)
{
    for (size_t i = 0; i < count; i++)
        models[i] = bit_model_start;
}
