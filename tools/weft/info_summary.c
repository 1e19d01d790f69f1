/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_summary.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/recording/engines.h"
#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/symbols.h"

const info_pool info_pools[INFO_POOLS] = {
    {"frame bytes", WEFT_STATS_FRAME_HIGH, WEFT_STATS_FRAME_SIZE},
    {"coder", WEFT_STATS_CODER_HIGH, WEFT_STATS_CODER_MAX},
    {"coder rules", WEFT_STATS_CODER_RULES_HIGH, WEFT_STATS_CODER_RULES_MAX},
    {"k-slab forest nodes", WEFT_STATS_KSF_HIGH, WEFT_STATS_KSF_MAX},
    {"address engines", WEFT_STATS_TRE_HIGH, WEFT_STATS_TRE_MAX},
};

double info_per(uint64_t bytes, uint64_t events)
{
    return events ? (double)bytes / (double)events : 0;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t info_total(const weft_counts *counts)
{
    return add(add(counts->paths, counts->accesses), add(counts->values, counts->marks));
}

void info_note(const container *file, char *text, size_t text_size)
{
    size_t size = 0;
    const uint8_t *note = container_meta_bytes(file, WEFT_META_NOTE, &size);
    size = note && size < text_size - 1 ? size : note ? text_size - 1 : 0;
    if (size)
        memcpy(text, note, size);
    text[size] = 0;
}

static const char *control_coder(uint8_t id)
{
    static const char *const names[] = {"varints", "loops", "codes", "raw", "grammar", "raw", "raw", "raw"};
    return id < WEFT_COUNT(names) ? names[id] : "?";
}

static const char *bus_coder(uint8_t id)
{
    static const char *const names[] = {"varints", "tre-varints", "bfcm", "tre-bfcm", "plain", "tre"};
    return id < WEFT_COUNT(names) ? names[id] : "?";
}

static const char *value_coder(uint8_t id)
{
    return id == WEFT_VALUE_PLAIN ? "plain" : id == WEFT_VALUE_BFCM ? "bfcm" : "?";
}

/* Of a section whose coder says which numbers were predicted. */
static void add_predicted(info_stream *s, bool addresses, numbers_coding coding, uint64_t count, uint8_t slots_log2,
                          const uint8_t *bytes, size_t size)
{
    s->predicts = true;
    if (numbers_start(&s->reader, addresses, coding, slots_log2, bytes, size))
        s->predicted += numbers_skip(&s->reader, (uint32_t)count);
}

/* Accesses that are in the models, not in the bus section. */
static uint64_t modelled(const trace_body *body)
{
    leases *all = leases_open();
    uint64_t count =
        leases_start(all, body->section[WEFT_REGION_MODELS], body->size[WEFT_REGION_MODELS]) ? leases_left(all) : 0;
    leases_close(all);
    return count < body->counts.accesses ? count : body->counts.accesses;
}

/* Recordings that follow each other may have different ones. */
static void set_coder(info_stream *s, const char *coder)
{
    s->coder = !s->coder || !strcmp(s->coder, coder) ? coder : "several";
}

static void add_trace(info_summary *sum, const trace_body *body, trace_symbols *symbols)
{
    uint64_t packed, paths = trace_symbols_paths(symbols, body, &packed);
    sum->switches += body->switches;
    sum->marks += body->escapes - body->trips - body->pack_marks;
    sum->recorded.marks += body->counts.marks;
    sum->recorded.paths += paths;
    sum->traced += paths;
    sum->packs += body->packs;
    sum->packed += packed;
    sum->recorded.accesses += body->counts.accesses;
    sum->recorded.values += body->counts.values;
    set_coder(&sum->streams[WEFT_REGION_CONTROL], control_coder(body->control_coder));
    set_coder(&sum->streams[WEFT_REGION_BUS], bus_coder(body->bus_coder));
    set_coder(&sum->streams[WEFT_REGION_VALUES], value_coder(body->value_coder));
    numbers_coding coding;
    if (numbers_bus_coding(body->bus_coder, &coding) && coding != NUMBERS_VARINTS)
        add_predicted(&sum->streams[WEFT_REGION_BUS], true, coding, body->counts.accesses - modelled(body),
                      body->slots_log2, body->section[WEFT_REGION_BUS], body->size[WEFT_REGION_BUS]);
    if (body->value_coder == WEFT_VALUE_BFCM)
        add_predicted(&sum->streams[WEFT_REGION_VALUES], false, NUMBERS_BFCM, body->counts.values,
                      body->value_slots_log2, body->section[WEFT_REGION_VALUES], body->size[WEFT_REGION_VALUES]);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        sum->streams[i].bytes += body->size[i];
    sum->streams[WEFT_REGION_CONTROL].bytes += body->pack_size;
}

static void add_profile(info_summary *sum, const weft_frame *frame)
{
    profile_body profile;
    if (!profile_parse(frame, &profile))
        return;
    sum->profile_bytes += frame->body_size;
    uint64_t paths = profile_paths(&profile);
    sum->recorded.paths += profile.only ? paths : 0;
    sum->profiled += paths;
}

static void add_full(info_summary *sum, const weft_frame *frame)
{
    weft_reader reader;
    weft_reader_init(&reader, frame->body, frame->body_size);
    sum->full = true;
    sum->full_bytes += frame->body_size;
    if (weft_read_u8(&reader) == 2) { /* tools/qemu/FULL.md */
        sum->full_instructions += weft_read_varint64(&reader);
        sum->full_accesses += weft_read_varint64(&reader);
    }
}

/* The parts of the frames, each with its sums. */
typedef struct summing {
    const container *file;
    size_t parts;
    info_summary *part;
} summing;

static uint64_t time_of(const container *file, size_t index, uint8_t **buffer)
{
    container_frame frame;
    container_read(file, index, &frame, buffer);
    return frame.frame.time;
}

static void sum_part(void *own, size_t number)
{
    const summing *s = own;
    info_summary *sum = &s->part[number];
    size_t frames = container_frame_count(s->file), first = threads_first(frames, s->parts, number);
    uint8_t *buffer = NULL;
    container_frame frame;
    trace_body body;
    trace_symbols *symbols = trace_symbols_open(container_packs_of(s->file));
    uint64_t before = first ? time_of(s->file, first - 1, &buffer) : 0;
    for (size_t i = first; i < threads_first(frames, s->parts, number + 1); i++) {
        container_read(s->file, i, &frame, &buffer);
        if (i && container_recording_of(s->file, i) == container_recording_of(s->file, i - 1))
            sum->ticks += frame.frame.time - before;
        before = frame.frame.time;
        uint8_t kind = frame.frame.kind;
        sum->frames[kind < WEFT_COUNT(sum->frames) ? kind : 0]++;
        if (i == first)
            sum->first_time = frame.frame.time;
        sum->last_time = frame.frame.time;
        if (kind == WEFT_FRAME_TRACE && trace_parse(&frame.frame, &body))
            add_trace(sum, &body, symbols);
        if (kind == WEFT_FRAME_PROFILE)
            add_profile(sum, &frame.frame);
        if (kind == WEFT_FRAME_FULL)
            add_full(sum, &frame.frame);
    }
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        numbers_free(&sum->streams[i].reader);
    trace_symbols_close(symbols);
    free(buffer);
}

static void add_counts(weft_counts *to, const weft_counts *from)
{
    to->paths += from->paths;
    to->accesses += from->accesses;
    to->values += from->values;
    to->marks += from->marks;
}

/* Adds a part that comes after those before it: it replaces what the last frame says. */
static void add_part(info_summary *sum, const info_summary *part)
{
    for (size_t kind = 0; kind < WEFT_COUNT(sum->frames); kind++)
        sum->frames[kind] += part->frames[kind];
    add_counts(&sum->recorded, &part->recorded);
    sum->switches += part->switches;
    sum->marks += part->marks;
    sum->last_time = part->last_time;
    sum->ticks += part->ticks;
    sum->profiled += part->profiled;
    sum->profile_bytes += part->profile_bytes;
    sum->traced += part->traced;
    sum->packs += part->packs;
    sum->packed += part->packed;
    sum->full_instructions += part->full_instructions;
    sum->full_accesses += part->full_accesses;
    sum->full_bytes += part->full_bytes;
    sum->full = sum->full || part->full;
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        info_stream *to = &sum->streams[i];
        const info_stream *from = &part->streams[i];
        if (from->coder)
            set_coder(to, from->coder);
        to->bytes += from->bytes;
        to->predicts = to->predicts || from->predicts;
        to->predicted += from->predicted;
    }
}

/* When the recording began whose first frame is this one. That frame says what the recording is, and may have been
 * closed after the first interval began. */
static uint64_t begin_of(const container *file, size_t first, uint8_t **buffer)
{
    uint32_t recording = container_recording_of(file, first);
    uint64_t time = time_of(file, first, buffer);
    container_frame frame;
    trace_body body;
    for (size_t i = first; i < container_frame_count(file) && container_recording_of(file, i) == recording; i++) {
        container_read(file, i, &frame, buffer);
        if (frame.frame.kind != WEFT_FRAME_TRACE)
            continue;
        bool known = trace_parse(&frame.frame, &body) && body.version > 1 && body.begun < time;
        return known ? body.begun : time;
    }
    return time;
}

/* From there to the first frame, of each recording. */
static void add_beginnings(const container *file, info_summary *sum)
{
    uint8_t *buffer = NULL;
    for (size_t i = 0; i < container_frame_count(file); i++) {
        if (i && container_recording_of(file, i) == container_recording_of(file, i - 1))
            continue;
        uint64_t begun = begin_of(file, i, &buffer);
        sum->ticks += time_of(file, i, &buffer) - begun;
        sum->first_time = i ? sum->first_time : begun;
    }
    free(buffer);
}

void info_summarize(const container *file, info_summary *sum)
{
    static const char *const names[WEFT_REGIONS] = {"control", "marks", "bus", "values", "models"};
    summing s = {.file = file, .parts = threads_parts(container_frame_count(file))};
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        sum->streams[i] = (info_stream){.name = names[i]};
    s.part = memory_zero(s.parts, sizeof *s.part);
    threads_run(s.parts, sum_part, &s);
    sum->first_time = s.part[0].first_time;
    for (size_t i = 0; i < s.parts; i++)
        add_part(sum, &s.part[i]);
    add_beginnings(file, sum);
    free(s.part);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        if (!sum->streams[i].coder)
            set_coder(&sum->streams[i], "plain");
    sum->streams[WEFT_REGION_CONTROL].events = sum->traced + sum->switches + sum->marks;
    sum->streams[WEFT_REGION_MARKS].events = sum->switches + sum->marks;
    /* The models hold accesses of the bus stream. */
    sum->streams[WEFT_REGION_BUS].events = sum->recorded.accesses;
    sum->streams[WEFT_REGION_BUS].bytes += sum->streams[WEFT_REGION_MODELS].bytes;
    sum->streams[WEFT_REGION_VALUES].events = sum->recorded.values;
}
