/* SPDX-License-Identifier: MIT */
/* Puts base sites into the code (bases.cc). */
#include "tools/gcc/bases.h"

#include "gimplify-me.h"
#include "gimplify.h"

static bool is_placed(const routine &r, const address_sum &sum, basic_block block)
{
    for (const site &s : r.sites)
        if (s.gives.known && gimple_bb(s.access) == block && same_terms(s.gives, sum))
            return true;
    return false;
}

/* A base site that gives the sum, whose value is `base`. */
static site &add_base_site(routine &r, const address_sum &sum, tree base, gimple_stmt_iterator at, bool after)
{
    gimple_seq seq = NULL;
    address_sum own = sum_of(base);
    base = force_gimple_operand(base, &seq, true, NULL_TREE);
    std::vector<gimple *> argument;
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        argument.push_back(gsi_stmt(i));
    gcall *call = gimple_build_call(probe_function(PROBE_ACCESS), 2, numbered(r.site_label, 0), base);
    gimple_seq_add_stmt(&seq, call);
    if (after)
        gsi_insert_seq_after(&at, seq, GSI_NEW_STMT);
    else
        gsi_insert_seq_before(&at, seq, GSI_SAME_STMT);
    site s = {call, NULL, 0, DESCRIPTOR_SITE_BASE, UNKNOWN_LOCATION, "", own, argument};
    s.gives = bare(sum);
    r.sites.push_back(s);
    return r.sites.back();
}

/* The value of a sum; on an edge, if there is one, in terms of what its target's phi nodes take there. */
static tree value_of(const address_sum &sum, edge e)
{
    tree base = build_int_cst(sizetype, 0);
    for (const address_term &term : sum.terms) {
        tree value = e ? term_before(term.value, e) : term.value;
        tree scale = build_int_cst(sizetype, (HOST_WIDE_INT)(int32_t)term.coefficient);
        value = fold_build2(MULT_EXPR, sizetype, fold_convert(sizetype, unshare_expr(value)), scale);
        base = fold_build2(PLUS_EXPR, sizetype, base, value);
    }
    return fold_convert(ptr_type_node, base);
}

/* On an edge, in a block that only it leads to. */
static void place_on_edge(routine &r, const base_place &place)
{
    edge e = place.at;
    if (e->dest != place.block)
        e = single_succ_edge(e->dest); /* split for another one */
    gimple *last = last_nondebug_stmt(e->src);
    if (!single_succ_p(e->src) || e->src == ENTRY_BLOCK_PTR_FOR_FN(r.fun) || (last && stmt_ends_bb_p(last)))
        e = single_succ_edge(split_edge(e));
    if (is_placed(r, place.sum, e->src))
        return;
    tree value = value_of(place.sum, place.ahead ? e : NULL);
    add_base_site(r, place.sum, value, gsi_last_bb(e->src), true).ahead = place.ahead;
}

void place_keeping(routine &r, const keeping &k)
{
    for (const base_place &place : k.places)
        place_on_edge(r, place);
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

void place_frames(routine &r)
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

/* The value probe that follows a load, after what makes its argument; else the statement itself. */
static gimple *with_value_probe(const routine &r, gimple *stmt)
{
    gimple_stmt_iterator at = gsi_for_stmt(stmt);
    do
        gsi_next_nondebug(&at);
    while (!gsi_end_p(at) && is_gimple_assign(gsi_stmt(at)) && !gimple_vuse(gsi_stmt(at)));
    for (const site &s : r.sites)
        if (!gsi_end_p(at) && s.value == gsi_stmt(at))
            return s.value;
    return stmt;
}

/* Right after its definition. An access is not parted from its value: a coder predicts that by the record before. */
void place_name(routine &r, tree name)
{
    gimple *stmt = SSA_NAME_DEF_STMT(name);
    address_sum sum = sum_of_name(name);
    bool phi = gimple_code(stmt) == GIMPLE_PHI;
    gimple_stmt_iterator at = phi ? gsi_after_labels(gimple_bb(stmt)) : gsi_for_stmt(with_value_probe(r, stmt));
    for (const site &s : r.sites)
        if (s.gives.known && same_terms(s.gives, sum) && gimple_bb(s.access) == gimple_bb(stmt))
            return;
    add_base_site(r, sum, value_of(sum, NULL), at, !phi);
}
