/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/affine/growth.h"
#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

enum {
    KEPT = 8,  /* a piece divided by this : 2 to 100 : keeps back less for the next piece */
    TAKEN = 2, /* the mean of all streams divided by this : 1 to 100 : takes more and shorter streams in a round */
};

typedef struct piece {
    int64_t *number; /* malloc */
    size_t count, max;
    growth last;  /* the nest that may go on */
    bool growing; /* there is one */
    bool inexact;
} piece;

struct pieces {
    pieces_options options;
    piece *stream;
    size_t streams, streams_max;
    size_t held;
    double time_left;
};

/* A piece in a round: its numbers from `from` on are modelled. */
typedef struct part {
    uint32_t stream;
    size_t from;
} part;

pieces *pieces_open(const pieces_options *options)
{
    pieces *p = memory_zero(1, sizeof *p);
    p->options = *options;
    p->time_left = options->models.model.time_limit;
    return p;
}

static void give(pieces *p, uint32_t stream, const affine_nest *nest)
{
    p->options.take(p->options.own, stream, nest);
}

/* Drops the first numbers, and memory that is not needed any more. */
static void drop(pieces *p, piece *s, size_t count)
{
    p->held -= count;
    s->count -= count;
    if (s->count)
        memmove(s->number, s->number + count, s->count * sizeof *s->number);
    if (s->count < s->max / 4) {
        s->max = s->count;
        s->number = s->count ? memory_grow(s->number, s->count, sizeof *s->number) : (free(s->number), NULL);
    }
}

/* ---- step 3 ---- */

static size_t end_growth(pieces *p, uint32_t stream, size_t recent)
{
    piece *s = &p->stream[stream];
    uint64_t back = growth_end(&s->last, recent);
    s->growing = false;
    give(p, stream, &s->last.nest);
    affine_nest_free(&s->last.nest);
    return (size_t)back;
}

/* How many of the piece's first numbers belong to nests now. */
static size_t continue_last(pieces *p, uint32_t stream, bool final)
{
    piece *s = &p->stream[stream];
    if (!s->growing)
        return 0;
    size_t matched = (size_t)growth_match(&s->last, s->number, s->count);
    if (matched < s->count)
        matched -= end_growth(p, stream, matched);
    else if (final)
        end_growth(p, stream, 0);
    return matched;
}

/* ---- step 4 ---- */

/* The nests before the last few, which hold a small part of the piece. */
static size_t settled(const model *m, size_t *kept)
{
    size_t nests = m->nests;
    *kept = 0;
    while (nests > 1 && *kept + m->nest[nests - 1].accesses <= m->accesses / KEPT)
        *kept += m->nest[--nests].accesses;
    return nests;
}

/* Gives the nests of a part. The rest of the piece is kept for the next one. */
static void settle(pieces *p, const part *at, model *m, bool final)
{
    piece *s = &p->stream[at->stream];
    size_t kept = 0, nests = final ? m->nests : settled(m, &kept), end = s->count - kept;
    s->inexact |= !m->exact;
    for (size_t i = 0; i + 1 < nests; i++)
        give(p, at->stream, &m->nest[i]);
    const affine_nest *last = nests ? &m->nest[nests - 1] : NULL;
    if (last && !final && growth_begin(&s->last, last, s->number + end - last->accesses)) {
        s->growing = true;
        size_t more = (size_t)growth_match(&s->last, s->number + end, kept);
        if (more < kept)
            more -= end_growth(p, at->stream, more);
        end += more;
    } else if (last) {
        give(p, at->stream, last);
    }
    model_free(m);
    drop(p, s, end);
}

static void model_parts(pieces *p, const part *all, size_t count, bool final)
{
    many_stream *stream = memory_zero(count + 1, sizeof *stream);
    model *models = memory_zero(count + 1, sizeof *models);
    many_options options = p->options.models;
    for (size_t i = 0; i < count; i++) {
        const piece *s = &p->stream[all[i].stream];
        stream[i] = (many_stream){s->number + all[i].from, s->count - all[i].from};
    }
    double begin = clock_seconds();
    options.model.time_limit = final ? p->time_left : p->time_left / 2;
    many_find(models, stream, count, &options);
    p->time_left -= clock_seconds() - begin;
    p->time_left = p->time_left > 0 ? p->time_left : 0;
    for (size_t i = 0; i < count; i++)
        settle(p, &all[i], &models[i], final);
    free(models);
    free(stream);
}

/* ---- step 2 ---- */

/* At least half of the numbers held are in streams that have half of the mean. */
static void model_round(pieces *p, bool final)
{
    size_t least = final ? 0 : p->held / p->streams / TAKEN, count = 0;
    part *all = memory_zero(p->streams + 1, sizeof *all);
    for (uint32_t i = 0; i < p->streams; i++) {
        piece *s = &p->stream[i];
        if (s->count < least)
            continue;
        size_t piece_size = s->count, done = continue_last(p, i, final), left = s->count - done;
        if (left && (final || left > piece_size / KEPT))
            all[count++] = (part){i, done};
        else
            drop(p, s, done);
    }
    model_parts(p, all, count, final);
    free(all);
}

void pieces_add(pieces *p, uint32_t stream, int64_t number)
{
    if (stream == p->streams) {
        p->stream = memory_room(p->stream, p->streams, &p->streams_max, sizeof *p->stream);
        p->stream[p->streams++] = (piece){0};
    }
    piece *s = &p->stream[stream];
    s->number = memory_room(s->number, s->count, &s->max, sizeof *s->number);
    s->number[s->count++] = number;
    if (++p->held >= p->options.held_max)
        model_round(p, false);
}

void pieces_end(pieces *p)
{
    model_round(p, true);
}

bool pieces_exact(const pieces *p, uint32_t stream)
{
    return !p->stream[stream].inexact;
}

void pieces_close(pieces *p)
{
    for (size_t i = 0; i < p->streams; i++) {
        free(p->stream[i].number);
        if (p->stream[i].growing)
            affine_nest_free(&p->stream[i].last.nest);
    }
    free(p->stream);
    free(p);
}
