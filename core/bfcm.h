/* SPDX-License-Identifier: MIT */
/* Bidirectional value predictors: a stream of numbers held compressed, with a cursor that steps over it in either
 * direction, in place, in constant time. Zhang & Gupta, "Whole Execution Traces" (MICRO 2004), section 4 and figure 5.
 *
 * Methods, each with three context sizes (weft_bfcm_contexts):
 *   FCM, differential FCM   predict a value (a stride) from the n before it, through a hash table: n = 1, 2, 4
 *   last-n, last-n stride   predict one of the last n distinct values (strides), most recent first: n = 1, 3, 15
 *
 * All memory is the caller's, as typed arrays in the config; it must outlive the object. Nothing is allocated, there is
 * no recursion, and a step looks at no more than one table row (FCM) or n <= 15 values (last-n).
 * The state at a position (every array and every field) is the same however the cursor came there; at the start the
 * tables that look right are as they were before the first push, at the end those that look left are.
 *
 * There are two copies of everything, for values of 32 bits (weft_bfcm_...) and of 64 bits (weft_bfcm64_...). */
#ifndef WEFT_CORE_BFCM_H
#define WEFT_CORE_BFCM_H

#include "core/bytes.h"

typedef enum weft_bfcm_method {
    WEFT_BFCM_FCM = 0,
    WEFT_BFCM_DFCM = 1,
    WEFT_BFCM_LAST = 2,
    WEFT_BFCM_LAST_STRIDE = 3,
} weft_bfcm_method;

#define WEFT_BFCM_METHODS 4u
#define WEFT_BFCM_SIZES 3u
#define WEFT_BFCM_TABLE_BITS_MAX 24u
/* The largest context that is hashed, and the longest list of last values. */
#define WEFT_BFCM_CONTEXT_MAX 4u
#define WEFT_BFCM_LAST_MAX 15u

/* The three context sizes of each method. */
extern const uint8_t weft_bfcm_contexts[WEFT_BFCM_METHODS][WEFT_BFCM_SIZES];
/* fcm, dfcm, last, last-stride. */
extern const char *const weft_bfcm_names[WEFT_BFCM_METHODS];

/* Words of `tables` that a predictor needs: two tables of 2^table_bits, or the last n. 0: no such predictor. */
size_t weft_bfcm_table_words(weft_bfcm_method method, unsigned context, unsigned table_bits);
/* Bits of `flags` for each value: 1 for FCM, log2(n + 1) for last-n. */
unsigned weft_bfcm_flag_bits(weft_bfcm_method method, unsigned context);
/* Bytes of `flags` for `values` values. */
size_t weft_bfcm_flags_size(weft_bfcm_method method, unsigned context, size_t values);

/* Arrays: tables   weft_bfcm_table_words(...) words
 *         flags    weft_bfcm_flags_size(method, context, values_max) bytes
 *         misses   misses_max words. With misses_max >= values_max no step can fail; a smaller one may stop the
 *                  cursor (fewer steps than asked for) or the pushing (WEFT_FULL), with the state as it was. */
#define WEFT_BFCM_TYPES(NAME, WORD)                                                                                     \
    typedef struct NAME##_config {                                                                                      \
        weft_bfcm_method method;                                                                                        \
        uint8_t context;    /* one of weft_bfcm_contexts[method] */                                                     \
        uint8_t table_bits; /* 1 .. WEFT_BFCM_TABLE_BITS_MAX; FCM methods only */                                       \
        WORD *tables;                                                                                                   \
        uint8_t *flags;                                                                                                 \
        size_t values_max;                                                                                              \
        WORD *misses;                                                                                                   \
        size_t misses_max;                                                                                              \
    } NAME##_config;                                                                                                    \
    /* The object. Fields are read-only for the caller; `count` values, `at` of them left of the cursor. */             \
    typedef struct NAME {                                                                                               \
        NAME##_config config;                                                                                           \
        size_t count, at;                                                                                               \
        size_t left;                        /* misses[0 .. left-1]: undo what is left of the cursor */                  \
        size_t right;                       /* misses[misses_max-right ..]: undo what is right of it */                 \
        WORD window[WEFT_BFCM_CONTEXT_MAX]; /* context, nearest first; strides for the stride methods */                \
        WORD value;                         /* the value left of the cursor, 0 at the start */                          \
        uint32_t row;                       /* table row of the context */                                              \
    } NAME;                                                                                                             \
    /* An empty stream. WEFT_CONFIG: a setting that cannot work. Clears tables and flags. */                            \
    weft_status NAME##_init(NAME *b, const NAME##_config *config);                                                      \
    /* Appends a value; the cursor must be at the end, and stays there. WEFT_FULL: no room. WEFT_CONFIG: not at end. */ \
    weft_status NAME##_push(NAME *b, WORD value);                                                                       \
    /* Steps over up to `steps` values to the right, each written to `out` unless NULL; returns the steps made. */      \
    size_t NAME##_forward(NAME *b, WORD *out, size_t steps);                                                            \
    /* The same to the left: the value nearest the cursor comes first. */                                               \
    size_t NAME##_backward(NAME *b, WORD *out, size_t steps);                                                           \
    /* Whether the invariants hold (for tests): counts, room, row. */                                                   \
    bool NAME##_check(const NAME *b);                                                                                   \
    /* Bytes that `values` would take, by trial, in the method of `config`: its flags and its misses, each miss in as \
     * many whole bytes as it has. Uses config->tables only, and leaves them cleared. */ \
    size_t NAME##_cost(const NAME##_config *config, const WORD *values, size_t count);                                  \
    /* Tries all methods and context sizes on a prefix of a stream and sets config->method and config->context to    \
     * the cheapest; config->tables must hold the words of FCM with config->table_bits, and 15. */  \
    void NAME##_choose(NAME##_config *config, const WORD *values, size_t count);

WEFT_BFCM_TYPES(weft_bfcm, uint32_t)
WEFT_BFCM_TYPES(weft_bfcm64, uint64_t)

#endif
