/* SPDX-License-Identifier: MIT */
/* Debug information of a local variable, `weft_pack`: it says where the pack is, for those who read a fault. It changes
 * no code. Where the path has no register, the variable is a constant. Where no later probe records the pack, its value
 * is not known. */
#include "tools/gcc/placing.h"

static tree declare_variable(const routine &r)
{
    tree var = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("weft_pack"), uint32_type_node);
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

void tell_packs(const placer &p)
{
    basic_block block;
    if (p.r.packed)
        flag_schedule_interblock = 0; /* or a binding moves before instructions of the path that ended */
    if (!p.r.packed || !MAY_HAVE_DEBUG_BIND_STMTS || !DECL_INITIAL(p.r.fun->decl))
        return;
    tree var = declare_variable(p.r);
    FOR_EACH_BB_FN(block, p.r.fun)
    tell_changes(block, var);
    for (uint32_t b = 0; b < p.r.blocks.size(); b++)
        if (p.in[b].seen)
            tell_start(p, b, var);
}
