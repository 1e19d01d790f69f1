/* SPDX-License-Identifier: MIT */
/* The probes of counted loops (tools/gcc/loops.cc finds these). */
#include "tools/gcc/placing.h"

#include "gimple-expr.h"
#include "gimplify.h"
#include "gimplify-me.h"

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
path_value place_exit(const placer &p, const counted_loop &loop, uint32_t index, gimple_seq *seq)
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

/* Before the edges out of a loop are placed, which read the counter. */
void place_counted(const routine &r, counted_loop &loop)
{
    if (loop.passes || !loop.bounded)
        return;
    gimple_seq code = NULL;
    loop.counted = add_sum(&code, loop.counter, 1);
    gimple_stmt_iterator at = block_start(r.blocks[loop.header]);
    gsi_insert_seq_before(&at, code, GSI_SAME_STMT);
}

/* What the phi nodes of a loop's header hold. */
void place_loop(const placer &p, counted_loop &loop)
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
