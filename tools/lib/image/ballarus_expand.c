/* SPDX-License-Identifier: MIT */
/* From the number of a path to its blocks. */
#include "tools/lib/image/ballarus.h"

/* The last edge out of `block` whose value is at most `rest`: values ascend in list order. */
static uint32_t choose(const ballarus *g, uint32_t block, uint32_t rest)
{
    uint32_t low = g->first[block], high = g->first[block + 1];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (g->edge[g->out[middle]].value <= rest)
            low = middle;
        else
            high = middle;
    }
    return g->out[low];
}

/* The dummy edge that the number lies in: the last block whose start_value is at most `rest`. Blocks that are not a
 * start carry the value of the next one. */
static uint32_t choose_start(const ballarus *g, uint32_t rest)
{
    uint32_t low = 0, high = g->block_count;
    if (high == 0 || rest < g->start_value[0])
        return BALLARUS_NONE;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (g->start_value[middle] <= rest)
            low = middle;
        else
            high = middle;
    }
    return g->start[low] ? low : BALLARUS_NONE;
}

size_t ballarus_expand(const ballarus *g, uint32_t number, uint32_t *blocks, size_t max, ballarus_ends *ends)
{
    size_t count = 0;
    uint32_t rest = number, block = g->block_count;
    *ends = (ballarus_ends){true, false, BALLARUS_NONE};
    if (number >= g->count)
        return SIZE_MAX;
    uint32_t start = choose_start(g, number);
    if (start != BALLARUS_NONE) {
        ends->from_entry = false;
        rest -= g->start_value[start];
        block = start;
        if (count++ < max)
            blocks[0] = start;
    }
    while (g->first[block] != g->first[block + 1]) {
        uint32_t index = choose(g, block, rest);
        const ballarus_edge *edge = &g->edge[index];
        rest -= edge->value;
        if (edge->cut || edge->to == BALLARUS_EXIT) {
            ends->edge = index;
            ends->at_exit = edge->to == BALLARUS_EXIT;
            break;
        }
        block = edge->to;
        if (count < max)
            blocks[count] = block;
        count++;
    }
    return count;
}
