/* SPDX-License-Identifier: MIT */
#include "tools/lib/loopterms.h"

/* One token of the coding. */
typedef struct token {
    enum { SYMBOL, LOOP, AGAIN } kind;
    uint32_t symbol;
    uint32_t terms;
    uint32_t count;
} token;

static bool read_token(weft_reader *reader, token *t)
{
    uint64_t word = weft_read_varint64(reader);
    t->kind = !(word & 1) ? SYMBOL : word == 1 ? AGAIN : LOOP;
    if (word >> 33)
        reader->status = WEFT_CORRUPT;
    t->symbol = t->terms = (uint32_t)(word >> 1);
    t->count = t->kind == SYMBOL ? 1 : weft_read_varint(reader);
    if (t->count == 0)
        reader->status = WEFT_CORRUPT;
    return reader->status == WEFT_OK;
}

weft_status loopterms_visit(const uint8_t *bytes, size_t size, const loopterms_visitor *visitor)
{
    weft_reader reader;
    uint32_t left[LOOPTERMS_DEPTH_MAX]; /* terms that each open loop still waits for */
    unsigned depth = 0;
    bool looped = false;
    weft_reader_init(&reader, bytes, size);
    while (weft_reader_left(&reader)) {
        token t;
        if (!read_token(&reader, &t))
            return WEFT_CORRUPT;
        if (t.kind == AGAIN) {
            if (depth || !looped)
                return WEFT_CORRUPT;
            visitor->again(visitor->context, t.count);
            continue;
        }
        if (depth)
            left[depth - 1]--;
        if (t.kind == LOOP) {
            if (depth == LOOPTERMS_DEPTH_MAX)
                return WEFT_CORRUPT;
            left[depth++] = t.terms;
            looped = true;
            visitor->open(visitor->context, t.count);
        } else {
            if (!depth)
                looped = false; /* a progress term follows its loop or another progress term */
            visitor->symbol(visitor->context, t.symbol);
        }
        while (depth && left[depth - 1] == 0) {
            depth--;
            visitor->close(visitor->context);
        }
    }
    return depth ? WEFT_CORRUPT : WEFT_OK;
}

/* A loop that is being expanded: its body's place in the bytes, its terms, and what is still to do. */
typedef struct frame {
    size_t body;
    uint32_t terms, terms_left, iterations_left;
} frame;

typedef struct expansion {
    weft_reader reader;
    frame stack[LOOPTERMS_DEPTH_MAX];
    unsigned depth;
    frame last; /* the loop read last on the outermost level; terms 0: none */
} expansion;

static void enter(expansion *e, frame loop, uint32_t count)
{
    loop.terms_left = loop.terms;
    loop.iterations_left = count - 1;
    e->stack[e->depth++] = loop;
    e->reader.at = loop.body;
}

/* Where the coding goes on behind a loop that was repeated by a progress term. */
static size_t leave(expansion *e, size_t resume)
{
    while (e->depth && e->stack[e->depth - 1].terms_left == 0) {
        frame *top = &e->stack[e->depth - 1];
        if (top->iterations_left) {
            top->iterations_left--;
            top->terms_left = top->terms;
            e->reader.at = top->body;
            break;
        }
        e->depth--;
        if (e->depth == 0 && resume) {
            e->reader.at = resume;
            resume = 0;
        }
    }
    return resume;
}

weft_status loopterms_expand(const uint8_t *bytes, size_t size, uint64_t max,
                             void (*symbol)(void *context, uint32_t symbol), void *context, uint64_t *count)
{
    expansion e = {.depth = 0, .last = {.terms = 0}};
    size_t resume = 0;
    *count = 0;
    weft_reader_init(&e.reader, bytes, size);
    while (weft_reader_left(&e.reader)) {
        token t;
        if (!read_token(&e.reader, &t))
            return WEFT_CORRUPT;
        if (t.kind == AGAIN) {
            if (e.depth || !e.last.terms)
                return WEFT_CORRUPT;
            resume = e.reader.at;
            enter(&e, e.last, t.count);
            continue;
        }
        if (e.depth)
            e.stack[e.depth - 1].terms_left--;
        if (t.kind == LOOP) {
            frame loop = {.body = e.reader.at, .terms = t.terms};
            if (e.depth == LOOPTERMS_DEPTH_MAX)
                return WEFT_CORRUPT;
            if (!e.depth)
                e.last = loop;
            enter(&e, loop, t.count);
            continue;
        }
        if (!e.depth)
            e.last.terms = 0;
        if (*count == max)
            return WEFT_FULL;
        ++*count;
        if (symbol)
            symbol(context, t.symbol);
        resume = leave(&e, resume);
    }
    return e.depth ? WEFT_CORRUPT : WEFT_OK;
}
