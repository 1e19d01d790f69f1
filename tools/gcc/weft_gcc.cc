/* SPDX-License-Identifier: MIT */
/* Weft's compiler plugin: path, access and value probes for Cortex-M firmware.
 *
 *     arm-none-eabi-gcc -fplugin=.../weft_gcc.so -fplugin-arg-weft_gcc-NAME[=VALUE] ...
 *
 *     mode=cut|span        cut (default): each call ends the path before it, so that the records of all functions are
 *                          in the program's order. span: paths run across calls, as in k-iteration profiling; only with
 *                          paths
 *     probes=paths|mem|values|last|inputs   what is recorded: paths (default); also each load and store; also their
 *                          values; or the last paths, in a black box; or only what a second execution needs: what
 *                          volatile loads got from devices. Then functions count instead (tools/gcc/laps.cc)
 *     inputs               with paths: also each volatile load, with its value, and no other access. Not those of
 *                          atomic operations, and not memory operands of asm
 *     derive=path|activation|none   an access is not recorded whose address follows from the image or from another
 *                          access of the same path (default), or of the same activation of its routine; the decoder
 *                          finds it. After a gap, what follows from an access in it is unknown: with path to the end of
 *                          the path at most
 *     ksf                  a path probe also gets 16 bytes of the function's own frame, the state of a k-slab forest
 *     inline=size|speed    how much of a record is made in the program's own registers. speed: packs where they may be
 *                          (pack=auto), and loops of one path are counted. size: a call for each path, as with exact,
 *                          for the least text; what is recorded is the same
 *     exact                loops of one path record each pass where it ends, as they do with accesses or a forest; else
 *                          one call where the loop ends records all passes, and an interrupt in between comes before
 *                          them
 *     pack                 where a loop begins again, and where paths end otherwise without a call, the
 *                          number of the path is appended to a register, and one record holds several paths; an
 *                          interrupt in between comes before them, or with accesses among these. Not with exact.
 *                          pack=auto: where it may be, and
 *                          not at -O0, where nothing says where the register is when the program breaks
 *     oracle               also a call of __weft_mark at the start of each block, to test all this
 *     include=GLOB[,GLOB]  instrument only functions of these names ...
 *     include-file=GLOB[,GLOB]  ... or defined in files of these names (a whole path, or its last part)
 *     exclude=GLOB[,GLOB], exclude-file=GLOB[,GLOB]   but none of these
 *     stamp=GLOB[,GLOB]    a stamp of time at entry and at each exit of these functions (port/cortex-m/stamps.h)
 *     control=GLOB[,GLOB]  these functions are controlled at run time: one activation in N is recorded, or their entry
 *                          is a trigger (port/cortex-m/activations.h)
 *     handlers[=GLOB,...]  these functions say where what they interrupted stood, if they run as exception handlers
 *                          (port/cortex-m/places.h). Alone: *Handler, *_handler, *_isr, isr_*
 *     lists=TEXT           ignored: a check sum of such files, so that builds and compiler caches see when they change
 *     limit=N              most paths a function may have (default 16777216); beyond, more edges end paths
 *
 * Options may be repeated. Where a GLOB may stand, @FILE stands for the globs of a file, one on each line; # begins a
 * comment. Never instrumented: Weft's own sources (core/own.h), functions with attribute naked or
 * no_instrument_function, memcpy, memmove, memset and memcmp with their __aeabi_ kin, which the recorder itself may
 * call, what sets up memory at the start (tools/gcc/startup.cc), and the write function of a sink, by its type
 * (hal/sink.h). A function that was inlined is part of the function it is in. What memcpy, strcpy and their kin read
 * and write is announced where they are called (tools/gcc/transfers.cc).
 *
 * The pass runs on GIMPLE in SSA form, last before expansion, at every level of optimisation. What the probes are
 * called with: the probe ABI in port/cortex-m. What becomes of the descriptors: tools/lib/image/descriptor_format.h. */
#include "tools/gcc/weft_gcc.h"

#include <fnmatch.h>

#include "attribs.h"
#include "cfgloop.h"
#include "context.h"
#include "tree-into-ssa.h"
#include "tree-pass.h"

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

static const function *announcing; /* the function last instrumented, if it announces accesses */
static unsigned routines;          /* numbers of labels, unique in the assembler file */

bool starts_with(const char *text, const char *head)
{
    return strncmp(text, head, strlen(head)) == 0;
}

static bool matches(const std::vector<std::string> &globs, const char *text)
{
    for (const std::string &glob : globs)
        if (text && fnmatch(glob.c_str(), text, 0) == 0)
            return true;
    return false;
}

static bool matches_function(const std::vector<std::string> &globs, tree decl)
{
    return (DECL_NAME(decl) && matches(globs, IDENTIFIER_POINTER(DECL_NAME(decl)))) ||
           matches(globs, IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)));
}

/* The same for copies of a function: work.isra.0 counts as work. */
static bool matches_clone(const std::vector<std::string> &globs, tree decl)
{
    std::string name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
    return matches_function(globs, decl) || matches(globs, name.substr(0, name.find('.')).c_str());
}

static bool matches_file(const std::vector<std::string> &globs, tree decl)
{
    const char *file = DECL_SOURCE_FILE(decl), *last = file ? strrchr(file, '/') : NULL;
    return matches(globs, file) || (last && matches(globs, last + 1));
}

/* Functions that the recorder may call, which therefore get no probes. */
bool serves_recorder(tree decl)
{
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
    name += *name == '*';
    if (starts_with(name, "__weft_") || starts_with(name, "__aeabi_mem"))
        return true;
    for (const char *basic : {"memcpy", "memmove", "memset", "memcmp"})
        if (strcmp(name, basic) == 0)
            return true;
    return false;
}

/* Whether it has the type of a sink's write: weft_status (void *, const uint8_t *, size_t). The recorder calls it, in
 * the middle of a path. */
static bool is_sink(tree decl)
{
    tree type = TREE_TYPE(decl), name = TYPE_NAME(TREE_TYPE(type)), given = TYPE_ARG_TYPES(type);
    if (name && TREE_CODE(name) == TYPE_DECL)
        name = DECL_NAME(name);
    return name && strcmp(IDENTIFIER_POINTER(name), "weft_status") == 0 && list_length(given) == 4 &&
           POINTER_TYPE_P(TREE_VALUE(given)) && VOID_TYPE_P(TREE_TYPE(TREE_VALUE(given)));
}

static bool is_wanted(tree decl)
{
    const options &o = weft_options;
    if (is_own(decl) || lookup_attribute("naked", DECL_ATTRIBUTES(decl)) || serves_recorder(decl) || is_sink(decl))
        return false;
    bool chosen = o.include.empty() && o.include_file.empty();
    if (!chosen)
        chosen = matches_function(o.include, decl) || matches_file(o.include_file, decl);
    return chosen && !matches_function(o.exclude, decl) && !matches_file(o.exclude_file, decl);
}

bool has_probes_here(tree decl)
{
    cgraph_node *node = cgraph_node::get(decl);
    return node && node->definition && node->get_availability() > AVAIL_INTERPOSABLE &&
           is_wanted(node->ultimate_alias_target()->decl);
}

bool is_dispatcher(basic_block block)
{
    gimple *first = first_real_statement(block);
    return first && gimple_call_internal_p(first, IFN_ABNORMAL_DISPATCHER);
}

gimple *first_real_statement(basic_block block)
{
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
        if (gimple_code(gsi_stmt(i)) != GIMPLE_LABEL && !is_gimple_debug(gsi_stmt(i)))
            return gsi_stmt(i);
    return NULL;
}

namespace
{

const pass_data weft_pass_data = {GIMPLE_PASS,         /* type */
                                  "weft",              /* name */
                                  OPTGROUP_NONE,       /* optinfo_flags */
                                  TV_NONE,             /* tv_id */
                                  PROP_cfg | PROP_ssa, /* properties_required */
                                  0,
                                  0,
                                  0,
                                  0};

class weft_pass : public gimple_opt_pass
{
  public:
    explicit weft_pass(gcc::context *context) : gimple_opt_pass(weft_pass_data, context)
    {
    }
    unsigned execute(function *fun) final override;
};

void finish(const routine &r)
{
    basic_block block;
    FOR_ALL_BB_FN(block, r.fun)
    block->aux = NULL;
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    if (loops_for_fn(r.fun))
        loops_state_set(LOOPS_NEED_FIXUP);
    mark_virtual_operands_for_renaming(r.fun);
    update_ssa(TODO_update_ssa_only_virtuals);
}

unsigned weft_pass::execute(function *fun)
{
    announcing = NULL;
    schedule_as_asked(fun->decl);
    if (seen_error() || !is_wanted(fun->decl) || runs_before_memory(fun))
        return 0;
    answer_here();
    if (flag_pic) {
        fatal_error(DECL_SOURCE_LOCATION(fun->decl), "weft: position-independent code cannot hold path numbers");
        return 0;
    }
    routine r;
    r.fun = fun;
    r.stamped = matches_clone(weft_options.stamp, fun->decl);
    r.controlled = matches_clone(weft_options.control, fun->decl);
    r.id = routines++;
    make_labels(r);
    learn_passes(r); /* first, for it may give up names that addresses are made of */
    if (weft_options.memory)
        announce_accesses(r);
    if (weft_options.laps) {
        place_inputs(r);
        bool handler = matches_clone(weft_options.handlers, fun->decl);
        place_laps(r, handler);
        if (handler)
            place_handler(r);
        finish(r);
        return 0;
    }
    if (weft_options.derive == DERIVE_ACTIVATION)
        place_bases(r);
    cut_at_calls(r);
    insert_probes(r);
    if (r.controlled)
        control_probes(r);
    if (matches_clone(weft_options.handlers, fun->decl))
        place_handler(r);
    announcing = r.sites.empty() ? NULL : fun;
    if (!wait_for_expansion(r)) {
        describe(r);
        ballarus_free(r.graph);
    }
    finish(r);
    return 0;
}

/* Before any optimisation: expressions still look as they were written. */
const pass_data text_pass_data = {GIMPLE_PASS, "weft_text", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class text_pass : public gimple_opt_pass
{
  public:
    explicit text_pass(gcc::context *context) : gimple_opt_pass(text_pass_data, context)
    {
    }
    unsigned execute(function *fun) final override
    {
        if (!is_wanted(fun->decl))
            return 0;
        ask_for_link();
        note_switches(fun);
        if (weft_options.memory)
            note_texts(fun);
        return 0;
    }
};

/* A load or store that was announced must be made, once, of that size, before the next probe: the passes on RTL may
 * narrow, merge, repeat or drop accesses even across calls (of constant data, for one). They do none of that to
 * volatile accesses, and with `inputs` no others are announced. */
const pass_data exact_pass_data = {RTL_PASS, "weft_exact", OPTGROUP_NONE, TV_NONE, PROP_rtl, 0, 0, 0, 0};

class exact_pass : public rtl_opt_pass
{
  public:
    explicit exact_pass(gcc::context *context) : rtl_opt_pass(exact_pass_data, context)
    {
    }
    bool gate(function *fun) final override
    {
        return is_waiting(fun) || (optimize && fun == announcing && !weft_options.inputs);
    }
    unsigned execute(function *fun) final override;
};

unsigned exact_pass::execute(function *fun)
{
    if (is_waiting(fun))
        describe_expanded();
    if (optimize && fun == announcing && !weft_options.inputs)
        make_accesses_volatile();
    return 0;
}

} // namespace

/* Called before each pass. Expansion may fold a load into the expression that uses it, and then load only the part that
 * is used. It does not where a statement is marked volatile. (The mark is set only now, since it does not agree with
 * the statement's operands.) */
static void before_pass(void *gcc_data, void *)
{
    const opt_pass *pass = static_cast<const opt_pass *>(gcc_data);
    basic_block block;
    if (pass->type != RTL_PASS || strcmp(pass->name, "expand") != 0 || !announcing || cfun != announcing || !optimize)
        return;
    FOR_EACH_BB_FN(block, cfun)
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
        if (gimple_assign_load_p(gsi_stmt(i)))
            gimple_set_has_volatile_ops(gsi_stmt(i), true);
}

static void end_file(void *, void *)
{
    describe_end();
    define_laps();
}

/* Paths and sites are numbered by the addresses of labels, which only the link fixes. */
static void refuse_pic(void *, void *)
{
    if (flag_pic)
        error("weft: no position-independent code (%s): the numbers of paths and sites are addresses",
              flag_pie ? "-fpie" : "-fpic");
}

__attribute__((visibility("default"))) int plugin_init(plugin_name_args *arguments, plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version)) {
        error("weft: the plugin was built for another compiler: GCC %s", gcc_version.basever);
        return 1;
    }
    if (!set_options(arguments->argc, arguments->argv))
        return 1;
    /* The last pass on GIMPLE; the next is expansion. */
    register_pass_info info = {new weft_pass(g), "*warn_function_noreturn", 1, PASS_POS_INSERT_AFTER};
    register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
    register_pass_info text = {new text_pass(g), "ssa", 1, PASS_POS_INSERT_AFTER};
    register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &text);
    register_pass_info exact = {new exact_pass(g), "expand", 1, PASS_POS_INSERT_AFTER};
    register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &exact);
    register_callback(arguments->base_name, PLUGIN_START_UNIT, refuse_pic, NULL);
    register_callback(arguments->base_name, PLUGIN_PASS_EXECUTION, before_pass, NULL);
    register_callback(arguments->base_name, PLUGIN_FINISH_UNIT, end_file, NULL);
    register_link_pass(arguments->base_name);
    return 0;
}
