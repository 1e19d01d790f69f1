/* SPDX-License-Identifier: MIT */
/* weft info: what a file of Weft holds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/recording/announced.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/script.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/derived.h"
#include "tools/weft/executed.h"
#include "tools/weft/info_merged.h"
#include "tools/weft/info_print.h"
#include "tools/weft/info_put.h"
#include "tools/weft/info_screen.h"
#include "tools/weft/info_summary.h"
#include "tools/weft/info_trace.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft info [--context NAME] [--function NAME] [--json] [--summary] [--elf APP.elf] FILE\n\n"
    "Streams, events, bytes, ratios, lost events, and the high-water marks of every pool. On a terminal: one\n"
    "screen with the most important figures. In a pipe: all of them. FILE is a recording; or a merged profile, or a\n"
    "whole execution trace (.wet), whose check sums are all compared.\n\n"
    "  --elf APP.elf   the program: also how many accesses were recorded, derived, or are unknown, and\n"
    "                  whether loops of one path are counted or exact\n"
    "  --context NAME, --function NAME\n"
    "           also how many paths, accesses and values are of one context, of one function, or of both\n"
    "  --summary       the screen in a pipe, too\n"
    "  --json   one JSON object: bytes, frames, events, lost, paths, accesses, values, marks (each with recorded and\n"
    "           lost; marks: events of the firmware's own), recording_list, names,\n"
    "           streams (each with coder, events, bytes, bytes_per_event, ratio to 32-bit numbers, with bfcm also "
    "predicted),\n"
    "           pools, gaps; with --elf derived (recorded, derived, unknown), loops; with --context or --function "
    "chosen;\n"
    "           with records of several paths packed (records, paths, at_least: more may be recorded or lost than is "
    "said)\n";

/* A recorder that no probe called. */
static bool holds_nothing(const container *file, const info_summary *sum)
{
    const weft_counts lost = container_lost(file);
    return !sum->full && !info_total(&sum->recorded) && !info_total(&lost) && !sum->profiled &&
           !container_gap_count(file);
}

/* Recordings with probes, and full ones. */
static bool has_both(const container *file)
{
    size_t count = container_frame_count(file);
    return container_next(file, WEFT_FRAME_FULL, 0) < count && container_next(file, WEFT_FRAME_TRACE, 0) < count;
}

static void say_unchecked(const container *file, const char *why)
{
    fprintf(stderr, "weft: %s: identity unchecked: %s\n", container_path(file), why);
    json_remark("identity", "unchecked");
}

/* A full recording is compared with the image, though nothing is taken from that. The exit status. */
static int compare_full(const container *file, const char *elf)
{
    char message[400];
    image *im = image_open(elf, message, sizeof message);
    if (!im)
        return command_fail("info", EXIT_INPUT, "%s", message);
    full_reader *reader = full_open(container_path(file), message, sizeof message);
    bool fits = !reader || full_begins_in(reader, im);
    if (reader && fits) { /* what it loaded first, and then all its instructions */
        full_close(reader);
        reader = full_open(container_path(file), message, sizeof message);
        fits = !reader || full_fits(reader, im);
    }
    if (!reader)
        say_unchecked(file, message);
    else if (fits && container_recording_count(file) > 1)
        say_unchecked(file, "only the first recording was compared with the image (--recording N picks another)");
    int status = fits ? EXIT_DONE : command_fail("info", EXIT_INPUT, "%s", full_error(reader));
    full_close(reader);
    image_close(im);
    return status;
}

/* Fills the summary. A full recording has all accesses, and no program says more about it. The exit status; *app is
 * the caller's. */
static int read_all(container *file, const char *elf, program **app, info_summary *sum)
{
    char message[400];
    sum->with_derived = elf && container_next(file, WEFT_FRAME_FULL, 0) == container_frame_count(file);
    if (sum->with_derived) {
        *app = program_open(elf, message, sizeof message);
        if (!*app || !program_fits(*app, file, message, sizeof message))
            return command_fail("info", EXIT_INPUT, "%s", message);
    }
    if (elf && !sum->with_derived && compare_full(file, elf) != EXIT_DONE)
        return EXIT_INPUT;
    info_summarize(file, sum);
    sum->packs_known = !container_packed(file);
    sum->packed_program = *app && program_descriptors(*app)->packed;
    if (*app && !derived_count(file, *app, &sum->derived, message, sizeof message))
        return command_fail("info", EXIT_INPUT, "%s", message);
    return info_chosen_read(&sum->chosen, file, elf, *app);
}

int command_info(int argc, char **argv)
{
    char message[300];
    bool as_json = false, summary = false;
    const char *elf = NULL;
    info_summary sum = {0};
    const command_option list[] = {{"json", .flag = &as_json},
                                   {"summary", .flag = &summary},
                                   {"elf", .text = &elf},
                                   {"context", .text = &sum.chosen.choice.context},
                                   {"function", .text = &sum.chosen.choice.function},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (argc - optind != 1)
        return command_fail("info", EXIT_USAGE, "takes one file (see weft info --help)");
    elf = elf_beside(elf, argv[optind]);
    if (profile_is(argv[optind]) && info_chosen_is(&sum.chosen))
        return command_fail("info", EXIT_USAGE, "--context and --function do not go with a merged profile");
    if (profile_is(argv[optind]))
        return info_merged("info", argv[optind], as_json);
    if (executed_kind_of(argv[optind]) == EXECUTED_WET)
        return info_trace(argv[optind], elf, &sum.chosen, as_json);
    container *file = container_open(argv[optind], message, sizeof message);
    if (!file)
        return command_fail("info", EXIT_INPUT, "%s", message);
    program *app = NULL;
    if ((status = read_all(file, elf, &app, &sum)) != EXIT_DONE) {
        container_close(file);
        program_close(app);
        return status;
    }
    bool mixed = announced_note("info", app, ANNOUNCED_ACCESSES | ANNOUNCED_VALUES);
    if (as_json)
        info_put(file, &sum);
    else if (command_summary(summary, false))
        info_screen(file, &sum, command_columns());
    else
        info_print(file, &sum);
    fflush(stdout);
    mixed &= info_chosen_is(&sum.chosen); /* accesses of a part of the program, not of the recording */
    status = container_gap_count(file) || sum.derived.unknown || mixed ? EXIT_GAPS : EXIT_DONE;
    container_print_gaps(file, "info");
    if (has_both(file))
        status = command_fail("info", EXIT_GAPS,
                              "%s: recordings with probes and full ones: what stands here is of both; --recording N "
                              "picks one",
                              argv[optind]);
    if (holds_nothing(file, &sum))
        status =
            command_fail("info", EXIT_INPUT,
                         "%s: no event was recorded: the program has no probes (was it compiled with weft_gcc.so, and "
                         "with -flto also linked with it?), or none of them ran between weft_start and weft_stop",
                         argv[optind]);
    container_close(file);
    program_close(app);
    return status;
}
