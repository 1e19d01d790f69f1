/* SPDX-License-Identifier: MIT */
/* Where the predictor of wpp_model.c finds what it knows of the symbols before the next one.
 *
 * The hashes roll: each comes from the one before, by the symbol that enters and the one that leaves. A long context
 * chooses a line of four slots by its older symbols, and one of the four by the last symbol. So the line is fetched a
 * symbol ahead: memory takes longer than the arithmetic. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_CONTEXTS_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_CONTEXTS_H

#include "tools/lib/grammar/wpp_predictor.h"

/* The symbol `back` places before the next one. */
static inline uint32_t before(const predictor *p, unsigned back)
{
    return p->history[(p->at - back) & ((1u << HISTORY_BITS) - 1)];
}

static inline uint32_t *start_of(const predictor *p)
{
    return p->starts + (p->start >> (32 - p->slot_bits));
}

/* The rolling hashes, the last one of all symbols so far: sums[-n] is that of n symbols ago. */
static inline uint32_t *sums_of(predictor *p)
{
    return p->sums + SUMS + p->at % SUMS;
}

/* After a symbol, which is in the history. */
static inline void sums_roll(predictor *p, uint32_t symbol)
{
    uint32_t *sums = sums_of(p);
    p->sums[p->at % SUMS] = *sums = sums[-1] * WPP_ROLL + symbol;
}

/* Of the symbols of a context: the hash of all symbols, less what those add that are older. */
static inline uint32_t hash_of(const predictor *p, const uint32_t *sums, unsigned order)
{
    return (*sums - sums[-(int)wpp_hashed_symbols(order)] * p->leaves[order]) * 0x9e3779b1u;
}

/* Finds the lines of the current contexts, where they were not found a symbol ahead. */
static inline void lines_find(predictor *p)
{
    for (unsigned i = WPP_LINES_FROM; i < ORDERS; i++)
        p->line[i] = hash_of(p, sums_of(p) - 1, i);
}

/* Finds the current contexts, and the lines of the next ones. */
static inline void contexts_find(predictor *p)
{
    const uint32_t *sums = sums_of(p);
    unsigned shift = 32 - p->slot_bits;
    uint32_t last = before(p, 1) * 0x85ebca6bu;
    for (unsigned i = 0; i < ORDERS; i++) {
        uint32_t hash = hash_of(p, sums, i), line = p->line[i];
        if (i < WPP_LINES_FROM) {
            p->here[i] = p->slots[i] + (hash >> shift);
            p->check[i] = (uint16_t)hash >> 1;
        } else {
            p->here[i] = p->slots[i] + ((line >> shift & ~3u) | last >> 30);
            p->check[i] = (uint16_t)(line ^ last >> 8) >> 1;
            p->line[i] = hash;
            __builtin_prefetch(p->slots[i] + (hash >> shift), 1);
        }
    }
    p->start = hash_of(p, sums, ORDERS);
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
        p->here[i] = p->slots[i] + (hash * 0x9e3779b1u >> (32 - p->slot_bits));
        p->check[i] = (uint16_t)(hash * 0x9e3779b1u) >> 1;
    }
    while (length < MATCH_MIN)
        hash = hash_on(hash, before(p, ++length));
    p->start = hash;
    p->hashed = p->at;
}

#endif
