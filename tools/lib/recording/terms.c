/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/terms.h"

typedef enum term_kind { TERM_SYMBOL, TERM_LOOP, TERM_MORE } term_kind;

typedef struct term {
    term_kind kind;
    uint32_t symbol;
    uint64_t terms;      /* of a loop's body */
    uint32_t iterations; /* of a loop, or more of the last one */
} term;

/* The next term as it is written. False: it is damaged. */
static bool read_term(weft_reader *reader, term *t)
{
    uint64_t word = weft_read_varint64(reader);
    *t = (term){.kind = word & 1 ? (word == 1 ? TERM_MORE : TERM_LOOP) : TERM_SYMBOL, .symbol = (uint32_t)(word >> 1)};
    if (t->kind != TERM_SYMBOL) {
        t->terms = word >> 1;
        t->iterations = weft_read_varint(reader);
    }
    if ((t->kind == TERM_SYMBOL && word >> 33) || (t->kind != TERM_SYMBOL && t->iterations == 0))
        reader->status = WEFT_CORRUPT;
    return reader->status == WEFT_OK;
}

/* ---- as it is written ---- */

weft_status terms_visit(const uint8_t *bytes, size_t size, const terms_visitor *visitor)
{
    weft_reader reader;
    uint64_t left[TERMS_DEPTH_MAX]; /* terms that each open loop still waits for */
    unsigned depth = 0;
    weft_reader_init(&reader, bytes, size);
    while (weft_reader_left(&reader)) {
        term t;
        if (!read_term(&reader, &t) || t.kind == TERM_MORE || (t.kind == TERM_LOOP && depth == TERMS_DEPTH_MAX))
            return WEFT_CORRUPT;
        if (depth)
            left[depth - 1]--;
        if (t.kind == TERM_LOOP) {
            left[depth++] = t.terms;
            visitor->open(visitor->context, t.iterations);
            continue;
        }
        visitor->symbol(visitor->context, t.symbol);
        for (; depth && left[depth - 1] == 0; depth--)
            visitor->close(visitor->context);
    }
    return depth || reader.status != WEFT_OK ? WEFT_CORRUPT : WEFT_OK;
}

/* ---- expanded ---- */

void terms_start(terms_reader *t, const uint8_t *bytes, size_t size)
{
    weft_reader_init(&t->reader, bytes, size);
    t->depth = 0;
    t->last_terms = 0;
}

static void open_loop(terms_reader *t, terms_level level)
{
    if (t->depth == TERMS_DEPTH_MAX || level.terms == 0) {
        t->reader.status = WEFT_CORRUPT;
        return;
    }
    t->level[t->depth++] = level;
    t->reader.at = level.body;
}

/* At the end of a body: the next iteration, or what follows the loop. */
static void close_body(terms_reader *t)
{
    terms_level *level = &t->level[t->depth - 1];
    if (--level->iterations) {
        level->left = level->terms;
        t->reader.at = level->body;
        return;
    }
    if (--t->depth == 0) {
        t->last_body = level->body;
        t->last_terms = level->terms;
    }
    if (level->resume)
        t->reader.at = level->resume;
}

/* Enters the loop that the next term is. */
static void enter(terms_reader *t, const term *next)
{
    size_t at = t->reader.at;
    if (next->kind == TERM_LOOP)
        open_loop(t, (terms_level){at, 0, next->terms, next->terms, next->iterations});
    else if (t->depth == 0)
        open_loop(t, (terms_level){t->last_body, at, t->last_terms, t->last_terms, next->iterations});
    else
        t->reader.status = WEFT_CORRUPT;
}

size_t terms_read(terms_reader *t, uint32_t *out, size_t max)
{
    weft_reader *reader = &t->reader;
    size_t count = 0;
    while (count < max && reader->status == WEFT_OK) {
        term next;
        if (t->depth && t->level[t->depth - 1].left == 0) {
            close_body(t);
            continue;
        }
        if ((t->depth == 0 && reader->at == reader->size) || !read_term(reader, &next))
            break;
        if (t->depth)
            t->level[t->depth - 1].left--;
        if (next.kind == TERM_SYMBOL)
            out[count++] = next.symbol;
        else
            enter(t, &next);
    }
    return count;
}
