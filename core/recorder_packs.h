/* SPDX-License-Identifier: MIT */
/* The fast path of packed paths, to be inlined into their probe: see core/recorder_fast.h. A pack's number is a path of
 * the control section. Its word is predicted by a table: what came after the word before, at this number, the last
 * time. A run of predicted words is recorded as its length (core/FORMAT.md, section 6). */
#ifndef WEFT_CORE_RECORDER_PACKS_H
#define WEFT_CORE_RECORDER_PACKS_H

#include "core/recorder_fast.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the table says comes next. */
static inline uint32_t *weft_packs_entry(const weft_packs *packs, uint32_t number)
{
    uint32_t hash = packs->word * packs->word_factor + number * packs->number_factor;
    return &packs->table[hash >> 1 >> (packs->shift - 1)];
}

/* Whether a word can be put now. It can always if it is predicted. */
static inline bool weft_recorder_pack_fits(const weft_recorder *recorder, uint32_t number, uint32_t word)
{
    return recorder->region[WEFT_REGION_MODELS].at <= recorder->packs.limit ||
           *weft_packs_entry(&recorder->packs, number) == word;
}

/* Writes a word that is not predicted, for which there is room, and the run before it, which is
 * WEFT_PACK_OTHER_RUN_MAX at most. */
static inline void weft_recorder_put_other_pack_here(weft_recorder *recorder, uint32_t word)
{
    weft_packs *packs = &recorder->packs;
    uint8_t *to = recorder->region[WEFT_REGION_MODELS].at, *head = to++;
    uint32_t run = packs->count - packs->written;
    packs->written = ++packs->count;
    do
        *to++ = (uint8_t)word;
    while (word >>= 8);
    *head = (uint8_t)(WEFT_PACK_OTHER + 4 * run + (uint32_t)(to - head) - 2);
    recorder->region[WEFT_REGION_MODELS].at = to;
}

/* The same after any run, not inlined. */
void weft_recorder_put_other_pack(weft_recorder *recorder, uint32_t word);

/* Puts a word, which is not 0 and fits. */
static inline void weft_recorder_put_pack(weft_recorder *recorder, uint32_t number, uint32_t word)
{
    weft_packs *packs = &recorder->packs;
    uint32_t *entry = weft_packs_entry(packs, number);
    if (*entry == word) {
        packs->count++;
    } else {
        *entry = word;
        weft_recorder_put_other_pack(recorder, word);
    }
    packs->word = word;
}

/* A pack of the context of the event before. The history is kept. */
static inline bool weft_recorder_packed_here(weft_recorder *recorder, uint32_t number, uint32_t word)
{
    if (!weft_recorder_takes_path(recorder) || !weft_recorder_pack_fits(recorder, number, word))
        return false;
    weft_recorder_path_here(recorder, number);
    weft_recorder_put_pack(recorder, number, word);
    return true;
}

#ifdef __cplusplus
}
#endif

#endif
