/* SPDX-License-Identifier: MIT */
/* Packed paths, in a file of their own so that programs without them do not link it. */
#include "core/recorder_packs.h"

#include <string.h>

#include "core/own.h"
#include "core/recorder_parts.h"

void weft_recorder_put_other_pack(weft_recorder *recorder, uint32_t word)
{
    weft_packs *packs = &recorder->packs;
    uint8_t *to = recorder->region[WEFT_REGION_MODELS].at, *head;
    uint32_t run = packs->count - packs->written;
    packs->written = ++packs->count;
    if (run > WEFT_PACK_OTHER_RUN_MAX) {
        to = weft_put_pack_run(to, run);
        run = 0;
    }
    head = to++;
    do
        *to++ = (uint8_t)word;
    while (word >>= 8);
    *head = (uint8_t)(WEFT_PACK_OTHER + 4 * run + (uint32_t)(to - head) - 2);
    recorder->region[WEFT_REGION_MODELS].at = to;
}

static void begin(weft_recorder *recorder)
{
    const weft_recorder_config *config = &recorder->config;
    weft_packs *packs = &recorder->packs;
    size_t words = config->packs_max ? config->packs_max : 1;
    packs->word = packs->count = packs->written = 0;
    packs->word_factor = WEFT_PACK_WORD_FACTOR;
    packs->number_factor = WEFT_PACK_NUMBER_FACTOR;
    packs->table = config->packs_max ? config->packs : &packs->own;
    packs->shift = 32;
    for (size_t rest = words; rest > 1; rest /= 2)
        packs->shift--;
    packs->limit = recorder->region[WEFT_REGION_MODELS].end - WEFT_RECORDER_PACK_MAX;
    memset(packs->table, 0, words * sizeof *packs->table);
}

/* The recorder's `packing`. */
static void begin_or_end(weft_recorder *recorder, bool begins)
{
    if (begins)
        begin(recorder);
    else
        weft_recorder_end_pack_run(recorder);
}

/* Whether frames take words. The first pack makes them do so. */
static bool packs_words(weft_recorder *recorder)
{
    if (!weft_recorder_may_pack(recorder))
        return false;
    if (!recorder->packing)
        weft_recorder_begin_packing(recorder, begin_or_end);
    return true;
}

static bool put_both(weft_recorder *recorder, uint32_t number, uint32_t word)
{
    if (!weft_recorder_pack_fits(recorder, number, word) ||
        !weft_recorder_put_symbol(recorder, number + WEFT_SYMBOL_PATH))
        return false;
    weft_recorder_put_pack(recorder, number, word);
    return true;
}

/* Room for a run, a path, an escape and a run. */
static bool two_fit(const weft_recorder *recorder)
{
    const weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    uint32_t run = recorder->history.run ? WEFT_RECORDER_PATH_RUN_BYTES : 0;
    return control->end - control->at >= (ptrdiff_t)(run + WEFT_VARINT32_MAX + 2 + WEFT_RECORDER_PATH_RUN_BYTES);
}

/* Puts the record and then its mark. A coder may take the first and not the second: then the record is void, and counts
 * as a path. */
static bool put_symbols(weft_recorder *recorder, uint32_t number)
{
    bool coded = recorder->config.control_coder;
    if ((!coded && !two_fit(recorder)) || !weft_recorder_put_symbol(recorder, number + WEFT_SYMBOL_PATH))
        return false;
    if (!coded) {
        weft_recorder_put_escape(recorder, WEFT_SYMBOL_MARK);
        return true;
    }
    if (weft_recorder_put_symbol(recorder, WEFT_SYMBOL_MARK))
        return true;
    recorder->paths++;
    return false;
}

static bool put_marked(weft_recorder *recorder, uint32_t number, uint32_t word)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    if (!weft_recorder_fits(recorder, WEFT_REGION_MARKS) || !put_symbols(recorder, number))
        return false;
    marks->at = weft_put_varint64(marks->at, (uint64_t)word << 5 | (uint32_t)WEFT_MARK_PACK << 1 | 1);
    return true;
}

static bool put(weft_recorder *recorder, uint32_t number, uint32_t word)
{
    return packs_words(recorder) ? put_both(recorder, number, word) : put_marked(recorder, number, word);
}

static bool put_or_cut(weft_recorder *recorder, uint32_t context, uint32_t number, uint32_t word)
{
    if (!weft_recorder_ready(recorder, context))
        return false;
    return put(recorder, number, word) || (weft_recorder_cut(recorder) == WEFT_OK && put(recorder, number, word));
}

void weft_recorder_packed(weft_recorder *recorder, uint32_t context, uint32_t number, uint32_t word)
{
    if (context == recorder->context && weft_recorder_packed_here(recorder, number, word))
        return;
    bool taken = put_or_cut(recorder, context, number, word);
    if (!taken || recorder->config.control_coder)
        recorder->paths++;
    weft_recorder_path_done(recorder);
}
