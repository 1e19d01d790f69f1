/* SPDX-License-Identifier: MIT */
/* weft info: what a container holds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/times.h"
#include "tools/weft/beside.h"
#include "tools/weft/clocked.h"
#include "tools/weft/command.h"
#include "tools/weft/derived.h"
#include "tools/weft/info_chosen.h"
#include "tools/weft/info_fault.h"
#include "tools/weft/info_merged.h"
#include "tools/weft/info_packs.h"
#include "tools/weft/info_recordings.h"
#include "tools/weft/info_summary.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft info [--context NAME] [--function NAME] [--json] [--elf APP.elf] FILE.weft\n\n"
    "Streams, events, bytes, ratios, lost events, and the high-water marks of every pool.\n\n"
    "  --elf APP.elf   the program: also how many accesses were recorded, derived, or are unknown, and\n"
    "                  whether loops of one path are counted or exact\n"
    "  --context NAME, --function NAME\n"
    "           also how many paths, accesses and values are of one context, of one function, or of both\n"
    "  --json   one JSON object: bytes, frames, events, lost, paths, accesses, values, marks (each with recorded and\n"
    "           lost; marks: events of the firmware's own), recording_list, names,\n"
    "           streams (each with coder, events, bytes, bytes_per_event, ratio to 32-bit numbers, with bfcm also "
    "predicted),\n"
    "           pools, gaps; with --elf derived (recorded, derived, unknown), loops; with --context or --function "
    "chosen;\n"
    "           with records of several paths packed (records, paths, at_least: more may be recorded or lost than is "
    "said)\n";

static const struct pool {
    const char *name;
    uint32_t high, max;
} pools[] = {
    {"frame bytes", WEFT_STATS_FRAME_HIGH, WEFT_STATS_FRAME_SIZE},
    {"coder", WEFT_STATS_CODER_HIGH, WEFT_STATS_CODER_MAX},
    {"coder rules", WEFT_STATS_CODER_RULES_HIGH, WEFT_STATS_CODER_RULES_MAX},
    {"k-slab forest nodes", WEFT_STATS_KSF_HIGH, WEFT_STATS_KSF_MAX},
    {"address engines", WEFT_STATS_TRE_HIGH, WEFT_STATS_TRE_MAX},
};

static double per(uint64_t bytes, uint64_t events)
{
    return events ? (double)bytes / (double)events : 0;
}

/* Counts that a damaged file gives may be anything: sums stay at the most that can be said. */
static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t total(const weft_counts *counts)
{
    return add(add(counts->paths, counts->accesses), add(counts->values, counts->marks));
}

static void note_text(const container *file, char *text, size_t text_size)
{
    size_t size = 0;
    const uint8_t *note = container_meta_bytes(file, WEFT_META_NOTE, &size);
    size = note && size < text_size - 1 ? size : note ? text_size - 1 : 0;
    if (size)
        memcpy(text, note, size);
    text[size] = 0;
}

static void print_events(const container *file, const info_summary *sum)
{
    const weft_counts lost = container_lost(file);
    const weft_counts *recorded = &sum->recorded;
    printf("  events       %" PRIu64 ", %.3f bytes per event\n", total(recorded),
           per(container_size(file), total(recorded)));
    printf("  lost         %" PRIu64 "\n", total(&lost));
    printf("\n  %-10s %14s %14s\n", "events", "recorded", "lost");
    printf("  %-10s %14" PRIu64 " %14" PRIu64 "\n", "paths", recorded->paths, lost.paths);
    printf("  %-10s %14" PRIu64 " %14" PRIu64 "\n", "accesses", recorded->accesses, lost.accesses);
    printf("  %-10s %14" PRIu64 " %14" PRIu64 "\n", "values", recorded->values, lost.values);
    if (recorded->marks || lost.marks)
        printf("  %-10s %14" PRIu64 " %14" PRIu64 "\n", "marks", recorded->marks, lost.marks);
    info_print_packs(sum, lost.paths);
}

static void print_streams(const info_summary *sum)
{
    printf("\n  %-10s %-8s %14s %14s %9s %8s\n", "stream", "coder", "events", "bytes", "bytes/ev", "ratio");
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        const info_stream *s = &sum->streams[i];
        if (s->events)
            printf("  %-10s %-8s %14" PRIu64 " %14" PRIu64 " %9.3f %8.2f\n", s->name, s->coder, s->events, s->bytes,
                   per(s->bytes, s->events), 4 * per(s->events, s->bytes));
    }
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        const info_stream *s = &sum->streams[i];
        if (s->events && s->predicts)
            printf("  %-10s predicted %13" PRIu64 ", %.1f %%\n", s->name, s->predicted,
                   100 * per(s->predicted, s->events));
    }
    if (sum->profile_bytes)
        printf("  %-10s %-8s %14" PRIu64 " %14" PRIu64 " %9.3f %8.2f\n", "profile", "ksf", sum->profiled,
               sum->profile_bytes, per(sum->profile_bytes, sum->profiled), 4 * per(sum->profiled, sum->profile_bytes));
}

static void print_pools(const container *file)
{
    uint64_t high, max, value;
    printf("\n  %-20s %10s %10s%s\n", "pool", "high", "of",
           container_recording_count(file) > 1 ? " (the last recording)" : "");
    for (size_t i = 0; i < WEFT_COUNT(pools); i++)
        if (container_stats(file, pools[i].high, &high) && container_stats(file, pools[i].max, &max))
            printf("  %-20s %10" PRIu64 " %10" PRIu64 "\n", pools[i].name, high, max);
    if (container_stats(file, WEFT_STATS_REFUSED, &value))
        printf("  sink writes refused  %10" PRIu64 "\n", value);
    info_print_names(file);
}

static void print_plain(const container *file, const info_summary *sum)
{
    uint64_t value, bytes = container_size(file);
    char text[256];
    size_t size = 0;
    text_print(stdout, container_path(file));
    printf(": %" PRIu64 " bytes, format version %u\n", bytes, info_version(file));
    const uint8_t *id = container_meta_bytes(file, WEFT_META_BUILD_ID, &size);
    if (id) {
        info_hex(id, size, text, sizeof text);
        printf("  build id     %s\n", text);
    }
    note_text(file, text, sizeof text);
    if (text[0]) {
        fputs("  note         ", stdout);
        text_print(stdout, text);
        putchar('\n');
    }
    info_print_recordings(file);
    printf("  frames       %zu (trace %" PRIu64 ", profile %" PRIu64 ", meta %" PRIu64 ", stats %" PRIu64
           ", full %" PRIu64 ", names %" PRIu64 ")\n",
           container_frame_count(file), sum->frames[WEFT_FRAME_TRACE], sum->frames[WEFT_FRAME_PROFILE],
           sum->frames[WEFT_FRAME_META], sum->frames[WEFT_FRAME_STATS], sum->frames[WEFT_FRAME_FULL],
           sum->frames[WEFT_FRAME_NAMES]);
    info_print_fault(file);
    if (container_meta(file, WEFT_META_CLOCK_HZ, &value) && value)
        printf("  time         %.6f s (%" PRIu64 " to %" PRIu64 " ticks at %" PRIu64 " Hz)\n",
               (double)sum->ticks / (double)value, sum->first_time, sum->last_time, value);
    if (times_base_of(file).hz) {
        clocked_text(file, text, sizeof text);
        printf("  time base    %s\n", text);
    }
    if (sum->full) {
        printf("  full         %" PRIu64 " instructions, %" PRIu64 " accesses, %" PRIu64
               " bytes, %.3f bytes per instruction\n",
               sum->full_instructions, sum->full_accesses, sum->full_bytes,
               per(sum->full_bytes, sum->full_instructions));
        return;
    }
    print_events(file, sum);
    print_streams(sum);
    print_pools(file);
}

static void json_gaps(const container *file, json *j)
{
    char text[256];
    json_array(j, "gaps");
    for (size_t i = 0; i < container_gap_count(file); i++) {
        static const char *const kinds[] = {
            [GAP_LOST] = "lost",       [GAP_FRAMES] = "frames", [GAP_DAMAGE] = "damage",     [GAP_VERSION] = "version",
            [GAP_MARK] = "mark",       [GAP_PAUSE] = "pause",   [GAP_UNMASKED] = "unmasked", [GAP_PAUSED] = "paused",
            [GAP_TRIGGER] = "trigger", [GAP_FILTER] = "filter", [GAP_SAMPLING] = "sampling", [GAP_OTHER] = "other-run",
            [GAP_OUT] = "left-out",    [GAP_END] = "end"};
        const container_gap *gap = container_gap_at(file, i);
        container_gap_text(gap, text, sizeof text);
        json_object(j, NULL);
        json_string(j, "kind", kinds[gap->kind]);
        json_unsigned(j, "offset", gap->offset);
        json_unsigned(j, "bytes", gap->bytes);
        json_unsigned(j, "frames", gap->frames);
        if (gap->counted) {
            json_unsigned(j, "paths", gap->paths);
            json_unsigned(j, "accesses", gap->accesses);
            json_unsigned(j, "values", gap->values);
            json_unsigned(j, "marks", gap->marks);
        }
        json_string(j, "text", text);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_streams(const info_summary *sum, json *j)
{
    json_object(j, "streams");
    for (unsigned i = 0; i < WEFT_REGION_MODELS; i++) {
        const info_stream *s = &sum->streams[i];
        json_object(j, s->name);
        json_string(j, "coder", s->coder);
        json_unsigned(j, "events", s->events);
        json_unsigned(j, "bytes", s->bytes);
        json_real(j, "bytes_per_event", per(s->bytes, s->events));
        json_real(j, "ratio", 4 * per(s->events, s->bytes));
        if (s->predicts)
            json_unsigned(j, "predicted", s->predicted);
        json_end_object(j);
    }
    if (sum->profile_bytes) {
        json_object(j, "profile");
        json_string(j, "coder", "ksf");
        json_unsigned(j, "events", sum->profiled);
        json_unsigned(j, "bytes", sum->profile_bytes);
        json_real(j, "bytes_per_event", per(sum->profile_bytes, sum->profiled));
        json_end_object(j);
    }
    json_end_object(j);
}

static void json_kind(json *j, const char *name, uint64_t recorded, uint64_t lost)
{
    json_object(j, name);
    json_unsigned(j, "recorded", recorded);
    json_unsigned(j, "lost", lost);
    json_end_object(j);
}

static void json_meta(const container *file, const info_summary *sum, json *j)
{
    char text[256];
    size_t size = 0;
    uint64_t value;
    const uint8_t *id = container_meta_bytes(file, WEFT_META_BUILD_ID, &size);
    if (id) {
        info_hex(id, size, text, sizeof text);
        json_string(j, "build_id", text);
    }
    note_text(file, text, sizeof text);
    if (text[0])
        json_string(j, "note", text);
    if (container_meta(file, WEFT_META_CLOCK_HZ, &value))
        json_unsigned(j, "clock_hz", value);
    json_unsigned(j, "first_time", sum->first_time);
    json_unsigned(j, "last_time", sum->last_time);
    json_unsigned(j, "ticks", sum->ticks);
    if (times_base_of(file).hz)
        clocked_put(j, file);
}

static void json_derived(const info_summary *sum, json *j)
{
    if (!sum->with_derived)
        return;
    json_object(j, "derived");
    json_unsigned(j, "recorded", sum->derived.recorded);
    json_unsigned(j, "derived", sum->derived.derived);
    json_unsigned(j, "unknown", sum->derived.unknown);
    json_end_object(j);
    json_string(j, "loops", sum->derived.counted_loops ? "counted" : "exact");
}

static void print_derived(const info_summary *sum)
{
    const derived_counts *d = &sum->derived;
    uint64_t all = d->recorded + d->derived + d->unknown;
    if (sum->with_derived && sum->derived.counted_loops)
        printf("\n  loops      counted: what an interrupt of a loop of one path recorded stands before its passes\n");
    if (!sum->with_derived || !all)
        return;
    printf("\n  addresses  of %" PRIu64 " accesses: %" PRIu64 " recorded (%.1f %%), %" PRIu64
           " derived (%.1f %%), %" PRIu64 " unknown\n",
           all, d->recorded, 100.0 * (double)d->recorded / (double)all, d->derived,
           100.0 * (double)d->derived / (double)all, d->unknown);
}

static void print_json(const container *file, const info_summary *sum)
{
    const weft_counts lost = container_lost(file);
    uint64_t high, max;
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_string(j, "file", container_path(file));
    json_integer(j, "version", info_version(file));
    json_unsigned(j, "bytes", container_size(file));
    json_unsigned(j, "recordings", container_recording_count(file));
    json_unsigned(j, "frames", container_frame_count(file));
    uint64_t events = sum->full ? sum->full_instructions + sum->full_accesses : total(&sum->recorded);
    json_unsigned(j, "events", events);
    json_unsigned(j, "lost", total(&lost));
    json_real(j, "bytes_per_event", per(container_size(file), events));
    json_meta(file, sum, j);
    json_kind(j, "paths", sum->recorded.paths, lost.paths);
    json_kind(j, "accesses", sum->recorded.accesses, lost.accesses);
    json_kind(j, "values", sum->recorded.values, lost.values);
    json_kind(j, "marks", sum->recorded.marks, lost.marks);
    json_unsigned(j, "switches", sum->switches);
    info_put_packs(j, sum, lost.paths);
    json_derived(sum, j);
    info_chosen_put(j, &sum->chosen);
    json_streams(sum, j);
    json_object(j, "pools");
    for (size_t i = 0; i < WEFT_COUNT(pools); i++)
        if (container_stats(file, pools[i].high, &high) && container_stats(file, pools[i].max, &max)) {
            json_object(j, pools[i].name);
            json_unsigned(j, "high", high);
            json_unsigned(j, "max", max);
            json_end_object(j);
        }
    json_end_object(j);
    if (container_stats(file, WEFT_STATS_REFUSED, &high))
        json_unsigned(j, "refused", high);
    info_json_recordings(file, j);
    info_json_names(file, j);
    info_json_fault(file, j);
    json_gaps(file, j);
    json_end_object(j);
    json_finish(j);
}

/* A recorder that no probe called. */
static bool holds_nothing(const container *file, const info_summary *sum)
{
    const weft_counts lost = container_lost(file);
    return !sum->full && !total(&sum->recorded) && !total(&lost) && !sum->profiled && !container_gap_count(file);
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
    bool as_json = false;
    const char *elf = NULL;
    info_summary sum = {0};
    const command_option list[] = {{"json", .flag = &as_json},
                                   {"elf", .text = &elf},
                                   {"context", .text = &sum.chosen.choice.context},
                                   {"function", .text = &sum.chosen.choice.function},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (argc - optind != 1)
        return command_fail("info", EXIT_USAGE, "wants one container (see weft info --help)");
    elf = elf_beside(elf, argv[optind]);
    if (profile_is(argv[optind]))
        return info_merged("info", argv[optind], as_json);
    container *file = container_open(argv[optind], message, sizeof message);
    if (!file)
        return command_fail("info", EXIT_INPUT, "%s", message);
    program *app = NULL;
    if ((status = read_all(file, elf, &app, &sum)) != EXIT_DONE) {
        container_close(file);
        program_close(app);
        return status;
    }
    if (as_json)
        print_json(file, &sum);
    else
        print_plain(file, &sum);
    if (!as_json)
        print_derived(&sum);
    if (!as_json)
        info_chosen_print(&sum.chosen);
    fflush(stdout);
    status = container_gap_count(file) || sum.derived.unknown ? EXIT_GAPS : EXIT_DONE;
    container_print_gaps(file, "info");
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
