/* SPDX-License-Identifier: MIT */
/* The steps:
 *   1  take the file apart at its zero bytes. What stands between two, a chunk, is a frame, or damage
 *   2  separate recordings, where a device started again
 *   3  put the frames of each recording in order, and drop those that come again */
#include "tools/lib/recording/index.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/recording/packs.h"

enum {
    BATCH = 1024, /* chunks : 1 to 10^6 : threads wait less often for each other; more memory, 100 bytes each */
    PIECE = 4096, /* bytes : 1 to 10^9 : small files are not divided, which would take longer than to read them */
};

/* ---- step 1 ---- */

static void keep(kept_body *copy, const weft_frame *frame)
{
    copy->bytes = memory_grow(copy->bytes, frame->body_size, 1);
    memcpy(copy->bytes, frame->body, frame->body_size);
    copy->size = frame->body_size;
}

static bool packs_parse(const weft_frame *frame)
{
    stored_packs *packs = stored_packs_read(frame->body, frame->body_size);
    stored_packs_free(packs);
    return packs != NULL;
}

static bool names_parse(const weft_frame *frame)
{
    frame_name name;
    weft_reader reader;
    weft_reader_init(&reader, frame->body, frame->body_size);
    while (frame_names_next(&reader, &name))
        ;
    return reader.status == WEFT_OK;
}

/* A body of a kind that this build knows must parse: a frame whose CRC holds but whose body does not is damage too. */
static bool body_parses(const weft_frame *frame, uint8_t *unknown_mark)
{
    trace_body trace = {0};
    profile_body profile;
    bool parses = frame->kind == WEFT_FRAME_TRACE     ? trace_parse(frame, &trace)
                  : frame->kind == WEFT_FRAME_PROFILE ? profile_parse(frame, &profile)
                  : frame->kind == WEFT_FRAME_NAMES   ? names_parse(frame)
                  : frame->kind == WEFT_FRAME_PACKS   ? packs_parse(frame)
                                                      : true;
    *unknown_mark = trace.unknown;
    return parses;
}

/* What stands between two zero bytes, and what it turned out to be. */
typedef struct chunk {
    uint64_t offset;
    size_t size;
    bool head;          /* of a file, or of a recording in it */
    weft_status status; /* of opening it as a frame */
    weft_frame frame;   /* its body is not kept */
    uint32_t crc;
    bool parses;
    uint8_t unknown; /* as in trace_body */
} chunk;

typedef struct batch {
    const frame_index *index;
    chunk *chunk;
    size_t count, parts;
} batch;

/* A buffer of its own for who opens chunks. */
typedef struct workplace {
    uint8_t *bytes;
    size_t max;
} workplace;

/* A copy of the chunk, which is then decoded in place. */
static weft_status open_chunk(const frame_index *index, const chunk *c, workplace *at, weft_frame *frame)
{
    at->bytes = memory_room(at->bytes, c->size, &at->max, 1);
    memcpy(at->bytes, index->bytes + c->offset, c->size);
    return weft_frame_open(frame, at->bytes, c->size);
}

static void open_part(void *own, size_t part)
{
    const batch *b = own;
    workplace at = {NULL, 0};
    size_t end = threads_first(b->count, b->parts, part + 1);
    for (size_t i = threads_first(b->count, b->parts, part); i < end; i++) {
        chunk *c = &b->chunk[i];
        c->head = c->size == WEFT_CONTAINER_HEAD_SIZE - 2 && memcmp(b->index->bytes + c->offset, "WEFT", c->size) == 0;
        if (c->head)
            continue;
        c->status = open_chunk(b->index, c, &at, &c->frame);
        c->parses = c->status == WEFT_OK && c->size <= UINT32_MAX && body_parses(&c->frame, &c->unknown);
        c->crc = c->parses ? frame_crc(&c->frame) : 0;
    }
    free(at.bytes);
}

static void add_frame(frame_index *index, const chunk *c)
{
    const weft_frame *frame = &c->frame;
    index->frames = memory_room(index->frames, index->count, &index->max, sizeof *index->frames);
    index->frames[index->count] = (frame_entry){.offset = c->offset,
                                                .size = (uint32_t)c->size,
                                                .sequence = frame->sequence,
                                                .kind = frame->kind,
                                                .version = frame->version,
                                                .identity = frame->identity,
                                                .run = frame->run,
                                                .crc = c->crc,
                                                .order = (uint32_t)index->count,
                                                .recording = (uint32_t)index->recordings};
    index->count++;
    if (frame->kind != WEFT_FRAME_META && frame->kind != WEFT_FRAME_STATS)
        return;
    workplace at = {NULL, 0};
    weft_frame whole;
    if (open_chunk(index, c, &at, &whole) == WEFT_OK) /* as before */
        keep(frame->kind == WEFT_FRAME_META ? &index->meta : &index->stats, &whole);
    free(at.bytes);
}

static void take_chunk(frame_index *index, const chunk *c)
{
    if (c->head) { /* after frames it starts another recording */
        if (index->count && index->frames[index->count - 1].recording == index->recordings)
            index->recordings++;
    } else if (c->status == WEFT_VERSION) {
        container_gap *gap = gaps_add(&index->gaps, GAP_VERSION, c->offset, (uint32_t)index->recordings);
        gap->bytes = c->size;
        gap->version = c->frame.version;
    } else if (c->parses) {
        add_frame(index, c);
    } else if (c->unknown) {
        container_gap *gap = gaps_add(&index->gaps, GAP_MARK, c->offset, (uint32_t)index->recordings);
        gap->bytes = c->size;
        gap->version = c->unknown - 1;
    } else {
        gaps_add_damage(&index->gaps, c->offset, c->size, (uint32_t)index->recordings);
    }
}

/* The next chunks from *at on, BATCH at most. A last one that no zero byte ends is not among them: *cut is its size. */
static size_t next_chunks(const frame_index *index, chunk *all, uint64_t *at, uint64_t *cut)
{
    size_t count = 0;
    while (*at < index->size && count < BATCH) {
        const uint8_t *zero = memchr(index->bytes + *at, 0, index->size - *at);
        uint64_t end = zero ? (uint64_t)(zero - index->bytes) : index->size;
        if (!zero)
            *cut = end - *at;
        else if (end > *at)
            all[count++] = (chunk){.offset = *at, .size = end - *at};
        *at = end + 1;
    }
    return count;
}

/* Chunks are opened on all cores, and taken in the order of the file. */
static void take_apart(frame_index *index)
{
    batch b = {.index = index, .chunk = memory_grow(NULL, BATCH, sizeof *b.chunk)};
    uint64_t at = 0, cut = 0, head = 0; /* head: where the last chunk is if it is one */
    while (at < index->size) {
        uint64_t first = at;
        b.count = next_chunks(index, b.chunk, &at, &cut);
        size_t pieces = (size_t)((at - first) / PIECE);
        b.parts = threads_parts(pieces < b.count ? pieces : b.count);
        threads_run(b.parts, open_part, &b);
        for (size_t i = 0; i < b.count; i++)
            take_chunk(index, &b.chunk[i]);
        if (b.count)
            head = b.chunk[b.count - 1].head ? b.chunk[b.count - 1].offset : 0;
    }
    if (cut) /* a frame without its end */
        gaps_add_damage(&index->gaps, index->size - cut, cut, (uint32_t)index->recordings);
    else if (head && index->count) /* another recording had begun */
        gaps_add(&index->gaps, GAP_END, head, (uint32_t)index->recordings);
    free(b.chunk);
}

/* ---- step 2 ---- */

enum { DISORDER = 64 /* frames by which one may come late */ };

/* What is known of the recording that the last frame belongs to. */
typedef struct started {
    uint32_t high;      /* sequence number of the latest frame */
    uint32_t first_crc; /* of its first frame, */
    bool first_seen;    /* if that came */
    bool ended;         /* its end record came after it */
} started;

/* Frames of version 2 say whose they are. Else a recording that started without a head of its own goes back by more
 * than disorder, or has a first frame that differs from the one before, or that comes again after the end record: the
 * same run again. Full recordings are files of a host, which sends no frame twice. */
static bool starts_anew(const started *now, const frame_entry *before, const frame_entry *frame)
{
    bool full = frame->kind == WEFT_FRAME_FULL,
         first = frame->sequence == 0 && (full || frame->kind == WEFT_FRAME_META);
    if (frame->version > 1 && before->version > 1 && (frame->identity != before->identity || frame->run != before->run))
        return true;
    if (first && now->first_seen)
        return full || now->ended || frame->crc != now->first_crc || now->high > DISORDER;
    return (int32_t)(now->high - frame->sequence) > DISORDER;
}

static void split_recordings(frame_index *index)
{
    uint32_t extra = 0;
    started now = {0};
    for (size_t i = 0; i < index->count; i++) {
        frame_entry *frame = &index->frames[i];
        const frame_entry *before = frame - (i > 0);
        bool headed = i == 0 || frame->recording + extra != before->recording;
        if (!headed && starts_anew(&now, before, frame)) {
            extra++;
            headed = true;
        }
        if (headed)
            now = (started){.high = frame->sequence};
        if ((int32_t)(frame->sequence - now.high) > 0)
            now.high = frame->sequence;
        if (frame->sequence == 0 && (frame->kind == WEFT_FRAME_META || frame->kind == WEFT_FRAME_FULL)) {
            now.first_seen = true;
            now.first_crc = frame->crc;
        }
        now.ended |= frame->kind == WEFT_FRAME_STATS && now.first_seen;
        frame->recording += extra;
    }
    if (index->count)
        index->recordings = index->frames[index->count - 1].recording + 1;
}

/* ---- step 3 ---- */

static int by_sequence(const void *left, const void *right)
{
    const frame_entry *a = left, *b = right;
    if (a->recording != b->recording)
        return a->recording < b->recording ? -1 : 1;
    if (a->sequence != b->sequence)
        return (int32_t)(a->sequence - b->sequence) < 0 ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void sort(frame_index *index)
{
    bool sorted = true;
    for (size_t i = 1; i < index->count && sorted; i++)
        sorted = by_sequence(&index->frames[i - 1], &index->frames[i]) < 0;
    if (!sorted)
        qsort(index->frames, index->count, sizeof *index->frames, by_sequence);
}

/* Of frames with one number the first is kept. Another that is not the same is damage. */
static void drop_repeated(frame_index *index)
{
    size_t to = 0;
    for (size_t i = 0; i < index->count; i++) {
        const frame_entry *last = to ? &index->frames[to - 1] : NULL, *frame = &index->frames[i];
        if (!last || last->recording != frame->recording || last->sequence != frame->sequence)
            index->frames[to++] = *frame;
        else if (last->crc != frame->crc)
            gaps_add_damage(&index->gaps, frame->offset, frame->size, (uint32_t)index->recordings);
    }
    index->count = to;
}

static void keep_packs(frame_index *index)
{
    size_t max = 0;
    for (size_t i = 0; i < index->count; i++)
        if (index->frames[i].kind == WEFT_FRAME_PACKS) {
            index->pack = memory_room(index->pack, index->pack_count, &max, sizeof *index->pack);
            index->pack[index->pack_count++] = index->frames[i];
        }
}

void index_build(frame_index *index, const uint8_t *bytes, uint64_t size)
{
    index->bytes = bytes;
    index->size = size;
    take_apart(index);
    split_recordings(index);
    sort(index);
    drop_repeated(index);
    keep_packs(index);
}

size_t index_first_of(const frame_index *index, size_t number)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->frames[middle].recording < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where the first of some frames stands in the file. */
static uint64_t first_offset(const frame_index *index, size_t from, size_t to)
{
    uint64_t first = index->size;
    for (; from < to; from++)
        first = index->frames[from].offset < first ? index->frames[from].offset : first;
    return first;
}

static void keep_again(frame_index *index)
{
    uint8_t *buffer = NULL;
    for (size_t i = 0; i < index->count; i++) {
        container_frame frame;
        if (index->frames[i].kind != WEFT_FRAME_META && index->frames[i].kind != WEFT_FRAME_STATS)
            continue;
        index_read(index, i, &frame, &buffer);
        keep(frame.frame.kind == WEFT_FRAME_META ? &index->meta : &index->stats, &frame.frame);
    }
    free(buffer);
}

static void drop_kept(frame_index *index)
{
    free(index->meta.bytes);
    free(index->stats.bytes);
    index->meta = index->stats = (kept_body){0};
}

frame_index index_part(const frame_index *all, uint32_t number)
{
    size_t first = index_first_of(all, number), end = index_first_of(all, (size_t)number + 1);
    uint64_t from = number ? first_offset(all, first, end) : 0; /* the first: from the file's start */
    uint64_t to = first_offset(all, end, index_first_of(all, (size_t)number + 2));
    frame_index part = {.bytes = all->bytes, .size = all->size, .recordings = 1, .pack_count = all->pack_count};
    part.count = part.max = end - first;
    part.frames = memory_grow(NULL, part.count + 1, sizeof *part.frames);
    for (size_t i = 0; i < part.count; i++) {
        part.frames[i] = all->frames[first + i];
        part.frames[i].recording = 0;
    }
    for (size_t i = 0; i < all->gaps.count; i++) {
        const container_gap *gap = &all->gaps.all[i];
        if (gap->offset >= from && gap->offset < to)
            *gaps_add(&part.gaps, gap->kind, gap->offset, 0) = *gap;
    }
    for (size_t i = 0; i < part.gaps.count; i++)
        part.gaps.all[i].recording = 0;
    part.pack = memory_grow(NULL, part.pack_count + 1, sizeof *part.pack);
    for (size_t i = 0; i < part.pack_count; i++)
        part.pack[i] = all->pack[i];
    keep_again(&part);
    return part;
}

void index_free(frame_index *index)
{
    free(index->frames);
    free(index->pack);
    drop_kept(index);
    gaps_free(&index->gaps);
}

void index_read(const frame_index *index, size_t number, container_frame *frame, uint8_t **buffer)
{
    index_read_at(index, &index->frames[number], frame, buffer);
}

void index_read_at(const frame_index *index, const frame_entry *at, container_frame *frame, uint8_t **buffer)
{
    uint8_t *bytes = *buffer = memory_grow(*buffer, at->size, 1);
    memcpy(bytes, index->bytes + at->offset, at->size);
    (void)weft_frame_open(&frame->frame, bytes, at->size); /* step 1 opened it too */
    frame->offset = at->offset;
    frame->recording = at->recording;
    frame->after_gap = at->after_gap;
}
