/* SPDX-License-Identifier: MIT */
/* The bodies of frames (core/FORMAT.md): fields of META and STATS, sections and stretches of TRACE, parts of
 * PROFILE. */
#ifndef WEFT_TOOLS_LIB_RECORDING_FRAMES_H
#define WEFT_TOOLS_LIB_RECORDING_FRAMES_H

#include "core/frame.h"

/* One frame of a container. */
typedef struct container_frame {
    weft_frame frame;   /* its body is in the buffer that it was read into */
    uint64_t offset;    /* of its first byte in the file */
    uint32_t recording; /* 0, 1...: a file may hold several recordings, one after the other (a device that restarted) */
    bool after_gap;     /* events may be missing between the frame of its kind before it and this one */
} container_frame;

/* The CRC of an opened frame. */
uint32_t frame_crc(const weft_frame *frame);
/* The field with that key of a META or STATS body: *value is its number, or the size of its bytes, which are then at
 * *bytes (may be NULL). The last one, if the key comes again. False: there is none. */
bool frame_field(const uint8_t *body, size_t size, uint32_t key, uint64_t *value, const uint8_t **bytes);
/* Whether a META or STATS body is whole fields and nothing else, and says nothing twice. */
bool frame_fields_whole(const uint8_t *body, size_t size);
/* Events of the recording before the interval of a TRACE frame, or before a STATS frame, lost ones included. False: the
 * frame has no counts. */
bool frame_counts_before(const weft_frame *frame, weft_counts *counts);

/* The body of a TRACE frame. */
typedef struct trace_body {
    uint8_t control_coder, followers_log2, bus_coder, slots_log2, value_coder, value_slots_log2;
    weft_counts before, counts;          /* of version 1: without marks */
    uint64_t begun;                      /* ticks when the interval began; 0 in version 1 */
    uint32_t context;                    /* at the frame's start */
    uint32_t accesses_tail, values_tail; /* events after the last path (or switch) */
    uint64_t switches, escapes, trips;   /* entries of the marks section: switches of context, others, of these trips */
    uint64_t pack_marks;                 /* of the others: words of packs */
    uint32_t packs;                      /* words of packs in the frame */
    uint8_t pack_slots_log2;             /* of the section of packs: */
    const uint8_t *pack_bytes;           /* NULL: there is none, the words are among the marks */
    size_t pack_size;
    uint8_t version;
    uint8_t unknown; /* 0, or 1 more than the kind of a mark that this build does not know; the body did not parse */
    const uint8_t *section[WEFT_REGIONS];
    size_t size[WEFT_REGIONS];
} trace_body;

/* False: the body is not what the format says. */
bool trace_parse(const weft_frame *frame, trace_body *body);

/* The body of a PROFILE frame: a part of a segment of the profile. */
typedef struct profile_body {
    bool only;           /* the recording has this profile instead of a control stream */
    uint64_t start, end; /* paths since the start of the recording, lost ones included, before and after the segment */
    uint32_t part;       /* 0, 1... */
    bool last;
    const uint8_t *bytes; /* what weft_ksf_flush wrote (core/ksf.h; kipf_add_part reads it) */
    size_t size;
} profile_body;

bool profile_parse(const weft_frame *frame, profile_body *body);
/* Paths that this part counted. Those of all parts of a segment are what was recorded from `start` to `end`. */
uint64_t profile_paths(const profile_body *body);

/* An entry of the body of a NAMES frame. */
typedef struct frame_name {
    uint32_t number; /* 2 * context, or 2 * event + 1 */
    const uint8_t *text;
    size_t size;
} frame_name;

/* The next name; `reader` reads the body. False: there is none, or (reader->status) the body is damaged. */
bool frame_names_next(weft_reader *reader, frame_name *name);

/* An entry of the marks section that is not a switch of context. */
typedef struct trace_mark {
    uint8_t kind; /* weft_mark_kind */
    uint64_t argument;
    uint32_t count; /* of values: an event's, the parameter of a change, the address of a frame */
    uint32_t value[WEFT_MARK_VALUES_MAX];
} trace_mark;

/* Reads on in the marks section of `body` to the next mark that is not a switch. Trips and words of packs are passed
 * over unless asked for (`all`): trace_symbols_read gives the paths that they stand for. False: there is none. */
bool trace_marks_next(weft_reader *reader, const trace_body *body, bool all, trace_mark *mark);
/* Starts on that section. */
void trace_marks_start(weft_reader *reader, const trace_body *body);

/* A stretch: the events between two switches of context in a frame. It is read at its start, from the entry that ends
 * it. */
typedef struct trace_stretch {
    uint32_t context;
    uint32_t accesses, accesses_tail, values, values_tail;
    bool last; /* the frame ends it */
} trace_stretch;

typedef struct trace_stretches {
    const trace_body *body;
    weft_reader reader;
    uint32_t context;
    uint64_t accesses_left, values_left;
    bool done;
} trace_stretches;

void trace_stretches_init(trace_stretches *stretches, const trace_body *body);
/* False: there is no other, or the entry is corrupt (then reader.status is not WEFT_OK). */
bool trace_stretches_next(trace_stretches *stretches, trace_stretch *stretch);

#endif
