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
 * 2. If the last two terms are loops over the same body, they become one.
 * 3. Otherwise, if the last 2 b terms are twice the same b terms, 2 b <= W, they become (those b terms)^2; least b first.
 * 4. The loop that changed is the last term now: back to 2, for the loops around it.
 * 5. When the window or its memory is full, the oldest term is written out and forgotten.
 *
 * So a loop is found as soon as its second iteration ends if its body, inner loops reduced, has at most W/2 terms and
 * its nesting is at most depth_max. The result depends on the stream and the sizes only. Terms that were found equal by
 * their hash are compared in full before they are dropped: lossless whatever the hash does.
 *
 * While the last term is a loop, symbols are only held against its body (the cursor): the common case takes no other
 * work. When one differs, the iterations that passed are added to the count, and what of the body had been
 * matched is appended as terms; so the loops around are looked for when a loop has ended.
 *
 * Work: a step looks at the earlier terms in the window whose hash falls in the same bucket, at most W/2; a term that is
 * appended causes at most 2 depth_max + 1 steps, and the copying and comparing of bodies, which is amortised by the
 * symbols dropped. A symbol appends one term, and those that the cursor had passed over, at most W/2, which is amortised too.
 * Stack: below 200 bytes; no recursion. */
#ifndef WEFT_CORE_LOOPNEST_H
#define WEFT_CORE_LOOPNEST_H

#include "core/bytes.h"

#define WEFT_LOOPNEST_WINDOW_MIN 8u
#define WEFT_LOOPNEST_WINDOW_MAX 4096u
#define WEFT_LOOPNEST_DEPTH_MAX 8u
/* A count that has come here grows no more: the loop goes on as a second one. */
#define WEFT_LOOPNEST_COUNT_MAX ((1u << 27) - 1)
#define WEFT_LOOPNEST_PROGRESS_MAX ((1u << 27) - 1)

/* A term in the window: where its slots start, and what finds it again. */
typedef struct weft_loopnest_term {
    uint32_t hash;  /* of all terms before this one, rolling */
    uint16_t start; /* its first slot */
    uint16_t chain; /* the term before it in the same bucket: that of its hash and the hash of the term before it */
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
    uint16_t *buckets; /* buckets_max of them, a power of two; 2 * window is a good size */
    size_t buckets_max;
    uint32_t window;    /* W, WEFT_LOOPNEST_WINDOW_MIN.._MAX */
    uint32_t depth_max; /* deepest nesting, 1..WEFT_LOOPNEST_DEPTH_MAX */
    uint32_t progress;  /* after so many symbols without output all that is held is written, a running loop as far as it
                           is; WEFT_LOOPNEST_PROGRESS_MAX at most; 0: that */
} weft_loopnest_config;

/* A loop in whose body the cursor stands, inside the last term. */
typedef struct weft_loopnest_level {
    uint16_t end;  /* of its body's slots */
    uint16_t size; /* its body's slots */
    uint32_t left; /* iterations to come; of the last term itself: iterations passed since it became the last */
} weft_loopnest_level;

/* Fields are private; tests and stats read them. */
typedef struct weft_loopnest {
    /* The cursor. */
    uint32_t run;      /* symbols that it may still pass over; 0 when it does not run */
    uint32_t expected; /* the symbol that goes on with the last term */
    uint16_t at, end;  /* that symbol's slot, and the end of the body that it stands in */
    bool active;       /* it runs: the last term is a loop */
    uint8_t depth;     /* of the level it stands in */
    weft_loopnest_slot *slots;
    uint32_t slots_mask;
    weft_loopnest_term *terms;
    uint32_t terms_mask;
    uint16_t *buckets;
    uint32_t buckets_mask;
    uint32_t hash;                  /* of all terms, rolling */
    uint32_t last_key, key_before;  /* hashes of the last term alone, and of the one before the window */
    uint16_t first, next;           /* terms in the window: first <= i < next, mod 2^16 */
    uint16_t slot_first, slot_next; /* likewise their slots */
    uint16_t terms_high, slots_high;
    uint32_t quiet;      /* symbols until all is written, when the cursor does not run */
    uint32_t slot_bytes; /* no slot takes more bytes when written */
    uint32_t window, depth_max, progress;
    weft_loopnest_level level[WEFT_LOOPNEST_DEPTH_MAX]; /* [0] is the last term */
} weft_loopnest;

/* Declares static storage and configuration: WEFT_LOOPNEST_DEF(nest, 32, 6);  weft_loopnest_init(&nest, &nest_config);
 * `window_terms` is a power of two here. */
#define WEFT_LOOPNEST_DEF(name, window_terms, depth)                             \
    static weft_loopnest_term name##_terms[window_terms];                        \
    static weft_loopnest_slot name##_slots[2 * (window_terms) < 32 ? 32 : 2 * (window_terms)]; \
    static uint16_t name##_buckets[2 * (window_terms)];                          \
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
 *     loop          varint of terms * 2 + 1, terms >= 1; varint of the count, >= 1; then the body's terms
 * A loop that follows an equal one goes on with it: that is how progress shows. */

/* The fewest bytes that push must find free in `out` on a symbol after init or flush. */
#define WEFT_LOOPNEST_OUT_MIN 15u
/* Takes a symbol; may write terms. WEFT_FULL: `out` may be too small for it and all that is held; nothing was taken or
 * written: flush first. */
weft_status weft_loopnest_push(weft_loopnest *nest, uint32_t symbol, weft_writer *out);
/* Writes all that is held and starts anew. It fits wherever the last push said WEFT_OK. */
void weft_loopnest_flush(weft_loopnest *nest, weft_writer *out);
/* The invariants of the structure; for tests. */
bool weft_loopnest_check(const weft_loopnest *nest);

#endif
