/* SPDX-License-Identifier: MIT */
/* Windowed greedy loop detector: finds loop nests in a stream of symbols while it passes, over a window of W terms.
 * After Xu, Subhlok and Hammen, "Efficient discovery of loop nests in execution traces of parallel programs", section IV:
 * most recent repetition first, equal loops count as equal terms, so that outer loops are found over inner ones. Unlike the
 * paper's it works on line, in bounded memory.
 *
 * A term is a symbol or a loop, (body)^count, whose body is a sequence of terms. The window holds the last terms:
 *
 *     written out <- | a | (b c)^7 | d | e | <- next symbol          4 terms, 8 slots
 *
 * 1. A symbol is appended as a term.
 * 2. If a loop stands b terms back and its body of b terms equals the last b terms, these are dropped and the loop's
 *    count grows by one.
 * 3. Otherwise, if the last 2 b terms are twice the same b terms, 2 b <= W, they become (those b terms)^2; least b first.
 * 4. The loop that changed is the last term now: back to 2, for the loops around it.
 * 5. When the window or its memory is full, the oldest term is written out and forgotten.
 *
 * So a loop is found as soon as its second iteration ends if its body, inner loops reduced, has at most W/2 terms and
 * its nesting is at most depth_max. The result depends on the stream and the sizes only. Every term that was found equal by
 * its hash is compared in full before it is dropped: lossless whatever the hash does.
 *
 * Work: a step looks at the earlier terms in the window whose hash falls in the same bucket, at most W/2; a symbol causes at
 * most 2 depth_max + 1 steps, and the copying and comparing of bodies, which is amortised by the symbols dropped.
 * Stack: below 200 bytes; no recursion. */
#ifndef WEFT_CORE_LOOPNEST_H
#define WEFT_CORE_LOOPNEST_H

#include "core/bytes.h"

#define WEFT_LOOPNEST_WINDOW_MIN 8u
#define WEFT_LOOPNEST_WINDOW_MAX 4096u
#define WEFT_LOOPNEST_DEPTH_MAX 15u
/* A count that has come here grows no more; the loop goes on as a second one. */
#define WEFT_LOOPNEST_COUNT_MAX ((1u << 27) - 1)

/* A term in the window: where its slots start, and what finds it again. */
typedef struct weft_loopnest_term {
    uint32_t hash;  /* of all terms up to this one, rolling */
    uint16_t start; /* its first slot */
    uint16_t chain; /* the term before it in the same bucket */
    uint16_t due;   /* the last of the loops that grow if their bodies are repeated up to here */
    uint16_t next;  /* of a loop: the one before it in the list that `due` heads */
} weft_loopnest_term;

/* A symbol takes one slot, a loop two and those of its body. */
typedef struct weft_loopnest_slot {
    uint32_t value;  /* the symbol; of a loop: its count, then its body's hash */
    uint16_t length; /* 0: symbol; else a loop: the slots of its body and LOOP bits; then its body's terms and depth */
} weft_loopnest_slot;

/* All memory is the caller's. */
typedef struct weft_loopnest_config {
    weft_loopnest_term *terms; /* terms_max of them, a power of two >= window */
    size_t terms_max;
    weft_loopnest_slot *slots; /* slots_max of them, a power of two from 32 to 2^14; 2 * window is a good size */
    size_t slots_max;
    uint16_t *buckets; /* buckets_max of them, a power of two; window is a good size */
    size_t buckets_max;
    uint32_t window;    /* W, WEFT_LOOPNEST_WINDOW_MIN.._MAX */
    uint32_t depth_max; /* deepest nesting, 1..WEFT_LOOPNEST_DEPTH_MAX */
    uint32_t progress;  /* after so many symbols without output, a running loop is written as far as it is; 0: never */
} weft_loopnest_config;

/* Fields are private; tests and stats read them. */
typedef struct weft_loopnest {
    weft_loopnest_config config;
    uint16_t first, next;           /* terms in the window: first <= i < next, mod 2^16 */
    uint16_t slot_first, slot_next; /* likewise their slots */
    uint16_t terms_high, slots_high;
    uint32_t hash_first; /* the rolling hash before the window */
    uint32_t quiet;      /* symbols since the last output */
    uint32_t slot_bytes; /* no slot takes more bytes when written */
} weft_loopnest;

/* Declares static storage and configuration: WEFT_LOOPNEST_DEF(nest, 32, 6);  weft_loopnest_init(&nest, &nest_config);
 * `window_terms` is a power of two here. */
#define WEFT_LOOPNEST_DEF(name, window_terms, depth)                             \
    static weft_loopnest_term name##_terms[window_terms];                        \
    static weft_loopnest_slot name##_slots[2 * (window_terms) < 32 ? 32 : 2 * (window_terms)]; \
    static uint16_t name##_buckets[window_terms];                                \
    static weft_loopnest name;                                                   \
    static const weft_loopnest_config name##_config = {.terms = name##_terms,    \
                                                       .terms_max = WEFT_COUNT(name##_terms),     \
                                                       .slots = name##_slots,                     \
                                                       .slots_max = WEFT_COUNT(name##_slots),     \
                                                       .buckets = name##_buckets,                 \
                                                       .buckets_max = WEFT_COUNT(name##_buckets), \
                                                       .window = (window_terms),                  \
                                                       .depth_max = (depth),                      \
                                                       .progress = 1u << 16}

/* WEFT_CONFIG: a size outside its range. */
weft_status weft_loopnest_init(weft_loopnest *nest, const weft_loopnest_config *config);

/* The output of the coder is a sequence of terms:
 *     symbol        varint64 of symbol * 2
 *     loop          varint of terms * 2 + 1, terms >= 1; varint of the count; then the body's terms
 *     progress      varint of 1; varint of n: the loop written last on the outermost level ran n times more */

/* The fewest bytes that push must find free in `out` on a symbol after init or flush. */
#define WEFT_LOOPNEST_OUT_MIN 25u
/* Takes a symbol; may write terms. WEFT_FULL: `out` may be too small for it and all that is held; nothing was taken or
 * written: flush first. */
weft_status weft_loopnest_push(weft_loopnest *nest, uint32_t symbol, weft_writer *out);
/* Writes all that is held and starts anew. It fits wherever the last push said WEFT_OK. */
void weft_loopnest_flush(weft_loopnest *nest, weft_writer *out);
/* The invariants of the structure; for tests. */
bool weft_loopnest_check(const weft_loopnest *nest);

#endif
