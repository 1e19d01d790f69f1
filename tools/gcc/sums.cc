/* SPDX-License-Identifier: MIT */
/* Addresses as sums of SSA names, before and after an edge. */
#include "tools/gcc/sums.h"

#include "tree-affine.h"

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

/* The conversions in `value`, of another name. */
static tree converted(tree value, tree name)
{
    return CONVERT_EXPR_P(value) ? fold_convert(TREE_TYPE(value), converted(TREE_OPERAND(value, 0), name)) : name;
}

/* The phi node of this block that defines the term's name, or NULL. */
static gphi *phi_of_term(tree value, basic_block block)
{
    tree name = name_in_term(value);
    if (!name || SSA_NAME_IS_DEFAULT_DEF(name))
        return NULL;
    gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(name));
    return phi && gimple_bb(phi) == block ? phi : NULL;
}

tree term_before(tree value, edge e)
{
    gphi *phi = phi_of_term(value, e->dest);
    return phi ? converted(value, PHI_ARG_DEF_FROM_EDGE(phi, e)) : value;
}

static void add_term(address_sum &sum, uint32_t coefficient, tree value)
{
    for (size_t i = 0; i < sum.terms.size(); i++) {
        if (!operand_equal_p(sum.terms[i].value, value, OEP_ADDRESS_OF))
            continue;
        sum.terms[i].coefficient += coefficient;
        if (sum.terms[i].coefficient == 0)
            sum.terms.erase(sum.terms.begin() + i);
        return;
    }
    sum.terms.push_back({coefficient, value});
}

static bool is_abnormal(tree value)
{
    return TREE_CODE(value) == SSA_NAME && SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value);
}

address_sum sum_before(const address_sum &sum, edge e)
{
    address_sum before;
    for (const address_term &term : sum.terms) {
        gphi *phi = phi_of_term(term.value, e->dest);
        if (!phi) {
            add_term(before, term.coefficient, term.value);
            continue;
        }
        address_sum part;
        if (!is_abnormal(PHI_ARG_DEF_FROM_EDGE(phi, e)))
            part = sum_of(term_before(term.value, e));
        if (!part.known || part.symbol)
            return address_sum();
        before.constant += term.coefficient * part.constant;
        for (const address_term &one : part.terms)
            add_term(before, term.coefficient * one.coefficient, one.value);
    }
    before.known = true;
    return before;
}

void forget_sums()
{
    free_affine_expand_cache(&expanded);
}
