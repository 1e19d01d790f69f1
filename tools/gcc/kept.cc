/* SPDX-License-Identifier: MIT */
/* Sums that are kept in a loop (bases.cc): where base sites are to record them. */
#include "tools/gcc/bases.h"

/* Most exceptions of a kept sum, and most forms that it takes on the way around the loop. Reasonable range 2 to 8: more
 * code, and fewer records where a variable is set in many places */
#define EXCEPTIONS_MAX 8
#define FORMS_MAX 16
/* Edges that are looked at for a sum. Reasonable range 100 to 10000: longer compile times */
#define STEPS_MAX 1000

edge entry_edge(const class loop *loop)
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

int frequency(const routine &r, profile_count count)
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

static bool has_form(const std::vector<address_sum> &forms, const address_sum &sum)
{
    for (const address_sum &form : forms)
        if (same_terms(form, sum))
            return true;
    return false;
}

address_sum bare(address_sum sum)
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
    return k.cost <= k.limit;
}

static bool follow_form(const routine &r, keeping &k, const class loop *loop, const address_sum &form);

/* Keeps what the edge brings, too, if that costs less than an exception on the edge: what it brings may be found more
 * often than it is used, as in `if (better(length = count())) best = length`. */
static bool goes_further(const routine &r, keeping &k, const class loop *loop, const address_sum &before, edge e)
{
    keeping further = k;
    if (!before.known || !is_handed_on(before, loop, false) || k.forms.size() == FORMS_MAX || k.steps == STEPS_MAX)
        return false;
    further.limit = std::min(k.limit, k.cost + frequency(r, e->count()) - 1);
    further.forms.push_back(bare(before));
    bool followed = follow_form(r, further, loop, further.forms.back());
    further.limit = k.limit;
    if (followed)
        k = further;
    k.steps = further.steps;
    return followed;
}

/* One edge to a block with phi nodes that define names of the form. False: it cannot be kept. */
static bool follow_edge(const routine &r, keeping &k, const class loop *loop, const address_sum &form, edge e)
{
    address_sum before = sum_before(form, e);
    k.steps = std::min(k.steps + 1, STEPS_MAX);
    if (!flow_bb_inside_loop_p(loop, e->src))
        return true; /* below */
    if (before.known && (before.terms.empty() || has_form(k.forms, before)))
        return true;
    if (goes_further(r, k, loop, before, e))
        return true;
    k.within = true;
    return add_place(r, k, e, form);
}

static bool follow_form(const routine &r, keeping &k, const class loop *loop, const address_sum &form)
{
    const address_sum own = form; /* it may stand in a list that grows */
    std::vector<basic_block> blocks;
    edge e;
    edge_iterator i;
    for (const address_term &term : own.terms)
        if (gimple *stmt = definition_inside(term.value, loop))
            add_once(blocks, gimple_bb(stmt));
    for (basic_block block : blocks)
        FOR_EACH_EDGE(e, i, block->preds)
    if (!follow_edge(r, k, loop, own, e))
        return false;
    return true;
}

bool keep(const routine &r, keeping &k, const class loop *loop, const address_sum &sum)
{
    edge entry = entry_edge(loop);
    if (!entry || !is_handed_on(sum, loop, false))
        return false;
    k.forms.push_back(bare(sum));
    if (!follow_form(r, k, loop, k.forms[0]))
        return false;
    for (const address_sum &form : k.forms) {
        if (!is_handed_on(form, loop, true))
            continue;
        address_sum before = sum_before(form, entry);
        if ((!before.known || !before.terms.empty()) && !add_place(r, k, entry, form))
            return false;
    }
    return true;
}
