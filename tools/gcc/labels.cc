/* SPDX-License-Identifier: MIT */
/* The functions that probes call, and the labels that numbers are counted from. */
#include "tools/gcc/weft_gcc.h"

#include "gimple-expr.h"

static tree functions[PROBES];

static const ggc_root_tab roots[] = {
    {functions, PROBES, sizeof functions[0], &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

/* Leaf: no call back into this file, so that none of the edges that setjmp needs leave a probe. */
tree declare_probe(const char *name, tree type)
{
    tree decl = build_fn_decl(name, type);
    SET_DECL_ASSEMBLER_NAME(decl, get_identifier(name));
    DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
    return decl;
}

/* `first` is NULL_TREE: the function has no parameter. */
static tree declare(const char *name, tree first, tree second)
{
    return declare_probe(name, second  ? build_function_type_list(void_type_node, first, second, NULL_TREE)
                               : first ? build_function_type_list(void_type_node, first, NULL_TREE)
                                       : build_function_type_list(void_type_node, NULL_TREE));
}

static tree declare_passes(const char *name, tree result)
{
    return declare_probe(name, build_function_type_list(result, const_ptr_type_node, const_ptr_type_node,
                                                        const_ptr_type_node, uint32_type_node, NULL_TREE));
}

/* What says how many bytes a string function will move (port/cortex-m/string_sizes.c). */
static tree declare_measure(const char *name, tree second, tree third)
{
    tree first = const_ptr_type_node;
    return declare_probe(name, third ? build_function_type_list(uint32_type_node, first, second, third, NULL_TREE)
                                     : build_function_type_list(uint32_type_node, first, second, NULL_TREE));
}

tree probe_function(probe which)
{
    if (!functions[0]) {
        register_callback("weft_gcc", PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
        functions[PROBE_PATH] = declare("__weft_path", const_ptr_type_node, NULL_TREE);
        functions[PROBE_LAST] = declare("__weft_last", const_ptr_type_node, NULL_TREE);
        functions[PROBE_KPATH] = declare("__weft_kpath", const_ptr_type_node, ptr_type_node);
        functions[PROBE_KPATH_EXIT] = declare("__weft_kpath_exit", const_ptr_type_node, ptr_type_node);
        functions[PROBE_ACCESS] = declare("__weft_access", const_ptr_type_node, const_ptr_type_node);
        functions[PROBE_VALUE] = declare("__weft_value", const_ptr_type_node, uint32_type_node);
        functions[PROBE_VALUE64] = declare("__weft_value64", const_ptr_type_node, uint64_type_node);
        functions[PROBE_MARK] = declare("__weft_mark", const_ptr_type_node, NULL_TREE);
        functions[PROBE_STAMP] = declare("__weft_stamp", NULL_TREE, NULL_TREE);
        functions[PROBE_DERIVED] = declare("__weft_derived", const_ptr_type_node, const_ptr_type_node);
        functions[PROBE_PACKED] = declare("__weft_packed", const_ptr_type_node, uint32_type_node);
        functions[PROBE_PACKED_FULL] = declare("__weft_packed_full", const_ptr_type_node, uint32_type_node);
        functions[PROBE_STRING] = declare_measure("__weft_string", uint32_type_node, NULL_TREE);
        functions[PROBE_APPENDED] = declare_measure("__weft_appended", uint32_type_node, NULL_TREE);
        functions[PROBE_STRING_UNTIL] = declare_measure("__weft_string_until", integer_type_node, NULL_TREE);
        functions[PROBE_BYTES_UNTIL] = declare_measure("__weft_bytes_until", integer_type_node, uint32_type_node);
        functions[PROBE_SAME_STRING] = declare_measure("__weft_same_string", const_ptr_type_node, uint32_type_node);
        functions[PROBE_SAME_BYTES] = declare_measure("__weft_same_bytes", const_ptr_type_node, uint32_type_node);
        functions[PROBE_PASSES] = declare_passes("__weft_loop", ptr_type_node);
        functions[PROBE_PASSES_PATH] = declare_passes("__weft_loop_path", void_type_node);
    }
    return functions[which];
}

bool is_probe(const gimple *stmt)
{
    tree decl = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;
    for (int i = 0; decl && i < PROBES; i++)
        if (decl == functions[i])
            return true;
    return false;
}

tree external_object(const char *name, tree type)
{
    tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
    std::string exactly = std::string("*") + name; /* whatever the target puts before names */
    SET_DECL_ASSEMBLER_NAME(decl, get_identifier(exactly.c_str()));
    DECL_EXTERNAL(decl) = 1;
    DECL_ARTIFICIAL(decl) = 1;
    DECL_IGNORED_P(decl) = 1;
    TREE_ADDRESSABLE(decl) = 1;
    TREE_USED(decl) = 1;
    return decl;
}

/* An object of one byte that describe() defines under a local label. */
static tree make_label(const char *kind, unsigned id)
{
    char name[32];
    snprintf(name, sizeof name, ".Lweft_%s%u", kind, id);
    return external_object(name, unsigned_char_type_node);
}

void make_labels(routine &r)
{
    r.path_label = make_label("path", r.id);
    r.site_label = make_label("site", r.id);
    r.block_label = make_label("block", r.id);
}

tree numbered(tree label, uint32_t number)
{
    tree address = build_fold_addr_expr(label);
    if (number == 0)
        return address;
    tree offset = build_int_cst(build_pointer_type(unsigned_char_type_node), (HOST_WIDE_INT)(int32_t)number);
    return build_fold_addr_expr(build2(MEM_REF, unsigned_char_type_node, address, offset));
}
