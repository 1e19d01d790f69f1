/* SPDX-License-Identifier: MIT */
/* What the three steps of hot.c share: the text, the subpaths in it, and what is known of the rules. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_HOT_FINDER_H
#define WEFT_TOOLS_LIB_GRAMMAR_HOT_FINDER_H

#include "tools/lib/grammar/grammar.h"

typedef struct rule_text {
    size_t home;       /* the place in the text where it stands, or one of them */
    size_t length;     /* there; at most 8 L if the rules that use it write it out */
    size_t head, tail; /* symbols that its reading left to its users */
    bool apart;        /* it is written once, and its users contain only its ends */
    bool whole;        /* no subpath is reported in it, and it has no gap */
    bool written;
} rule_text;

/* All places from `start` up to the start of the next part have this weight. */
typedef struct part {
    size_t start;
    uint64_t weight; /* modulo 2^64 */
} part;

/* A hot subpath no shorter prefix of which is hot. */
typedef struct subpath {
    uint32_t first, last; /* the suffixes that begin with it, if they are sorted */
    size_t place;         /* where it stands, or one of them */
    uint32_t length;
    bool reported;
    uint64_t count;
} subpath;

typedef struct finder {
    const grammar *g;
    size_t min_length, longest; /* L, but never more than can be needed */
    uint64_t min_cost;
    const uint64_t *costs; /* by terminal; NULL: 1 each */
    uint32_t *order;       /* the rules that the start rule reaches, each after those that it uses */
    size_t rules;          /* in `order` */
    uint64_t *frequency;   /* of each rule: uses in the stream */
    rule_text *texts;      /* of each rule */

    uint8_t *bytes; /* the text: `width` bytes per symbol, its terminal + 1, the top byte first; 0: a gap */
    unsigned width;
    size_t size; /* of the text, in symbols */
    part *parts;
    size_t part_count;
    uint64_t *sums;    /* of the costs before each place, modulo 2^64 */
    size_t safe;       /* this many costs add up to less than 2^64 */
    int32_t *suffixes; /* in order, without those that begin with a gap */
    size_t suffix_count;
    int32_t *shared; /* of each place: symbols shared with the suffix before in the order, up to L */
    subpath *subpaths;
    size_t subpath_count, subpath_max;
    uint8_t *share; /* of each code: the share of symbols that it belongs to, from 1 on; no subpath begins with it: 0 */
    unsigned shares;
    size_t share_most; /* places of the largest */
    uint32_t *begins;  /* of each place: 1 + the subpath that begins there; 0: none. It takes the memory of `shared` */
} finder;

static inline bool is_rule(uint32_t symbol)
{
    return symbol & GRAMMAR_RULE;
}

static inline uint32_t rule_of(uint32_t symbol)
{
    return symbol & ~GRAMMAR_RULE;
}

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline uint64_t cost_of(const finder *f, uint32_t terminal)
{
    return f->costs ? f->costs[terminal] : 1;
}

/* Sums that are too large stay UINT64_MAX. */
static inline uint64_t add_capped(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

static inline uint64_t times_capped(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static inline uint32_t code_at(const finder *f, size_t place)
{
    const uint8_t *bytes = f->bytes + place * f->width;
    uint32_t code = bytes[0];
    if (f->width > 1)
        code = code << 8 | bytes[1];
    for (unsigned i = 2; i < f->width; i++)
        code = code << 8 | bytes[i];
    return code;
}

/* Symbols that an element of a right side takes in the text. */
static inline size_t width_of(const finder *f, uint32_t symbol)
{
    if (!is_rule(symbol))
        return 1;
    const rule_text *t = f->texts + rule_of(symbol);
    return t->apart ? 2 * f->longest - 1 : t->length;
}

/* Step 1: sets order, frequency and texts, and gives the size of the text in symbols. */
uint64_t hot_measure(finder *f);
/* Step 1: writes the text, of `size` symbols, and its parts. */
void hot_write(finder *f, size_t size);
/* Step 2: finds the subpaths and the places where they begin. The text has at most INT32_MAX bytes. */
void hot_suffixes(finder *f);
/* Before hot_levels: deals the symbols out. Gives the bytes that it takes for the places of the largest share. */
size_t hot_shares(finder *f);
/* As hot_suffixes, symbol by symbol, with up to `workers` threads. The text has less than UINT32_MAX symbols. */
void hot_levels(finder *f, size_t workers);

#endif
