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
 * Two forms. *Kept*: the recorder works on `to` and `source`, and `at` leads to a word that no path equals. *Lent*: a
 * probe may compare its path with the word at `at` + `back`, and put it at `at`, but in the last place: a few
 * instructions, without a look at whose events the recorder takes (port/cortex-m/probes_paths.c). For that a word
 * holds the exception that its path ended in, so that no handler takes a path that is predicted in what it interrupted;
 * each switch of context puts a word that nothing equals. So all words from the source to the next such word have one
 * exception, and with the context's they are lent. */
#ifndef WEFT_CORE_RECORDER_HISTORY_H
#define WEFT_CORE_RECORDER_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
#define WEFT_HISTORY_NONE UINT32_MAX

typedef struct weft_history {
    /* What probes use. Kept: `at` is `end`, where WEFT_HISTORY_NONE stands, and `back` is 0. */
    uint32_t *volatile at;   /* where the next path goes */
    volatile ptrdiff_t back; /* words from there to the path that is predicted */
    const uint32_t *last;    /* a probe puts nothing there: the last place of the ring, or before */
    uint32_t *start;
    uint32_t run_from; /* the present run of predicted paths is from this place on; modulo 2^32 */
    uint32_t *found;   /* by the low bits of a path: the place where it was last put without having been predicted, as
                          words before `end`; 0: none */
    uint32_t found_mask;
    uint32_t *end;
    /* True while kept. */
    uint32_t *to;     /* as `at` */
    uint32_t *source; /* the path that is predicted; `end`: none */
    uint32_t *other;  /* the source before the last switch of context */
    uint32_t turned;  /* paths put before the start was last put, less what was put that is no path; modulo 2^32 */
    uint32_t before;  /* the path before a word that is WEFT_HISTORY_NONE */
} weft_history;

static inline uint32_t weft_history_exception(uint32_t context)
{
    return context < 1u << (32 - WEFT_HISTORY_PATH_BITS) ? context : 0;
}

static inline uint32_t weft_history_word(uint32_t exception, uint32_t path)
{
    return path < WEFT_HISTORY_PATH_MASK ? exception << WEFT_HISTORY_PATH_BITS | path : WEFT_HISTORY_NONE;
}

/* Kept: the paths since the restart. */
static inline uint32_t weft_history_paths(const weft_history *history)
{
    return history->turned + (uint32_t)(history->to - history->start);
}

/* The run up to a place. */
static inline uint32_t weft_history_run(const weft_history *history, const uint32_t *to)
{
    return (uint32_t)(to - history->start) - history->run_from;
}

/* A run begins with the next path. */
static inline void weft_history_begin_run(weft_history *history)
{
    history->run_from = (uint32_t)(history->to - history->start);
}

static inline void weft_history_put(weft_history *history, uint32_t word)
{
    *history->to++ = word;
    if (history->to != history->end)
        return;
    uint32_t places = (uint32_t)(history->end - history->start);
    history->turned += places;
    history->run_from -= places;
    history->to = history->start;
}

static inline uint32_t *weft_history_after(const weft_history *history, uint32_t *place)
{
    return place + 1 == history->end ? history->start : place + 1;
}

/* The last path; 0 before the first. */
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
}

/* The place of a path's last prediction, for a path that is put at `to`; `to` if there is none. */
static inline uint32_t *weft_history_find(weft_history *history, uint32_t *to, uint32_t path)
{
    uint32_t *found = &history->found[path & history->found_mask];
    uint32_t *place = history->end - *found;
    *found = (uint32_t)(history->end - to);
    return (*place ^ path) & WEFT_HISTORY_PATH_MASK ? to : place + 1;
}

/* Takes a path that is not predicted; a run begins after it. Where the path is new, it is predicted to come again. */
static inline void weft_history_learn(weft_history *history, uint32_t word, uint32_t path)
{
    history->source = history->to;
    if (word == WEFT_HISTORY_NONE)
        history->before = path;
    else
        history->source = weft_history_find(history, history->to, path);
    if (history->source == history->end)
        history->source = history->start;
    weft_history_put(history, word);
    weft_history_begin_run(history);
}

/* The context changes, and no run is open. What was predicted goes on after the next change. */
static inline void weft_history_switch(weft_history *history)
{
    uint32_t *other = history->other;
    history->other = history->source;
    history->source = other;
    history->before = weft_history_last(history);
    weft_history_put(history, WEFT_HISTORY_NONE);
    history->turned--;
    weft_history_begin_run(history);
}

static inline bool weft_history_lent(const weft_history *history)
{
    return history->at != history->end;
}

/* Lends it to the probes of `context`, if they can put what is predicted, for `paths` paths at most. With interrupts
 * masked. */
static inline void weft_history_lend(weft_history *history, uint32_t context, uint32_t paths)
{
    uint32_t word = *history->source, left = (uint32_t)(history->end - 1 - history->to);
    if (word == WEFT_HISTORY_NONE || word >> WEFT_HISTORY_PATH_BITS != weft_history_exception(context))
        return;
    history->last = history->to + (paths < left ? paths : left);
    history->back = history->source - history->to;
    history->at = history->to;
}

/* Takes it back, if it is lent. With interrupts masked. */
static inline void weft_history_keep(weft_history *history)
{
    uint32_t *at = history->at;
    if (!weft_history_lent(history))
        return;
    history->to = at;
    history->source = at + history->back;
    history->at = history->end;
    history->back = 0;
    if (history->source == history->end)
        history->source = history->start;
}

/* Puts a word that is predicted, for a probe. With interrupts masked; kept or lent. False: nothing was done. */
static inline bool weft_history_put_lent(weft_history *history, uint32_t word)
{
    uint32_t *at = history->at;
    if (at[history->back] != word || at == history->last)
        return false;
    *at = word;
    history->at = at + 1;
    return true;
}

/* While lent to the context of the path: takes a path that is not predicted, but not in the last place. A run begins
 * after it. */
static inline void weft_history_learn_lent(weft_history *history, uint32_t *at, uint32_t word, uint32_t path)
{
    uint32_t *source = weft_history_find(history, at, path);
    *at++ = word;
    history->run_from = (uint32_t)(at - history->start);
    if ((*source ^ word) >> WEFT_HISTORY_PATH_BITS == 0) {
        history->back = source - at;
        history->at = at;
        return;
    }
    history->to = at;
    history->source = source == history->end ? history->start : source;
    history->at = history->end;
    history->back = 0;
}

/* Readies it: words are WEFT_HISTORY_WORDS(places). A probe that was interrupted may still look at what it was, if it
 * was kept. */
void weft_history_init(weft_history *history, uint32_t *words, uint32_t places);
/* Forgets all; it must be kept. */
void weft_history_restart(weft_history *history);

#ifdef __cplusplus
}
#endif

#endif
