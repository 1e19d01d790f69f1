/* SPDX-License-Identifier: MIT */
#include "core/loopnest.h"

#include <string.h>

#include "core/loopnest_slots.h"

/* An append needs at most a symbol's and a new header's slots. */
#define APPEND_SLOTS 3u
/* Slots between the last term and those that wait behind it: two equal symbols that become a loop take one slot more, and
 * of those at most one pair is made where each loop that the cursor stands in begins. */
#define GAP (WEFT_LOOPNEST_DEPTH_MAX + 1u)
/* A header is 2 + 4 bytes at most (WEFT_LOOPNEST_COUNT_MAX): 3 a slot. */
#define SLOT_BYTES_MIN 3u

/* Not in the common case: to be small rather than fast. */
#define RARE __attribute__((cold, noinline))
#define RARE_INLINE __attribute__((cold)) /* called once */

static inline uint32_t mix(uint32_t value)
{
    value *= 0x9e3779b1u;
    return value ^ value >> 15;
}

static inline uint32_t rotate(uint32_t value, unsigned by)
{
    return value << (by & 31) | value >> (-by & 31);
}

static RARE void start(weft_loopnest *nest)
{
    nest->active = false;
    nest->run = 0;
    nest->first = nest->next = 0;
    nest->slot_first = nest->slot_next = 0;
    nest->hash = nest->last_key = nest->key_before = 0;
    nest->quiet = nest->progress;
    nest->slot_bytes = SLOT_BYTES_MIN;
    memset(nest->buckets, 0xff, (nest->buckets_mask + 1) * sizeof *nest->buckets);
}

RARE weft_status weft_loopnest_init(weft_loopnest *nest, const weft_loopnest_config *config)
{
    size_t t = config->terms_max, s = config->slots_max, b = config->buckets_max;
    if (!config->terms || !config->slots || !config->buckets || config->window < WEFT_LOOPNEST_WINDOW_MIN ||
        config->window > t || s < 32 || b < 1 || (t | s | b) >= 1u << 15 || (t & (t - 1)) | (s & (s - 1)) | (b & (b - 1)) ||
        config->depth_max - 1 >= WEFT_LOOPNEST_DEPTH_MAX || config->progress > WEFT_LOOPNEST_PROGRESS_MAX ||
        config->window > WEFT_LOOPNEST_WINDOW_MAX)
        return WEFT_CONFIG;
    nest->terms = config->terms;
    nest->slots = config->slots;
    nest->buckets = config->buckets;
    nest->terms_mask = (uint32_t)t - 1;
    nest->slots_mask = (uint32_t)s - 1;
    nest->buckets_mask = (uint32_t)b - 1;
    nest->window = config->window;
    nest->depth_max = config->depth_max;
    nest->progress = config->progress ? config->progress : WEFT_LOOPNEST_PROGRESS_MAX;
    nest->terms_high = nest->slots_high = 0;
    start(nest);
    return WEFT_OK;
}

static RARE void note_high_water(weft_loopnest *nest)
{
    if (count_terms(nest) > nest->terms_high)
        nest->terms_high = (uint16_t)count_terms(nest);
    if (count_slots(nest) > nest->slots_high)
        nest->slots_high = (uint16_t)count_slots(nest);
}

/* ---- writing: the caller has seen to the room */

/* A varint, given its seven lowest bits and the rest. */
static inline uint8_t *put(uint8_t *to, uint32_t low, uint32_t rest)
{
    for (; rest; rest >>= 7) {
        *to++ = (uint8_t)(low | 0x80);
        low = rest & 0x7f;
    }
    *to++ = (uint8_t)low;
    return to;
}

/* Writes the slots up to `end`, whole terms. They stand in the order of the output. */
static RARE void write_slots(weft_loopnest *nest, uint16_t end, weft_writer *out)
{
    uint8_t *to = out->bytes + out->size;
    uint16_t at = nest->slot_first;
    while (at != end) {
        const weft_loopnest_slot *slot = slot_at(nest, at++);
        uint32_t value = slot->value, loop = slot->length, count = value;
        if (loop) {
            value = slot_at(nest, at++)->length & BODY_TERMS;
            loop = 1;
        }
        uint32_t low = (value & 0x3f) << 1 | loop, rest = value >> 6;
        do {
            to = put(to, low, rest);
            low = count & 0x7f;
            rest = count >> 7;
        } while (loop--);
    }
    out->size = (size_t)(to - out->bytes);
    nest->slot_first = at;
    nest->quiet = nest->progress;
}

/* Step 5: the oldest term of a full window leaves. */
static inline void evict(weft_loopnest *nest, weft_writer *out)
{
    uint32_t hash = term_at(nest, nest->first++)->hash;
    const weft_loopnest_term *next = term_at(nest, nest->first);
    const weft_loopnest_slot *slot = slot_at(nest, nest->slot_first);
    nest->key_before = next->hash ^ rotate(hash, 1);
    if (slot->length) {
        write_slots(nest, next->start, out);
        return;
    }
    nest->slot_first++;
    nest->quiet = nest->progress;
    out->size = (size_t)(put(out->bytes + out->size, (slot->value & 0x3f) << 1, slot->value >> 6) - out->bytes);
}

/* Terms leave until there is room for another one of so many slots. */
static RARE void make_room(weft_loopnest *nest, uint32_t slots, weft_writer *out)
{
    while (count_terms(nest) >= nest->window || count_slots(nest) + slots > nest->slots_mask + 1) {
        uint32_t hash = term_at(nest, nest->first++)->hash, hash_after = nest->hash;
        uint16_t end = nest->slot_next;
        if (nest->first != nest->next) {
            hash_after = term_at(nest, nest->first)->hash;
            end = term_at(nest, nest->first)->start;
        }
        nest->key_before = hash_after ^ rotate(hash, 1);
        write_slots(nest, end, out);
    }
}

/* ---- the window as a stack */

/* The bucket of a term by its key and that of the term before it. */
static inline uint16_t *bucket_of(const weft_loopnest *nest, uint32_t key, uint32_t key_before)
{
    return &nest->buckets[(key ^ rotate(key_before, 5)) & nest->buckets_mask];
}

/* Makes the slots from `from` to slot_next the last term; the one before it in its bucket. */
static inline uint32_t append(weft_loopnest *nest, uint32_t from, uint32_t key)
{
    uint16_t position = nest->next++;
    uint16_t *bucket = bucket_of(nest, key, nest->last_key);
    weft_loopnest_term *term = term_at(nest, position);
    term->hash = nest->hash;
    term->start = (uint16_t)from;
    uint32_t chain = *bucket;
    term->chain = (uint16_t)chain;
    *bucket = position;
    nest->hash = rotate(nest->hash, 1) ^ key;
    nest->last_key = key;
    return chain;
}

static RARE void append_rarely(weft_loopnest *nest, uint32_t from, uint32_t key)
{
    append(nest, from, key);
}

static void append_loop(weft_loopnest *nest, uint32_t from)
{
    append_rarely(nest, from, mix(slot_at(nest, from + 1)->value + mix(slot_at(nest, from)->value)));
}

/* Drops the last `count` terms; their slots stay until the caller sets slot_next. Undoes append, last first. */
static void drop(weft_loopnest *nest, uint32_t count)
{
    note_high_water(nest);
    for (; count; count--) {
        const weft_loopnest_term *term = term_at(nest, --nest->next);
        uint32_t before = nest->key_before;
        if (nest->next != nest->first)
            before = term->hash ^ rotate(term_at(nest, nest->next - 1u)->hash, 1);
        *bucket_of(nest, nest->last_key, before) = term->chain;
        nest->hash = term->hash;
        nest->last_key = before;
    }
}

/* Whether the slots from `a` to `end` stand again from `b` to the end of the window. */
static RARE bool twice(const weft_loopnest *nest, uint16_t a, uint16_t end, uint16_t b)
{
    if ((uint16_t)(nest->slot_next - b) != (uint16_t)(end - a))
        return false;
    for (; a != end; a++, b++) {
        const weft_loopnest_slot *left = slot_at(nest, a), *right = slot_at(nest, b);
        if (left->value != right->value || left->length != right->length)
            return false;
    }
    return true;
}

/* Makes the loop at slot `from`, which was dropped, the last term again, with `more` iterations. */
static RARE void go_on(weft_loopnest *nest, uint32_t from, uint32_t more)
{
    weft_loopnest_slot *header = slot_at(nest, from);
    header->value += more;
    nest->slot_next = (uint16_t)(from + HEADER + (header->length & BODY_SLOTS));
    append_loop(nest, from);
}

/* ---- step 2 */

/* Two loops in a row over the same body become one. */
static RARE_INLINE bool join(weft_loopnest *nest)
{
    uint16_t last = term_at(nest, nest->next - 1u)->start;
    if (!slot_at(nest, last)->length || count_terms(nest) < 2)
        return false;
    uint16_t from = term_at(nest, nest->next - 2u)->start;
    uint32_t more = slot_at(nest, last)->value;
    if (slot_at(nest, from)->length != slot_at(nest, last)->length ||
        slot_at(nest, from)->value + more > WEFT_LOOPNEST_COUNT_MAX ||
        !twice(nest, (uint16_t)(from + 1), last, (uint16_t)(last + 1)))
        return false;
    drop(nest, 2);
    go_on(nest, from, more);
    return true;
}

/* ---- step 3 */

/* The nesting depth of a loop over the slots from `at` to `end`. */
static uint32_t depth_over(const weft_loopnest *nest, uint16_t at, uint16_t end)
{
    uint32_t depth = 0;
    while (at != end) {
        if (!(slot_at(nest, at++)->length & LOOP))
            continue;
        uint32_t inner = slot_at(nest, at++)->length >> DEPTH_SHIFT;
        if (inner > depth)
            depth = inner;
    }
    return depth + 1;
}

/* The last 2 `terms` terms have the same hash twice: if they are a sequence twice, they become a loop. */
static RARE bool fold_one(weft_loopnest *nest, uint32_t terms, uint32_t hash)
{
    uint16_t middle = term_at(nest, nest->next - terms)->start;
    uint16_t from = term_at(nest, nest->next - 2 * terms)->start;
    if (!twice(nest, from, middle, middle))
        return false;
    uint32_t depth = depth_over(nest, from, middle);
    if (depth > nest->depth_max)
        return false;
    drop(nest, 2 * terms);
    for (uint16_t i = middle; i-- != from;)
        *slot_at(nest, i + HEADER) = *slot_at(nest, i);
    *slot_at(nest, from) = (weft_loopnest_slot){1, (uint16_t)(LOOP | (uint16_t)(middle - from))};
    *slot_at(nest, from + 1u) = (weft_loopnest_slot){hash, (uint16_t)(terms | depth << DEPTH_SHIFT)};
    go_on(nest, from, 1);
    return true;
}

/* Looks for the shortest body. The chain holds the terms that equal the last one and stand behind one that equals the one
 * before it; of a body of one term the last term itself is enough. */
static bool fold(weft_loopnest *nest)
{
    uint16_t last = (uint16_t)(nest->next - 1), position = last;
    uint32_t most = count_terms(nest) / 2, before = 0, terms = 1;
    if (most && term_at(nest, last)->hash == (rotate(term_at(nest, last - 1u)->hash, 1) ^ nest->last_key) &&
        fold_one(nest, 1, nest->last_key))
        return true;
    for (;; before = terms) {
        position = term_at(nest, position)->chain;
        terms = (uint16_t)(last - position);
        if (terms <= before || terms > most) /* out of the window, or stale: chains go back only */
            return false;
        uint32_t middle = term_at(nest, position + 1u)->hash;
        uint32_t half = nest->hash ^ rotate(middle, terms);
        if ((middle ^ rotate(term_at(nest, position + 1u - terms)->hash, terms)) == half && fold_one(nest, terms, half))
            return true;
    }
}

/* Step 4. */
static RARE void fold_all(weft_loopnest *nest)
{
    while (join(nest) || fold(nest))
        ;
}

/* ---- the cursor */

/* Goes down from `at` into the loops that start there, to the symbol that is expected. */
static __attribute__((noinline)) void descend(weft_loopnest *nest)
{
    const weft_loopnest_slot *slot;
    while ((slot = slot_at(nest, nest->at))->length) {
        weft_loopnest_level *level = &nest->level[++nest->depth];
        level->left = slot->value - 1;
        level->size = slot->length & BODY_SLOTS;
        nest->at = (uint16_t)(nest->at + HEADER);
        nest->end = level->end = (uint16_t)(nest->at + level->size);
    }
    nest->expected = slot->value;
}

/* Behind the last symbol of a body inside the last term's: once more, or on behind the loop. */
static __attribute__((noinline)) void ascend(weft_loopnest *nest)
{
    weft_loopnest_level *level = &nest->level[nest->depth];
    for (; nest->at == level->end; level--, nest->depth--) {
        if (nest->depth && level->left == 0)
            continue;
        if (nest->depth)
            level->left--;
        else
            level->left++;
        nest->at = (uint16_t)(nest->at - level->size);
        break;
    }
    nest->end = level->end;
    descend(nest);
}

/* Sets the cursor to the start of the last term, a loop, if it can be written with its body once more. */
static RARE_INLINE void activate(weft_loopnest *nest, const weft_writer *out)
{
    uint16_t from = term_at(nest, nest->next - 1u)->start;
    uint32_t size = slot_at(nest, from)->length & BODY_SLOTS;
    if (2 * size + HEADER + GAP + APPEND_SLOTS > nest->slots_mask + 1 ||
        (count_slots(nest) + size + GAP + APPEND_SLOTS) * nest->slot_bytes > weft_writer_room(out))
        return;
    nest->level[0] = (weft_loopnest_level){.end = nest->slot_next, .size = (uint16_t)size, .left = 0};
    nest->end = nest->slot_next;
    nest->depth = 0;
    nest->at = (uint16_t)(from + HEADER);
    nest->active = true;
    nest->run = nest->quiet - 1;
    descend(nest);
}

/* After a fold. */
static RARE void settle(weft_loopnest *nest, const weft_writer *out)
{
    fold_all(nest);
    activate(nest, out);
}

/* Copies the slots from `at` to `end` to `to`; returns the end of the copy. */
static RARE uint16_t copy_slots(weft_loopnest *nest, uint16_t to, uint16_t at, uint16_t end)
{
    while (at != end)
        *slot_at(nest, to++) = *slot_at(nest, at++);
    return to;
}

/* Copies what the cursor has passed of the last term's body to slot `to`; returns the copy's end. */
static RARE_INLINE uint16_t copy_passed(weft_loopnest *nest, uint16_t to)
{
    const weft_loopnest_level *level = nest->level;
    uint16_t at = (uint16_t)(level->end - level->size);
    for (uint32_t depth = nest->depth; depth; depth--) {
        /* A loop that the cursor stands in: what is before it, then its iterations that are over. */
        level++;
        uint16_t body = (uint16_t)(level->end - level->size), header = (uint16_t)(body - HEADER);
        uint32_t over = slot_at(nest, header)->value - 1 - level->left;
        to = copy_slots(nest, to, at, header);
        if (over) {
            uint16_t copy = to;
            to = copy_slots(nest, to, over > 1 ? header : body, level->end);
            if (over > 1)
                slot_at(nest, copy)->value = over;
        }
        at = body;
    }
    return copy_slots(nest, to, at, nest->at);
}

/* Ends the cursor's run: the last term gets the iterations that passed, and the rest becomes terms. */
static RARE void deactivate(weft_loopnest *nest, weft_writer *out)
{
    nest->active = false;
    nest->quiet = nest->run + 1;
    nest->run = 0;
    make_room(nest, nest->level[0].size + GAP + APPEND_SLOTS, out);
    uint16_t waiting = (uint16_t)(nest->slot_next + GAP);
    uint16_t end = copy_passed(nest, waiting);
    if (nest->level[0].left) {
        uint16_t from = term_at(nest, nest->next - 1u)->start;
        drop(nest, 1);
        go_on(nest, from, nest->level[0].left);
        fold_all(nest);
    }
    while (waiting != end) {
        uint16_t from = nest->slot_next;
        uint32_t length = slot_at(nest, waiting)->length;
        uint16_t behind = (uint16_t)(waiting + (length ? HEADER + (length & BODY_SLOTS) : 1));
        make_room(nest, 0, out);
        nest->slot_next = copy_slots(nest, from, waiting, behind);
        waiting = behind;
        if (length)
            append_loop(nest, from);
        else
            append_rarely(nest, from, mix(slot_at(nest, from)->value));
        fold_all(nest);
    }
}

/* ---- one symbol */

/* A symbol that the cursor did not expect, or that meets none. */
static __attribute__((noinline)) weft_status push_other(weft_loopnest *nest, uint32_t symbol, weft_writer *out)
{
    uint32_t slot_bytes = nest->slot_bytes, slots = count_slots(nest) + APPEND_SLOTS;
    if (symbol >> 20 && slot_bytes < 5)
        slot_bytes = symbol >> 27 ? 5 : 4;
    if (nest->active)
        slots += nest->level[0].size + GAP;
    if (out->size_max - out->size < slots * slot_bytes)
        return WEFT_FULL;
    if (nest->active)
        deactivate(nest, out);
    if (--nest->quiet == 0)
        weft_loopnest_flush(nest, out);
    nest->slot_bytes = slot_bytes;
    if (count_terms(nest) >= nest->window)
        evict(nest, out);
    if (count_slots(nest) + APPEND_SLOTS > nest->slots_mask + 1)
        make_room(nest, APPEND_SLOTS, out);
    uint16_t from = nest->slot_next++;
    *slot_at(nest, from) = (weft_loopnest_slot){symbol, 0};
    uint32_t key = mix(symbol), before = nest->last_key;
    uint32_t chain = append(nest, from, key);
    uint32_t back = (uint16_t)(nest->next - 1u - chain);
    if ((key == before || 2 * back <= count_terms(nest)) && fold(nest))
        settle(nest, out);
    return WEFT_OK;
}

weft_status weft_loopnest_push(weft_loopnest *nest, uint32_t symbol, weft_writer *out)
{
    if (symbol != nest->expected || nest->run == 0)
        return push_other(nest, symbol, out);
    nest->run--;
    uint16_t at = (uint16_t)(nest->at + 1);
    if (at == nest->end) {
        if (nest->depth) {
            nest->at = at;
            ascend(nest);
            return WEFT_OK;
        }
        nest->level[0].left++;
        at = (uint16_t)(at - nest->level[0].size);
    }
    nest->at = at;
    const weft_loopnest_slot *slot = slot_at(nest, at);
    nest->expected = slot->value;
    if (slot->length)
        descend(nest);
    return WEFT_OK;
}

RARE void weft_loopnest_flush(weft_loopnest *nest, weft_writer *out)
{
    note_high_water(nest);
    if (nest->active)
        deactivate(nest, out);
    write_slots(nest, nest->slot_next, out);
    start(nest);
}
