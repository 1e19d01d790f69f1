/* SPDX-License-Identifier: MIT */
/* Packed paths. Where a path ends because another one begins in the same routine, with no call between (a loop begins
 * anew, mostly), nothing is recorded: the number of the path that follows is appended to the register, as a digit. Where
 * the register is full, or a call or the return comes, one call records all its paths: a *pack*
 * (tools/lib/image/descriptor_format.h).
 *
 *     register: 1 | number of the first path | digit | digit | ...       the highest bit that is set begins it
 *
 *     at the end of a path:   if (register >= limit) {              digit and limit are of the block that comes next
 *                                 __weft_packed_full(routine, register);
 *                                 register = 1 | start;
 *                             } else
 *                                 register = register << digit | start;
 *
 * What the next path gains on its way is added to the register, as it is without packs. Where all ways that lead to a
 * block have begun their path there after a call, or at the routine's entry, the register still holds a single path: it
 * is recorded as such. */
#include "tools/gcc/weft_gcc.h"

/* paths: routines with more are not packed, or cut in more places. Reasonable range 2^8 to 2^16: more paths in a pack,
 * or longer paths */
#define PACK_PATHS (UINT64_C(1) << 14)

/* bits: a digit may have. Reasonable range 8 to 14: what has more is better recorded alone */
#define PACK_DIGIT 12

static unsigned bits_for(uint64_t count)
{
    unsigned bits = 0;
    while (bits < 64 && (UINT64_C(1) << bits) < count)
        bits++;
    return bits;
}

unsigned pack_first(const routine &r)
{
    return bits_for(r.graph->count);
}

unsigned pack_digit(const routine &r, uint32_t block)
{
    unsigned bits = bits_for(r.graph->ways[block]);
    return bits ? bits : 1;
}

/* A cut edge on which the next path begins at once. */
static bool goes_on(const routine &r, uint32_t index)
{
    const ballarus_edge &e = r.graph->edge[index];
    return e.cut && e.to != BALLARUS_EXIT && r.flows[index].cfg &&
           !(r.block_flags[e.to] & (DESCRIPTOR_BLOCK_CALL | DESCRIPTOR_BLOCK_LANDING)) &&
           pack_digit(r, e.to) <= PACK_DIGIT;
}

bool appends(const routine &r, uint32_t index)
{
    return r.packed && goes_on(r, index);
}

/* Routines whose register cannot be kept, or which should show what handlers do between their paths. */
static bool may_pack(const routine &r)
{
    const options &o = weft_options;
    if (o.exact || o.memory || o.last || o.span || o.ksf || o.unpacked || r.controlled || r.fun->calls_setjmp ||
        r.fun->has_nonlocal_label)
        return false;
    for (basic_block block : r.blocks)
        if (has_event(block))
            return false;
    return r.graph->count <= PACK_PATHS;
}

void choose_packs(routine &r)
{
    r.packed = false;
    if (!may_pack(r))
        return;
    for (uint32_t i = 0; i < r.graph->edge_count; i++) {
        const ballarus_edge &e = r.graph->edge[i];
        bool counted = e.from != BALLARUS_ENTRY && r.loop_of[e.from] >= 0;
        r.packed |= goes_on(r, i) && !counted;
    }
    if (!r.packed)
        return;
    r.loops.clear();
    r.loop_of.assign(r.blocks.size(), -1);
}
