/* SPDX-License-Identifier: MIT */
/* Path probes: their calls, and the register's values on edges (tools/gcc/register.cc). */
#include "tools/gcc/placing.h"

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

/* Is the routine left for good on this edge? After longjmp a routine that calls setjmp may go on, and after an
 * exception one that catches it. */
static bool leaves_routine(const routine &r, uint32_t index)
{
    const ballarus_edge &e = r.graph->edge[index];
    if (e.to == BALLARUS_EXIT)
        return r.flows[index].kind == DESCRIPTOR_EDGE_RETURN;
    unsigned flags = r.block_flags[e.to];
    return (flags & DESCRIPTOR_BLOCK_TAIL) ||
           ((flags & DESCRIPTOR_BLOCK_NORETURN) && !(flags & DESCRIPTOR_BLOCK_CAUGHT) && !r.fun->calls_setjmp &&
            !r.fun->has_nonlocal_label);
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
gimple_stmt_iterator block_start(basic_block block)
{
    gimple_stmt_iterator at = gsi_after_labels(block);
    if (!gsi_end_p(at) && gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_SETJMP_RECEIVER))
        gsi_next(&at);
    return at;
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
    find_counted_loops(r);
    choose_packs(r);
    derive_accesses(r);
    if (weft_options.ksf)
        make_activation(r);
    if (r.stamped)
        place_entry_stamp(r);
    find_needed(p);
    find_values(p);
    place_paths(p);
    if (weft_options.oracle)
        place_marks(r);
    gsi_commit_edge_inserts();
    tell_packs(p);
    remove_derived_probes(r);
}
