/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/control.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/symbols.h"

struct control {
    const container *file;
    size_t next_frame, end;
    uint8_t *buffer;
    container_frame frame;
    trace_body body;
    trace_stretches stretches;
    weft_reader marks;
    trace_mark mark;
    uint64_t stamp; /* ticks of the frame's last one, or when its interval began */
    trace_symbols *symbols;
    uint32_t block[4096];
    size_t at, count;
    uint32_t recording;
    uint32_t context;
    uint64_t index, unread;
    bool open, started, bad; /* bad: a switch of the frame is missing */
};

control *control_open(const container *file)
{
    control *events = memory_zero(1, sizeof *events);
    events->file = file;
    events->end = container_frame_count(file);
    events->symbols = trace_symbols_open(container_packs_of(file));
    return events;
}

control *control_open_range(const container *file, size_t first, size_t end)
{
    control *events = control_open(file);
    size_t before = first;
    while (before && container_kind(file, before - 1) != WEFT_FRAME_TRACE)
        before--;
    events->next_frame = first;
    events->end = end;
    if (!before)
        return events;
    events->started = true;
    events->recording = container_recording_of(file, before - 1);
    events->context = UINT32_MAX; /* not known */
    return events;
}

void control_close(control *events)
{
    if (!events)
        return;
    trace_symbols_close(events->symbols);
    free(events->buffer);
    free(events);
}

uint64_t control_unread(const control *events)
{
    return events->unread;
}

uint64_t control_frame(const control *events, control_frame_times *times)
{
    *times = (control_frame_times){events->body.begun, events->frame.frame.time};
    return events->next_frame;
}

bool control_print_gaps(const container *file, uint64_t unread, const char *command)
{
    container_print_gaps(file, command);
    if (unread)
        fprintf(stderr,
                "weft %s: gap: not all paths of %" PRIu64
                " frame%s can be read: damaged, or of a coder that this build does not know\n",
                command, unread, unread == 1 ? "" : "s");
    return unread || container_gap_count(file);
}

/* Opens the next TRACE frame. *event is a CONTROL_GAP or CONTROL_CONTEXT if one comes first; false: no more frames. */
static bool next_frame(control *events, control_event *event)
{
    trace_stretch stretch;
    bool missing = false; /* also before a frame of another kind */
    do {
        if (events->next_frame == events->end)
            return false;
        container_read(events->file, events->next_frame, &events->frame, &events->buffer);
        missing |= events->frame.after_gap;
    } while (container_kind(events->file, events->next_frame++) != WEFT_FRAME_TRACE);
    bool gap = events->frame.after_gap || (events->started && events->frame.recording != events->recording);
    uint32_t before = events->context;
    (void)trace_parse(&events->frame.frame, &events->body);
    trace_stretches_init(&events->stretches, &events->body);
    trace_stretches_next(&events->stretches, &stretch);
    trace_marks_start(&events->marks, &events->body);
    events->stamp = events->body.begun;
    trace_symbols_start(events->symbols, &events->body);
    events->at = events->count = 0;
    events->index = events->body.before.paths;
    events->recording = events->frame.recording;
    events->context = events->body.context;
    event->kind = gap ? CONTROL_GAP : events->context != before || !events->started ? CONTROL_CONTEXT : CONTROL_PATH;
    event->another = gap && !missing;
    event->context = events->context;
    event->recording = events->recording;
    event->index = events->index;
    events->open = events->started = true;
    events->bad = false;
    return true;
}

/* False: there is none where the symbols say that there is one. */
static bool take_mark(control *events, control_event *event)
{
    if (!trace_marks_next(&events->marks, &events->body, false, &events->mark))
        return false;
    if (events->mark.kind == WEFT_MARK_STAMP)
        events->stamp += events->mark.argument;
    *event = (control_event){.kind = CONTROL_MARK,
                             .context = events->context,
                             .recording = events->recording,
                             .index = events->index,
                             .mark = &events->mark,
                             .time = events->stamp};
    return true;
}

/* All of the frame was read, and it was as it should be. */
static bool is_whole(const control *events)
{
    uint64_t records = events->index - trace_symbols_extra(events->symbols);
    return !events->bad && !trace_symbols_corrupt(events->symbols) &&
           records == events->body.before.paths + events->body.counts.paths;
}

/* Reads more symbols of the open frame. False: there are no more, and the frame was not as it should be. */
static bool read_on(control *events)
{
    events->at = 0;
    events->count = trace_symbols_read(events->symbols, events->block, WEFT_COUNT(events->block));
    events->open = events->count > 0;
    return events->open || is_whole(events);
}

bool control_next(control *events, control_event *event)
{
    for (;;) {
        if (events->at == events->count && events->open && !read_on(events)) {
            events->unread++;
            *event = (control_event){.kind = CONTROL_GAP,
                                     .context = events->context,
                                     .recording = events->recording,
                                     .index = events->index};
            return true;
        }
        if (events->at == events->count) {
            if (!next_frame(events, event))
                return false;
            if (event->kind != CONTROL_PATH)
                return true;
            continue;
        }
        uint32_t symbol = events->block[events->at++];
        if (symbol >= WEFT_SYMBOL_PATH) {
            *event = (control_event){.kind = CONTROL_PATH,
                                     .context = events->context,
                                     .recording = events->recording,
                                     .path = symbol - WEFT_SYMBOL_PATH,
                                     .index = events->index++};
            return true;
        }
        trace_stretch stretch;
        if (symbol == WEFT_SYMBOL_CONTEXT && trace_stretches_next(&events->stretches, &stretch)) {
            events->context = stretch.context;
            *event = (control_event){.kind = CONTROL_CONTEXT,
                                     .context = events->context,
                                     .recording = events->recording,
                                     .index = events->index};
            return true;
        }
        if (symbol == WEFT_SYMBOL_MARK && take_mark(events, event))
            return true;
        events->bad = true;
    }
}
