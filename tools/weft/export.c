/* SPDX-License-Identifier: MIT */
/* weft export: files for other tools. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/leftover.h"
#include "tools/lib/base/memory.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/exporting.h"
#include "tools/weft/fleet_input.h"

static const char help[] =
    "usage: weft export --as FORMAT -o OUT [--context NAME] [--function NAME] [--label K=V,...] [--unit U] [--json]\n"
    "                   [--elf APP.elf] IN...\n\n"
    "Writes a recording (with probes, or full, or a whole execution trace) as a file that another tool opens. Costs\n"
    "are instructions of the program, as weft functions counts them; their sum is its total. Where the recording\n"
    "has a clock, speedscope, perfetto, chrome and ctf have its time, and say so.\n\n"
    "  --as FORMAT:\n"
    "    folded       a line for each stack and its cost: flamegraph.pl, inferno, speedscope\n"
    "    callgrind    costs of lines and calls: callgrind_annotate, KCachegrind\n"
    "    pprof        a sample for each stack: go tool pprof\n"
    "    speedscope   https://www.speedscope.app\n"
    "    perfetto     each call on its context's track, counters of instructions, stack and losses:\n"
    "                 https://ui.perfetto.dev; without a clock, 1 ns is 1 instruction. The file grows with the run\n"
    "    chrome       the calls as JSON: chrome://tracing; without a clock, 1 us is 1 instruction. The file grows\n"
    "                 with the run\n"
    "    ctf          the calls as a Common Trace Format 1.8 trace: babeltrace2, Trace Compass; OUT is a folder. The\n"
    "                 stream grows with the run\n"
    "    csv          a row for each function\n"
    "    sqlite       a database of functions, calls, paths, loops, accesses, contexts\n"
    "    lcov         lines, branches and functions, as weft coverage counts them: genhtml; takes several recordings\n"
    "    drcov        the blocks of machine code that ran: Lighthouse and other disassembler plugins; of full\n"
    "                 recordings and whole execution traces, takes several\n"
    "  -o, --output OUT   the file to write; what stood there is replaced only when all is written\n"
    "  --elf APP.elf      the image that was traced (default: beside IN)\n"
    "  --label K=V,...    of merged profiles (weft merge): only recordings with these labels\n"
    "  --context NAME     only one context (a handler's name, thread, or a number)\n"
    "  --function NAME    only what this function does itself; of chains of calls, those that lead to it\n"
    "  --unit U           instructions, or us: the clock's time; for the four formats that can show it\n"
    "  --json             the result as one JSON object: format, events (records written), total, unit, lost "
    "(paths)\n\n"
    "What is lost stands in the file where the format has a place for it (not in folded, csv, lcov, drcov); the exit\n"
    "status (3) says so in any case.\n";

static void put_cost(json *j, const export_result *r, const char *key, uint64_t cost)
{
    if (r->clocked)
        json_thousandths(j, key, cost);
    else
        json_unsigned(j, key, cost);
}

static void report(const export_options *o, const export_result *r)
{
    if (!o->json) {
        char lost[EXPORT_LOSS_MAX];
        fprintf(command_says(o->out), "%s: %" PRIu64 " records, %" PRIu64 " %s, %s\n", o->as, r->events,
                r->clocked ? r->total / 1000 : r->total, r->unit, export_loss_text(lost, r->loss));
        return;
    }
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_string(j, "format", o->as);
    json_unsigned(j, "events", r->events);
    put_cost(j, r, "total", r->total);
    json_string(j, "unit", r->unit);
    if (r->estimated)
        put_cost(j, r, "estimated", r->estimated);
    json_unsigned(j, "lost", r->loss.paths);
    json_end_object(j);
    json_finish(j);
}

/* The exit status if the command line is wrong, else EXIT_DONE. */
static int check(export_options *o, char **argv, int inputs, const export_format *as)
{
    if (!o->as || !o->out || inputs < 1)
        return command_fail(*argv, EXIT_USAGE, "needs --as FORMAT, -o OUT and a recording (see weft export --help)");
    o->elf = elf_beside(o->elf, argv[optind]);
    if (!o->elf)
        return elf_missing(*argv, argv[optind]);
    if (!as)
        return command_fail(*argv, EXIT_USAGE, "there is no format '%s' (see weft export --help)", o->as);
    if (!as->several && inputs > 1)
        return command_fail(*argv, EXIT_USAGE, "only lcov and drcov take several recordings");
    if (o->in == CLOCKED_TIME && !as->clocks)
        return command_fail(*argv, EXIT_USAGE, "%s has no time: speedscope, perfetto, chrome and ctf do", o->as);
    if ((as->folder || as->named) && output_is_standard(o->out))
        return command_fail(*argv, EXIT_USAGE, "%s is not written to standard output: it is %s", o->as,
                            as->folder ? "a folder" : "written by another library, to a file on a disk");
    int status = command_output(*argv, o->out, o->json, as->binary);
    if (status != EXIT_DONE)
        return status;
    for (char **in = argv + optind; *in; in++)
        if (command_same_file(*in, o->out))
            return command_fail(*argv, EXIT_USAGE, "'%s' is an input", o->out);
    return command_same_file(o->elf, o->out) ? command_fail(*argv, EXIT_USAGE, "'%s' is the image", o->out) : EXIT_DONE;
}

/* What is new on the disk, and goes if the trace does not become whole. */
typedef struct made_folder {
    leftover folder, stream;
    char *path; /* of the stream. NULL: no folder was made */
} made_folder;

/* Where the file goes; of a folder, the stream in it. NULL, and a message. */
static output *open_out(const export_options *o, const export_format *as, made_folder *made, export_result *r)
{
    if (!as->folder)
        return as->named ? output_open_named(o->out, r->message, sizeof r->message)
                         : output_open(o->out, r->message, sizeof r->message);
    char *path = memory_zero(strlen(o->out) + sizeof "/stream", 1);
    sprintf(path, "%s/stream", o->out);
    bool is_new = mkdir(o->out, 0777) == 0;
    if (!is_new && errno != EEXIST) {
        snprintf(r->message, sizeof r->message, "cannot make the folder '%s': %s", o->out, strerror(errno));
        free(path);
        return NULL;
    }
    if (is_new)
        leftover_add(&made->folder, o->out);
    output *out = output_open(path, r->message, sizeof r->message);
    if (is_new)
        made->path = path;
    else
        free(path);
    return out;
}

/* Gives the outputs their names, or gives a message. */
static bool commit(output *out, made_folder *made, export_result *r)
{
    if (r->metadata && fflush(output_stream(r->metadata)) != 0) { /* then the stream gets no name */
        output_discard(out);
        return output_commit(r->metadata, r->message, sizeof r->message);
    }
    if (!output_commit(out, r->message, sizeof r->message))
        return false;
    if (made->path)
        leftover_add(&made->stream, made->path);
    return !r->metadata || output_commit(r->metadata, r->message, sizeof r->message);
}

/* Writes what `out` takes. EXIT_DONE or EXIT_GAPS: the outputs have their names. */
static int write_out(export_options *o, const export_format *as, output *out, made_folder *made, char **argv,
                     export_result *r)
{
    if (as->named)
        o->out = output_path(out);
    int status = as->write(o, argv[0], argv + optind, output_stream(out), r);
    if (status != EXIT_DONE && status != EXIT_GAPS) {
        output_discard(out);
        output_discard(r->metadata);
        return status;
    }
    return commit(out, made, r) ? status : command_fail(argv[0], EXIT_HOST, "%s", r->message);
}

static int export_as(export_options *o, const export_format *as, char **argv, export_result *r)
{
    static made_folder made; /* static: a command may end by exit() */
    output *out = open_out(o, as, &made, r);
    int status = out ? write_out(o, as, out, &made, argv, r) : command_fail(argv[0], EXIT_HOST, "%s", r->message);
    bool whole = status == EXIT_DONE || status == EXIT_GAPS;
    (whole ? leftover_keep : leftover_remove)(&made.stream);
    (whole ? leftover_keep : leftover_remove)(&made.folder);
    free(made.path);
    if (whole)
        report(o, r);
    return status;
}

int command_export(int argc, char **argv)
{
    export_options o = {0};
    export_result r = {0};
    const char *label = NULL;
    const command_option list[] = {{"as", .text = &o.as},
                                   {"o", .text = &o.out},
                                   {"output", .text = &o.out},
                                   {"elf", .text = &o.elf},
                                   {"json", .flag = &o.json},
                                   {"context", .text = &o.choice.context},
                                   {"function", .text = &o.choice.function},
                                   {"unit", .text = &o.unit},
                                   {"label", .text = &label},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    const export_format *as = o.as ? export_format_of(o.as) : NULL;
    if ((status = clocked_unit_of(argv[0], o.unit, &o.in)) != EXIT_DONE)
        return status;
    status = check(&o, argv, argc - optind, as);
    if (status != EXIT_DONE || !as)
        return status;
    if ((status = fleet_choose(argv[0], label, argv + optind)) != EXIT_DONE)
        return status;
    o.clocks = as->clocks;
    return export_as(&o, as, argv, &r);
}
