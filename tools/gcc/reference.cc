/* SPDX-License-Identifier: MIT */
/* What GIMPLE refers to in memory. A variable that is not addressable and has a machine mode lives in registers (or,
 * without optimisation, in a stack slot that stands for one): no access. */
#include "tools/gcc/reference.h"

#include "function.h"
#include "gimplify.h"
#include "tree-dfa.h"
#include "tree-ssa-address.h"
#include "stmt.h"

static bool local_is_in_memory(tree decl)
{
    if (TREE_CODE(decl) == RESULT_DECL)
        return aggregate_value_p(decl, cfun->decl);
    return TREE_ADDRESSABLE(decl) || DECL_MODE(decl) == BLKmode;
}

bool is_memory(tree ref)
{
    if (!ref || (!handled_component_p(ref) && is_gimple_reg(ref)))
        return false;
    tree base = get_base_address(ref);
    if (!base)
        return false;
    switch (TREE_CODE(base)) {
    case VAR_DECL:
        if (DECL_HARD_REGISTER(base))
            return false;
        return is_global_var(base) || local_is_in_memory(base);
    case PARM_DECL:
    case RESULT_DECL:
        return local_is_in_memory(base);
    case MEM_REF:
    case TARGET_MEM_REF:
    case CONST_DECL:
    case STRING_CST:
        return true;
    default:
        return false;
    }
}

static bool is_bits(tree ref)
{
    for (; handled_component_p(ref); ref = TREE_OPERAND(ref, 0)) {
        if (TREE_CODE(ref) == BIT_FIELD_REF ||
            (TREE_CODE(ref) == COMPONENT_REF && DECL_BIT_FIELD_TYPE(TREE_OPERAND(ref, 1))))
            return true;
    }
    return false;
}

unsigned flags_of(tree ref)
{
    tree type = TREE_TYPE(ref), base = get_base_address(ref);
    unsigned flags = 0;
    if (TREE_THIS_VOLATILE(ref) || TYPE_VOLATILE(type))
        flags |= DESCRIPTOR_SITE_VOLATILE;
    if (is_bits(ref))
        flags |= DESCRIPTOR_SITE_BITFIELD;
    if (AGGREGATE_TYPE_P(type))
        flags |= DESCRIPTOR_SITE_AGGREGATE;
    if (FLOAT_TYPE_P(type))
        flags |= DESCRIPTOR_SITE_FLOAT;
    if (INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type))
        flags |= DESCRIPTOR_SITE_SIGNED;
    if (TREE_CODE(base) == CONST_DECL || TREE_CODE(base) == STRING_CST || (DECL_P(base) && TREE_READONLY(base)))
        flags |= DESCRIPTOR_SITE_CONSTANT;
    return flags;
}

/* Address and size of the bytes that hold a bit-field. */
static tree bits_address(tree ref, uint64_t &size)
{
    poly_int64 bits, at;
    tree offset;
    machine_mode mode;
    int is_unsigned, reversed, is_volatile;
    tree base = get_inner_reference(ref, &bits, &at, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
    HOST_WIDE_INT first = at.to_constant() >> 3, last = (at.to_constant() + bits.to_constant() + 7) >> 3;
    size = last - first;
    tree address = TREE_CODE(base) == TARGET_MEM_REF ? tree_mem_ref_addr(ptr_type_node, unshare_expr(base))
                                                     : build_fold_addr_expr(unshare_expr(base));
    if (offset)
        address = fold_build_pointer_plus(address, unshare_expr(offset));
    return fold_build_pointer_plus_hwi(address, first);
}

tree address_of(tree ref, uint64_t &size)
{
    if (is_bits(ref))
        return bits_address(ref, size);
    tree bytes = TYPE_SIZE_UNIT(TREE_TYPE(ref));
    size = bytes && tree_fits_uhwi_p(bytes) ? tree_to_uhwi(bytes) : 0;
    if (TREE_CODE(ref) == STRING_CST) /* an array of which the rest is cleared */
        size = MIN(size, (uint64_t)TREE_STRING_LENGTH(ref));
    if (TREE_CODE(ref) == TARGET_MEM_REF)
        return tree_mem_ref_addr(ptr_type_node, unshare_expr(ref));
    return build_fold_addr_expr(unshare_expr(ref));
}
