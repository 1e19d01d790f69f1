/* SPDX-License-Identifier: MIT */
/* The body of a TRACE frame and the words of its packs, decoded as core/FORMAT.md says. For tests of one file. */
#ifndef WEFT_TESTS_LIB_PACK_SECTION_H
#define WEFT_TESTS_LIB_PACK_SECTION_H

#include <stdlib.h>
#include <string.h>

#include "core/recorder.h"
#include "tests/lib/check.h"
#include "tools/lib/recording/symbols.h"

enum { WORDS_MAX = 64 }; /* of the table that predicts words */

/* The words of a frame's section. */
typedef struct section {
    weft_reader reader;
    uint32_t table[WORDS_MAX], log2, left, before, run;
    bool other;
    uint32_t other_bytes;
} section;

static inline bool next_word(section *s, uint32_t number, uint32_t *word)
{
    uint32_t hash = s->before * 0x9e3779b1u + number * 0x85ebca6bu;
    uint32_t *predicted = &s->table[s->log2 ? hash >> (32 - s->log2) : 0];
    EXPECT(s->left > 0);
    if (!s->run && !s->other) {
        uint8_t b = weft_read_u8(&s->reader);
        EXPECT(b < 192);
        s->other = b >= 128;
        s->other_bytes = b % 4 + 1;
        s->run = s->other ? (b - 128u) / 4 : b ? b : weft_read_varint(&s->reader);
    }
    *word = *predicted;
    if (s->run) {
        s->run--;
    } else {
        *word = 0;
        for (uint32_t i = 0; i < s->other_bytes; i++)
            *word |= (uint32_t)weft_read_u8(&s->reader) << 8 * i;
        EXPECT(*word >> 8 * (s->other_bytes - 1));
        s->other = false;
    }
    s->left--;
    *predicted = s->before = *word;
    return s->reader.status == WEFT_OK;
}

/* Skips the rest of a mark whose head, an odd number, has been read. */
static inline void skip_mark(weft_reader *marks, uint64_t head)
{
    unsigned kind = head >> 1 & 15;
    if (kind == WEFT_MARK_EVENT)
        for (uint32_t n = weft_read_varint(marks); n; n--)
            (void)weft_read_varint(marks);
}

static inline void skip_switch(weft_reader *marks, uint64_t head, uint32_t *context)
{
    *context = (uint32_t)(head >> 3);
    for (uint32_t n = (head >> 1 & 1) * 2 + (head >> 2 & 1) * 2; n; n--)
        (void)weft_read_varint(marks);
}

/* The body of a TRACE frame. */
typedef struct body {
    trace_body trace;
    uint32_t word_count, words_log2;
} body;

static inline bool parse(const weft_frame *frame, body *b)
{
    weft_reader r;
    weft_reader_init(&r, frame->body, frame->body_size);
    *b = (body){.trace = {.version = 2}};
    trace_body *t = &b->trace;
    t->control_coder = weft_read_u8(&r);
    t->followers_log2 = weft_read_u8(&r);
    t->bus_coder = weft_read_u8(&r);
    (void)weft_read_u8(&r);
    (void)weft_read_u8(&r);
    (void)weft_read_u8(&r);
    t->before.paths = weft_read_varint64(&r);
    t->before.accesses = weft_read_varint64(&r);
    for (unsigned i = 0; i < 3; i++)
        (void)weft_read_varint64(&r);
    t->counts.paths = weft_read_varint(&r);
    t->counts.accesses = weft_read_varint(&r);
    t->counts.values = weft_read_varint(&r);
    t->context = weft_read_varint(&r);
    t->accesses_tail = weft_read_varint(&r);
    t->values_tail = weft_read_varint(&r);
    if (t->control_coder == 7) {
        b->word_count = weft_read_varint(&r);
        b->words_log2 = weft_read_varint(&r);
        EXPECT(!(t->bus_coder & 1) && b->word_count > 0 && b->words_log2 <= 6);
        t->control_coder = WEFT_CONTROL_COPIES;
    }
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        t->size[i] = weft_read_varint(&r);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        t->section[i] = weft_read_bytes(&r, t->size[i]);
    EXPECT(r.status == WEFT_OK && weft_reader_left(&r) == 0);
    weft_reader_init(&r, t->section[WEFT_REGION_MARKS], t->size[WEFT_REGION_MARKS]);
    while (weft_reader_left(&r) && r.status == WEFT_OK) {
        uint64_t head = weft_read_varint64(&r);
        uint32_t context;
        t->escapes++;
        if (head & 1)
            skip_mark(&r, head);
        else
            skip_switch(&r, head, &context);
    }
    EXPECT(r.status == WEFT_OK);
    return true;
}

#endif
