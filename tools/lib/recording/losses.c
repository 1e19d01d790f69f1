/* SPDX-License-Identifier: MIT */
/* A recorder numbers its frames, and writes into each how many events came before it. So a gap shows in two ways: a
 * number is skipped, or the counts are higher than what the frames so far hold. Skipped numbers are listed at the next
 * frame that has counts, since those give the size of the gap. */
#include "tools/lib/recording/losses.h"

#include <stdlib.h>

#include "tools/lib/recording/changes.h"
#include "tools/lib/recording/continuity.h"

/* What a pass over the frames of one recording knows at a point. */
typedef struct position {
    uint32_t sequence;  /* expected next */
    weft_counts counts; /* events up to here */
    uint64_t missing;   /* frames whose gap is not listed yet */
    bool ended;         /* after an end record */
    bool broken;        /* parts of the profile's segment are missing */
    bool box;           /* it was made of a black box */
    bool only;          /* a profile stands instead of the control stream */
    weft_counts held;   /* events that stand in frames */
    uint64_t listed;    /* paths that gaps say are lost */
    uint8_t cause;      /* container_gap_cause of the losses, from the end record */
    size_t first_gap;   /* of the recording, in the list */
    bool changed;       /* GAP_CHANGED was said */
    changes changes;
    continuity continuity;
} position;

typedef struct search {
    frame_index *index;
    weft_counts *lost;
    position at;
} search;

static bool counts_equal(const weft_counts *a, const weft_counts *b)
{
    return a->paths == b->paths && a->accesses == b->accesses && a->values == b->values && a->marks == b->marks;
}

static uint8_t cause_of(const weft_frame *stats)
{
    static const uint32_t keys[] = {WEFT_STATS_LOST_PATHS, WEFT_STATS_LOST_ACCESSES, WEFT_STATS_LOST_VALUES,
                                    WEFT_STATS_LOST_MARKS};
    uint64_t lost = 0, early = 0, count;
    for (size_t i = 0; i < WEFT_COUNT(keys); i++)
        lost += frame_field(stats->body, stats->body_size, keys[i], &count, NULL) ? count : 0;
    (void)frame_field(stats->body, stats->body_size, WEFT_STATS_LOST_EARLY, &early, NULL);
    return early == 0 ? GAP_CAUSE_SINK : early == lost ? GAP_CAUSE_RING : GAP_CAUSE_EITHER;
}

static void counts_add(weft_counts *counts, const weft_counts *more)
{
    counts->paths += more->paths;
    counts->accesses += more->accesses;
    counts->values += more->values;
    counts->marks += more->marks;
}

static void count_gap(container_gap *gap, const weft_counts *from, const weft_counts *to, weft_counts *lost)
{
    if (counts_go_back(to, from))
        return; /* a frame of another run: the size is unknown */
    gap->counted = true;
    gap->paths = to->paths - from->paths;
    gap->accesses = to->accesses - from->accesses;
    gap->values = to->values - from->values;
    gap->marks = to->marks - from->marks;
    counts_add(lost, &(weft_counts){gap->paths, gap->accesses, gap->values, gap->marks});
}

/* A gap before the frame, if missing frames or its counts say so. */
static void compare(search *s, frame_entry *frame, const weft_counts *counts)
{
    position *at = &s->at;
    bool back = counts_go_back(counts, &at->counts);
    if (back)
        gaps_add(&s->index->gaps, GAP_OTHER, frame->offset, frame->recording)->number = GAP_OTHER_COUNTS;
    if (at->missing || (!back && !counts_equal(counts, &at->counts))) {
        container_gap *gap =
            gaps_add(&s->index->gaps, at->missing ? GAP_FRAMES : GAP_LOST, frame->offset, frame->recording);
        gap->frames = at->missing;
        count_gap(gap, &at->counts, counts, s->lost);
        at->listed += gap->paths;
        frame->after_gap = !gap->counted || gap->paths || gap->accesses || gap->values || gap->marks;
    }
    frame->after_gap |= back;
    at->missing = 0;
    at->counts = *counts;
}

/* A part of a profile. Where that stands instead of the control stream, its paths are the recording's. */
static void check_profile(search *s, frame_entry *entry, const weft_frame *frame)
{
    position *at = &s->at;
    profile_body body;
    if (!profile_parse(frame, &body))
        return;
    entry->after_gap = at->missing != 0;
    at->broken = body.part == 0 ? false : at->broken || at->missing;
    if (!body.only)
        return;
    at->only = true;
    if (body.part == 0) {
        weft_counts counts = at->counts;
        counts.paths = body.start;
        compare(s, entry, &counts);
    }
    uint64_t paths = profile_paths(&body);
    at->held.paths += paths;
    at->counts.paths = body.last && !at->broken ? body.end : at->counts.paths + paths;
}

/* Probes where nothing masks interrupts spoil what they interrupt. */
static void check_unmasked(search *s, const frame_entry *entry, const weft_frame *stats)
{
    uint64_t events;
    if (frame_field(stats->body, stats->body_size, WEFT_STATS_UNMASKED, &events, NULL) && events)
        gaps_add(&s->index->gaps, GAP_UNMASKED, entry->offset, entry->recording)->events = events;
}

/* Of a black box whose check sum is wrong. */
static void check_changed(search *s, const frame_entry *entry, const weft_frame *meta)
{
    uint64_t sum;
    if (s->at.changed || !frame_field(meta->body, meta->body_size, WEFT_META_BLACKBOX_SUM, &sum, NULL) || sum == 1)
        return;
    s->at.changed = true;
    gaps_add(&s->index->gaps, GAP_CHANGED, entry->offset, entry->recording);
}

/* A description or end record of which a part is missing, or that says something twice, though its sum is right. */
static void check_fields(search *s, const frame_entry *entry, const weft_frame *frame)
{
    if ((frame->kind == WEFT_FRAME_META || frame->kind == WEFT_FRAME_STATS) &&
        !frame_fields_whole(frame->body, frame->body_size))
        gaps_add_damage(&s->index->gaps, entry->offset, entry->size, entry->recording);
}

/* Kinds of frames that may come at any place. */
static bool is_aside(uint8_t kind)
{
    return kind == WEFT_FRAME_META || kind == WEFT_FRAME_NAMES || kind == WEFT_FRAME_FAULT || kind == WEFT_FRAME_PACKS;
}

/* Paths that were lost while a segment of a profile was kept lie between its counts, so no frame's counts show them:
 * they are neither in a frame nor in a gap. */
static void check_profile_losses(search *s, frame_entry *entry, const weft_frame *stats)
{
    position *at = &s->at;
    uint64_t lost = 0, absent = at->counts.paths > at->held.paths ? at->counts.paths - at->held.paths : 0;
    (void)frame_field(stats->body, stats->body_size, WEFT_STATS_LOST_PATHS, &lost, NULL);
    lost = lost > absent ? lost : absent;
    if (!at->only || lost <= at->listed)
        return;
    container_gap *gap = gaps_add(&s->index->gaps, GAP_LOST, entry->offset, entry->recording);
    gap->counted = true;
    gap->paths = lost - at->listed;
    s->lost->paths += gap->paths;
    at->listed = lost;
    entry->after_gap = true;
}

/* In an end record: the most that a pool held, and its size. */
static const uint8_t pools[][2] = {{WEFT_STATS_FRAME_HIGH, WEFT_STATS_FRAME_SIZE},
                                   {WEFT_STATS_CODER_HIGH, WEFT_STATS_CODER_MAX},
                                   {WEFT_STATS_CODER_RULES_HIGH, WEFT_STATS_CODER_RULES_MAX},
                                   {WEFT_STATS_KSF_HIGH, WEFT_STATS_KSF_MAX},
                                   {WEFT_STATS_TRE_HIGH, WEFT_STATS_TRE_MAX}};

/* Whether a field, if it is there, is at most that. */
static bool field_within(const weft_frame *stats, uint32_t key, uint64_t most)
{
    uint64_t value;
    return !frame_field(stats->body, stats->body_size, key, &value, NULL) || value <= most;
}

/* Whether what frames hold, and what was lost, is no more than all that came, and no pool held more than it can. */
static bool totals_agree(const weft_frame *stats, const weft_counts *all, const weft_counts *held)
{
    uint64_t size;
    for (size_t i = 0; i < WEFT_COUNT(pools); i++)
        if (frame_field(stats->body, stats->body_size, pools[i][1], &size, NULL) &&
            !field_within(stats, pools[i][0], size))
            return false;
    return counts_go_back(all, held) || /* which compare() lists */
           (field_within(stats, WEFT_STATS_LOST_PATHS, all->paths - held->paths) &&
            field_within(stats, WEFT_STATS_LOST_ACCESSES, all->accesses - held->accesses) &&
            field_within(stats, WEFT_STATS_LOST_VALUES, all->values - held->values) &&
            field_within(stats, WEFT_STATS_LOST_MARKS, all->marks - held->marks));
}

/* A frame without counts: META or NAMES, whose place in the stream does not matter, or another kind of frame. */
static void check_uncounted(search *s, frame_entry *entry)
{
    if (entry->kind <= WEFT_FRAME_STATS || is_aside(entry->kind) || !s->at.missing)
        return;
    gaps_add(&s->index->gaps, GAP_FRAMES, entry->offset, entry->recording)->frames = s->at.missing;
    entry->after_gap = true;
    s->at.missing = 0;
}

static void check_frame(search *s, frame_entry *entry, const weft_frame *frame)
{
    position *at = &s->at;
    weft_counts counts;
    trace_body body;
    uint64_t form;
    at->missing += (uint32_t)(entry->sequence - at->sequence);
    at->sequence = entry->sequence + 1;
    if (frame->kind != WEFT_FRAME_STATS && !is_aside(frame->kind))
        at->ended = false;
    check_fields(s, entry, frame);
    at->box |=
        frame->kind == WEFT_FRAME_META && frame_field(frame->body, frame->body_size, WEFT_META_BLACKBOX, &form, NULL);
    if (frame->kind == WEFT_FRAME_META)
        check_changed(s, entry, frame);
    if (frame->kind == WEFT_FRAME_META && !at->box) /* black boxes had a second description once */
        continuity_meta(&at->continuity, s->index, entry, frame);
    if (frame->kind == WEFT_FRAME_FULL && frame->body_size) {
        continuity_full(&at->continuity, s->index, entry, frame, at->missing);
        at->ended = frame->body[0] == 2; /* tools/qemu/FULL.md */
    }
    if (frame->kind == WEFT_FRAME_PROFILE) {
        check_profile(s, entry, frame);
        return;
    }
    if (!frame_counts_before(frame, &counts)) {
        check_uncounted(s, entry);
        return;
    }
    bool trace = frame->kind == WEFT_FRAME_TRACE && trace_parse(frame, &body);
    at->continuity.loose |= at->only;
    continuity_said said = {&counts, &at->counts, trace && frame->version > 1 ? body.begun : frame->time, at->missing};
    at->changes.missing |= at->missing != 0;
    bool follows = continuity_counts(&at->continuity, s->index, entry, frame, &said);
    compare(s, entry, &counts);
    entry->after_gap |= !follows;
    if (trace) {
        changes_take(&at->changes, s->index, entry, &body, at->first_gap);
        s->index->packs += body.packs;
        counts_add(&at->held, &body.counts);
        counts_add(&at->counts, &body.counts);
    }
    at->ended = frame->kind == WEFT_FRAME_STATS;
    if (at->ended) {
        if (!totals_agree(frame, &counts, &at->held))
            gaps_add(&s->index->gaps, GAP_OTHER, entry->offset, entry->recording)->number = GAP_OTHER_TOTALS;
        check_profile_losses(s, entry, frame);
        check_unmasked(s, entry, frame);
        changes_count(&at->changes, s->index, entry, frame);
        at->cause = cause_of(frame);
        at->cause = at->only && at->cause == GAP_CAUSE_RING ? GAP_CAUSE_FOREST : at->cause;
    }
}

/* After the last frame of a recording. */
static void end_recording(search *s, uint64_t offset, uint32_t recording)
{
    if (s->at.missing)
        gaps_add(&s->index->gaps, GAP_FRAMES, offset, recording)->frames = s->at.missing;
    changes_end(&s->at.changes, s->index, offset, recording);
    if (!s->at.ended)
        gaps_add(&s->index->gaps, GAP_END, offset, recording);
    for (size_t i = s->at.first_gap; i < s->index->gaps.count; i++)
        if (s->index->gaps.all[i].cause != GAP_CAUSE_TRIGGER)
            s->index->gaps.all[i].cause = s->at.box ? GAP_CAUSE_BOX : s->at.cause;
    s->at = (position){.first_gap = s->index->gaps.count};
}

void losses_find(frame_index *index, weft_counts *lost)
{
    search s = {.index = index, .lost = lost, .at = {.first_gap = index->gaps.count}};
    uint8_t *buffer = NULL;
    for (size_t i = 0; i < index->count; i++) {
        container_frame frame;
        frame_entry *entry = &index->frames[i];
        if (i && entry->recording != entry[-1].recording)
            end_recording(&s, entry->offset, entry[-1].recording);
        index_read(index, i, &frame, &buffer);
        check_frame(&s, entry, &frame.frame);
    }
    if (index->count)
        end_recording(&s, index->size, index->frames[index->count - 1].recording);
    free(buffer);
}
