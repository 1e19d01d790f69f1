/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/container.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/recording/frames.h"

typedef struct entry {
    uint64_t offset;
    uint32_t size; /* on the wire, without the zero byte */
    uint32_t sequence;
    uint32_t recording;
    uint32_t crc;   /* tells a repeated frame from a new recording */
    uint32_t order; /* in the file */
    uint8_t kind;
    bool after_gap;
} entry;

struct container {
    char *path;
    const uint8_t *map;
    uint64_t size;
    whole_file whole; /* what map stands in, unless it is borrowed */
    entry *frames;
    size_t frame_count, frame_max;
    container_gap *gaps;
    size_t gap_count, gap_max;
    size_t recordings;
    weft_counts lost;
    uint8_t *meta, *stats; /* bodies of the last frames of these kinds */
    size_t meta_size, stats_size;
};

static void *grow(void *old, size_t *max, size_t count, size_t size)
{
    if (count < *max)
        return old;
    *max = *max * 2 + 64;
    return memory_grow(old, *max, size);
}

static container_gap *add_gap(container *file, container_gap_kind kind, uint64_t offset)
{
    file->gaps = grow(file->gaps, &file->gap_max, file->gap_count, sizeof *file->gaps);
    container_gap *gap = &file->gaps[file->gap_count++];
    *gap = (container_gap){.kind = kind, .offset = offset, .recording = (uint32_t)file->recordings};
    return gap;
}

/* Damage that touches damage before it is one gap. */
static void add_damage(container *file, uint64_t offset, uint64_t size)
{
    container_gap *last = file->gap_count ? &file->gaps[file->gap_count - 1] : NULL;
    if (last && last->kind == GAP_DAMAGE && last->offset + last->bytes + 1 >= offset) {
        last->bytes = offset + size - last->offset;
        return;
    }
    add_gap(file, GAP_DAMAGE, offset)->bytes = size;
}

static void keep(uint8_t **copy, size_t *copy_size, const weft_frame *frame)
{
    uint8_t *bytes = realloc(*copy, frame->body_size + 1);
    if (!bytes)
        return;
    memcpy(bytes, frame->body, frame->body_size);
    *copy = bytes;
    *copy_size = frame->body_size;
}

/* A body of a kind that this build knows must parse: a frame whose CRC holds but whose body does not is damage too. */
static bool body_parses(const weft_frame *frame)
{
    trace_body trace;
    profile_body profile;
    return frame->kind == WEFT_FRAME_TRACE     ? trace_parse(frame, &trace)
           : frame->kind == WEFT_FRAME_PROFILE ? profile_parse(frame, &profile)
                                               : true;
}

/* It stands behind the body. */
static uint32_t crc_of(const weft_frame *frame)
{
    weft_reader reader;
    weft_reader_init(&reader, frame->body + frame->body_size, WEFT_FRAME_CRC_SIZE);
    return weft_read_u32(&reader);
}

/* One run of bytes between zero bytes. */
static void scan_chunk(container *file, uint64_t offset, size_t size, uint8_t **buffer, size_t *buffer_max)
{
    const uint8_t *bytes = file->map + offset;
    weft_frame frame;
    if (size == WEFT_CONTAINER_HEAD_SIZE - 2 && memcmp(bytes, "WEFT", size) == 0) {
        /* Behind frames it starts another recording. */
        if (file->frame_count && file->frames[file->frame_count - 1].recording == file->recordings)
            file->recordings++;
        return;
    }
    *buffer = grow(*buffer, buffer_max, size, 1);
    while (*buffer_max < size)
        *buffer = grow(*buffer, buffer_max, *buffer_max, 1);
    memcpy(*buffer, bytes, size);
    weft_status status = weft_frame_open(&frame, *buffer, size);
    if (status == WEFT_VERSION) {
        container_gap *gap = add_gap(file, GAP_VERSION, offset);
        gap->bytes = size;
        gap->version = frame.version;
        return;
    }
    if (status != WEFT_OK || size > UINT32_MAX || !body_parses(&frame)) {
        add_damage(file, offset, size);
        return;
    }
    file->frames = grow(file->frames, &file->frame_max, file->frame_count, sizeof *file->frames);
    file->frames[file->frame_count] = (entry){.offset = offset,
                                              .size = (uint32_t)size,
                                              .sequence = frame.sequence,
                                              .kind = frame.kind,
                                              .crc = crc_of(&frame),
                                              .order = (uint32_t)file->frame_count,
                                              .recording = (uint32_t)file->recordings};
    file->frame_count++;
    if (frame.kind == WEFT_FRAME_META)
        keep(&file->meta, &file->meta_size, &frame);
    if (frame.kind == WEFT_FRAME_STATS)
        keep(&file->stats, &file->stats_size, &frame);
}

static void scan(container *file)
{
    uint8_t *buffer = NULL;
    size_t buffer_max = 0;
    uint64_t at = 0;
    while (at < file->size) {
        const uint8_t *zero = memchr(file->map + at, 0, file->size - at);
        uint64_t end = zero ? (uint64_t)(zero - file->map) : file->size;
        if (end > at && !zero)
            add_damage(file, at, end - at); /* a frame without its end is cut */
        else if (end > at)
            scan_chunk(file, at, end - at, &buffer, &buffer_max);
        at = end + 1;
    }
    free(buffer);
}

static int by_sequence(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->recording != b->recording)
        return a->recording < b->recording ? -1 : 1;
    if (a->sequence != b->sequence)
        return (int32_t)(a->sequence - b->sequence) < 0 ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Frames may stand a little out of order; a recording that restarted without its head goes back further, or has
 * another first frame. */
static void split_recordings(container *file)
{
    enum { DISORDER = 64 };
    uint32_t extra = 0, high = 0, first_crc = 0;
    bool first_seen = false;
    for (size_t i = 0; i < file->frame_count; i++) {
        entry *frame = &file->frames[i];
        bool headed = i == 0 || frame->recording + extra != file->frames[i - 1].recording;
        bool first = frame->sequence == 0 && frame->kind == WEFT_FRAME_META;
        bool repeated = first && first_seen && frame->crc == first_crc;
        if (!headed && !repeated && ((first && first_seen) || (int32_t)(high - frame->sequence) > DISORDER)) {
            extra++;
            headed = true;
        }
        if (headed || (int32_t)(frame->sequence - high) > 0)
            high = frame->sequence;
        first_seen = first || (first_seen && !headed);
        first_crc = first ? frame->crc : first_crc;
        frame->recording += extra;
    }
    if (file->frame_count)
        file->recordings = file->frames[file->frame_count - 1].recording + 1;
}

/* Sorts; a frame that comes again is left out, and named if it is not the same. */
static void drop_repeated(container *file)
{
    size_t to = 0;
    bool sorted = true;
    for (size_t i = 1; i < file->frame_count && sorted; i++)
        sorted = by_sequence(&file->frames[i - 1], &file->frames[i]) < 0;
    if (!sorted)
        qsort(file->frames, file->frame_count, sizeof *file->frames, by_sequence);
    for (size_t i = 0; i < file->frame_count; i++) {
        const entry *last = to ? &file->frames[to - 1] : NULL, *frame = &file->frames[i];
        if (!last || last->recording != frame->recording || last->sequence != frame->sequence)
            file->frames[to++] = *frame;
        else if (last->crc != frame->crc)
            add_damage(file, frame->offset, frame->size);
    }
    file->frame_count = to;
}

/* What a pass over the frames of one recording knows at a point. */
typedef struct position {
    uint32_t sequence;  /* expected next */
    weft_counts counts; /* events up to here */
    bool ended;         /* behind an end record */
    bool broken;        /* parts of the profile's segment are missing */
} position;

static bool stats_field(const uint8_t *body, size_t size, uint32_t key, uint64_t *value, const uint8_t **bytes)
{
    weft_reader reader;
    bool found = false;
    weft_reader_init(&reader, body, size);
    while (weft_reader_left(&reader)) {
        uint32_t at = weft_read_varint(&reader);
        uint64_t number = at & 1 ? weft_read_varint(&reader) : weft_read_varint64(&reader);
        const uint8_t *data = at & 1 ? weft_read_bytes(&reader, (size_t)number) : NULL;
        if (reader.status != WEFT_OK)
            break;
        if (at == key) {
            *value = number;
            if (bytes)
                *bytes = data;
            found = true;
        }
    }
    return found;
}

static void count_gap(container *file, container_gap *gap, const weft_counts *from, const weft_counts *to)
{
    if (to->paths < from->paths || to->accesses < from->accesses || to->values < from->values)
        return; /* frames that contradict each other: the size is unknown */
    gap->counted = true;
    gap->paths = to->paths - from->paths;
    gap->accesses = to->accesses - from->accesses;
    gap->values = to->values - from->values;
    file->lost.paths += gap->paths;
    file->lost.accesses += gap->accesses;
    file->lost.values += gap->values;
}

/* Counts of all events before the frame's interval; false: this kind does not tell. */
static bool counts_before(const weft_frame *frame, weft_counts *counts)
{
    trace_body body;
    if (frame->kind == WEFT_FRAME_TRACE && trace_parse(frame, &body)) {
        *counts = body.before;
        return true;
    }
    return frame->kind == WEFT_FRAME_STATS &&
           stats_field(frame->body, frame->body_size, WEFT_STATS_PATHS, &counts->paths, NULL) &&
           stats_field(frame->body, frame->body_size, WEFT_STATS_ACCESSES, &counts->accesses, NULL) &&
           stats_field(frame->body, frame->body_size, WEFT_STATS_VALUES, &counts->values, NULL);
}

static bool counts_equal(const weft_counts *a, const weft_counts *b)
{
    return a->paths == b->paths && a->accesses == b->accesses && a->values == b->values;
}

/* A gap before the frame, if its counts or missing frames say so. */
static void compare(container *file, entry *at, const weft_counts *counts, position *expect, uint64_t *missing)
{
    if (*missing || !counts_equal(counts, &expect->counts)) {
        container_gap *gap = add_gap(file, *missing ? GAP_FRAMES : GAP_LOST, at->offset);
        gap->frames = *missing;
        gap->recording = at->recording;
        count_gap(file, gap, &expect->counts, counts);
        at->after_gap = !gap->counted || gap->paths || gap->accesses || gap->values;
    }
    *missing = 0;
    expect->counts = *counts;
}

/* Parts of a profile. Where it stands instead of the control stream, its paths are the recording's. */
static void check_profile(container *file, entry *at, const weft_frame *frame, position *expect, uint64_t *missing)
{
    profile_body body;
    if (!profile_parse(frame, &body))
        return;
    at->after_gap = *missing != 0;
    expect->broken = body.part == 0 ? false : expect->broken || *missing;
    if (!body.only)
        return;
    if (body.part == 0) {
        weft_counts counts = expect->counts;
        counts.paths = body.start;
        compare(file, at, &counts, expect, missing);
    }
    if (body.last && !expect->broken)
        expect->counts.paths = body.end;
}

/* Compares a frame with what its forerunners lead to expect. Missing frames wait in *missing for the next frame that
 * tells counts, since META frames do not. */
static void check_frame(container *file, entry *at, const weft_frame *frame, position *expect, uint64_t *missing)
{
    weft_counts counts;
    trace_body body;
    *missing += (uint32_t)(at->sequence - expect->sequence);
    expect->sequence = at->sequence + 1;
    if (frame->kind == WEFT_FRAME_FULL && frame->body_size)
        expect->ended = frame->body[0] == 2; /* tools/qemu/FULL.md */
    if (frame->kind == WEFT_FRAME_PROFILE) {
        check_profile(file, at, frame, expect, missing);
        return;
    }
    if (!counts_before(frame, &counts)) {
        if (frame->kind > WEFT_FRAME_STATS && *missing) {
            add_gap(file, GAP_FRAMES, at->offset)->frames = *missing;
            at->after_gap = true;
            *missing = 0;
        }
        return;
    }
    compare(file, at, &counts, expect, missing);
    if (frame->kind == WEFT_FRAME_TRACE && trace_parse(frame, &body)) {
        expect->counts.paths += body.counts.paths;
        expect->counts.accesses += body.counts.accesses;
        expect->counts.values += body.counts.values;
    }
    expect->ended = frame->kind == WEFT_FRAME_STATS;
}

static void end_recording(container *file, uint64_t offset, uint32_t recording, uint64_t missing, const position *at)
{
    if (missing) {
        container_gap *gap = add_gap(file, GAP_FRAMES, offset);
        gap->frames = missing;
        gap->recording = recording;
    }
    if (!at->ended)
        add_gap(file, GAP_END, offset)->recording = recording;
}

static void find_gaps(container *file)
{
    position expect = {0};
    uint64_t missing = 0;
    uint8_t *buffer = NULL;
    for (size_t i = 0; i < file->frame_count; i++) {
        container_frame frame;
        entry *at = &file->frames[i];
        if (i && at->recording != at[-1].recording) {
            end_recording(file, at->offset, at[-1].recording, missing, &expect);
            expect = (position){0};
            missing = 0;
        }
        container_read(file, i, &frame, &buffer);
        if (frame.frame.kind != WEFT_FRAME_META && frame.frame.kind != WEFT_FRAME_STATS)
            expect.ended = false;
        check_frame(file, at, &frame.frame, &expect, &missing);
    }
    if (file->frame_count)
        end_recording(file, file->size, file->frames[file->frame_count - 1].recording, missing, &expect);
    free(buffer);
}

static int by_offset(const void *left, const void *right)
{
    const container_gap *a = left, *b = right;
    return a->offset < b->offset ? -1 : a->offset > b->offset ? 1 : (int)a->kind - (int)b->kind;
}

static bool fail(container *file, char *message, size_t size, const char *text)
{
    const container_gap *gap = file->gap_count ? &file->gaps[0] : NULL;
    if (text)
        snprintf(message, size, "%s: %s", file->path, text);
    else if (file->size == 0)
        snprintf(message, size, "%s: the file is empty", file->path);
    else if (gap && gap->kind == GAP_VERSION)
        snprintf(message, size, "%s: byte %" PRIu64 ": format version %u; this build reads version %u", file->path,
                 gap->offset, gap->version, WEFT_FORMAT_VERSION);
    else
        snprintf(message, size, "%s: byte %" PRIu64 ": not a Weft container: no intact frame in %" PRIu64 " bytes",
                 file->path, gap ? gap->offset : 0, file->size);
    container_close(file);
    return false;
}

static container *new_container(const char *path, char *message, size_t message_size)
{
    container *file = calloc(1, sizeof *file);
    if (file && (file->path = strdup(path)))
        return file;
    free(file);
    snprintf(message, message_size, "out of memory");
    return NULL;
}

static container *index_frames(container *file, char *message, size_t message_size)
{
    scan(file);
    if (file->frame_count == 0) {
        fail(file, message, message_size, NULL);
        return NULL;
    }
    split_recordings(file);
    drop_repeated(file);
    find_gaps(file);
    if (file->gap_count)
        qsort(file->gaps, file->gap_count, sizeof *file->gaps, by_offset);
    return file;
}

container *container_open(const char *path, char *message, size_t message_size)
{
    container *file = new_container(path, message, message_size);
    if (!file)
        return NULL;
    if (!whole_file_open(&file->whole, path)) {
        fail(file, message, message_size, strerror(errno));
        return NULL;
    }
    file->map = file->whole.bytes;
    file->size = file->whole.size;
    return index_frames(file, message, message_size);
}

container *container_open_bytes(const uint8_t *bytes, size_t size, const char *name, char *message, size_t message_size)
{
    container *file = new_container(name, message, message_size);
    if (!file)
        return NULL;
    file->map = bytes;
    file->size = size;
    return index_frames(file, message, message_size);
}

void container_close(container *file)
{
    if (!file)
        return;
    whole_file_close(&file->whole);
    free(file->path);
    free(file->frames);
    free(file->gaps);
    free(file->meta);
    free(file->stats);
    free(file);
}

const char *container_path(const container *file)
{
    return file->path;
}

uint64_t container_size(const container *file)
{
    return file->size;
}

size_t container_frame_count(const container *file)
{
    return file->frame_count;
}

size_t container_recording_count(const container *file)
{
    return file->recordings;
}

uint8_t container_kind(const container *file, size_t index)
{
    return file->frames[index].kind;
}

const char *container_without_paths(const container *file)
{
    const char *why = NULL;
    for (size_t i = 0; i < file->frame_count; i++)
        switch (file->frames[i].kind) {
        case WEFT_FRAME_TRACE:
            return NULL;
        case WEFT_FRAME_FULL:
            why = "it is a full recording, for weft dump and weft wet";
            break;
        case WEFT_FRAME_PROFILE:
            why = "it holds a profile, and no order of paths";
            break;
        }
    return why;
}

void container_read(const container *file, size_t index, container_frame *frame, uint8_t **buffer)
{
    const entry *at = &file->frames[index];
    uint8_t *bytes = *buffer = memory_grow(*buffer, at->size, 1);
    memcpy(bytes, file->map + at->offset, at->size);
    (void)weft_frame_open(&frame->frame, bytes, at->size); /* it did at the scan */
    frame->offset = at->offset;
    frame->recording = at->recording;
    frame->after_gap = at->after_gap;
}

size_t container_gap_count(const container *file)
{
    return file->gap_count;
}

const container_gap *container_gap_at(const container *file, size_t index)
{
    return &file->gaps[index];
}

static void counts_text(const container_gap *gap, char *text, size_t size)
{
    if (gap->counted)
        snprintf(text, size, "%" PRIu64 " paths, %" PRIu64 " accesses and %" PRIu64 " values are lost", gap->paths,
                 gap->accesses, gap->values);
    else
        snprintf(text, size, "the number of lost events is unknown");
}

void container_gap_text(const container_gap *gap, char *text, size_t size)
{
    char counts[128];
    counts_text(gap, counts, sizeof counts);
    switch (gap->kind) {
    case GAP_LOST:
        snprintf(text, size, "before byte %" PRIu64 ": the sink refused; %s", gap->offset, counts);
        break;
    case GAP_FRAMES:
        snprintf(text, size, "before byte %" PRIu64 ": %" PRIu64 " frame%s missing; %s", gap->offset, gap->frames,
                 gap->frames == 1 ? " is" : "s are", counts);
        break;
    case GAP_DAMAGE:
        snprintf(text, size, "byte %" PRIu64 ": %" PRIu64 " damaged byte%s", gap->offset, gap->bytes,
                 gap->bytes == 1 ? "" : "s");
        break;
    case GAP_VERSION:
        snprintf(text, size, "byte %" PRIu64 ": a frame of format version %u, which this build does not know",
                 gap->offset, gap->version);
        break;
    case GAP_END:
        snprintf(text, size, "byte %" PRIu64 ": no end record; what came after is unknown", gap->offset);
        break;
    }
}

void container_print_gaps(const container *file, const char *command)
{
    enum { SHOWN = 20 };
    char text[256];
    for (size_t i = 0; i < file->gap_count && i < SHOWN; i++) {
        container_gap_text(&file->gaps[i], text, sizeof text);
        fprintf(stderr, "weft %s: gap: %s\n", command, text);
    }
    if (file->gap_count > SHOWN)
        fprintf(stderr, "weft %s: and %zu gaps more\n", command, file->gap_count - SHOWN);
}

weft_counts container_lost(const container *file)
{
    return file->lost;
}

bool container_end_counts(const container *file, uint32_t recording, weft_counts *counts)
{
    uint8_t *buffer = NULL;
    bool found = false;
    for (size_t i = file->frame_count; i-- > 0 && !found && file->frames[i].recording >= recording;) {
        container_frame frame;
        if (file->frames[i].recording != recording || file->frames[i].kind != WEFT_FRAME_STATS)
            continue;
        container_read(file, i, &frame, &buffer);
        found = counts_before(&frame.frame, counts);
    }
    free(buffer);
    return found;
}

bool container_meta(const container *file, uint32_t key, uint64_t *value)
{
    return file->meta && stats_field(file->meta, file->meta_size, key, value, NULL);
}

bool container_stats(const container *file, uint32_t key, uint64_t *value)
{
    return file->stats && stats_field(file->stats, file->stats_size, key, value, NULL);
}

const uint8_t *container_meta_bytes(const container *file, uint32_t key, size_t *size)
{
    uint64_t value = 0;
    const uint8_t *bytes = NULL;
    if (!file->meta || !stats_field(file->meta, file->meta_size, key, &value, &bytes))
        return NULL;
    *size = (size_t)value;
    return bytes;
}
