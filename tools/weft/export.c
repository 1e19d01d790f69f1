/* SPDX-License-Identifier: MIT */
/* weft export: files for other tools. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/export/room.h"
#include "tools/lib/profile/coverage_executed.h"
#include "tools/lib/recording/control.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/covered.h"
#include "tools/weft/fleet_input.h"
#include "tools/weft/options.h"
#include "tools/weft/profiled.h"

static const char help[] =
    "usage: weft export --as FORMAT -o OUT [--context NAME] [--function NAME] [--label K=V,...] [--unit U] [--json]\n"
    "                   --elf APP.elf "
    "IN...\n\n"
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
    "  --elf APP.elf      the image that was traced\n"
    "  --label K=V,...    of merged profiles (weft merge): only recordings with these labels\n"
    "  --context NAME     only one context (a handler's name, thread, or a number)\n"
    "  --function NAME    only what this function does itself; of chains of calls, those that lead to it\n"
    "  --unit U           instructions, or us: the clock's time; for the four formats that can show it\n"
    "  --json             the result as one JSON object: format, events (records written), total, unit, lost "
    "(paths)\n\n"
    "What is lost stands in the file where the format has a place for it (not in folded, csv, lcov, drcov); the exit\n"
    "status (3) says so in any case.\n";

typedef struct options {
    const char *elf, *as, *out, *unit;
    event_choice choice;
    bool clocks; /* the format can show time */
    clocked_unit in;
    bool json;
} options;

/* What was written. */
typedef struct result {
    uint64_t events, total, lost;
    const char *unit;
    output *metadata;  /* of a folder: committed after the stream */
    char message[400]; /* why it could not be written */
} result;

typedef struct format {
    const char *name;
    /* Writes IN... to the file. */
    int (*write)(const options *o, const char *name, char **in, FILE *file, result *r);
    bool several; /* takes several recordings */
    bool named;   /* the file is opened by its name */
    bool folder;
    bool clocks; /* can show time */
} format;

/* ---- from tables ---- */

static int open_run(const options *o, const char *name, char **in, profiled *run)
{
    return profiled_open(run, name, o->elf, *in,
                         (profiled_choice){.context = o->choice.context,
                                           .function = o->choice.function,
                                           .unit = o->clocks ? o->in : CLOCKED_INSTRUCTIONS});
}

static int end_run(profiled *run, int status, uint64_t events, result *r)
{
    if (status == EXIT_DONE) {
        r->events = events;
        r->total = profiled_clocked(run) ? run->all->total / 1000 : run->all->total;
        r->lost = run->loss.lost;
        r->unit = profiled_clocked(run) ? "us" : "instructions";
        status = profiled_warn(run);
    }
    profiled_close(run);
    return status;
}

static uint64_t write_tables(const char *as, profiled *run, FILE *file)
{
    const image *im = profiled_image(run);
    if (!strcmp(as, "folded"))
        return export_folded(run->all, im, file);
    if (!strcmp(as, "callgrind"))
        return export_callgrind(run->all, run->loss.lost, file);
    if (!strcmp(as, "speedscope"))
        return export_speedscope(run->all, im, run->loss.lost, file);
    if (!strcmp(as, "pprof"))
        return export_pprof(run->all, im, run->loss.lost, file);
    return export_csv(run->all, file);
}

static int as_tables(const options *o, const char *name, char **in, FILE *file, result *r)
{
    profiled run;
    uint64_t events = 0;
    int status = open_run(o, name, in, &run);
    if (status == EXIT_DONE)
        status = profiled_read(&run);
    if (status == EXIT_DONE)
        events = write_tables(o->as, &run, file);
    return end_run(&run, status, events, r);
}

/* ---- while the recording is read ---- */

static int as_chrome(const options *o, const char *name, char **in, FILE *file, result *r)
{
    profiled run;
    uint64_t events = 0;
    int status = open_run(o, name, in, &run);
    if (status == EXIT_DONE) {
        export_chrome *out = export_chrome_begin(run.all, profiled_image(&run), file);
        functions_listen(run.all, export_chrome_listener(out));
        status = profiled_read(&run);
        events = export_chrome_end(out, run.loss.lost);
    }
    return end_run(&run, status, events, r);
}

static int as_perfetto(const options *o, const char *name, char **in, FILE *file, result *r)
{
    profiled run;
    uint64_t events = 0;
    int status = open_run(o, name, in, &run);
    if (status == EXIT_DONE) {
        export_perfetto *out = export_perfetto_begin(run.all, profiled_image(&run), profiled_clocked(&run), file);
        functions_listen(run.all, export_perfetto_listener(out));
        status = profiled_read(&run);
        events = export_perfetto_end(out);
    }
    return end_run(&run, status, events, r);
}

/* `file` is the stream. A folder is a trace once it has metadata: they get their name last, and old ones go first. */
static int as_ctf(const options *o, const char *name, char **in, FILE *file, result *r)
{
    profiled run;
    uint64_t events = 0;
    char *path = memory_zero(strlen(o->out) + sizeof "/metadata", 1);
    sprintf(path, "%s/metadata", o->out);
    int status = open_run(o, name, in, &run);
    if (status == EXIT_DONE) {
        export_ctf *out = export_ctf_begin(run.all, file);
        functions_listen(run.all, export_ctf_listener(out));
        status = profiled_read(&run);
        r->metadata = output_open(path, r->message, sizeof r->message);
        FILE *text = r->metadata ? output_stream(r->metadata) : tmpfile();
        events = export_ctf_end(out, profiled_image(&run), text ? text : stdout);
        if (!r->metadata)
            status = command_fail(name, EXIT_HOST, "%s", r->message);
        else if ((status == EXIT_DONE || status == EXIT_GAPS) && unlink(path) != 0 &&
                 errno != ENOENT) /* of an earlier trace */
            status = command_fail(name, EXIT_HOST, "cannot replace '%s': %s", path, strerror(errno));
    }
    free(path);
    return end_run(&run, status, events, r);
}

/* ---- from coverage ---- */

static int as_lcov(const options *o, const char *name, char **in, FILE *file, result *r)
{
    covered run;
    int status = covered_read(&run, name, o->elf, in, o->choice);
    if (status == EXIT_DONE || status == EXIT_GAPS) {
        r->events = export_lcov(run.all, file);
        r->total = run.all->lines_hit;
        r->lost = run.lost;
        r->unit = "lines that ran";
    }
    covered_close(&run);
    return status;
}

static int as_drcov(const options *o, const char *name, char **in, FILE *file, result *r)
{
    covered run;
    if (executed_kind_of(*in) == EXECUTED_PATHS)
        return command_fail(name, EXIT_INPUT,
                            "'%s' does not say which instructions ran, as drcov wants: take a full recording or a "
                            "whole execution trace",
                            *in);
    int status = covered_read(&run, name, o->elf, in, o->choice);
    if (status == EXIT_DONE || status == EXIT_GAPS) {
        r->events = export_drcov(run.run, o->choice.function, file, &r->total);
        r->unit = "bytes of code";
    }
    covered_close(&run);
    return status;
}

/* ---- sqlite ---- */

/* The loops of the run. */
static coverage *loops_of(const options *o, profiled *run)
{
    uint64_t unread = 0;
    char message[400];
    event_filter wanted; /* profiled_open knows the context and the function */
    coverage *all = coverage_new(run->app);
    all->only = o->choice.function;
    if (run->kind == EXECUTED_PATHS) {
        if (run->merged)
            restore_coverage(run->merged, run->number, all);
        else if (event_filter_open(&wanted, o->choice, run->file, run->app, message, sizeof message)) {
            coverage_feed(all, run->file, &wanted, &unread);
            event_filter_close(&wanted);
        }
        coverage_finish(all);
    } else {
        coverage_executed(all, run->run);
    }
    return all;
}

static uint64_t write_database(const options *o, profiled *run, const access_table *accesses, result *r)
{
    coverage *loops = loops_of(o, run);
    const export_run all = {.im = profiled_image(run),
                            .all = run->all,
                            .covered = loops,
                            .accesses = accesses,
                            .lost = run->loss.lost,
                            .cut = run->loss.cut};
    uint64_t rows = export_sqlite(&all, o->out, r->message, sizeof r->message);
    coverage_free(loops);
    return rows;
}

/* o->out is the name that the file has until it is whole. */
static int as_sqlite(const options *o, const char *name, char **in, FILE *file, result *r)
{
    profiled run;
    uint64_t rows = 0;
    (void)file;
    int status = open_run(o, name, in, &run);
    access_table accesses = {.im = profiled_image(&run)};
    if (!run.merged) /* which has no accesses */
        functions_listen(run.all, access_table_listener(&accesses));
    if (status == EXIT_DONE)
        status = profiled_read(&run);
    if (status == EXIT_DONE && (rows = write_database(o, &run, &accesses, r)) == UINT64_MAX)
        status = command_fail(name, EXIT_HOST, "%s", r->message);
    access_table_free(&accesses);
    return end_run(&run, status, rows, r);
}

/* ---- the command ---- */

static const format formats[] = {{"folded", as_tables, false, false, false, false},
                                 {"callgrind", as_tables, false, false, false, false},
                                 {"pprof", as_tables, false, false, false, false},
                                 {"speedscope", as_tables, false, false, false, true},
                                 {"perfetto", as_perfetto, false, false, false, true},
                                 {"chrome", as_chrome, false, false, false, true},
                                 {"ctf", as_ctf, false, false, true, true},
                                 {"csv", as_tables, false, false, false, false},
                                 {"sqlite", as_sqlite, false, true, false, false},
                                 {"lcov", as_lcov, true, false, false, false},
                                 {"drcov", as_drcov, true, false, false, false}};

static void report(const options *o, const result *r)
{
    if (!o->json) {
        printf("%s: %" PRIu64 " records, %" PRIu64 " %s, %" PRIu64 " paths lost\n", o->as, r->events, r->total, r->unit,
               r->lost);
        return;
    }
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_string(j, "format", o->as);
    json_unsigned(j, "events", r->events);
    json_unsigned(j, "total", r->total);
    json_string(j, "unit", r->unit);
    json_unsigned(j, "lost", r->lost);
    json_end_object(j);
    json_finish(j);
}

static const format *format_of(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(name, formats[i].name))
            return &formats[i];
    return NULL;
}

/* The exit status if the command line is wrong, else EXIT_DONE. */
static int check(options *o, char **argv, int inputs, const format *as)
{
    if (inputs)
        o->elf = elf_beside(o->elf, argv[optind]);
    if (!o->as || !o->out || !o->elf || inputs < 1)
        return command_fail(*argv, EXIT_USAGE,
                            "wants --as FORMAT, -o OUT, --elf APP.elf and a recording (see weft export --help)");
    if (!as)
        return command_fail(*argv, EXIT_USAGE, "there is no format '%s' (see weft export --help)", o->as);
    if (!as->several && inputs > 1)
        return command_fail(*argv, EXIT_USAGE, "only lcov and drcov take several recordings");
    if (o->in == CLOCKED_TIME && !as->clocks)
        return command_fail(*argv, EXIT_USAGE, "%s has no time: speedscope, perfetto, chrome and ctf do", o->as);
    for (char **in = argv + optind; *in; in++)
        if (command_same_file(*in, o->out))
            return command_fail(*argv, EXIT_USAGE, "'%s' is an input", o->out);
    return command_same_file(o->elf, o->out) ? command_fail(*argv, EXIT_USAGE, "'%s' is the image", o->out) : EXIT_DONE;
}

/* Where the file goes; of a folder, the stream in it. NULL, and a message. */
static output *open_out(const options *o, const format *as, char *message, size_t size)
{
    if (!as->folder)
        return as->named ? output_open_named(o->out, message, size) : output_open(o->out, message, size);
    if (mkdir(o->out, 0777) != 0 && errno != EEXIST) {
        snprintf(message, size, "cannot make the folder '%s': %s", o->out, strerror(errno));
        return NULL;
    }
    char *path = memory_zero(strlen(o->out) + sizeof "/stream", 1);
    sprintf(path, "%s/stream", o->out);
    output *out = output_open(path, message, size);
    free(path);
    return out;
}

static int export_as(options *o, const format *as, char **argv, result *r)
{
    output *out = open_out(o, as, r->message, sizeof r->message);
    if (!out)
        return command_fail(argv[0], EXIT_HOST, "%s", r->message);
    if (as->named)
        o->out = output_path(out);
    int status = as->write(o, argv[0], argv + optind, output_stream(out), r);
    if (status != EXIT_DONE && status != EXIT_GAPS) {
        output_discard(out);
        output_discard(r->metadata);
        return status;
    }
    if (!output_commit(out, r->message, sizeof r->message) ||
        (r->metadata && !output_commit(r->metadata, r->message, sizeof r->message)))
        return command_fail(argv[0], EXIT_HOST, "%s", r->message);
    report(o, r);
    return status;
}

int command_export(int argc, char **argv)
{
    options o = {0};
    result r = {0};
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
    const format *as = o.as ? format_of(o.as) : NULL;
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
