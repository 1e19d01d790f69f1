/* SPDX-License-Identifier: MIT */
/* What must not go wrong in silence: Weft's own sources get no probes, and a program that is compiled with -flto by
 * this plugin is linked by it too.
 *
 * Own sources hold the mark of core/own.h, a variable. With -flto the link sees the functions of many files at once:
 * there a pass over the whole program finds by the mark which files are Weft's, and gives their functions an attribute.
 *
 * With -flto the compiler proper leaves before the pass that puts in the probes; the link runs it, if the plugin is
 * named there. So each file asks for a symbol, whose name is the message, and the plugin gives it at the link. */
#include "tools/gcc/weft_gcc.h"

#include "attribs.h"
#include "context.h"
#include "output.h"
#include "tree-pass.h"

#define MARK "weft_own_source"
#define LTO_SYMBOL "the_link_of_a_program_compiled_with_flto_needs_the_weft_plugin_too"

static bool is_mark(const varpool_node *variable)
{
    tree name = DECL_NAME(variable->decl);
    return name && strcmp(IDENTIFIER_POINTER(name), MARK) == 0;
}

static bool holds_mark(const lto_file_decl_data *file)
{
    varpool_node *variable;
    FOR_EACH_VARIABLE(variable)
    if (variable->lto_file_data == file && is_mark(variable))
        return true;
    return false;
}

bool is_own(tree decl)
{
    static int here = -1; /* whether the file being compiled is Weft's */
    if (lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(decl)))
        return true;
    if (in_lto_p)
        return false;
    if (here < 0) {
        here = holds_mark(NULL);
        if (here)
            inform(DECL_SOURCE_LOCATION(decl), "weft: this file is part of Weft: no probes in it");
    }
    return here;
}

static void mark_own_functions(void)
{
    std::set<const lto_file_decl_data *> own;
    varpool_node *variable;
    cgraph_node *node;
    FOR_EACH_VARIABLE(variable)
    if (is_mark(variable))
        own.insert(variable->lto_file_data);
    FOR_EACH_FUNCTION(node)
    if (own.count(node->lto_file_data) && node->definition)
        DECL_ATTRIBUTES(node->decl) =
            tree_cons(get_identifier("no_instrument_function"), NULL_TREE, DECL_ATTRIBUTES(node->decl));
}

static void add_assembly(const char *text)
{
    symtab->finalize_toplevel_asm(build_string((int)strlen(text), text));
}

void ask_for_link(void)
{
    static bool asked;
    if (!asked && flag_generate_lto && !in_lto_p)
        add_assembly("\t.pushsection .weft.lto,\"\",%progbits\n\t.4byte " LTO_SYMBOL "\n\t.popsection");
    asked = true;
}

/* In an object that also holds machine code (-ffat-lto-objects), that code has its probes. */
void answer_here(void)
{
    static bool answered;
    if (!answered && flag_generate_lto && !in_lto_p)
        fputs("\t.weak " LTO_SYMBOL "\n\t.set " LTO_SYMBOL ", 0\n", asm_out_file);
    answered = true;
}

namespace
{

const pass_data link_pass_data = {IPA_PASS, "weft_link", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class link_pass : public ipa_opt_pass_d
{
  public:
    explicit link_pass(gcc::context *context)
        : ipa_opt_pass_d(link_pass_data, context, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL)
    {
    }
    bool gate(function *) final override
    {
        return in_lto_p && !flag_ltrans;
    }
    unsigned execute(function *) final override
    {
        mark_own_functions();
        add_assembly("\t.weak " LTO_SYMBOL "\n\t.set " LTO_SYMBOL ", 0");
        return 0;
    }
};

} // namespace

void register_link_pass(const char *plugin)
{
    register_pass_info info = {new link_pass(g), "whole-program", 1, PASS_POS_INSERT_BEFORE};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}
