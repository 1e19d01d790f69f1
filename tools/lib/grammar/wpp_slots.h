/* SPDX-License-Identifier: MIT */
/* The slots of contexts, 8 bytes each, since memory takes longer than the arithmetic:
 *
 *     15 bits check | 16 sure | 5 count | 14 second symbol + 1 | 14 first symbol + 1         0: no symbol
 *
 * Where a stream has more different symbols than 14 bits can say, a table beside that of the slots has 16 more bits of
 * each of the two. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_SLOTS_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_SLOTS_H

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/wpp_predictor.h"

#define NO_SYMBOL UINT32_MAX

enum {
    SYMBOL_LOW = 14, /* bits of a symbol in its slot */
    SYMBOL_HIGH = 16,
    SYMBOL_MASK = (1 << SYMBOL_LOW) - 1,
    COUNT_BITS = 5,
    SURE_AT = 2 * SYMBOL_LOW + COUNT_BITS,
    CHECK_AT = SURE_AT + 16,
    SYMBOLS_MAX = (1 << (SYMBOL_LOW + SYMBOL_HIGH)) - 1 /* no grammar has more */
};

/* A new symbol was numbered: makes the tables of upper bits when they are needed. */
static inline void slots_widen(predictor *p, uint32_t symbol)
{
    if (symbol < SYMBOL_MASK || p->more[0])
        return;
    for (unsigned i = 0; i < ORDERS; i++)
        p->more[i] = memory_table((size_t)1 << p->slot_bits, sizeof *p->more[i]);
}

static inline uint32_t *more_of(const predictor *p, unsigned order)
{
    return p->more[order] + (p->here[order] - p->slots[order]);
}

/* What the current context of an order knows; nothing, if its slot has another context. */
static inline slot slot_load(const predictor *p, unsigned order)
{
    uint64_t bits = *p->here[order];
    if (bits >> CHECK_AT != p->check[order])
        return (slot){.first = NO_SYMBOL, .second = NO_SYMBOL};
    uint32_t more = p->more[order] ? *more_of(p, order) : 0;
    return (slot){.first = ((bits & SYMBOL_MASK) | (more & 0xffff) << SYMBOL_LOW) - 1,
                  .second = ((bits >> SYMBOL_LOW & SYMBOL_MASK) | more >> SYMBOL_HIGH << SYMBOL_LOW) - 1,
                  .count = bits >> 2 * SYMBOL_LOW & ((1 << COUNT_BITS) - 1),
                  .sure = bits >> SURE_AT & 0xffff};
}

static inline void slot_store(predictor *p, unsigned order, slot s)
{
    uint32_t first = s.first + 1, second = s.second + 1;
    *p->here[order] = (uint64_t)p->check[order] << CHECK_AT | (uint64_t)s.sure << SURE_AT |
                      (uint64_t)s.count << 2 * SYMBOL_LOW | (second & SYMBOL_MASK) << SYMBOL_LOW |
                      (first & SYMBOL_MASK);
    if (p->more[order])
        *more_of(p, order) = second >> SYMBOL_LOW << SYMBOL_HIGH | first >> SYMBOL_LOW;
}

#endif
