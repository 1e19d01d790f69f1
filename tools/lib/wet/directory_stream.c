/* SPDX-License-Identifier: MIT */
/* Step 2 of reading a directory, streams: where their bytes are. */
#include "tools/lib/base/memory.h"
#include "tools/lib/wet/directory.h"
#include "tools/lib/wet/stream.h"

static void take_data(directory *d, wet_stream *s, uint64_t size)
{
    if (size > d->f->size - d->data_at) {
        directory_bad(d);
        return;
    }
    s->data = d->f->bytes + d->data_at;
    d->data_at += (size_t)size;
}

/* The sizes of the blocks are looked at again when the first block is asked for (wet_stream_blocks). */
static void read_blocks(directory *d, wet_stream *s)
{
    uint64_t total = 0;
    s->sizes = (uint32_t)d->in.at;
    for (uint32_t left = wet_stream_block_count(d->f, s); left && directory_good(d); left--)
        total += directory_number(d);
    if (total > UINT32_MAX)
        directory_bad(d);
    else
        take_data(d, s, total);
}

static uint32_t stream_add(directory *d, uint32_t count)
{
    wet_file *f = d->f;
    f->streams = memory_room(f->streams, f->stream_count, &d->stream_max, sizeof *f->streams);
    f->streams[f->stream_count] = (wet_stream){.count = count, .kind = WET_INFERRED};
    return f->stream_count++;
}

static uint32_t read_stream(directory *d, uint32_t count, bool part);

/* The parts of a pattern are not patterns themselves. */
static void read_pattern(directory *d, wet_stream *s, bool part)
{
    uint32_t unique = directory_number(d);
    if (part || !directory_good(d) || !unique || unique > s->count) {
        directory_bad(d);
        return;
    }
    s->value = unique;
    s->first = read_stream(d, unique, true);
    s->second = read_stream(d, s->count, true);
}

/* `at`: the stream's own number. One that is still being read is INFERRED: so there are no circles. */
static void read_same(directory *d, wet_stream *s, uint32_t at)
{
    s->first = d->node_first + directory_below(d, at - d->node_first);
    if (!directory_good(d))
        return;
    const wet_stream *other = &d->f->streams[s->first];
    if (other->count != s->count || other->kind == WET_INFERRED)
        directory_bad(d);
    else if (other->kind == WET_SAME)
        s->first = other->first;
}

static void read_kind(directory *d, wet_stream *s, uint32_t at, bool part)
{
    switch (s->kind) {
    case WET_CONSTANT:
        s->value = directory_number(d);
        break;
    case WET_SAME:
        read_same(d, s, at);
        break;
    case WET_RAW:
        take_data(d, s, (uint64_t)s->count * 4);
        break;
    case WET_RAW8:
        take_data(d, s, s->count);
        break;
    case WET_RAW16:
        take_data(d, s, (uint64_t)s->count * 2);
        break;
    case WET_PACKED:
    case WET_MIXED:
    case WET_CODED:
        read_blocks(d, s);
        break;
    case WET_SMALL:
        if (s->count > wet_block_mask(d->f) + 1)
            directory_bad(d);
        s->size = directory_number(d);
        take_data(d, s, s->size);
        break;
    case WET_PATTERN:
        read_pattern(d, s, part);
        break;
    default:
        break;
    }
}

/* One that is the same as another is met no more after that: it has the other's number. */
static uint32_t read_stream(directory *d, uint32_t count, bool part)
{
    uint32_t at = stream_add(d, count);
    wet_stream s = d->f->streams[at];
    s.kind = (uint8_t)directory_below(d, WET_KINDS);
    read_kind(d, &s, at, part);
    if (!directory_good(d))
        return at;
    d->f->streams[at] = s;
    return s.kind == WET_SAME ? s.first : at;
}

uint32_t directory_stream(directory *d, uint32_t count)
{
    return read_stream(d, count, false);
}
