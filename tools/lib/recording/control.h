/* SPDX-License-Identifier: MIT */
/* The control events of a whole container, for the commands that want symbols only:
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
    CONTROL_CONTEXT, /* the events that follow belong to `context` */
    CONTROL_GAP, /* events are missing here, or a new recording starts: nothing before continues behind it. Also behind the last
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
