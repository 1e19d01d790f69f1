/* SPDX-License-Identifier: MIT */
/* Base sites: bases of groups (derive.cc) that no access records.
 *
 * With derive=activation, place_bases records them before a loop: for each group whose names are invariant or
 * induction variables in it, if that runs less often than the accesses it serves. Such a *base site* is an access
 * like any other, but for its size of 0: its own sum may be static, or derived from a base that is known there. */
#include "tools/gcc/weft_gcc.h"

#include "cfgloop.h"
#include "gimplify-me.h"
#include "gimplify.h"
#include "tree-phinodes.h"

/* The only edge into the loop; NULL: there are several, or it cannot hold code. */
static edge entry_edge(const class loop *loop)
{
    edge e, entry = NULL;
    edge_iterator i;
    FOR_EACH_EDGE(e, i, loop->header->preds)
    {
        if (flow_bb_inside_loop_p(loop, e->src))
            continue;
        if (entry || e->flags & (EDGE_ABNORMAL | EDGE_EH))
            return NULL;
        entry = e;
    }
    return entry;
}

/* The phi node of the loop's header that defines the term, or NULL. */
static gphi *phi_in_header(tree value, const class loop *loop)
{
    if (TREE_CODE(value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(value))
        return NULL;
    gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(value));
    return phi && gimple_bb(phi) == loop->header ? phi : NULL;
}

static bool is_invariant(tree value, const class loop *loop)
{
    tree name = name_in_term(value);
    if (!name || SSA_NAME_IS_DEFAULT_DEF(name))
        return true;
    basic_block home = gimple_bb(SSA_NAME_DEF_STMT(name));
    return home && !flow_bb_inside_loop_p(loop, home);
}

/* It gains a constant on each way back to the header. */
static bool is_induction(gphi *phi, const class loop *loop)
{
    uint32_t step;
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE(e, i, loop->header->preds)
    if (flow_bb_inside_loop_p(loop, e->src) && (e->flags & (EDGE_ABNORMAL | EDGE_EH) ||
                                                !is_step(PHI_ARG_DEF_FROM_EDGE(phi, e), gimple_phi_result(phi), &step)))
        return false;
    return true;
}

/* Is the base of such a group known throughout the loop, once it is known before it? */
static bool is_carried(const address_sum &sum, const class loop *loop)
{
    for (const address_term &term : sum.terms) {
        gphi *phi = phi_in_header(term.value, loop);
        if (phi ? !is_induction(phi, loop) : !is_invariant(term.value, loop))
            return false;
    }
    return true;
}

/* The base as it is before the loop. */
static tree base_before(const address_sum &sum, const class loop *loop)
{
    tree base = build_int_cst(sizetype, 0);
    for (const address_term &term : sum.terms) {
        gphi *phi = phi_in_header(term.value, loop);
        tree value = phi ? PHI_ARG_DEF_FROM_EDGE(phi, entry_edge(loop)) : term.value;
        tree scale = build_int_cst(sizetype, (HOST_WIDE_INT)(int32_t)term.coefficient);
        value = fold_build2(MULT_EXPR, sizetype, fold_convert(sizetype, unshare_expr(value)), scale);
        base = fold_build2(PLUS_EXPR, sizetype, base, value);
    }
    return fold_convert(ptr_type_node, base);
}

static void add_base_site(routine &r, const address_sum &sum, const class loop *loop)
{
    gimple_seq seq = NULL;
    tree base = base_before(sum, loop);
    address_sum own = sum_of(base);
    base = force_gimple_operand(base, &seq, true, NULL_TREE);
    std::vector<gimple *> argument;
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        argument.push_back(gsi_stmt(i));
    gcall *call = gimple_build_call(probe_function(PROBE_ACCESS), 2, numbered(r.site_label, 0), base);
    gimple_seq_add_stmt(&seq, call);
    gimple_stmt_iterator at = gsi_last_bb(entry_edge(loop)->src);
    gsi_insert_seq_after(&at, seq, GSI_NEW_STMT);
    site s = {call, NULL, 0, DESCRIPTOR_SITE_BASE, UNKNOWN_LOCATION, "", own, argument};
    s.gives = sum;
    s.gives.constant = 0;
    s.gives.symbol = NULL_TREE;
    r.sites.push_back(s);
}

/* Records where the frame is: after a longjmp, that shows which of several activations goes on. */
static void add_frame_site(routine &r, tree frame, gimple_stmt_iterator *at, bool after)
{
    tree address = build_fold_addr_expr(frame);
    gcall *call = gimple_build_call(probe_function(PROBE_ACCESS), 2, numbered(r.site_label, 0), address);
    if (after)
        gsi_insert_after(at, call, GSI_NEW_STMT);
    else
        gsi_insert_before(at, call, GSI_SAME_STMT);
    unsigned flags = DESCRIPTOR_SITE_BASE | DESCRIPTOR_SITE_FRAME;
    r.sites.push_back({call, NULL, 0, flags, UNKNOWN_LOCATION, "", sum_of(address), {}});
}

/* At the entry of a routine that calls setjmp, and after each such call. */
static void place_frames(routine &r)
{
    std::vector<gimple *> calls;
    basic_block block;
    FOR_EACH_BB_FN(block, r.fun)
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
        if (is_gimple_call(gsi_stmt(i)) && gimple_call_flags(gsi_stmt(i)) & ECF_RETURNS_TWICE)
            calls.push_back(gsi_stmt(i));
    if (calls.empty())
        return;
    tree frame = create_tmp_var(unsigned_char_type_node, "weft_frame");
    mark_addressable(frame);
    for (gimple *call : calls) {
        edge next = find_fallthru_edge(gimple_bb(call)->succs);
        gimple_stmt_iterator at = gsi_for_stmt(call);
        if (!stmt_ends_bb_p(call)) {
            add_frame_site(r, frame, &at, true);
        } else if (next) {
            at = gsi_after_labels(single_pred_p(next->dest) ? next->dest : split_edge(next));
            add_frame_site(r, frame, &at, false);
        }
    }
    gimple_stmt_iterator at = gsi_after_labels(split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(r.fun))));
    add_frame_site(r, frame, &at, false);
}

static int frequency(const routine &r, profile_count count)
{
    return count.initialized_p() ? count.to_frequency(r.fun) : 1;
}

/* The groups of the loop's accesses that are worth a base site before it. */
static void place_before(routine &r, const class loop *loop)
{
    edge entry = entry_edge(loop);
    std::vector<const address_sum *> groups;
    std::vector<uint64_t> accesses;
    if (!entry)
        return;
    for (const site &s : r.sites) {
        basic_block home = gimple_bb(s.access);
        if (!s.sum.known || s.sum.terms.empty() || !flow_bb_inside_loop_p(loop, home))
            continue;
        size_t i = 0;
        while (i < groups.size() && !same_terms(*groups[i], s.sum))
            i++;
        if (i == groups.size() && is_carried(s.sum, loop)) {
            groups.push_back(&s.sum);
            accesses.push_back(0);
        }
        if (i < groups.size())
            accesses[i] += frequency(r, home->count);
    }
    std::vector<address_sum> worth;
    for (size_t i = 0; i < groups.size(); i++)
        if (accesses[i] > (uint64_t)frequency(r, entry->count()))
            worth.push_back(*groups[i]);
    if (!worth.empty() && (!single_succ_p(entry->src) || entry->src == ENTRY_BLOCK_PTR_FOR_FN(r.fun)))
        split_edge(entry);
    for (const address_sum &sum : worth)
        add_base_site(r, sum, loop);
}

void place_bases(routine &r)
{
    if (r.sites.empty())
        return;
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
    for (auto loop : loops_list(r.fun, LI_FROM_INNERMOST))
        place_before(r, loop);
    loop_optimizer_finalize();
    place_frames(r);
}
