/* SPDX-License-Identifier: MIT */
/* SEQUITUR, and SEQUITUR(1) with one symbol of look-ahead (Larus, "Whole program paths", sections 3.1 and 3.2). It
 * turns a stream of symbols into a grammar with two properties: no digram occurs twice, and every rule is used at least
 * twice.
 *
 *      rule = ring of symbols, closed by its guard               digram table: hash of two values -> chain of
 *        guard(uses) <-> a <-> rule 7 <-> b <-> guard            the symbols that begin such a digram
 *      value: index of a terminal, or 0x8000 | guard's handle    chain: next in the same bucket
 *
 * The stream `abcdbc`, with the handle of each element below it:
 *
 *   a b c d b    S -> a b c d b          every digram is new: ab, bc and cd are in the table; the
 *                     1 2 3 4 5           last one, db, waits for the next symbol
 *   c            bc is known, from 2 on: elements 2 and 3 move to a rule of their own, whose guard is 6. Element 7 is
 *                its use in their place. The c is not appended: element 5 becomes the second use instead.
 *
 *                S -> a R d R            R -> b c           in the table: a R (1), R d (7), b c (2);
 *                     1 7 4 5            6    2 3           d R, the last one of S, waits
 *
 *      S: [0 guard] <-> [1 a] <-> [7 R] <-> [4 d] <-> [5 R] <-> [0]
 *      R: [6 guard, 2 uses] <-> [2 b] <-> [3 c] <-> [6]
 *
 *   a b c        S -> Q d R Q            Q -> a R           a R is known too: rule Q
 *   d            S -> Q R Q              Q -> a R d         Q d is known. Q has no other use than those two, so that
 *                                                           it takes in the d: no rule for Q d is made
 *
 * As a control coder: push takes a symbol or says WEFT_FULL; flush then writes the grammar as a segment and starts
 * again. The written form is at weft_seq_flush. All memory is the caller's. */
#ifndef WEFT_CORE_SEQUITUR_H
#define WEFT_CORE_SEQUITUR_H

#include "core/base.h"
#include "core/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One element of a right side, or the guard of a rule. 8 bytes. */
typedef struct weft_seq_symbol {
    weft_handle next, prev;
    weft_handle value; /* of a guard: how often the rule is used */
    weft_handle chain; /* of a guard: WEFT_SEQ_GUARD */
} weft_seq_symbol;

#define WEFT_SEQ_GUARD ((weft_handle)0xfffe)
#define WEFT_SEQ_RULE 0x8000u /* set in the value of a symbol that stands for a rule */

typedef struct weft_seq_config {
    weft_seq_symbol *symbols; /* one per symbol on a right side, and one per rule */
    size_t symbols_max;       /* WEFT_SEQ_SYMBOLS_MIN .. 32,767 */
    weft_handle *digrams;     /* hash table; about as many as symbols is best */
    size_t digrams_max;       /* a power of two, 16 .. 32,768 */
    uint32_t *terminals;      /* distinct symbols of the stream */
    size_t terminals_max;     /* 1 .. 32,767 */
    weft_handle *slots;       /* hash table of the terminals: index; 0: free */
    size_t slots_max;         /* a power of two, more than terminals_max */
    bool lookahead;           /* SEQUITUR(1) */
} weft_seq_config;

#define WEFT_SEQ_SYMBOLS_MIN 8u

typedef struct weft_seq {
    weft_seq_symbol *symbols;
    weft_handle *digrams;
    uint32_t *terminals;
    weft_handle *slots;
    weft_handle symbols_max, terminals_max;
    weft_handle fresh;      /* symbols from here on have not been used since the last reset */
    weft_handle free_first; /* chain of returned symbols, through next */
    weft_handle used;
    weft_handle terminals_used;
    weft_handle rules;          /* the start rule not counted */
    weft_handle *loose;         /* bucket of the last digram of the start rule, which is new but not entered; or NULL */
    weft_handle pending;        /* chain of symbols whose digram is to be looked up */
    weft_handle deferred;       /* symbol whose digram waits for the look-ahead; 0: none */
    weft_handle high_water;     /* most of `fresh` before the last reset */
    weft_handle terminals_high; /* most of terminals_used before the last reset */
    uint8_t digram_shift, slot_shift;
    uint32_t terminal_bits;           /* that the values of the terminals take in the segment */
    size_t room;                      /* bytes for the segment, as the last push gave them */
    weft_handle used_max;             /* most symbols and guards before a push, by the pool */
    weft_handle used_limit;           /* the same, by the pool and by room; 0: compute it again */
    weft_handle rules_min, rules_max; /* numbers of rules for which used_limit holds */
    bool lookahead;
} weft_seq;

/* Declares a grammar `name`, its memory `name`_memory and its configuration `name`_config. slots_ is a power of two.
 *     WEFT_SEQ_DEF(grammar, 512, 512, 200, 256, false);  weft_seq_init(&grammar, &grammar_config); */
#define WEFT_SEQ_DEF(name, symbols_, digrams_, terminals_, slots_, lookahead_)                                         \
    static struct {                                                                                                    \
        weft_seq_symbol symbols[symbols_];                                                                             \
        uint32_t terminals[terminals_];                                                                                \
        weft_handle digrams[digrams_], slots[slots_];                                                                  \
    } name##_memory;                                                                                                   \
    static weft_seq name;                                                                                              \
    static const weft_seq_config name##_config = {name##_memory.symbols,                                               \
                                                  symbols_,                                                            \
                                                  name##_memory.digrams,                                               \
                                                  digrams_,                                                            \
                                                  name##_memory.terminals,                                             \
                                                  terminals_,                                                          \
                                                  name##_memory.slots,                                                 \
                                                  slots_,                                                              \
                                                  lookahead_}

/* WEFT_CONFIG if a size is out of its range. */
weft_status weft_seq_init(weft_seq *seq, const weft_seq_config *config);

/* Appends one symbol. WEFT_FULL: nothing was taken. A pool is full, or the segment with this symbol might take more
 * than `room` bytes: flush, and push again. The first symbol is never refused if room is WEFT_SEQ_SEGMENT_MIN or more.
 * Amortised constant time. One push makes at most one step per symbol of the grammar. */
weft_status weft_seq_push(weft_seq *seq, uint32_t symbol, size_t room);
#define WEFT_SEQ_SEGMENT_MIN 24u

/* With look-ahead, makes the rule that waits for the next symbol. */
void weft_seq_settle(weft_seq *seq);

/* Settles, writes the grammar as a segment, and forgets it. An empty grammar writes nothing. WEFT_FULL: the writer has
 * too little room, and the segment is lost.
 *
 * A segment is a string of bits, the first in the top bit of the first byte. Zeros fill the last byte. Two codes of
 * numbers occur in it:
 *
 *   gamma(x), x >= 1      b - 1 zeros, then x in b bits; b is the number of bits of x
 *   code(v, m), v < m     v in b - 1 bits if v < u, else v + u in b bits; b is the number of bits of m - 1, u = 2^b - m
 *
 *   segment  = gamma(number of elements of the start rule), then these elements
 *   element  = 0 code(v, t + r)              terminal v if v < t, else rule v - t; t terminals and r rules were met
 *                                            before
 *            | 11 gamma(d / 32 + 1) and d % 32 in 5 bits
 *                                            a new terminal; d is the zigzag of its value less that of the terminal met
 *                                            before it (2^32 - 1 for the first)
 *            | 10 element element (1 element)* 0
 *                                            a new rule, and the elements of its right side
 *
 * Alternatives that were measured. On eight workloads: new terminals and rules among the codes, and d / 8, is 3 to 29 %
 * larger; it was the format before, which grammar_segment_read still reads. On five workloads, with those codes:
 * lengths of rules in gamma code, 0.0 to 0.2 % larger; codes of a fixed width, 7 to 21 %; the rules in a row rather
 * than in the place of their first use, 8 to 19 %. */
weft_status weft_seq_flush(weft_seq *seq, weft_writer *out);

/* Forgets the grammar. */
void weft_seq_reset(weft_seq *seq);

/* For tests; in core/sequitur_check.c. True if every invariant holds: rings and counts; each digram once, except for
 * the last of the start rule while it waits for the look-ahead; each rule used twice and at least two symbols long. */
bool weft_seq_check(const weft_seq *seq);

/* Most symbols and guards in use at once since init. That is how many were ever taken fresh, since a handle that was
 * returned is taken again first. */
static inline weft_handle weft_seq_high_water(const weft_seq *seq)
{
    return seq->fresh > seq->high_water ? seq->fresh : seq->high_water;
}

/* Most terminals in a grammar since init. */
static inline weft_handle weft_seq_terminals_high(const weft_seq *seq)
{
    return seq->terminals_used > seq->terminals_high ? seq->terminals_used : seq->terminals_high;
}

#ifdef __cplusplus
}
#endif

#endif
