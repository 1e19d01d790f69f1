/* SPDX-License-Identifier: MIT */
/* What the predictor of wpp_model.c remembers, in about 73 MB, and 20 MB more for slots_widen. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_PREDICTOR_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_PREDICTOR_H

#include "tools/lib/base/bits.h"
#include "tools/lib/grammar/wpp_values.h"

enum {
    ORDERS = 5,        /* contexts; their lengths are in orders[] */
    RANKS = 6,         /* most candidates tried per symbol; more: smaller files, slower */
    HISTORY_BITS = 22, /* log2 of the symbols that repeats may reach back to; memory 4 bytes each */
    SURE_BITS = 13,
    SURE_MIN = 55000, /* of 65536: the longest context is sure; lower: faster, larger files */
    MATCH_MIN = 24,   /* symbols of a repeat that is noticed */
    MATCH_LONG = 400, /* symbols after which a repeat is coded as such, a bit per symbol */
    LAST_BITS = 12,   /* log2 of the mixers that the last symbol chooses from */
    TREE_BITS = 20,   /* log2 of the models of each tree of bits; memory 4 bytes each */
    SLOT_BITS_MIN = 12,
    SLOT_BITS_MAX = 20, /* log2 of the slots of each context; as many as the stream has symbols, between these */
};

enum {
    WPP_ROLL = 0x2f0b4c47, /* factor of the rolling hashes; odd */
    SUMS = 32,             /* rolling hashes that are kept; more than symbols of the longest context */
    WPP_LINES_FROM = 3     /* contexts from this one on have lines */
};

/* Symbols of each context, and of a repeat that is noticed. */
static const unsigned wpp_orders[ORDERS + 1] = {1, 2, 4, 7, 12, MATCH_MIN};

/* Symbols of the hash of a context: where it has lines, without the last one. */
static inline unsigned wpp_hashed_symbols(unsigned order)
{
    return wpp_orders[order] - (order >= WPP_LINES_FROM && order < ORDERS);
}

/* What a context knows. The tables have it in 8 bytes (wpp_slots.h). */
typedef struct slot {
    uint32_t first, second; /* symbols seen in this context */
    uint32_t sure;          /* that it is the first, of 65536 */
    uint32_t count;
} slot;

enum { MIXER_LANES = 8 };

/* The weights of what each context says, and of a constant; the others are of nothing. */
typedef struct mixer {
    int32_t weight[MIXER_LANES];
} mixer;

typedef struct predictor {
    bit_coder *c;
    bool old;          /* versions 1 and 2 */
    uint32_t *history; /* the last 2^HISTORY_BITS symbols, as indices */
    uint64_t at;       /* symbols so far */
    uint64_t *slots[ORDERS];
    uint32_t *more[ORDERS]; /* the upper bits of the slots' symbols; NULL: no symbol has any */
    unsigned slot_bits;
    uint64_t *here[ORDERS];         /* of the current contexts */
    uint32_t sums[2 * SUMS];        /* hashes of all symbols up to the last ones, twice */
    uint32_t leaves[ORDERS + 1];    /* factors of the symbols that are too old for a context */
    uint32_t line[ORDERS];          /* hashes of the lines of the contexts after the next symbol */
    uint16_t check[ORDERS];         /* the upper 15 bits, for the lowest one is 1 */
    uint32_t start;                 /* hash of the MATCH_MIN symbols before */
    uint64_t hashed;                /* old: the place that these are of; UINT64_MAX: none */
    unsigned longest;               /* 1 + the longest context that was seen before; 0: none */
    uint32_t outcomes;              /* of the last times that the longest context was sure, a bit each */
    bit_model sure[1 << SURE_BITS]; /* that it is right: by its slot's count and sureness, and the last outcomes */
    mixer by_state[4 * 8 * 8];      /* chosen by the candidate's rank, `longest`, and how many contexts name it first */
    mixer *by_last;                 /* chosen by the last symbol and the rank */
    int16_t logit[4096];            /* of each probability */
    int16_t squashed[2 * 2047 + 1]; /* the probability of each logit, from the least on */
    bit_model *tree[3];             /* of a symbol's bits, given none, one, two symbols */
    mixer tree_mixer[33];
    bit_model go_on[32];
    uint32_t *starts;      /* hash of MATCH_MIN symbols -> the place after them, modulo 2^32; 0: none */
    uint64_t match;        /* place of the symbol that follows in the repeat */
    uint32_t match_length; /* symbols of the repeat so far; 0: there is none */
    wpp_values values;
    uint32_t *terminals; /* values, by index */
    size_t terminals_max;
    uint32_t terminal_count;
} predictor;

/* For a stream of `length` symbols. `old`: as in versions 1 and 2. */
predictor *wpp_predictor_new(bit_coder *c, uint64_t length, bool old);
void wpp_predictor_free(predictor *p);

#endif
