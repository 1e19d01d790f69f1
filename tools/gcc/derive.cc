/* SPDX-License-Identifier: MIT */
/* Accesses that need no record, after Larus, "Abstract Execution" (1990): the address of an access is a constant plus a sum
 * of SSA names with constant coefficients. Accesses with the same sum form a *group*: they differ by constants only. So
 *
 *     a static access      (no SSA name: an object of the image, or a fixed address) is never recorded;
 *     a derived access     is one that comes after another access of its group, on every way from the path's start to it,
 *                          while none of the sum's SSA names is defined again in between. The decoder adds the constant.
 *
 * Which accesses are derived is a problem of available expressions over the path graph (the edges that are not cut):
 *
 *     in(b)  = nothing, if a path may start at b; else the intersection of out(p) over the edges (p, b)
 *     out(b) = in(b), less the groups whose names b defines, with the groups that b accesses afterwards
 *
 * Names that a group's sum was expanded to need no more care: a use is dominated by the chain of definitions from them, so
 * that between the last definition of such a name and the use the whole chain ran again. */
#include "tools/gcc/weft_gcc.h"

#include "tree-affine.h"
#include "tree-phinodes.h"

#include "sbitmap.h"
#include "ssa-iterators.h"

typedef hash_map<tree, name_expansion *> expansions;
static expansions *expanded;

/* One summand of an address: coefficient * value. */
static bool same_terms(const std::vector<address_term> &a, const std::vector<address_term> &b)
{
    if (a.size() != b.size())
        return false;
    for (const address_term &x : a) {
        bool found = false;
        for (const address_term &y : b)
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

/* Only SSA names, objects and conversions of these: nothing that could change without a definition. */
static bool is_plain_term(tree value)
{
    while (CONVERT_EXPR_P(value))
        value = TREE_OPERAND(value, 0);
    if (TREE_CODE(value) == SSA_NAME)
        return !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value);
    return TREE_CODE(value) == ADDR_EXPR && DECL_P(TREE_OPERAND(value, 0));
}

static tree ssa_name_of(tree value)
{
    while (CONVERT_EXPR_P(value))
        value = TREE_OPERAND(value, 0);
    return TREE_CODE(value) == SSA_NAME ? value : NULL_TREE;
}

address_sum sum_of(tree address)
{
    address_sum sum;
    aff_tree terms;
    tree_to_aff_combination_expand(address, TREE_TYPE(address), &terms, &expanded);
    if (terms.rest || !terms.offset.is_constant())
        return sum;
    sum.constant = (uint32_t)terms.offset.coeffs[0].to_uhwi();
    for (unsigned i = 0; i < terms.n; i++) {
        if (!is_plain_term(terms.elts[i].val))
            return sum;
        sum.terms.push_back({(uint32_t)terms.elts[i].coef.to_uhwi(), terms.elts[i].val});
    }
    sum.known = true;
    return sum;
}

void forget_sums()
{
    free_affine_expand_cache(&expanded);
}

/* The sites with their groups, and what each SSA name's definition takes away. */
struct deriver {
    explicit deriver(routine &routine) : r(routine), into(routine.blocks.size())
    {
    }
    routine &r;
    std::vector<const address_sum *> groups;         /* a member's sum each */
    std::map<unsigned, std::vector<unsigned>> users; /* SSA version -> groups */
    hash_map<gimple *, unsigned> sites;              /* probe -> index of its site */
    std::vector<auto_sbitmap *> out;
    std::vector<std::vector<uint32_t>> into; /* blocks that uncut edges come from; BALLARUS_ENTRY too */
};

static unsigned group_of(deriver &d, const address_sum &sum)
{
    for (unsigned i = 0; i < d.groups.size(); i++)
        if (same_terms(d.groups[i]->terms, sum.terms))
            return i;
    d.groups.push_back(&sum);
    for (const address_term &term : sum.terms)
        if (tree name = ssa_name_of(term.value))
            d.users[SSA_NAME_VERSION(name)].push_back(d.groups.size() - 1);
    return d.groups.size() - 1;
}

static void find_groups(deriver &d)
{
    for (unsigned i = 0; i < d.r.sites.size(); i++) {
        site &s = d.r.sites[i];
        d.sites.put(s.access, i);
        if (!s.sum.known)
            continue;
        bool fixed = s.sum.terms.empty();
        bool object =
            s.sum.terms.size() == 1 && s.sum.terms[0].coefficient == 1 && is_static_object(s.sum.terms[0].value);
        if (fixed || object)
            s.how = SITE_STATIC;
        else
            s.group = group_of(d, s.sum);
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
    if (index && d.r.sites[*index].group >= 0) {
        site &s = d.r.sites[*index];
        s.how = bitmap_bit_p(available, s.group) ? SITE_DERIVED : SITE_RECORDED;
        bitmap_set_bit(available, s.group);
    }
    tree name;
    ssa_op_iter i;
    FOR_EACH_SSA_TREE_OPERAND(name, stmt, i, SSA_OP_DEF)
    define(d, name, available);
}

static void visit_block(deriver &d, uint32_t b)
{
    sbitmap available = *d.out[b];
    bitmap_clear(available);
    bool first = true;
    for (uint32_t from : d.into[b]) {
        if (from == BALLARUS_ENTRY || d.r.graph->start[b]) {
            bitmap_clear(available);
            break;
        }
        if (first)
            bitmap_copy(available, *d.out[from]);
        else
            bitmap_and(available, available, *d.out[from]);
        first = false;
    }
    basic_block block = d.r.blocks[b];
    for (gphi_iterator i = gsi_start_phis(block); !gsi_end_p(i); gsi_next(&i))
        define(d, gimple_phi_result(i.phi()), available);
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
        visit_statement(d, gsi_stmt(i), available);
}

static void find_derived(deriver &d)
{
    const ballarus *g = d.r.graph;
    for (uint32_t i = 0; i < g->edge_count; i++)
        if (!g->edge[i].cut && g->edge[i].to != BALLARUS_EXIT)
            d.into[g->edge[i].to].push_back(g->edge[i].from);
    for (uint32_t b = 0; b < g->block_count; b++)
        d.out.push_back(new auto_sbitmap(d.groups.size() + 1));
    for (uint32_t k = g->order_count; k-- > 0;) /* order: what is led to comes first */
        visit_block(d, g->order[k]);
    for (auto_sbitmap *map : d.out)
        delete map;
}

/* Takes the probe away, and what computed its argument, as far as nothing else uses it. */
static void remove_probe(site &s)
{
    if (weft_options.oracle) { /* the emulator still sees what the decoder must find */
        gimple_call_set_fndecl(s.access, probe_function(PROBE_DERIVED));
        return;
    }
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

void derive_accesses(routine &r)
{
    deriver d(r);
    find_groups(d);
    find_derived(d);
}

void remove_derived_probes(routine &r)
{
    for (site &s : r.sites)
        if (s.how != SITE_RECORDED)
            remove_probe(s);
    forget_sums();
}
