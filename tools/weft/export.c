/* SPDX-License-Identifier: MIT */
/* weft export: files for other tools. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/output.h"
#include "tools/lib/export/room.h"
#include "tools/weft/command.h"
#include "tools/weft/covered.h"
#include "tools/weft/options.h"
#include "tools/weft/profiled.h"

static const char help[] =
    "usage: weft export --as FORMAT -o OUT [--context N] [--json] --elf APP.elf IN...\n\n"
    "Writes a recording (with probes, or full, or a whole execution trace) as a file that another tool opens. Costs\n"
    "are instructions of the program, as weft functions counts them; their sum is its total.\n\n"
    "  --as FORMAT:\n"
    "    folded       a line for each stack and its cost: flamegraph.pl, inferno, speedscope\n"
    "    callgrind    costs of lines and calls: callgrind_annotate, KCachegrind\n"
    "    speedscope   https://www.speedscope.app\n"
    "    chrome       each call on its context's track: chrome://tracing, https://ui.perfetto.dev; 1 us is 1 "
    "instruction.\n"
    "                 The file grows with the run\n"
    "    csv          a row for each function\n"
    "    lcov         lines, branches and functions, as weft coverage counts them: genhtml; takes several recordings\n"
    "  -o, --output OUT   the file to write; what stood there is replaced only when all is written\n"
    "  --elf APP.elf      the image that was traced\n"
    "  --context N        only one context; not for lcov\n"
    "  --json             the result as one JSON object: format, events (records written), total, unit, lost "
    "(paths)\n\n"
    "What is lost stands in callgrind, speedscope and chrome files; the other formats have no place for it, and the "
    "exit\n"
    "status (3) says so.\n";

typedef struct options {
    const char *elf, *as, *out;
    bool json;
    long long context;
} options;

/* What was written. */
typedef struct result {
    uint64_t events, total, lost;
    const char *unit;
} result;

static int export_coverage(const options *o, const char *name, char **paths, FILE *file, result *r)
{
    covered run;
    int status = covered_read(&run, name, o->elf, paths);
    if (status == EXIT_DONE || status == EXIT_GAPS)
        *r = (result){export_lcov(run.all, file), run.all->lines_hit, run.lost, "lines that ran"};
    covered_close(&run);
    return status;
}

static uint64_t write_tables(const char *as, profiled *run, FILE *file)
{
    if (!strcmp(as, "folded"))
        return export_folded(run->all, file);
    if (!strcmp(as, "callgrind"))
        return export_callgrind(run->all, run->loss.lost, file);
    if (!strcmp(as, "speedscope"))
        return export_speedscope(run->all, run->loss.lost, file);
    return export_csv(run->all, file);
}

static int export_functions(const options *o, const char *name, const char *path, FILE *file, result *r)
{
    profiled run;
    export_chrome *chrome = NULL;
    functions_choice choice = {o->context >= 0, o->context < 0 ? 0 : (uint32_t)o->context, false};
    int status = profiled_open(&run, name, o->elf, path, choice);
    if (status == EXIT_DONE && !strcmp(o->as, "chrome")) {
        chrome = export_chrome_begin(file);
        functions_listen(run.all, export_chrome_listener(chrome));
    }
    if (status == EXIT_DONE)
        status = profiled_read(&run);
    if (chrome)
        r->events = export_chrome_end(chrome, run.loss.lost);
    if (status == EXIT_DONE) {
        uint64_t events = chrome ? r->events : write_tables(o->as, &run, file);
        *r = (result){events, run.all->total, run.loss.lost, "instructions"};
        status = profiled_warn(&run);
    }
    profiled_close(&run);
    return status;
}

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
    json_integer(j, "events", (int64_t)r->events);
    json_integer(j, "total", (int64_t)r->total);
    json_string(j, "unit", r->unit);
    json_integer(j, "lost", (int64_t)r->lost);
    json_end_object(j);
    json_finish(j);
}

/* The exit status if the command line is wrong, else EXIT_DONE. */
static int check(const options *o, char **argv, int inputs)
{
    static const char *const formats[] = {"folded", "callgrind", "speedscope", "chrome", "csv", "lcov"};
    bool known = false;
    if (!o->as || !o->out || !o->elf || inputs < 1)
        return command_fail(*argv, EXIT_USAGE,
                            "wants --as FORMAT, -o OUT, --elf APP.elf and a recording (see weft export --help)");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        known |= !strcmp(o->as, formats[i]);
    if (!known)
        return command_fail(*argv, EXIT_USAGE, "there is no format '%s' (see weft export --help)", o->as);
    bool lcov = !strcmp(o->as, "lcov");
    if (!lcov && inputs > 1)
        return command_fail(*argv, EXIT_USAGE, "only lcov takes several recordings");
    if (lcov && o->context >= 0)
        return command_fail(*argv, EXIT_USAGE, "--context does not go with lcov");
    for (char **in = argv + optind; *in; in++)
        if (command_same_file(*in, o->out))
            return command_fail(*argv, EXIT_USAGE, "'%s' is an input", o->out);
    return command_same_file(o->elf, o->out) ? command_fail(*argv, EXIT_USAGE, "'%s' is the image", o->out) : EXIT_DONE;
}

int command_export(int argc, char **argv)
{
    char message[400];
    options o = {.context = -1};
    result r = {0};
    const command_option list[] = {{"as", .text = &o.as},
                                   {"o", .text = &o.out},
                                   {"output", .text = &o.out},
                                   {"elf", .text = &o.elf},
                                   {"json", .flag = &o.json},
                                   {"context", .number = &o.context, .max = UINT32_MAX - 1},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if ((status = check(&o, argv, argc - optind)) != EXIT_DONE)
        return status;
    output *out = output_open(o.out, message, sizeof message);
    if (!out)
        return command_fail(argv[0], EXIT_HOST, "%s", message);
    FILE *file = output_stream(out);
    status = strcmp(o.as, "lcov") ? export_functions(&o, argv[0], argv[optind], file, &r)
                                  : export_coverage(&o, argv[0], argv + optind, file, &r);
    if (status != EXIT_DONE && status != EXIT_GAPS) {
        output_discard(out);
        return status;
    }
    if (!output_commit(out, message, sizeof message))
        return command_fail(argv[0], EXIT_HOST, "%s", message);
    report(&o, &r);
    return status;
}
