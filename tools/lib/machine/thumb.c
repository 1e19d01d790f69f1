/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/thumb.h"

int thumb_it(uint16_t first, uint8_t conditions[4])
{
    unsigned mask = first & 15, condition = first >> 4 & 15;
    if ((first & 0xff00) != 0xbf00 || !mask)
        return 0;
    int count = 4 - __builtin_ctz(mask);
    for (int i = 0; i < count; i++)
        conditions[i] = (uint8_t)(i ? (condition & 14) | (mask >> (4 - i) & 1) : condition);
    return count;
}

bool thumb_is_test_target(uint16_t first, uint16_t second)
{
    return (first & 0xfff0) == 0xe840 && (second & 0xf03f) == 0xf000;
}

bool thumb_is_store_exclusive(uint16_t first, uint16_t second)
{
    if ((first & 0xfff0) == 0xe840)
        return !thumb_is_test_target(first, second);
    return (first & 0xfff0) == 0xe8c0 && ((second >> 4 & 15) < 8 || (second >> 4 & 15) >= 12);
}

bool thumb_holds(uint8_t condition, uint32_t nzcv)
{
    bool n = nzcv >> 31, z = nzcv >> 30 & 1, c = nzcv >> 29 & 1, v = nzcv >> 28 & 1, holds;
    switch (condition >> 1) {
    case 0:
        holds = z;
        break;
    case 1:
        holds = c;
        break;
    case 2:
        holds = n;
        break;
    case 3:
        holds = v;
        break;
    case 4:
        holds = c && !z;
        break;
    case 5:
        holds = n == v;
        break;
    case 6:
        holds = n == v && !z;
        break;
    default:
        return true;
    }
    return holds != (condition & 1);
}

bool thumb_is_conditional_select(uint16_t first, uint16_t second)
{
    return (first & 0xfff0) == 0xea50 && (second & 0xc000) == 0x8000 && (second & 15) != 13;
}

bool thumb_is_long_shift(uint16_t first, uint16_t second)
{
    bool by_register = (second & 15) == 13, by_constant = (second & 0x800f) == 15;
    return (first & 0xfff0) == 0xea50 && (by_register || by_constant);
}

bool thumb_is_plain_long_shift(uint16_t first, uint16_t second)
{
    return thumb_is_long_shift(first, second) && !(first & 1) && (second & 0xf00) < 0xf00 && second & 0x100;
}

bool thumb_may_saturate(uint16_t first, uint16_t second)
{
    bool adds = (second & 0xf000) != 0xf000; /* else the product alone is the result */
    if (thumb_is_long_shift(first, second))
        return !thumb_is_plain_long_shift(first, second);
    if ((first & 0xff50) == 0xf300)
        return !(second & 0x8000); /* ssat, usat, and those of halves */
    switch (first & 0xfff0) {
    case 0xfa80: /* qadd, qdadd, qsub, qdsub */
        return (second & 0xf0c0) == 0xf080;
    case 0xfb10: /* smlabb and the like */
    case 0xfb30: /* smlaw */
    case 0xfb40: /* smlsd */
        return adds;
    case 0xfb20: /* smlad, smuad */
        return true;
    default:
        return false;
    }
}

bool thumb_is_loop(uint16_t first, uint16_t second)
{
    return (first & 0xff80) == 0xf000 && (second == 0xe001 || (second & 0xf001) == 0xc001);
}
