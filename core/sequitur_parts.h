/* SPDX-License-Identifier: MIT */
/* What the files of core/sequitur share; no other file includes it. Calls go one way:
 *
 *     sequitur_segment.c      writes the grammar as a segment
 *        -> sequitur_push.c   pushes, and keeps the grammar's two properties
 *           -> sequitur_pools.c   starts a grammar, numbers terminals, says whether one more push fits */
#ifndef WEFT_CORE_SEQUITUR_PARTS_H
#define WEFT_CORE_SEQUITUR_PARTS_H

#include "core/sequitur.h"

/* A handle or a value in a register: 32 bits need no masking after each step. */
typedef uint32_t word;

/* Free symbols that a push needs before it starts: one for the symbol, the others for rules. Making a rule takes two
 * symbols and returns one; at the end of the start rule it returns none. */
enum { WEFT_SEQ_RESERVE = 5 };
/* True if one more push fits the pool and a segment of `room` bytes. */
bool weft_seq_fits(weft_seq *seq, size_t room);
/* Numbers a new terminal, which goes to `slot`. Gives its index, or WEFT_NONE: there is no room. */
uint32_t weft_seq_number(weft_seq *seq, uint32_t symbol, uint32_t slot);

/* The guard of the start rule. */
#define WEFT_SEQ_START ((weft_handle)0)
/* Its value. No symbol has it, so that it begins no digram. */
#define WEFT_SEQ_NO_VALUE ((weft_handle)0x7fff)
/* The chain of a symbol that was returned, which sets it apart from a guard. */
#define WEFT_SEQ_FREE ((weft_handle)0xfffd)

/* The bucket of a digram, whether or not it is in the table. */
static inline weft_handle *weft_seq_bucket(const weft_seq *seq, uint32_t left, uint32_t right)
{
    return &seq->digrams[((left << 16) + right) * 0x9e3779b1u >> seq->digram_shift];
}

static inline bool weft_seq_is_guard(const weft_seq *seq, weft_handle symbol)
{
    return seq->symbols[symbol].chain & 0x8000; /* of a live symbol: a handle or WEFT_SEQ_GUARD */
}

/* Bits of x, which is not 0. */
static inline unsigned weft_seq_bits_of(uint32_t x)
{
    return 32u - (unsigned)__builtin_clz(x);
}

/* Distance of a terminal from the one before it, as the segment holds it. Terminals are numbered, and written, in the
 * order of their first appearance. */
static inline uint32_t weft_seq_terminal_step(const weft_seq *seq, uint32_t terminal)
{
    uint32_t before = terminal ? seq->terminals[terminal - 1] : UINT32_MAX;
    return weft_zigzag((int32_t)(seq->terminals[terminal] - before));
}

#endif
