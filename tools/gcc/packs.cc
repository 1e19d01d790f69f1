/* SPDX-License-Identifier: MIT */
/* Packed paths. Where a path ends because another one begins in the same routine, with no call between (a loop begins
 * again, mostly), nothing is recorded: the number of the path that follows is appended to the register, as a digit.
 * Where the register is full, or a call or the return comes, one call records all its paths: a *pack*
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
#include "tools/gcc/placing.h"

/* paths: routines with more are not packed. Reasonable range 2^8 to 2^16: more paths in a pack, or more routines */
#define PACK_PATHS (UINT64_C(1) << 14)

/* times: a way is rare if it is expected to be taken less than once in this many times. Reasonable range 8 to 32: fewer
 * paths, or shorter digits */
#define PACK_RARE 12

/* instructions: for a record of one path, for one of a pack, for a path that is appended, and for a pass that is
 * counted. A pack's is higher than what is measured alone (25 to 44), since how often its routine ends one is a guess.
 * Reasonable range of COST_PACK and COST_PACK_MEMORY 55 to 130: more routines with packs that calls end soon, or fewer
 * with packs */
enum { COST_RECORD = 28, COST_PACK = 60, COST_PACK_MEMORY = 85, COST_APPEND = 4, COST_COUNT = 2 };

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

/* Bits of another path of a pack, which starts at a block. */
static unsigned digit_of(const ballarus *g, uint32_t block)
{
    unsigned bits = bits_for(g->ways[block]);
    return bits ? bits : 1;
}

/* True for a cut edge on which the next path begins at once. */
static bool goes_on(const routine &r, const ballarus *g, uint32_t index)
{
    const ballarus_edge &e = g->edge[index];
    return e.cut && e.to != BALLARUS_EXIT && r.flows[index].cfg &&
           !(r.block_flags[e.to] & (DESCRIPTOR_BLOCK_CALL | DESCRIPTOR_BLOCK_LANDING)) &&
           digit_of(g, e.to) <= PACK_DIGIT;
}

bool appends(const routine &r, uint32_t index)
{
    return r.packed && goes_on(r, r.graph, index);
}

/* Not routines whose register may be given up without a call, or which should show what handlers do between their
 * paths. */
static bool may_pack(const routine &r)
{
    const options &o = weft_options;
    if (!o.pack || r.controlled || r.fun->calls_setjmp || r.fun->has_nonlocal_label ||
        r.fun->can_throw_non_call_exceptions)
        return false;
    for (basic_block block : r.blocks)
        if (has_event(block))
            return false;
    return true;
}

/* Some edge goes on, other than those of counted loops. */
static bool is_worth(const routine &r)
{
    for (uint32_t i = 0; i < r.graph->edge_count; i++) {
        const ballarus_edge &e = r.graph->edge[i];
        bool counted = e.from != BALLARUS_ENTRY && r.loop_of[e.from] >= 0;
        if (goes_on(r, r.graph, i) && !counted)
            return true;
    }
    return false;
}

/* Adds the blocks of the loop that an edge to its header closes: all that leads there without passing the header. */
static void add_body(const routine &r, uint32_t latch, uint32_t header, std::vector<bool> &body)
{
    std::vector<uint32_t> left = {latch};
    body[header] = true;
    while (!left.empty()) {
        uint32_t b = left.back();
        left.pop_back();
        if (body[b])
            continue;
        body[b] = true;
        for (const ballarus_edge &e : r.edges)
            if (e.to == b && e.from != BALLARUS_ENTRY)
                left.push_back(e.from);
    }
}

/* A path ends where a loop is left, and where it takes a way that is rare. So what comes after a loop, or only rarely,
 * does not make the digit of each pass longer. */
static void cut_edges(routine &r)
{
    std::map<uint32_t, std::vector<bool>> loops; /* by header; blocks stand in reverse postorder */
    std::vector<uint64_t> out(r.blocks.size());
    for (const ballarus_edge &e : r.edges) {
        if (e.from == BALLARUS_ENTRY)
            continue;
        out[e.from] += e.weight;
        if (e.to == BALLARUS_EXIT || e.to > e.from)
            continue;
        std::vector<bool> &body = loops[e.to];
        body.resize(r.blocks.size());
        add_body(r, e.from, e.to, body);
    }
    for (size_t i = 0; i < r.edges.size(); i++) {
        ballarus_edge &e = r.edges[i];
        if (e.from == BALLARUS_ENTRY || e.to == BALLARUS_EXIT || !r.flows[i].cfg)
            continue;
        for (const auto &loop : loops)
            e.cut |= loop.second[e.from] && !loop.second[e.to];
        e.cut |= e.weight * PACK_RARE < out[e.from];
    }
}

/* Where the register may hold several paths, by block. */
static std::vector<bool> pack_blocks(const routine &r, const ballarus *g)
{
    std::vector<bool> within(r.blocks.size());
    for (uint32_t i = 0; i < g->edge_count; i++)
        if (goes_on(r, g, i))
            within[g->edge[i].to] = true;
    for (uint32_t k = g->order_count; k-- > 0;) {
        uint32_t b = g->order[k];
        for (uint32_t i = g->first[b]; within[b] && i < g->first[b + 1]; i++) {
            const ballarus_edge &e = g->edge[g->out[i]];
            if (!e.cut && e.to != BALLARUS_EXIT)
                within[e.to] = true;
        }
    }
    return within;
}

/* True if a path ends on the edge and is recorded. */
static bool is_end(const routine &r, const ballarus_edge &e, uint32_t index)
{
    return ends_path(e) && r.flows[index].kind != DESCRIPTOR_EDGE_STOP;
}

/* What the ends of paths are expected to cost, in instructions, each as often as its edge is run. With packs: */
static uint64_t cost_of_packs(const routine &r, const ballarus *g)
{
    std::vector<bool> within = pack_blocks(r, g);
    unsigned room = 32 - 1 - bits_for(g->count);
    bool accesses = weft_options.memory && !(weft_options.inputs && r.sites.empty());
    uint64_t pack = accesses ? (uint64_t)COST_PACK_MEMORY : (uint64_t)COST_PACK, cost = 0;
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const ballarus_edge &e = g->edge[i];
        if (!is_end(r, e, i))
            continue;
        if (goes_on(r, g, i))
            cost += e.weight * (COST_APPEND + pack * digit_of(g, e.to) / room);
        else
            cost += e.weight * (e.from != BALLARUS_ENTRY && within[e.from] ? pack : (uint64_t)COST_RECORD);
    }
    return cost;
}

/* Without: loops of one path are counted, and recorded where they are left. */
static uint64_t cost_of_records(const routine &r)
{
    uint64_t cost = 0;
    for (uint32_t i = 0; i < r.graph->edge_count; i++) {
        const ballarus_edge &e = r.graph->edge[i];
        int inside = e.from == BALLARUS_ENTRY ? -1 : r.loop_of[e.from];
        bool back = inside >= 0 && r.loops[inside].back == i;
        bool leaves = inside >= 0 && (e.to == BALLARUS_EXIT || r.loop_of[e.to] != inside);
        if (back)
            cost += e.weight * (uint64_t)COST_COUNT;
        else if (leaves || is_end(r, e, i))
            cost += e.weight * (uint64_t)COST_RECORD;
    }
    return cost;
}

void choose_packs(routine &r)
{
    if (!may_pack(r) || !is_worth(r))
        return;
    std::vector<ballarus_edge> whole = r.edges;
    cut_edges(r);
    ballarus *cut = number_paths(r);
    if (!cut || cut->count > PACK_PATHS || cost_of_packs(r, cut) >= cost_of_records(r)) {
        ballarus_free(cut);
        r.edges = whole;
        return;
    }
    ballarus_free(r.graph);
    r.graph = cut;
    r.packed = true;
    r.loops.clear();
    r.loop_of.assign(r.blocks.size(), -1);
}

/* On an edge where a path is appended: see above. The last gain of the path before is added after the
 * register is compared, to all at once. It is below half of the limit. */
static void place_append(const placer &p, uint32_t index)
{
    const routine &r = p.r;
    const ballarus_edge &e = r.graph->edge[index];
    unsigned digit = digit_of(r.graph, e.to);
    aside way = split_aside(r.flows[index].cfg);
    gimple_seq code = NULL, rare = NULL;
    tree pack = growing_pack_on(r, value_on_way(p, index), 0, &code), longer = make_pack_name();
    gimple_seq_add_stmt(&code, gimple_build_assign(longer, LSHIFT_EXPR, pack, build_int_cst(integer_type_node, digit)));
    if (gain(r, index)) {
        tree sum = make_pack_name();
        tree last = build_int_cst(uint32_type_node, gain(r, index) << digit);
        gimple_seq_add_stmt(&code, gimple_build_assign(sum, PLUS_EXPR, longer, last));
        longer = sum;
    }
    tree limit = build_int_cst(uint32_type_node, 1u << (31 + !gain(r, index) - digit));
    gimple_seq_add_stmt(&code, gimple_build_cond(GE_EXPR, pack, limit, NULL, NULL));
    fill(way.check, code);
    tree whole = gain(r, index) ? add_sum(&rare, pack, gain(r, index)) : pack;
    tree number = numbered(r.path_label, r.graph->count);
    gimple_seq_add_stmt(&rare, gimple_build_call(probe_function(PROBE_PACKED_FULL), 2, number, whole));
    gphi *phi = phi_of(p.in[e.to].name);
    add_phi_arg(phi, growing_pack_on(r, at_entry, start_gain(r, e.to), &rare), way.after, UNKNOWN_LOCATION);
    fill(way.record, rare);
    copy_phi_args(way.after, way.around);
    set_phi_arg(way.around, p.in[e.to].name, longer);
}

void place_appends(const placer &p)
{
    for (uint32_t i = 0; i < p.r.graph->edge_count; i++)
        if (is_appended(p, i))
            place_append(p, i);
}
