/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tiles_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/affine/nest.h"

static bool same_strides(const tiles_block *a, const tiles_block *b)
{
    return !memcmp(a->stride, b->stride, a->levels * sizeof *a->stride);
}

/* Blocks of one kind: as many loops, of the same strides and lengths. */
static bool alike(const tiles_block *a, const tiles_block *b)
{
    return a->levels == b->levels && same_strides(a, b) && !memcmp(a->length, b->length, a->levels * sizeof *a->length);
}

void tiles_blocks_find(tiles_window *w)
{
    const int64_t *values = w->values;
    w->count = 0;
    for (uint64_t at = w->from; at < w->to; w->count++) {
        tiles_block *row = &w->block[w->count];
        uint64_t size = 1;
        *row = (tiles_block){.at = at};
        if (at + 1 < w->to) {
            row->stride[0] = values[at + 1] - values[at];
            size = affine_match_run(values + at, w->to - at, values[at], row->stride[0]);
        }
        row->length[0] = (int64_t)size;
        row->levels = size > 1;
        row->size = size;
        at += size;
    }
}

/* ---- joining ---- */

/* The values of the block's first or last part come again, before or after it. */
static bool repeats(const tiles_window *w, const tiles_block *b, int sign)
{
    int64_t stride = b->stride[b->levels - 1];
    uint64_t part = b->size / (uint64_t)b->length[b->levels - 1], end = b->at + b->size;
    if (sign > 0 ? w->to - end < part : b->at - w->from < part)
        return false;
    const int64_t *one = w->values + (sign > 0 ? end - part : b->at - part);
    for (uint64_t i = 0; i < part; i++)
        if (one[i + part] - one[i] != stride)
            return false;
    return true;
}

/* A row may have taken values of its neighbours, which by chance have its stride. These do not look like it any more,
 * so the block is lengthened by values. */
static void lengthen(const tiles_window *w, tiles_block *b)
{
    uint64_t part = b->size / (uint64_t)b->length[b->levels - 1];
    for (int sign = -1; sign <= 1; sign += 2)
        if (repeats(w, b, sign)) {
            b->at -= sign < 0 ? part : 0;
            b->size += part;
            b->length[b->levels - 1]++;
        }
}

/* The end of the blocks from the i-th on that are alike and equally far apart. */
static size_t equal_blocks(const tiles_window *w, size_t i, int64_t *stride)
{
    const tiles_block *all = w->block, *first = &all[i];
    size_t next = i + 1;
    for (; next < w->count && alike(first, &all[next]); next++) {
        int64_t apart = w->values[all[next].at] - w->values[all[next - 1].at];
        if (all[next].at != all[next - 1].at + first->size || (next > i + 1 && apart != *stride))
            break;
        *stride = apart;
    }
    return next;
}

void tiles_blocks_join(tiles_window *w, unsigned levels)
{
    tiles_block *all = w->block;
    size_t kept = 0;
    for (size_t i = 0, next; i < w->count; i = next) {
        tiles_block b = all[i];
        int64_t stride = 0;
        next = b.levels == levels ? equal_blocks(w, i, &stride) : i + 1;
        if (next > i + 1) {
            b.stride[levels] = stride;
            b.length[levels] = (int64_t)(next - i);
            b.levels++;
            b.size *= next - i;
            lengthen(w, &b);
            while (kept && all[kept - 1].levels < b.levels && all[kept - 1].at + all[kept - 1].size > b.at)
                kept--;
            while (next < w->count && all[next].levels < b.levels && all[next].at < b.at + b.size)
                next++;
        }
        all[kept++] = b;
    }
    w->count = kept;
}

/* ---- kinds ---- */

static void add_kind(tiles_block *kind, unsigned *count, const tiles_block *b)
{
    for (unsigned i = 0; i < *count; i++)
        if (alike(&kind[i], b)) {
            kind[i].last = b->at;
            kind[i].mass += b->size;
            return;
        }
    if (*count < TILES_KINDS) {
        kind[*count] = *b;
        kind[*count].last = b->at;
        kind[(*count)++].mass = b->size;
    }
}

static int by_mass(const void *a, const void *b)
{
    const tiles_block *left = a, *right = b;
    if (left->mass != right->mass)
        return left->mass > right->mass ? -1 : 1;
    return left->at < right->at ? -1 : left->at > right->at;
}

/* Kinds of the same strides: each learns the longest lengths of all. */
static void take_longer(tiles_block *kind, const tiles_block *other, unsigned levels)
{
    for (unsigned l = 0; l < levels; l++)
        if (other->length[l] > kind->longest[l])
            kind->longest[l] = other->length[l];
}

static void share_lengths(tiles_block *kind, unsigned kinds, unsigned levels)
{
    for (unsigned i = 0; i < kinds; i++)
        for (unsigned k = 0; k < kinds; k++)
            if (same_strides(&kind[i], &kind[k]))
                take_longer(&kind[i], &kind[k], levels);
}

unsigned tiles_blocks_kinds(const tiles_window *window, unsigned windows, unsigned levels,
                            tiles_block kind[TILES_KINDS], unsigned *largest)
{
    unsigned kinds = 0;
    for (unsigned w = 0; w < windows; w++)
        for (size_t i = 0; i < window[w].count; i++)
            if (window[w].block[i].levels == levels)
                add_kind(kind, &kinds, &window[w].block[i]);
    qsort(kind, kinds, sizeof *kind, by_mass);
    *largest = 0;
    for (unsigned i = 0; i < kinds; i++)
        if (kind[i].size > kind[*largest].size)
            *largest = i;
    share_lengths(kind, kinds, levels);
    return kinds;
}
