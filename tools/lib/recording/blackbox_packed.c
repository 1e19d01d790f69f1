/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/blackbox_packed.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/blackbox_packed.h"
#include "core/bytes.h"
#include "tools/lib/base/memory.h"

enum { HEAD_SIZE = sizeof(weft_blackbox_packed), STATE_AT = 28, SETS_AT = 10, SYMBOL = 0xffff };

_Static_assert(HEAD_SIZE == 76 && offsetof(weft_blackbox_packed, open) == STATE_AT, "the head has no gaps");

typedef struct unpacking {
    uint32_t *table;
    unsigned sets_log2;
    const uint8_t *ring;
    uint32_t ring_size, at, left; /* nibbles: all, where the next one to be read ends, that can be read */
    uint32_t symbol, hits;        /* where the way back stands */
    bool damaged;
    uint32_t *symbols; /* newest first */
    size_t count, max;
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
    *pair = first | second << 16;
    u->symbol = before;
    return UNDONE_STEP;
}

static bool step_back(unpacking *u)
{
    undone entry = UNDONE_RUN;
    while (u->hits == 0 && entry == UNDONE_RUN)
        entry = undo_entry(u);
    if (entry == UNDONE_RUN) {
        u->hits--;
        u->symbol = u->table[weft_blackbox_set(u->symbol, u->sets_log2)] & SYMBOL;
    }
    return entry != UNDONE_END;
}

/* All symbols, newest first. True: up to the first one ever. */
static bool go_back(unpacking *u)
{
    while (u->symbol && !u->damaged) {
        u->symbols = memory_room(u->symbols, u->count, &u->max, sizeof *u->symbols);
        u->symbols[u->count++] = u->symbol;
        if (!step_back(u))
            return false;
    }
    return true;
}

static bool is_context(uint32_t symbol)
{
    return symbol >= WEFT_BLACKBOX_CONTEXT;
}

/* The context that the oldest symbols belong to, up to the first switch: if that goes to a handler, what comes after
 * the handler. */
static uint32_t first_context(const unpacking *u, bool whole, uint32_t newest)
{
    uint32_t switches[2], count = 0;
    for (size_t i = u->count; i > 0 && count < 2; i--)
        if (is_context(u->symbols[i - 1]))
            switches[count++] = u->symbols[i - 1] - WEFT_BLACKBOX_CONTEXT;
    if (whole || count == 0)
        return whole ? 0 : newest;
    return count == 2 && switches[0] ? switches[1] : 0;
}

/* Oldest first, as paths with contexts. */
static void turn(blackbox *box, const unpacking *u, uint32_t context)
{
    box->path = memory_zero(u->count + 1, sizeof *box->path);
    box->context = memory_zero(u->count + 1, sizeof *box->context);
    for (size_t i = u->count; i > 0; i--) {
        uint32_t symbol = u->symbols[i - 1];
        bool reset = symbol == WEFT_BLACKBOX_RESET_SYMBOL, pause = symbol == WEFT_BLACKBOX_PAUSE_SYMBOL;
        context = is_context(symbol) ? symbol - WEFT_BLACKBOX_CONTEXT : reset || pause ? 0 : context;
        if (is_context(symbol))
            continue;
        box->context[box->count] = context;
        box->path[box->count++] = reset ? WEFT_BLACKBOX_RESET : pause ? WEFT_BLACKBOX_PAUSE : symbol - 1;
    }
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
    free(u->symbols);
    snprintf(message, message_size, "%s", why);
    return false;
}

bool blackbox_unpack(blackbox *box, const uint8_t *bytes, size_t size, char *message, size_t message_size)
{
    weft_blackbox_packed head;
    unpacking u = {.sets_log2 = bytes[SETS_AT]};
    size_t table_size = (size_t)4 << (u.sets_log2 & 31);
    if (size < HEAD_SIZE || size - HEAD_SIZE < box->head.size)
        return fail(&u, message, message_size, "the dump ends before the black box does");
    if (u.sets_log2 == 0 || u.sets_log2 > 16 || table_size + WEFT_BLACKBOX_ENTRY_MAX / 2 > box->head.size)
        return fail(&u, message, message_size, "the black box is damaged: its head contradicts itself");
    u.table = memory_zero(table_size / 4, 4);
    for (size_t i = 0; i < table_size / 4; i++)
        u.table[i] = word_at(bytes, HEAD_SIZE + 4 * i);
    u.ring = bytes + HEAD_SIZE + table_size;
    u.ring_size = (uint32_t)(2 * (box->head.size - table_size));
    read_words(&head, bytes);
    read_state(&u, &head);
    if (u.at >= u.ring_size)
        return fail(&u, message, message_size, "the black box is damaged: its place in the ring is outside of it");
    box->total = (head.busy ? head.undo_count : head.count) + u.hits;
    box->torn = head.busy != 0;
    bool whole = go_back(&u);
    if (u.damaged || (whole && (uint32_t)u.count != box->total))
        return fail(&u, message, message_size, "the black box is damaged: its entries contradict its count");
    box->overwritten = whole ? 0 : (uint32_t)(box->total - (uint32_t)u.count);
    turn(box, &u, first_context(&u, whole, head.open == WEFT_BLACKBOX_CLOSED ? 0 : head.open));
    free(u.table);
    free(u.symbols);
    return true;
}
