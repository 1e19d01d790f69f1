/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_print.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/base/text.h"
#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/times.h"
#include "tools/weft/clocked.h"
#include "tools/weft/info_fault.h"
#include "tools/weft/info_packs.h"
#include "tools/weft/info_recordings.h"

static void print_events(const container *file, const info_summary *sum)
{
    const weft_counts lost = container_lost(file);
    const weft_counts *recorded = &sum->recorded;
    printf("  events       %" PRIu64 ", %.3f bytes per event\n", info_total(recorded),
           info_per(container_size(file), info_total(recorded)));
    printf("  lost         %s%" PRIu64 "%s\n", container_at_least(file), info_total(&lost),
           *container_at_least(file) ? ": each lost record of a path may hold several" : "");
    printf("\n  %-10s %14s %14s\n", "events", "recorded", "lost");
    printf("  %-10s %14" PRIu64 " %14" PRIu64 "\n", "paths", recorded->paths, lost.paths);
    printf("  %-10s %14" PRIu64 " %14" PRIu64 "\n", "accesses", recorded->accesses, lost.accesses);
    printf("  %-10s %14" PRIu64 " %14" PRIu64 "\n", "values", recorded->values, lost.values);
    if (recorded->marks || lost.marks)
        printf("  %-10s %14" PRIu64 " %14" PRIu64 "\n", "marks", recorded->marks, lost.marks);
    info_print_packs(sum);
}

static void print_streams(const info_summary *sum)
{
    printf("\n  %-10s %-8s %14s %14s %9s %8s\n", "stream", "coder", "events", "bytes", "bytes/ev", "ratio");
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        const info_stream *s = &sum->streams[i];
        if (s->events)
            printf("  %-10s %-8s %14" PRIu64 " %14" PRIu64 " %9.3f %8.2f\n", s->name, s->coder, s->events, s->bytes,
                   info_per(s->bytes, s->events), 4 * info_per(s->events, s->bytes));
    }
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        const info_stream *s = &sum->streams[i];
        if (s->events && s->predicts)
            printf("  %-10s predicted %13" PRIu64 ", %.1f %%\n", s->name, s->predicted,
                   100 * info_per(s->predicted, s->events));
    }
    if (sum->profile_bytes)
        printf("  %-10s %-8s %14" PRIu64 " %14" PRIu64 " %9.3f %8.2f\n", "profile", "ksf", sum->profiled,
               sum->profile_bytes, info_per(sum->profile_bytes, sum->profiled),
               4 * info_per(sum->profiled, sum->profile_bytes));
}

static void print_pools(const container *file)
{
    uint64_t high, max, value;
    printf("\n  %-20s %10s %10s%s\n", "pool", "high", "of",
           container_recording_count(file) > 1 ? " (the last recording)" : "");
    for (size_t i = 0; i < INFO_POOLS; i++)
        if (container_stats(file, info_pools[i].high, &high) && container_stats(file, info_pools[i].max, &max))
            printf("  %-20s %10" PRIu64 " %10" PRIu64 "\n", info_pools[i].name, high, max);
    if (container_stats(file, WEFT_STATS_REFUSED, &value))
        printf("  sink writes refused  %10" PRIu64 "\n", value);
    info_print_names(file);
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

void info_print(const container *file, const info_summary *sum)
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
    info_note(file, text, sizeof text);
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
               info_per(sum->full_bytes, sum->full_instructions));
    } else {
        print_events(file, sum);
        print_streams(sum);
        print_pools(file);
    }
    print_derived(sum);
    info_chosen_print(&sum->chosen);
}
