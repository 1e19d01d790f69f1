/* SPDX-License-Identifier: MIT */
/* weft overview: a run on one screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/profile/activations.h"
#include "tools/lib/profile/coverage_loops.h"
#include "tools/lib/recording/announced.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/tally.h"
#include "tools/lib/wet/run.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"
#include "tools/weft/overview_show.h"

static const char help[] =
    "usage: weft overview [--context NAME] [--function NAME] [--json] [--elf APP.elf] IN\n\n"
    "A run on one screen: what was recorded, the functions by their shares of the instructions, the tree of calls, "
    "the\n"
    "loops with their rounds, the interrupts. Each part has a command of its own that says more: `functions`, "
    "`loops`,\n"
    "`irq`, `info`.\n\n"
    "  --elf APP.elf    the image that was traced (default: beside IN)\n"
    "  --context NAME   only one context: a handler's name, thread, or a number\n"
    "  --function NAME  only what this function does itself, and its loops\n"
    "  --summary        has no effect: the output is a summary in any case\n"
    "  --json           one JSON object: events, bytes, lost, unit, total, functions (name, calls, self, inclusive),\n"
    "                   loops (function, file, line, entered, rounds, min, max), interrupts (name, count, mean, "
    "max)\n\n"
    "IN is a recording with probes, a full recording, or a whole execution trace (.wet). Loops are those of a "
    "recording\n"
    "with probes; a round is an execution of the loop's head. Interrupts are those of recordings; their times are in\n"
    "instructions. In a full recording and a trace, each executed instruction and each access is an event.\n";

/* ---- what is shown ---- */

static int by_rounds(const void *a, const void *b)
{
    const rounds_loop *x = ((const overview_loop *)a)->rounds, *y = ((const overview_loop *)b)->rounds;
    if (x->sum != y->sum)
        return x->sum < y->sum ? 1 : -1;
    return x->head < y->head ? -1 : x->head > y->head;
}

static overview_loop loop_of(const descriptors *known, const rounds_loop *went)
{
    const descriptor_function *f = descriptors_of_block(known, went->head);
    bool *back = coverage_back_edges(f);
    descriptor_line place = coverage_loop_place(f, went->head - f->block_base, back);
    free(back);
    return (overview_loop){.rounds = went, .function = f->name, .file = place.file, .line = place.line};
}

static int read_loops(overview *o)
{
    uint64_t unread = 0;
    size_t count = 0;
    const descriptors *known = program_descriptors(o->run.app);
    char message[400];
    event_filter wanted;
    if (!event_filter_open(&wanted, o->choice, o->run.file, o->run.app, message, sizeof message))
        return command_fail(o->run.name, EXIT_INPUT, "%s", message);
    scripts *paths = scripts_open(o->run.app);
    kipf *forest = kipf_new(1);
    o->rounds = rounds_new(known);
    const char *error = activations_feed_scripts(o->run.file, paths, known, &wanted, forest, o->rounds, &unread);
    event_filter_close(&wanted);
    kipf_free(forest);
    scripts_close(paths);
    if (error)
        return command_fail(o->run.name, EXIT_INPUT, "%s: %s", o->run.path, error);
    const rounds_loop *all = rounds_loops(o->rounds, &count);
    o->loop = memory_zero(count + 1, sizeof *o->loop);
    for (size_t i = 0; i < count; i++)
        if (all[i].entries) {
            overview_loop loop = loop_of(known, &all[i]);
            if (!o->choice.function || !strcmp(loop.function, o->choice.function))
                o->loop[o->loop_count++] = loop;
        }
    qsort(o->loop, o->loop_count, sizeof *o->loop, by_rounds);
    return EXIT_DONE;
}

static int read_recording(overview *o)
{
    functions_seen seen = {0};
    tally t = tally_of(o->run.file);
    weft_counts lost = container_lost(o->run.file);
    o->events = tally_events(&t);
    o->bytes = container_size(o->run.file);
    o->lost = (uint64_t)lost.paths + lost.accesses + lost.values + lost.marks;
    int status = read_loops(o);
    if (status != EXIT_DONE)
        return status;
    const char *error = irqs_probes(&o->interrupts, o->run.file, o->run.app, false, &seen);
    o->interrupts_known = true;
    return error ? command_fail(o->run.name, EXIT_INPUT, "%s: %s", o->run.path, error) : EXIT_DONE;
}

/* What a full recording lacks was reported by profiled_read. */
static int read_full(overview *o)
{
    char message[400];
    full_reader *reader = wet_run_open(o->run.path, message, sizeof message);
    if (!reader)
        return command_fail(o->run.name, EXIT_INPUT, "%s: %s", o->run.path, message);
    irqs_full(&o->interrupts, reader, profiled_image(&o->run));
    o->events = o->interrupts.total + o->interrupts.accesses;
    o->interrupts_known = true;
    full_close(reader);
    return EXIT_DONE;
}

static void keep_chosen(irqs *all, event_choice choice, uint32_t context)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++)
        if ((!choice.context || all->all[i].number == context) &&
            (!choice.function || !strcmp(all->all[i].name, choice.function)))
            all->all[kept++] = all->all[i];
    all->count = kept;
}

static int read_all(overview *o)
{
    struct stat about;
    int status = profiled_read(&o->run);
    if (status != EXIT_DONE && status != EXIT_GAPS)
        return status;
    o->events = o->run.all->total;
    o->bytes = stat(o->run.path, &about) == 0 ? (uint64_t)about.st_size : 0;
    uint32_t context = o->run.choice.context;
    int more = o->run.file ? read_recording(o) : o->run.kind != EXECUTED_PATHS ? read_full(o) : EXIT_DONE;
    keep_chosen(&o->interrupts, o->choice, context);
    return more != EXIT_DONE ? more : status;
}

/* ---- JSON ---- */

static void put_functions(json *j, const functions *all)
{
    uint32_t *order = profiled_order(all);
    json_array(j, "functions");
    for (size_t i = 0; i < all->count; i++) {
        const function_cost *f = &all->all[order[i]];
        if (!f->calls && !f->self)
            continue;
        json_object(j, NULL);
        json_string(j, "name", f->name);
        json_unsigned(j, "calls", f->calls);
        json_unsigned(j, "self", f->self);
        json_unsigned(j, "inclusive", f->inclusive);
        json_end_object(j);
    }
    json_end_array(j);
    free(order);
}

static void put_loops(json *j, const overview *o)
{
    json_array(j, "loops");
    for (size_t i = 0; i < o->loop_count; i++) {
        const overview_loop *loop = &o->loop[i];
        json_object(j, NULL);
        json_string(j, "function", loop->function);
        json_place(j, loop->file, loop->line);
        json_unsigned(j, "entered", loop->rounds->entries);
        json_unsigned(j, "rounds", loop->rounds->sum);
        json_integer(j, "min", (int64_t)loop->rounds->min);
        json_integer(j, "max", (int64_t)loop->rounds->max);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_interrupts(json *j, const irqs *all)
{
    json_array(j, "interrupts");
    for (size_t i = 0; i < all->count; i++) {
        json_object(j, NULL);
        json_string(j, "name", all->all[i].name);
        json_unsigned(j, "count", all->all[i].count);
        json_real(j, "mean", irq_mean(&all->all[i].time));
        json_integer(j, "max", (int64_t)all->all[i].time.max);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_all(const overview *o)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "events", o->events);
    json_unsigned(j, "bytes", o->bytes);
    json_unsigned(j, "lost", o->lost);
    json_string(j, "unit", "instructions");
    json_unsigned(j, "total", o->run.all->total);
    if (profiled_estimated(&o->run))
        json_unsigned(j, "estimated", profiled_estimated(&o->run));
    put_functions(j, o->run.all);
    if (o->rounds)
        put_loops(j, o);
    else
        json_null(j, "loops");
    if (o->interrupts_known)
        put_interrupts(j, &o->interrupts);
    else
        json_null(j, "interrupts");
    json_end_object(j);
    json_finish(j);
}

int command_overview(int argc, char **argv)
{
    const char *elf = NULL;
    bool as_json = false, summary = false; /* it is one in any case */
    overview o = {0};
    const command_option list[] = {{"elf", .text = &elf},
                                   {"context", .text = &o.choice.context},
                                   {"function", .text = &o.choice.function},
                                   {"summary", .flag = &summary},
                                   {"json", .flag = &as_json},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "takes one recording (see weft overview --help)");
    elf = elf_beside(elf, argv[optind]);
    if (!elf)
        return elf_missing(argv[0], argv[optind]);
    status = profiled_open(&o.run, argv[0], elf, argv[optind],
                           (profiled_choice){.context = o.choice.context, .function = o.choice.function});
    if (status == EXIT_DONE)
        status = read_all(&o);
    if (status == EXIT_DONE || status == EXIT_GAPS) {
        (void)announced_note(argv[0], o.run.app, ANNOUNCED_ACCESSES | ANNOUNCED_VALUES);
        if (as_json)
            put_all(&o);
        else
            overview_show(&o, command_columns());
        status = profiled_warn(&o.run);
    }
    irqs_free(&o.interrupts);
    rounds_free(o.rounds);
    free(o.loop);
    profiled_close(&o.run);
    return status;
}
