/* SPDX-License-Identifier: MIT */
/* How the raw control coder predicts paths: it looks for the place in the frame's recent past where the last
 * unpredicted path stood before, and predicts what followed there, path after path, as LZ77 copies a string (Ziv and
 * Lempel, 1977).
 * The past is a ring of words, and a small table says where each path was last looked for. Reader and recorder keep the
 * same ring and table, so a run of predicted paths is recorded as its length.
 *
 *     path       a  b  c  a  b  c  a  b  c  a  d        |  ring   a b c a b c a b c a d
 *     recorded   a  b  c  a  run of 6           d        |                ^source   ^to: predicted; where it goes
 *
 * Nothing predicts the second `a`, since c is new, but it is found at place 0. So the source is place 1: b, c, a, b, c,
 * a follow. Then b is predicted, d comes, and the run ends.
 *
 * Two forms. *Kept*: the recorder works on `to` and `source`, and `at` points to a word that no path equals. *Lent*: a
 * probe may compare its path with the word at `at`, and move `at` to the next word: a few instructions, without a look
 * at whose events the recorder takes (port/cortex-m/probes_paths.c). The words that were passed are copied later, to
 * `to`, when a path is not predicted. A word that no path equals stands at `to`, so `at` stops there, and at the end of
 * the ring.
 *
 *     ring   a b c a b c a b c d . . .     lent; three paths were taken
 *                ^from ^at       ^to       c, a and b are put at `to` when the next path is not c
 *
 * A word holds the exception that its path ended in, so that no handler takes a path that is predicted in what it
 * interrupted; each switch of context puts a word that nothing equals. So all words from the source to the next such
 * word have one exception, and with the context's they are lent. */
#ifndef WEFT_CORE_RECORDER_HISTORY_H
#define WEFT_CORE_RECORDER_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words of `history` in weft_recorder_config for a ring of `places`: the ring, a word that no path equals, and one
 * for each fourth place. Places: a power of two, 8 to 2^13. */
#define WEFT_HISTORY_WORDS(places) ((places) + 1u + (places) / 4u)
#define WEFT_HISTORY_PLACES_MIN 8u
#define WEFT_HISTORY_PLACES_MAX 8192u

/* A word: a path in the low bits, the exception in the 9 above. Paths from the last number on are never predicted. */
#define WEFT_HISTORY_PATH_BITS 23u
#define WEFT_HISTORY_PATH_MASK ((1u << WEFT_HISTORY_PATH_BITS) - 1)
#define WEFT_HISTORY_NONE 0xffffffffu

/* words: what is copied in one step with interrupts masked */
#define WEFT_HISTORY_STEP (WEFT_SHORT_STEPS ? 4u : 8u)
/* words: what is copied with a path that is not predicted, or in a step before it */
#define WEFT_HISTORY_FEW (WEFT_SHORT_STEPS ? 8u : 10u)

typedef struct weft_history {
    /* What probes use. Kept: `at` is `&none`. The port's assembler depends on the order of the first eight. */
    const uint32_t *volatile at; /* the path that is predicted */
    const uint32_t *from;        /* lent: from here up to `at`, paths were taken that are not in the ring yet */
    uint32_t *to;                /* where the next path goes, or that at `from`; WEFT_HISTORY_NONE stands there */
    const uint32_t *last;        /* lent: nothing is put there: the last place of the ring, or before */
    uint32_t run;                /* paths in the ring that the present run of predicted paths holds */
    uint32_t *end;
    uint32_t found_mask; /* After the word at `end`, by the low bits of a path: the place where it was last put without
                            having been predicted, as bytes before `end`; 0: none */
    uint32_t back;       /* lent: words from `at` to the place that the reader has as source. Only if `run` is not 0 */
    uint32_t *start;
    uint32_t run_before; /* `run` when it was lent: of these, the source may have stood elsewhere */
    uint32_t none;       /* WEFT_HISTORY_NONE */
    /* True while kept. */
    uint32_t pending;       /* paths from `from` on that are not in the ring yet; while lent: not 0 */
    const uint32_t *source; /* the path that is predicted; `end`: none */
    const uint32_t *other;  /* the source before the last switch of context */
    uint32_t turned; /* modulo 2^32: words put before the ring last began again, less those since then that are not
                        paths */
    uint32_t before; /* the path before a word that is WEFT_HISTORY_NONE */
} weft_history;

static inline uint32_t weft_history_exception(uint32_t context)
{
    return context < WEFT_HISTORY_NONE >> WEFT_HISTORY_PATH_BITS ? context : 0;
}

static inline uint32_t weft_history_word(uint32_t exception, uint32_t path)
{
    return path < WEFT_HISTORY_PATH_MASK ? exception << WEFT_HISTORY_PATH_BITS | path : WEFT_HISTORY_NONE;
}

/* Kept: the paths since the restart. */
static inline uint32_t weft_history_paths(const weft_history *history)
{
    return history->turned + (uint32_t)(history->to - history->start) + history->pending;
}

/* So that the compiler takes one instruction to load them and one to store them. */
typedef struct weft_two_words {
    uint32_t word[2];
} weft_two_words;

/* Begins again at the start of the ring, if its end is reached. */
static inline void weft_history_turn(weft_history *history)
{
    if (history->to >= history->end) {
        history->turned += (uint32_t)(history->end - history->start);
        history->to = history->start;
    }
    *history->to = WEFT_HISTORY_NONE;
}

/* The rest of the kept form's functions are for a history without pending paths. */
static inline void weft_history_put(weft_history *history, uint32_t word)
{
    *history->to++ = word;
    weft_history_turn(history);
}

static inline const uint32_t *weft_history_after(const weft_history *history, const uint32_t *place)
{
    return place + 1 == history->end ? history->start : place + 1;
}

/* The last path recorded; 0 before the first. */
static inline uint32_t weft_history_last(const weft_history *history)
{
    uint32_t word = history->to == history->start ? history->end[-1] : history->to[-1];
    return word == WEFT_HISTORY_NONE ? history->before : word & WEFT_HISTORY_PATH_MASK;
}

/* The path that is predicted: what stands at the source, or the last one again. */
static inline uint32_t weft_history_predicted(const weft_history *history)
{
    uint32_t word = *history->source;
    return word == WEFT_HISTORY_NONE ? weft_history_last(history) : word & WEFT_HISTORY_PATH_MASK;
}

/* Takes a path that is predicted. */
static inline void weft_history_take(weft_history *history, uint32_t word)
{
    bool none = *history->source == WEFT_HISTORY_NONE;
    history->source = none ? history->to : weft_history_after(history, history->source);
    weft_history_put(history, word);
    history->run++;
}

/* A path's entry in the table; the place that it names; a place as an entry names it. */
static inline uint32_t *weft_history_found(const weft_history *history, uint32_t path)
{
    return &history->end[1 + (path & history->found_mask)];
}

static inline const uint32_t *weft_history_place(const weft_history *history, uint32_t found)
{
    return (const uint32_t *)(const void *)((const uint8_t *)history->end - found);
}

static inline uint32_t weft_history_before_end(const weft_history *history, const uint32_t *place)
{
    return (uint32_t)((const uint8_t *)history->end - (const uint8_t *)place);
}

/* Takes a path that is not predicted, for which the run was written. Where the path is new, it is predicted to come
 * again. */
static inline void weft_history_learn(weft_history *history, uint32_t word, uint32_t path)
{
    const uint32_t *source = history->to;
    if (word == WEFT_HISTORY_NONE) {
        history->before = path;
    } else {
        uint32_t *found = weft_history_found(history, path);
        const uint32_t *place = weft_history_place(history, *found);
        if ((*place ^ path) << (32 - WEFT_HISTORY_PATH_BITS) == 0)
            source = weft_history_after(history, place);
        *found = weft_history_before_end(history, history->to);
    }
    history->source = source;
    weft_history_put(history, word);
}

/* The context changes, and no run is open. What was predicted goes on after the next change. */
static inline void weft_history_switch(weft_history *history)
{
    const uint32_t *other = history->other;
    history->other = history->source;
    history->source = other;
    history->before = weft_history_last(history);
    weft_history_put(history, WEFT_HISTORY_NONE);
    history->turned--;
}

static inline bool weft_history_lent(const weft_history *history)
{
    return history->at != &history->none;
}

/* Lends it to the probes of `context`, if they can put what is predicted, until `paths` paths or some more were put.
 * With interrupts masked. If paths are pending, they are of this context. */
static inline void weft_history_lend(weft_history *history, uint32_t context, uint32_t paths)
{
    uint32_t word = *history->source, left = (uint32_t)(history->end - 1 - history->to);
    paths += history->pending;
    if (!history->pending) {
        if (word == WEFT_HISTORY_NONE || word >> WEFT_HISTORY_PATH_BITS != weft_history_exception(context))
            return;
        history->from = history->source;
        history->back = 0;
        history->run_before = history->run;
    }
    history->pending = 1;
    history->last = history->to + (paths < left ? paths : left);
    history->at = history->source;
}

/* Kept: the source as the reader has it. */
static inline void weft_history_set_source(weft_history *history, const uint32_t *at)
{
    at += history->back;
    history->back = 0;
    history->source = at >= history->end ? at - (history->end - history->start) : at;
}

/* Takes it back, if it is lent. What was taken is pending. With interrupts masked. */
static inline void weft_history_keep(weft_history *history)
{
    const uint32_t *at = history->at;
    if (!weft_history_lent(history))
        return;
    uint32_t taken = (uint32_t)(at - history->from);
    /* More than there are places: probes that no mask held back have spoilt it (port/cortex-m/weft_target.h). */
    history->pending = taken <= (uint32_t)(history->end - history->start) ? taken : 0;
    history->source = at;
    history->at = &history->none;
    if (!history->pending)
        weft_history_set_source(history, at);
}

/* Copies some of `count` words from `from` on, and returns how many. With interrupts masked; kept or lent. */
uint32_t weft_history_copy(weft_history *history, uint32_t count);

/* Kept: one step of putting pending paths into the ring. */
static inline void weft_history_settle_step(weft_history *history)
{
    if (!history->pending)
        return;
    history->pending -= weft_history_copy(history, history->pending);
    if (!history->pending)
        weft_history_set_source(history, history->source);
}

/* Takes it back, and puts all that was taken into the ring. Not with interrupts masked. */
void weft_history_settle(weft_history *history);

/* While lent, where `at` leads to WEFT_HISTORY_NONE, or many paths were taken: one step of putting them into the ring.
 * With interrupts masked. False: nothing was done, since none is left, or there are too few places. */
bool weft_history_catch_up(weft_history *history);
/* After that: moves `at` to where more is predicted. False: it stays. */
bool weft_history_go_on(weft_history *history);

/* Takes a path that is predicted, for a probe. With interrupts masked; kept or lent. False: nothing was done. */
static inline bool weft_history_take_lent(weft_history *history, uint32_t word)
{
    const uint32_t *at = history->at;
    if (*at != word)
        return false;
    history->at = at + 1;
    return true;
}

/* Copies the words up to `at`, of which there is one at least, and returns where they end in the ring. With
 * WEFT_SHORT_STEPS two by two: there is a place more, for one word too many that the caller replaces. Other processors
 * copy short runs faster one by one. */
static inline uint32_t *weft_history_copy_few(uint32_t *to, const uint32_t *from, const uint32_t *at)
{
    uint32_t *end = to + (at - from);
    if (!WEFT_SHORT_STEPS) {
        do
            *to++ = *from++;
        while (from != at);
        return to;
    }
    for (; from < at; from += 2, to += 2)
        *(weft_two_words *)(void *)to = *(const weft_two_words *)(const void *)from;
    return end;
}

/* With WEFT_SHORT_STEPS, a step before weft_recorder_path_lent, with interrupts masked: puts what was taken into the
 * ring, if it is little. False: nothing was done. */
static inline bool weft_history_put_few(weft_history *history, uint32_t word)
{
    const uint32_t *at = history->at, *from = history->from;
    uint32_t *to = history->to;
    size_t taken = (size_t)(at - from);
    if (taken == 0 || taken > WEFT_HISTORY_FEW || (*at ^ word) >> WEFT_HISTORY_PATH_BITS ||
        (ptrdiff_t)taken >= history->last - to)
        return false;
    to = weft_history_copy_few(to, from, at);
    *to = WEFT_HISTORY_NONE;
    history->from = at;
    history->to = to;
    history->run += (uint32_t)taken;
    return true;
}

/* As weft_history_take_lent where the predicted path was itself taken while lent, so that it is not in the ring yet
 * but at `from`. What was taken is put into the ring. It now stands there twice, so the source moves back by its
 * length. The longer a loop goes on, the farther apart are these steps. False: nothing was done, since the path is not
 * at `from`, or too many were taken. */
static inline bool weft_history_take_again(weft_history *history, uint32_t word)
{
    const uint32_t *at = history->at, *from = history->from;
    uint32_t *to = history->to;
    size_t taken = (size_t)(at - from);
    if (at != to || *from != word || taken > WEFT_HISTORY_FEW || (ptrdiff_t)taken >= history->last - to)
        return false;
    history->at = from + 1;
    to = weft_history_copy_few(to, from, at);
    *to = WEFT_HISTORY_NONE;
    history->to = to;
    history->run += (uint32_t)taken;
    history->back += (uint32_t)taken;
    return true;
}

/* Prepares a history of WEFT_HISTORY_WORDS(places) words. A probe that was interrupted may still read the memory as the
 * previous history left it, if that was kept. */
void weft_history_init(weft_history *history, uint32_t *words, uint32_t places);
/* Forgets all paths. The history must be kept, not lent. */
void weft_history_restart(weft_history *history);

#ifdef __cplusplus
}
#endif

#endif
