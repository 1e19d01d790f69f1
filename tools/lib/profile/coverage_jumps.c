/* SPDX-License-Identifier: MIT */
/* A jump leads to the first line of the block that it enters. A block without a line that has one way out is part of
 * the jumps that enter it. */
#include "tools/lib/profile/coverage_jumps.h"

static bool is_jump(const coverage_jumps *jumps, uint32_t edge)
{
    return jumps->back[edge] || jumps->f->edge_goto[edge].how != DESCRIPTOR_GOTO_NONE;
}

/* The first block with a line that an edge leads to; BALLARUS_EXIT: none. *jump: a step on the way is a jump. */
static uint32_t arrival_of(const coverage_jumps *jumps, uint32_t edge, bool *jump)
{
    const ballarus *g = jumps->f->graph;
    uint32_t to = g->edge[edge].to;
    *jump = is_jump(jumps, edge);
    for (uint32_t steps = 0; to != BALLARUS_EXIT && !jumps->f->block[to].line_count; steps++) {
        if (g->first[to + 1] - g->first[to] != 1 || steps == jumps->f->block_count)
            return BALLARUS_EXIT;
        edge = g->out[g->first[to]];
        to = g->edge[edge].to;
        *jump |= is_jump(jumps, edge);
    }
    return to;
}

void coverage_add_way(coverage *all, const coverage_jumps *jumps, uint32_t edge, uint32_t choice,
                      const descriptor_line *from, uint64_t count, uint64_t runs)
{
    const descriptor_edge_goto *gone = &jumps->f->edge_goto[edge];
    bool jump;
    uint32_t to = arrival_of(jumps, edge, &jump);
    if (!runs && gone->how != DESCRIPTOR_GOTO_NONE && gone->place.line)
        from = &gone->place;
    if (!count || !from || to == BALLARUS_EXIT || (!runs && !jump))
        return;
    const descriptor_line *line = jumps->f->block[to].line;
    coverage_add_jump(all, (coverage_jump){.function = jumps->number,
                                           .file = from->file,
                                           .line = from->line,
                                           .to_file = line->file,
                                           .to_line = line->line,
                                           .choice = choice,
                                           .count = count,
                                           .runs = runs});
}
