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
 *     moved(e) = out of e's source, less the groups of which a phi node of e's target defines a name. If each such name
 *              gains a constant on e (an induction variable on its loop's back edge), the base *moves*
 *              by a constant instead
 *     out(b) = in(b), less the groups of which b defines a name, with the groups that b records afterwards
 *
 * Names that a sum was expanded to need no more care: a use is dominated by the chain of definitions from them, so that
 * between the last definition of such a name and the use the whole chain ran again. */
#include "tools/gcc/weft_gcc.h"

#include "tree-affine.h"
#include "tree-phinodes.h"

#include "sbitmap.h"
#include "ssa-iterators.h"

/* ---- sums ---- */

static hash_map<tree, name_expansion *> *expanded;

bool same_terms(const address_sum &a, const address_sum &b)
{
    if (a.terms.size() != b.terms.size())
        return false;
    for (const address_term &x : a.terms) {
        bool found = false;
        for (const address_term &y : b.terms)
            found |= x.coefficient == y.coefficient && operand_equal_p(x.value, y.value, OEP_ADDRESS_OF);
        if (!found)
            return false;
    }
    return true;
}

static bool is_static_object(tree value)
{
    if (TREE_CODE(value) != ADDR_EXPR)
        return false;
    tree decl = TREE_OPERAND(value, 0);
    return VAR_P(decl) && is_global_var(decl) && !DECL_THREAD_LOCAL_P(decl) && !DECL_HARD_REGISTER(decl) &&
           !DECL_IN_CONSTANT_POOL(decl) && DECL_ASSEMBLER_NAME_SET_P(decl);
}

tree name_in_term(tree value)
{
    while (CONVERT_EXPR_P(value))
        value = TREE_OPERAND(value, 0);
    return TREE_CODE(value) == SSA_NAME ? value : NULL_TREE;
}

/* Only SSA names, objects and conversions of these: nothing that could change without a definition. */
static bool is_plain_term(tree value)
{
    if (tree name = name_in_term(value))
        return !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name);
    return TREE_CODE(value) == ADDR_EXPR && DECL_P(TREE_OPERAND(value, 0));
}

address_sum sum_of(tree value)
{
    address_sum sum;
    aff_tree all;
    tree_to_aff_combination_expand(value, TREE_TYPE(value), &all, &expanded);
    if (all.rest || !all.offset.is_constant())
        return sum;
    sum.constant = (uint32_t)all.offset.coeffs[0].to_uhwi();
    for (unsigned i = 0; i < all.n; i++) {
        tree term = all.elts[i].val;
        if (all.elts[i].coef == 1 && !sum.symbol && is_static_object(term)) {
            sum.symbol = TREE_OPERAND(term, 0);
            continue;
        }
        if (!is_plain_term(term))
            return sum;
        sum.terms.push_back({(uint32_t)all.elts[i].coef.to_uhwi(), term});
    }
    sum.known = true;
    return sum;
}

bool is_step(tree value, tree name, uint32_t *step)
{
    if (TYPE_PRECISION(TREE_TYPE(name)) != 32 ||
        (TREE_CODE(value) == SSA_NAME && SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value)))
        return false;
    address_sum sum = sum_of(value);
    *step = sum.constant;
    return sum.known && !sum.symbol && sum.terms.size() == 1 && sum.terms[0].coefficient == 1 &&
           sum.terms[0].value == name;
}

/* ---- which sites are derived ---- */

/* What an edge does to a group of which its target's phi nodes define a name. */
struct effect {
    unsigned group;
    bool lost;
    uint32_t step;
};

struct deriver {
    explicit deriver(routine &routine) : r(routine), into(routine.blocks.size()), effects(routine.graph->edge_count)
    {
    }
    routine &r;
    std::vector<const address_sum *> groups;         /* a member's sum each */
    std::map<unsigned, std::vector<unsigned>> users; /* SSA version -> groups */
    hash_map<gimple *, unsigned> sites;              /* probe -> index of its site */
    std::vector<auto_sbitmap *> out;
    std::vector<std::vector<uint32_t>> into; /* edges, by target */
    std::vector<std::vector<effect>> effects;
};

static int group_of(deriver &d, const address_sum &sum)
{
    for (unsigned i = 0; i < d.groups.size(); i++)
        if (same_terms(*d.groups[i], sum))
            return i;
    d.groups.push_back(&sum);
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
    }
}

/* The base that a base site gives is already that after the edge into the loop. */
static bool is_given(const deriver &d, edge into_loop, unsigned group)
{
    for (const site &s : d.r.sites)
        if (s.target == (int)group && gimple_bb(s.access) == into_loop->src)
            return true;
    return false;
}

/* Adds what `step` more of `name` does to a group. */
static void add_effect(deriver &d, std::vector<effect> &effects, unsigned group, tree name, bool known, uint32_t step)
{
    effect *found = NULL;
    for (effect &e : effects)
        found = e.group == group ? &e : found;
    if (!found) {
        effects.push_back({group, false, 0});
        found = &effects.back();
    }
    for (const address_term &term : d.groups[group]->terms) {
        if (name_in_term(term.value) != name)
            continue;
        found->lost |= !known || term.value != name;
        found->step += term.coefficient * step;
    }
}

static void find_effects(deriver &d, uint32_t index)
{
    edge e = d.r.flows[index].cfg;
    if (!e || d.r.graph->edge[index].to == BALLARUS_EXIT)
        return;
    for (gphi_iterator i = gsi_start_phis(e->dest); !gsi_end_p(i); gsi_next(&i)) {
        tree name = gimple_phi_result(i.phi());
        auto found = d.users.find(SSA_NAME_VERSION(name));
        if (found == d.users.end())
            continue;
        uint32_t step = 0;
        bool known = is_step(PHI_ARG_DEF_FROM_EDGE(i.phi(), e), name, &step);
        for (unsigned group : found->second)
            if (!is_given(d, e, group))
                add_effect(d, d.effects[index], group, name, known, step);
    }
}

static void define(const deriver &d, tree name, sbitmap available)
{
    auto found = d.users.find(SSA_NAME_VERSION(name));
    if (found != d.users.end())
        for (unsigned group : found->second)
            bitmap_clear_bit(available, group);
}

static void visit_statement(deriver &d, gimple *stmt, sbitmap available)
{
    unsigned *index = is_probe(stmt) ? d.sites.get(stmt) : NULL;
    if (index) {
        site &s = d.r.sites[*index];
        if (s.group >= 0) {
            s.how = bitmap_bit_p(available, s.group) ? SITE_DERIVED : SITE_RECORDED;
            bitmap_set_bit(available, s.group);
        }
        if (s.target >= 0)
            bitmap_set_bit(available, s.target);
    }
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
            if (e.lost)
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
    for (uint32_t i = 0; i < g->edge_count; i++) {
        if (g->edge[i].to != BALLARUS_EXIT)
            d.into[g->edge[i].to].push_back(i);
        find_effects(d, i);
    }
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

/* The moves that someone needs: those of bases that are known. */
static void list_moves(deriver &d)
{
    for (uint32_t i = 0; i < d.r.graph->edge_count; i++) {
        const ballarus_edge &e = d.r.graph->edge[i];
        if (e.from == BALLARUS_ENTRY || (e.cut && weft_options.derive == DERIVE_PATH))
            continue;
        for (const effect &one : d.effects[i])
            if (!one.lost && one.step && bitmap_bit_p(*d.out[e.from], one.group))
                d.r.moves.push_back({i, one.group, one.step});
    }
}

void derive_accesses(routine &r)
{
    if (weft_options.derive == DERIVE_NONE || r.sites.empty())
        return;
    deriver d(r);
    find_groups(d);
    find_derived(d);
    list_moves(d);
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
    free_affine_expand_cache(&expanded);
}
