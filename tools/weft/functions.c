/* SPDX-License-Identifier: MIT */
/* weft functions: calls and instructions by function. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_input.h"
#include "tools/weft/functions_show.h"
#include "tools/weft/options.h"
#include "tools/weft/profiled.h"

static const char help[] =
    "usage: weft functions [--tree] [--context NAME] [--function NAME] [--label K=V,...] [--unit U] [--json]\n"
    "                      [--elf APP.elf] IN\n\n"
    "Calls and instructions, or time, of each function: self (what it executed itself), inclusive (also what it\n"
    "called), and the shortest, mean and longest call. The costliest function comes first.\n\n"
    "  --elf APP.elf    the image that was traced (default: beside IN)\n"
    "  --tree           the tree of calls instead, with each node's share of all instructions\n"
    "  --label K=V,...  of a merged profile (weft merge): only recordings with these labels\n"
    "  --context NAME   only one context: a handler's name (SysTick_Handler), thread, or a number: 0 is thread mode,\n"
    "                   else an exception, or a thread from 512 on\n"
    "  --function NAME  only this function, and who calls it and whom it calls\n"
    "  --top N          only the N costliest; 0: all, the default except for summaries\n"
    "  --summary        the 20 costliest functions, or with --tree calls, as on a terminal\n"
    "  --unit U         instructions, or us: microseconds by the recording's clock, with those that probes take; "
    "default\n"
    "                   where the firmware was built with a clock (docs/HARDWARE.md, Time)\n"
    "  --with-probes    also count the instructions that serve only the probes\n"
    "  --json           one JSON object: unit, total, functions (name, file, line, calls, self, inclusive, min, mean,\n"
    "                   max, ...), with --tree also tree\n\n"
    "IN is a recording with probes, a full recording, or a whole execution trace (.wet). With probes, instructions "
    "are\n"
    "those of the recorded paths, computed from the ELF; functions without probes (libraries, startup code) are not "
    "in\n"
    "it. Where a path does not say which way the machine went, the least is counted, and 'more' says how many may "
    "have\n"
    "to be added. The others hold each instruction, those of probes too, and the stack pointer: stack is the most "
    "bytes\n"
    "that a call took, with what it called.\n";

enum { SUMMARY_ROWS = 20 };

typedef struct options {
    const char *elf;
    const char *context, *function;
    const char *unit;
    bool tree, json, with_probes, summary;
    bool screen;   /* names first, and as wide as the terminal */
    long long top; /* functions to list */
} options;

static void put_cost(json *j, const functions *all, const char *key, uint64_t cost)
{
    if (functions_clocked(all))
        json_thousandths(j, key, cost);
    else
        json_integer(j, key, (int64_t)cost);
}

/* null: it is not known. */
static void put_known(json *j, const functions *all, const char *key, bool known, uint64_t cost)
{
    if (known)
        put_cost(j, all, key, cost);
    else
        json_null(j, key);
}

static void put_edges(json *j, const functions *all, const char *key, uint32_t function, bool callers)
{
    json_array(j, key);
    for (size_t i = 0; i < all->edge_count; i++) {
        const call_edge *edge = &all->edge[i];
        uint32_t other = callers ? edge->caller : edge->callee;
        if ((callers ? edge->callee : edge->caller) != function || other == FUNCTIONS_NONE)
            continue;
        json_object(j, NULL);
        json_string(j, "name", all->all[other].name);
        json_place(j, edge->place.file, edge->place.line);
        json_unsigned(j, "calls", edge->calls);
        put_cost(j, all, "inclusive", edge->inclusive);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_function(json *j, const profiled *run, uint32_t number)
{
    const functions *all = run->all;
    const function_cost *f = &all->all[number];
    json_object(j, NULL);
    json_string(j, "name", f->name);
    json_place(j, f->place.file, f->place.line);
    json_unsigned(j, "calls", f->calls);
    put_cost(j, all, "self", f->self);
    put_cost(j, all, "more", f->more);
    put_cost(j, all, "estimated", f->estimated);
    put_cost(j, all, "inclusive", f->inclusive);
    if (f->stack_known)
        json_integer(j, "stack", f->stack);
    else
        json_null(j, "stack");
    put_known(j, all, "min", f->whole, f->min);
    if (f->whole)
        json_real(j, "mean", (double)f->whole_sum / (double)f->whole / (functions_clocked(all) ? 1000 : 1));
    else
        json_null(j, "mean");
    put_known(j, all, "max", f->whole, f->max);
    bool when = f->whole && !run->merged; /* a merged profile does not know when a call was */
    put_known(j, all, "min_at", when, f->min_at);
    put_known(j, all, "max_at", when, f->max_at);
    put_edges(j, all, "callers", number, true);
    put_edges(j, all, "callees", number, false);
    json_end_object(j);
}

static void put_tree(json *j, const functions *all, const image *im)
{
    char name[VECTORS_NAME_MAX];
    json_array(j, "tree");
    profiled_walk walk = profiled_walk_begin(all);
    for (uint32_t at; (at = profiled_walk_next(&walk));) {
        const call_node *node = &all->node[at];
        json_object(j, NULL);
        json_integer(j, "depth", walk.depth - 1);
        json_integer(j, "context", node->context);
        json_string(j, "context_name", vectors_name(im, node->context, name));
        json_string(j, "name", node->function != FUNCTIONS_NONE ? all->all[node->function].name : NULL);
        json_unsigned(j, "calls", node->calls);
        put_cost(j, all, "self", node->self);
        put_cost(j, all, "inclusive", node->inclusive);
        json_end_object(j);
    }
    profiled_walk_end(&walk);
    json_end_array(j);
}

static void put_all(const profiled *run, const options *o)
{
    const functions *all = run->all;
    uint32_t *order = profiled_order(all);
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_string(j, "unit", profiled_clocked(run) ? "us" : "instructions");
    put_cost(j, all, "total", all->total);
    put_cost(j, all, "more", all->more);
    put_cost(j, all, "estimated", all->estimated);
    json_unsigned(j, "lost", run->loss.paths);
    if (profiled_clocked(run))
        clocked_put(j, run->file);
    json_array(j, "functions");
    long long shown = 0;
    for (size_t i = 0; i < all->count && shown < o->top; i++)
        if (functions_is_shown(&all->all[order[i]], o->function)) {
            put_function(j, run, order[i]);
            shown++;
        }
    json_end_array(j);
    if (o->tree)
        put_tree(j, all, profiled_image(run));
    json_end_object(j);
    json_finish(j);
    free(order);
}

static bool knows(const functions *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->all[i].name, name))
            return true;
    return false;
}

int command_functions(int argc, char **argv)
{
    options o = {.top = -1};
    const char *label = NULL;
    const command_option list[] = {{"elf", .text = &o.elf},
                                   {"tree", .flag = &o.tree},
                                   {"context", .text = &o.context},
                                   {"function", .text = &o.function},
                                   {"label", .text = &label},
                                   {"summary", .flag = &o.summary},
                                   {"top", .number = &o.top, .max = INT32_MAX},
                                   {"unit", .text = &o.unit},
                                   {"with-probes", .flag = &o.with_probes},
                                   {"json", .flag = &o.json},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "takes one recording (see weft functions --help)");
    o.elf = elf_beside(o.elf, argv[optind]);
    if (!o.elf)
        return elf_missing(argv[0], argv[optind]);
    if ((status = fleet_choose(argv[0], label, argv + optind)) != EXIT_DONE)
        return status;
    clocked_unit unit;
    if ((status = clocked_unit_of(argv[0], o.unit, &unit)) != EXIT_DONE)
        return status;
    o.screen = command_summary(o.summary, o.json || o.top >= 0) && !o.json;
    if (o.tree && o.top >= 0 && !o.screen)
        return command_fail(argv[0], EXIT_USAGE, "--tree --top N goes with --summary");
    if (o.top < 0)
        o.top = o.screen ? SUMMARY_ROWS : 0;
    if (!o.top)
        o.top = INT32_MAX;
    profiled run;
    status = profiled_open(&run, argv[0], o.elf, argv[optind],
                           (profiled_choice){.context = o.context, .with_probes = o.with_probes, .unit = unit});
    if (status == EXIT_DONE)
        status = profiled_read(&run);
    if (status == EXIT_DONE || status == EXIT_GAPS) {
        if (o.function && !knows(run.all, o.function)) {
            profiled_close(&run);
            return command_fail(argv[0], EXIT_INPUT, "there is no function '%s'", o.function);
        }
        if (o.json) {
            put_all(&run, &o);
        } else {
            if (o.tree && o.screen)
                functions_show_tree_screen(run.all, profiled_image(&run), o.top, command_columns());
            else if (o.tree)
                functions_show_tree(run.all, profiled_image(&run));
            else if (o.screen)
                functions_show_screen(run.all, o.function, o.top, command_columns());
            else
                functions_show(run.all, o.function, o.top);
            functions_show_total(&run, command_width(o.screen));
        }
        status = profiled_warn(&run);
    }
    profiled_close(&run);
    return status;
}
