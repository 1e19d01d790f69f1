/* SPDX-License-Identifier: MIT */
/* The links of core/sequitur_push.c: rings of symbols, lists through the chain fields. No other file includes it. */
#ifndef WEFT_CORE_SEQUITUR_LINKS_H
#define WEFT_CORE_SEQUITUR_LINKS_H

#include "core/sequitur_parts.h"

/* Not inlined: called from several places, or rarely. */
#define APART __attribute__((noinline))
#if WEFT_SMALL
#define INLINE static inline
#else
#define INLINE static inline __attribute__((always_inline))
#endif

INLINE void join(weft_seq_symbol *symbols, word left, word right)
{
    symbols[left].next = (weft_handle)right;
    symbols[right].prev = (weft_handle)left;
}

/* The symbol in a bucket that begins the digram, or 0. */
INLINE word find_in(const weft_seq_symbol *symbols, word at, word left, word right)
{
    while (at && (symbols[at].value != left || symbols[symbols[at].next].value != right))
        at = symbols[at].chain;
    return at;
}

INLINE void enter(weft_seq *q, weft_handle *link, word symbol)
{
    q->symbols[symbol].chain = *link;
    *link = (weft_handle)symbol;
}

/* Takes a symbol out of a list through the chain fields. False: it is not in that list. */
INLINE bool unchain(weft_seq_symbol *symbols, weft_handle *link, word symbol)
{
    for (word at; (at = *link) != symbol; link = &symbols[at].chain)
        if (!at)
            return false;
    *link = symbols[symbol].chain;
    return true;
}

/* If the digram that begins at `symbol` is the whole right side of a rule, which is a ring of three: its guard. Else
 * START. */
INLINE word whole_rule(const weft_seq_symbol *symbols, word symbol)
{
    word guard = symbols[symbol].prev;
    return symbols[symbols[symbol].next].next == guard ? guard : WEFT_SEQ_START;
}

#endif
