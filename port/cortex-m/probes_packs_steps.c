/* SPDX-License-Identifier: MIT */
/* __weft_packed_full where the processor has no Thumb-2: in C, and in steps. Each is a function and has a mask of its
 * own: the fewer variables one has, the fewer instructions it takes. What takes too long is left to weft_pack_slowly.
 */
#include "core/own.h"
#include "core/recorder_packs.h"
#include "port/cortex-m/probes_parts.h"
#include "port/cortex-m/under_way.h"

#if !WEFT_MAINLINE

/* What is found before interrupts are masked. It holds while the word before it is the same. A
 * recording that ended lends no history. */
typedef struct ready_pack {
    weft_recorder *recorder;
    uint32_t before; /* the word before it */
    uint32_t *entry;
    uint32_t key; /* the number's word in the history */
} ready_pack;

static inline bool holds(const ready_pack *ready)
{
    return ready->recorder->packs.word == ready->before;
}

/* A number that is predicted. */
static __attribute__((noinline)) bool put_number(uint32_t word, const ready_pack *ready)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = ready->recorder;
    weft_packs *packs = &recorder->packs;
    const uint32_t *at = recorder->history.at;
    bool taken = holds(ready) && *at == ready->key;
    if (taken && *ready->entry == word) {
        packs->count++;
    } else if (taken && recorder->region[WEFT_REGION_MODELS].at <= packs->limit &&
               packs->count - packs->written <= WEFT_PACK_OTHER_RUN_MAX) {
        *ready->entry = word;
        weft_recorder_put_other_pack_here(recorder, word);
    } else {
        taken = false;
    }
    if (taken) {
        recorder->history.at = at + 1;
        packs->word = word;
        weft_note_under_way(false);
    }
    weft_restore_interrupts(primask);
    return taken;
}

/* One that is not, with a word that is predicted. */
static __attribute__((noinline)) bool put_unpredicted(uint32_t word, const ready_pack *ready)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = ready->recorder;
    bool taken = holds(ready) && *ready->entry == word && weft_recorder_path_lent(recorder, ready->key);
    if (taken) {
        recorder->packs.word = word;
        recorder->packs.count++;
    }
    weft_restore_interrupts(primask);
    return taken;
}

void __weft_packed_full(uint32_t number, uint32_t word)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    if (weft_under_way) { /* the first mask says where the event is under way */
        uint32_t primask = weft_mask_interrupts();
        weft_note_under_way(true);
        weft_restore_interrupts(primask);
    }
    const ready_pack ready = {recorder, recorder->packs.word, weft_packs_entry(&recorder->packs, number),
                              (weft_ipsr() << WEFT_HISTORY_PATH_BITS) + number};
    if (put_number(word, &ready))
        return;
    if (!weft_under_way && put_unpredicted(word, &ready)) /* with places it would take more than 100 instructions */
        keep_if_full(recorder);
    else
        weft_pack_slowly(number, word);
}

void __weft_packed(uint32_t number, uint32_t word)
{
    __weft_packed_full(number, word);
}

#endif
