/* SPDX-License-Identifier: MIT */
/* weft diff: where two recordings part, and what differs most between them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/inspect/part_cause.h"
#include "tools/lib/inspect/part_reading.h"
#include "tools/lib/recording/announced.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/wet/run.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/diff_show.h"
#include "tools/weft/options.h"
#include "tools/weft/wet_queries.h"

static const char help[] =
    "usage: weft diff [--elf A.elf [--elf B.elf]] [--at] [--context NAME] [--function NAME] [--wet A.wet --wet B.wet]\n"
    "                 [--top N] [--json] [--summary] A B\n\n"
    "Where two recordings of a program part, for each context: how much is common, the source lines of both sides, "
    "and\n"
    "of full recordings the value that made a branch go the other way. Then the functions, paths, loops, latencies "
    "and\n"
    "accesses that differ most.\n\n"
    "  --elf A.elf      the image that was recorded; twice, if it was built anew in between: then functions and lines\n"
    "                   are compared, not addresses. May be left out where NAME.elf stands beside NAME.weft\n"
    "  --at             also what stands around the place where they part\n"
    "  --context NAME   only one context: thread, a handler's name, or a number\n"
    "  --function NAME  only what is of this function, and no latencies\n"
    "  --wet FILE       twice: the whole execution traces of both; shows how the value came about (full recordings)\n"
    "  --top N          rows of each table (10; on a screen 3)\n"
    "  --summary        a screenful, as on a terminal: names first, changes in percent\n"
    "  --json           one JSON object: equal, common, a, b, contexts, functions, paths, loops, latencies, "
    "accesses\n\n"
    "A and B are two recordings with probes, or two of instructions: full ones (weft capture --full), or .wet files.\n"
    "Exit status 0, also if they differ; 3 if something is missing from one: then they are compared up to there.\n";

typedef struct options {
    command_texts elf, wet;
    const char *context, *function;
    bool json, summary, at;
    long long top;
} options;

/* ---- opening ---- */

static int open_side(part_side *s, const char *path, const char *elf, image **own)
{
    char message[400];
    const char *why;
    *s = (part_side){.path = path};
    if (wet_run_is(path)) {
        *own = image_open(elf, message, sizeof message);
        s->im = *own;
        return *own ? EXIT_DONE : command_fail("diff", EXIT_INPUT, "%s", message);
    }
    s->file = container_open(path, message, sizeof message);
    if (!s->file)
        return command_fail("diff", EXIT_INPUT, "%s", message);
    if ((why = container_without_paths(s->file)))
        return command_fail("diff", EXIT_INPUT, "%s: %s", path, why);
    s->app = program_open(elf, message, sizeof message);
    if (!s->app || !program_fits(s->app, s->file, message, sizeof message))
        return command_fail("diff", EXIT_INPUT, "%s", message);
    given_names_give(s->file, s->app);
    s->im = program_image(s->app);
    return EXIT_DONE;
}

static int check_full(const part_side *s)
{
    char message[400];
    full_reader *reader = s->app ? NULL : wet_run_open(s->path, message, sizeof message);
    int status = EXIT_DONE;
    if (reader && !full_begins_in(reader, s->im))
        status = command_fail("diff", EXIT_INPUT, "%s: %s", s->path, full_error(reader));
    full_close(reader);
    return status;
}

/* Whether two files have the same bytes. */
static bool same_bytes(const char *a, const char *b)
{
    size_t size_a = 0, size_b = 0;
    if (!strcmp(a, b))
        return true;
    void *x = memory_read(a, &size_a), *y = memory_read(b, &size_b);
    bool same = x && y && size_a == size_b && !memcmp(x, y, size_a);
    free(x);
    free(y);
    return same;
}

static int choose_images(const options *o, char **files, char **elf)
{
    for (unsigned i = 0; i < 2; i++) {
        const char *named = o->elf.count ? o->elf.all[o->elf.count > 1 ? i : 0] : elf_beside(NULL, files[i]);
        if (!named)
            return elf_missing("diff", files[i]);
        elf[i] = memory_text(named);
    }
    return EXIT_DONE;
}

/* Of two builds, one may lack the function. */
static int choose_function(const options *o, part_side side[2])
{
    bool known = !o->function;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t address, size;
        side[i].function = o->function;
        known |= o->function && image_symbol_named(side[i].im, o->function, &address, &size);
    }
    return known ? EXIT_DONE : command_fail("diff", EXIT_INPUT, "there is no function '%s'", o->function);
}

static int open_sides(const options *o, part_side side[2], image *own[2], char **files, char **elf)
{
    int status = choose_images(o, files, elf);
    for (unsigned i = 0; i < 2 && status == EXIT_DONE; i++)
        status = open_side(&side[i], files[i], elf[i], &own[i]);
    for (unsigned i = 0; i < 2 && status == EXIT_DONE; i++)
        status = check_full(&side[i]);
    if (status != EXIT_DONE)
        return status;
    if (!side[0].app != !side[1].app)
        return command_fail("diff", EXIT_INPUT, "one is a full recording, the other has probes: cannot be compared");
    if (side[0].app && o->wet.count)
        return command_fail("diff", EXIT_USAGE, "--wet goes with recordings of instructions");
    side[0].by_lines = side[1].by_lines = !same_bytes(elf[0], elf[1]);
    side[0].one_context = side[1].one_context = o->context;
    for (unsigned i = 0; i < 2 && o->context; i++)
        if (!vectors_find(side[i].im, o->context, &side[i].context))
            return command_fail("diff", EXIT_INPUT,
                                "there is no context '%s': give a handler's name, thread, or a number", o->context);
    return choose_function(o, side);
}

/* ---- the value, in whole execution traces ---- */

static int show_why(const options *o, const part_result *r, part_side side[2])
{
    const part_context *c = part_first(r);
    part_operand of[2];
    char place[64];
    int status = EXIT_DONE;
    if (!o->wet.count || !c || !part_cause(c, &side[0], &side[1], of))
        return EXIT_DONE;
    for (unsigned i = 0; i < 2 && status == EXIT_DONE; i++) {
        uint64_t nth = part_instance(&side[i], of[i].setter, of[i].time);
        snprintf(place, sizeof place, "0x%" PRIx32 "#%" PRIu64, of[i].setter, nth);
        printf("how it came about in %s:\n", i ? "B" : "A");
        wet_options w = {
            .file = o->wet.all[i], .at = place, .from = 1, .to = UINT32_MAX, .tier = 2, .depth = 8, .lines = 20};
        status = wet_why(&w);
    }
    return status;
}

/* ---- the command ---- */

/* Names what is missing. True: something is. */
static bool warn(const part_side *s)
{
    if (s->app)
        return control_print_gaps(s->file, s->unread, "diff");
    if (s->lost)
        fprintf(stderr, "weft diff: gap: %s: %s\n", s->path, s->error);
    return s->lost;
}

static int run(const options *o, part_side side[2])
{
    part_result r = {0};
    part_read_both(&side[0], &side[1]);
    for (unsigned i = 0; i < 2; i++) {
        if (side[i].failed)
            return command_fail("diff", EXIT_INPUT, "%s: %s", side[i].path, side[i].failed);
        if (!side[i].app && side[i].lost)
            json_remark("end", "missing");
        side[i].lost = side[i].app ? container_gap_count(side[i].file) + side[i].unread : side[i].lost;
    }
    part_compare(&r, &side[0], &side[1]);
    const char *error = part_locate(&r, &side[0], &side[1]);
    bool mixed = announced_say("diff", side[0].app, ANNOUNCED_ACCESSES);
    mixed |= side[1].by_lines && announced_say("diff", side[1].app, ANNOUNCED_ACCESSES);
    bool screen = command_summary(o->summary, o->json);
    size_t usual = screen ? 3 : 10;
    diff_options show = {o->at, o->top ? (size_t)o->top : usual, screen ? command_columns() : 0};
    int status = EXIT_DONE;
    if (error)
        status = command_fail("diff", EXIT_INPUT, "%s", error);
    else if (o->json)
        diff_put(&r, &side[0], &side[1], show);
    else
        diff_print(&r, &side[0], &side[1], show);
    if (status == EXIT_DONE && !o->json)
        status = show_why(o, &r, side);
    part_result_free(&r);
    fflush(stdout);
    if (status != EXIT_DONE)
        return status;
    announced_note_estimated("diff", side[0].estimated + side[1].estimated);
    bool first = warn(&side[0]);
    return warn(&side[1]) || first || mixed ? EXIT_GAPS : EXIT_DONE;
}

int command_diff(int argc, char **argv)
{
    options o = {0};
    const command_option list[] = {{"elf", .texts = &o.elf},
                                   {"at", .flag = &o.at},
                                   {"context", .text = &o.context},
                                   {"function", .text = &o.function},
                                   {"wet", .texts = &o.wet},
                                   {"top", .number = &o.top, .min = 1, .max = 1000000},
                                   {"json", .flag = &o.json},
                                   {"summary", .flag = &o.summary},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    part_side side[2] = {0};
    image *own[2] = {NULL, NULL};
    char *elf[2] = {NULL, NULL};
    if (argc - optind != 2)
        status = command_fail("diff", EXIT_USAGE, "takes two recordings (see weft diff --help)");
    else if (o.elf.count > 2 || (o.wet.count && o.wet.count != 2))
        status = command_fail("diff", EXIT_USAGE, "takes --elf once or twice, and --wet twice");
    else if (o.wet.count && o.json)
        status = command_fail("diff", EXIT_USAGE, "--wet does not go with --json");
    else
        status = open_sides(&o, side, own, argv + optind, elf);
    if (status == EXIT_DONE)
        status = run(&o, side);
    for (unsigned i = 0; i < 2; i++) {
        part_side_free(&side[i]);
        container_close(side[i].file);
        program_close(side[i].app);
        if (own[i])
            image_close(own[i]);
        free(elf[i]);
    }
    free(o.elf.all);
    free(o.wet.all);
    return status;
}
