/* SPDX-License-Identifier: MIT */
/* The steps, as loopnest.h numbers them. */
#include <string.h>

#include "core/loopnest_parts.h"
#include "core/own.h"

static inline size_t room(const weft_writer *out)
{
    return out->size_max - out->size;
}

/* ---- the cursor */

/* Goes on to the term after the cursor, and down into the loops that start there. */
static APART void descend(weft_loopnest *nest)
{
    uint32_t terms;
    while ((terms = weft_loopnest_read_term(nest, nest->at)) != 0) {
        weft_loopnest_level *level = &nest->level[++nest->depth];
        level->outer_left = nest->terms_left;
        level->header = nest->token;
        level->body = nest->at;
        level->left = nest->left - 1;
        level->terms = nest->terms_left = (uint16_t)terms;
    }
    nest->quiet -= (int32_t)nest->left;
}

/* After the last term of a body: one more iteration, or on after its loop. */
static inline void ascend(weft_loopnest *nest)
{
    weft_loopnest_level *level = &nest->level[nest->depth];
    for (; nest->depth && level->left == 0; level--) {
        nest->depth--;
        nest->terms_left = level->outer_left - 1;
        if (nest->terms_left)
            return;
    }
    level->left += nest->depth ? UINT32_MAX : 1; /* one less, but the open loop counts up */
    nest->at = level->body;
    nest->terms_left = level->terms;
}

/* What was expected has passed: on to the next. */
static APART weft_status passed(weft_loopnest *nest, weft_writer *out)
{
    if (nest->open == WEFT_LOOPNEST_LOOP) {
        if (--nest->terms_left == 0)
            ascend(nest);
        if (WEFT_SMALL || *nest->at & 1) {
            descend(nest);
        } else { /* the same for a symbol */
            nest->token = nest->at;
            nest->left = 1;
            nest->quiet--;
            nest->expected = get_inline(nest, 1);
        }
        if (nest->quiet >= 0)
            return WEFT_OK;
    }
    weft_loopnest_flush(nest, out);
    return WEFT_OK;
}

/* Opens the loop at level[0].header, the last term, whose nesting is `depth`. `need` is what closing it may write: a
 * longer count, one more copy of each loop that the cursor stands in, and two runs. */
static APART void open_loop(weft_loopnest *nest, const weft_writer *out, uint32_t depth)
{
    nest->open = WEFT_LOOPNEST_LOOP;
    nest->at = nest->level[0].header;
    nest->need = (uint32_t)(out->bytes + out->size - nest->at) * depth + COUNT_MORE + WEFT_LOOPNEST_OUT_MIN;
    nest->quiet = (int32_t)nest->config.progress;
    nest->depth = UINT8_MAX; /* descend goes to level 0 first */
    descend(nest);
}

/* ---- step 2 */

#if !WEFT_SMALL
/* The bucket of a term by its key and those of the two before it. */
static inline uint16_t *bucket_of(const weft_loopnest *nest, uint32_t key, uint32_t key_1, uint32_t key_2)
{
    return &nest->config.buckets[(key ^ key_1 >> 1 ^ key_2 >> 2) & nest->buckets_mask];
}
#endif

/* Updates `first` for the end `next`. */
static APART void note_terms(weft_loopnest *nest, uint32_t next)
{
    uint32_t count = next - nest->first;
    if (count > nest->config.window) {
        count = nest->config.window;
        nest->first = next - count;
    }
    if (count > nest->terms_high)
        nest->terms_high = count;
}

/* Drops the last `count` terms: undoes what append did, last term first. If a term did not have two terms before it in
 * the window, its bucket may be another now; but then too few terms are left for that to matter. */
static void drop(weft_loopnest *nest, uint32_t count)
{
#if WEFT_SMALL
    nest->next -= count;
#else
    uint32_t key_1 = nest->key_1, key_2 = nest->key_2, next = nest->next;
    while (count--) {
        uint32_t key = key_1;
        next--;
        key_1 = key_2;
        key_2 = term_at(nest, next - 2)->key;
        *bucket_of(nest, key, key_1, key_2) = (uint16_t)(next - term_at(nest, next)->chain);
    }
    nest->next = next;
    nest->key_1 = key_1;
    nest->key_2 = key_2;
#endif
}

/* Whether the last 2 `back` terms are a square; the last of them is not counted yet. They become an open loop if that
 * nests at most depth_max deep. */
static APART bool fold(weft_loopnest *nest, weft_writer *out, uint32_t back)
{
    uint32_t next = nest->next + 1;
    uint8_t *from = term_at(nest, next - 2 * back)->start, *middle = term_at(nest, next - back)->start;
    uint8_t *end = out->bytes + out->size;
    if (middle - from != end - middle || (!WEFT_SMALL && 2 * back > next - nest->first))
        return false;
    for (const uint8_t *at = middle; at != from;)
        if (*--at != *--end)
            return false;
    uint32_t depth = weft_loopnest_measure(nest, from, middle) + 1;
    if (depth > nest->config.depth_max)
        return true;
    note_terms(nest, next);
    drop(nest, 2 * back - 1);
    weft_loopnest_level *loop = nest->level;
    loop->header = loop->body = from;
    loop->left = 1;
    loop->terms = nest->terms_left;
    weft_loopnest_put_loop(nest, out, middle);
    open_loop(nest, out, depth);
    return true;
}

#if WEFT_SMALL
/* Counts what was written from `start` on as the last term, or makes a loop of it and terms before it. There are no
 * buckets: each of the last W/2 terms may end like the new one. */
static inline void append(weft_loopnest *nest, weft_writer *out, uint8_t *start, uint32_t key)
{
    uint32_t position = nest->next, count = position + 1 - nest->first;
    weft_loopnest_term *term = term_at(nest, position);
    term->start = start;
    term->key = (uint16_t)key;
    for (uint32_t back = 2; back <= nest->half && 2 * back <= count; back++)
        if (term_at(nest, position - back)->key == term->key && fold(nest, out, back))
            break;
    if (!nest->open)
        nest->next++;
}
#else
/* Looks for the least b >= 3, from `back` on: the chain leads to the terms that end like the last one. Stale entries do
 * no harm, since the chain is followed only backwards, and fold looks at the terms themselves. */
static APART void search(weft_loopnest *nest, weft_writer *out, uint32_t back)
{
    uint32_t position = nest->next, more, half = nest->half, mask = nest->terms_mask;
    const weft_loopnest_term *terms = nest->config.terms;
    do {
        uint32_t other = position - back;
        if (terms[(other + 1) & mask].key == terms[(other + 1 - back) & mask].key && back > 1 && fold(nest, out, back))
            return;
        more = terms[other & mask].chain;
        back += more;
    } while (more && back <= half);
}

/* Counts what was written from `start` on as the last term, or makes a loop of it and terms before it. */
static inline void append(weft_loopnest *nest, weft_writer *out, uint8_t *start, uint32_t key)
{
    uint32_t position = nest->next;
    weft_loopnest_term *term = term_at(nest, position);
    term->start = start;
    term->key = (uint16_t)key;
    uint16_t *bucket = bucket_of(nest, key, nest->key_1, nest->key_2);
    uint16_t back = (uint16_t)(position - *bucket);
    if (!(key == nest->key_2 && fold(nest, out, 2)) && back <= nest->half)
        search(nest, out, back);
    if (nest->open)
        return;
    term->chain = back;
    *bucket = (uint16_t)position;
    nest->next = position + 1;
    nest->key_2 = nest->key_1;
    nest->key_1 = key;
}
#endif

/* ---- steps 1 and 4 */

/* Copies what the cursor has passed of the open loop's body to `to`. Returns the copy's end. */
static uint8_t *copy_passed(weft_loopnest *nest, uint8_t *to)
{
    const weft_loopnest_level *level = nest->level;
    uint8_t *from = level->body, *token = nest->token;
    uint32_t left = nest->left;
    for (; nest->depth; nest->depth--) {
        /* A loop that the cursor stands in: first what comes before it, then its iterations that are over. */
        level++;
        to = weft_loopnest_copy(to, from, level->header);
        weft_loopnest_read_term(nest, level->header);
        from = level->body;
        uint32_t over = nest->left - 1 - level->left;
        if (over > 1)
            to = weft_loopnest_put_header(to, level->terms, over);
        if (over) {
            weft_loopnest_measure(nest, level->header, NULL);
            to = weft_loopnest_copy(to, from, nest->at);
        }
    }
    to = weft_loopnest_copy(to, from, token);
    weft_loopnest_read_term(nest, token);
    if (nest->left == left)
        return to;
    /* A run: its symbol stands last. */
    to = weft_loopnest_put_header(to, 1, nest->left - left);
    const uint8_t *symbol = nest->at - 1;
    while (symbol[-1] & 0x80)
        symbol--;
    return weft_loopnest_copy(to, symbol, nest->at);
}

/* Writes the open loop's count, and moves out of the way what had passed of its next iteration. Returns its key. */
static uint32_t close_loop(weft_loopnest *nest, weft_writer *out)
{
    uint8_t *end = out->bytes + out->size, *rest = end + COUNT_MORE, *rest_end = copy_passed(nest, rest);
    if (rest != rest_end) {
        nest->rest = rest;
        nest->rest_end = rest_end;
    }
    weft_loopnest_put_loop(nest, out, end);
    const uint8_t *header = nest->level[0].header;
    if (WEFT_SMALL)
        return header[1];
    return (uint16_t)(out->bytes + out->size - header) ^ (uint32_t)header[1] << 8;
}

/* Opens the first of the terms that wait. */
static void open_rest(weft_loopnest *nest, weft_writer *out)
{
    uint8_t *at = nest->rest;
    if (weft_loopnest_read_term(nest, at)) {
        uint32_t depth = weft_loopnest_measure(nest, at, NULL);
        nest->level[0].header = out->bytes + out->size;
        out->size = (size_t)(weft_loopnest_copy(nest->level[0].header, at, nest->at) - out->bytes);
        nest->rest = nest->at;
        open_loop(nest, out, depth);
        return;
    }
    uint32_t count = nest->left;
    nest->rest = nest->at;
    if (nest->rest == at + 1 && nest->rest != nest->rest_end && *nest->rest == *at) { /* see weft_loopnest_put_run */
        count++;
        nest->rest++;
    }
    nest->open = WEFT_LOOPNEST_RUN;
    nest->left = nest->config.progress - count;
}

/* Closes what is open. Then a loop that this made is open, or a term that waits, or nothing. */
static APART void close(weft_loopnest *nest, weft_writer *out)
{
    uint8_t *start;
    uint32_t key;
    if (nest->open == WEFT_LOOPNEST_RUN) {
        uint32_t count = nest->config.progress - nest->left, symbol = nest->expected;
        start = out->bytes + out->size;
        key = WEFT_SMALL ? symbol : (symbol ^ count << 20) * 0x9e3779b1u >> 16;
        out->size = (size_t)(weft_loopnest_put_run(start, symbol, count) - out->bytes);
    } else {
        start = nest->level[0].header;
        key = close_loop(nest, out);
    }
    nest->open = WEFT_LOOPNEST_NONE;
    append(nest, out, start, key);
    if (nest->rest != nest->rest_end && !nest->open)
        open_rest(nest, out);
}

/* ---- one symbol */

/* A symbol that what is open does not expect. */
static APART weft_status push_other(weft_loopnest *nest, uint32_t symbol, weft_writer *out)
{
    if (room(out) < WEFT_LOOPNEST_OUT_MIN)
        return WEFT_FULL;
    while (nest->open) {
        close(nest, out);
        if (!nest->open)
            break;
        if (nest->rest != nest->rest_end)
            continue; /* these come before the symbol */
        if (nest->open == WEFT_LOOPNEST_LOOP && nest->need > room(out)) {
            weft_loopnest_flush(nest, out);
            return WEFT_FULL;
        }
        if (symbol == nest->expected) {
            if (--nest->left == 0)
                return passed(nest, out);
            return WEFT_OK;
        }
    }
    nest->open = WEFT_LOOPNEST_RUN;
    nest->expected = symbol;
    nest->left = nest->config.progress - 1;
    return WEFT_OK;
}

weft_status weft_loopnest_push(weft_loopnest *nest, uint32_t symbol, weft_writer *out)
{
    uint32_t left = nest->left;
    if (symbol != nest->expected || left == 0)
        return push_other(nest, symbol, out);
    nest->left = --left;
    return left ? WEFT_OK : passed(nest, out);
}

static APART void start(weft_loopnest *nest)
{
    nest->open = WEFT_LOOPNEST_NONE;
    nest->left = 0;
    nest->rest = nest->rest_end = NULL;
    nest->first = nest->next = nest->half; /* so that a bucket's initial 0xffff is farther back than the window */
#if !WEFT_SMALL
    nest->key_1 = nest->key_2 = 0;
    memset(nest->config.buckets, 0xff, (nest->buckets_mask + 1) * sizeof *nest->config.buckets);
#endif
}

void weft_loopnest_flush(weft_loopnest *nest, weft_writer *out)
{
    while (nest->open)
        close(nest, out);
    note_terms(nest, nest->next);
    start(nest);
}

weft_status weft_loopnest_init(weft_loopnest *nest, const weft_loopnest_config *config)
{
    size_t t = config->terms_max, b = config->buckets_max;
    if (!config->terms || !config->buckets || config->window < WEFT_LOOPNEST_WINDOW_MIN ||
        config->window > WEFT_LOOPNEST_WINDOW_MAX || config->window > t || b < 1 || (t & (t - 1)) | (b & (b - 1)) ||
        config->depth_max - 1 >= WEFT_LOOPNEST_DEPTH_MAX || config->progress > WEFT_LOOPNEST_PROGRESS_MAX)
        return WEFT_CONFIG;
    nest->config = *config;
    nest->terms_mask = (uint32_t)t - 1;
    nest->buckets_mask = (uint32_t)b - 1;
    nest->half = config->window / 2;
    if (!config->progress)
        nest->config.progress = WEFT_LOOPNEST_PROGRESS_MAX;
    nest->terms_high = 0;
    start(nest);
    return WEFT_OK;
}
