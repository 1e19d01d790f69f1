/* SPDX-License-Identifier: MIT */
/* Where the predictor of wpp_model.c finds what it knows of the symbols before the next one.
 *
 * The hashes roll: each comes from the one before, by the symbol that enters and the one that leaves. A long context
 * chooses a line of four slots by its older symbols, and one of the four by the last symbol. So the line is fetched a
 * symbol ahead: memory takes longer than the arithmetic. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_CONTEXTS_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_CONTEXTS_H

#include "tools/lib/grammar/wpp_predictor.h"

#define NO_SYMBOL UINT32_MAX

/* The symbol `back` places before the next one. */
static inline uint32_t before(const predictor *p, unsigned back)
{
    return p->history[(p->at - back) & ((1u << HISTORY_BITS) - 1)];
}

static inline slot *slot_of(const predictor *p, unsigned order)
{
    return p->slots[order] + p->place[order];
}

static inline bool slot_is_known(const predictor *p, unsigned order)
{
    const slot *s = slot_of(p, order);
    return s->check == p->check[order] && s->first != NO_SYMBOL;
}

static inline uint32_t *start_of(const predictor *p)
{
    return p->starts + (p->start >> (32 - p->slot_bits));
}

/* Finds the contexts of the place after the next symbol, which is `symbol`. */
static inline void contexts_roll(predictor *p, uint32_t symbol)
{
    unsigned shift = 32 - p->slot_bits;
    uint32_t last = symbol * 0x85ebca6bu;
    for (unsigned i = 0; i <= ORDERS; i++) {
        uint32_t older = p->hash[i] * 0x9e3779b1u;
        p->hash[i] = p->hash[i] * WPP_ROLL + symbol - before(p, wpp_hashed_symbols(i)) * p->leaves[i];
        uint32_t hash = p->hash[i] * 0x9e3779b1u;
        if (i == ORDERS) {
            p->start = hash;
        } else if (i < WPP_LINES_FROM) {
            p->place[i] = hash >> shift;
            p->check[i] = (uint16_t)(hash | 1);
        } else {
            p->place[i] = (older >> shift & ~3u) | last >> 30;
            p->check[i] = (uint16_t)((older ^ last >> 8) | 1);
            __builtin_prefetch(p->slots[i] + (hash >> shift), 1);
        }
    }
}

static inline uint32_t hash_on(uint32_t hash, uint32_t symbol)
{
    hash = (hash + symbol + 1) * 0x2f0b4c47u;
    return hash ^ hash >> 15;
}

/* The contexts of the current position, as versions 1 and 2 found them. */
static inline void contexts_old(predictor *p)
{
    uint32_t hash = 0;
    unsigned length = 0;
    if (p->hashed == p->at)
        return;
    for (unsigned i = 0; i < ORDERS; i++) {
        while (length < wpp_orders[i])
            hash = hash_on(hash, before(p, ++length));
        p->place[i] = hash * 0x9e3779b1u >> (32 - p->slot_bits);
        p->check[i] = (uint16_t)(hash * 0x9e3779b1u | 1);
    }
    while (length < MATCH_MIN)
        hash = hash_on(hash, before(p, ++length));
    p->start = hash;
    p->hashed = p->at;
}

#endif
