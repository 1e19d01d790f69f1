/* SPDX-License-Identifier: MIT */
/* Windowed greedy loop detector: finds loop nests in a stream of symbols while it passes, over a window of W terms.
 * After Xu, Subhlok and Hammen, "Efficient discovery of loop nests in execution traces of parallel programs", figure 1:
 * shortest body first, and equal loops count as equal terms, so that outer loops are found over inner ones. Unlike the
 * paper's algorithm it works on line, in bounded memory.
 *
 * A term is a run, a symbol that comes n >= 1 times, or a loop, (body)^count, whose body is a sequence of at least two
 * terms. The window is the end of the output itself:
 *
 *     output    a | b c | (d e)^7 f | g g g |                  the last W terms, closed
 *     open                                    h h <- next symbol
 *
 * 1. The last term is open: a run that may grow, or a loop that may go on. A symbol that it does not expect closes it.
 *    Closed terms never change. Those that are not among the last W are never looked at again.
 * 2. The term that was closed may end a square: the last 2 b terms are the same b terms twice, 2 <= b, 2 b <= W. They
 *    become (those b terms)^2, least b first, unless that nests deeper than depth_max.
 * 3. That loop is open now. If it does not expect the symbol either, step 1 follows again, for the loops around it.
 * 4. An open loop only compares symbols with its body, at the cursor. When it is closed, the iterations that passed are
 *    added to its count. What had passed of the next iteration is appended as terms, the last of which is open.
 * 5. If nothing that is open expects the symbol, it opens a run.
 *
 * The stream `ababcababcababd`, as `|` marks the open term:
 *
 *   a b a      a b | a                  runs of one
 *   b          a b a | b
 *   c          (a b)^2 | c              c closes b (1). The last four terms are a square: a loop (2). It does not
 *                                       expect c either, and is closed as it is (3). c opens a run (5)
 *   a b a b    (a b)^2 c a b a | b
 *   c          (a b)^2 c (a b)^2 | c    as before
 *   a          | ((a b)^2 c)^2          a closes c, and the last four terms are a square. That loop is open and
 *                                       expects a: its cursor stands in a third iteration
 *   b a b      | ((a b)^2 c)^2          three comparisons, nothing else (4). c is next
 *   d          ((a b)^2 c)^2 (a b)^2 | d   the loop is closed with count 2, and what had passed is appended
 *
 * So a loop is found as soon as its second iteration is over, if its body, with inner loops reduced, has at most W/2
 * terms and its nesting is at most depth_max. An inner loop takes the places of its first two iterations until it is
 * found. No two equal sequences of several terms are neighbours in the window, except for those that would nest too
 * deep. The result depends on the stream and the sizes only: terms are looked up by hashes, but compared in full.
 *
 * Work. A symbol that is expected costs a comparison, and at most depth_max levels to go up and down. A term that is
 * closed is compared with earlier ones, W/2 at most, in the same bucket, which is that of three terms: a term and the
 * two before it. Where these b terms may be equal to the b terms before them, they are compared backwards. As there
 * were no equal neighbours before, two such comparisons that both go on for m terms start more than m terms apart. So
 * all of them together look at W/2 (1 + ln W/2) terms at most. Copying is amortised by the symbols dropped. A symbol
 * closes one term, at most depth_max loops around it and, if a loop ends within its body, what had passed of that,
 * amortised by the symbols passed. Stack: below 300 bytes; no recursion. RAM on a 32-bit target: 224 bytes, and 12 per
 * term of the window. */
#ifndef WEFT_CORE_LOOPNEST_H
#define WEFT_CORE_LOOPNEST_H

#include "core/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_LOOPNEST_WINDOW_MIN 8u
#define WEFT_LOOPNEST_WINDOW_MAX 4096u
#define WEFT_LOOPNEST_DEPTH_MAX 8u
#define WEFT_LOOPNEST_PROGRESS_MAX ((1u << 27) - 1)

/* A closed term. */
typedef struct weft_loopnest_term {
    uint8_t *start; /* of its bytes in the output; they end where the next term starts */
    uint16_t chain; /* terms back to the one before it in its bucket; 0: there is none */
    uint16_t key;   /* equal terms have equal keys */
} weft_loopnest_term;

/* All memory is the caller's. */
typedef struct weft_loopnest_config {
    weft_loopnest_term *terms; /* terms_max of them, a power of two >= window */
    size_t terms_max;
    uint16_t *buckets; /* buckets_max of them, a power of two; 2 * window is a good size. With WEFT_SMALL not used: a
                          term that is closed is compared with all of the W/2 before it */
    size_t buckets_max;
    uint32_t window;    /* W, WEFT_LOOPNEST_WINDOW_MIN.._MAX */
    uint32_t depth_max; /* deepest nesting, 1..WEFT_LOOPNEST_DEPTH_MAX */
    uint32_t progress;  /* symbols after which an open run or loop is closed, and the window starts again: at most
                           WEFT_LOOPNEST_PROGRESS_MAX; 0: that */
} weft_loopnest_config;

/* One of the loops in whose bodies the cursor stands. */
typedef struct weft_loopnest_level {
    uint8_t *header, *body; /* where they start in the output */
    uint32_t left;          /* iterations to come; of the open loop: its count, less one */
    uint16_t terms;         /* of its body, as written */
    uint16_t outer_left;    /* terms_left in the body around it, this loop included */
} weft_loopnest_level;

typedef enum weft_loopnest_open { WEFT_LOOPNEST_NONE, WEFT_LOOPNEST_RUN, WEFT_LOOPNEST_LOOP } weft_loopnest_open;

/* Fields are private; tests and stats read them. */
typedef struct weft_loopnest {
    uint32_t expected;   /* the symbol that what is open goes on with */
    uint32_t left;       /* how often it may come; 0: never */
    uint8_t *token, *at; /* in the open loop: the symbol or run that is expected, and what follows it */
    int32_t quiet;       /* symbols that the open loop may take after these */
    uint16_t terms_left; /* terms, as written, from the expected one to the end of the body where the cursor stands */
    uint8_t open, depth; /* a weft_loopnest_open; the level where the cursor stands */
    uint8_t *rest,
        *rest_end;         /* terms that wait after the output: what had passed of the body of a loop that was closed */
    uint32_t need;         /* room that closing the open loop may take */
    uint32_t first, next;  /* the window: the last `window` of the terms i with first <= i < next */
    uint32_t key_1, key_2; /* keys of the last term and of the one before it */
    uint32_t half, terms_mask, buckets_mask; /* window / 2, ... */
    uint32_t terms_high;
    weft_loopnest_config config;
    weft_loopnest_level level[WEFT_LOOPNEST_DEPTH_MAX]; /* [0] is the open loop */
} weft_loopnest;

/* Declares static storage and configuration: WEFT_LOOPNEST_DEF(nest, 32, 6);  weft_loopnest_init(&nest, &nest_config);
 * `window_terms` is a power of two here. */
#define WEFT_LOOPNEST_DEF(name, window_terms, depth)                                                                   \
    static weft_loopnest_term name##_terms[window_terms];                                                              \
    static uint16_t name##_buckets[2 * (window_terms)];                                                                \
    static weft_loopnest name;                                                                                         \
    static const weft_loopnest_config name##_config = {.terms = name##_terms,                                          \
                                                       .terms_max = WEFT_COUNT(name##_terms),                          \
                                                       .buckets = name##_buckets,                                      \
                                                       .buckets_max = WEFT_COUNT(name##_buckets),                      \
                                                       .window = (window_terms),                                       \
                                                       .depth_max = (depth),                                           \
                                                       .progress = 1u << 16}

/* WEFT_CONFIG: a size outside its range. */
weft_status weft_loopnest_init(weft_loopnest *nest, const weft_loopnest_config *config);

/* The output of the coder is a sequence of terms:
 *     symbol        varint64 of symbol * 2
 *     loop          varint of terms * 2 + 1, terms >= 1; varint of the count, >= 1; then the body's terms
 * A run is a loop of one term, or two symbols where that is shorter. A loop that follows an equal one continues it:
 * that is how progress shows. The stream above, with symbols 1 to 4, is
 *     5 2  5 2 2 4  6  5 2 2 4  8          ((a b)^2 c)^2 (a b)^2 d */

/* The fewest bytes that push must find free in `out` on a symbol after init or flush. */
#define WEFT_LOOPNEST_OUT_MIN 20u
/* Takes a symbol. May write terms, and change those that it wrote since init or flush: until the next flush the bytes
 * must stay where they are, and `out` be left alone. WEFT_FULL: `out` may be too small for what is held and the symbol,
 * which was not taken: flush first. */
weft_status weft_loopnest_push(weft_loopnest *nest, uint32_t symbol, weft_writer *out);
/* Writes all that is held and starts again. It fits if the last push returned WEFT_OK. */
void weft_loopnest_flush(weft_loopnest *nest, weft_writer *out);
/* For tests; in core/loopnest_check.c. Whether the invariants of the structure hold. */
bool weft_loopnest_check(const weft_loopnest *nest, const weft_writer *out);

#ifdef __cplusplus
}
#endif

#endif
