/* SPDX-License-Identifier: MIT */
/* Reader of containers (core/FORMAT.md). Opening scans the whole file once, checks every frame, and keeps a small index
 * (32 bytes a frame): damage, missing, repeated and misplaced frames are found then and listed as gaps; frames are then
 * read in the order in which they were recorded. Memory: the index, and one frame at a time.
 *
 * For the commands that want symbols only:
 *
 *     char message[200];
 *     container *file = container_open(path, message, sizeof message);     NULL: print message, exit status 1
 *     control *events = control_open(file);
 *     for (control_event event; control_next(events, &event);)
 *         if (event.kind == CONTROL_PATH) use(event.context, event.path);
 *     if (control_print_gaps(file, control_unread(events), "command")) exit status 3;
 *     control_close(events);
 *     container_close(file);
 *
 * Which paths start at a routine's entry, their sites and lines: tools/lib/program.h. Address and value streams, and the
 * global order: tools/lib/replay.h. */
#ifndef WEFT_TOOLS_LIB_CONTAINER_H
#define WEFT_TOOLS_LIB_CONTAINER_H

#include "core/recorder.h"

typedef struct container container;

/* NULL and a message: the file cannot be read, or holds no frame at all that this build understands. */
container *container_open(const char *path, char *message, size_t message_size);
/* The same of bytes in memory, which must outlive it. `name` stands for the path in messages. */
container *container_open_bytes(const uint8_t *bytes, size_t size, const char *name, char *message, size_t message_size);
void container_close(container *file);
const char *container_path(const container *file);
uint64_t container_size(const container *file); /* bytes of the file */

/* One frame. `frame.body` is valid until the next container_read of the same buffer. */
typedef struct container_frame {
    weft_frame frame;
    uint64_t offset;    /* of its first byte in the file */
    uint32_t recording; /* 0, 1...: a file may hold several recordings one after the other (a device that restarted) */
    bool after_gap;     /* events may be missing between the frame of its kind before and this one */
} container_frame;

/* Intact frames, of all kinds, in recorded order. */
size_t container_frame_count(const container *file);
size_t container_recording_count(const container *file);
/* Reads frame `index` into *buffer (from malloc, grown as needed; start with NULL, free when done). */
void container_read(const container *file, size_t index, container_frame *frame, uint8_t **buffer);
/* The kind of frame `index`, without reading it. */
uint8_t container_kind(const container *file, size_t index);
/* NULL, or why there is no control stream: it is a recording of another kind. */
const char *container_without_paths(const container *file);

typedef enum container_gap_kind {
    GAP_LOST,    /* the recorder's sink refused: so many events of each kind are lost */
    GAP_FRAMES,  /* frames are missing from the file */
    GAP_DAMAGE,  /* bytes that are no frame; the frames that they were are named by a GAP_FRAMES as well, where later
                    frames tell */
    GAP_VERSION, /* a sound frame of another format version */
    GAP_END,     /* no end record: what came after the last frame is unknown */
} container_gap_kind;

typedef struct container_gap {
    container_gap_kind kind;
    uint64_t offset; /* in the file: of the bytes, or of the frame behind the gap */
    uint64_t bytes;  /* damaged bytes */
    uint64_t frames; /* missing frames */
    bool counted;    /* the counts below are exact */
    uint64_t paths, accesses, values;
    uint32_t recording;
    uint8_t version; /* GAP_VERSION */
} container_gap;

size_t container_gap_count(const container *file);
const container_gap *container_gap_at(const container *file, size_t index);
/* A sentence about it, without a newline. */
void container_gap_text(const container_gap *gap, char *text, size_t size);
/* "weft COMMAND: gap: ..." a line each, to standard error; at most 20, then how many more. */
void container_print_gaps(const container *file, const char *command);

/* Events of a recording, lost ones included, as its end record says. False: there is none. */
bool container_end_counts(const container *file, uint32_t recording, weft_counts *counts);
/* Events lost in all: those that the recorder lost and those in missing frames, as far as counted. */
weft_counts container_lost(const container *file);
/* A numeric field of the last META (key even) or STATS frame; false if absent. */
bool container_meta(const container *file, uint32_t key, uint64_t *value);
bool container_stats(const container *file, uint32_t key, uint64_t *value);
/* A byte field of META (key odd), NULL if absent. */
const uint8_t *container_meta_bytes(const container *file, uint32_t key, size_t *size);

/* The body of a TRACE frame. */
typedef struct trace_body {
    uint8_t control_coder, followers_log2, bus_coder, slots_log2, value_coder, value_slots_log2;
    weft_counts before, counts;
    uint32_t context;                    /* at the frame's start */
    uint32_t accesses_tail, values_tail; /* events after the last path (or switch) */
    const uint8_t *section[WEFT_REGIONS];
    size_t size[WEFT_REGIONS];
} trace_body;

/* False: the body is not what the format says. */
bool trace_parse(const weft_frame *frame, trace_body *body);

/* The body of a PROFILE frame: a part of a segment of the profile. */
typedef struct profile_body {
    bool only;           /* the profile stands instead of the control stream */
    uint64_t start, end; /* paths since the start of the recording, lost ones included, before and after the segment */
    uint32_t part;       /* 0, 1... */
    bool last;
    const uint8_t *bytes; /* what weft_ksf_flush wrote (core/ksf.h; kipf_add_part reads it) */
    size_t size;
} profile_body;

bool profile_parse(const weft_frame *frame, profile_body *body);

/* A stretch: the events between two switches of context in a frame. Read at its start, from the entry that ends it. */
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
/* False: no more, or corrupt (then reader.status tells). */
bool trace_stretches_next(trace_stretches *stretches, trace_stretch *stretch);

/* The symbols of one frame's control section, whatever its coder, in pieces. */
typedef struct trace_symbols trace_symbols;
trace_symbols *trace_symbols_open(void);
void trace_symbols_close(trace_symbols *symbols);
/* The body's sections must stay valid. */
void trace_symbols_start(trace_symbols *symbols, const trace_body *body);
/* Up to `max` next symbols; 0 at the end. After the end, trace_symbols_corrupt tells whether it was a proper one. */
size_t trace_symbols_read(trace_symbols *symbols, uint32_t *out, size_t max);
bool trace_symbols_corrupt(const trace_symbols *symbols);

/* The control events of the whole container. */
typedef enum control_kind {
    CONTROL_PATH,    /* a path ended */
    CONTROL_CONTEXT, /* the events that follow belong to `context` */
    CONTROL_GAP,     /* events are missing here, or a new recording starts: nothing before continues behind it. Also behind the last
                        path of a frame whose symbols cannot be read: damaged, or of a coder that this build does not know */
} control_kind;

typedef struct control_event {
    control_kind kind;
    uint32_t context;
    uint32_t path;  /* CONTROL_PATH: its global number (not the symbol) */
    uint64_t index; /* paths since the start of the recording, lost ones included */
} control_event;

typedef struct control control;
control *control_open(const container *file);
void control_close(control *events);
bool control_next(control *events, control_event *event);
/* Frames so far whose symbols cannot be read; no gap of the container tells. */
uint64_t control_unread(const control *events);
/* Names the container's gaps, if any, and says of how many frames the symbols cannot be read. False: all is well. */
bool control_print_gaps(const container *file, uint64_t unread, const char *command);

#endif
