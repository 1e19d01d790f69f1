/* SPDX-License-Identifier: MIT */
/* Bidirectional value predictors: a stream of numbers held compressed, with a cursor that steps over it in either
 * direction, in place, in constant time. Zhang & Gupta, "Whole Execution Traces" (MICRO 2004), section 4 and figure 5.
 *
 * Methods, each with three context sizes (weft_bfcm_contexts):
 *   FCM, differential FCM   predict a value (a stride) from the n before it, through a hash table: n = 1, 2, 4
 *   last-n, last-n stride   predict one of the last n distinct values (strides), most recent first: n = 1, 3, 15
 *
 * The stream 1 2 1 2 under FCM with n = 1. The cursor stands after the values in the second column. `before x` is the
 * left table's row of x: what stood before x the last time. `after x` is the right table's row. A flag is 1 for a miss;
 * a miss keeps the word that it replaced, on the left or the right stack, so that a step back can restore it.
 *
 *                        flags     misses left, right     before 1   before 2   after 1   after 2
 *   push 1      1        0
 *   push 2      1 2      0 1       0                                 1
 *   push 1      1 2 1    0 1 1     0 0                    2          1
 *   push 2      1 2 1 2  0 1 1 0   0 0                    2          1                              hit
 *   backward    1 2 1    0 1 1 1   0 0       0            2          1          2                   miss: 2 after 1
 *   backward    1 2      0 1 1 1   0         0 0                     1          2         1         undone: before 1
 *   forward     1 2 1    0 1 1 1   0 0       0            2          1          2                   undone: after 2
 *   forward     1 2 1 2  0 1 1 0   0 0                    2          1                              undone: after 1
 *
 * All memory is the caller's, as typed arrays in the config; it must outlive the object. Nothing is allocated, there is
 * no recursion, and a step looks at no more than one table row (FCM) or n <= 15 values (last-n). The state at a
 * position (every array and every field) is the same however the cursor came there. At the start the tables that look
 * right are as they were before the first push; at the end those that look left are.
 *
 * There are two copies of everything, for values of 32 bits (weft_bfcm_...) and of 64 bits (weft_bfcm64_...). */
#ifndef WEFT_CORE_BFCM_H
#define WEFT_CORE_BFCM_H

#include "core/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

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
/* Names of the methods: fcm, dfcm, last, last-stride. */
extern const char *const weft_bfcm_names[WEFT_BFCM_METHODS];

/* Words of `tables` that a predictor needs: two tables of 2^table_bits, or the last n. 0: no such predictor. */
size_t weft_bfcm_table_words(weft_bfcm_method method, unsigned context, unsigned table_bits);
/* Bits of `flags` per value: 1 for FCM, log2(n + 1) for last-n. */
unsigned weft_bfcm_flag_bits(weft_bfcm_method method, unsigned context);
/* Bytes of `flags` for `values` values. */
size_t weft_bfcm_flags_size(weft_bfcm_method method, unsigned context, size_t values);

/* Arrays: tables   weft_bfcm_table_words(...) words
 *         flags    weft_bfcm_flags_size(method, context, values_max) bytes
 *         misses   misses_max words. With misses_max >= values_max no step can fail; with fewer, a step may stop the
 *                  cursor (fewer steps than asked for) or a push be refused (WEFT_FULL), with the state as it was. */
#define WEFT_BFCM_TYPES(name, word)                                                                                    \
    typedef struct name##_config {                                                                                     \
        weft_bfcm_method method;                                                                                       \
        uint8_t context;    /* one of weft_bfcm_contexts[method] */                                                    \
        uint8_t table_bits; /* 1 .. WEFT_BFCM_TABLE_BITS_MAX; FCM methods only */                                      \
        word *tables;                                                                                                  \
        uint8_t *flags;                                                                                                \
        size_t values_max;                                                                                             \
        word *misses;                                                                                                  \
        size_t misses_max;                                                                                             \
    } name##_config;                                                                                                   \
    /* The object. Fields are read-only for the caller. `at` of `count` values are left of the cursor. */              \
    typedef struct name {                                                                                              \
        name##_config config;                                                                                          \
        size_t count, at;                                                                                              \
        size_t left;                        /* misses[0 .. left-1]: undo what is left of the cursor */                 \
        size_t right;                       /* misses[misses_max-right ..]: undo what is right of it */                \
        word window[WEFT_BFCM_CONTEXT_MAX]; /* context, nearest first; strides for the stride methods */               \
        word value;                         /* the value left of the cursor, 0 at the start */                         \
        uint32_t row;                       /* table row of the context */                                             \
    } name;                                                                                                            \
    /* An empty stream. Clears tables and flags. WEFT_CONFIG: a setting that cannot work. */                           \
    weft_status name##_init(name *b, const name##_config *config);                                                     \
    /* Appends a value; the cursor stays at the end. WEFT_FULL: no room. WEFT_CONFIG: the cursor is not at the end. */ \
    weft_status name##_push(name *b, word value);                                                                      \
    /* Steps over up to `steps` values to the right, each written to `out` unless NULL; returns the steps made. */     \
    size_t name##_forward(name *b, word *out, size_t steps);                                                           \
    /* The same to the left: the value nearest the cursor comes first. */                                              \
    size_t name##_backward(name *b, word *out, size_t steps);                                                          \
    /* For tests: whether the invariants hold (counts, room, row). */                                                  \
    bool name##_check(const name *b);                                                                                  \
    /* Bytes of `values` in the method of `config`, by trial: flags, and each miss in the whole bytes that it has. */  \
    /* Uses config->tables only, and leaves them cleared. */                                                           \
    size_t name##_cost(const name##_config *config, const word *values, size_t count);                                 \
    /* Tries all methods and context sizes on a prefix of a stream; sets method and context to the cheapest. */        \
    /* config->tables must hold the words of FCM with config->table_bits, and at least 15. */                          \
    void name##_choose(name##_config *config, const word *values, size_t count);

WEFT_BFCM_TYPES(weft_bfcm, uint32_t)
WEFT_BFCM_TYPES(weft_bfcm64, uint64_t)

#ifdef __cplusplus
}
#endif

#endif
