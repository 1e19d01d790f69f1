/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/blackbox_packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/blackbox_packed.h"
#include "core/bytes.h"
#include "tools/lib/base/memory.h"

enum {
    HEAD_SIZE = sizeof(weft_blackbox_packed),
    HEAD_SIZE_1 = HEAD_SIZE - 4, /* of version 1, which has no sum */
    STATE_AT = 28,
    SETS_AT = 10,
    SYMBOL = 0xffff
};
enum { RUN_MAX = WEFT_BLACKBOX_HITS_MAX + 1 }; /* symbols */

_Static_assert(HEAD_SIZE == 80 && offsetof(weft_blackbox_packed, held_sum) == HEAD_SIZE_1 &&
                   offsetof(weft_blackbox_packed, open) == STATE_AT,
               "the head has no gaps");

typedef struct unpacking {
    uint32_t *table;
    unsigned sets_log2;
    const uint8_t *ring;
    uint32_t ring_size, at, left; /* nibbles: all, where the next one to be read ends, that can be read */
    uint32_t symbol, hits;        /* where the way back stands */
    bool damaged;
    blackbox_run *run; /* newest first */
    size_t runs, max;
    uint64_t count, switches; /* symbols, and those of them that are a switch of context */
    uint32_t oldest[2];       /* what the oldest two of these switch to, the oldest one first */
} unpacking;

static uint32_t word_at(const uint8_t *bytes, size_t at)
{
    weft_reader r;
    weft_reader_init(&r, bytes + at, 4);
    return weft_read_u32(&r);
}

/* The nibble before those that were read. False: it is overwritten, or was never written. */
static bool nibble(unpacking *u, uint32_t *value)
{
    if (u->left == 0)
        return false;
    u->left--;
    u->at = u->at ? u->at - 1 : u->ring_size - 1;
    *value = u->ring[u->at / 2] >> (u->at & 1 ? 4 : 0) & 15;
    return true;
}

static bool number(unpacking *u, uint32_t *value)
{
    uint32_t group;
    unsigned shift = 0;
    *value = 0;
    do {
        if (!nibble(u, &group))
            return false;
        *value |= (group & 7) << shift;
        shift += 3;
    } while (group & 8 && shift < 30);
    u->damaged |= (group & 8) != 0;
    return !u->damaged;
}

typedef enum undone { UNDONE_STEP, UNDONE_RUN, UNDONE_END } undone;

/* Undoes the push that wrote the newest entry. UNDONE_RUN: that was not a step, but the end of a run of hits. */
static undone undo_entry(unpacking *u)
{
    uint32_t tag, hits, evicted = 0;
    if (!nibble(u, &tag))
        return UNDONE_END;
    hits = tag & WEFT_BLACKBOX_TAG_HITS;
    if (hits == WEFT_BLACKBOX_TAG_HITS) {
        if (!number(u, &hits))
            return UNDONE_END;
        hits += WEFT_BLACKBOX_TAG_HITS;
        u->damaged |= hits > WEFT_BLACKBOX_HITS_MAX; /* a few bytes would stand for gigabytes */
    }
    if (tag & WEFT_BLACKBOX_TAG_NEW && !number(u, &evicted))
        return UNDONE_END;
    u->hits = hits;
    if (tag & WEFT_BLACKBOX_TAG_NEW && evicted == 0)
        return UNDONE_RUN;
    uint32_t *pair = &u->table[weft_blackbox_set(u->symbol, u->sets_log2)];
    uint32_t before = *pair & SYMBOL, first = *pair >> 16, second = before;
    if (tag & WEFT_BLACKBOX_TAG_NEW) {
        uint32_t d = evicted - 1; /* zigzag; 0: nothing was evicted */
        second = d ? (before + ((d >> 1) ^ -(d & 1))) & SYMBOL : 0;
    }
    blackbox_run *ended = &u->run[u->runs - 1];
    *ended =
        (blackbox_run){ended->symbol, ended->count, (uint16_t)weft_blackbox_set(u->symbol, u->sets_log2), true, *pair};
    *pair = first | second << 16;
    u->symbol = before;
    return UNDONE_STEP;
}

static bool is_context(uint32_t symbol)
{
    return symbol >= WEFT_BLACKBOX_CONTEXT;
}

/* The symbol where the way back stands is the next one of the newest run. */
static void add_symbol(unpacking *u)
{
    blackbox_run *run = &u->run[u->runs - 1];
    if (!run->count++)
        run->symbol = (uint16_t)u->symbol;
    u->count++;
    if (!is_context(u->symbol))
        return;
    u->switches++;
    u->oldest[1] = u->oldest[0];
    u->oldest[0] = u->symbol - WEFT_BLACKBOX_CONTEXT;
}

static void begin_run(unpacking *u)
{
    u->run = memory_room(u->run, u->runs, &u->max, sizeof *u->run);
    u->run[u->runs++] = (blackbox_run){.count = 0};
}

/* Those that the hits stand for. False: there is no older one. */
static bool undo_hits(unpacking *u)
{
    for (; u->hits && u->symbol; u->hits--) {
        u->symbol = u->table[weft_blackbox_set(u->symbol, u->sets_log2)] & SYMBOL;
        if (u->symbol)
            add_symbol(u);
    }
    return u->symbol != 0;
}

/* All symbols, newest first. True: up to the first one ever. */
static bool go_back(unpacking *u)
{
    undone entry = UNDONE_STEP;
    while (u->symbol && !u->damaged && entry != UNDONE_END) {
        begin_run(u);
        if (entry == UNDONE_STEP)
            add_symbol(u);
        if (undo_hits(u))
            entry = undo_entry(u);
    }
    return entry != UNDONE_END;
}

/* The context that the oldest symbols belong to, up to the first switch: if that goes to a handler, what comes after
 * the handler. */
static uint32_t first_context(const unpacking *u, bool whole, uint32_t newest)
{
    if (whole || u->switches == 0)
        return whole ? 0 : newest;
    return u->switches >= 2 && u->oldest[0] ? u->oldest[1] : 0;
}

/* The symbols of a run, newest first; the table is as it was then. */
static void expand(const blackbox_run *run, const uint32_t *table, unsigned sets_log2, uint16_t symbols[RUN_MAX])
{
    symbols[0] = run->symbol;
    for (unsigned i = 1; i < run->count; i++)
        symbols[i] = (uint16_t)(table[weft_blackbox_set(symbols[i - 1], sets_log2)] & SYMBOL);
}

void blackbox_unpack_each(const blackbox *box, void (*take)(void *own, uint32_t context, uint32_t path), void *own)
{
    uint16_t symbols[RUN_MAX];
    uint32_t context = box->context, sets = 1u << box->sets_log2;
    uint32_t *table = memory_zero(sets, sizeof *table);
    memcpy(table, box->table, sets * sizeof *table);
    for (size_t r = box->runs; r-- > 0;) {
        const blackbox_run *run = &box->run[r];
        if (run->changed)
            table[run->set] = run->pair;
        expand(run, table, box->sets_log2, symbols);
        for (unsigned i = run->count; i-- > 0;) {
            uint32_t symbol = symbols[i];
            bool reset = symbol == WEFT_BLACKBOX_RESET_SYMBOL, pause = symbol == WEFT_BLACKBOX_PAUSE_SYMBOL;
            context = is_context(symbol) ? symbol - WEFT_BLACKBOX_CONTEXT : reset || pause ? 0 : context;
            if (!is_context(symbol))
                take(own, context, reset ? WEFT_BLACKBOX_RESET : pause ? WEFT_BLACKBOX_PAUSE : symbol - 1);
        }
    }
    free(table);
}

/* The words after the common head, as they were before a push that was at work. */
static void read_state(unpacking *u, const weft_blackbox_packed *head)
{
    uint32_t state = head->busy ? head->undo_state : head->state;
    uint32_t laps = head->busy ? head->undo_laps : head->laps;
    u->at = head->busy ? head->undo_at : head->at;
    if (head->busy)
        u->table[head->undo_set & (((uint32_t)1 << u->sets_log2) - 1)] = head->undo_pair;
    u->symbol = state & SYMBOL;
    u->hits = state >> 16;
    u->damaged = u->hits > WEFT_BLACKBOX_HITS_MAX;
    /* What a push at work has overwritten is not read. */
    u->left = laps ? u->ring_size - (head->busy ? WEFT_BLACKBOX_ENTRY_MAX : 0) : u->at;
}

static void read_words(weft_blackbox_packed *head, const uint8_t *bytes)
{
    uint32_t *const words[] = {&head->open,       &head->state,   &head->at,        &head->laps,
                               &head->count,      &head->busy,    &head->undo_set,  &head->undo_pair,
                               &head->undo_state, &head->undo_at, &head->undo_laps, &head->undo_count};
    for (size_t i = 0; i < WEFT_COUNT(words); i++)
        *words[i] = word_at(bytes, STATE_AT + 4 * i);
}

static bool fail(unpacking *u, char *message, size_t message_size, const char *why)
{
    free(u->table);
    free(u->run);
    snprintf(message, message_size, "%s", why);
    return false;
}

/* core/blackbox_packed.c: weft_blackbox_packed_sum. While it is running, the head has an old one. */
static blackbox_sum check_sum(const blackbox *box, const uint8_t *bytes, const weft_blackbox_packed *head)
{
    uint32_t said = box->head.version > 1 ? word_at(bytes, HEAD_SIZE_1) : 0;
    if (head->open != WEFT_BLACKBOX_CLOSED || !said)
        return BLACKBOX_UNSUMMED;
    uint32_t sum = weft_crc32(0, bytes + STATE_AT, HEAD_SIZE_1 - STATE_AT);
    sum = weft_crc32(sum, bytes + HEAD_SIZE, box->head.size);
    return said == (sum ? sum : UINT32_MAX) ? BLACKBOX_UNCHANGED : BLACKBOX_CHANGED;
}

bool blackbox_unpack(blackbox *box, const uint8_t *bytes, size_t size, char *message, size_t message_size)
{
    weft_blackbox_packed head;
    unpacking u = {.sets_log2 = bytes[SETS_AT]};
    size_t table_size = (size_t)4 << (u.sets_log2 & 31), head_size = box->head.version > 1 ? HEAD_SIZE : HEAD_SIZE_1;
    if (size < head_size || size - head_size < box->head.size)
        return fail(&u, message, message_size, "the dump ends before the black box does");
    if (u.sets_log2 == 0 || u.sets_log2 > 16 || table_size + WEFT_BLACKBOX_ENTRY_MAX / 2 > box->head.size)
        return fail(&u, message, message_size, "the black box is damaged: its head contradicts itself");
    u.table = memory_zero(table_size / 4, 4);
    for (size_t i = 0; i < table_size / 4; i++)
        u.table[i] = word_at(bytes, head_size + 4 * i);
    u.ring = bytes + head_size + table_size;
    u.ring_size = (uint32_t)(2 * (box->head.size - table_size));
    read_words(&head, bytes);
    read_state(&u, &head);
    if (head.open != WEFT_BLACKBOX_CLOSED && head.open >= WEFT_BLACKBOX_CONTEXTS)
        return fail(&u, message, message_size, "the black box is damaged: its context is none");
    if (u.at >= u.ring_size)
        return fail(&u, message, message_size, "the black box is damaged: its place in the ring is outside of it");
    box->total = (head.busy ? head.undo_count : head.count) + u.hits;
    box->torn = head.busy != 0;
    box->sum = check_sum(box, bytes, &head);
    bool whole = go_back(&u);
    if (u.damaged || (whole && (uint32_t)u.count != box->total))
        return fail(&u, message, message_size, "the black box is damaged: its entries contradict its count");
    box->overwritten = whole ? 0 : (uint32_t)(box->total - (uint32_t)u.count);
    box->context = first_context(&u, whole, head.open == WEFT_BLACKBOX_CLOSED ? 0 : head.open);
    box->count = u.count - u.switches;
    box->run = u.run;
    box->runs = u.runs;
    box->table = u.table;
    box->sets_log2 = u.sets_log2;
    return true;
}
