/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/terms.h"

/* One token of the coding: a symbol, or a loop that has terms. */
typedef struct token {
    uint32_t symbol;
    uint32_t terms;
    uint32_t count;
} token;

static bool read_token(weft_reader *reader, token *t)
{
    uint64_t word = weft_read_varint64(reader);
    uint32_t half = (uint32_t)(word >> 1);
    bool loop = word & 1;
    *t = (token){.symbol = half, .terms = loop ? half : 0, .count = loop ? weft_read_varint(reader) : 1};
    if (word >> 33 || (loop && (t->terms == 0 || t->count == 0)))
        reader->status = WEFT_CORRUPT;
    return reader->status == WEFT_OK;
}

weft_status loopterms_visit(const uint8_t *bytes, size_t size, const loopterms_visitor *visitor)
{
    weft_reader reader;
    uint32_t left[LOOPTERMS_DEPTH_MAX]; /* terms that each open loop still waits for */
    unsigned depth = 0;
    weft_reader_init(&reader, bytes, size);
    while (weft_reader_left(&reader)) {
        token t;
        if (!read_token(&reader, &t) || (t.terms && depth == LOOPTERMS_DEPTH_MAX))
            return WEFT_CORRUPT;
        if (depth)
            left[depth - 1]--;
        if (t.terms) {
            left[depth++] = t.terms;
            visitor->open(visitor->context, t.count);
            continue;
        }
        visitor->symbol(visitor->context, t.symbol);
        for (; depth && left[depth - 1] == 0; depth--)
            visitor->close(visitor->context);
    }
    return depth || reader.status != WEFT_OK ? WEFT_CORRUPT : WEFT_OK;
}

/* A loop that is being expanded: its body's place in the bytes, its terms, and what is still to do. */
typedef struct frame {
    size_t body;
    uint32_t terms, terms_left, iterations_left;
} frame;

weft_status loopterms_expand(const uint8_t *bytes, size_t size, uint64_t max,
                             void (*symbol)(void *context, uint32_t symbol), void *context, uint64_t *count)
{
    frame stack[LOOPTERMS_DEPTH_MAX];
    unsigned depth = 0;
    weft_reader reader;
    *count = 0;
    weft_reader_init(&reader, bytes, size);
    while (weft_reader_left(&reader)) {
        token t;
        if (!read_token(&reader, &t) || (t.terms && depth == LOOPTERMS_DEPTH_MAX))
            return WEFT_CORRUPT;
        if (depth)
            stack[depth - 1].terms_left--;
        if (t.terms) {
            stack[depth++] = (frame){reader.at, t.terms, t.terms, t.count - 1};
            continue;
        }
        if (*count == max)
            return WEFT_FULL;
        ++*count;
        if (symbol)
            symbol(context, t.symbol);
        for (; depth && stack[depth - 1].terms_left == 0; depth--) {
            frame *top = &stack[depth - 1];
            if (top->iterations_left == 0)
                continue;
            top->iterations_left--;
            top->terms_left = top->terms;
            reader.at = top->body;
            break;
        }
    }
    return depth || reader.status != WEFT_OK ? WEFT_CORRUPT : WEFT_OK;
}
