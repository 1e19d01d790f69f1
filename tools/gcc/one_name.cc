/* SPDX-License-Identifier: MIT */
/* Sums with one name that changes each turn of a loop (bases.cc): computed from that name, and from what is kept. */
#include "tools/gcc/bases.h"

/* A name with a definition that a record can stand after. */
static bool is_recordable(tree name)
{
    if (SSA_NAME_IS_DEFAULT_DEF(name) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name) ||
        TYPE_PRECISION(TREE_TYPE(name)) != 32 || FLOAT_TYPE_P(TREE_TYPE(name)))
        return false;
    gimple *stmt = SSA_NAME_DEF_STMT(name);
    return gimple_bb(stmt) && (gimple_code(stmt) == GIMPLE_PHI || !stmt_ends_bb_p(stmt));
}

address_sum sum_of_name(tree name)
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

bool explain(const routine &r, loop_sum &s, const class loop *loop)
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
