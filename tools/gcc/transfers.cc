/* SPDX-License-Identifier: MIT */
/* Blocks of memory that a function of the C library reads or writes for its caller: memcpy, strcpy and their kin. Each
 * is one event, announced before the call. Where only the bytes say how many there are, a function of the port looks
 * (port/cortex-m/string_sizes.c): it reads no byte that the library's does not.
 *
 *     strcpy(to, from);      n = __weft_string(from, -1);     with the zero at its end
 *                            __weft_access(length, n);  __weft_access(from);
 *                            __weft_access(length, n);  __weft_access(to);
 *                            strcpy(to, from);
 *
 * A function of that name that has probes announces its accesses itself. Where this file does not show whether it has,
 * both do, and the descriptor says which function is called (announce_callee). */
#include "tools/gcc/access.h"
#include "tools/gcc/expanded.h"

#include "gimplify.h"
#include "gimplify-me.h"

/* Of builtins.h, which asks for a library header that Debian does not install beside it. */
struct c_strlen_data;
extern tree c_strlen(tree, int, c_strlen_data *, unsigned);

#define NO_LIMIT build_all_ones_cst(uint32_type_node)

/* The number of bytes of a block whose size is known only when it runs. */
static void announce_length(routine &r, gimple_stmt_iterator *at, tree length)
{
    gimple_seq seq = NULL;
    length = force_gimple_operand(fold_convert(ptr_type_node, unshare_expr(length)), &seq, true, NULL_TREE);
    gcall *call = gimple_build_call(probe_function(PROBE_ACCESS), 2, numbered(r.site_label, 0), length);
    gimple_seq_add_stmt(&seq, call);
    gsi_insert_seq_before(at, seq, GSI_SAME_STMT);
    r.sites.push_back({call, NULL, 0, DESCRIPTOR_SITE_LENGTH, gimple_location(gsi_stmt(*at)), "", {}, {}});
}

/* flags: 0, or DESCRIPTOR_SITE_STORE. name: of the pointer in the source text */
static void announce_named(routine &r, gimple_stmt_iterator *at, tree pointer, tree length, unsigned flags,
                           const std::string &name)
{
    bool constant = tree_fits_uhwi_p(length);
    if (constant && integer_zerop(length))
        return;
    if (!constant)
        announce_length(r, at, length);
    announce_address(r, at, unshare_expr(pointer), constant ? tree_to_uhwi(length) : 0,
                     flags | DESCRIPTOR_SITE_AGGREGATE | DESCRIPTOR_SITE_CALL, "*" + name);
}

/* The bytes of a constant may be part of the code that the call becomes: then it is not loaded. */
static void announce_block(routine &r, gimple_stmt_iterator *at, tree pointer, tree length, unsigned flags)
{
    size_t first = r.sites.size();
    announce_named(r, at, pointer, length, flags, expression_text(pointer, UNKNOWN_LOCATION, flags != 0));
    if (flags || !is_constant_address(pointer))
        return;
    for (size_t i = first; i < r.sites.size(); i++)
        note_constant(r.sites[i], TREE_OPERAND(pointer, 0), gsi_stmt(*at));
}

static void announce_copy(routine &r, gimple_stmt_iterator *at, tree to, tree from, tree length)
{
    announce_block(r, at, from, length, 0);
    announce_block(r, at, to, length, DESCRIPTOR_SITE_STORE);
}

/* ---- strings ---- */

/* What a function of the port says of the bytes, when the program runs. */
static tree measure(gimple_stmt_iterator *at, probe which, std::vector<tree> arguments)
{
    gimple_seq seq = NULL;
    tree function = probe_function(which), type = TYPE_ARG_TYPES(TREE_TYPE(function));
    auto_vec<tree> values;
    for (tree argument : arguments) {
        tree value = fold_convert(TREE_VALUE(type), unshare_expr(argument));
        values.safe_push(force_gimple_operand(value, &seq, true, NULL_TREE));
        type = TREE_CHAIN(type);
    }
    gcall *call = gimple_build_call_vec(function, values);
    tree result = make_ssa_name(uint32_type_node);
    gimple_call_set_lhs(call, result);
    gimple_set_location(call, gimple_location(gsi_stmt(*at)));
    gimple_seq_add_stmt(&seq, call);
    gsi_insert_seq_before(at, seq, GSI_SAME_STMT);
    return result;
}

/* Characters of a literal; NULL if the string is none that the compiler knows. */
static tree literal_length(tree string)
{
    return c_strlen(string, 1, NULL, 1);
}

static bool is_literal(tree string)
{
    tree length = literal_length(string);
    return length && tree_fits_uhwi_p(length);
}

/* Bytes of a string, with the zero. */
static tree string_size(gimple_stmt_iterator *at, tree string)
{
    if (is_literal(string))
        return size_binop(PLUS_EXPR, fold_convert(sizetype, literal_length(string)), size_one_node);
    return measure(at, PROBE_STRING, {string, NO_LIMIT});
}

/* The same, or the limit if that is less. */
static tree limited_size(gimple_stmt_iterator *at, tree string, tree limit)
{
    if (is_literal(string) && tree_fits_uhwi_p(limit))
        return size_binop(MIN_EXPR, string_size(at, string), fold_convert(sizetype, limit));
    return measure(at, PROBE_STRING, {string, limit});
}

/* What is stored from the zero of a string on, which has `before` bytes with it. */
static void announce_end(routine &r, gimple_stmt_iterator *at, tree to, tree before, tree length)
{
    tree last = fold_build2(MINUS_EXPR, sizetype, fold_convert(sizetype, before), size_one_node);
    announce_named(r, at, fold_build_pointer_plus(unshare_expr(to), last), length, DESCRIPTOR_SITE_STORE,
                   "(" + expression_text(to, UNKNOWN_LOCATION, true) + "+strlen)");
}

static void announce_strncpy(routine &r, gimple_stmt_iterator *at, tree to, tree from, tree limit)
{
    announce_block(r, at, from, limited_size(at, from, limit), 0);
    announce_block(r, at, to, limit, DESCRIPTOR_SITE_STORE); /* it fills the rest with zeros */
}

static void announce_strcat(routine &r, gimple_stmt_iterator *at, tree to, tree from)
{
    tree size = string_size(at, from), before = string_size(at, to);
    announce_block(r, at, to, before, 0);
    announce_block(r, at, from, size, 0);
    announce_end(r, at, to, before, size);
}

static void announce_strncat(routine &r, gimple_stmt_iterator *at, tree to, tree from, tree limit)
{
    tree loaded = limited_size(at, from, limit), stored = measure(at, PROBE_APPENDED, {from, limit});
    tree before = string_size(at, to);
    announce_block(r, at, to, before, 0);
    announce_block(r, at, from, loaded, 0);
    announce_end(r, at, to, before, stored);
}

/* As far as both are the same. The bytes of a literal are not announced, whether it is loaded or not. */
static void announce_comparison(routine &r, gimple_stmt_iterator *at, tree one, tree other, tree size)
{
    if (!is_literal(one))
        announce_block(r, at, one, size, 0);
    if (!is_literal(other))
        announce_block(r, at, other, size, 0);
}

static void announce_strings(routine &r, gimple_stmt_iterator *at, gcall *call)
{
    unsigned count = gimple_call_num_args(call);
    tree first = count > 0 ? gimple_call_arg(call, 0) : NULL_TREE,
         second = count > 1 ? gimple_call_arg(call, 1) : first,
         third = count > 2 ? gimple_call_arg(call, 2) : NULL_TREE;
    switch (DECL_FUNCTION_CODE(gimple_call_fndecl(call))) {
    case BUILT_IN_STRCPY:
    case BUILT_IN_STRCPY_CHK:
    case BUILT_IN_STPCPY:
    case BUILT_IN_STPCPY_CHK:
        announce_copy(r, at, first, second, string_size(at, second));
        break;
    case BUILT_IN_STRNCPY:
    case BUILT_IN_STRNCPY_CHK:
    case BUILT_IN_STPNCPY:
    case BUILT_IN_STPNCPY_CHK:
        announce_strncpy(r, at, first, second, third);
        break;
    case BUILT_IN_STRCAT:
    case BUILT_IN_STRCAT_CHK:
        announce_strcat(r, at, first, second);
        break;
    case BUILT_IN_STRNCAT:
    case BUILT_IN_STRNCAT_CHK:
        announce_strncat(r, at, first, second, third);
        break;
    case BUILT_IN_STRLEN:
    case BUILT_IN_STRRCHR:
    case BUILT_IN_RINDEX:
        announce_block(r, at, first, string_size(at, first), 0);
        break;
    case BUILT_IN_STRNLEN:
        announce_block(r, at, first, measure(at, PROBE_STRING, {first, second}), 0);
        break;
    case BUILT_IN_STRCHR:
    case BUILT_IN_INDEX:
        announce_block(r, at, first, measure(at, PROBE_STRING_UNTIL, {first, second}), 0);
        break;
    case BUILT_IN_MEMCHR:
        announce_block(r, at, first, measure(at, PROBE_BYTES_UNTIL, {first, second, third}), 0);
        break;
    case BUILT_IN_STRCMP:
        announce_comparison(r, at, first, second, measure(at, PROBE_SAME_STRING, {first, second, NO_LIMIT}));
        break;
    case BUILT_IN_STRNCMP:
        announce_comparison(r, at, first, second, measure(at, PROBE_SAME_STRING, {first, second, third}));
        break;
    case BUILT_IN_MEMCMP:
    case BUILT_IN_MEMCMP_EQ:
    case BUILT_IN_BCMP:
        announce_comparison(r, at, first, second, measure(at, PROBE_SAME_BYTES, {first, second, third}));
        break;
    default:
        break;
    }
}

/* ---- all ---- */

void announce_blocks(routine &r, gimple_stmt_iterator *at, gcall *call)
{
    switch (DECL_FUNCTION_CODE(gimple_call_fndecl(call))) {
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMPCPY:
    case BUILT_IN_MEMCPY_CHK:
    case BUILT_IN_MEMMOVE_CHK:
    case BUILT_IN_MEMPCPY_CHK:
        announce_copy(r, at, gimple_call_arg(call, 0), gimple_call_arg(call, 1), gimple_call_arg(call, 2));
        break;
    case BUILT_IN_BCOPY:
        announce_copy(r, at, gimple_call_arg(call, 1), gimple_call_arg(call, 0), gimple_call_arg(call, 2));
        break;
    case BUILT_IN_MEMSET:
    case BUILT_IN_MEMSET_CHK:
        announce_block(r, at, gimple_call_arg(call, 0), gimple_call_arg(call, 2), DESCRIPTOR_SITE_STORE);
        break;
    case BUILT_IN_BZERO:
        announce_block(r, at, gimple_call_arg(call, 0), gimple_call_arg(call, 1), DESCRIPTOR_SITE_STORE);
        break;
    default:
        if (!has_probes_here(gimple_call_fndecl(call)))
            announce_strings(r, at, call);
        break;
    }
}
