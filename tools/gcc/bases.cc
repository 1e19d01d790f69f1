/* SPDX-License-Identifier: MIT */
/* Base sites: probes that record what addresses in a loop follow from (derive.cc), where they run less often than the
 * accesses that they serve.
 *
 * A sum is *kept* in a loop if it is known throughout once it is known before: each of its names is invariant there, or
 * defined by phi nodes only, which hand it on from turn to turn, with constant steps. Where an edge brings another
 * value, as `best` in
 *
 *     while (...) if (better(a[i + best])) best = length;
 *
 * a base site on that edge records the sum anew: an *exception*. So a kept sum costs a record before the loop and one
 * for each time that an exception is taken.
 *
 * What is not kept may have one name that changes each turn. Then the name itself is recorded, once after its
 * definition, and addresses that contain it are computed from it and from what is kept, also if a shift or a mask is
 * applied first:
 *
 *     do {
 *         ... window[best + match] ...
 *     } while ((match = previous[match & mask]) > limit);
 *
 * records match, and window + best where best changes, and neither of the two addresses. */
#include "tools/gcc/sums.h"

#include "cfgloop.h"
#include "gimplify-me.h"
#include "gimplify.h"

/* Most exceptions of a kept sum, and most forms that it takes on the way around the loop. Reasonable range 2 to 8: more
 * code, and fewer records where a variable is set in many places */
#define EXCEPTIONS_MAX 4
#define FORMS_MAX 8

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

static int frequency(const routine &r, profile_count count)
{
    return count.initialized_p() ? count.to_frequency(r.fun) : 1;
}

/* What defines a term's name within the loop, or NULL. */
static gimple *definition_inside(tree value, const class loop *loop)
{
    tree name = name_in_term(value);
    if (!name || SSA_NAME_IS_DEFAULT_DEF(name))
        return NULL;
    gimple *stmt = SSA_NAME_DEF_STMT(name);
    return gimple_bb(stmt) && flow_bb_inside_loop_p(loop, gimple_bb(stmt)) ? stmt : NULL;
}

/* In order of appearance, so that each compilation gives the same. */
template <typename T> static void add_once(std::vector<T> &list, T one)
{
    for (T other : list)
        if (other == one)
            return;
    list.push_back(one);
}

/* All its names come from before the loop, or from phi nodes; with `header`, only from those of the loop's header. */
static bool is_handed_on(const address_sum &sum, const class loop *loop, bool header)
{
    for (const address_term &term : sum.terms) {
        gimple *stmt = definition_inside(term.value, loop);
        if (stmt && (gimple_code(stmt) != GIMPLE_PHI || (header && gimple_bb(stmt) != loop->header)))
            return false;
    }
    return true;
}

/* A sum on an edge that leads to `block`, where a base site is to record it. */
struct base_place {
    edge at;
    basic_block block;
    address_sum sum;
    bool ahead; /* the sum as it is after the edge; else in terms of what is there before */
};

/* A kept sum. */
struct keeping {
    std::vector<address_sum> forms; /* the sum, and what it is in terms of other phi nodes of the loop */
    std::vector<base_place> places;
    int cost = 0;        /* frequency of them all */
    bool within = false; /* some are in the loop: without them, its accesses would be recorded once a turn at most */
};

static bool has_form(const keeping &k, const address_sum &sum)
{
    for (const address_sum &form : k.forms)
        if (same_terms(form, sum))
            return true;
    return false;
}

static address_sum bare(address_sum sum)
{
    sum.constant = 0;
    sum.symbol = NULL_TREE;
    sum.known = true;
    return sum;
}

static bool add_place(const routine &r, keeping &k, edge at, const address_sum &sum)
{
    if (at->flags & (EDGE_ABNORMAL | EDGE_EH) || k.places.size() == EXCEPTIONS_MAX + 1)
        return false;
    address_sum before = sum_before(sum, at);
    bool ahead = !before.known || before.terms.empty();
    k.places.push_back({at, at->dest, bare(ahead ? sum : before), ahead});
    k.cost += frequency(r, at->count());
    return true;
}

/* One edge to a block with phi nodes that define names of the form. False: it cannot be kept. */
static bool follow_edge(const routine &r, keeping &k, const class loop *loop, const address_sum &form, edge e)
{
    address_sum before = sum_before(form, e);
    if (!flow_bb_inside_loop_p(loop, e->src))
        return true; /* below */
    if (before.known && (before.terms.empty() || has_form(k, before)))
        return true;
    if (!before.known || !is_handed_on(before, loop, false)) {
        k.within = true;
        return add_place(r, k, e, form);
    }
    k.forms.push_back(bare(before));
    return k.forms.size() <= FORMS_MAX;
}

static bool follow_form(const routine &r, keeping &k, const class loop *loop, const address_sum &form)
{
    std::vector<basic_block> blocks;
    edge e;
    edge_iterator i;
    for (const address_term &term : form.terms)
        if (gimple *stmt = definition_inside(term.value, loop))
            add_once(blocks, gimple_bb(stmt));
    for (basic_block block : blocks)
        FOR_EACH_EDGE(e, i, block->preds)
    if (!follow_edge(r, k, loop, form, e))
        return false;
    return true;
}

/* False: the sum cannot be kept in the loop. */
static bool keep(const routine &r, keeping &k, const class loop *loop, const address_sum &sum)
{
    edge entry = entry_edge(loop);
    if (!entry || !is_handed_on(sum, loop, false))
        return false;
    k.forms.push_back(bare(sum));
    for (size_t i = 0; i < k.forms.size(); i++) {
        const address_sum form = k.forms[i];
        if (!follow_form(r, k, loop, form))
            return false;
    }
    for (const address_sum &form : k.forms) {
        if (!is_handed_on(form, loop, true))
            continue;
        address_sum before = sum_before(form, entry);
        if ((!before.known || !before.terms.empty()) && !add_place(r, k, entry, form))
            return false;
    }
    return true;
}

/* ---- placing ---- */

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

static void place_keeping(routine &r, const keeping &k)
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

/* ---- names that change each turn ---- */

/* Distinct sums of a loop's accesses. */
struct loop_sum {
    address_sum sum;
    uint64_t accesses = 0; /* frequency of them all */
    uint64_t most = 0;     /* and of the most frequent */
    tree name = NULL_TREE; /* the one that is not kept */
    std::vector<computed_term> computed = {};
    std::vector<keeping> kept = {};
};

/* A name with a definition that a record can stand after. */
static bool is_recordable(tree name)
{
    if (SSA_NAME_IS_DEFAULT_DEF(name) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name) ||
        TYPE_PRECISION(TREE_TYPE(name)) != 32 || FLOAT_TYPE_P(TREE_TYPE(name)))
        return false;
    gimple *stmt = SSA_NAME_DEF_STMT(name);
    return gimple_bb(stmt) && (gimple_code(stmt) == GIMPLE_PHI || !stmt_ends_bb_p(stmt));
}

static address_sum sum_of_name(tree name)
{
    address_sum sum;
    sum.known = true;
    sum.terms.push_back({1, name});
    return sum;
}

/* The operation that defines a name, as far as a term can express it: of *argument, and for DESCRIPTOR_AND_BASE of
 * *mask. */
static bool find_operation(tree name, computed_term &term, tree *argument, tree *mask)
{
    gassign *stmt = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(name));
    if (!stmt || TREE_CODE(gimple_assign_rhs1(stmt)) != SSA_NAME)
        return false;
    tree by = gimple_assign_rhs2(stmt), type = TREE_TYPE(name);
    *argument = gimple_assign_rhs1(stmt);
    bool constant = by && TREE_CODE(by) == INTEGER_CST, word = TYPE_PRECISION(TREE_TYPE(*argument)) == 32;
    term.operand = constant ? (uint32_t)TREE_INT_CST_LOW(by) : 0;
    switch (gimple_assign_rhs_code(stmt)) {
    case BIT_AND_EXPR:
        term.operation = constant ? DESCRIPTOR_AND : DESCRIPTOR_AND_BASE;
        *mask = constant ? NULL_TREE : by;
        return word && (constant || TREE_CODE(by) == SSA_NAME);
    case RSHIFT_EXPR:
        term.operation = TYPE_UNSIGNED(type) ? DESCRIPTOR_SHIFT : DESCRIPTOR_SHIFT_SIGNED;
        return word && constant && term.operand < 32;
    CASE_CONVERT:
        term.operation = DESCRIPTOR_AND;
        term.operand = INTEGRAL_TYPE_P(type) ? (uint32_t)((1ull << TYPE_PRECISION(type)) - 1) : 0;
        return word && INTEGRAL_TYPE_P(type) && TYPE_UNSIGNED(type) && TYPE_PRECISION(type) < 32;
    default:
        return false;
    }
}

/* Keeps a sum for another one. */
static bool keep_for(const routine &r, loop_sum &s, const class loop *loop, const address_sum &sum)
{
    keeping k;
    if (!keep(r, k, loop, sum) || (uint64_t)k.cost * 2 > s.most)
        return false;
    s.kept.push_back(k);
    return true;
}

/* The name that `s` has besides those that are kept. False: there is another one. */
static bool set_name(loop_sum &s, tree name)
{
    if (!is_recordable(name) || (s.name && s.name != name))
        return false;
    s.name = name;
    return true;
}

/* A term whose value is not kept. */
static bool explain_term(const routine &r, loop_sum &s, const class loop *loop, const address_term &term)
{
    tree name = name_in_term(term.value), argument = NULL_TREE, mask = NULL_TREE;
    computed_term t;
    t.coefficient = term.coefficient;
    if (!name || SSA_NAME_IS_DEFAULT_DEF(name))
        return false;
    if (find_operation(name, t, &argument, &mask)) {
        address_sum of = sum_of(argument);
        if (mask) {
            t.mask = sum_of_name(mask);
            if (!keep_for(r, s, loop, t.mask))
                return false;
        }
        t.plus = of.constant;
        t.base = bare(of);
        if (of.known && !of.symbol && !of.terms.empty()) {
            s.computed.push_back(t);
            return keep_for(r, s, loop, t.base) ||
                   (of.terms.size() == 1 && of.terms[0].coefficient == 1 && TREE_CODE(of.terms[0].value) == SSA_NAME &&
                    set_name(s, of.terms[0].value));
        }
        return false;
    }
    if (TREE_CODE(term.value) != SSA_NAME || !set_name(s, name))
        return false;
    t.base = sum_of_name(name);
    s.computed.push_back(t);
    return true;
}

/* Divides a sum into what is kept, and terms of one name that is not. False: that cannot be. */
static bool explain(const routine &r, loop_sum &s, const class loop *loop)
{
    address_sum rest;
    rest.known = true;
    for (const address_term &term : s.sum.terms) {
        keeping k;
        address_sum alone;
        alone.known = true;
        alone.terms.push_back(term);
        if (keep(r, k, loop, alone) && (uint64_t)k.cost * 2 <= s.most)
            rest.terms.push_back(term);
        else if (!explain_term(r, s, loop, term))
            return false;
    }
    if (rest.terms.empty())
        return true;
    computed_term t;
    t.base = rest;
    s.computed.push_back(t);
    return keep_for(r, s, loop, rest);
}

static int cost_of(const loop_sum &s)
{
    int cost = 0;
    for (const keeping &k : s.kept)
        cost += k.cost;
    return cost;
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
static void place_name(routine &r, tree name)
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

/* From now on the accesses that have this sum may be computed. */
static void use_terms(routine &r, const loop_sum &s, const class loop *loop)
{
    for (const keeping &k : s.kept)
        place_keeping(r, k);
    for (site &one : r.sites)
        if (one.sum.known && one.computed.empty() && flow_bb_inside_loop_p(loop, gimple_bb(one.access)) &&
            same_terms(one.sum, s.sum) && !(one.flags & DESCRIPTOR_SITE_BASE))
            one.computed = s.computed;
}

/* ---- what is worth it ---- */

static std::vector<loop_sum> sums_in(const routine &r, const class loop *loop)
{
    std::vector<loop_sum> sums;
    for (const site &s : r.sites) {
        basic_block home = gimple_bb(s.access);
        if (!s.sum.known || s.sum.terms.empty() || !s.computed.empty() || !flow_bb_inside_loop_p(loop, home))
            continue;
        size_t i = 0;
        while (i < sums.size() && !same_terms(sums[i].sum, s.sum))
            i++;
        if (i == sums.size()) {
            sums.push_back(loop_sum());
            sums[i].sum = bare(s.sum);
        }
        uint64_t count = frequency(r, home->count);
        sums[i].accesses += count;
        sums[i].most = std::max(sums[i].most, count);
    }
    return sums;
}

/* Sums that are computed from one name: worth its record, and those of what is kept? */
static void place_names(routine &r, std::vector<loop_sum> &sums, const class loop *loop)
{
    std::vector<loop_sum *> explained;
    std::vector<tree> names;
    for (loop_sum &s : sums)
        if (explain(r, s, loop)) {
            explained.push_back(&s);
            add_once(names, s.name);
        }
    for (tree name : names) {
        uint64_t gain = 0, cost = name ? frequency(r, gimple_bb(SSA_NAME_DEF_STMT(name))->count) : 0;
        for (loop_sum *s : explained) {
            gain += s->name == name ? s->most : 0;
            cost += s->name == name ? cost_of(*s) : 0;
        }
        if (gain <= cost)
            continue;
        if (name)
            place_name(r, name);
        for (loop_sum *s : explained)
            if (s->name == name)
                use_terms(r, *s, loop);
    }
}

/* The sums of the loop's accesses that are worth base sites. */
static void place_for(routine &r, const class loop *loop)
{
    std::vector<loop_sum> sums, others;
    std::vector<keeping> worth;
    if (!entry_edge(loop))
        return;
    for (loop_sum &s : sums_in(r, loop)) {
        keeping k;
        if (keep(r, k, loop, s.sum) && (k.within ? s.most : s.accesses) > (uint64_t)k.cost)
            worth.push_back(k);
        else
            others.push_back(s);
    }
    for (const keeping &k : worth)
        place_keeping(r, k);
    place_names(r, others, loop);
}

void place_bases(routine &r)
{
    if (r.sites.empty())
        return;
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
    for (auto loop : loops_list(r.fun, LI_FROM_INNERMOST))
        place_for(r, loop);
    loop_optimizer_finalize();
    place_frames(r);
}
