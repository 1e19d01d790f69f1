/* SPDX-License-Identifier: MIT */
/* weft fleet: questions to merged profiles. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digits.h"
#include "tools/lib/fleet/labels.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_ask.h"
#include "tools/weft/fleet_input.h"

static const char help[] =
    "usage: weft fleet top [-k K] [--top N] [--label K=V,...] [--json] PROFILE...\n"
    "       weft fleet rare [-k K] [--fewer N] [--top N] [--label K=V,...] [--json] PROFILE...\n"
    "       weft fleet compare --before K=V,... --after K=V,... [--label K=V,...] [--level P] [--all] [--json] "
    "PROFILE...\n"
    "       weft fleet uncovered [--label K=V,...] [--json] PROFILE...\n\n"
    "Asks merged profiles (weft merge).\n\n"
    "  top        the paths of all on which most instructions were spent\n"
    "  rare       paths that fewer than N devices took (N up to 17; default 2), and which devices; of a sequence and\n"
    "             the longer ones around it, only the shortest\n"
    "  compare    which functions cost more or less per call, and on which paths; functions are matched by name and\n"
    "             file, paths by their lines. Noise is how much recordings of one version differ: Welch's t test, "
    "with\n"
    "             Holm's correction over all functions\n"
    "  uncovered  functions and lines that nobody has run\n\n"
    "  -k K           sequences of up to K paths (default 1)\n"
    "  --top N        at most N (default 20; rare: all)\n"
    "  --label K=V    only recordings with these labels\n"
    "  --elf APP.elf  an image, if it was not given to weft merge; may come several times\n"
    "  --level P      of compare: the chance that one or more of the findings are noise (default 0.01)\n"
    "  --all          of compare: also what did not change\n"
    "  --summary      names first, in lines of the terminal's width; on a terminal that is the default\n"
    "  --json         one JSON object: paths (each path, count, devices, more), functions, lines\n";

/* ---- inputs ---- */

static int open_all(fleet *f, char **paths)
{
    char message[400];
    if (!asked_open(&f->asked, paths, f->elf.all, f->elf.count, message, sizeof message) ||
        !asked_choose(&f->asked, f->label, message, sizeof message) ||
        !asked_for(&f->asked, f->before, message, sizeof message) ||
        !asked_for(&f->asked, f->after, message, sizeof message))
        return command_fail(f->name, EXIT_INPUT, "%s", message);
    f->all = f->asked.all;
    f->images = f->asked.images;
    return EXIT_DONE;
}

/* ---- the command ---- */

static int ask(fleet *f, const char *question)
{
    merged_totals t = merged_totals_of(f->all);
    int status;
    if (f->as_json) {
        fleet_remark(t);
        f->j = json_begin(stdout);
        json_object(f->j, NULL);
        json_unsigned(f->j, "recordings", t.recordings);
    }
    if (!strcmp(question, "compare"))
        status = fleet_ask_compare(f);
    else if (!strcmp(question, "uncovered"))
        status = fleet_ask_uncovered(f);
    else
        status = fleet_ask_paths(f, !strcmp(question, "rare"));
    if (f->as_json) {
        json_unsigned(f->j, "lost", t.lost);
        json_end_object(f->j);
        json_finish(f->j);
    }
    if ((status == EXIT_DONE || status == EXIT_GAPS) && t.gapped)
        status =
            command_fail(f->name, EXIT_GAPS,
                         "gap: %" PRIu64 " of %" PRIu64 " recordings have gaps, at least %" PRIu64 " paths are lost",
                         t.gapped, t.recordings, t.lost);
    return status;
}

/* An option that a question does not take would be ignored: EXIT_USAGE and a message. */
static int check_options(const fleet *f, const char *question)
{
    bool compare = !strcmp(question, "compare"), rare = !strcmp(question, "rare"), top = !strcmp(question, "top");
    const struct {
        const char *name;
        bool given, taken;
    } all[] = {{"-k", f->k, rare || top},           {"--top", f->top, rare || top},    {"--fewer", f->fewer, rare},
               {"--before", f->before[0], compare}, {"--after", f->after[0], compare}, {"--level", f->level, compare},
               {"--all", f->everything, compare}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].given && !all[i].taken)
            return command_fail(f->name, EXIT_USAGE, "'%s' does not take %s; see --help", question, all[i].name);
    return EXIT_DONE;
}

static int check(fleet *f, const char *question, int inputs)
{
    static const char *const questions[] = {"top", "rare", "compare", "uncovered"};
    const char *const given[] = {f->label, f->before, f->after};
    char message[200];
    bool known = false;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        known |= !strcmp(question, questions[i]);
    if (!*question)
        return command_fail(f->name, EXIT_USAGE, "needs a question: top, rare, compare or uncovered");
    if (!known)
        return command_fail(f->name, EXIT_USAGE, "there is no question '%s': top, rare, compare or uncovered",
                            question);
    int status = check_options(f, question);
    if (status != EXIT_DONE)
        return status;
    f->k = f->k ? f->k : 1;
    f->fewer = f->fewer ? f->fewer : 2;
    f->level = f->level ? f->level : "0.01";
    if (inputs < 1)
        return command_fail(f->name, EXIT_USAGE, "no profile is named; see --help");
    if (!strcmp(question, "compare") && (!*f->before || !*f->after))
        return command_fail(f->name, EXIT_USAGE, "compare needs --before K=V,... and --after K=V,...");
    for (size_t i = 0; i < 3; i++) {
        labels l;
        bool good = labels_parse(&l, given[i], message, sizeof message);
        bool device = l.device != NULL;
        labels_free(&l);
        if (!good || device)
            return command_fail(f->name, EXIT_USAGE, "'%s': %s", given[i],
                                device ? "recordings are not kept apart by device" : message);
    }
    if (!digits_fraction(f->level, &f->chance) || f->chance <= 0 || f->chance >= 1)
        return command_fail(f->name, EXIT_USAGE, "--level takes a chance, such as 0.01, not '%s'", f->level);
    return EXIT_DONE;
}

int command_fleet(int argc, char **argv)
{
    fleet f = {.name = argv[0], .label = "", .before = "", .after = ""};
    const command_option list[] = {{"k", .number = &f.k, .min = 1, .max = MERGED_K_MAX},
                                   {"top", .number = &f.top, .min = 1, .max = 1 << 30},
                                   {"fewer", .number = &f.fewer, .min = 1, .max = SETS_MEMBERS_MAX + 1},
                                   {"label", .text = &f.label},
                                   {"before", .text = &f.before},
                                   {"after", .text = &f.after},
                                   {"level", .text = &f.level},
                                   {"elf", .texts = &f.elf},
                                   {"all", .flag = &f.everything},
                                   {"summary", .flag = &f.summary},
                                   {"json", .flag = &f.as_json},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    const char *question = status == OPTIONS_READ && optind < argc ? argv[optind] : "";
    f.summary = command_summary(f.summary, f.as_json);
    if (status == OPTIONS_READ)
        status = check(&f, question, argc - optind - 1);
    if (status == EXIT_DONE && *question)
        status = open_all(&f, argv + optind + 1);
    if (status == EXIT_DONE && *question)
        status = ask(&f, question);
    asked_close(&f.asked);
    free(f.elf.all);
    return status;
}
