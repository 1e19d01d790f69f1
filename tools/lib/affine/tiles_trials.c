/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tiles_trials.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/affine/tiles_blocks.h"
#include "tools/lib/base/memory.h"

/* values looked at, 1 in this many : 1 to 1000 : blocks of the most loops, which have many orders, are tried where
 * fewer values lie in one kind; more trials */
enum { DEEP_SHARE = 16 };

/* A block, and loops over tiles of its loops. */
typedef struct order {
    const tiles_block *block;
    unsigned points;             /* loops of the block that are taken */
    unsigned loop[TILES_POINTS]; /* loop[0..tiled-1]: whose tiles are looped over, outermost first */
    unsigned tiled;
} order;

/* The length in the block of loop w, counted from outside. */
static int64_t length_of(const order *o, unsigned w)
{
    return o->block->length[o->points - 1 - w];
}

static bool same_shape(const tiles_trial *a, const tiles_trial *b)
{
    return !memcmp(a->origin, b->origin, sizeof a->origin) && !memcmp(&a->shape, &b->shape, sizeof a->shape);
}

/* size[]: that of each loop's tiles. Where the block is shorter, it was cut at its begin if `cut` has the loop's bit,
 * else at its end. */
static void set_shape(tiles_shape *s, const order *o, const int64_t *size, unsigned cut)
{
    s->points = o->points;
    s->levels = o->points + o->tiled;
    memset(s->over, TILES_NONE, sizeof s->over);
    for (unsigned w = 0; w < o->points; w++) {
        s->stride[w] = o->block->stride[o->points - 1 - w];
        s->point[o->tiled + w] = (uint8_t)w;
        s->own[w] = (uint8_t)(o->tiled + w);
    }
    for (unsigned i = 0; i < o->tiled; i++) {
        unsigned w = o->loop[i];
        s->point[i] = (uint8_t)w;
        s->tile[i] = true;
        s->over[w] = (uint8_t)i;
        s->size[w] = size[w];
        s->offset[w] = cut >> w & 1 ? size[w] - length_of(o, w) : 0;
    }
}

static void add_trial(tiles_trials *all, const order *o, const int64_t *size, unsigned cut)
{
    if (all->count == TILES_TRIALS)
        return;
    tiles_trial *t = &all->trial[all->count];
    memset(t, 0, sizeof *t);
    t->origin[FROM_FIRST] = o->block->at;
    t->origin[FROM_LAST] = o->block->last;
    set_shape(&t->shape, o, size, cut);
    for (unsigned i = 0; i < all->count; i++)
        if (same_shape(t, &all->trial[i]))
            return;
    t->order = all->count++;
}

/* Tiles as long as the block; all as long as its longest loop; as the longest blocks with these strides. */
static void add_order(tiles_trials *all, const order *o)
{
    int64_t size[3][TILES_POINTS] = {0}, most = 0;
    for (unsigned i = 0; i < o->tiled; i++)
        most = length_of(o, o->loop[i]) > most ? length_of(o, o->loop[i]) : most;
    for (unsigned w = 0; w < o->points; w++) {
        size[0][w] = length_of(o, w);
        size[1][w] = most > size[0][w] ? most : size[0][w];
        size[2][w] = o->block->longest[o->points - 1 - w];
    }
    for (unsigned i = 0; i < 3; i++)
        for (unsigned cut = 0; cut < 1u << o->points; cut++)
            add_trial(all, o, size[i], cut);
}

/* All orders of loops over tiles that begin as `o` does. */
static void add_orders(tiles_trials *all, order *o, unsigned depth_max)
{
    if (o->points + o->tiled > depth_max)
        return;
    if (o->tiled)
        add_order(all, o);
    for (unsigned w = 0; w < o->points; w++) {
        bool again = length_of(o, w) < 2;
        for (unsigned i = 0; i < o->tiled; i++)
            again = again || o->loop[i] == w;
        if (again)
            continue;
        o->loop[o->tiled++] = w;
        add_orders(all, o, depth_max);
        o->tiled--;
    }
}

/* True if the outermost loop goes over tiles of another. */
static bool over_tiles(const tiles_block *b)
{
    bool over = false;
    for (unsigned l = 0; l + 1 < b->levels; l++)
        over = over || (b->stride[l] && b->stride[b->levels - 1] == tiles_times(b->stride[l], b->length[l]));
    return over;
}

/* Tries the kinds of `points` loops that hold most values, and the one with the largest block. */
static void add_kinds(tiles_trials *all, const tiles_window *window, unsigned windows, unsigned points,
                      unsigned depth_max)
{
    tiles_block kind[TILES_KINDS];
    unsigned largest, kinds = tiles_blocks_kinds(window, windows, points, kind, &largest);
    uint64_t looked_at = windows * (window->to - window->from);
    for (unsigned i = 0; i < kinds; i++) {
        bool common = points < TILES_POINTS ? i < TILES_KINDS_TRIED || i == largest
                                            : i == 0 && kind[i].mass >= looked_at / DEEP_SHARE;
        order o = {.block = &kind[i], .points = points};
        if (common && !over_tiles(&kind[i]))
            add_orders(all, &o, depth_max);
    }
}

void tiles_trials_find(tiles_trials *all, const int64_t *values, uint64_t count, unsigned depth_max)
{
    unsigned windows = count <= TILES_WINDOWS * TILES_SAMPLE ? 1 : TILES_WINDOWS;
    uint64_t size = windows == 1 ? count : TILES_SAMPLE;
    tiles_block *block = memory_grow(NULL, windows * size, sizeof *block);
    tiles_window window[TILES_WINDOWS];
    all->count = 0;
    for (unsigned w = 0; w < windows; w++) {
        uint64_t from = (count - size) / (TILES_WINDOWS - 1) * w;
        window[w] = (tiles_window){.values = values, .from = from, .to = from + size, .block = block + w * size};
        tiles_blocks_find(&window[w]);
    }
    for (unsigned levels = 1; levels <= TILES_POINTS; levels++) {
        if (levels > 1)
            add_kinds(all, window, windows, levels, depth_max);
        for (unsigned w = 0; w < windows; w++)
            tiles_blocks_join(&window[w], levels);
    }
    free(block);
}
