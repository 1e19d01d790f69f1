/* SPDX-License-Identifier: MIT */
/* What the steps of sequitur.c work on: the symbols of all rules as rings, and the table of digrams.
 *
 *     start rule   guard <-> a <-> R1 <-> d <-> R1 <-> guard      table   (a R1) -> its first symbol
 *     rule 1       guard <-> b <-> c <-> guard                            (b c)  -> its first symbol, ...
 *
 * It is core/sequitur_push.c's structure on 32-bit handles, in arrays that grow. What differs is for speed:
 *   - the value of a guard has its two top bits set, so that one comparison of values answers every question
 *   - pending digrams are on a small stack of their own
 *   - the table holds 8-byte entries, a symbol and a tag of its digram: a look-up that fails touches one cache line,
 *     and one that succeeds three */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_DIGRAMS_H
#define WEFT_TOOLS_LIB_GRAMMAR_DIGRAMS_H

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/grammar/grammar.h"

#define NONE UINT32_MAX
#define GUARD 0xc0000000u /* in the value of a guard; the rest counts the uses of the rule */
enum { START = 0 };

typedef struct symbol {
    uint32_t next, prev, value;
} symbol;

/* An element of the digram table. Symbol 0, the start rule's guard, marks a free one. */
typedef struct entry {
    uint32_t symbol, tag;
} entry;

typedef struct grammar_builder {
    symbol *symbols;
    size_t symbols_max;
    entry *table; /* open addressing, table_mask + 1 entries */
    uint32_t table_mask, table_used;
    uint32_t *pending; /* symbols that begin digrams to be looked at */
    size_t pending_max;
    uint32_t pending_count;
    uint32_t fresh, free_first, used; /* symbols */
    uint32_t deferred;                /* SEQUITUR(1): the symbol that waits for the next one; NONE: none */
    bool loose;                       /* the last digram of the start rule is new but not entered; its tag: */
    uint32_t loose_tag;
    uint32_t rules; /* without the start rule */
    bool lookahead;
    numbering terminals;
    uint64_t length;
} grammar_builder;

/* ---- symbols ---- */

static inline uint32_t take(grammar_builder *b, uint32_t value)
{
    uint32_t s = b->free_first;
    if (s != NONE)
        b->free_first = b->symbols[s].next;
    else
        s = b->fresh++;
    b->symbols[s].value = value;
    b->used++;
    return s;
}

static inline void give(grammar_builder *b, uint32_t s)
{
    b->symbols[s].next = b->free_first;
    b->symbols[s].value = NONE;
    b->free_first = s;
    b->used--;
}

static inline void join(grammar_builder *b, uint32_t left, uint32_t right)
{
    b->symbols[left].next = right;
    b->symbols[right].prev = left;
}

static inline bool is_guard(const grammar_builder *b, uint32_t s)
{
    return b->symbols[s].value >= GUARD;
}

/* Room for all that one push may take: a cascade takes three symbols for each rule that it makes, and returns two. */
static inline void reserve(grammar_builder *b)
{
    enum { AT_ONCE = 64 };
    if (b->fresh > GRAMMAR_RULE / 2 - AT_ONCE)
        memory_grow(NULL, SIZE_MAX, 2); /* more than a handle can name: ends the program */
    b->symbols = memory_room(b->symbols, b->fresh + AT_ONCE - 1, &b->symbols_max, sizeof *b->symbols);
}

/* ---- table of digrams ---- */

static inline uint32_t digram_hash(uint32_t left, uint32_t right)
{
    uint64_t key = (uint64_t)left << 32 | right;
    key *= 0x9e3779b97f4a7c15u;
    key ^= key >> 29;
    key *= 0xbf58476d1ce4e5b9u;
    return (uint32_t)(key >> 32);
}

static inline bool is_digram(const grammar_builder *b, uint32_t s, uint32_t left, uint32_t right)
{
    return b->symbols[s].value == left && b->symbols[b->symbols[s].next].value == right;
}

/* The place of the digram: where it is, or where it would go. */
static inline entry *find(const grammar_builder *b, uint32_t left, uint32_t right, uint32_t tag)
{
    uint32_t slot = tag & b->table_mask;
    for (;; slot = (slot + 1) & b->table_mask) {
        entry *e = b->table + slot;
        if (!e->symbol || (e->tag == tag && is_digram(b, e->symbol, left, right)))
            return e;
    }
}

/* The place of a digram that is known to be new. */
static inline entry *find_free(const grammar_builder *b, uint32_t tag)
{
    uint32_t slot = tag & b->table_mask;
    while (b->table[slot].symbol)
        slot = (slot + 1) & b->table_mask;
    return b->table + slot;
}

static inline void table_grow(grammar_builder *b)
{
    entry *old = b->table;
    uint32_t size = b->table_mask + 1u;
    b->table_mask = 2 * size - 1;
    b->table = memory_table(b->table_mask + (size_t)1, sizeof *b->table);
    for (uint32_t i = 0; i < size; i++)
        if (old[i].symbol)
            *find_free(b, old[i].tag) = old[i];
    free(old);
}

static inline void table_enter(grammar_builder *b, entry *place, uint32_t s, uint32_t tag)
{
    *place = (entry){s, tag};
    if (++b->table_used > b->table_mask - b->table_mask / 4)
        table_grow(b);
}

/* Fills the hole at a slot with later entries that may stand there, so that no tombstone is needed. */
static inline void table_remove(grammar_builder *b, uint32_t hole)
{
    uint32_t mask = b->table_mask;
    for (uint32_t slot = (hole + 1) & mask; b->table[slot].symbol; slot = (slot + 1) & mask) {
        uint32_t home = b->table[slot].tag & mask;
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            b->table[hole] = b->table[slot];
            hole = slot;
        }
    }
    b->table[hole].symbol = 0;
    b->table_used--;
}

/* ---- digrams to be looked at ---- */

/* The digram that begins at s is new or changed: it is looked at later. */
static inline void suspend(grammar_builder *b, uint32_t s)
{
    if (is_guard(b, s) || is_guard(b, b->symbols[s].next))
        return;
    for (uint32_t i = 0; i < b->pending_count; i++)
        if (b->pending[i] == s)
            return;
    b->pending = memory_room(b->pending, b->pending_count, &b->pending_max, sizeof *b->pending);
    b->pending[b->pending_count++] = s;
}

static inline void unsuspend(grammar_builder *b, uint32_t s)
{
    for (uint32_t i = 0; i < b->pending_count; i++)
        if (b->pending[i] == s) {
            b->pending_count--;
            memmove(b->pending + i, b->pending + i + 1, (b->pending_count - i) * sizeof *b->pending);
            return;
        }
}

#endif
