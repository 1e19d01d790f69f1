/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/wpp_values.h"

#include "core/bytes.h"

void wpp_values_init(wpp_values *values)
{
    bit_models_init(values->bits, 34);
    bit_models_init(values->top, 34);
    values->last = 0;
}

/* The number of bits in unary, then the bits below the top one, the first of them with a model. */
uint32_t wpp_values_code(wpp_values *values, bit_coder *c, uint32_t value)
{
    uint64_t x = (uint64_t)weft_zigzag((int32_t)(value - values->last)) + 1;
    unsigned most = c->decoding ? 32 : 63u - (unsigned)__builtin_clzll(x);
    unsigned bits = 0;
    while (bits < 32 && bit_code_with(c, values->bits + bits, bits < most, BIT_MODEL_FAST))
        bits++;
    uint64_t read = 1;
    for (unsigned i = bits; i-- > 0;) {
        unsigned bit = x >> i & 1;
        bit = i + 1 == bits ? bit_code_with(c, values->top + bits, bit, BIT_MODEL_FAST) : bit_code(c, 32768, bit);
        read = read << 1 | bit;
    }
    values->last += (uint32_t)weft_unzigzag((uint32_t)(read - 1));
    return values->last;
}
