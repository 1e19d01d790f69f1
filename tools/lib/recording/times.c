/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/times.h"

#include <stdlib.h>

#include "core/format.h"
#include "tools/lib/recording/frames.h"

enum { NS = 1000000000 };

times_base times_base_of(const container *file)
{
    times_base base = {0};
    uint8_t *buffer = NULL;
    container_frame frame;
    size_t first = container_next(file, WEFT_FRAME_TRACE, 0);
    if (first == container_frame_count(file) || !container_meta(file, WEFT_META_CLOCK_HZ, &base.hz))
        return base;
    container_read(file, first, &frame, &buffer);
    if (frame.frame.version < 2)
        base.hz = 0; /* its frames do not say when they began */
    free(buffer);
    return base;
}

void times_join(times_base *base, uint32_t recording, uint64_t begun, uint64_t now)
{
    if (base->begun && base->recording == recording)
        return;
    base->begun = true;
    base->recording = recording;
    base->origin = begun;
    base->shift = now;
}

uint64_t times_of(const times_base *base, uint64_t ticks)
{
    uint64_t since = ticks > base->origin ? ticks - base->origin : 0;
    if (since / base->hz > UINT64_MAX / NS / 4 || base->hz > UINT32_MAX)
        return UINT64_MAX / 2;
    uint64_t time = since / base->hz * NS + since % base->hz * NS / base->hz;
    return base->shift < UINT64_MAX / 4 ? base->shift + time : UINT64_MAX / 2;
}

const char *times_kind(const container *file)
{
    static const char *const kinds[] = {NULL, "cycles of the core", "a timer", "ticks of the operating system",
                                        "the program's clock"};
    uint64_t kind;
    return container_meta(file, WEFT_META_TIME_BASE, &kind) && kind < WEFT_COUNT(kinds) ? kinds[kind] : NULL;
}

bool times_chosen(const container *file)
{
    return times_kind(file) && times_base_of(file).hz;
}

static void add_span(times_points *points, const times_base *base, uint64_t *last, uint64_t ticks)
{
    uint64_t time = times_of(base, ticks), span = time > *last ? time - *last : 0;
    points->spans++;
    points->sum += span;
    if (span > points->widest)
        points->widest = span;
    *last = time;
}

static void scan_frame(times_points *points, times_base *base, const container_frame *frame, const trace_body *body)
{
    weft_reader reader;
    trace_mark mark;
    uint64_t ticks = body->begun;
    times_join(base, frame->recording, ticks, 0);
    uint64_t last = times_of(base, ticks);
    trace_marks_start(&reader, body);
    while (trace_marks_next(&reader, body, false, &mark)) {
        if (mark.kind != WEFT_MARK_STAMP)
            continue;
        ticks += mark.argument;
        points->stamps++;
        add_span(points, base, &last, ticks);
    }
    add_span(points, base, &last, frame->frame.time);
}

times_points times_scan(const container *file)
{
    times_points points = {0};
    times_base base = times_base_of(file);
    uint8_t *buffer = NULL;
    container_frame frame;
    trace_body body;
    for (size_t i = 0; base.hz && i < container_frame_count(file); i++) {
        if (container_kind(file, i) != WEFT_FRAME_TRACE)
            continue;
        container_read(file, i, &frame, &buffer);
        if (trace_parse(&frame.frame, &body))
            scan_frame(&points, &base, &frame, &body);
    }
    free(buffer);
    return points;
}
