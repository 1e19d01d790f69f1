/* SPDX-License-Identifier: MIT */
/* First reading of races_full: which words of memory are shared, and by whom. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_SHARE_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_SHARE_H

#include "tools/lib/inspect/race_source.h"

/* A word that two contexts use, at least one by stores. Masks have a bit for each index of a context; both are 0 for
 * the other words of an object that has such a word: who copies the object accesses them, too. */
typedef struct race_word {
    uint32_t address;
    uint64_t read, written;
    uint32_t views; /* number of the first of its views; one for each context of the masks, in ascending order */
} race_word;

typedef struct race_share {
    race_word *word;
    size_t count, max, shared; /* shared: those that come first; then the other words of their objects */
    uint32_t *slots;           /* by address: number + 1; open addressing */
    size_t slot_max;
    uint32_t view_count;
    uint64_t switchers; /* exceptions that switch threads */
    uint64_t threads;
    uint32_t number[64]; /* of each context */
    uint64_t assumed;    /* exceptions that came though no store enabled them */
    bool many;
} race_share;

/* Takes a whole recording. False: it cannot be read. */
bool race_share_read(race_share *s, const race_source *source, const image *im);
void race_share_free(race_share *s);

/* The number of the shared word that holds an address; UINT32_MAX: it is not shared. */
static inline uint32_t race_share_find(const race_share *s, uint32_t address)
{
    address &= ~3u;
    for (size_t at = address * 2654435761u >> 5 & (s->slot_max - 1); s->slots[at]; at = (at + 1) & (s->slot_max - 1))
        if (s->word[s->slots[at] - 1].address == address)
            return s->slots[at] - 1;
    return UINT32_MAX;
}

#endif
