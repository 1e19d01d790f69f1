/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "tools/lib/recording/continuity.h"

#include <string.h>

#include "core/bytes.h"

static void list(frame_index *index, const frame_entry *entry, container_gap_other reason)
{
    gaps_add(&index->gaps, GAP_OTHER, entry->offset, entry->recording)->number = reason;
}

void continuity_meta(continuity *c, frame_index *index, const frame_entry *entry, const weft_frame *frame)
{
    uint32_t crc = weft_crc32(0, frame->body, frame->body_size);
    if (c->meta_seen && crc != c->meta_crc)
        list(index, entry, GAP_OTHER_META);
    c->meta_crc = crc;
    c->meta_seen = true;
}

/* One of the lines of the description is `chained=1`. */
static bool says_chained(const weft_frame *frame)
{
    static const char line[] = "\nchained=1\n";
    return memmem(frame->body, frame->body_size, line, sizeof line - 1) != NULL;
}

void continuity_full(continuity *c, frame_index *index, const frame_entry *entry, const weft_frame *frame,
                     uint64_t missing)
{
    bool first = frame->sequence == 0;
    if (first)
        c->chained = says_chained(frame);
    else if (c->chained && !missing && frame->lost != c->chain)
        list(index, entry, GAP_OTHER_CHAIN);
    c->chain = entry->crc;
}

bool counts_go_back(const weft_counts *counts, const weft_counts *expected)
{
    return counts->paths < expected->paths || counts->accesses < expected->accesses ||
           counts->values < expected->values || counts->marks < expected->marks;
}

static uint64_t sum(const weft_counts *counts)
{
    return counts->paths + counts->accesses + counts->values + counts->marks;
}

/* Events that the frames do not hold are lost, or stand in frames that are missing. */
static bool losses_add_up(const continuity *c, uint64_t lost, uint64_t gap, uint64_t missing)
{
    uint64_t more = lost - c->lost;
    return lost >= c->lost && (missing ? more <= gap : more == gap);
}

bool continuity_counts(continuity *c, frame_index *index, const frame_entry *entry, const weft_frame *frame,
                       const continuity_said *said)
{
    bool lossy = !c->loose && !counts_go_back(said->counts, said->expected) &&
                 !losses_add_up(c, frame->lost, sum(said->counts) - sum(said->expected), said->missing);
    bool early = said->begun < c->time;
    if (lossy || early)
        list(index, entry, lossy ? GAP_OTHER_LOSSES : GAP_OTHER_TIME);
    c->lost = frame->lost;
    c->time = frame->time;
    return !(lossy || early);
}
