/* SPDX-License-Identifier: MIT */
/* What gcov counts by, so that `weft coverage` counts alike. gcov ends a block after each call or asm that may not come
 * back, and knows the lines of gotos that became edges (break, continue, goto). So the steps of a block are the places
 * of its statements, with marks where gcov cuts it, and an edge may have the place of a goto.
 *
 *     x = 1;         line 10        steps 10, 11
 *     f();           line 11
 *     ------------------------      the block with the call continues the one before it
 *     y = f() + 2;   line 12        steps 12, cut, 12
 *     break;         line 13        the edge has line 13
 *
 * All this must be looked at before the first probe is there. */
#include "tools/gcc/weft_gcc.h"

static bool is_place(location_t where)
{
    return LOCATION_LOCUS(where) > BUILTINS_LOCATION;
}

/* A built-in function that neither throws nor returns twice. */
static bool returns_once(const gimple *call)
{
    tree decl = gimple_call_fndecl(call);
    int flags = gimple_call_flags(call);
    return decl && fndecl_built_in_p(decl) && (flags & ECF_NOTHROW) && !(flags & ECF_RETURNS_TWICE) &&
           !fndecl_built_in_p(decl, BUILT_IN_FORK);
}

/* gcov cuts after it: control may leave the function there. */
static bool may_leave(gimple *stmt)
{
    if (const gasm *code = dyn_cast<const gasm *>(stmt))
        return gimple_asm_volatile_p(code) || gimple_asm_input_p(code);
    if (!is_gimple_call(stmt) || is_probe(stmt) || returns_once(stmt))
        return false;
    int flags = gimple_call_flags(stmt);
    if ((flags & (ECF_PURE | ECF_CONST)) && !(flags & ECF_LOOPING_CONST_OR_PURE))
        return false;
    return !(flags & ECF_NORETURN) || EDGE_COUNT(gimple_bb(stmt)->succs) > 0;
}

/* No statement of the program. */
static bool is_ours(const gimple *stmt)
{
    return is_gimple_debug(stmt) || is_probe(stmt);
}

static bool goes_on(const routine &r, basic_block block)
{
    return single_succ_p(block) && r.continuing.count(single_succ(block));
}

/* The last statement of a block; NULL. */
static gimple *last_own(basic_block block)
{
    gimple_stmt_iterator i = gsi_last_bb(block);
    while (!gsi_end_p(i) && is_ours(gsi_stmt(i)))
        gsi_prev(&i);
    return gsi_end_p(i) ? NULL : gsi_stmt(i);
}

static std::vector<location_t> steps_of(const routine &r, basic_block block)
{
    std::vector<location_t> steps;
    gimple *last = goes_on(r, block) ? NULL : last_own(block);
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
        gimple *stmt = gsi_stmt(i);
        if (is_ours(stmt))
            continue;
        if (is_place(gimple_location(stmt)))
            steps.push_back(gimple_location(stmt));
        if (stmt != last && may_leave(stmt))
            steps.push_back(UNKNOWN_LOCATION);
    }
    return steps;
}

/* The place of the last statement that has one, in what gcov cuts off at the end of a block. */
static location_t place_of_end(basic_block block)
{
    gimple *last = last_own(block);
    for (gimple_stmt_iterator i = gsi_last_bb(block); !gsi_end_p(i); gsi_prev(&i)) {
        gimple *stmt = gsi_stmt(i);
        if (is_ours(stmt))
            continue;
        if (stmt != last && may_leave(stmt))
            break;
        if (is_place(gimple_location(stmt)))
            return gimple_location(stmt);
    }
    return UNKNOWN_LOCATION;
}

static bool same_line(location_t a, location_t b)
{
    return LOCATION_FILE(a) == LOCATION_FILE(b) && LOCATION_LINE(a) == LOCATION_LINE(b);
}

/* A goto is listed unless a statement before has the very same place. */
static void note_gotos(routine &r, basic_block block, const std::set<location_t> &seen)
{
    gimple *last = last_own(block);
    bool one = single_succ_p(block) && !(last && may_leave(last));
    location_t end = place_of_end(block);
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE(e, i, block->succs)
    {
        location_t where = e->goto_locus;
        if (!is_place(where))
            continue;
        bool listed = !seen.count(where);
        if (one && listed)
            r.gotos[e] = {DESCRIPTOR_GOTO_WITHIN, where};
        else if (!one && end != UNKNOWN_LOCATION && !same_line(where, end))
            r.gotos[e] = {DESCRIPTOR_GOTO_ALONE, listed ? where : UNKNOWN_LOCATION};
    }
}

/* Source positions of all switches of the file. */
static std::set<location_t> switches;

/* GCC gives some switches within a case no place. They take that of what stands before them in their block: mostly the
 * label of the case, as in gcov. Their comparisons inherit it. */
static void give_place(gimple_stmt_iterator at)
{
    gimple *decides = gsi_stmt(at);
    for (; !gsi_end_p(at) && !is_place(gimple_location(decides)); gsi_prev(&at))
        gimple_set_location(decides, gimple_location(gsi_stmt(at)));
}

void note_switches(function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    {
        gimple_stmt_iterator last = gsi_last_nondebug_bb(block);
        if (gsi_end_p(last) || gimple_code(gsi_stmt(last)) != GIMPLE_SWITCH)
            continue;
        give_place(last);
        switches.insert(LOCATION_LOCUS(gimple_location(gsi_stmt(last))));
    }
}

/* Of the comparison or table at the end of a block, if it was made of a switch; else UNKNOWN_LOCATION. */
static location_t place_of_switch(basic_block block)
{
    gimple *last = last_own(block);
    if (!last || (gimple_code(last) != GIMPLE_COND && gimple_code(last) != GIMPLE_SWITCH))
        return UNKNOWN_LOCATION;
    location_t where = LOCATION_LOCUS(gimple_location(last));
    return switches.count(where) ? where : UNKNOWN_LOCATION;
}

/* The block holds only a comparison without a source position. GCC also makes such blocks of a switch. */
static bool is_bare(basic_block block)
{
    gimple *last = last_own(block);
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
        if (!is_ours(gsi_stmt(i)) && is_place(gimple_location(gsi_stmt(i))))
            return false;
    return last && gimple_code(last) == GIMPLE_COND;
}

/* What the comparison or table at the end of a block looks at, and what that was computed from within the block: GCC
 * subtracts the least case of a range, and shifts a bit to the number of the case. */
static std::set<tree> looked_at(basic_block block)
{
    std::set<tree> names;
    gimple *last = last_own(block);
    tree name = NULL_TREE;
    if (last && gimple_code(last) == GIMPLE_COND)
        name = gimple_cond_lhs(last);
    else if (last && gimple_code(last) == GIMPLE_SWITCH)
        name = gimple_switch_index(as_a<gswitch *>(last));
    while (name && TREE_CODE(name) == SSA_NAME) {
        names.insert(name);
        gimple *made = SSA_NAME_DEF_STMT(name);
        bool here = gimple_bb(made) == block && is_gimple_assign(made);
        name = here ? SINGLE_SSA_TREE_OPERAND(made, SSA_OP_USE) : NULL_TREE;
    }
    return names;
}

static bool share_a_name(basic_block a, basic_block b)
{
    std::set<tree> names = looked_at(a);
    for (tree name : looked_at(b))
        if (names.count(name))
            return true;
    return false;
}

/* A comparison without a place goes on with what the block before it compares, if that is of a switch or has no place
 * either, and both look at the same: it may be the first of a switch within a case. */
bool goes_on_with_switch(basic_block block)
{
    location_t where = place_of_switch(block);
    if (where == UNKNOWN_LOCATION) {
        if (!is_bare(block) || !single_pred_p(block))
            return false;
        basic_block before = single_pred(block);
        gimple *last = last_own(before);
        bool of_switch = place_of_switch(before) != UNKNOWN_LOCATION || (last && !is_place(gimple_location(last)));
        return of_switch && share_a_name(block, before);
    }
    for (int steps = n_basic_blocks_for_fn(cfun); steps > 0 && single_pred_p(block); steps--) {
        block = single_pred(block);
        location_t place = place_of_switch(block);
        if (place != UNKNOWN_LOCATION)
            return where == place;
        if (!is_bare(block))
            return false;
    }
    return false;
}

void note_pieces(routine &r)
{
    std::set<location_t> seen;
    basic_block block;
    for (basic_block b : r.blocks)
        r.block_steps.push_back(steps_of(r, b));
    seen.insert(DECL_SOURCE_LOCATION(r.fun->decl));
    FOR_EACH_BB_FN(block, r.fun)
    {
        for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
            if (!is_ours(gsi_stmt(i)))
                seen.insert(gimple_location(gsi_stmt(i)));
        if (!is_dispatcher(block) && !goes_on(r, block))
            note_gotos(r, block, seen);
    }
}
