/* SPDX-License-Identifier: MIT */
/* Terms as they stand in the output: loopnest.h says their form. */
#include "core/loopnest_parts.h"
#include "core/own.h"

uint8_t *weft_loopnest_put_header(uint8_t *to, uint32_t terms, uint32_t count)
{
    return weft_put_varint(weft_put_varint(to, terms << 1 | 1), count);
}

uint8_t *weft_loopnest_copy(uint8_t *to, const uint8_t *from, const uint8_t *end)
{
    while (from != end)
        *to++ = *from++;
    return to;
}

uint8_t *weft_loopnest_put_run(uint8_t *to, uint32_t symbol, uint32_t count)
{
    uint32_t low = symbol << 1;
    if (count > 1) {
        if (count == 2 && symbol <= 0x3f) {
            *to++ = (uint8_t)low;
        } else {
            *to++ = 1u << 1 | 1u;
            if (count <= 0x7f && !WEFT_SMALL)
                *to++ = (uint8_t)count;
            else
                to = weft_put_varint(to, count);
        }
    }
    if (WEFT_SMALL)
        return weft_put_varint64(to, (uint64_t)symbol << 1);
    if (symbol > 0x3f) {
        symbol >>= 6;
        do {
            *to++ = (uint8_t)(low | 0x80);
            low = symbol;
            symbol >>= 7;
        } while (symbol);
    }
    *to++ = low & 0x7f;
    return to;
}

void weft_loopnest_put_loop(weft_loopnest *nest, weft_writer *out, uint8_t *end)
{
    const weft_loopnest_level *loop = nest->level;
    uint8_t header[HEADER_MAX], *header_end = weft_loopnest_put_header(header, loop->terms, loop->left + 1);
    ptrdiff_t by = loop->header - loop->body + (header_end - header);
    out->size = (size_t)(end + by - out->bytes);
    if (by)
        while (end != loop->body) {
            end--;
            end[by] = *end;
        }
    weft_loopnest_copy(loop->header, header, header_end);
}

static APART uint32_t get(weft_loopnest *nest, uint32_t without)
{
    return get_inline(nest, without);
}

uint32_t weft_loopnest_read_term(weft_loopnest *nest, uint8_t *at)
{
    uint32_t terms = *at & 1;
    nest->token = nest->at = at;
    nest->left = 1;
    nest->expected = get(nest, 1);
    if (terms) {
        terms = nest->expected;
        nest->left = get(nest, 0);
        if (terms == 1) {
            terms = 0;
            nest->expected = get(nest, 1);
        }
    }
    return terms;
}

uint32_t weft_loopnest_measure(weft_loopnest *nest, uint8_t *at, const uint8_t *end)
{
    uint32_t left[WEFT_LOOPNEST_DEPTH_MAX + 1] = {0}, open = 0, depth = 0; /* left[0] counts down from 0 */
    do {
        uint32_t terms = weft_loopnest_read_term(nest, at), here = open + (*at & 1);
        if (here > depth)
            depth = here;
        left[open]--;
        if (terms)
            left[++open] = terms;
        while (left[open] == 0)
            open--;
        at = nest->at;
    } while (open || (end && at != end));
    nest->terms_left = (uint16_t)-left[0];
    return depth;
}
