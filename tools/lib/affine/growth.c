/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/growth.h"

#include <string.h>

#include "tools/lib/base/memory.h"

/* The faces that do not depend on the outermost index. */
static unsigned keep_faces(affine_face *face, unsigned faces)
{
    unsigned kept = 0;
    for (unsigned f = 0; f < faces; f++)
        if (!face[f].slope[0])
            face[kept++] = face[f];
    return kept;
}

/* Takes the end off the outermost loop. False: its index does not begin at 0, or an inner loop would have no end. */
static bool open_up(const affine_nest *nest)
{
    bool bounded = true;
    if (nest->level[0].lowers)
        return false;
    nest->level[0].uppers = 0;
    for (unsigned l = 1; l < nest->depth; l++) {
        affine_level *level = &nest->level[l];
        level->lowers = keep_faces(level->lower, level->lowers);
        level->uppers = keep_faces(level->upper, level->uppers);
        bounded = bounded && level->uppers;
    }
    return bounded;
}

/* Passes points of the present row. */
static void pass(growth *g, uint64_t points)
{
    affine_cursor *c = &g->cursor;
    unsigned inner = c->depth - 1;
    int64_t outermost = c->index[0];
    c->index[inner] += (int64_t)points;
    c->sum[c->depth] += (affine_wide)c->level[inner].coefficient * (affine_wide)points;
    if (c->index[inner] > c->upper[inner])
        g->ended = !affine_next_row(c);
    g->since = c->index[0] == outermost ? g->since + points : 0;
}

uint64_t growth_match(growth *g, const int64_t *values, uint64_t count)
{
    const affine_cursor *c = &g->cursor;
    uint64_t done = 0;
    while (done < count && !g->ended) {
        int64_t stride = c->level[c->depth - 1].coefficient;
        uint64_t length = affine_row_length(c, count - done);
        uint64_t same = length ? affine_match_run(values + done, length, (int64_t)affine_address(c), stride) : 0;
        if (same)
            pass(g, same);
        done += same;
        if (!length || same < length)
            break;
    }
    g->nest.accesses += done;
    return done;
}

bool growth_begin(growth *g, const affine_nest *nest, const int64_t *values)
{
    *g = (growth){.nest = {.depth = nest->depth, .base = nest->base}};
    if (!nest->depth || !nest->accesses)
        return false;
    g->nest.level = memory_grow(NULL, nest->depth, sizeof *nest->level);
    memcpy(g->nest.level, nest->level, nest->depth * sizeof *nest->level);
    if (open_up(&g->nest) && affine_first(&g->cursor, g->nest.level, nest->depth, nest->base, AFFINE_PATIENCE) &&
        growth_match(g, values, nest->accesses) == nest->accesses)
        return true;
    affine_nest_free(&g->nest);
    return false;
}

uint64_t growth_end(growth *g, uint64_t recent)
{
    uint64_t back = g->since <= recent && g->since < g->nest.accesses ? g->since : 0;
    affine_level *outermost = &g->nest.level[0];
    g->since -= back;
    g->nest.accesses -= back;
    g->nest.whole = !g->since;
    outermost->uppers = 1;
    outermost->upper[0] = (affine_face){.constant = g->cursor.index[0] - !g->since, .divisor = 1};
    return back;
}
