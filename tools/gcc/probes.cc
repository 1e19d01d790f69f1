/* SPDX-License-Identifier: MIT */
/* Path probes. The path register is a pointer, label of the routine's paths + sum of increments, so that a record takes
 * it as it is. It exists only where a path number is not yet known: where all ways that lead to a block, since the
 * start of the path, have the same sum, the block has the sum as a constant, and a record there passes a constant.
 * Where ways with different sums meet, a phi node takes the constants; the out-of-SSA pass loads them on the edges. */
#include "tools/gcc/weft_gcc.h"

#include "gimple-expr.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "tree-phinodes.h"

/* What the path register holds at a point: a constant, or an SSA name. */
struct path_value {
    bool seen = false; /* some way leads here */
    bool known = false;
    bool phi = false;    /* `name` is a phi node of the block */
    bool single = false; /* it holds one path; else it is a pack, and `name` is known to be set */
    uint32_t constant = 0;
    tree name = NULL_TREE;
};

struct placer {
    routine &r;
    std::vector<path_value> in;              /* by block */
    std::vector<bool> needed;                /* by block: some way on records the register */
    std::vector<std::vector<uint32_t>> into; /* edges that lead into a block, uncut */
    std::vector<bool> appended;              /* by block: paths that start there may be appended */
};

/* What the path register gains on an edge, and holds where a path starts. In a packed routine nothing at the start,
 * less what tells where that is, and nothing on the edges that are expected most (tools/gcc/graph.cc sorts them). */
static uint32_t gain(const routine &r, uint32_t index)
{
    return r.packed ? r.graph->edge[index].value : r.graph->edge[index].increment;
}

static uint32_t start_gain(const routine &r, uint32_t block)
{
    return r.packed ? r.graph->start_value[block] : r.graph->start_increment[block];
}

static tree add_sum(gimple_seq *seq, tree value, uint32_t constant)
{
    tree sum = make_ssa_name(uint32_type_node);
    gimple_seq_add_stmt(seq, gimple_build_assign(sum, PLUS_EXPR, value, build_int_cst(uint32_type_node, constant)));
    return sum;
}

/* In a packed routine the register is a number: a pack. */
static tree pack_on(const routine &r, const path_value &v, uint32_t increment, gimple_seq *seq)
{
    if (v.known)
        return build_int_cst(uint32_type_node, (1u << pack_first(r)) + v.constant + increment);
    return increment ? add_sum(seq, v.name, increment) : v.name;
}

/* The same where more paths may follow in it. The passes on RTL see no constant, and so leave a question where a path
 * ends, which readers of machine code look for (tools/lib/machine/ways.c). */
static tree growing_pack_on(const routine &r, const path_value &v, uint32_t increment, gimple_seq *seq)
{
    tree pack = pack_on(r, v, increment, seq);
    if (TREE_CODE(pack) != INTEGER_CST)
        return pack;
    tree hidden = make_ssa_name(uint32_type_node);
    vec<tree, va_gc> *inputs = NULL, *outputs = NULL;
    vec_safe_push(outputs, build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=r")), hidden));
    vec_safe_push(inputs, build_tree_list(build_tree_list(NULL_TREE, build_string(2, "0")), pack));
    gasm *code = gimple_build_asm_vec("", inputs, outputs, NULL, NULL);
    SSA_NAME_DEF_STMT(hidden) = code;
    gimple_seq_add_stmt(seq, code);
    return hidden;
}

/* What an edge hands on. */
static tree value_on(const routine &r, const path_value &v, uint32_t increment, gimple_seq *seq)
{
    if (r.packed)
        return pack_on(r, v, increment, seq);
    if (v.known)
        return numbered(r.path_label, v.constant + increment);
    if (increment == 0)
        return v.name;
    tree sum = make_ssa_name(ptr_type_node);
    tree step = build_int_cst(sizetype, (HOST_WIDE_INT)(int32_t)increment);
    gimple_seq_add_stmt(seq, gimple_build_assign(sum, POINTER_PLUS_EXPR, v.name, step));
    return sum;
}

static bool ends_path(const ballarus_edge &e)
{
    return e.cut || e.to == BALLARUS_EXIT;
}

/* STOP is never recorded. */
static bool is_recorded(const routine &r, uint32_t index)
{
    return ends_path(r.graph->edge[index]) && r.flows[index].kind != DESCRIPTOR_EDGE_STOP;
}

/* The next path goes into the register with this one; but for one that is never recorded. */
static bool is_appended(const placer &p, uint32_t index)
{
    return appends(p.r, index) && p.needed[p.r.graph->edge[index].to];
}

static void find_needed(placer &p)
{
    const ballarus *g = p.r.graph;
    for (uint32_t k = 0; k < g->order_count; k++) { /* order: what is led to comes first */
        uint32_t b = g->order[k];
        for (uint32_t i = g->first[b]; i < g->first[b + 1]; i++) {
            uint32_t index = g->out[i];
            if (is_recorded(p.r, index) || (!ends_path(g->edge[index]) && p.needed[g->edge[index].to]))
                p.needed[b] = true;
        }
    }
    for (uint32_t i = 0; i < g->edge_count; i++) {
        if (!ends_path(g->edge[i]))
            p.into[g->edge[i].to].push_back(i);
        else if (is_appended(p, i))
            p.appended[g->edge[i].to] = true;
    }
}

static const path_value at_entry = {true, true, false, true, 0, NULL_TREE};

static const path_value at_exit = {true, false, false, true, 0, NULL_TREE};

/* Paths are appended on edges that lead to a block. */
static const path_value at_append = {true, false, false, false, 0, NULL_TREE};

/* The loop that an edge leaves, or NULL. */
static counted_loop *loop_left(routine &r, uint32_t index)
{
    const ballarus_edge &e = r.graph->edge[index];
    int inside = e.from == BALLARUS_ENTRY ? -1 : r.loop_of[e.from];
    bool stays = inside < 0 || (e.to != BALLARUS_EXIT && r.loop_of[e.to] == inside);
    return stays ? NULL : &r.loops[inside];
}

/* The loop whose header the block is, or NULL. */
static counted_loop *loop_at(routine &r, uint32_t block)
{
    int inside = r.loop_of[block];
    return inside >= 0 && r.loops[inside].header == block ? &r.loops[inside] : NULL;
}

/* A loop that is left gives a new value. */
static const path_value &value_on_way(const placer &p, uint32_t index)
{
    uint32_t from = p.r.graph->edge[index].from;
    if (loop_left(p.r, index))
        return at_exit;
    return from == BALLARUS_ENTRY ? at_entry : p.in[from];
}

/* Its passes may be too many for a counter, so it records some of them on its back edge. */
static bool records_within(const counted_loop &loop)
{
    return !loop.passes && !loop.bounded;
}

/* Adds one way into a block: the same constant, or not. */
static void meet(path_value &v, const path_value &from, uint32_t increment)
{
    uint32_t constant = from.constant + increment;
    if (!v.seen)
        v = {true, from.known, false, from.single, constant, NULL_TREE};
    else if (!from.known || v.constant != constant)
        v.known = false;
    v.single &= from.single;
}

/* Before the value at the header gets a name: it needs one if the back edge records, since that changes it. */
static void make_counter(const routine &r, counted_loop &loop, path_value &at_header)
{
    if (records_within(loop))
        at_header.known = false;
    if (loop.passes)
        return;
    loop.counter = make_ssa_name(uint32_type_node);
    create_phi_node(loop.counter, r.blocks[loop.header]);
}

/* The value at the start of each block, sources first; SSA names for those not known. */
static void find_values(placer &p)
{
    const ballarus *g = p.r.graph;
    for (uint32_t k = g->order_count; k-- > 0;) {
        uint32_t b = g->order[k];
        path_value &v = p.in[b];
        counted_loop *loop = loop_at(p.r, b);
        if (g->start[b] && !loop)
            meet(v, p.appended[b] ? at_append : at_entry, start_gain(p.r, b));
        for (uint32_t i : p.into[b])
            meet(v, value_on_way(p, i), gain(p.r, i));
        if (loop)
            make_counter(p.r, *loop, v);
        if (v.known || !p.needed[b] || (p.r.loop_of[b] >= 0 && !loop))
            continue;
        if (EDGE_COUNT(p.r.blocks[b]->preds) > 1 || p.appended[b]) {
            v.phi = true;
            v.name = make_ssa_name(p.r.packed ? uint32_type_node : ptr_type_node);
            create_phi_node(v.name, p.r.blocks[b]);
        }
    }
}

static gphi *phi_of(tree name)
{
    return as_a<gphi *>(SSA_NAME_DEF_STMT(name));
}

/* The call that records a path. */
static void add_record(const routine &r, gimple_seq *seq, tree path, bool leaves)
{
    gcall *call;
    if (!r.activation)
        call = gimple_build_call(probe_function(weft_options.last ? PROBE_LAST : PROBE_PATH), 1, path);
    else
        call = gimple_build_call(probe_function(leaves ? PROBE_KPATH_EXIT : PROBE_KPATH), 2, path,
                                 build_fold_addr_expr(r.activation));
    gimple_seq_add_stmt(seq, call);
}

/* The path or paths that the register holds. */
static void add_records(const routine &r, gimple_seq *seq, const path_value &v, uint32_t increment, bool leaves)
{
    if (!r.packed || v.known) {
        tree path = v.known ? numbered(r.path_label, v.constant + increment) : value_on(r, v, increment, seq);
        add_record(r, seq, path, leaves);
        return;
    }
    if (v.single) {
        tree path = make_ssa_name(ptr_type_node);
        tree base = numbered(r.path_label, increment - (1u << pack_first(r)));
        gimple_seq_add_stmt(seq, gimple_build_assign(path, POINTER_PLUS_EXPR, base, v.name));
        add_record(r, seq, path, leaves);
        return;
    }
    gimple_seq_add_stmt(seq, gimple_build_call(probe_function(PROBE_PACKED), 2, numbered(r.path_label, r.graph->count),
                                               pack_on(r, v, increment, seq)));
}

/* Is the routine left for good on this edge? After longjmp a routine that calls setjmp may go on. */
static bool leaves_routine(const routine &r, uint32_t index)
{
    const ballarus_edge &e = r.graph->edge[index];
    if (e.to == BALLARUS_EXIT)
        return r.flows[index].kind == DESCRIPTOR_EDGE_RETURN;
    unsigned flags = r.block_flags[e.to];
    return (flags & DESCRIPTOR_BLOCK_TAIL) ||
           ((flags & DESCRIPTOR_BLOCK_NORETURN) && !r.fun->calls_setjmp && !r.fun->has_nonlocal_label);
}

static gcall *mark_of(const routine &r, uint32_t block)
{
    return gimple_build_call(probe_function(PROBE_MARK), 1, numbered(r.block_label, block));
}

/* A call that may return twice begins its block: code goes on the edges that lead there. */
static bool marked_on_edges(const routine &r, uint32_t block)
{
    return r.block_flags[block] & DESCRIPTOR_BLOCK_TWICE;
}

/* The call that records the passes of a loop. The path register gains `increment` from the header on. */
static gcall *loop_record(const placer &p, const counted_loop &loop, tree passes, uint32_t increment, gimple_seq *seq,
                          probe which)
{
    const routine &r = p.r;
    tree first = value_on(r, p.in[loop.header], loop.around, seq);
    return gimple_build_call(probe_function(which), 4, first, numbered(r.path_label, loop.start + loop.around),
                             numbered(r.path_label, loop.start + increment), passes);
}

/* The same; it returns what the path register holds then. */
static gcall *loop_value(const placer &p, const counted_loop &loop, tree passes, uint32_t increment, gimple_seq *seq)
{
    gcall *call = loop_record(p, loop, passes, increment, seq, PROBE_PASSES);
    gimple_call_set_lhs(call, make_ssa_name(ptr_type_node));
    return call;
}

/* The number of passes, where the loop is left. */
static tree passes_of(const counted_loop &loop, gimple_seq *seq)
{
    if (!loop.passes)
        return loop.bounded ? add_sum(seq, loop.counted, UINT32_MAX) : add_sum(seq, loop.counter, LOOP_PASSES);
    gimple_seq code = NULL;
    tree passes = force_gimple_operand(unshare_expr(loop.passes), &code, true, NULL_TREE);
    gimple_seq_add_seq(seq, code);
    return passes;
}

/* What the register gains in the loop, and after it, before this block. */
static uint32_t sum_before(const counted_loop &loop, uint32_t block)
{
    for (size_t k = 0; k < loop.tail.size(); k++)
        if (loop.tail[k] == block)
            return loop.tail_sum[k];
    size_t k = 0;
    while (loop.chain[k] != block)
        k++;
    return loop.sum[k];
}

/* Where a loop is left: its passes, and the path that ends there, if one does. */
static path_value place_exit(const placer &p, const counted_loop &loop, uint32_t index, gimple_seq *seq)
{
    const ballarus_edge &e = p.r.graph->edge[index];
    uint32_t increment = e.increment + sum_before(loop, e.from);
    tree passes = passes_of(loop, seq);
    if (is_recorded(p.r, index)) {
        gimple_seq_add_stmt(seq, loop_record(p, loop, passes, increment, seq, PROBE_PASSES_PATH));
        return at_exit;
    }
    gcall *call = loop_value(p, loop, passes, increment, seq);
    gimple_seq_add_stmt(seq, call);
    return {true, false, false, true, 0, gimple_call_lhs(call)};
}

/* All that belongs on one edge, in order: a record, or the register's new value; the mark of a block that begins with
 * setjmp. */
static void place_on_edge(placer &p, uint32_t index)
{
    routine &r = p.r;
    const ballarus_edge &e = r.graph->edge[index];
    edge cfg = r.flows[index].cfg;
    gimple_seq seq = NULL;
    const counted_loop *left = loop_left(r, index);
    if (!left && e.from != BALLARUS_ENTRY && r.loop_of[e.from] >= 0)
        return;
    path_value v = left ? place_exit(p, *left, index, &seq) : value_on_way(p, index);
    uint32_t increment = left ? 0 : gain(r, index);
    if (is_appended(p, index))
        return;
    if (is_recorded(r, index)) {
        if (!left)
            add_records(r, &seq, v, increment, leaves_routine(r, index));
        if (r.stamped && leaves_routine(r, index))
            gimple_seq_add_stmt(&seq, gimple_build_call(probe_function(PROBE_STAMP), 0));
        if (r.flows[index].kind == DESCRIPTOR_EDGE_AWAY) {
            gimple_stmt_iterator end = gsi_last_bb(r.blocks[e.from]);
            gsi_insert_seq_before(&end, seq, GSI_SAME_STMT);
            return;
        }
    } else if (!ends_path(e) && p.needed[e.to] && !p.in[e.to].known) {
        tree path =
            !r.packed || p.in[e.to].single ? value_on(r, v, increment, &seq) : growing_pack_on(r, v, increment, &seq);
        if (p.in[e.to].phi)
            add_phi_arg(phi_of(p.in[e.to].name), path, cfg, UNKNOWN_LOCATION);
        else
            p.in[e.to].name = path; /* the only way in; sources come first, so it is set before it is used */
    }
    if (weft_options.oracle && e.to != BALLARUS_EXIT && marked_on_edges(r, e.to))
        gimple_seq_add_stmt(&seq, mark_of(r, e.to));
    if (seq && cfg)
        gsi_insert_seq_on_edge(cfg, seq);
}

/* Cut edges lead into a phi's block too, when uncut ones do; so does each edge, once. */
static void place_starts(placer &p)
{
    const ballarus *g = p.r.graph;
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const ballarus_edge &e = g->edge[i];
        if (!e.cut || !p.needed[e.to] || p.in[e.to].known || loop_at(p.r, e.to) || p.appended[e.to])
            continue;
        add_phi_arg(phi_of(p.in[e.to].name), value_on(p.r, at_entry, start_gain(p.r, e.to), NULL), p.r.flows[i].cfg,
                    UNKNOWN_LOCATION);
    }
}

/* After labels, and after what restores the frame when control comes from another function. */
static gimple_stmt_iterator block_start(basic_block block)
{
    gimple_stmt_iterator at = gsi_after_labels(block);
    if (!gsi_end_p(at) && gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_SETJMP_RECEIVER))
        gsi_next(&at);
    return at;
}

/* A phi node of a loop's header: one value before the loop, another on its back edge. */
static void set_phi(const routine &r, const counted_loop &loop, gphi *phi, tree before, tree again)
{
    edge e, back = r.flows[loop.back].cfg;
    edge_iterator i;
    FOR_EACH_EDGE(e, i, r.blocks[loop.header]->preds)
    if (e == back)
        add_phi_arg(phi, again, e, UNKNOWN_LOCATION);
    else if (before)
        add_phi_arg(phi, before, e, UNKNOWN_LOCATION);
}

static void copy_phi_args(edge from, edge to)
{
    for (gphi_iterator i = gsi_start_phis(from->dest); !gsi_end_p(i); gsi_next(&i))
        add_phi_arg(i.phi(), PHI_ARG_DEF_FROM_EDGE(i.phi(), from), to, UNKNOWN_LOCATION);
}

static void set_phi_arg(edge e, tree phi, tree value)
{
    SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(phi_of(phi), e), value);
}

/* A question on an edge, `check`, and what is done where its answer is yes, which is rare: `record`. */
struct aside {
    basic_block check, record;
    edge after, around; /* to where the edge led: from record, and from check */
};

static aside split_aside(edge cfg)
{
    basic_block check = split_edge(cfg), record = split_edge(single_succ_edge(check));
    edge to_record = single_succ_edge(check), after = single_succ_edge(record);
    edge around = make_edge(check, after->dest, EDGE_FALSE_VALUE);
    to_record->flags = (to_record->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
    to_record->probability = profile_probability::very_unlikely();
    around->probability = to_record->probability.invert();
    record->count = check->count.apply_probability(to_record->probability);
    return {check, record, after, around};
}

static void fill(basic_block block, gimple_seq code)
{
    gimple_stmt_iterator at = gsi_last_bb(block);
    gsi_insert_seq_after(&at, code, GSI_NEW_STMT);
}

/* On the back edge, where no bound is known: `if (++counter == 0) record`. The counter begins at -LOOP_PASSES. */
static void place_check(const placer &p, counted_loop &loop)
{
    routine &r = p.r;
    tree value = p.in[loop.header].name, start = build_int_cst(uint32_type_node, -(HOST_WIDE_INT)LOOP_PASSES);
    aside way = split_aside(r.flows[loop.back].cfg);
    gimple_seq code = NULL;
    tree counted = add_sum(&code, loop.counter, 1);
    gimple_seq_add_stmt(&code, gimple_build_cond(EQ_EXPR, counted, build_zero_cst(uint32_type_node), NULL, NULL));
    fill(way.check, code);
    gimple_seq store = NULL;
    gcall *call = loop_value(p, loop, build_int_cst(uint32_type_node, LOOP_PASSES), 0, &store);
    gimple_seq_add_stmt(&store, call);
    fill(way.record, store);
    copy_phi_args(way.after, way.around);
    set_phi_arg(way.around, loop.counter, counted);
    set_phi_arg(way.around, value, value);
    set_phi_arg(way.after, loop.counter, start);
    set_phi_arg(way.after, value, gimple_call_lhs(call));
}

/* On an edge where a path is appended: see tools/gcc/packs.cc. The last gain of the path before is added after the
 * register is compared, to all at once. It is below half of the limit. */
static void place_append(const placer &p, uint32_t index)
{
    const routine &r = p.r;
    const ballarus_edge &e = r.graph->edge[index];
    unsigned digit = pack_digit(r, e.to);
    aside way = split_aside(r.flows[index].cfg);
    gimple_seq code = NULL, rare = NULL;
    tree pack = growing_pack_on(r, value_on_way(p, index), 0, &code), longer = make_ssa_name(uint32_type_node);
    gimple_seq_add_stmt(&code, gimple_build_assign(longer, LSHIFT_EXPR, pack, build_int_cst(integer_type_node, digit)));
    if (gain(r, index))
        longer = add_sum(&code, longer, gain(r, index) << digit);
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

static void place_appends(const placer &p)
{
    for (uint32_t i = 0; i < p.r.graph->edge_count; i++)
        if (is_appended(p, i))
            place_append(p, i);
}

/* Before the edges out of a loop are placed, which read the counter. */
static void place_counted(const routine &r, counted_loop &loop)
{
    if (loop.passes || !loop.bounded)
        return;
    gimple_seq code = NULL;
    loop.counted = add_sum(&code, loop.counter, 1);
    gimple_stmt_iterator at = block_start(r.blocks[loop.header]);
    gsi_insert_seq_before(&at, code, GSI_SAME_STMT);
}

/* What the phi nodes of a loop's header hold. */
static void place_loop(const placer &p, counted_loop &loop)
{
    const path_value &v = p.in[loop.header];
    if (!v.known)
        set_phi(p.r, loop, phi_of(v.name), NULL_TREE, v.name);
    if (loop.passes)
        return;
    tree start = build_int_cst(uint32_type_node, loop.bounded ? 0 : -(HOST_WIDE_INT)LOOP_PASSES);
    set_phi(p.r, loop, phi_of(loop.counter), start, loop.bounded ? loop.counted : loop.counter);
    if (!loop.bounded)
        place_check(p, loop);
}

static void place_paths(placer &p)
{
    const ballarus *g = p.r.graph;
    for (counted_loop &loop : p.r.loops)
        place_counted(p.r, loop);
    for (uint32_t i = g->first[g->block_count]; i < g->first[g->block_count + 1]; i++)
        place_on_edge(p, g->out[i]);
    for (uint32_t k = g->order_count; k-- > 0;) {
        uint32_t b = g->order[k];
        for (uint32_t i = g->first[b]; i < g->first[b + 1]; i++)
            place_on_edge(p, g->out[i]);
    }
    place_starts(p);
    place_appends(p);
    for (counted_loop &loop : p.r.loops)
        place_loop(p, loop);
}

static void place_marks(const routine &r)
{
    for (uint32_t b = 0; b < r.blocks.size(); b++) {
        if (marked_on_edges(r, b))
            continue;
        gimple_stmt_iterator at = block_start(r.blocks[b]);
        gsi_insert_before(&at, mark_of(r, b), GSI_SAME_STMT);
    }
}

/* 16 bytes of the frame, zero at entry. */
static void make_activation(routine &r)
{
    tree type = build_array_type_nelts(uint32_type_node, 4);
    r.activation = create_tmp_var(type, "weft_activation");
    mark_addressable(r.activation);
    tree zero = build_constructor(type, NULL);
    gsi_insert_on_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(r.fun)), gimple_build_assign(r.activation, zero));
}

/* Sites get their numbers in the order of blocks and statements. */
static void number_sites(routine &r)
{
    std::vector<site> sorted;
    hash_map<gimple *, unsigned> index;
    for (unsigned i = 0; i < r.sites.size(); i++)
        index.put(r.sites[i].access, i);
    for (basic_block block : r.blocks) {
        size_t before = sorted.size();
        for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
            unsigned *found = is_probe(gsi_stmt(i)) ? index.get(gsi_stmt(i)) : NULL;
            if (!found)
                continue;
            site s = r.sites[*found];
            tree number = numbered(r.site_label, (uint32_t)sorted.size());
            gimple_call_set_arg(s.access, 0, number);
            if (s.value)
                gimple_call_set_arg(s.value, 0, number);
            sorted.push_back(s);
        }
        r.block_sites.push_back(sorted.size() - before);
    }
    r.sites = sorted;
}

static void place_entry_stamp(const routine &r)
{
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(r.fun));
    gsi_insert_on_edge(entry, gimple_build_call(probe_function(PROBE_STAMP), 0));
}

ballarus *number_paths(const routine &r)
{
    uint32_t blocks = r.blocks.size();
    bool *starts = XCNEWVEC(bool, blocks + 1);
    for (uint32_t i = 0; i < blocks; i++)
        starts[i] = r.block_flags[i] & DESCRIPTOR_BLOCK_LANDING;
    ballarus *graph = ballarus_new(blocks, r.edges.data(), r.edges.size(), starts, weft_options.limit);
    XDELETEVEC(starts);
    return graph;
}

void insert_probes(routine &r)
{
    uint32_t blocks = r.blocks.size();
    r.graph = number_paths(r);
    if (!r.graph)
        fatal_error(DECL_SOURCE_LOCATION(r.fun->decl), "weft: the paths of %qD cannot be numbered", r.fun->decl);
    placer p = {r, std::vector<path_value>(blocks), std::vector<bool>(blocks),
                std::vector<std::vector<uint32_t>>(blocks), std::vector<bool>(blocks)};
    number_sites(r);
    derive_accesses(r);
    if (weft_options.ksf)
        make_activation(r);
    if (r.stamped)
        place_entry_stamp(r);
    find_counted_loops(r);
    choose_packs(r);
    find_needed(p);
    find_values(p);
    place_paths(p);
    if (weft_options.oracle)
        place_marks(r);
    gsi_commit_edge_inserts();
    remove_derived_probes(r);
}
