/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/changes.h"

/* The recording's last gap of that kind, or NULL. */
static container_gap *last_gap(frame_index *index, size_t first, container_gap_kind kind)
{
    for (size_t i = index->gaps.count; i > first; i--)
        if (index->gaps.all[i - 1].kind == kind)
            return &index->gaps.all[i - 1];
    return NULL;
}

/* Marks are repeated, since frames may be lost: each change is listed once. */
static void list_once(frame_index *index, const frame_entry *entry, size_t first, container_gap_kind kind,
                      uint32_t number, uint32_t path)
{
    for (size_t i = first; i < index->gaps.count; i++) {
        const container_gap *gap = &index->gaps.all[i];
        if (gap->kind == kind && gap->number == number && gap->path == path)
            return;
    }
    container_gap *gap = gaps_add(&index->gaps, kind, entry->offset, entry->recording);
    gap->number = number;
    gap->path = path;
}

/* A frame whose first mark is a resume comes after a pause: nothing goes on across that. */
static void resume(changes *c, frame_index *index, frame_entry *entry)
{
    gaps_add(&index->gaps, GAP_PAUSE, entry->offset, entry->recording);
    entry->after_gap = true;
    c->pauses += !c->paused; /* the mark of its begin is missing */
    c->paused = c->missing = false;
}

/* The frame with the resume is missing, if there are events, or another pause. */
static void resume_unseen(changes *c, frame_index *index, frame_entry *entry, bool goes_on)
{
    if (c->paused && c->missing && goes_on)
        resume(c, index, entry);
}

static bool has_events(const weft_counts *counts)
{
    return counts->paths || counts->accesses || counts->values || counts->marks;
}

/* The trigger ends the pause that the frame began after, if it did. */
static void trigger(frame_index *index, const frame_entry *entry, size_t first, uint32_t number)
{
    container_gap *gap = last_gap(index, first, GAP_PAUSE);
    if (!gap || gap->offset != entry->offset)
        return;
    gap->kind = GAP_TRIGGER;
    gap->number = number;
}

/* Of the missing frames, `frames` were given up by the device: they came before those held for the trigger. */
static void held(frame_index *index, size_t first, uint32_t frames)
{
    container_gap *gap = last_gap(index, first, GAP_FRAMES);
    if (gap && gap->frames == frames)
        gap->cause = GAP_CAUSE_TRIGGER;
}

static void take(changes *c, frame_index *index, frame_entry *entry, size_t first, const trace_mark *mark)
{
    switch (mark->argument) {
    case WEFT_CHANGE_PAUSE:
        resume_unseen(c, index, entry, true);
        c->paused = true;
        c->missing = false;
        c->pauses++;
        break;
    case WEFT_CHANGE_TRIGGER:
        trigger(index, entry, first, mark->value[0]);
        break;
    case WEFT_CHANGE_HELD:
        held(index, first, mark->value[0]);
        break;
    case WEFT_CHANGE_FILTER:
        list_once(index, entry, first, GAP_FILTER, mark->value[0], 0);
        break;
    case WEFT_CHANGE_FUNCTION:
        c->function = mark->value[0];
        break;
    case WEFT_CHANGE_SAMPLING:
        if (mark->value[0] > 1)
            list_once(index, entry, first, GAP_SAMPLING, mark->value[0], c->function);
        break;
    default:
        break;
    }
}

void changes_take(changes *c, frame_index *index, frame_entry *entry, const trace_body *body, size_t first)
{
    weft_reader marks;
    trace_mark mark;
    trace_marks_start(&marks, body);
    bool more = trace_marks_next(&marks, body, false, &mark);
    if (more && mark.kind == WEFT_MARK_CONTROL && mark.argument == WEFT_CHANGE_RESUME)
        resume(c, index, entry);
    else
        resume_unseen(c, index, entry, has_events(&body->counts));
    for (; more; more = trace_marks_next(&marks, body, false, &mark))
        if (mark.kind == WEFT_MARK_CONTROL)
            take(c, index, entry, first, &mark);
}

/* Recordings of earlier versions of Weft do not say how many. */
static void count_pauses(const changes *c, frame_index *index, const frame_entry *entry, const weft_frame *stats)
{
    uint64_t pauses;
    if (frame_field(stats->body, stats->body_size, WEFT_STATS_PAUSES, &pauses, NULL) && pauses > c->pauses)
        gaps_add(&index->gaps, GAP_PAUSES, entry->offset, entry->recording)->events = pauses - c->pauses;
}

void changes_count(const changes *c, frame_index *index, const frame_entry *entry, const weft_frame *stats)
{
    container_gap out = {.counted = true};
    uint64_t *const counts[] = {&out.paths, &out.accesses, &out.values, &out.marks, &out.events};
    static const uint32_t keys[] = {WEFT_STATS_OUT_PATHS, WEFT_STATS_OUT_ACCESSES, WEFT_STATS_OUT_VALUES,
                                    WEFT_STATS_OUT_MARKS, WEFT_STATS_OUT_ACTIVATIONS};
    bool any = false;
    count_pauses(c, index, entry, stats);
    for (size_t i = 0; i < WEFT_COUNT(keys); i++)
        any |= frame_field(stats->body, stats->body_size, keys[i], counts[i], NULL) && *counts[i];
    if (!any)
        return;
    container_gap *gap = gaps_add(&index->gaps, GAP_OUT, entry->offset, entry->recording);
    out.kind = gap->kind;
    out.offset = gap->offset;
    out.recording = gap->recording;
    *gap = out;
}

void changes_end(const changes *c, frame_index *index, uint64_t offset, uint32_t recording)
{
    if (c->paused)
        gaps_add(&index->gaps, GAP_PAUSED, offset, recording);
}
