/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_put.h"

#include <stdio.h>

#include "tools/lib/base/json.h"
#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/times.h"
#include "tools/weft/clocked.h"
#include "tools/weft/info_fault.h"
#include "tools/weft/info_packs.h"
#include "tools/weft/info_recordings.h"

static void json_gaps(const container *file, json *j)
{
    char text[256];
    json_array(j, "gaps");
    for (size_t i = 0; i < container_gap_count(file); i++) {
        static const char *const kinds[] = {
            [GAP_LOST] = "lost",         [GAP_FRAMES] = "frames", [GAP_DAMAGE] = "damage",
            [GAP_VERSION] = "version",   [GAP_MARK] = "mark",     [GAP_PAUSE] = "pause",
            [GAP_UNMASKED] = "unmasked", [GAP_PAUSED] = "paused", [GAP_PAUSES] = "pauses",
            [GAP_TRIGGER] = "trigger",   [GAP_FILTER] = "filter", [GAP_SAMPLING] = "sampling",
            [GAP_OTHER] = "other-run",   [GAP_OUT] = "left-out",  [GAP_END] = "end",
            [GAP_CHANGED] = "changed"};
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
        json_real(j, "bytes_per_event", info_per(s->bytes, s->events));
        json_real(j, "ratio", 4 * info_per(s->events, s->bytes));
        if (s->predicts)
            json_unsigned(j, "predicted", s->predicted);
        json_end_object(j);
    }
    if (sum->profile_bytes) {
        json_object(j, "profile");
        json_string(j, "coder", "ksf");
        json_unsigned(j, "events", sum->profiled);
        json_unsigned(j, "bytes", sum->profile_bytes);
        json_real(j, "bytes_per_event", info_per(sum->profile_bytes, sum->profiled));
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
    info_note(file, text, sizeof text);
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

void info_put(const container *file, const info_summary *sum)
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
    uint64_t events = sum->full ? sum->full_instructions + sum->full_accesses : info_total(&sum->recorded);
    json_unsigned(j, "events", events);
    json_unsigned(j, "lost", info_total(&lost));
    json_real(j, "bytes_per_event", info_per(container_size(file), events));
    json_meta(file, sum, j);
    json_kind(j, "paths", sum->recorded.paths, lost.paths);
    json_kind(j, "accesses", sum->recorded.accesses, lost.accesses);
    json_kind(j, "values", sum->recorded.values, lost.values);
    json_kind(j, "marks", sum->recorded.marks, lost.marks);
    json_unsigned(j, "switches", sum->switches);
    info_put_packs(j, sum, *container_at_least(file));
    json_derived(sum, j);
    info_chosen_put(j, &sum->chosen);
    json_streams(sum, j);
    json_object(j, "pools");
    for (size_t i = 0; i < INFO_POOLS; i++)
        if (container_stats(file, info_pools[i].high, &high) && container_stats(file, info_pools[i].max, &max)) {
            json_object(j, info_pools[i].name);
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
