/* SPDX-License-Identifier: MIT */
/* The path graph of a routine. Blocks are split so that
 *   - a call that ends paths is the first statement of its block,
 *   - several ways that lead to such a call join before it, in a block of their own: one record serves them all,
 *   - a call that may return twice is alone in its block (after the second return the path register is set again),
 *   - a block where control arrives by an edge that cannot hold code (a landing) does not begin with such a call,
 *   - a call in tail position has a return of its own, where no path is recorded: the call may become a jump.
 * Edges that hold no code: abnormal ones and those of exceptions. Those from calls are left out, for they are not a way
 * on which anything can be recorded; those from computed gotos become one edge AWAY. */
#include "tools/gcc/weft_gcc.h"

#include "cfganal.h"
#include "tree-eh.h"

/* Of builtins.h, which asks for a library header that Debian does not install beside it. */
extern bool is_inexpensive_builtin(tree);

#define EDGE_UNSPLITTABLE (EDGE_ABNORMAL | EDGE_EH)

static bool returns_twice(const gimple *stmt)
{
    return is_gimple_call(stmt) && (gimple_call_flags(stmt) & ECF_RETURNS_TWICE);
}

static bool is_noreturn(const gimple *stmt)
{
    return is_gimple_call(stmt) && (gimple_call_flags(stmt) & ECF_NORETURN);
}

static bool is_tail_call(const gimple *stmt)
{
    return is_gimple_call(stmt) && gimple_call_tail_p(as_a<const gcall *>(stmt));
}

/* Built-in functions that never call a function of the program. */
static bool stays_inline(const gimple *stmt)
{
    if (gimple_call_internal_p(stmt))
        return true;
    if (!gimple_call_builtin_p(stmt))
        return false;
    tree decl = gimple_call_fndecl(stmt);
    if (DECL_BUILT_IN_CLASS(decl) == BUILT_IN_NORMAL) {
        switch (DECL_FUNCTION_CODE(decl)) {
        case BUILT_IN_UNREACHABLE:
        case BUILT_IN_SETJMP_SETUP:
        case BUILT_IN_SETJMP_RECEIVER:
        case BUILT_IN_STACK_SAVE:
        case BUILT_IN_STACK_RESTORE:
        case BUILT_IN_UNWIND_INIT:
        case BUILT_IN_DWARF_CFA:
        case BUILT_IN_EH_POINTER:
        case BUILT_IN_PREFETCH:
        case BUILT_IN_INIT_TRAMPOLINE:
        case BUILT_IN_ADJUST_TRAMPOLINE:
            return true;
        default:
            break;
        }
        /* Library routines in all but name: atomics and bit counts that a small core lacks. */
        const char *name = IDENTIFIER_POINTER(DECL_NAME(decl));
        if (starts_with(name, "__atomic_") || starts_with(name, "__sync_"))
            return true;
    }
    return !is_noreturn(stmt) && is_inexpensive_builtin(decl);
}

static bool ends_paths(const gimple *stmt)
{
    if (!is_gimple_call(stmt) || is_probe(stmt) || stays_inline(stmt))
        return false;
    return !weft_options.span || is_noreturn(stmt) || is_tail_call(stmt) || returns_twice(stmt);
}

static bool is_landing(basic_block block)
{
    gimple *first = first_real_statement(block);
    edge e;
    edge_iterator i;
    if (is_dispatcher(block) || (first && returns_twice(first)))
        return false;
    FOR_EACH_EDGE(e, i, block->preds)
    if (e->flags & EDGE_UNSPLITTABLE)
        return true;
    return false;
}

/* Several ways lead to a call that ends paths. */
static bool joins_at_call(basic_block block)
{
    gimple *first = first_real_statement(block);
    return first && ends_paths(first) && !returns_twice(first) && EDGE_COUNT(block->preds) > 1;
}

/* The rest of a block, which a call or labels begin. */
static basic_block split_off(routine &r, basic_block block, gimple *before)
{
    basic_block rest = before ? split_block(block, before)->dest : split_block_after_labels(block)->dest;
    r.continuing.insert(rest);
    return rest;
}

/* Splits one block, and what is split off it. */
static void split_at_calls(routine &r, basic_block block)
{
    if (is_dispatcher(block))
        return;
    gimple *before = NULL; /* the last statement before the one looked at, but for labels and debug statements */
    if (is_landing(block) || joins_at_call(block))
        block = split_off(r, block, NULL);
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i);) {
        gimple *stmt = gsi_stmt(i);
        if (gimple_code(stmt) == GIMPLE_LABEL || is_gimple_debug(stmt)) {
            gsi_next(&i);
            continue;
        }
        if (ends_paths(stmt) && before) {
            block = split_off(r, block, before);
            i = gsi_for_stmt(stmt);
        }
        before = stmt;
        gsi_next(&i);
        if (returns_twice(stmt) && ends_paths(stmt) && !gsi_end_p(i)) {
            block = split_off(r, block, stmt);
            i = gsi_start_bb(block);
            before = NULL;
        }
    }
}

/* The value that a phi node, if it is one of `block`, has on the edge from `from`. */
static tree through_phi(tree value, edge e)
{
    for (gphi_iterator i = gsi_start_phis(e->dest); !gsi_end_p(i); gsi_next(&i))
        if (gimple_phi_result(i.phi()) == value)
            return PHI_ARG_DEF_FROM_EDGE(i.phi(), e);
    return value;
}

/* Follows control from edge `e` to the return; all edges on the way into `way`. NULL: something is done on the way. */
static greturn *find_return(edge e, std::vector<edge> &way)
{
    for (int steps = 0; steps < 100; steps++) {
        way.push_back(e);
        for (gimple_stmt_iterator i = gsi_start_bb(e->dest); !gsi_end_p(i); gsi_next(&i)) {
            gimple *stmt = gsi_stmt(i);
            if (greturn *found = dyn_cast<greturn *>(stmt))
                return found;
            if (gimple_code(stmt) != GIMPLE_LABEL && !is_gimple_debug(stmt) && !gimple_clobber_p(stmt) &&
                gimple_code(stmt) != GIMPLE_NOP && gimple_code(stmt) != GIMPLE_PREDICT)
                return NULL;
        }
        if (!single_succ_p(e->dest))
            return NULL;
        e = single_succ_edge(e->dest);
    }
    return NULL;
}

static void give_own_return(basic_block block, gcall *call, edge e)
{
    std::vector<edge> way;
    greturn *shared = find_return(e, way);
    if (!shared) {
        gimple_call_set_tail(call, false);
        return;
    }
    tree value = gimple_return_retval(shared);
    for (size_t i = way.size(); value && i-- > 0;)
        value = through_phi(value, way[i]);
    greturn *own = gimple_build_return(value);
    gimple_set_location(own, gimple_location(shared));
    remove_edge(e);
    for (size_t i = 0; i < way.size(); i++) {
        basic_block passed = i + 1 < way.size() ? way[i + 1]->src : gimple_bb(shared);
        if (EDGE_COUNT(passed->preds) > 0)
            break;
        delete_basic_block(passed);
    }
    gimple_stmt_iterator end = gsi_last_bb(block);
    gsi_insert_after(&end, own, GSI_NEW_STMT);
    make_single_succ_edge(block, EXIT_BLOCK_PTR_FOR_FN(cfun), 0);
}

/* The call in tail position of a block, with what follows it in the block, if it is followed by anything but the
 * return. */
static gcall *find_tail_call(basic_block block, bool &last)
{
    gcall *found = NULL;
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
        gimple *stmt = gsi_stmt(i);
        if (is_tail_call(stmt)) {
            found = as_a<gcall *>(stmt);
            last = true;
        } else if (!is_gimple_debug(stmt) && !gimple_clobber_p(stmt) && gimple_code(stmt) != GIMPLE_NOP &&
                   gimple_code(stmt) != GIMPLE_PREDICT) {
            last = false;
        }
    }
    return found;
}

/* Tail calls whose return is shared with other ways get their own; where that cannot be, they are ordinary calls. */
static void settle_tail_calls(function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    {
        bool last = false;
        gcall *call = find_tail_call(block, last);
        if (!call || gimple_code(last_nondebug_stmt(block)) == GIMPLE_RETURN)
            continue;
        if (last && single_succ_p(block) && !(single_succ_edge(block)->flags & EDGE_UNSPLITTABLE))
            give_own_return(block, call, single_succ_edge(block));
        else
            gimple_call_set_tail(call, false);
    }
}

static unsigned flags_of(const routine &r, basic_block block)
{
    gimple *first = first_real_statement(block);
    unsigned flags = is_landing(block) ? DESCRIPTOR_BLOCK_LANDING : 0;
    flags |= r.continuing.count(block) ? DESCRIPTOR_BLOCK_CONTINUES : 0;
    flags |= block->next_bb == EXIT_BLOCK_PTR_FOR_FN(r.fun) ? DESCRIPTOR_BLOCK_LAST : 0;
    flags |= goes_on_with_switch(block) ? DESCRIPTOR_BLOCK_CASES : 0;
    if (first && ends_paths(first)) {
        flags |= DESCRIPTOR_BLOCK_CALL;
        flags |= is_tail_call(first) ? DESCRIPTOR_BLOCK_TAIL : 0;
        flags |= is_noreturn(first) ? DESCRIPTOR_BLOCK_NORETURN : 0;
        flags |= returns_twice(first) ? DESCRIPTOR_BLOCK_TWICE : 0;
    }
    return flags;
}

/* Reachable blocks in reverse postorder. */
static void list_blocks(routine &r)
{
    std::vector<int> order(n_basic_blocks_for_fn(r.fun));
    int count = pre_and_rev_post_order_compute_fn(r.fun, NULL, order.data(), false);
    basic_block block;
    FOR_ALL_BB_FN(block, r.fun)
    block->aux = NULL;
    for (int i = 0; i < count; i++) {
        block = BASIC_BLOCK_FOR_FN(r.fun, order[i]);
        if (is_dispatcher(block))
            continue;
        r.blocks.push_back(block);
        r.block_flags.push_back(flags_of(r, block));
        block->aux = (void *)(uintptr_t)r.blocks.size();
    }
}

/* Hands on an exception to the callers, after a cleanup. */
static bool resumes(const gimple *stmt)
{
    return gimple_call_builtin_p(stmt, BUILT_IN_UNWIND_RESUME) || gimple_call_builtin_p(stmt, BUILT_IN_CXA_END_CLEANUP);
}

/* Where an exception arrives that comes out of the call of a block. */
static void note_landings(routine &r)
{
    edge e;
    edge_iterator k;
    r.block_landing.assign(r.blocks.size(), BALLARUS_NONE);
    for (uint32_t i = 0; i < r.blocks.size(); i++) {
        unsigned &flags = r.block_flags[i];
        if (!(flags & DESCRIPTOR_BLOCK_CALL))
            continue;
        FOR_EACH_EDGE(e, k, r.blocks[i]->succs)
        {
            if (!(e->flags & EDGE_EH))
                continue;
            flags |= DESCRIPTOR_BLOCK_CAUGHT;
            r.block_landing[i] = (uint32_t)(uintptr_t)e->dest->aux - 1;
        }
        if (!(flags & DESCRIPTOR_BLOCK_CAUGHT) && resumes(first_real_statement(r.blocks[i])))
            flags |= DESCRIPTOR_BLOCK_TAIL;
    }
}

static void add_flow(routine &r, uint32_t from, uint32_t to, edge cfg, unsigned kind)
{
    ballarus_edge e = {};
    e.from = from;
    e.to = to;
    e.cut = to != BALLARUS_EXIT && (r.block_flags[to] & (DESCRIPTOR_BLOCK_CALL | DESCRIPTOR_BLOCK_LANDING));
    if (cfg) {
        profile_count count = cfg->count();
        e.weight = count.initialized_p() ? (uint32_t)MIN(count.to_frequency(r.fun), 1000000) : 1;
    }
    r.edges.push_back(e);
    auto found = r.gotos.find(cfg);
    r.flows.push_back({cfg, kind, found == r.gotos.end() ? goto_place() : found->second});
}

/* Those expected most come first: the first edge out of a block has the value 0. */
static void sort_edges(routine &r, size_t first)
{
    for (size_t i = first + 1; i < r.edges.size(); i++)
        for (size_t k = i; k > first && r.edges[k - 1].weight < r.edges[k].weight; k--) {
            std::swap(r.edges[k - 1], r.edges[k]);
            std::swap(r.flows[k - 1], r.flows[k]);
        }
}

static void list_edges(routine &r)
{
    edge e, entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(r.fun));
    edge_iterator k;
    add_flow(r, BALLARUS_ENTRY, (uint32_t)(uintptr_t)entry->dest->aux - 1, entry, DESCRIPTOR_EDGE_FLOW);
    for (uint32_t i = 0; i < r.blocks.size(); i++) {
        gimple *last = last_nondebug_stmt(r.blocks[i]);
        size_t before = r.edges.size();
        if (r.block_flags[i] & (DESCRIPTOR_BLOCK_TAIL | DESCRIPTOR_BLOCK_NORETURN)) {
            add_flow(r, i, BALLARUS_EXIT, NULL, DESCRIPTOR_EDGE_STOP);
            continue;
        }
        if (last && computed_goto_p(last))
            add_flow(r, i, BALLARUS_EXIT, NULL, DESCRIPTOR_EDGE_AWAY);
        FOR_EACH_EDGE(e, k, r.blocks[i]->succs)
        {
            if (e->flags & EDGE_UNSPLITTABLE)
                continue;
            if (e->dest == EXIT_BLOCK_PTR_FOR_FN(r.fun))
                add_flow(r, i, BALLARUS_EXIT, e, DESCRIPTOR_EDGE_RETURN);
            else
                add_flow(r, i, (uint32_t)(uintptr_t)e->dest->aux - 1, e, DESCRIPTOR_EDGE_FLOW);
        }
        if (r.edges.size() == before)
            add_flow(r, i, BALLARUS_EXIT, NULL, DESCRIPTOR_EDGE_STOP);
        sort_edges(r, before);
    }
}

void cut_at_calls(routine &r)
{
    std::vector<basic_block> blocks;
    basic_block block;
    settle_tail_calls(r.fun);
    FOR_EACH_BB_FN(block, r.fun)
    blocks.push_back(block);
    for (basic_block b : blocks)
        split_at_calls(r, b);
    list_blocks(r);
    note_landings(r);
    note_pieces(r);
    list_edges(r);
}
