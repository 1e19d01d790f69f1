/* SPDX-License-Identifier: MIT */
/* The snapshots of a file in memory, and reading them from it. Private to past.c. */
#ifndef WEFT_TOOLS_LIB_WET_PAST_READ_H
#define WEFT_TOOLS_LIB_WET_PAST_READ_H

#include <pthread.h>

#include "tools/lib/base/pages.h"
#include "tools/lib/wet/past_notes.h"

#define PAST_PAGE_BITS 10 /* words of a page */
#define PAST_PAGES (1u << (30 - PAST_PAGE_BITS))

struct wet_past {
    wet_file *f;
    pthread_t reader;
    bool reading, good;
    wet_note *notes;       /* of one word after the other; of one word by window */
    pages words;           /* by their numbers: past_word */
    uint32_t *first;       /* of each word that was touched, and one more: its notes */
    uint32_t *reads;       /* batches that only read a word, of one word after the other, ascending */
    uint32_t *reads_first; /* of each word, and one more: its batches */
    uint32_t batch;        /* windows of a batch; 0: reads stand in the notes */
    uint32_t word_count;
    wet_note *registers[64]; /* flags unused */
    uint32_t register_count[64];
    wet_back *entries;
    uint32_t entry_count;
    wet_floats *restores;
    uint32_t restore_count;
    uint32_t *blocks; /* pairs: node, timestamp */
    uint64_t block_count;
};

/* The number of a word among those that were touched, plus 1; 0: it was never touched. */
static inline uint32_t past_word(const struct wet_past *p, uint32_t number)
{
    const uint32_t *page = p->words.all[number >> PAST_PAGE_BITS];
    return page ? page[number & ((1u << PAST_PAGE_BITS) - 1)] : 0;
}

/* Reads them into a wet_past, whose file and pages are set; sets `good`. A thread may do it: it uses only what the
 * wet_past holds and the file's bytes. */
void *past_read(void *past);

#endif
