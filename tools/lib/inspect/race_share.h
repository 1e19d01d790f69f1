/* SPDX-License-Identifier: MIT */
/* First reading of races_full: which words of memory are shared, and by whom. Memory: 40 bytes for each word that is
 * used, 16 for each context that uses one, 4 for each context. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_SHARE_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_SHARE_H

#include "tools/lib/inspect/race_limits.h"
#include "tools/lib/inspect/race_source.h"

/* Contexts are known by their index. Their *kind* is a bit of masks: one for each exception, in the order in which they
 * came first, and one for all threads. */
enum { RACE_THREADS = RACE_EXCEPTIONS_MAX, RACE_NO_KIND };
#define RACE_THREADS_BIT (UINT64_C(1) << RACE_THREADS)

enum { RACE_NOBODY = UINT32_MAX - 1, RACE_SEVERAL };

/* A context that uses a word. */
typedef struct race_user {
    uint32_t context;
    bool read, written;
    uint32_t next; /* during the first reading: number + 1 of another user of the word */
} race_user;

/* A word that two contexts use, at least one by stores. Masks have a bit for each kind. They are 0, and it has no
 * users, if it is only in one object with such a word: who copies the object accesses it, too. */
typedef struct race_word {
    uint32_t address;
    uint32_t first, users; /* its users, by context: s->user[first] and up */
    uint64_t read, written;
    uint32_t reader, writer; /* the only thread that loads it, that stores it; RACE_NOBODY, RACE_SEVERAL */
} race_word;

typedef struct race_share {
    race_word *word;
    size_t count, max, shared; /* shared: those that come first; then the other words of their objects */
    uint32_t *slots;           /* by address: number + 1; open addressing */
    size_t slot_max;
    race_user *user;
    size_t user_count, user_max;
    uint8_t *kind; /* of each context */
    uint32_t contexts;
    size_t contexts_max;
    uint32_t exceptions, context_of[RACE_EXCEPTIONS_MAX]; /* kinds of exceptions; the context of each */
    uint32_t number[RACE_EXCEPTIONS_MAX];
    uint64_t switchers; /* exceptions that switch threads */
    uint64_t assumed;   /* exceptions that came though no store enabled them */
    bool many;          /* more exceptions than RACE_EXCEPTIONS_MAX */
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

/* The number of a context among the users of a word, UINT32_MAX if it is none. */
static inline uint32_t race_share_user(const race_share *s, const race_word *word, uint32_t context)
{
    uint32_t low = word->first, high = low + word->users;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->user[middle].context < context)
            low = middle + 1;
        else
            high = middle;
    }
    return low < word->first + word->users && s->user[low].context == context ? low : UINT32_MAX;
}

#endif
