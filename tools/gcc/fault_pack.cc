/* SPDX-License-Identifier: MIT */
/* Debug information of a local variable, `weft_pack`: it says where the pack is, for those who read a fault. It changes
 * no code. Where the path has no register, the variable is a constant. Where no later probe records the pack, its value
 * is not known.
 *
 * In a routine of a black box without packs, `weft_path` is the number that the path would have if no edge after the
 * block gained anything. The register holds another sum, of increments on the chords. The two differ by a constant in
 * each block, by whatever way it is reached: increments are values that were moved along the spanning tree. */
#include "tools/gcc/placing.h"

static tree declare_variable(const routine &r, const char *name)
{
    tree var = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), uint32_type_node);
    tree block = DECL_INITIAL(r.fun->decl);
    DECL_CONTEXT(var) = r.fun->decl;
    DECL_ARTIFICIAL(var) = 1;
    TREE_USED(var) = 1;
    DECL_CHAIN(var) = BLOCK_VARS(block);
    BLOCK_VARS(block) = var;
    return var;
}

/* Binds the variable to what the register holds at a block's start. Each block does so again. For the compiler may move
 * a statement up, into a block with several successors. Its binding moves with it, and is right for one of these
 * successors only. */
static void tell_start(const placer &p, uint32_t b, tree var)
{
    const path_value &v = p.in[b];
    gimple_stmt_iterator at = block_start(p.r.blocks[b]);
    tree value = NULL_TREE;
    if (p.needed[b] && !v.known && !v.phi && gimple_bb(SSA_NAME_DEF_STMT(v.name)) == p.r.blocks[b])
        return; /* tell_changes() binds it after the statement that makes it */
    if (v.known && p.needed[b])
        value = build_int_cst(uint32_type_node, (1u << pack_first(p.r)) + v.constant);
    else if (p.needed[b])
        value = v.name;
    gdebug *told = gimple_build_debug_bind(var, value, NULL);
    gsi_insert_before(&at, told, GSI_SAME_STMT);
}

/* Binds the variable again after each statement that changes the register. */
static void tell_changes(basic_block block, tree var)
{
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        tree name = NULL_TREE;
        if (gasm *code = dyn_cast<gasm *>(gsi_stmt(at)))
            name = gimple_asm_noutputs(code) == 1 ? TREE_VALUE(gimple_asm_output_op(code, 0)) : NULL_TREE;
        else if (is_gimple_assign(gsi_stmt(at)))
            name = gimple_assign_lhs(gsi_stmt(at));
        if (!name || !is_pack(name))
            continue;
        gdebug *told = gimple_build_debug_bind(var, name, NULL);
        gsi_insert_after(&at, told, GSI_NEW_STMT);
    }
}

void schedule_as_asked(tree function)
{
    flag_schedule_interblock = opt_for_fn(function, flag_schedule_interblock);
}

/* By block: what the sum of values along a way to it exceeds the sum of increments by. */
static std::vector<uint32_t> find_excess(const placer &p)
{
    const ballarus *g = p.r.graph;
    std::vector<uint32_t> excess(p.r.blocks.size());
    for (uint32_t k = g->order_count; k-- > 0;) { /* sources first */
        uint32_t b = g->order[k];
        if (g->start[b])
            excess[b] = g->start_value[b] - g->start_increment[b];
        for (uint32_t i : p.into[b]) {
            const ballarus_edge &e = g->edge[i];
            uint32_t before = e.from == BALLARUS_ENTRY ? 0 : excess[e.from];
            excess[b] = before + e.value - e.increment;
        }
    }
    return excess;
}

/* In a counted loop the register holds the path that led to it. */
static void tell_path(const placer &p, uint32_t b, tree var, uint32_t excess)
{
    const path_value &v = p.in[b];
    tree value = NULL_TREE;
    if (v.seen && p.r.loop_of[b] < 0 && v.known)
        value = numbered(p.r.path_label, v.constant + excess);
    else if (v.seen && p.r.loop_of[b] < 0 && p.needed[b])
        value = excess ? build2(POINTER_PLUS_EXPR, ptr_type_node, v.name,
                                build_int_cst(sizetype, (HOST_WIDE_INT)(int32_t)excess))
                       : v.name;
    gimple_stmt_iterator at = block_start(p.r.blocks[b]);
    gsi_insert_before(&at, gimple_build_debug_bind(var, value, NULL), GSI_SAME_STMT);
}

static void tell_paths(const placer &p)
{
    std::vector<uint32_t> excess = find_excess(p);
    tree var = declare_variable(p.r, "weft_path");
    TREE_TYPE(var) = ptr_type_node;
    for (uint32_t b = 0; b < p.r.blocks.size(); b++)
        tell_path(p, b, var, excess[b]);
}

void tell_packs(const placer &p)
{
    basic_block block;
    if (p.r.packed || weft_options.last)
        flag_schedule_interblock = 0; /* or a binding moves before instructions of the path that ended */
    if (!MAY_HAVE_DEBUG_BIND_STMTS || !DECL_INITIAL(p.r.fun->decl))
        return;
    if (!p.r.packed && weft_options.last)
        tell_paths(p);
    if (!p.r.packed)
        return;
    tree var = declare_variable(p.r, "weft_pack");
    FOR_EACH_BB_FN(block, p.r.fun)
    tell_changes(block, var);
    for (uint32_t b = 0; b < p.r.blocks.size(); b++)
        if (p.in[b].seen)
            tell_start(p, b, var);
}
