/* SPDX-License-Identifier: MIT */
/* The invariants of core/loopnest, in a file of their own so that firmware does not link them. */
#include "core/loopnest.h"
#include "core/own.h"

static const weft_loopnest_term *term_at(const weft_loopnest *nest, uint32_t position)
{
    return &nest->config.terms[position & nest->terms_mask];
}

/* Whether the bytes from `at` to `end` are one term: a run, or a loop that nests at most depth_max deep. */
static bool is_term(const weft_loopnest *nest, const uint8_t *at, const uint8_t *end)
{
    uint32_t left[WEFT_LOOPNEST_DEPTH_MAX + 1] = {0}, open = 0;
    weft_reader reader;
    weft_reader_init(&reader, at, (size_t)(end - at));
    do {
        uint64_t word = weft_read_varint64(&reader);
        left[open]--;
        if (word & 1) {
            if (open == nest->config.depth_max || word < 3 || weft_read_varint(&reader) < 2)
                return false;
            left[++open] = (uint32_t)(word >> 1);
        }
        while (open && left[open] == 0)
            open--;
    } while (open);
    bool pair = weft_reader_left(&reader) == 1 && end - at == 2 && at[0] == at[1];
    return reader.status == WEFT_OK && (pair || weft_reader_left(&reader) == 0);
}

/* Whether the term can be found: its bucket is that of its key and the two before. */
static bool in_its_bucket(const weft_loopnest *nest, uint32_t position)
{
    uint32_t key =
        term_at(nest, position)->key ^ term_at(nest, position - 1)->key >> 1 ^ term_at(nest, position - 2)->key >> 2;
    uint32_t back = (uint16_t)(nest->next - nest->config.buckets[key & nest->buckets_mask]), more = back;
    while (more && back < nest->next - position) {
        more = term_at(nest, nest->next - back)->chain;
        back += more;
    }
    return back == nest->next - position;
}

bool weft_loopnest_check(const weft_loopnest *nest, const weft_writer *out)
{
    uint32_t first = nest->next - nest->first > nest->config.window ? nest->next - nest->config.window : nest->first;
    const uint8_t *closed = nest->open == WEFT_LOOPNEST_LOOP ? nest->level[0].header : out->bytes + out->size;
    if (nest->rest != nest->rest_end ||
        (nest->open == WEFT_LOOPNEST_LOOP && !is_term(nest, closed, out->bytes + out->size)))
        return false;
    for (uint32_t i = first; i != nest->next; i++) {
        const uint8_t *start = term_at(nest, i)->start,
                      *end = i + 1 == nest->next ? closed : term_at(nest, i + 1)->start;
        if (start >= end || !is_term(nest, start, end) || (!WEFT_SMALL && i - first >= 2 && !in_its_bucket(nest, i)))
            return false;
    }
    return true;
}
