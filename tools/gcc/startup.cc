/* SPDX-License-Identifier: MIT */
/* Functions that run before a program's variables have their first values get no probes. The recorder's variables are
 * among them, and still hold anything, or what they held before the reset. Two kinds of functions are recognised: those
 * that set up memory, by the linker's names for its bounds, and those that start-ups call before that, by their usual
 * names. The user must name any others (exclude=GLOB). */
#include "tools/gcc/weft_gcc.h"

#include "gimple-walk.h"

static bool is_one_of(tree decl, const std::vector<const char *> &names)
{
    const char *name = DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
    for (const char *one : names)
        if (strcmp(name, one) == 0)
            return true;
    return false;
}

/* Symbols where memory to be cleared or copied begins. Symbols of its end will not do: heaps begin there. */
static tree find_bound(tree *at, int *, void *)
{
    static const std::vector<const char *> bounds = {
        "_sbss",       "__bss_start__",        "__bss_start",          "_bss_start",    "_szero",     "__zero_start",
        "_sdata",      "__data_start__",       "__data_start",         "_data_start",   "_srelocate", "_sidata",
        "__data_load", "__copy_table_start__", "__zero_table_start__", "_data_loadaddr"};
    return VAR_P(*at) && DECL_EXTERNAL(*at) && is_one_of(*at, bounds) ? *at : NULL_TREE;
}

static bool phi_refers_to_bound(gphi *phi)
{
    for (unsigned n = 0; n < gimple_phi_num_args(phi); n++)
        if (walk_tree(gimple_phi_arg_def_ptr(phi, n), find_bound, NULL, NULL))
            return true;
    return false;
}

static bool refers_to_bound(function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    {
        for (gphi_iterator i = gsi_start_phis(block); !gsi_end_p(i); gsi_next(&i))
            if (phi_refers_to_bound(i.phi()))
                return true;
        for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
            walk_stmt_info info = {};
            if (walk_gimple_op(gsi_stmt(i), find_bound, &info))
                return true;
        }
    }
    return false;
}

bool runs_before_memory(function *fun)
{
    static const std::vector<const char *> usual = {"Reset_Handler", "ResetHandler", "reset_handler", "ResetISR",
                                                    "_start",        "__start",      "SystemInit",    "LowLevelInit"};
    return is_one_of(fun->decl, usual) || refers_to_bound(fun);
}
