/* SPDX-License-Identifier: MIT */
/* weft functions: calls and instructions by function. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_input.h"
#include "tools/weft/options.h"
#include "tools/weft/profiled.h"

static const char help[] =
    "usage: weft functions [--tree] [--context NAME] [--function NAME] [--label K=V,...] [--unit U] [--json]\n"
    "                      --elf APP.elf IN\n\n"
    "Calls and instructions, or time, of each function: self (what it executed itself), inclusive (also what it "
    "called), and "
    "the\n"
    "shortest, mean and longest call. The costliest function comes first.\n\n"
    "  --elf APP.elf    the image that was traced\n"
    "  --tree           the tree of calls instead, with each node's share of all instructions\n"
    "  --label K=V,...  of a merged profile (weft merge): only recordings with these labels\n"
    "  --context NAME   only one context: a handler's name (SysTick_Handler), thread, or a number: 0 is thread mode,\n"
    "                   else an exception, or a thread from 512 on\n"
    "  --function NAME  only this function, and who calls it and whom it calls\n"
    "  --top N          only the N costliest functions; 0: all, the default except for summaries\n"
    "  --summary        the 20 costliest functions, as on a terminal\n"
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
    long long top; /* functions to list */
} options;

/* ---- lines for people ---- */

/* Instructions, or microseconds. */
static void print_cost(const functions *all, int width, uint64_t cost)
{
    if (functions_clocked(all))
        printf(" %*.3f", width, (double)cost / 1000);
    else
        printf(" %*" PRIu64, width, cost);
}

static double share(const functions *all, uint64_t cost)
{
    return all->total ? 100.0 * (double)cost / (double)all->total : 0;
}

static void print_place(function_place place)
{
    if (!place.file)
        return;
    const char *slash = strrchr(place.file, '/');
    fputs("  ", stdout);
    text_print(stdout, slash ? slash + 1 : place.file);
    if (place.line)
        printf(":%" PRIu32, place.line);
}

/* Who calls it, or whom it calls. */
static void print_edges(const functions *all, uint32_t function, bool callers)
{
    printf(callers ? "\n%12s %12s  called by\n" : "\n%12s %12s  calls\n", "calls", "inclusive");
    for (size_t i = 0; i < all->edge_count; i++) {
        const call_edge *edge = &all->edge[i];
        uint32_t other = callers ? edge->caller : edge->callee;
        if ((callers ? edge->callee : edge->caller) != function)
            continue;
        printf("%12" PRIu64, edge->calls);
        print_cost(all, 12, edge->inclusive);
        printf("  ");
        if (other == FUNCTIONS_NONE)
            printf("(nobody: the context begins with it)");
        else
            text_print(stdout, all->all[other].name);
        print_place(edge->place);
        putchar('\n');
    }
}

static bool is_shown(const function_cost *f, const char *only)
{
    return only ? !strcmp(f->name, only) : f->calls || f->self;
}

/* All but stack and name. */
static void print_row(const functions *all, const function_cost *f)
{
    print_cost(all, 11, f->self);
    printf(" %6.2f", share(all, f->self));
    print_cost(all, 12, f->inclusive);
    printf(" %6.2f %10" PRIu64, share(all, f->inclusive), f->calls);
    if (!f->whole) {
        printf(" %10s %10s %10s", "-", "-", "-");
        return;
    }
    print_cost(all, 10, f->min);
    if (functions_clocked(all))
        print_cost(all, 10, f->whole_sum / f->whole);
    else
        printf(" %10.0f", (double)f->whole_sum / (double)f->whole);
    print_cost(all, 10, f->max);
}

/* The costliest `top` functions. */
static void print_functions(const functions *all, const char *only, long long top)
{
    long long left = 0;
    uint32_t *order = profiled_order(all);
    printf("%12s %6s %12s %6s %10s %10s %10s %10s %7s  function\n", "self", "%", "inclusive", "%", "calls", "min",
           "mean", "max", "stack");
    for (size_t i = 0; i < all->count; i++) {
        const function_cost *f = &all->all[order[i]];
        if (!is_shown(f, only))
            continue;
        if (top-- <= 0) {
            left++;
            continue;
        }
        print_row(all, f);
        if (f->stack_known)
            printf(" %7" PRIu32 "  ", f->stack);
        else
            printf(" %7s  ", "-");
        text_print(stdout, f->name);
        print_place(f->place);
        putchar('\n');
    }
    if (left)
        printf("... and %lld more functions (--top 0 lists all)\n", left);
    for (size_t i = 0; only && i < all->count; i++)
        if (is_shown(&all->all[order[i]], only)) {
            print_edges(all, order[i], true);
            print_edges(all, order[i], false);
        }
    free(order);
}

static void print_total(const profiled *run)
{
    const functions *all = run->all;
    char text[200];
    if (profiled_clocked(run)) {
        clocked_text(run->file, text, sizeof text);
        printf("total %.3f us by %s\n", (double)all->total / 1000, text);
        return;
    }
    printf("total %" PRIu64 " instructions", all->total);
    if (all->more)
        printf(" (up to %" PRIu64 " more)", all->more);
    if (all->estimated)
        printf(", %.2f %% of them estimated", share(all, all->estimated));
    putchar('\n');
}

static void print_node(const functions *all, const image *im, uint32_t at, unsigned depth)
{
    char name[VECTORS_NAME_MAX];
    const call_node *node = &all->node[at];
    printf("%6.2f %%", share(all, node->inclusive));
    print_cost(all, 12, node->inclusive);
    print_cost(all, 12, node->self);
    printf(" %10" PRIu64 "  %*s", node->calls, (int)(2 * depth), "");
    if (node->function == FUNCTIONS_NONE)
        printf("context ");
    if (node->function == FUNCTIONS_NONE)
        text_print(stdout, vectors_name(im, node->context, name));
    else
        text_print(stdout, all->all[node->function].name);
    putchar('\n');
}

static void print_tree(const functions *all, const image *im)
{
    printf("%8s %12s %12s %10s\n", "share", "inclusive", "self", "calls");
    profiled_walk walk = profiled_walk_begin(all);
    for (uint32_t at; (at = profiled_walk_next(&walk));)
        print_node(all, im, at, walk.depth - 1);
    profiled_walk_end(&walk);
}

/* ---- JSON ---- */

static void put_cost(json *j, const functions *all, const char *key, uint64_t cost)
{
    if (functions_clocked(all))
        json_thousandths(j, key, cost);
    else
        json_integer(j, key, (int64_t)cost);
}

static void put_place(json *j, function_place place)
{
    if (place.file)
        json_string(j, "file", place.file);
    if (place.line)
        json_integer(j, "line", place.line);
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
        put_place(j, edge->place);
        json_unsigned(j, "calls", edge->calls);
        put_cost(j, all, "inclusive", edge->inclusive);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_function(json *j, const functions *all, uint32_t number)
{
    const function_cost *f = &all->all[number];
    json_object(j, NULL);
    json_string(j, "name", f->name);
    put_place(j, f->place);
    json_unsigned(j, "calls", f->calls);
    put_cost(j, all, "self", f->self);
    put_cost(j, all, "more", f->more);
    put_cost(j, all, "estimated", f->estimated);
    put_cost(j, all, "inclusive", f->inclusive);
    if (f->stack_known)
        json_integer(j, "stack", f->stack);
    if (f->whole) {
        put_cost(j, all, "min", f->min);
        json_real(j, "mean", (double)f->whole_sum / (double)f->whole / (functions_clocked(all) ? 1000 : 1));
        put_cost(j, all, "max", f->max);
        put_cost(j, all, "min_at", f->min_at);
        put_cost(j, all, "max_at", f->max_at);
    }
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
        if (node->function != FUNCTIONS_NONE)
            json_string(j, "name", all->all[node->function].name);
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
    json_unsigned(j, "lost", run->loss.lost);
    if (profiled_clocked(run))
        clocked_put(j, run->file);
    json_array(j, "functions");
    for (size_t i = 0; i < all->count; i++)
        if (is_shown(&all->all[order[i]], o->function))
            put_function(j, all, order[i]);
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
    if (argc - optind == 1)
        o.elf = elf_beside(o.elf, argv[optind]);
    if (argc - optind != 1 || !o.elf)
        return command_fail(argv[0], EXIT_USAGE, "wants one recording and --elf APP.elf (see weft functions --help)");
    if ((status = fleet_choose(argv[0], label, argv + optind)) != EXIT_DONE)
        return status;
    clocked_unit unit;
    if ((status = clocked_unit_of(argv[0], o.unit, &unit)) != EXIT_DONE)
        return status;
    if (o.top < 0)
        o.top = command_summary(o.summary, o.json || o.tree) ? SUMMARY_ROWS : 0;
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
            if (o.tree)
                print_tree(run.all, profiled_image(&run));
            else
                print_functions(run.all, o.function, o.top);
            print_total(&run);
        }
        status = profiled_warn(&run);
    }
    profiled_close(&run);
    return status;
}
