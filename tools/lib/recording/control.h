/* SPDX-License-Identifier: MIT */
/* The control events of a whole container, for commands that need the paths but not the accesses:
 *
 *     control *events = control_open(file);
 *     for (control_event event; control_next(events, &event);)
 *         if (event.kind == CONTROL_PATH) use(event.context, event.path);
 *     if (control_print_gaps(file, control_unread(events), "command")) exit status 3;
 *     control_close(events);
 *
 * Which paths start at a routine's entry, their sites and lines: script.h. */
#ifndef WEFT_TOOLS_LIB_RECORDING_CONTROL_H
#define WEFT_TOOLS_LIB_RECORDING_CONTROL_H

#include "tools/lib/recording/container.h"

typedef enum control_kind {
    CONTROL_PATH,    /* a path ended */
    CONTROL_MARK,    /* `mark`: as REPLAY_MARK (events.h) */
    CONTROL_CONTEXT, /* the events that follow belong to `context` */
    CONTROL_GAP,     /* events are missing here, or another recording starts: nothing goes on across it. Also after the
                        last path of a frame whose other symbols cannot be read: damaged, or of an unknown coder */
} control_kind;

typedef struct control_event {
    control_kind kind;
    bool another; /* CONTROL_GAP: another recording starts, and nothing is missing */
    uint32_t context;
    uint32_t recording;     /* of the file, from 0 */
    uint32_t path;          /* CONTROL_PATH: its global number (not the symbol) */
    uint64_t index;         /* paths of the frame so far, and records of the recording before it, lost ones included */
    const trace_mark *mark; /* CONTROL_MARK; valid until the next event */
    uint64_t time;          /* CONTROL_MARK: ticks of the last stamp, or when the frame's interval began */
} control_event;

typedef struct control control;
control *control_open(const container *file);
/* The events of frames first .. end - 1: those that control_open gives for them, but that a CONTROL_CONTEXT may come
 * first. */
control *control_open_range(const container *file, size_t first, size_t end);
void control_close(control *events);
bool control_next(control *events, control_event *event);
/* The frame that the last event is of: a number that is another one for each. */
typedef struct control_frame_times {
    uint64_t begun, closed; /* ticks */
} control_frame_times;
uint64_t control_frame(const control *events, control_frame_times *times);
/* Frames so far whose symbols cannot be read. They are not among the gaps of the container. */
uint64_t control_unread(const control *events);
/* Names the gaps of the container, if any, and says how many frames have symbols that cannot be read. False: all is
 * well. */
bool control_print_gaps(const container *file, uint64_t unread, const char *command);

#endif
