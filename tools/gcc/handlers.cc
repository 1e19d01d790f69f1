/* SPDX-License-Identifier: MIT */
/* Functions that may be exception handlers (handlers=GLOBS; port/cortex-m/places.h). Before all else they call
 *
 *     __weft_handler (__builtin_dwarf_cfa (), __builtin_return_address (0));
 *
 * The first is where the stack ended when the function began, the second EXC_RETURN if it is a handler that runs. */
#include "tools/gcc/weft_gcc.h"

void place_handler(const routine &r)
{
    location_t location = DECL_SOURCE_LOCATION(r.fun->decl);
    tree stack = make_ssa_name(ptr_type_node), back = make_ssa_name(ptr_type_node);
    gcall *calls[] = {
        gimple_build_call(builtin_decl_explicit(BUILT_IN_DWARF_CFA), 0),
        gimple_build_call(builtin_decl_explicit(BUILT_IN_RETURN_ADDRESS), 1, build_int_cst(unsigned_type_node, 0)),
        gimple_build_call(declare_probe("__weft_handler", build_function_type_list(void_type_node, const_ptr_type_node,
                                                                                   const_ptr_type_node, NULL_TREE)),
                          2, stack, back)};
    gimple_call_set_lhs(calls[0], stack);
    gimple_call_set_lhs(calls[1], back);
    gimple_seq all = NULL;
    for (gcall *call : calls) {
        gimple_set_location(call, location);
        gimple_seq_add_stmt(&all, call);
    }
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(r.fun));
    gsi_insert_seq_on_edge(entry, all);
    gsi_commit_one_edge_insert(entry, NULL);
}
