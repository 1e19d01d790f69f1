/* SPDX-License-Identifier: MIT */
/* weft report: a run as one page for a browser. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/sources.h"
#include "tools/lib/report/room.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"
#include "tools/weft/profiled.h"

static const char help[] =
    "usage: weft report -o OUT.html [--source-dir DIR] [--json] --elf APP.elf IN.weft\n\n"
    "Writes one HTML page that shows the run: what ran when, which addresses were accessed, which contexts were "
    "active,\n"
    "hot subpaths, loops, walks over arrays, interrupts, losses. It opens without a network, in any browser.\n\n"
    "  -o, --output OUT   the page; what stood there is replaced only when all is written\n"
    "  --elf APP.elf      the image that was traced\n"
    "  --source-dir DIR   where to look for source files, besides the current folder\n"
    "  --json             the result as one JSON object: bytes (of the page), functions, contexts, total, unit, lost\n"
    "                     (paths)\n\n"
    "IN.weft is a recording with probes. Time is counted in instructions, as weft functions counts them. Memory does\n"
    "not grow with the run.\n";

typedef struct options {
    const char *elf, *out, *source_dir;
    bool json;
} options;

/* ---- the reading ---- */

typedef struct watcher {
    report_run *run;
    uint64_t total, more; /* of the tables, before the event */
    replay_event access;  /* the last one */
} watcher;

static void on_enter(void *own, const functions_moment *at, uint32_t function)
{
    (void)function;
    report_run_enter(((watcher *)own)->run, at->context);
}

static void on_leave(void *own, const functions_moment *at, uint32_t function)
{
    (void)function;
    report_run_leave(((watcher *)own)->run, at->context);
}

static void on_gap(void *own, const functions_moment *at, const functions_loss *loss)
{
    (void)at, (void)loss;
    report_run_gap(((watcher *)own)->run);
}

static void on_event(void *own, const functions *all, const replay_event *event)
{
    watcher *w = own;
    if (event->kind == REPLAY_PATH) {
        uint64_t cost = all->total - w->total, more = all->more - w->more;
        report_run_spend(w->run, event->context, functions_charged(all), event->id, cost);
        structure_path(&w->run->structure, event->id, (2 * cost + more + 1) / 2); /* the middle, as weft hot does */
        w->total = all->total;
        w->more = all->more;
    } else if (event->kind == REPLAY_ACCESS && !event->unknown) {
        report_run_access(w->run, event->id, event->address, event->size, event->store);
        w->access = *event;
    } else if (event->kind == REPLAY_VALUE && w->access.store && w->access.id == event->id) {
        report_run_value(w->run, w->access.address, w->access.size, event->value);
    }
}

/* ---- the result ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static size_t functions_that_ran(const functions *all, uint32_t *order)
{
    size_t shown = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->all[order[i]].calls || all->all[order[i]].self)
            order[shown++] = order[i];
    return shown;
}

static void say(const options *o, const report_data *d, uint64_t bytes)
{
    if (!o->json) {
        printf("%s: %" PRIu64 " bytes, %" PRIu64 " instructions, %zu functions, %" PRIu32 " contexts, %" PRIu64
               " paths lost\n",
               o->out, bytes, d->all->total, d->shown, d->run->contexts.count, d->lost);
        return;
    }
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_integer(j, "bytes", (int64_t)bytes);
    json_integer(j, "functions", (int64_t)d->shown);
    json_integer(j, "contexts", d->run->contexts.count);
    json_integer(j, "total", (int64_t)d->all->total);
    json_string(j, "unit", "instructions");
    json_integer(j, "lost", (int64_t)d->lost);
    json_end_object(j);
    json_finish(j);
}

/* Writes the page. The exit status. */
static int write_page(const options *o, const char *name, report_data *d)
{
    char message[400];
    output *out = output_open(o->out, message, sizeof message);
    if (!out)
        return command_fail(name, EXIT_HOST, "%s", message);
    report_page_write(d, output_stream(out));
    long bytes = ftell(output_stream(out));
    if (!output_commit(out, message, sizeof message))
        return command_fail(name, EXIT_HOST, "%s", message);
    say(o, d, bytes < 0 ? 0 : (uint64_t)bytes);
    return EXIT_DONE;
}

static int write_run(const options *o, const char *name, profiled *run, report_run *reduced, sources *lines)
{
    uint32_t *order = profiled_order(run->all);
    report_data d = {.program = base_name(o->elf),
                     .recording = base_name(run->path),
                     .all = run->all,
                     .order = order,
                     .shown = functions_that_ran(run->all, order),
                     .run = reduced,
                     .app = run->app,
                     .file = run->file,
                     .lost = run->loss.lost,
                     .gaps = run->loss.gaps,
                     .unknown = run->seen.unknown + run->seen.unresolved,
                     .sources = lines};
    int status = write_page(o, name, &d);
    free(order);
    return status == EXIT_DONE ? profiled_warn(run) : status;
}

static int report_probes(const options *o, const char *name, const char *path, sources *lines)
{
    profiled run;
    watcher w = {0};
    functions_watch watch = {&w, on_event};
    places named;
    int status = profiled_open(&run, name, o->elf, path, (profiled_choice){0});
    if (status == EXIT_DONE && run.kind != EXECUTED_PATHS)
        status = command_fail(name, EXIT_INPUT, "'%s' is not a recording with probes", path);
    if (status == EXIT_DONE) {
        named = places_of(program_image(run.app));
        w.run = report_run_new((heat_namer){&named, places_range});
        functions_listen(run.all, (functions_listener){.own = &w, .enter = on_enter, .leave = on_leave, .gap = on_gap});
        status = profiled_read_watched(&run, &watch);
    }
    if (status == EXIT_DONE) {
        report_run_end(w.run);
        status = write_run(o, name, &run, w.run, lines);
    }
    report_run_free(w.run);
    profiled_close(&run);
    return status;
}

int command_report(int argc, char **argv)
{
    char message[400];
    options o = {0};
    const command_option list[] = {{"o", .text = &o.out},     {"output", .text = &o.out},
                                   {"elf", .text = &o.elf},   {"source-dir", .text = &o.source_dir},
                                   {"json", .flag = &o.json}, {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (argc - optind == 1)
        o.elf = elf_beside(o.elf, argv[optind]);
    if (argc - optind != 1 || !o.elf || !o.out)
        return command_fail(*argv, EXIT_USAGE,
                            "wants one recording, --elf APP.elf and -o OUT (see weft report --help)");
    if (command_same_file(argv[optind], o.out) || command_same_file(o.elf, o.out))
        return command_fail(*argv, EXIT_USAGE, "'%s' is an input", o.out);
    sources *lines = sources_open(o.source_dir, message, sizeof message);
    if (!lines)
        return command_fail(*argv, EXIT_INPUT, "%s", message);
    status = report_probes(&o, *argv, argv[optind], lines);
    sources_close(lines);
    return status;
}
