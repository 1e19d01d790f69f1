/* SPDX-License-Identifier: MIT */
#include "core/blackbox_packed.h"

#include <string.h>

#include "core/bytes.h"
#include "core/own.h"

enum { SIZE_MIN = 64, SETS_LOG2_MIN = 1, SETS_LOG2_MAX = 12 };

static uint32_t check_of(const weft_blackbox_packed *box)
{
    return weft_crc32(0, (const uint8_t *)box, offsetof(weft_blackbox_packed, check));
}

static uint8_t *ring_of(weft_blackbox_packed *box)
{
    return (uint8_t *)(weft_blackbox_table(box) + ((size_t)1 << box->sets_log2));
}

static uint32_t nibbles(const weft_blackbox_packed *box)
{
    return 2 * (box->size - ((uint32_t)4 << box->sets_log2));
}

/* The table takes an eighth of the memory. Of all shares that were tried, this one held the most paths. */
static uint8_t sets_for(size_t size)
{
    uint8_t log2 = SETS_LOG2_MIN;
    while (log2 < SETS_LOG2_MAX && ((size_t)8 << log2) <= size / 8)
        log2++;
    return log2;
}

/* ---- a push ---- */

static inline void put_nibble(uint8_t *ring, uint32_t at, uint32_t nibble)
{
    uint8_t *byte = &ring[at >> 1];
    *byte = at & 1 ? (uint8_t)((*byte & 0x0f) | nibble << 4) : (uint8_t)((*byte & 0xf0) | nibble);
}

/* Appends an entry, given as nibbles of 32 bits: `low` is read first. `more`: those that do not fit it. */
static void append(weft_blackbox_packed *box, uint32_t low, uint32_t more, unsigned count)
{
    uint8_t *ring = ring_of(box);
    uint32_t at = box->at, end = nibbles(box);
    while (count-- > 0) {
        put_nibble(ring, at, (count < 8 ? low >> 4 * count : more >> (4 * count - 32)) & 15);
        if (++at == end) {
            at = 0;
            box->laps++;
        }
    }
    box->at = at;
}

/* Codes a number in groups of three bits, at least one, and adds their number to *count. */
static uint32_t groups(uint32_t value, unsigned *count)
{
    uint32_t all = 0;
    unsigned shift = 0;
    for (; value > 7; value >>= 3, shift += 4)
        all |= ((value & 7) | 8) << shift;
    *count += shift / 4 + 1;
    return all | value << shift;
}

/* `number` follows the tag, if it is NEW. */
static void put_entry(weft_blackbox_packed *box, uint32_t tag, uint32_t hits, uint32_t number)
{
    unsigned count = 0, hit_count = 0;
    uint32_t low = tag | (hits < WEFT_BLACKBOX_TAG_HITS ? hits : WEFT_BLACKBOX_TAG_HITS), payload = 0;
    if (hits >= WEFT_BLACKBOX_TAG_HITS)
        low |= groups(hits - WEFT_BLACKBOX_TAG_HITS, &hit_count) << 4;
    hit_count++;
    if (tag)
        payload = groups(number, &count);
    low |= payload << 4 * hit_count;
    append(box, low, payload >> (32 - 4 * hit_count), hit_count + count);
}

static uint32_t number_of(uint32_t evicted, uint32_t path)
{
    return evicted ? 1 + weft_zigzag((int32_t)(evicted - path)) : 1;
}

static void miss(weft_blackbox_packed *box, uint32_t set, uint32_t symbol)
{
    uint32_t *pair = &weft_blackbox_table(box)[set], old = *pair, state = box->state;
    uint32_t before = state & 0xffff, hits = state >> 16, first = old & 0xffff, second = old >> 16;
    box->undo_set = set;
    box->undo_pair = old;
    box->undo_state = state;
    box->undo_at = box->at;
    box->undo_laps = box->laps;
    box->undo_count = box->count;
    *(volatile uint32_t *)&box->busy = 1;
    if (before == second && second)
        put_entry(box, 0, hits, 0);
    else
        put_entry(box, WEFT_BLACKBOX_TAG_NEW, hits, number_of(second, before));
    *pair = before | first << 16;
    box->count += hits + 1;
    box->state = symbol;
    *(volatile uint32_t *)&box->busy = 0;
}

/* The run of hits is full: an entry of no step. */
static void end_run(weft_blackbox_packed *box)
{
    uint32_t state = box->state;
    box->undo_set = 0;
    box->undo_pair = weft_blackbox_table(box)[0];
    box->undo_state = state;
    box->undo_at = box->at;
    box->undo_laps = box->laps;
    box->undo_count = box->count;
    *(volatile uint32_t *)&box->busy = 1;
    put_entry(box, WEFT_BLACKBOX_TAG_NEW, state >> 16, 0);
    box->count += state >> 16;
    box->state = state & 0xffff;
    *(volatile uint32_t *)&box->busy = 0;
}

static inline void push(weft_blackbox_packed *box, uint32_t symbol)
{
    uint32_t set = weft_blackbox_set(symbol, box->sets_log2), state = box->state;
    if ((weft_blackbox_table(box)[set] & 0xffff) != (state & 0xffff)) {
        miss(box, set, symbol);
        return;
    }
    if (state >> 16 == WEFT_BLACKBOX_HITS_MAX) {
        end_run(box);
        state = box->state;
    }
    box->state = (state >> 16 << 16) + 0x10000 + symbol;
}

__attribute__((noinline)) static void switch_to(weft_blackbox_packed *box, uint32_t context)
{
    box->open = context;
    push(box, WEFT_BLACKBOX_CONTEXT + context);
}

void weft_blackbox_packed_path(weft_blackbox_packed *box, uint32_t context, uint32_t path)
{
    if (context != box->open) {
        if (box->open == WEFT_BLACKBOX_CLOSED)
            return;
        switch_to(box, context);
    }
    push(box, path + 1);
}

/* ---- the rest ---- */

static void next_run(weft_blackbox_packed *box)
{
    box->run++;
    *(volatile uint32_t *)&box->check = check_of(box);
}

static bool survived(const weft_blackbox_packed *box, const weft_blackbox_packed *wanted)
{
    return memcmp(box->magic, wanted->magic, sizeof box->magic) == 0 && box->version == wanted->version &&
           box->form == wanted->form && box->sets_log2 == wanted->sets_log2 && box->size == wanted->size &&
           box->identity == wanted->identity && box->check == check_of(box) && box->at < nibbles(box);
}

static void undo_torn(weft_blackbox_packed *box)
{
    if (!box->busy)
        return;
    weft_blackbox_table(box)[box->undo_set & (((uint32_t)1 << box->sets_log2) - 1)] = box->undo_pair;
    box->state = box->undo_state;
    box->at = box->undo_at < nibbles(box) ? box->undo_at : 0;
    box->laps = box->undo_laps;
    box->count = box->undo_count;
    box->busy = 0;
}

weft_status weft_blackbox_packed_begin(weft_blackbox_packed *box, size_t bytes, uint32_t identity,
                                       weft_blackbox_found *found)
{
    weft_blackbox_packed wanted = {.magic = WEFT_BLACKBOX_MAGIC,
                                   .version = WEFT_BLACKBOX_VERSION,
                                   .form = WEFT_BLACKBOX_PACKED,
                                   .identity = identity};
    if (bytes < sizeof *box + SIZE_MIN)
        return WEFT_CONFIG;
    wanted.size = (uint32_t)(bytes - sizeof *box) & ~(uint32_t)3;
    wanted.sets_log2 = sets_for(wanted.size);
    *found = !survived(box, &wanted)             ? WEFT_BLACKBOX_NOTHING
             : box->open == WEFT_BLACKBOX_CLOSED ? WEFT_BLACKBOX_HELD
                                                 : WEFT_BLACKBOX_WENT_ON;
    if (*found == WEFT_BLACKBOX_NOTHING) {
        wanted.open = WEFT_BLACKBOX_CLOSED;
        *box = wanted;
        weft_blackbox_packed_empty(box);
    }
    if (*found == WEFT_BLACKBOX_WENT_ON) {
        undo_torn(box);
        next_run(box);
    }
    return WEFT_OK;
}

void weft_blackbox_packed_open(weft_blackbox_packed *box, weft_blackbox_found found)
{
    if (found == WEFT_BLACKBOX_WENT_ON)
        push(box, WEFT_BLACKBOX_RESET_SYMBOL);
    if (found != WEFT_BLACKBOX_HELD)
        box->open = 0;
}

void weft_blackbox_packed_hold(weft_blackbox_packed *box)
{
    if (box->open == WEFT_BLACKBOX_CLOSED)
        return;
    box->held_sum = 0;
    box->open = WEFT_BLACKBOX_CLOSED;
}

/* Nothing of it changes while it is held. */
uint32_t weft_blackbox_packed_sum(const weft_blackbox_packed *box)
{
    const size_t from = offsetof(weft_blackbox_packed, open), to = offsetof(weft_blackbox_packed, held_sum);
    uint32_t sum = weft_crc32(0, (const uint8_t *)box + from, to - from);
    sum = weft_crc32(sum, (const uint8_t *)(box + 1), box->size);
    return sum ? sum : UINT32_MAX;
}

void weft_blackbox_packed_keep_sum(weft_blackbox_packed *box, uint32_t count, uint32_t sum)
{
    if (box->open == WEFT_BLACKBOX_CLOSED && !box->held_sum && weft_blackbox_packed_count(box) == count)
        box->held_sum = sum;
}

void weft_blackbox_packed_resume(weft_blackbox_packed *box)
{
    if (box->open != WEFT_BLACKBOX_CLOSED)
        return;
    undo_torn(box);
    push(box, WEFT_BLACKBOX_PAUSE_SYMBOL);
    box->open = 0;
}

/* The newest symbol is 0, which stands for no path: there the way back ends. */
void weft_blackbox_packed_empty(weft_blackbox_packed *box)
{
    *(volatile uint32_t *)&box->check = ~box->check; /* until all is written */
    *(volatile uint32_t *)&box->open = WEFT_BLACKBOX_CLOSED;
    memset(box + 1, 0, box->size);
    box->state = box->at = box->laps = box->count = box->busy = box->held_sum = 0;
    next_run(box);
}
