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
 * a base site on that edge records the sum again: an *exception*. So a kept sum costs a record before the loop and one
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
#include "tools/gcc/bases.h"

static int cost_of(const loop_sum &s)
{
    int cost = 0;
    for (const keeping &k : s.kept)
        cost += k.cost;
    return cost;
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

/* Whether sums that are computed from one name are worth the record of that name and of what is kept. */
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
