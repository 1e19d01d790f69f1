/* SPDX-License-Identifier: MIT */
/* The compressed black box: the bidirectional predictors of Zhang and Gupta ("Whole Execution Traces", MICRO 2004,
 * section 4) used one way on the target and the other way on the host. A path is compressed when the next one comes,
 * with that as its context. From the newest path, the table and the ring, the host goes back: each step undoes one
 * push. So a ring that overwrites its oldest end stays readable from the newest path back, with a table that is
 * never reset.
 *
 * The table holds, for each set of contexts, the two paths that were last followed by one of them, the later one
 * first. To push x after p, with (a, b) in the set of x:
 *
 *     p = a: one more hit.   p = b: an entry SECOND; (p, a).   else: an entry NEW with b; (p, a).
 *
 * An entry also has the number of hits before it. Going back from x, the path before it is always a; when the hits
 * are used up, an entry says what the set was before. With sets of their own, a b a b c a pushes (0 is "nothing
 * yet"):
 *
 *     a: set a (0,0), p 0: hit         b: set b (0,0), p a: NEW, 1 hit, evicts 0; (a,0)
 *     a: set a (0,0), p b: NEW; (b,0)  b: (a,0), p a: hit    c: set c, p b: NEW, 1 hit    a: (b,0), p c: NEW; (c,b)
 *
 * The ring holds nibbles. An entry is read from its end: a tag, hits below 7 in its low bits, and 8 for NEW; if the
 * hits are 7, a number of 7 less follows; if it is NEW, a number: 0 no step at all, a run of hits went on; 1 what
 * was evicted is nothing; n > 1: it is p + zigzag^-1(n - 1). A number is groups of three bits, low ones first, 8 in
 * all but the last.
 *
 * Bounds: a push writes at most 10 nibbles. Nothing is allocated, there is no loop but over these. */
#ifndef WEFT_CORE_BLACKBOX_PACKED_H
#define WEFT_CORE_BLACKBOX_PACKED_H

#include "core/blackbox.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is pushed: symbols of 16 bits. Path n is n + 1, a switch to context c (an exception; 0 is thread mode) is
 * WEFT_BLACKBOX_CONTEXT + c. */
#define WEFT_BLACKBOX_CONTEXT 0xfe00u
#define WEFT_BLACKBOX_CONTEXTS 512u
#define WEFT_BLACKBOX_RESET_SYMBOL 0xfdffu
#define WEFT_BLACKBOX_PAUSE_SYMBOL 0xfdfeu
/* Path numbers must be below this. */
#define WEFT_BLACKBOX_PATHS_PACKED 0xfdfdu

enum {
    WEFT_BLACKBOX_TAG_HITS = 7, /* and more: a number follows */
    WEFT_BLACKBOX_TAG_NEW = 8,
    WEFT_BLACKBOX_HITS_MAX = 7 + 511, /* three groups; then an entry of no step is written */
    WEFT_BLACKBOX_ENTRY_MAX = 10,     /* nibbles */
};
#define WEFT_BLACKBOX_CLOSED 0xffffffffu

/* The bytes as they lie in RAM: those of weft_blackbox up to `check`, then this. Table and ring follow. */
typedef struct weft_blackbox_packed {
    uint8_t magic[8];
    uint8_t version, form, sets_log2, unused;
    uint32_t size; /* bytes of table and ring */
    uint32_t identity, run, check;
    uint32_t open;  /* context of the last path; WEFT_BLACKBOX_CLOSED: the box is held */
    uint32_t state; /* the newest symbol, and the hits since the newest entry << 16 */
    uint32_t at;    /* nibbles in the ring since it began again at its start */
    uint32_t laps;  /* how often it did */
    uint32_t count; /* symbols before the hits of `state`, modulo 2^32 */
    /* While busy is 1 a push is at work: it is undone by these. */
    uint32_t busy, undo_set, undo_pair, undo_state, undo_at, undo_laps, undo_count;
    uint32_t held_sum; /* while it is held: what weft_blackbox_packed_sum gave; 0: that is not known */
} weft_blackbox_packed;

/* As weft_blackbox_begin. WEFT_CONFIG: fewer than 64 bytes after the head. */
weft_status weft_blackbox_packed_begin(weft_blackbox_packed *box, size_t bytes, uint32_t identity,
                                       weft_blackbox_found *found);
/* As weft_blackbox_empty, and weft_blackbox_sum. */
void weft_blackbox_packed_empty(weft_blackbox_packed *box);
uint32_t weft_blackbox_packed_sum(const weft_blackbox_packed *box);
/* A path, below WEFT_BLACKBOX_PATHS_PACKED, ended in the context, 0 to 511. Does nothing while the box is held. No
 * other call for the same box may interrupt it. */
void weft_blackbox_packed_path(weft_blackbox_packed *box, uint32_t context, uint32_t path);

/* Call the following four while no path is pushed: with interrupts masked, on one processor. None can fail, or takes
 * longer for a larger box. */

/* As weft_blackbox_open: records from context 0 on. */
void weft_blackbox_packed_open(weft_blackbox_packed *box, weft_blackbox_found found);
/* Keeps what the box holds: paths that end from now on are not recorded, after a reset either. Does nothing if the box
 * is held already. */
void weft_blackbox_packed_hold(weft_blackbox_packed *box);
/* As weft_blackbox_keep_sum; `count` is weft_blackbox_packed_count. */
void weft_blackbox_packed_keep_sum(weft_blackbox_packed *box, uint32_t count, uint32_t sum);
/* Records again, from context 0 on. A mark, WEFT_BLACKBOX_PAUSE_SYMBOL, stands between what was held and what follows.
 * Does nothing if the box is not held. */
void weft_blackbox_packed_resume(weft_blackbox_packed *box);

/* Symbols pushed ever, modulo 2^32. */
static inline uint32_t weft_blackbox_packed_count(const weft_blackbox_packed *box)
{
    return box->busy ? box->undo_count + (box->undo_state >> 16) : box->count + (box->state >> 16);
}

/* The table, of words, which follows the head. */
static inline uint32_t *weft_blackbox_table(weft_blackbox_packed *box)
{
    void *table = box + 1;
    return (uint32_t *)table;
}

/* The set of a symbol. */
static inline uint32_t weft_blackbox_set(uint32_t symbol, unsigned sets_log2)
{
    return symbol * 0x9e3779b1u >> (32 - sets_log2);
}

#ifdef __cplusplus
}
#endif

#endif
