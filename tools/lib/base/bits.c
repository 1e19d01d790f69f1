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

unsigned bit_code(bit_coder *c, uint32_t one, unsigned bit)
{
    uint32_t range = c->high - c->low;
    uint32_t middle = c->low + (range >> 16) * one + ((range & 0xffff) * one >> 16);
    if (c->decoding)
        bit = c->code <= middle;
    if (bit)
        c->high = middle;
    else
        c->low = middle + 1;
    while (!((c->low ^ c->high) >> 24)) {
        if (c->decoding)
            c->code = c->code << 8 | next_byte(c);
        else
            put_byte(c, c->high >> 24);
        c->low <<= 8;
        c->high = c->high << 8 | 0xff;
    }
    return bit;
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

void bit_models_init(bit_model *models, size_t count)
{
    for (size_t i = 0; i < count; i++)
        models[i] = bit_model_start;
}

void bit_model_update(bit_model *m, unsigned bit, unsigned limit)
{
    /* The estimate of Krichevsky and Trofimov, nearly: (n1 + 0.4) / (n + 0.8) */
    uint32_t rate = 655360u / (10u * m->count + 18u);
    if (bit)
        m->one = (uint16_t)(m->one + ((65535u - 32u - (m->one < 65503u ? m->one : 65503u)) * rate >> 16));
    else
        m->one = (uint16_t)(m->one - ((m->one > 32u ? m->one - 32u : 0) * rate >> 16));
    if (m->count < limit)
        m->count++;
}

unsigned bit_code_with(bit_coder *c, bit_model *m, unsigned bit, unsigned limit)
{
    bit = bit_code(c, m->one, bit);
    bit_model_update(m, bit, limit);
    return bit;
}
