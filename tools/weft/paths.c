/* SPDX-License-Identifier: MIT */
/* weft paths: the k-iteration path forest of raw streams or recordings. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tools/lib/base/progress.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/input/is_container.h"
#include "tools/lib/profile/activations.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/tally.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/executed.h"
#include "tools/weft/fleet_input.h"
#include "tools/weft/options.h"
#include "tools/weft/paths_raw.h"
#include "tools/weft/paths_show.h"
#include "tools/weft/symbol_run.h"
#include "tools/weft/symbol_stream.h"

static const char help[] =
    "usage: weft paths [-k K] [--top N] [--format F] [--elf APP.elf] [--from control|profile] [--json] IN...\n\n"
    "How often each sequence of up to K consecutive paths was taken, a line each: COUNT, tab, the sequence; sorted by\n"
    "sequence. Several inputs add up, all of them raw streams, all recordings with probes, or all recordings of\n"
    "instructions (full, or .wet): there a path is what an activation executes up to a jump backward or its end.\n"
    "On a terminal: a summary, the 18 most frequent sequences with their shares.\n\n"
    "  -k K                longest sequence, 1 to 64; 1 if not given: each path alone\n"
    "  --top N             only the N most frequent sequences, sorted by count; 0: all of them\n"
    "  --format F          of raw streams: text (default), chars, u8, u16, u32, i64; in text and chars the token *\n"
    "                      starts anew, as at the entry of a routine\n"
    "  --elf APP.elf       of recordings: where the paths lie in the source, as a third column, and in --json as "
    "places;\n"
    "                      and, for the control stream, where routines are entered: sequences of two or more need "
    "that.\n"
    "                      They, a summary and recordings of instructions take the image beside IN by itself, and "
    "only\n"
    "                      the summary shows places then\n"
    "  --from control      count the control stream, even if there is a profile that the target counted itself\n"
    "  --from profile      count the profile; the default where there is one\n"
    "  --label K=V,...     of merged profiles (weft merge): only recordings with these labels\n"
    "  --context C         of recordings: only this context (a handler's name, thread, or a number)\n"
    "  --function F        of recordings: only this function\n"
    "  --summary           the summary, wherever it goes; with --top N of N sequences\n"
    "  --json              one JSON object: paths, each with path and count; events\n";

/* Of an answer from a profile: what the control stream lost need not be missing in it. */
static void note_counted(const char *name, const container *file)
{
    uint64_t all = 0;
    if (!container_gap_count(file))
        return;
    for (uint32_t i = 0; i < container_recording_count(file); i++) {
        weft_counts counts;
        if (!container_end_counts(file, i, &counts))
            return;
        all += counts.paths;
    }
    uint64_t counted = tally_of(file).counted;
    command_fail(name, EXIT_DONE,
                 "note: the profile, which this answer is from, counted %" PRIu64 " of %" PRIu64 " paths", counted,
                 all);
}

/* Adds one container. The exit status. *first stays open: the one that the others are compared with. */
static int add_container(const char *name, const char *path, const paths_options *o, program *app, container **first,
                         paths_counts *all)
{
    char message[300];
    uint64_t profile_k = 0;
    container *file = container_open(path, message, sizeof message);
    if (!file)
        return command_fail(name, EXIT_INPUT, "%s", message);
    const char *error = NULL;
    event_filter wanted = {0};
    bool has_profile = container_meta(file, WEFT_META_KSF_K, &profile_k) && profile_k >= 2 && profile_k <= 64;
    bool chosen = o->choice.context || o->choice.function;
    bool from_profile = o->from ? *o->from == 'p' : has_profile && !chosen;
    uint64_t unread = 0;
    if ((error = from_profile ? container_mixed(file) : container_without_paths(file)))
        ;
    else if (app && !program_fits(app, file, message, sizeof message))
        error = message;
    else if (*first && !container_same_image(*first, file))
        error = "it is of another image than the first input";
    else if (!event_filter_open(&wanted, o->choice, file, app, message, sizeof message))
        error = message;
    else if (from_profile && chosen)
        error = "a profile does not tell contexts apart: --context and --function go with --from control";
    else if (from_profile && !has_profile)
        error = "it has no profile";
    else if (from_profile && (uint64_t)o->k > profile_k)
        error = "its profile was made for shorter sequences";
    else if (!from_profile && !app && o->k > 1)
        error = "it has no profile, and only the program says where routines are entered: give --elf APP.elf, or -k 1";
    else if (!from_profile)
        error = container_packed(file);
    if (!error && from_profile && !all->targets)
        all->targets = kipf_new((unsigned)profile_k);
    if (!error && !from_profile && !all->host)
        all->host = sequences_new(o->k < 2 ? 2 : (unsigned)o->k);
    if (!error)
        error = from_profile ? activations_feed_profile(file, all->targets)
                             : activations_count(file, app, &wanted, all->host, &unread);
    int status = error ? command_fail(name, EXIT_INPUT, "%s: %s", path, error) : EXIT_DONE;
    if (!error && control_print_gaps(file, unread, name))
        status = EXIT_GAPS;
    if (status == EXIT_GAPS && from_profile)
        note_counted(name, file);
    event_filter_close(&wanted);
    if (*first)
        container_close(file);
    else
        *first = file;
    return status;
}

/* The same for a merged profile. */
static int add_merged(const char *name, const char *path, const paths_options *o, program *app, paths_counts *sum)
{
    char message[300];
    merged *all;
    uint32_t number;
    if (o->choice.context || o->choice.function)
        return command_fail(name, EXIT_USAGE, "%s: a merged profile does not tell contexts apart, nor functions", path);
    if (o->from)
        return command_fail(name, EXIT_USAGE, "%s: a merged profile holds one sum: --from goes with recordings", path);
    int status = fleet_input(&all, &number, name, path, app);
    if (status == EXIT_DONE)
        status = fleet_once(all, name, path);
    if (status == EXIT_DONE &&
        !restore_forest(all, number, (unsigned)o->k, &sum->targets, &sum->host, message, sizeof message))
        status = command_fail(name, EXIT_INPUT, "%s: %s", path, message);
    else if (status == EXIT_DONE)
        status = fleet_warn(all, number, name, path);
    merged_free(all);
    return status;
}

/* Full recordings and whole execution traces, read one after the other. */
static int add_runs(symbol_run *run, const char *name, char **files, uint64_t *count)
{
    static uint32_t block[4096];
    int status = EXIT_DONE;
    for (char **file = files; *file && status == EXIT_DONE; file++) {
        if (!symbol_run_is(*file))
            return command_fail(name, EXIT_INPUT, "'%s' is not a recording of instructions, but the first input is",
                                *file);
        status = symbol_run_add(run, *file);
        for (size_t got = 1; status == EXIT_DONE && got;)
            *count += got = symbol_run_read(run, block, sizeof block / sizeof *block);
    }
    return status == EXIT_DONE ? symbol_run_check(run) : status;
}

/* Whether places are shown: an image is named, or the output is for people. */
static bool are_named(const paths_options *o)
{
    return o->elf || (!o->as_json && command_summary(o->summary, o->top != PATHS_ALL));
}

static int run_paths(const char *name, char **files, paths_options *o)
{
    symbol_run *run;
    uint64_t count = 0;
    if (o->from)
        return command_fail(name, EXIT_USAGE, "--from goes with recordings with probes");
    bool named = are_named(o);
    const char *elf = elf_beside(o->elf, files[0]);
    if (!elf)
        return elf_missing(name, files[0]);
    int status = symbol_run_open(&run, name, elf, o->choice);
    if (status == EXIT_DONE) {
        paths_counts all = {.host = sequences_new(o->k < 2 ? 2 : (unsigned)o->k)};
        path_places where = symbol_run_feed(run).where;
        symbol_run_count(run, all.host);
        status = add_runs(run, name, files, &count);
        o->format = INPUT_U32;
        if (status == EXIT_DONE || status == EXIT_GAPS)
            paths_show(&all, NULL, o, named ? &where : NULL);
        paths_counts_free(&all);
    }
    symbol_run_close(run);
    return status;
}

static int container_paths(const char *name, char **files, paths_options *o)
{
    char message[300];
    bool named = are_named(o);
    if (o->k > 1 || named)
        o->elf = elf_beside(o->elf, files[0]);
    if (!o->elf && !profile_is(files[0]))
        o->elf = elf_to_read(files[0], o->choice);
    program *app = o->elf ? program_open(o->elf, message, sizeof message) : NULL;
    if (o->elf && !app)
        return executed_no_paths(name, files[0], message);
    path_places where = path_places_of(app);
    paths_counts all = {0};
    container *first = NULL;
    int status = files[1] ? fleet_disjoint(name, files) : EXIT_DONE;
    for (char **file = files; *file && (status == EXIT_DONE || status == EXIT_GAPS); file++) {
        int added = profile_is(*file) ? add_merged(name, *file, o, app, &all)
                    : input_is_container(*file)
                        ? add_container(name, *file, o, app, &first, &all)
                        : command_fail(name, EXIT_INPUT, "'%s' is not a container, but the first input is", *file);
        status = added == EXIT_DONE ? status : added;
    }
    o->format = INPUT_U32;
    paths_counts_join(&all);
    if (status == EXIT_DONE || status == EXIT_GAPS)
        paths_show(&all, NULL, o, app && named ? &where : NULL);
    paths_counts_free(&all);
    container_close(first);
    program_close(app);
    return status;
}

int command_paths(int argc, char **argv)
{
    paths_options o = {.k = 1, .top = PATHS_ALL, .format = INPUT_TEXT};
    const char *label = NULL;
    const command_option list[] = {{"k", .number = &o.k, .min = 1, .max = PATHS_K_MAX},
                                   {"top", .number = &o.top, .max = PATHS_ALL - 1},
                                   {"format", .format = &o.format},
                                   {"json", .flag = &o.as_json},
                                   {"elf", .text = &o.elf},
                                   {"from", .text = &o.from},
                                   {"label", .text = &label},
                                   {"context", .text = &o.choice.context},
                                   {"function", .text = &o.choice.function},
                                   {"summary", .flag = &o.summary},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (o.from && strcmp(o.from, "control") && strcmp(o.from, "profile"))
        return command_fail(argv[0], EXIT_USAGE, "--from takes 'control' or 'profile', not '%s'", o.from);
    if (optind == argc)
        return command_fail(argv[0], EXIT_USAGE, "no input is named; see --help");
    if (o.top == 0)
        o.top = PATHS_ALL - 1; /* by count, too */
    if (label && (status = fleet_choose(argv[0], label, argv + optind)) != EXIT_DONE)
        return status;
    if (symbol_run_is(argv[optind]))
        return run_paths(argv[0], argv + optind, &o);
    if (profile_is(argv[optind]) || input_is_container(argv[optind]))
        return container_paths(argv[0], argv + optind, &o);
    if (o.elf || o.from || o.choice.context || o.choice.function)
        return symbol_stream_refuse(argv[0], argv[optind], "--elf, --from, --context and --function go");
    return paths_raw(argv[0], argv + optind, &o);
}
