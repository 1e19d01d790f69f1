/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/export/room.h"
#include "tools/lib/profile/coverage_executed.h"
#include "tools/weft/command.h"
#include "tools/weft/covered.h"
#include "tools/weft/exporting.h"
#include "tools/weft/fleet_input.h"
#include "tools/weft/profiled.h"

static int open_run(const export_options *o, const char *name, char **in, profiled *run)
{
    return profiled_open(run, name, o->elf, *in,
                         (profiled_choice){.context = o->choice.context,
                                           .function = o->choice.function,
                                           .unit = o->clocks ? o->in : CLOCKED_INSTRUCTIONS});
}

static int end_run(profiled *run, int status, uint64_t events, export_result *r)
{
    if (status == EXIT_DONE) {
        r->events = events;
        r->total = run->all->total;
        r->clocked = profiled_clocked(run);
        r->loss = run->loss;
        r->estimated = run->all->estimated;
        r->unit = profiled_clocked(run) ? "us" : "instructions";
        status = profiled_warn(run);
    }
    profiled_close(run);
    return status;
}

/* What the jumps and loops of the run are read from. */
static coverage *coverage_of(const export_options *o, profiled *run)
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

static uint64_t write_callgrind(const export_options *o, profiled *run, FILE *file)
{
    coverage *jumps = coverage_of(o, run);
    uint64_t written = export_callgrind(run->all, jumps, profiled_image(run), run->loss, file);
    coverage_free(jumps);
    return written;
}

static uint64_t write_tables(const export_options *o, profiled *run, FILE *file)
{
    const char *as = o->as;
    const image *im = profiled_image(run);
    if (!strcmp(as, "folded"))
        return export_folded(run->all, im, file);
    if (!strcmp(as, "callgrind"))
        return write_callgrind(o, run, file);
    if (!strcmp(as, "speedscope"))
        return export_speedscope(run->all, im, run->loss, file);
    if (!strcmp(as, "pprof"))
        return export_pprof(run->all, im, run->loss, file);
    return export_csv(run->all, file);
}

static int as_tables(const export_options *o, const char *name, char **in, FILE *file, export_result *r)
{
    profiled run;
    uint64_t events = 0;
    int status = open_run(o, name, in, &run);
    if (status == EXIT_DONE)
        status = profiled_read(&run);
    if (status == EXIT_DONE)
        events = write_tables(o, &run, file);
    return end_run(&run, status, events, r);
}

static int as_chrome(const export_options *o, const char *name, char **in, FILE *file, export_result *r)
{
    profiled run;
    uint64_t events = 0;
    int status = open_run(o, name, in, &run);
    if (status == EXIT_DONE) {
        export_chrome *out = export_chrome_begin(run.all, profiled_image(&run), file);
        functions_listen(run.all, export_chrome_listener(out));
        status = profiled_read(&run);
        events = export_chrome_end(out, run.loss);
    }
    return end_run(&run, status, events, r);
}

static int as_perfetto(const export_options *o, const char *name, char **in, FILE *file, export_result *r)
{
    profiled run;
    uint64_t events = 0;
    int status = open_run(o, name, in, &run);
    if (status == EXIT_DONE) {
        export_perfetto *out = export_perfetto_begin(run.all, profiled_image(&run), profiled_clocked(&run),
                                                     run.file && *container_at_least(run.file), file);
        functions_listen(run.all, export_perfetto_listener(out));
        status = profiled_read(&run);
        events = export_perfetto_end(out, run.loss.cut);
    }
    return end_run(&run, status, events, r);
}

/* `file` is the stream. A folder is a trace once it has metadata: they get their name last, and old ones go first. */
static int as_ctf(const export_options *o, const char *name, char **in, FILE *file, export_result *r)
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
        events = export_ctf_end(out, profiled_image(&run), run.loss, text ? text : stdout);
        if (!r->metadata)
            status = command_fail(name, EXIT_HOST, "%s", r->message);
        else if ((status == EXIT_DONE || status == EXIT_GAPS) && unlink(path) != 0 &&
                 errno != ENOENT) /* of an earlier trace */
            status = command_fail(name, EXIT_HOST, "cannot replace '%s': %s", path, strerror(errno));
    }
    free(path);
    return end_run(&run, status, events, r);
}

static int as_lcov(const export_options *o, const char *name, char **in, FILE *file, export_result *r)
{
    covered run;
    int status = covered_read(&run, name, o->elf, in, o->choice);
    if (status == EXIT_DONE || status == EXIT_GAPS) {
        r->events = export_lcov(run.all, file);
        r->total = run.all->lines_hit;
        r->loss = run.loss;
        r->unit = "lines that ran";
    }
    covered_close(&run);
    return status;
}

static int as_drcov(const export_options *o, const char *name, char **in, FILE *file, export_result *r)
{
    covered run;
    if (executed_kind_of(*in) == EXECUTED_PATHS)
        return command_fail(name, EXIT_INPUT,
                            "'%s' does not say which instructions ran, as drcov needs: take a full recording or a "
                            "whole execution trace",
                            *in);
    int status = covered_read(&run, name, o->elf, in, o->choice);
    if (status == EXIT_DONE || status == EXIT_GAPS) {
        r->events = export_drcov(run.run, o->choice.function, file, &r->total);
        r->loss = run.loss;
        r->unit = "bytes of code";
    }
    covered_close(&run);
    return status;
}

static uint64_t write_database(const export_options *o, profiled *run, const access_table *accesses, export_result *r)
{
    coverage *loops = coverage_of(o, run);
    const export_run all = {
        .im = profiled_image(run), .all = run->all, .covered = loops, .accesses = accesses, .loss = run->loss};
    uint64_t rows = export_sqlite(&all, o->out, r->message, sizeof r->message);
    coverage_free(loops);
    return rows;
}

/* o->out is the name that the file has until it is whole. */
static int as_sqlite(const export_options *o, const char *name, char **in, FILE *file, export_result *r)
{
    profiled run;
    uint64_t rows = 0;
    (void)file;
    bool mixed = false;
    int status = open_run(o, name, in, &run);
    access_table accesses = {.im = profiled_image(&run)};
    if (!run.merged) /* which has no accesses */
        functions_listen(run.all, access_table_listener(&accesses));
    if (status == EXIT_DONE)
        status = profiled_read(&run);
    if (status == EXIT_DONE && (rows = write_database(o, &run, &accesses, r)) == UINT64_MAX)
        status = command_fail(name, EXIT_HOST, "%s", r->message);
    access_table_free(&accesses);
    if (status == EXIT_DONE) /* a row of accesses without an object has those whose address is not known */
        mixed = profiled_lacks_accesses(&run);
    status = end_run(&run, status, rows, r);
    return mixed && status == EXIT_DONE ? EXIT_GAPS : status;
}

static const export_format formats[] = {{"folded", .write = as_tables},
                                        {"callgrind", .write = as_tables},
                                        {"pprof", .write = as_tables, .binary = true},
                                        {"speedscope", .write = as_tables, .clocks = true},
                                        {"perfetto", .write = as_perfetto, .binary = true, .clocks = true},
                                        {"chrome", .write = as_chrome, .clocks = true},
                                        {"ctf", .write = as_ctf, .binary = true, .folder = true, .clocks = true},
                                        {"csv", .write = as_tables},
                                        {"sqlite", .write = as_sqlite, .binary = true, .named = true},
                                        {"lcov", .write = as_lcov, .several = true},
                                        {"drcov", .write = as_drcov, .binary = true, .several = true}};

const export_format *export_format_of(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(name, formats[i].name))
            return &formats[i];
    return NULL;
}
