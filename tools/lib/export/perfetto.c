/* SPDX-License-Identifier: MIT */
/* All packets are of one sequence. Tracks are described, and names interned, when they are first used. */
#include "tools/lib/export/perfetto.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/export/labels.h"
#include "tools/lib/export/loss.h"
#include "tools/lib/export/protobuf.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/by_context.h"

/* Numbers of fields and values in Perfetto's .proto files, by message. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60,
    PACKET_FIRST = 87
};
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { EVENT_TYPE = 9, EVENT_NAME_ID = 10, EVENT_TRACK = 11, EVENT_NAME = 23, EVENT_COUNTER = 30 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { INTERNED_EVENT_NAMES = 2, NAME_ID = 1, NAME_TEXT = 2 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5, COUNTER_UNIT = 3 };
enum { UNIT_NS = 1, UNIT_COUNT = 2, UNIT_BYTES = 3 };

/* Tracks: the process, what was lost, then three for each context. */
enum { UUID_PROCESS = 1, UUID_LOST_EVENTS, UUID_LOST_BYTES, UUID_CONTEXTS = 16, UUIDS_PER_CONTEXT = 4 };
enum { TRACK_OF_SLICES, TRACK_OF_COST, TRACK_OF_STACK };

typedef struct track {
    uint32_t context; /* first: by_context */
    bool stack;       /* the counter has been described */
} track;

struct export_perfetto {
    const image *im;
    FILE *file;
    bool clocked;  /* times and costs are nanoseconds */
    bool at_least; /* what is lost */
    uint64_t events;
    export_labels labels;
    char **label;   /* by function */
    bool *interned; /* likewise */
    track *tracks;
    size_t track_count, track_max, track_last; /* track_last: the one used last */
    uint64_t lost_events, lost_bytes, last;    /* last: time of the last event */
    protobuf packet, inner, part, small;       /* filled and emptied for each packet */
};

static void put_packet(export_perfetto *out, unsigned flags)
{
    protobuf_number(&out->packet, PACKET_SEQUENCE, 1);
    protobuf_number(&out->packet, PACKET_FLAGS, flags);
    protobuf_message(&out->part, TRACE_PACKET, &out->packet);
    fwrite(out->part.bytes, 1, out->part.size, out->file);
    out->part.size = 0;
}

/* ---- tracks ---- */

static void put_counter_track(export_perfetto *out, uint64_t uuid, uint64_t parent, const char *name, unsigned unit)
{
    protobuf_number(&out->inner, TRACK_UUID, uuid);
    protobuf_number(&out->inner, TRACK_PARENT, parent);
    protobuf_text(&out->inner, TRACK_NAME, name);
    protobuf_number(&out->part, COUNTER_UNIT, unit);
    protobuf_message(&out->inner, TRACK_COUNTER, &out->part);
    protobuf_message(&out->packet, PACKET_TRACK, &out->inner);
    put_packet(out, FLAG_NEEDS_STATE);
}

static void put_process(export_perfetto *out)
{
    protobuf_number(&out->inner, TRACK_UUID, UUID_PROCESS);
    protobuf_number(&out->part, PROCESS_PID, 1);
    protobuf_text(&out->part, PROCESS_NAME,
                  out->clocked ? "firmware (time by its clock)" : "firmware (1 ns is 1 instruction)");
    protobuf_message(&out->inner, TRACK_PROCESS, &out->part);
    protobuf_number(&out->packet, PACKET_FIRST, 1);
    protobuf_message(&out->packet, PACKET_TRACK, &out->inner);
    put_packet(out, FLAG_CLEARED);
    put_counter_track(out, UUID_LOST_EVENTS, UUID_PROCESS, out->at_least ? "events lost, at least" : "events lost",
                      UNIT_COUNT);
    put_counter_track(out, UUID_LOST_BYTES, UUID_PROCESS, "bytes lost", UNIT_BYTES);
}

static void put_thread(export_perfetto *out, uint64_t uuid, uint32_t context)
{
    char name[VECTORS_NAME_MAX];
    protobuf_number(&out->inner, TRACK_UUID, uuid);
    protobuf_number(&out->inner, TRACK_PARENT, UUID_PROCESS);
    protobuf_number(&out->part, THREAD_PID, 1);
    protobuf_number(&out->part, THREAD_TID, context + 1); /* 0 is Linux's idle thread */
    protobuf_text(&out->part, THREAD_NAME, vectors_name(out->im, context, name));
    protobuf_message(&out->inner, TRACK_THREAD, &out->part);
    protobuf_message(&out->packet, PACKET_TRACK, &out->inner);
    put_packet(out, FLAG_NEEDS_STATE);
    if (out->clocked)
        put_counter_track(out, uuid + TRACK_OF_COST, uuid, "processor time", UNIT_NS);
    else
        put_counter_track(out, uuid + TRACK_OF_COST, uuid, "instructions", UNIT_COUNT);
}

/* The first of a context's tracks. */
static uint64_t track_of(export_perfetto *out, uint32_t context, track **found)
{
    size_t known = out->track_count;
    out->tracks =
        by_context(out->tracks, &out->track_count, &out->track_max, sizeof *out->tracks, context, &out->track_last);
    uint64_t uuid = UUID_CONTEXTS + UUIDS_PER_CONTEXT * out->track_last;
    if (out->track_count > known)
        put_thread(out, uuid, context);
    *found = &out->tracks[out->track_last];
    return uuid;
}

/* ---- events ---- */

static void put_event(export_perfetto *out, uint64_t time)
{
    protobuf_number(&out->packet, PACKET_TIMESTAMP, time);
    protobuf_message(&out->packet, PACKET_EVENT, &out->inner);
    put_packet(out, FLAG_NEEDS_STATE);
    out->last = time;
    out->events++;
}

static void put_value(export_perfetto *out, uint64_t uuid, uint64_t time, uint64_t value)
{
    protobuf_number(&out->inner, EVENT_TYPE, TYPE_COUNTER);
    protobuf_number(&out->inner, EVENT_TRACK, uuid);
    protobuf_number(&out->inner, EVENT_COUNTER, value);
    put_event(out, time);
}

/* A function's name goes into the packet that first needs it. */
static void put_name(export_perfetto *out, uint32_t function)
{
    protobuf_number(&out->inner, EVENT_NAME_ID, function + 1);
    if (out->interned[function])
        return;
    out->interned[function] = true;
    protobuf_number(&out->small, NAME_ID, function + 1);
    protobuf_text(&out->small, NAME_TEXT, out->label[function]);
    protobuf_message(&out->part, INTERNED_EVENT_NAMES, &out->small);
    protobuf_message(&out->packet, PACKET_INTERNED, &out->part);
}

static void enter(void *own, const functions_moment *at, uint32_t function)
{
    export_perfetto *out = own;
    track *of;
    uint64_t uuid = track_of(out, at->context, &of);
    put_value(out, uuid + TRACK_OF_COST, at->time, at->spent);
    protobuf_number(&out->inner, EVENT_TYPE, TYPE_BEGIN);
    protobuf_number(&out->inner, EVENT_TRACK, uuid);
    put_name(out, function);
    put_event(out, at->time);
}

static void leave(void *own, const functions_moment *at, uint32_t function)
{
    export_perfetto *out = own;
    track *of;
    uint64_t uuid = track_of(out, at->context, &of);
    (void)function; /* slices of a track are nested: this is the innermost one */
    put_value(out, uuid + TRACK_OF_COST, at->time, at->spent);
    protobuf_number(&out->inner, EVENT_TYPE, TYPE_END);
    protobuf_number(&out->inner, EVENT_TRACK, uuid);
    put_event(out, at->time);
}

static void put_instant(export_perfetto *out, const char *name, uint64_t time)
{
    protobuf_number(&out->inner, EVENT_TYPE, TYPE_INSTANT);
    protobuf_number(&out->inner, EVENT_TRACK, UUID_PROCESS);
    protobuf_text(&out->inner, EVENT_NAME, name);
    put_event(out, time);
}

static void gap(void *own, const functions_moment *at, const functions_loss *loss)
{
    export_perfetto *out = own;
    out->lost_events += loss->paths + loss->accesses + loss->values;
    out->lost_bytes += loss->bytes;
    put_instant(out, "events lost", at->time);
    put_value(out, UUID_LOST_EVENTS, at->time, out->lost_events);
    put_value(out, UUID_LOST_BYTES, at->time, out->lost_bytes);
}

static void stack_now(void *own, const functions_moment *at, uint32_t bytes)
{
    export_perfetto *out = own;
    track *of;
    uint64_t uuid = track_of(out, at->context, &of);
    if (!of->stack)
        put_counter_track(out, uuid + TRACK_OF_STACK, uuid, "stack", UNIT_BYTES);
    of->stack = true;
    put_value(out, uuid + TRACK_OF_STACK, at->time, bytes);
}

export_perfetto *export_perfetto_begin(const functions *all, const image *im, bool clocked, bool at_least, FILE *file)
{
    export_perfetto *out = memory_zero(1, sizeof *out);
    *out = (export_perfetto){.im = im,
                             .clocked = clocked,
                             .at_least = at_least,
                             .file = file,
                             .interned = memory_zero(all->count + 1, sizeof *out->interned)};
    out->label = export_labels_of_functions(&out->labels, all);
    put_process(out);
    return out;
}

functions_listener export_perfetto_listener(export_perfetto *out)
{
    return (functions_listener){.own = out, .enter = enter, .leave = leave, .gap = gap, .stack = stack_now};
}

uint64_t export_perfetto_end(export_perfetto *out, bool cut)
{
    if (cut)
        put_instant(out, EXPORT_END_LOST, out->last);
    uint64_t events = out->events;
    protobuf_free(&out->packet);
    protobuf_free(&out->inner);
    protobuf_free(&out->part);
    protobuf_free(&out->small);
    export_labels_free(&out->labels);
    free(out->interned);
    free(out->tracks);
    free(out);
    return events;
}
