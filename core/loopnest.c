/* SPDX-License-Identifier: MIT */
#include "core/loopnest.h"

#include <string.h>

/* Bits of the first slot's length of a loop; the rest is the number of slots of its body, at most 2^14 - 2. */
#define LOOP 0x8000u      /* it is one */
#define CONTINUED 0x4000u /* its start was written: only the count since then is held */
#define BODY_SLOTS 0x3fffu
/* The second slot's length: terms of the body, below 2^12, and nesting depth. */
#define BODY_TERMS 0x0fffu
#define DEPTH_SHIFT 12
/* A header is two slots; an append needs at most a symbol's and a new header's slots. */
#define HEADER 2u
#define APPEND_SLOTS 3u
/* A progress term is held besides what it continues: 5 bytes, below two slots. */
#define PROGRESS_SLOTS 2u
/* A header is 2 + 4 bytes at most (WEFT_LOOPNEST_COUNT_MAX): 3 a slot. */
#define SLOT_BYTES_MIN 3u

static weft_loopnest_term *term_at(const weft_loopnest *nest, uint16_t position)
{
    return &nest->config.terms[position & (nest->config.terms_max - 1)];
}

static weft_loopnest_slot *slot_at(const weft_loopnest *nest, uint16_t position)
{
    return &nest->config.slots[position & (nest->config.slots_max - 1)];
}

static uint32_t mix(uint32_t value)
{
    value *= 0x9e3779b1u;
    return value ^ value >> 15;
}

static uint32_t rotate(uint32_t value, unsigned by)
{
    return value << (by & 31) | value >> (-by & 31);
}

/* The rolling hash of all terms before `position`. */
static uint32_t hash_before(const weft_loopnest *nest, uint16_t position)
{
    return position == nest->first ? nest->hash_first : term_at(nest, (uint16_t)(position - 1))->hash;
}

/* The hash of the `count` terms before `position` alone. */
static uint32_t hash_of(const weft_loopnest *nest, uint16_t position, unsigned count)
{
    return hash_before(nest, position) ^ rotate(hash_before(nest, (uint16_t)(position - count)), count);
}

static uint16_t *bucket_of(const weft_loopnest *nest, uint32_t key)
{
    return &nest->config.buckets[key & (nest->config.buckets_max - 1)];
}

/* The end of term `position`'s slots. */
static uint16_t end_of(const weft_loopnest *nest, uint16_t position)
{
    uint16_t after = (uint16_t)(position + 1);
    return after == nest->next ? nest->slot_next : term_at(nest, after)->start;
}

static bool is_power_of_two(size_t n, size_t min, size_t max)
{
    return n >= min && n <= max && (n & (n - 1)) == 0;
}

static void start(weft_loopnest *nest)
{
    nest->first = nest->next = 0;
    nest->slot_first = nest->slot_next = 0;
    nest->hash_first = 0;
    nest->quiet = 0;
    nest->slot_bytes = SLOT_BYTES_MIN;
    memset(nest->config.buckets, 0xff, nest->config.buckets_max * sizeof *nest->config.buckets);
}

weft_status weft_loopnest_init(weft_loopnest *nest, const weft_loopnest_config *config)
{
    if (!config->terms || !config->slots || !config->buckets)
        return WEFT_CONFIG;
    if (config->window < WEFT_LOOPNEST_WINDOW_MIN || config->window > WEFT_LOOPNEST_WINDOW_MAX ||
        config->depth_max < 1 || config->depth_max > WEFT_LOOPNEST_DEPTH_MAX)
        return WEFT_CONFIG;
    if (!is_power_of_two(config->terms_max, config->window, 1u << 15) ||
        !is_power_of_two(config->slots_max, 32, 1u << 14) || !is_power_of_two(config->buckets_max, 1, 1u << 15))
        return WEFT_CONFIG;
    nest->config = *config;
    nest->terms_high = nest->slots_high = 0;
    memset(config->terms, 0, config->terms_max * sizeof *config->terms);
    start(nest);
    return WEFT_OK;
}

/* ---- writing */

static void write_header(const weft_loopnest_slot *header, const weft_loopnest_slot *second, weft_writer *out)
{
    if (!(header->length & CONTINUED)) {
        weft_write_varint(out, (second->length & BODY_TERMS) << 1 | 1);
        weft_write_varint(out, header->value);
    } else if (header->value) {
        weft_write_u8(out, 1);
        weft_write_varint(out, header->value);
    }
}

/* Writes the slots from `at` on to `end`. They stand in the order of the output. */
static void write_slots(const weft_loopnest *nest, uint16_t at, uint16_t end, weft_writer *out)
{
    while (at != end) {
        const weft_loopnest_slot *slot = slot_at(nest, at++);
        if (!(slot->length & LOOP)) {
            weft_write_varint64(out, (uint64_t)slot->value << 1);
            continue;
        }
        write_header(slot, slot_at(nest, at++), out);
        if (slot->length & CONTINUED)
            at = (uint16_t)(at + (slot->length & BODY_SLOTS));
    }
}

/* Step 5: the oldest term leaves. */
static void write_oldest(weft_loopnest *nest, weft_writer *out)
{
    uint16_t end = end_of(nest, nest->first);
    write_slots(nest, nest->slot_first, end, out);
    nest->hash_first = term_at(nest, nest->first)->hash;
    nest->slot_first = end;
    nest->first++;
    nest->quiet = 0;
}

void weft_loopnest_flush(weft_loopnest *nest, weft_writer *out)
{
    write_slots(nest, nest->slot_first, nest->slot_next, out);
    start(nest);
}

/* ---- the window as a stack */

/* Makes the slots from `from` to slot_next the last term. */
static void append(weft_loopnest *nest, uint16_t from, uint32_t key)
{
    uint16_t position = nest->next;
    uint16_t *bucket = bucket_of(nest, key);
    weft_loopnest_term *term = term_at(nest, position);
    term->hash = rotate(hash_before(nest, position), 1) ^ key;
    term->start = from;
    term->chain = *bucket;
    *bucket = position;
    nest->next++;
}

/* The head of the list of loops that grow when position `position` completes their body. */
static uint16_t *due_at(const weft_loopnest *nest, uint16_t position)
{
    return &term_at(nest, position)->due;
}

static void append_loop(weft_loopnest *nest, uint16_t from)
{
    const weft_loopnest_slot *header = slot_at(nest, from);
    const weft_loopnest_slot *second = slot_at(nest, (uint16_t)(from + 1));
    uint16_t position = nest->next;
    append(nest, from, mix(second->value + mix(header->value + header->length)));
    uint16_t *due = due_at(nest, (uint16_t)(position + (second->length & BODY_TERMS)));
    term_at(nest, position)->next = *due;
    *due = position;
}

/* Drops the last `count` terms; their slots stay until the caller sets slot_next. Undoes append, last first. */
static void drop(weft_loopnest *nest, unsigned count)
{
    for (; count; count--) {
        uint16_t position = --nest->next;
        const weft_loopnest_term *term = term_at(nest, position);
        *bucket_of(nest, term->hash ^ rotate(hash_before(nest, position), 1)) = term->chain;
        if (slot_at(nest, term->start)->length & LOOP) {
            unsigned terms = slot_at(nest, (uint16_t)(term->start + 1))->length & BODY_TERMS;
            *due_at(nest, (uint16_t)(position + terms)) = term->next;
        }
    }
}

static bool same_slots(const weft_loopnest *nest, uint16_t a, uint16_t b, uint16_t count)
{
    for (; count; count--, a++, b++) {
        const weft_loopnest_slot *left = slot_at(nest, a), *right = slot_at(nest, b);
        if (left->value != right->value || left->length != right->length)
            return false;
    }
    return true;
}

/* ---- step 2 */

/* True if `position` is a loop in the window whose body of terms ends at the last term when repeated. */
static bool is_due(const weft_loopnest *nest, uint16_t position)
{
    uint16_t back = (uint16_t)(nest->next - 1 - position);
    if (back == 0 || back >= (uint16_t)(nest->next - nest->first))
        return false;
    uint16_t from = term_at(nest, position)->start;
    return (slot_at(nest, from)->length & LOOP) &&
           (slot_at(nest, (uint16_t)(from + 1))->length & BODY_TERMS) == back;
}

/* Whether the terms behind loop `position` are its body once more; if so, it takes them in. */
static bool grow_one(weft_loopnest *nest, uint16_t position)
{
    uint16_t from = term_at(nest, position)->start;
    weft_loopnest_slot *header = slot_at(nest, from);
    uint16_t body = (uint16_t)(from + HEADER);
    uint16_t size = header->length & BODY_SLOTS;
    uint16_t repeat = (uint16_t)(body + size);
    unsigned terms = (uint16_t)(nest->next - 1 - position);
    if (header->value >= WEFT_LOOPNEST_COUNT_MAX || (uint16_t)(nest->slot_next - repeat) != size ||
        slot_at(nest, (uint16_t)(from + 1))->value != hash_of(nest, nest->next, terms) ||
        !same_slots(nest, body, repeat, size))
        return false;
    drop(nest, terms + 1);
    nest->slot_next = repeat;
    header->value++;
    append_loop(nest, from);
    return true;
}

static bool grow(weft_loopnest *nest)
{
    uint16_t position = *due_at(nest, (uint16_t)(nest->next - 1));
    while (is_due(nest, position)) {
        if (grow_one(nest, position))
            return true;
        uint16_t before = term_at(nest, position)->next;
        if ((uint16_t)(nest->next - before) <= (uint16_t)(nest->next - position))
            break; /* stale: the list goes back only */
        position = before;
    }
    return false;
}

/* ---- step 3 */

/* The nesting depth of a loop over the `count` terms from `position` on. */
static unsigned depth_over(const weft_loopnest *nest, uint16_t position, unsigned count)
{
    unsigned depth = 0;
    for (; count; count--, position++) {
        uint16_t from = term_at(nest, position)->start;
        if (!(slot_at(nest, from)->length & LOOP))
            continue;
        unsigned inner = slot_at(nest, (uint16_t)(from + 1))->length >> DEPTH_SHIFT;
        if (inner > depth)
            depth = inner;
    }
    return depth + 1;
}

/* Whether the last 2 `terms` terms are a sequence twice; if so, they become a loop. */
static bool fold_one(weft_loopnest *nest, unsigned terms)
{
    uint16_t middle = (uint16_t)(nest->next - terms);
    uint16_t begin = (uint16_t)(middle - terms);
    uint32_t hash = hash_of(nest, middle, terms);
    if (hash != hash_of(nest, nest->next, terms))
        return false;
    uint16_t from = term_at(nest, begin)->start;
    uint16_t repeat = term_at(nest, middle)->start;
    uint16_t size = (uint16_t)(repeat - from);
    if ((uint16_t)(nest->slot_next - repeat) != size || !same_slots(nest, from, repeat, size))
        return false;
    unsigned depth = depth_over(nest, begin, terms);
    if (depth > nest->config.depth_max)
        return false;
    drop(nest, 2 * terms);
    for (uint16_t i = size; i-- > 0;)
        *slot_at(nest, (uint16_t)(from + HEADER + i)) = *slot_at(nest, (uint16_t)(from + i));
    *slot_at(nest, from) = (weft_loopnest_slot){2, (uint16_t)(LOOP | size)};
    *slot_at(nest, (uint16_t)(from + 1)) = (weft_loopnest_slot){hash, (uint16_t)(terms | depth << DEPTH_SHIFT)};
    nest->slot_next = (uint16_t)(repeat + HEADER);
    append_loop(nest, from);
    return true;
}

static bool fold(weft_loopnest *nest)
{
    uint16_t last = (uint16_t)(nest->next - 1);
    unsigned most = (uint16_t)(nest->next - nest->first) / 2u;
    uint16_t position = term_at(nest, last)->chain;
    unsigned before = 0;
    for (;;) {
        unsigned terms = (uint16_t)(last - position);
        if (terms <= before || terms > most) /* out of the window, or stale: chains go back only */
            return false;
        if (fold_one(nest, terms))
            return true;
        before = terms;
        position = term_at(nest, position)->chain;
    }
}

/* ---- one symbol */

/* Writes what stands before the outermost loop that may still grow, and that loop as far as it has run. */
static void write_progress(weft_loopnest *nest, weft_writer *out)
{
    uint16_t position = nest->first;
    nest->quiet = 0;
    for (;; position++) {
        if (position == nest->next)
            return; /* nothing runs */
        uint16_t from = term_at(nest, position)->start;
        uint16_t behind = (uint16_t)(nest->next - 1 - position);
        if ((slot_at(nest, from)->length & LOOP) &&
            (slot_at(nest, (uint16_t)(from + 1))->length & BODY_TERMS) > behind)
            break;
    }
    while (nest->first != position)
        write_oldest(nest, out);
    weft_loopnest_slot *header = slot_at(nest, nest->slot_first);
    write_slots(nest, nest->slot_first, end_of(nest, position), out);
    header->length |= CONTINUED;
    header->value = 0;
}

static uint32_t used_slots(const weft_loopnest *nest)
{
    return (uint16_t)(nest->slot_next - nest->slot_first);
}

/* The most bytes that a symbol's slot takes, if that is more than a header's share. */
static uint32_t symbol_bytes(uint32_t symbol)
{
    return symbol < 1u << 20 ? 3 : symbol < 1u << 27 ? 4 : 5;
}

weft_status weft_loopnest_push(weft_loopnest *nest, uint32_t symbol, weft_writer *out)
{
    uint32_t slot_bytes = symbol_bytes(symbol);
    if (slot_bytes < nest->slot_bytes)
        slot_bytes = nest->slot_bytes;
    if (weft_writer_room(out) < (used_slots(nest) + APPEND_SLOTS + PROGRESS_SLOTS) * slot_bytes)
        return WEFT_FULL;
    nest->slot_bytes = slot_bytes;
    if (nest->config.progress && ++nest->quiet >= nest->config.progress)
        write_progress(nest, out);
    while ((uint16_t)(nest->next - nest->first) >= nest->config.window ||
           used_slots(nest) + APPEND_SLOTS > nest->config.slots_max)
        write_oldest(nest, out);

    uint16_t from = nest->slot_next++;
    *slot_at(nest, from) = (weft_loopnest_slot){symbol, 0};
    append(nest, from, mix(symbol));
    if ((uint16_t)(nest->next - nest->first) > nest->terms_high)
        nest->terms_high = (uint16_t)(nest->next - nest->first);
    if (used_slots(nest) > nest->slots_high)
        nest->slots_high = (uint16_t)used_slots(nest);
    while (grow(nest) || fold(nest)) /* step 4 */
        ;
    return WEFT_OK;
}

/* ---- invariants */

bool weft_loopnest_check(const weft_loopnest *nest)
{
    if ((uint16_t)(nest->next - nest->first) > nest->config.window || used_slots(nest) > nest->config.slots_max)
        return false;
    uint16_t at = nest->slot_first;
    for (uint16_t i = nest->first; i != nest->next; i++) {
        const weft_loopnest_slot *slot = slot_at(nest, at);
        if (term_at(nest, i)->start != at)
            return false;
        at = (uint16_t)(at + 1);
        if (slot->length & LOOP)
            at = (uint16_t)(at + 1 + (slot->length & BODY_SLOTS));
        if ((slot->length & LOOP) && slot_at(nest, (uint16_t)(at - 1 - (slot->length & BODY_SLOTS)))->length >> DEPTH_SHIFT >
                                         nest->config.depth_max)
            return false;
    }
    return at == nest->slot_next;
}
