/* SPDX-License-Identifier: MIT */
/* With probes=inputs: a counter that tells the moments of a run apart (port/cortex-m/places.h). Where a loop begins
 * again, and where a function begins that calls others, the code adds 1 to a variable:
 *
 *     __weft_laps++;
 *
 * So between two such places no instruction is executed twice, but in code without laps: then the counter, the address
 * and what the processor stacks say where an interrupt stands (Mellor-Crummey and LeBlanc, "A software instruction
 * counter", ASPLOS 1989). It is the program's own code: whoever executes the program again gets the same counts.
 *
 * And what devices answer is recorded (port/cortex-m/inputs.c): after each volatile load of a word at most
 *
 *     __weft_input (address, value);
 *
 * but for objects that the program defines. A load of 64 bits is two words, the lower one first. */
#include "tools/gcc/weft_gcc.h"

#include "cfganal.h"
#include "gimplify-me.h"
#include "output.h"

static tree laps;

static const ggc_root_tab lap_roots[] = {
    {&laps, 1, sizeof laps, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

/* Volatile, so that no pass keeps it in a register. A common symbol: it is in an image where some file counts. */
static tree laps_variable(void)
{
    if (laps)
        return laps;
    register_callback("weft_gcc", PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(lap_roots));
    tree type = build_qualified_type(uint32_type_node, TYPE_QUAL_VOLATILE);
    laps = external_object("__weft_laps", type);
    TREE_PUBLIC(laps) = 1;
    TREE_THIS_VOLATILE(laps) = 1;
    TREE_SIDE_EFFECTS(laps) = 1;
    return laps;
}

void define_laps()
{
    if (laps)
        fputs("\t.comm __weft_laps,4,4\n", asm_out_file);
}

static gimple_seq lap(location_t where)
{
    gimple_seq seq = NULL;
    tree before = make_ssa_name(uint32_type_node), after = make_ssa_name(uint32_type_node);
    gassign *steps[] = {gimple_build_assign(before, laps_variable()),
                        gimple_build_assign(after, PLUS_EXPR, before, build_int_cst(uint32_type_node, 1)),
                        gimple_build_assign(laps_variable(), after)};
    for (gassign *step : steps) {
        gimple_set_location(step, where);
        gimple_seq_add_stmt(&seq, step);
    }
    return seq;
}

/* Whether a block calls what may be a function of the program. */
static bool calls(basic_block block)
{
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
        gimple *stmt = gsi_stmt(i);
        if (is_gimple_call(stmt) && !gimple_call_internal_p(stmt) && !gimple_call_builtin_p(stmt))
            return true;
    }
    return false;
}

/* Memory that is no device, since the program defines it. */
static bool is_own_object(tree address)
{
    tree base = TREE_CODE(address) == ADDR_EXPR ? get_base_address(TREE_OPERAND(address, 0)) : NULL_TREE;
    return base && VAR_P(base) && !DECL_EXTERNAL(base);
}

static void remove_call(gcall *call)
{
    gimple_stmt_iterator at = gsi_for_stmt(call);
    unlink_stmt_vdef(call);
    gsi_remove(&at, true);
    release_defs(call);
}

static void place_input(gimple_stmt_iterator *at, tree address, tree value, location_t where)
{
    tree type = build_function_type_list(void_type_node, const_ptr_type_node, uint32_type_node, NULL_TREE);
    value = force_gimple_operand_gsi(at, fold_convert(uint32_type_node, value), true, NULL_TREE, true, GSI_SAME_STMT);
    address = force_gimple_operand_gsi(at, address, true, NULL_TREE, true, GSI_SAME_STMT);
    gcall *call = gimple_build_call(declare_probe("__weft_input", type), 2, address, value);
    gimple_set_location(call, where);
    gsi_insert_before(at, call, GSI_SAME_STMT);
}

/* Of each site one call is left, or two for 64 bits, and that only where it may be a device. Only numbers are
 * recorded. */
void place_inputs(routine &r)
{
    for (site &s : r.sites) {
        tree address = gimple_call_arg(s.access, 1);
        if (s.value && !is_own_object(address)) {
            gimple_stmt_iterator at = gsi_for_stmt(s.value);
            tree value = gimple_call_arg(s.value, 1);
            place_input(&at, address, value, s.where);
            if (s.flags & DESCRIPTOR_SITE_VALUE64)
                place_input(&at, fold_build_pointer_plus_hwi(address, 4),
                            fold_build2(RSHIFT_EXPR, uint64_type_node, value, build_int_cst(uint32_type_node, 32)),
                            s.where);
        }
        if (s.value)
            remove_call(s.value);
        remove_call(s.access);
    }
    r.sites.clear();
}

/* Where an edge leads back, after what must stand first. */
static gimple_stmt_iterator start_of(basic_block block)
{
    gimple_stmt_iterator at = gsi_after_labels(block);
    if (!gsi_end_p(at) && gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_SETJMP_RECEIVER))
        gsi_next(&at);
    return at;
}

/* A handler leaves the counter as it was, so that what it interrupted counts as if nothing had come. Else a handler
 * that comes between the load and the store of a lap would have its own laps taken back. */
static void keep_laps(const routine &r)
{
    location_t where = DECL_SOURCE_LOCATION(r.fun->decl);
    tree before = make_ssa_name(uint32_type_node);
    gassign *keep = gimple_build_assign(before, laps_variable());
    gimple_set_location(keep, where);
    edge e, entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(r.fun));
    edge_iterator i;
    FOR_EACH_EDGE(e, i, EXIT_BLOCK_PTR_FOR_FN(r.fun)->preds)
    {
        gimple_stmt_iterator at = gsi_last_bb(e->src);
        if (gsi_end_p(at) || gimple_code(gsi_stmt(at)) != GIMPLE_RETURN)
            continue;
        gassign *back = gimple_build_assign(laps_variable(), before);
        gimple_set_location(back, gimple_location(gsi_stmt(at)));
        gsi_insert_before(&at, back, GSI_SAME_STMT);
    }
    gsi_insert_on_edge(entry, keep);
    gsi_commit_one_edge_insert(entry, NULL);
}

static void count(const routine &r)
{
    std::set<basic_block> again;
    bool any = false;
    basic_block block;
    mark_dfs_back_edges();
    FOR_EACH_BB_FN(block, r.fun)
    {
        edge e;
        edge_iterator i;
        any |= calls(block);
        FOR_EACH_EDGE(e, i, block->succs)
        if (e->flags & EDGE_DFS_BACK)
            again.insert(e->dest);
    }
    for (basic_block header : again) {
        gimple_stmt_iterator at = start_of(header);
        gsi_insert_seq_before(&at, lap(gsi_end_p(at) ? UNKNOWN_LOCATION : gimple_location(gsi_stmt(at))),
                              GSI_SAME_STMT);
    }
    if (!any)
        return;
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(r.fun));
    gsi_insert_seq_on_edge(entry, lap(DECL_SOURCE_LOCATION(r.fun->decl)));
    gsi_commit_one_edge_insert(entry, NULL);
}

void place_laps(const routine &r, bool handler)
{
    count(r);
    if (handler)
        keep_laps(r);
}
