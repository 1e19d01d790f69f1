/* SPDX-License-Identifier: MIT */
/* In rounds. In each, part 0 writes the lines of the round before, and fetches the items of the next; the other parts
 * make the lines of this one's items. Two batches change places:
 *
 *     round   fetched   lines made   written
 *       1        A
 *       2        B          A
 *       3        A          B           A
 *       4        B          A           B */
#include "tools/weft/lines_made.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"

enum {
    PIECE =
        512, /* items : 1 to 10^6 : fewer: threads take pieces more often; more: more memory, 50 bytes to 150 each */
    PIECES = 16, /* of a batch : 1 to 10^6 : fewer: threads wait for each other more often; more: more memory */
};

typedef struct batch {
    char *items;
    size_t count;
    out *lines; /* of each piece */
} batch;

typedef struct making {
    const lines_source *source;
    batch *now, *next; /* lines are made of `now` */
} making;

static size_t pieces_of(const batch *b)
{
    return (b->count + PIECE - 1) / PIECE;
}

static void make_lines(const lines_source *source, batch *b, size_t piece)
{
    size_t end = (piece + 1) * PIECE < b->count ? (piece + 1) * PIECE : b->count;
    out o = b->lines[piece]; /* a copy: the pieces of other threads are in the same cache lines */
    for (size_t i = piece * PIECE; i < end; i++)
        source->put(source->own, &o, b->items + i * source->item_size);
    b->lines[piece] = o;
}

/* `next` was made in the round before. */
static void write_and_fetch(const making *m)
{
    for (size_t i = 0; i < pieces_of(m->next); i++)
        put_flush(&m->next->lines[i]);
    m->next->count = m->source->fetch(m->source->own, m->next->items, (size_t)PIECE * PIECES);
}

static void work(void *own, size_t part)
{
    const making *m = own;
    if (part)
        make_lines(m->source, m->now, part - 1);
    else
        write_and_fetch(m);
}

static void batch_open(batch *b, const lines_source *source, bool json)
{
    b->count = 0;
    b->items = memory_grow(NULL, (size_t)PIECE * PIECES, source->item_size);
    b->lines = memory_zero(PIECES, sizeof *b->lines);
    for (size_t i = 0; i < PIECES; i++)
        b->lines[i] = (out){.json = json, .keeps = true};
}

static void batch_close(batch *b)
{
    for (size_t i = 0; i < PIECES; i++)
        put_close(&b->lines[i]);
    free(b->lines);
    free(b->items);
}

void lines_made(const lines_source *source, bool json)
{
    batch one, other;
    making m = {source, &one, &other};
    batch_open(&one, source, json);
    batch_open(&other, source, json);
    do {
        threads_run(1 + pieces_of(m.now), work, &m);
        batch *made = m.now;
        m.now = m.next;
        m.next = made;
    } while (m.now->count || m.next->count);
    batch_close(&one);
    batch_close(&other);
}
