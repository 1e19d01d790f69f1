/* SPDX-License-Identifier: MIT */
/* The steps: 1. cut at the zero bytes; 2. open the piece; 3. see which recording it belongs to and what is missing
 * before it; 4. count, and write it. */
#include "tools/lib/recording/follow.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

static const uint8_t container_head[] = {0, 'W', 'E', 'F', 'T', 0};

enum { DISORDER = 64 }; /* frames by which one may come late, as in index.c */

static void tell(follow *f, follow_notice what)
{
    if (f->notice)
        f->notice(f->own, &what);
}

static void put(follow *f, const uint8_t *bytes, size_t size)
{
    fwrite(bytes, 1, size, f->out); /* an error is seen when the file is committed */
    f->bytes += size;
}

void follow_begin(follow *f, FILE *out, void (*notice)(void *own, const follow_notice *what), void *own)
{
    *f = (follow){.out = out, .notice = notice, .own = own, .headless = true};
    put(f, container_head, sizeof container_head);
}

/* ---- step 3 ---- */

static bool starts_anew(const follow *f, const weft_frame *frame)
{
    if (!f->open || f->fresh)
        return true;
    if (frame->version > 1 && f->version > 1 && (frame->identity != f->identity || frame->run != f->run))
        return true;
    if (frame->sequence == 0 && frame->kind == WEFT_FRAME_META)
        return f->ended || f->sequence > DISORDER;
    return (int32_t)(f->sequence - 1 - frame->sequence) > DISORDER;
}

static void start(follow *f, const weft_frame *frame)
{
    f->open = true;
    f->fresh = f->ended = false;
    f->identity = frame->identity;
    f->run = frame->run;
    f->version = frame->version;
    f->sequence = 0;
    f->expected = (weft_counts){0};
    f->recordings++;
    tell(f, (follow_notice){.event = FOLLOW_STARTED, .frame = frame});
    if (frame->sequence)
        tell(f, (follow_notice){.event = FOLLOW_JOINED, .count = frame->sequence});
}

static uint64_t beyond(uint64_t counted, uint64_t expected)
{
    return counted > expected ? counted - expected : 0;
}

/* Events that are missing before the frame, as its counts say. */
static uint64_t lost_before(follow *f, const weft_frame *frame)
{
    weft_counts before;
    if (!frame_counts_before(frame, &before))
        return 0;
    uint64_t lost = beyond(before.paths, f->expected.paths) + beyond(before.accesses, f->expected.accesses) +
                    beyond(before.values, f->expected.values) + beyond(before.marks, f->expected.marks);
    f->expected = before;
    f->lost += lost;
    return lost;
}

/* False: the frame comes late. What was counted as missing stays so: the container says what is. */
static bool check_order(follow *f, const weft_frame *frame, bool first)
{
    uint32_t missing = first ? 0 : frame->sequence - f->sequence;
    if ((int32_t)(frame->sequence - f->sequence) < 0)
        return false;
    uint64_t lost = lost_before(f, frame);
    f->sequence = frame->sequence + 1;
    if (missing)
        tell(f, (follow_notice){.event = FOLLOW_MISSING, .count = missing, .lost = lost});
    else if (lost && !(first && frame->sequence))
        tell(f, (follow_notice){.event = FOLLOW_LOST, .lost = lost});
    return true;
}

/* ---- step 4 ---- */

static void count(follow *f, const trace_body *body, bool in_order)
{
    f->counts.paths += body->counts.paths;
    f->counts.accesses += body->counts.accesses;
    f->counts.values += body->counts.values;
    f->counts.marks += body->counts.marks;
    if (!in_order)
        return;
    f->expected.paths += body->counts.paths;
    f->expected.accesses += body->counts.accesses;
    f->expected.values += body->counts.values;
    f->expected.marks += body->counts.marks;
}

/* `wire`: the frame as it came, with its zero byte. */
static void take_frame(follow *f, const weft_frame *frame, const trace_body *body, const uint8_t *wire, size_t size)
{
    bool first = starts_anew(f, frame);
    if (first)
        start(f, frame);
    bool in_order = check_order(f, frame, first);
    put(f, wire, size);
    if (frame->kind == WEFT_FRAME_PROFILE)
        tally_profile(&f->counts, frame);
    if (body) {
        count(f, body, in_order);
        f->last = memory_room(f->last, size, &f->last_max, 1);
        memcpy(f->last, wire, size);
        f->last_size = size;
    }
    if (frame->kind == WEFT_FRAME_STATS) {
        f->ended = true;
        tell(f, (follow_notice){.event = FOLLOW_ENDED});
    }
}

/* ---- steps 1 and 2 ---- */

static void leave_out(follow *f)
{
    if (f->size) {
        f->left_out += f->size;
        tell(f, (follow_notice){.event = FOLLOW_LEFT, .count = f->size});
    }
    f->size = 0;
}

/* The piece is between two zero bytes: a head, a frame, or damage. That is written too, since readers name it. */
static void take_piece(follow *f)
{
    weft_frame frame;
    trace_body body;
    bool headless = f->headless;
    size_t size = f->size;
    f->headless = false;
    if (!size)
        return;
    if (size == sizeof container_head - 2 && !memcmp(f->piece, container_head + 1, size)) {
        f->fresh = true;
        if (f->bytes > sizeof container_head) /* the file has one already */
            put(f, container_head, sizeof container_head);
        f->size = 0;
        return;
    }
    uint8_t *wire = memory_grow(NULL, size + 1, 1);
    memcpy(wire, f->piece, size);
    wire[size] = 0;
    bool good = weft_frame_open(&frame, f->piece, size) == WEFT_OK;
    bool trace = good && frame.kind == WEFT_FRAME_TRACE;
    if (trace && !trace_parse(&frame, &body))
        good = false;
    f->frames += good;
    f->damaged += !good;
    if (good) {
        take_frame(f, &frame, trace ? &body : NULL, wire, size + 1);
    } else if (headless) {
        leave_out(f);
    } else {
        put(f, wire, size + 1);
        tell(f, (follow_notice){.event = FOLLOW_DAMAGED, .count = size});
    }
    free(wire);
    f->size = 0;
}

static void append(follow *f, const uint8_t *bytes, size_t size)
{
    if (!size)
        return;
    if (f->size + size > FOLLOW_PIECE_MAX) {
        leave_out(f);
        f->tail = true;
    }
    if (f->tail) {
        f->left_out += size;
        return;
    }
    f->piece = memory_room(f->piece, f->size + size - 1, &f->max, 1);
    memcpy(f->piece + f->size, bytes, size);
    f->size += size;
}

void follow_bytes(follow *f, const uint8_t *bytes, size_t size)
{
    while (size) {
        const uint8_t *zero = memchr(bytes, 0, size);
        size_t taken = zero ? (size_t)(zero - bytes) : size;
        append(f, bytes, taken);
        if (zero) {
            take_piece(f);
            f->tail = false;
            taken++;
        }
        bytes += taken;
        size -= taken;
    }
}

void follow_cut(follow *f)
{
    leave_out(f);
    f->headless = true;
    f->tail = false;
}

void follow_end(follow *f)
{
    follow_cut(f);
    free(f->piece);
    free(f->last);
    f->piece = f->last = NULL;
}
