/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/mixes.h"

#include <string.h>

#include "tools/lib/base/memory.h"

mix *mixes_new(uint32_t bins)
{
    return memory_zero(bins, sizeof(mix));
}

/* Majority vote (Boyer and Moore): a path that costs more than half of the part remains. */
static void vote(mix_part *part, uint32_t path, uint64_t votes)
{
    if (part->path == path) {
        part->votes += votes;
    } else if (part->votes >= votes) {
        part->votes -= votes;
    } else {
        part->path = path;
        part->votes = votes - part->votes;
    }
}

/* The cheapest part goes, if it is cheaper than the new one. False: it is not. */
static bool make_room(mix *bin, uint64_t cost)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < MIXES_PARTS; i++)
        if (bin->part[i].cost < bin->part[least].cost)
            least = i;
    if (bin->part[least].cost >= cost)
        return false;
    bin->other += bin->part[least].cost;
    memmove(bin->part + least, bin->part + least + 1, (MIXES_PARTS - 1 - least) * sizeof(mix_part));
    bin->count--;
    return true;
}

static void add_part(mix *bin, const mix_part *part)
{
    for (uint32_t i = 0; i < bin->count; i++)
        if (bin->part[i].node == part->node) {
            bin->part[i].cost += part->cost;
            vote(&bin->part[i], part->path, part->votes);
            return;
        }
    if (bin->count == MIXES_PARTS && !make_room(bin, part->cost)) {
        bin->other += part->cost;
        return;
    }
    bin->part[bin->count++] = *part;
}

void mixes_add(mix *bin, uint32_t node, uint32_t path, uint64_t cost)
{
    mix_part *last = bin->count ? &bin->part[bin->count - 1] : NULL;
    if (last && last->node == node) {
        last->cost += cost;
        vote(last, path, cost);
        return;
    }
    add_part(bin, &(mix_part){node, path, cost, cost});
}

void mixes_fold(mix *all, uint32_t bins)
{
    for (uint32_t i = 0; i < bins / 2; i++) {
        mix joined = all[2 * i];
        for (uint32_t p = 0; p < all[2 * i + 1].count; p++)
            add_part(&joined, &all[2 * i + 1].part[p]);
        joined.other += all[2 * i + 1].other;
        all[i] = joined;
    }
    memset(all + bins / 2, 0, (bins - bins / 2) * sizeof *all);
}
