/* SPDX-License-Identifier: MIT */
/* Accesses that need no record, after Larus, "Abstract Execution" (1990). The address of an access is a constant,
 * perhaps an object's address, plus a sum of SSA names with constant coefficients. Accesses with the same sum form a
 * *group*: they differ by what the linker knows. The value of the sum is the group's *base*. So
 *
 *     a static access      (no SSA name: an object of the image, or a fixed address) is never recorded;
 *     a recorded access    gives the base of its group;
 *     a derived access     comes where the base is known, on every way that leads to it.
 *
 * Where the base is known is a problem of available expressions over the routine's graph:
 *
 *     in(b)  = the intersection of moved(e) over the edges e into b; nothing at the entry, at a landing, after setjmp,
 *              and, with derive=path, where a path may start
 *     moved(e) = out of e's source, less the groups of which a phi node of e's target defines a name. With what such
 *              nodes take on e instead, the sum is that of another group, or of the same one if an induction variable
 *              gains a constant: the base *moves* from there, if it is known
 *     out(b) = in(b), less the groups of which b defines a name, with the groups that b records afterwards
 *
 * Names that a sum was expanded to need no more care: a use is dominated by the chain of definitions from them, so that
 * between the last definition of such a name and the use the whole chain ran again.
 *
 * With derive=activation, place_bases (bases.cc) also records bases that no access records. Such a *base site* is an
 * access like any other, but for its size of 0: its own sum may be static, or derived from a base that is known there.
 * It also says of what bases an address might be *computed*, where its own group's is not known. */
#include "tools/gcc/sums.h"

#include "sbitmap.h"
#include "ssa-iterators.h"

/* Limit of a routine's groups, per site; 16 more are always allowed. More: longer compile times */
#define GROUPS_PER_SITE 4

/* What an edge does to a group of which its target's phi nodes define a name. */
struct effect {
    unsigned group;
    bool lost;
    int from; /* group; -1: the base is `step` */
    uint32_t step;
};

struct deriver {
    explicit deriver(routine &routine) : r(routine), into(routine.blocks.size()), effects(routine.graph->edge_count)
    {
    }
    routine &r;
    std::vector<address_sum> groups;                 /* what their members have in common */
    std::map<unsigned, std::vector<unsigned>> users; /* SSA version -> groups */
    hash_map<gimple *, unsigned> sites;              /* probe -> index of its site */
    std::vector<auto_sbitmap *> out;
    std::vector<std::vector<uint32_t>> into; /* edges, by target */
    std::vector<std::vector<effect>> effects;
    std::vector<bool> needed; /* by group */
};

static int group_of(deriver &d, const address_sum &sum)
{
    for (unsigned i = 0; i < d.groups.size(); i++)
        if (same_terms(d.groups[i], sum))
            return i;
    d.groups.push_back(sum);
    for (const address_term &term : sum.terms)
        if (tree name = name_in_term(term.value))
            d.users[SSA_NAME_VERSION(name)].push_back(d.groups.size() - 1);
    return d.groups.size() - 1;
}

static void find_groups(deriver &d)
{
    for (unsigned i = 0; i < d.r.sites.size(); i++) {
        site &s = d.r.sites[i];
        d.sites.put(s.access, i);
        if (s.gives.known)
            s.target = group_of(d, s.gives);
        if (s.sum.known && s.sum.terms.empty())
            s.how = SITE_STATIC;
        else if (s.sum.known)
            s.group = group_of(d, s.sum);
        for (computed_term &term : s.computed) {
            term.group = group_of(d, term.base);
            if (term.operation == DESCRIPTOR_AND_BASE)
                term.mask_group = group_of(d, term.mask);
        }
    }
}

/* A base site says what the group's base is after the edge. */
static bool is_given(const deriver &d, edge e, unsigned group)
{
    for (const site &s : d.r.sites)
        if (s.ahead && s.target == (int)group && gimple_bb(s.access) == e->src)
            return true;
    return false;
}

/* What an edge to `block` does to the group, one of whose names is defined there. */
static void add_effect(deriver &d, uint32_t index, unsigned group)
{
    edge e = d.r.flows[index].cfg;
    if (!e || is_given(d, e, group))
        return;
    for (const effect &one : d.effects[index])
        if (one.group == group)
            return;
    address_sum before = sum_before(d.groups[group], e);
    effect one = {group, true, -1, before.constant};
    if (before.known && before.terms.empty()) {
        one.lost = false;
    } else if (before.known && d.groups.size() < GROUPS_PER_SITE * d.r.sites.size() + 16) {
        one.from = group_of(d, before);
        one.lost = is_given(d, e, one.from); /* what it was is not known any more */
    }
    d.effects[index].push_back(one);
}

/* All groups that a group's base may move from become groups, too. */
static void find_effects(deriver &d)
{
    for (unsigned group = 0; group < d.groups.size(); group++)
        for (size_t k = 0; k < d.groups[group].terms.size(); k++) {
            tree name = name_in_term(d.groups[group].terms[k].value);
            gimple *stmt = name && !SSA_NAME_IS_DEFAULT_DEF(name) ? SSA_NAME_DEF_STMT(name) : NULL;
            if (!stmt || gimple_code(stmt) != GIMPLE_PHI || !gimple_bb(stmt)->aux)
                continue;
            for (uint32_t index : d.into[(size_t)gimple_bb(stmt)->aux - 1])
                add_effect(d, index, group);
        }
}

static void define(const deriver &d, tree name, sbitmap available)
{
    auto found = d.users.find(SSA_NAME_VERSION(name));
    if (found != d.users.end())
        for (unsigned group : found->second)
            bitmap_clear_bit(available, group);
}

static bool is_computable(const site &s, const_sbitmap available)
{
    for (const computed_term &term : s.computed)
        if (!bitmap_bit_p(available, term.group) ||
            (term.operation == DESCRIPTOR_AND_BASE && !bitmap_bit_p(available, term.mask_group)))
            return false;
    return !s.computed.empty();
}

static void visit_site(site &s, sbitmap available)
{
    if (s.group >= 0) {
        s.how = bitmap_bit_p(available, s.group) ? SITE_DERIVED
                : is_computable(s, available)    ? SITE_COMPUTED
                                                 : SITE_RECORDED;
        bitmap_set_bit(available, s.group);
    }
    if (s.target >= 0)
        bitmap_set_bit(available, s.target);
}

static void visit_statement(deriver &d, gimple *stmt, sbitmap available)
{
    unsigned *index = is_probe(stmt) ? d.sites.get(stmt) : NULL;
    if (index)
        visit_site(d.r.sites[*index], available);
    tree name;
    ssa_op_iter i;
    FOR_EACH_SSA_TREE_OPERAND(name, stmt, i, SSA_OP_DEF)
    define(d, name, available);
}

/* Nothing is known where the block begins, whatever led there. */
static bool begins_anew(const deriver &d, uint32_t b)
{
    return d.into[b].empty() || d.r.block_flags[b] & (DESCRIPTOR_BLOCK_LANDING | DESCRIPTOR_BLOCK_TWICE) ||
           (weft_options.derive == DERIVE_PATH && d.r.graph->start[b]);
}

static bool is_moved(const effect &e, const_sbitmap before)
{
    return !e.lost && (e.from < 0 || bitmap_bit_p(before, e.from));
}

static void enter_block(deriver &d, uint32_t b, sbitmap available)
{
    auto_sbitmap moved(d.groups.size() + 1);
    bitmap_ones(available);
    if (begins_anew(d, b))
        bitmap_clear(available);
    for (uint32_t index : d.into[b]) {
        uint32_t from = d.r.graph->edge[index].from;
        if (from == BALLARUS_ENTRY) {
            bitmap_clear(available);
            return;
        }
        bitmap_copy(moved, *d.out[from]);
        for (const effect &e : d.effects[index])
            if (is_moved(e, *d.out[from]))
                bitmap_set_bit(moved, e.group);
            else
                bitmap_clear_bit(moved, e.group);
        bitmap_and(available, available, moved);
    }
}

/* True if more is lost than before. */
static bool visit_block(deriver &d, uint32_t b)
{
    auto_sbitmap available(d.groups.size() + 1);
    enter_block(d, b, available);
    for (gimple_stmt_iterator i = gsi_start_bb(d.r.blocks[b]); !gsi_end_p(i); gsi_next(&i))
        visit_statement(d, gsi_stmt(i), available);
    bool changed = !bitmap_equal_p(available, *d.out[b]);
    bitmap_copy(*d.out[b], available);
    return changed;
}

static void find_derived(deriver &d)
{
    const ballarus *g = d.r.graph;
    for (uint32_t i = 0; i < g->edge_count; i++)
        if (g->edge[i].to != BALLARUS_EXIT)
            d.into[g->edge[i].to].push_back(i);
    find_effects(d);
    for (uint32_t b = 0; b < g->block_count; b++) {
        d.out.push_back(new auto_sbitmap(d.groups.size() + 1));
        bitmap_ones(*d.out[b]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = g->order_count; k-- > 0;) /* order: what is led to comes first */
            changed |= visit_block(d, g->order[k]);
    }
}

static void need(deriver &d, std::vector<unsigned> &work, int group)
{
    if (group < 0 || d.needed[group])
        return;
    d.needed[group] = true;
    work.push_back(group);
}

static void need_of_site(deriver &d, std::vector<unsigned> &work, const site &s)
{
    if (s.how == SITE_DERIVED)
        need(d, work, s.group);
    for (const computed_term &term : s.computed) {
        if (s.how != SITE_COMPUTED)
            continue;
        need(d, work, term.group);
        need(d, work, term.mask_group);
    }
}

/* The groups from which effects move a group. */
static void need_sources(deriver &d, std::vector<unsigned> &work, int group)
{
    for (const std::vector<effect> &effects : d.effects)
        for (const effect &e : effects)
            if ((int)e.group == group && !e.lost)
                need(d, work, e.from);
}

/* Those from which accesses follow, and needed bases. */
static void find_needed_groups(deriver &d)
{
    std::vector<unsigned> work;
    d.needed.assign(d.groups.size(), false);
    for (const site &s : d.r.sites)
        if (!(s.flags & DESCRIPTOR_SITE_BASE))
            need_of_site(d, work, s);
    while (!work.empty()) {
        int group = work.back();
        work.pop_back();
        need_sources(d, work, group);
        for (const site &s : d.r.sites)
            if (s.target == group)
                need_of_site(d, work, s);
    }
}

/* Base sites that nothing needs are not recorded. */
static void drop_bases(deriver &d)
{
    for (site &s : d.r.sites) {
        bool frame = s.flags & DESCRIPTOR_SITE_FRAME, gives = s.target >= 0 && d.needed[s.target];
        bool serves = s.group >= 0 && d.needed[s.group];
        if (!(s.flags & DESCRIPTOR_SITE_BASE) || frame || gives || serves)
            continue;
        s.how = SITE_STATIC;
        s.target = -1;
    }
}

/* The moves of needed bases, where these are known. */
static void list_moves(deriver &d)
{
    for (uint32_t i = 0; i < d.r.graph->edge_count; i++) {
        const ballarus_edge &e = d.r.graph->edge[i];
        if (e.from == BALLARUS_ENTRY || (e.cut && weft_options.derive == DERIVE_PATH))
            continue;
        for (const effect &one : d.effects[i])
            if (d.needed[one.group] && is_moved(one, *d.out[e.from]) && ((int)one.group != one.from || one.step))
                d.r.moves.push_back({i, one.group, one.step, one.from});
    }
}

/* Only needed groups keep a number. */
static void number_groups(deriver &d)
{
    std::vector<int> number(d.groups.size() + 1, -1);
    int count = 0;
    for (unsigned group = 0; group < d.groups.size(); group++)
        if (d.needed[group])
            number[group] = count++;
    auto numbered_as = [&](int group) { return group < 0 ? -1 : number[group]; };
    for (site &s : d.r.sites) {
        s.group = numbered_as(s.group);
        s.target = numbered_as(s.target);
        for (computed_term &term : s.computed) {
            term.group = numbered_as(term.group);
            term.mask_group = numbered_as(term.mask_group);
        }
    }
    for (base_move &move : d.r.moves) {
        move.group = number[move.group];
        move.from = numbered_as(move.from);
    }
}

void derive_accesses(routine &r)
{
    if (weft_options.derive == DERIVE_NONE || r.sites.empty())
        return;
    deriver d(r);
    find_groups(d);
    find_derived(d);
    find_needed_groups(d);
    drop_bases(d);
    list_moves(d);
    number_groups(d);
    for (auto_sbitmap *map : d.out)
        delete map;
}

/* ---- what the code no longer does ---- */

/* Takes the probe away, and what computed its argument, as far as nothing else uses it. */
static void remove_probe(site &s)
{
    gimple_stmt_iterator at = gsi_for_stmt(s.access);
    unlink_stmt_vdef(s.access);
    gsi_remove(&at, true);
    for (size_t i = s.argument.size(); i-- > 0;) {
        tree name = gimple_get_lhs(s.argument[i]);
        if (!name || TREE_CODE(name) != SSA_NAME || !has_zero_uses(name))
            continue;
        at = gsi_for_stmt(s.argument[i]);
        gsi_remove(&at, true);
        release_ssa_name(name);
    }
}

void remove_derived_probes(routine &r)
{
    for (site &s : r.sites) {
        if (s.how == SITE_RECORDED)
            continue;
        if (weft_options.oracle && !(s.flags & DESCRIPTOR_SITE_BASE))
            gimple_call_set_fndecl(s.access, probe_function(PROBE_DERIVED)); /* the emulator sees what must be found */
        else
            remove_probe(s);
    }
    forget_sums();
}
