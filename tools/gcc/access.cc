/* SPDX-License-Identifier: MIT */
/* Announces loads and stores: what GIMPLE does to memory, just before it is expanded. */
#include "tools/gcc/access.h"
#include "tools/gcc/expanded.h"
#include "tools/gcc/reference.h"

#include "gimplify-me.h"
#include "gimplify.h"
#include "tree-eh.h"

void announce_address(routine &r, gimple_stmt_iterator *at, tree address, uint64_t size, unsigned flags,
                      std::string text)
{
    gimple_seq seq = NULL;
    location_t where = gimple_location(gsi_stmt(*at));
    address_sum sum;
    if (weft_options.derive != DERIVE_NONE)
        sum = sum_of(address);
    address = force_gimple_operand(address, &seq, true, NULL_TREE);
    std::vector<gimple *> argument;
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        argument.push_back(gsi_stmt(i));
    gcall *call = gimple_build_call(probe_function(PROBE_ACCESS), 2, numbered(r.site_label, 0), address);
    gimple_set_location(call, where);
    gimple_seq_add_stmt(&seq, call);
    if (TREE_CODE(address) == ADDR_EXPR)
        mark_addressable(TREE_OPERAND(address, 0));
    gsi_insert_seq_before(at, seq, GSI_SAME_STMT);
    r.sites.push_back({call, NULL, size, flags, where, text, sum, argument});
}

void announce_callee(routine &r, gimple_stmt_iterator *at, size_t first)
{
    if (r.sites.size() == first)
        return;
    gcall *call = gimple_build_call(probe_function(PROBE_ACCESS), 2, numbered(r.site_label, 0), null_pointer_node);
    gsi_insert_before(at, call, GSI_SAME_STMT);
    site s = {call, NULL, 0, DESCRIPTOR_SITE_BASE, UNKNOWN_LOCATION, "", {}, {}};
    s.how = SITE_STATIC;
    s.made_by = gsi_stmt(*at);
    s.called_from = r.sites[first].access;
    r.sites.push_back(s);
}

/* Whether options::inputs covers it: a volatile load of the program's own. */
static bool is_input(tree ref, unsigned flags)
{
    bool is_volatile = false;
    for (tree part = ref; !is_volatile; part = TREE_OPERAND(part, 0)) {
        is_volatile = TREE_THIS_VOLATILE(part) || TYPE_VOLATILE(TREE_TYPE(part));
        if (!handled_component_p(part))
            break;
    }
    return is_volatile && !(flags & (DESCRIPTOR_SITE_STORE | DESCRIPTOR_SITE_ASM));
}

/* True if it was announced. */
static bool announce(routine &r, gimple_stmt_iterator *at, tree ref, unsigned flags)
{
    if (!is_memory(ref) || (weft_options.inputs && !is_input(ref, flags)))
        return false;
    tree bytes = TYPE_SIZE_UNIT(TREE_TYPE(ref));
    if (bytes && integer_zerop(bytes))
        return false; /* an empty struct */
    uint64_t size;
    flags |= flags_of(ref);
    std::string text = expression_text(ref, gimple_location(gsi_stmt(*at)), flags & DESCRIPTOR_SITE_STORE);
    mark_addressable(ref);
    tree address = address_of(ref, size);
    announce_address(r, at, address, size, flags, text);
    return true;
}

/* `value` as the 32 or 64 bits that a value probe takes; NULL if it is not a number of up to 8 bytes. */
static tree as_bits(tree value, bool &wide)
{
    tree type = TREE_TYPE(value), bytes = TYPE_SIZE_UNIT(type);
    if (!bytes || !tree_fits_uhwi_p(bytes) || tree_to_uhwi(bytes) > 8 || tree_to_uhwi(bytes) == 0)
        return NULL_TREE;
    unsigned bits = tree_to_uhwi(bytes) * 8;
    wide = bits > 32;
    if (SCALAR_FLOAT_TYPE_P(type))
        value = fold_build1(VIEW_CONVERT_EXPR, build_nonstandard_integer_type(bits, 1), value);
    else if (POINTER_TYPE_P(type) || INTEGRAL_TYPE_P(type))
        value = fold_convert(build_nonstandard_integer_type(TYPE_PRECISION(type), 1), value);
    else
        return NULL_TREE;
    return fold_convert(wide ? uint64_type_node : uint32_type_node, value);
}

/* The value probe of the last site, if its value is a number: before the statement, or after it. */
static void announce_value(routine &r, gimple_stmt_iterator *at, tree value, bool after)
{
    bool wide;
    gimple_seq seq = NULL;
    tree bits = weft_options.values ? as_bits(value, wide) : NULL_TREE;
    if (!bits)
        return;
    site &s = r.sites.back();
    bits = force_gimple_operand(bits, &seq, true, NULL_TREE);
    s.value = gimple_build_call(probe_function(wide ? PROBE_VALUE64 : PROBE_VALUE), 2, numbered(r.site_label, 0), bits);
    gimple_set_location(s.value, s.where);
    gimple_seq_add_stmt(&seq, s.value);
    s.flags |= wide ? DESCRIPTOR_SITE_VALUE64 : DESCRIPTOR_SITE_VALUE;
    if (after)
        gsi_insert_seq_after(at, seq, GSI_CONTINUE_LINKING);
    else
        gsi_insert_seq_before(at, seq, GSI_SAME_STMT);
}

/* Whether a virtual call names its object here: for devirtualisation only, so no code is made for it. */
static bool names_object(use_operand_p use)
{
    gimple *stmt = USE_STMT(use);
    tree from = is_gimple_call(stmt)     ? gimple_call_fn(stmt)
                : is_gimple_assign(stmt) ? gimple_assign_rhs1(stmt)
                                         : NULL_TREE;
    return from && TREE_CODE(from) == OBJ_TYPE_REF && use->use == &OBJ_TYPE_REF_OBJECT(from);
}

static bool is_dead(gimple *stmt, hash_set<gimple *> &seen);

/* Whether code is made for what uses the value: not for the end of an object's life, nor for what is dead itself. */
static bool is_live_use(use_operand_p use, hash_set<gimple *> &seen)
{
    gimple *stmt = USE_STMT(use);
    return !is_gimple_debug(stmt) && !names_object(use) && !gimple_clobber_p(stmt) && !is_dead(stmt, seen);
}

static bool is_unused(tree value, hash_set<gimple *> &seen)
{
    imm_use_iterator uses;
    use_operand_p use;
    if (TREE_CODE(value) != SSA_NAME || !use_register_for_decl(value))
        return false;
    FOR_EACH_IMM_USE_FAST(use, uses, value)
    if (is_live_use(use, seen))
        return false;
    return true;
}

/* Whether it makes one instruction that has no other result: GCC drops those where nothing uses the result. A division
 * may be a call. */
static bool is_simple(gassign *stmt)
{
    tree type = TREE_TYPE(gimple_assign_lhs(stmt));
    switch (gimple_assign_rhs_code(stmt)) {
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case POINTER_PLUS_EXPR:
    case NEGATE_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
    case LSHIFT_EXPR:
    case RSHIFT_EXPR:
    CASE_CONVERT:
        break;
    default:
        if (!gimple_assign_single_p(stmt))
            return false;
    }
    return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && TYPE_PRECISION(type) <= 32;
}

static bool is_dead(gimple *stmt, hash_set<gimple *> &seen)
{
    if (seen.add(stmt))
        return true; /* a circle of values that nothing else uses */
    if (gimple_code(stmt) == GIMPLE_PHI)
        return is_unused(gimple_phi_result(stmt), seen);
    gassign *assign = dyn_cast<gassign *>(stmt);
    return assign && is_simple(assign) && !gimple_has_volatile_ops(stmt) && is_unused(gimple_assign_lhs(stmt), seen);
}

/* Nothing uses the value, and it has a register: then no code is made, even without optimisation. A variable on the
 * stack gets it all the same. */
static bool is_dead_load(gassign *stmt)
{
    hash_set<gimple *> seen;
    return !gimple_has_volatile_ops(stmt) && is_unused(gimple_assign_lhs(stmt), seen);
}

/* The last site is the load of an aggregate. */
static void note_aggregate(routine &r, tree from, gimple *stmt)
{
    if (AGGREGATE_TYPE_P(TREE_TYPE(from)))
        note_constant(r.sites.back(), from, stmt);
}

static void visit_assign(routine &r, gimple_stmt_iterator *at)
{
    gassign *stmt = as_a<gassign *>(gsi_stmt(*at));
    if (gimple_clobber_p(stmt))
        return;
    tree to = gimple_assign_lhs(stmt), from = gimple_assign_rhs1(stmt);
    if (gimple_assign_single_p(stmt) && operand_equal_p(to, from, 0))
        return; /* a copy onto itself: no code is made for it */
    if (gimple_assign_single_p(stmt) && !is_dead_load(stmt) && announce(r, at, from, 0)) {
        note_aggregate(r, from, stmt);
        if (TREE_CODE(to) == SSA_NAME && !stmt_ends_bb_p(stmt))
            announce_value(r, at, to, true);
    }
    *at = gsi_for_stmt(stmt);
    if (announce(r, at, to, DESCRIPTOR_SITE_STORE) && gimple_assign_single_p(stmt) && is_gimple_val(from))
        announce_value(r, at, from, false);
}

/* The place after the call where it returns normally. NULL: it does not return. */
static gimple *insert_after_call(gcall *call, gimple *stmt)
{
    gimple_stmt_iterator at = gsi_for_stmt(call);
    if (!stmt_ends_bb_p(call)) {
        gsi_insert_after(&at, stmt, GSI_NEW_STMT);
        return stmt;
    }
    edge e = find_fallthru_edge(gimple_bb(call)->succs);
    if (!e)
        return NULL;
    gsi_insert_on_edge_immediate(e, stmt);
    return stmt;
}

static bool has_constant_size(tree type)
{
    return TYPE_SIZE_UNIT(type) && TREE_CODE(TYPE_SIZE_UNIT(type)) == INTEGER_CST;
}

/* A new local variable, or a register where the type has one. */
static tree new_temporary(tree type)
{
    type = TYPE_MAIN_VARIANT(type);
    return is_gimple_reg_type(type) ? make_ssa_name(type) : create_tmp_var(type, "weft_copy");
}

/* A call whose result is stored: through a temporary, so that the store can be announced before it is made. A result
 * that the callee itself stores, through a hidden pointer, is not an access of the caller. */
static void visit_result(routine &r, gcall *call)
{
    tree to = gimple_call_lhs(call);
    if (!is_memory(to) || gimple_call_tail_p(call) || gimple_call_noreturn_p(call) || TREE_ADDRESSABLE(TREE_TYPE(to)))
        return;
    if (!has_constant_size(TREE_TYPE(to)))
        return;
    bool by_pointer = aggregate_value_p(TREE_TYPE(to), gimple_call_fntype(call));
    if (by_pointer && gimple_call_return_slot_opt_p(call))
        return;
    tree by = new_temporary(TREE_TYPE(to));
    gassign *store = gimple_build_assign(to, by);
    gimple_set_location(store, gimple_location(call));
    if (!insert_after_call(call, store))
        return;
    gimple_call_set_lhs(call, by);
    if (by_pointer) {
        mark_addressable(by);
        gimple_call_set_return_slot_opt(call, true);
    }
    update_stmt(call);
    gimple_stmt_iterator at = gsi_for_stmt(store);
    if (announce(r, &at, to, DESCRIPTOR_SITE_STORE | DESCRIPTOR_SITE_CALL) && TREE_CODE(by) == SSA_NAME)
        announce_value(r, &at, by, false);
}

/* An aggregate in memory that is passed by value: copied before the path ends that the call ends, so that the load
 * happens where it is announced. */
static void visit_argument(routine &r, gimple_stmt_iterator *at, gcall *call, unsigned i)
{
    tree from = gimple_call_arg(call, i);
    if (TREE_CODE(from) == WITH_SIZE_EXPR)
        from = TREE_OPERAND(from, 0);
    if (!is_memory(from) || TREE_ADDRESSABLE(TREE_TYPE(from)) || !announce(r, at, from, DESCRIPTOR_SITE_CALL) ||
        !has_constant_size(TREE_TYPE(from)))
        return;
    tree by = new_temporary(TREE_TYPE(from));
    gassign *load = gimple_build_assign(by, from);
    gimple_set_location(load, gimple_location(call));
    gsi_insert_before(at, load, GSI_SAME_STMT);
    note_aggregate(r, from, load);
    gimple_call_set_arg(call, i, by);
    update_stmt(call);
}

/* __atomic_load_4 and its kin: operation by name, size by suffix. */
static void visit_atomic(routine &r, gimple_stmt_iterator *at, const char *name, tree pointer)
{
    const char *suffix = strrchr(name, '_');
    unsigned size = suffix[1] >= '1' && suffix[1] <= '8' && !suffix[2] ? suffix[1] - '0' : 1;
    bool known = strchr("1248", '0' + size) && suffix[1] >= '1' && suffix[1] <= '8';
    const char *operation = name + (starts_with(name, "__atomic_") ? 9 : 7);
    bool simple_store =
        starts_with(operation, "store_") || starts_with(operation, "clear") || starts_with(operation, "lock_release");
    bool load_only = starts_with(operation, "load_") || strstr(operation, "compare");
    bool flag = starts_with(operation, "clear") || starts_with(operation, "test_and_set");
    if ((!known && !flag) || strstr(operation, "fence") || strstr(operation, "lock_free"))
        return;
    std::string text = "*" + expression_text(pointer, UNKNOWN_LOCATION, false);
    if (!simple_store)
        announce_address(r, at, unshare_expr(pointer), size, DESCRIPTOR_SITE_ATOMIC, text);
    if (!load_only)
        announce_address(r, at, unshare_expr(pointer), size, DESCRIPTOR_SITE_ATOMIC | DESCRIPTOR_SITE_STORE, text);
}

static void visit_call(routine &r, gimple_stmt_iterator *at)
{
    gcall *call = as_a<gcall *>(gsi_stmt(*at));
    size_t first = r.sites.size();
    if (gimple_call_internal_p(call)) {
        if (!weft_options.inputs && gimple_call_internal_fn(call) == IFN_ATOMIC_COMPARE_EXCHANGE &&
            tree_fits_uhwi_p(gimple_call_arg(call, 3)))
            announce_address(r, at, unshare_expr(gimple_call_arg(call, 0)),
                             tree_to_uhwi(gimple_call_arg(call, 3)) & 255, DESCRIPTOR_SITE_ATOMIC,
                             "*" + expression_text(gimple_call_arg(call, 0), UNKNOWN_LOCATION, false));
        announce_callee(r, at, first);
        return;
    }
    for (unsigned i = 0; i < gimple_call_num_args(call); i++)
        visit_argument(r, at, call, i);
    if (weft_options.inputs)
        return;
    first = r.sites.size();
    if (gimple_call_builtin_p(call, BUILT_IN_NORMAL)) {
        const char *name = IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(call)));
        if ((starts_with(name, "__atomic_") || starts_with(name, "__sync_")) && gimple_call_num_args(call) > 0 &&
            POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, 0))))
            visit_atomic(r, at, name, gimple_call_arg(call, 0));
        announce_blocks(r, at, call);
        if (!serves_recorder(gimple_call_fndecl(call)))
            announce_callee(r, at, first);
    }
    visit_result(r, call);
}

/* Memory operands, and outputs that the compiler stores after the statement. */
static void visit_asm(routine &r, gimple_stmt_iterator *at)
{
    gasm *stmt = as_a<gasm *>(gsi_stmt(*at));
    for (unsigned i = 0; i < gimple_asm_ninputs(stmt); i++)
        announce(r, at, TREE_VALUE(gimple_asm_input_op(stmt, i)), DESCRIPTOR_SITE_ASM);
    for (unsigned i = 0; i < gimple_asm_noutputs(stmt); i++) {
        tree operand = gimple_asm_output_op(stmt, i), ref = TREE_VALUE(operand);
        const char *constraint = TREE_STRING_POINTER(TREE_VALUE(TREE_PURPOSE(operand)));
        if (strchr(constraint, '+'))
            announce(r, at, ref, DESCRIPTOR_SITE_ASM);
        announce(r, at, ref, DESCRIPTOR_SITE_ASM | DESCRIPTOR_SITE_STORE);
    }
}

void announce_accesses(routine &r)
{
    std::vector<gimple *> statements;
    basic_block block;
    FOR_EACH_BB_FN(block, r.fun)
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
        if (!is_gimple_debug(gsi_stmt(i)))
            statements.push_back(gsi_stmt(i));
    for (gimple *stmt : statements) {
        gimple_stmt_iterator at = gsi_for_stmt(stmt);
        switch (gimple_code(stmt)) {
        case GIMPLE_ASSIGN:
            visit_assign(r, &at);
            break;
        case GIMPLE_CALL:
            visit_call(r, &at);
            break;
        case GIMPLE_ASM:
            visit_asm(r, &at);
            break;
        default:
            break;
        }
    }
}
