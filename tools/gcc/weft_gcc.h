/* SPDX-License-Identifier: MIT */
/* The parts of the compiler plugin. One `routine` is one function being instrumented, in this order:
 *
 *     announce_accesses   access.cc    a probe before each load and store, and before calls that move blocks of
 *                         transfers.cc memory; no change to the graph of blocks
 *     place_bases         bases.cc     with derive=activation, probes that record what addresses follow from
 *     learn_passes        loops.cc     asks GCC how often loops go around
 *     cut_at_calls        graph.cc     splits blocks so that calls that end paths begin a block; lists blocks and edges
 *     insert_probes       probes.cc    numbers the paths, puts path probes on edges and markers into blocks
 *     find_counted_loops  loops.cc     (within insert_probes) finds loops that record nothing before they end
 *     choose_packs        packs.cc     (within insert_probes) says whether one record holds several paths
 *     derive_accesses     derive.cc    (within insert_probes) finds accesses whose address follows, and drops their
 *                         probes
 *     describe            describe.cc  writes the descriptor as assembler text
 */
#ifndef WEFT_TOOLS_GCC_WEFT_GCC_H
#define WEFT_TOOLS_GCC_WEFT_GCC_H

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gcc-plugin.h"
#include "plugin-version.h"

#include "tree.h"

#include "gimple.h"
#include "ssa.h"

#include "cfghooks.h"
#include "cfgloop.h"
#include "cgraph.h"
#include "diagnostic.h"
#include "fold-const.h"
#include "gimple-iterator.h"
#include "stringpool.h"
#include "tree-cfg.h"

#include "tools/lib/image/ballarus.h"
#include "tools/lib/image/descriptor_format.h"

#if GCCPLUGIN_VERSION_MAJOR < 14 /* its name until then */
#define last_nondebug_stmt last_stmt
#endif
#if GCCPLUGIN_VERSION_MAJOR < 12 /* there was a macro only */
struct loops_list {
    auto_vec<loop_p> all;
    loops_list(function *own, unsigned flags)
    {
        loop_p loop;
        FOR_EACH_LOOP_FN(own, loop, flags)
        all.safe_push(loop);
    }
    loop_p *begin()
    {
        return all.begin();
    }
    loop_p *end()
    {
        return all.end();
    }
};
#endif

/* How far a base that was recorded is used: on its path, or until its routine is left. */
enum derive_scope { DERIVE_NONE, DERIVE_PATH, DERIVE_ACTIVATION };

struct options {
    bool span = false, memory = false, values = false, last = false, ksf = false, oracle = false, exact = false;
    bool pack = false, pack_auto = false, size = false;
    bool inputs = false; /* of accesses only volatile loads, with their values: then memory and values are set too */
    bool laps = false;   /* probes=inputs: these alone, and counts in place of paths (tools/gcc/laps.cc) */
    derive_scope derive = DERIVE_PATH;
    uint64_t limit = BALLARUS_LIMIT;
    std::vector<std::string> include, exclude, include_file, exclude_file, stamp, control, handlers;
};
extern options weft_options;
/* Sets them; false: an error was reported. (tools/gcc/options.cc) */
bool set_options(int count, const plugin_argument *arguments);

/* An address as a constant plus terms (tools/gcc/derive.cc), all modulo 2^32. */
struct address_term {
    uint32_t coefficient;
    tree value; /* an SSA name, the address of an object, or a conversion of these */
};

struct address_sum {
    bool known = false; /* false: the address is not such a sum */
    uint32_t constant = 0;
    tree symbol = NULL_TREE; /* an object whose address is added too */
    std::vector<address_term> terms;
};

/* How the decoder learns the address of a site. */
enum site_how { SITE_RECORDED, SITE_DERIVED, SITE_STATIC, SITE_COMPUTED };

/* A term of an address that is computed: the coefficient times what the operation makes of the terms of `base`, and
 * `plus`. */
struct computed_term {
    address_sum base;
    uint32_t coefficient = 1, plus = 0;
    descriptor_operation operation = DESCRIPTOR_KEEP;
    uint32_t operand = 0;
    address_sum mask;                /* of DESCRIPTOR_AND_BASE: its terms; it has no constant */
    int group = -1, mask_group = -1; /* of base and mask */
};

/* One load or store that is announced. */
struct site {
    gcall *access;  /* the probe; its first argument is set when all sites are in order. Gone once it is derived */
    gcall *value;   /* the value probe, or NULL */
    uint64_t size;  /* bytes; 0: not constant */
    unsigned flags; /* DESCRIPTOR_SITE_... */
    location_t where;
    std::string text;
    address_sum sum;
    std::vector<gimple *> argument; /* what computes the probe's address */
    site_how how = SITE_RECORDED;
    int group = -1;            /* sites of one group differ by the constants of their sums; -1: none */
    address_sum gives = {};    /* of a base site: the sum that its address is */
    int target = -1;           /* and that sum's group */
    bool ahead = false;        /* it gives what the sum is after the edge that its block ends with */
    gimple *made_by = NULL;    /* whose expansion may not make the load (tools/gcc/expanded.cc); NULL: it is made */
    tree constant = NULL_TREE; /* that it would load, then */
    gcall *called_from = NULL; /* of a base site that stands after what `made_by` announces, for the case that it is
                                * expanded to a call: `access` of the first of these sites. NULL: another site */
    std::vector<computed_term> computed = {}; /* what the terms of its sum are the sum of, if their bases are known */
};

/* On an edge, the base of a group becomes that of `from` (-1: 0), and `step`. */
struct base_move {
    uint32_t edge, group, step;
    int from;
};

/* blocks: how far after an exit a loop's record may be put off. Reasonable range 1 to 8: fewer calls, or more code */
#define LOOP_TAIL_BLOCKS 4
/* places: most that may make the record of one exit. Reasonable range 1 to 8: likewise */
#define LOOP_TAIL_ENDS 3

/* passes: a loop whose bound is not known records each time it has made this many. Reasonable range 2^10 to 2^20: fewer
 * calls, or fewer passes that a fault in the loop loses */
#define LOOP_PASSES 65536

/* A loop of one path (tools/gcc/loops.cc). Edges are numbered as the routine's. */
struct counted_loop {
    uint32_t header, back;          /* block; edge */
    std::vector<uint32_t> chain;    /* its blocks, from the header to the latch */
    std::vector<uint32_t> sum;      /* by block of the chain: what the path register gains from the header to it */
    std::vector<uint32_t> exits;    /* edges */
    std::vector<uint32_t> tail;     /* blocks after it that only it leads to: its passes are recorded where these end */
    std::vector<uint32_t> tail_sum; /* as sum */
    uint32_t start = 0;             /* the register after the back edge */
    uint32_t around = 0;            /* what it gains from the header to the end of the back edge */
    bool bounded = false;           /* fewer than 2^32 - 1 passes */
    tree passes = NULL_TREE;        /* their number, in terms of what the loop begins with; or unknown */
    tree counter = NULL_TREE;       /* at the header, else */
    tree counted = NULL_TREE;       /* the counter after one more pass, if the header computes it */
};

/* What GCC knows of a loop by a statement that leaves it. */
struct loop_fact {
    bool bounded;
    tree passes; /* as in counted_loop */
};

/* A goto that became an edge. */
struct goto_place {
    unsigned how; /* descriptor_goto */
    location_t where;
};

/* One edge of the path graph. */
struct flow {
    edge cfg;      /* NULL for AWAY and STOP */
    unsigned kind; /* descriptor_edge_kind */
    goto_place from_goto;
};

struct routine {
    function *fun;
    unsigned id;                              /* makes the labels of this routine */
    tree path_label, site_label, block_label; /* what its numbers are counted from */
    std::vector<site> sites;
    std::vector<basic_block> blocks;     /* local number -> block; block->aux is number + 1 */
    std::vector<unsigned> block_flags;   /* DESCRIPTOR_BLOCK_... */
    std::vector<unsigned> block_landing; /* of a block with DESCRIPTOR_BLOCK_CAUGHT */
    std::vector<unsigned> block_sites;
    std::set<basic_block> continuing;                 /* they were one with the block before them */
    std::vector<std::vector<location_t>> block_steps; /* places of the statements; UNKNOWN_LOCATION: gcov cuts there */
    std::map<edge, goto_place> gotos;
    std::vector<ballarus_edge> edges;
    std::vector<flow> flows; /* as edges */
    std::vector<base_move> moves;
    ballarus *graph = nullptr;
    std::map<const gimple *, loop_fact> facts;
    std::vector<counted_loop> loops;
    std::vector<int> loop_of;    /* by block: index in `loops`, or -1 */
    tree activation = NULL_TREE; /* state of the k-slab forest */
    bool stamped = false;        /* its entry and exits have stamps of time */
    bool controlled = false;     /* options::control names it */
    bool packed = false;         /* its path register may hold several paths */
};

/* Functions of the probes, and the labels (GCC's garbage collector knows them). */
enum probe {
    PROBE_PATH,
    PROBE_LAST,
    PROBE_KPATH,
    PROBE_KPATH_EXIT,
    PROBE_ACCESS,
    PROBE_VALUE,
    PROBE_VALUE64,
    PROBE_MARK,
    PROBE_DERIVED,
    PROBE_STAMP,
    PROBE_PASSES,
    PROBE_PASSES_PATH,
    PROBE_PACKED,
    PROBE_PACKED_FULL,
    PROBE_STRING,
    PROBE_APPENDED,
    PROBE_STRING_UNTIL,
    PROBE_BYTES_UNTIL,
    PROBE_SAME_STRING,
    PROBE_SAME_BYTES,
    PROBES
};
tree probe_function(probe which);
/* A function that only probes call. */
tree declare_probe(const char *name, tree type);
bool is_probe(const gimple *stmt);
/* label + number, as an invariant pointer. */
tree numbered(tree label, uint32_t number);
/* An object that is defined in assembler, by that name exactly. (tools/gcc/labels.cc) */
tree external_object(const char *name, tree type);
void make_labels(routine &r);

void announce_accesses(routine &r);
void cut_at_calls(routine &r);
/* Within cut_at_calls: what gcov counts by. (tools/gcc/pieces.cc) */
void note_pieces(routine &r);
void insert_probes(routine &r);
/* Numbers the paths between the edges that are cut; NULL: that cannot be. (tools/gcc/probes.cc) */
ballarus *number_paths(const routine &r);
/* The address as a sum of SSA names; it looks through their definitions. */
address_sum sum_of(tree address);
/* Adds base sites before loops. (tools/gcc/bases.cc) */
void place_bases(routine &r);
/* Says of each site how its address is found. The paths must be numbered, the sites in order. */
void derive_accesses(routine &r);
/* Removes the probes of the sites that are not recorded. */
void remove_derived_probes(routine &r);
/* bytes of a weft_function (port/cortex-m/activations.h) */
#define WEFT_FUNCTION_BYTES 24
/* Of a function whose activations are controlled, when all probes are there. (tools/gcc/control.cc) */
void control_probes(const routine &r);
/* Of a function that may be a handler, after that. (tools/gcc/handlers.cc) */
void place_handler(const routine &r);
/* With probes=inputs, in place of the probes of sites, and of paths. (tools/gcc/laps.cc) */
void place_inputs(routine &r);
void place_laps(const routine &r, bool handler);
/* After the last function of the file. */
void define_laps();
/* Asks GCC about the loops, and cleans up the graph of blocks. */
void learn_passes(routine &r);
/* Finds the loops of one path. The paths must be numbered. */
void find_counted_loops(routine &r);
/* Asm in it may let others run: see there. (tools/gcc/loops.cc) */
bool has_event(basic_block block);
/* What another routine's packs changed of the options (tools/gcc/fault_pack.cc). */
void schedule_as_asked(tree function);
/* Decides whether the routine is packed (tools/gcc/packs.cc); then no loop of it is counted. */
void choose_packs(routine &r);
/* On this edge, the next path is appended to the register. */
bool appends(const routine &r, uint32_t index);
/* bits of a pack's first path */
unsigned pack_first(const routine &r);
void describe(const routine &r);
/* When all probes are there, if a site has `made_by`: the routine is described when it is expanded, and freed then.
 * (tools/gcc/expanded.cc) */
bool wait_for_expansion(const routine &r);
/* Whether the function waits for it. */
bool is_waiting(const function *fun);
/* Right after the expansion of a function that waits. */
void describe_expanded();
/* Then no later pass changes an access of the program. */
void make_accesses_volatile();
/* After the last function of the file. */
void describe_end();
/* Remembers where the switches of a function are, before they become comparisons. */
void note_switches(function *fun);
/* Whether a block goes on with the comparisons of the switch of the block before it. */
bool goes_on_with_switch(basic_block block);
/* Remembers the source text of each access of a function that is not optimised yet. */
void note_texts(function *fun);
/* The source text of an access: as remembered, or as near as the optimisers have left it. */
std::string expression_text(tree expression, location_t where, bool store);

/* Whether a function is Weft's own, or asks for no probes. (tools/gcc/own.cc) */
bool is_own(tree decl);
/* Whether a function is one that the recorder may call, so that it has no probes. */
bool serves_recorder(tree decl);
/* Whether a function is defined in this file and has probes, and no other definition can take its place. */
bool has_probes_here(tree decl);
/* Whether a function runs at the start, before variables have their first values. (tools/gcc/startup.cc) */
bool runs_before_memory(function *fun);
/* With -flto: makes the link fail where it does not load the plugin. */
void ask_for_link(void);
/* Lets such a link pass, since the probes are in this object already. */
void answer_here(void);
void register_link_pass(const char *plugin);

/* Helpers on GIMPLE. */
bool is_dispatcher(basic_block block);
bool starts_with(const char *text, const char *head);
gimple *first_real_statement(basic_block block);

#endif
