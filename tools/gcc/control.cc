/* SPDX-License-Identifier: MIT */
/* Functions that are controlled at run time (control=GLOBS; port/cortex-m/activations.h). A call at their entry says
 * whether this activation is recorded, and each probe gets that as one more argument:
 *
 *     keep = __weft_enter (&weft_function_work, &.Lweft_path0);
 *     __weft_kept_path (&.Lweft_path0 + 3, keep);
 *
 * So an activation is recorded whole or not at all, however activations nest and interrupt each other. */
#include "tools/gcc/weft_gcc.h"

#include "gimple-expr.h"
#include "output.h"

/* The name of the function, without what the optimisers appended to that of a clone. */
static std::string object_of(tree decl)
{
    std::string name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
    name = name.substr(name[0] == '*');
    return "weft_function_" + name.substr(0, name.find('.'));
}

/* A weft_function, which the linker makes one of all its definitions. */
static tree make_object(tree decl)
{
    std::string name = object_of(decl);
    tree object = external_object(name.c_str(), unsigned_char_type_node);
    TREE_PUBLIC(object) = 1;
    fprintf(asm_out_file, "\t.comm\t%s,%d,4\n", name.c_str(), WEFT_FUNCTION_BYTES);
    return object;
}

/* The probe that does as this one does, if an argument says so; NULL: it does so anyway. */
static const char *kept_name(const gcall *call)
{
    static const probe probes[] = {PROBE_PATH,    PROBE_ACCESS, PROBE_VALUE,
                                   PROBE_VALUE64, PROBE_PASSES, PROBE_PASSES_PATH};
    static const char *const names[] = {"__weft_kept_path",    "__weft_kept_access", "__weft_kept_value",
                                        "__weft_kept_value64", "__weft_kept_loop",   "__weft_kept_loop_path"};
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
        if (gimple_call_fndecl(call) == probe_function(probes[i]))
            return names[i];
    return NULL;
}

/* A function like the probe, with one more argument. */
static tree kept_function(const char *name, tree like)
{
    tree type = TREE_TYPE(like), arguments = NULL_TREE;
    for (tree a = TYPE_ARG_TYPES(type); a && a != void_list_node; a = TREE_CHAIN(a))
        arguments = tree_cons(NULL_TREE, TREE_VALUE(a), arguments);
    arguments = tree_cons(NULL_TREE, uint32_type_node, arguments);
    arguments = chainon(nreverse(arguments), void_list_node);
    return declare_probe(name, build_function_type(TREE_TYPE(type), arguments));
}

static gcall *kept_call(gcall *call, const char *name, tree keep)
{
    auto_vec<tree> arguments;
    for (unsigned i = 0; i < gimple_call_num_args(call); i++)
        arguments.safe_push(gimple_call_arg(call, i));
    arguments.safe_push(keep);
    gcall *kept = gimple_build_call_vec(kept_function(name, gimple_call_fndecl(call)), arguments);
    tree result = gimple_call_lhs(call);
    if (result) {
        gimple_call_set_lhs(call, NULL_TREE);
        gimple_call_set_lhs(kept, result);
    }
    gimple_set_location(kept, gimple_location(call));
    return kept;
}

static tree enter(const routine &r)
{
    tree type = build_function_type_list(uint32_type_node, ptr_type_node, const_ptr_type_node, NULL_TREE);
    tree keep = make_ssa_name(uint32_type_node);
    gcall *call = gimple_build_call(declare_probe("__weft_enter", type), 2,
                                    build_fold_addr_expr(make_object(r.fun->decl)), numbered(r.path_label, 0));
    gimple_call_set_lhs(call, keep);
    gsi_insert_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(r.fun)), call);
    return keep;
}

void control_probes(const routine &r)
{
    tree keep = enter(r);
    basic_block block;
    FOR_EACH_BB_FN(block, r.fun)
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
        gcall *call = is_probe(gsi_stmt(i)) ? as_a<gcall *>(gsi_stmt(i)) : NULL;
        const char *name = call ? kept_name(call) : NULL;
        if (name)
            gsi_replace(&i, kept_call(call, name, keep), true);
    }
}
