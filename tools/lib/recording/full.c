/* SPDX-License-Identifier: MIT */
/* Decodes the stream of tools/qemu/FULL.md: the reader's state mirrors the writer's (tools/qemu/full.c). */
#define _GNU_SOURCE
#include "tools/lib/recording/full.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "core/frame.h"

#define NO_SOURCE 31u
#define CHUNK_MAX (64u << 20) /* unpacked bytes of a chunk: more is damage */
#define FRAME_MAX (96u << 20)
#define TAIL 256u       /* bytes: the end record is shorter */
#define EXCEPTIONS 512u /* their numbers have nine bits */
#define PAGE 4096u      /* statics are allocated so many at a time and never move */

enum { TAG_DESCRIPTION, TAG_CHUNK, TAG_END };
enum { NOTE_WRITES = 1, NOTE_SHAPE, NOTE_INCOMPLETE, NOTE_EXCEPTION };
enum { DEFINITIONS, RUNS, PASSED, VALUES, ACCESSES, NOTES, COLUMNS };

typedef struct slot {
    uint64_t value;
    uint32_t address;
    uint8_t shape;
} slot;

typedef struct node {
    full_instruction instruction;
    uint32_t *last; /* one a bit of writes */
    slot *slots;
    uint8_t slot_count, slots_max;
} node;

struct full_reader {
    FILE *file;
    uint64_t bytes, at; /* size of the file; where the next frame starts */
    uint8_t *frame, *chunk;
    size_t frame_room, chunk_room;
    uint32_t sequence;
    ZSTD_DCtx *unpacker;
    full_summary summary;
    char error[160];
    bool failed, ended;

    node **pages;
    uint32_t node_count, page_count;

    weft_reader columns[COLUMNS];
    uint32_t left; /* instructions in the chunk */
    uint32_t run_next, run_left, run_before;
    uint32_t to_note; /* instructions before the next note's; UINT32_MAX: none */
    uint64_t time;
    bool exception_next;
};

static int fail(full_reader *r, const char *format, ...)
{
    if (!r->failed) {
        va_list args;
        va_start(args, format);
        vsnprintf(r->error, sizeof r->error, format, args);
        va_end(args);
    }
    r->failed = true;
    return 0;
}

static inline node *get_node(const full_reader *r, uint32_t number)
{
    return &r->pages[number / PAGE][number % PAGE];
}

/* ---- frames ---- */

/* Reads up to the next zero byte. Size without it; 0: end of file or damage. */
static size_t read_wire(full_reader *r)
{
    size_t size = 0;
    for (;;) {
        if (size == r->frame_room) {
            if (r->frame_room >= FRAME_MAX)
                return (size_t)fail(r, "the frame at byte %llu has no end", (unsigned long long)r->at);
            size_t room = r->frame_room ? 2 * r->frame_room : 1u << 16;
            uint8_t *grown = realloc(r->frame, room);
            if (!grown)
                return (size_t)fail(r, "out of memory");
            r->frame = grown;
            r->frame_room = room;
        }
        size_t room = r->frame_room - size;
        size_t got = fread(r->frame + size, 1, room, r->file);
        uint8_t *zero = memchr(r->frame + size, 0, got);
        if (zero) {
            size_t frame = (size_t)(zero - r->frame);
            size_t over = size + got - frame - 1;
            fseeko(r->file, -(off_t)over, SEEK_CUR);
            return frame;
        }
        size += got;
        if (got < room)
            return size ? (size_t)fail(r, "cut in the frame that starts at byte %llu", (unsigned long long)r->at) : 0;
    }
}

/* The next frame of kind FULL with the expected sequence number. */
static bool read_frame(full_reader *r, weft_frame *frame)
{
    size_t size = read_wire(r);
    if (r->failed)
        return false;
    if (!size)
        return fail(r, "cut at byte %llu: there is no end record", (unsigned long long)r->at);
    weft_status status = weft_frame_open(frame, r->frame, size);
    if (status == WEFT_VERSION)
        return fail(r, "the frame at byte %llu is of version %u, which this build does not know",
                    (unsigned long long)r->at, frame->version);
    if (status != WEFT_OK || frame->kind != WEFT_FRAME_FULL || !frame->body_size)
        return fail(r, "the frame at byte %llu is damaged, or not of a full recording", (unsigned long long)r->at);
    if (frame->sequence != r->sequence++)
        return fail(r, "a frame is missing before byte %llu", (unsigned long long)r->at);
    r->at += size + 1;
    return true;
}

/* ---- chunks ---- */

/* Bits of a mask of what is written (full.h). */
static bool is_mask(uint64_t writes)
{
    return !(writes & (UINT64_C(0x7fff) << 17));
}

static bool define(full_reader *r, weft_reader *in)
{
    if (r->node_count % PAGE == 0 && r->node_count / PAGE == r->page_count) {
        node **grown = realloc(r->pages, (r->page_count + 1) * sizeof *grown);
        if (!grown)
            return fail(r, "out of memory");
        r->pages = grown;
        if (!(grown[r->page_count] = calloc(PAGE, sizeof **grown)))
            return fail(r, "out of memory");
        r->page_count++;
    }
    node *n = get_node(r, r->node_count);
    full_instruction *i = &n->instruction;
    i->number = r->node_count;
    i->pc = weft_read_u32(in);
    i->size = weft_read_u8(in);
    for (int b = 0; b < 4; b++)
        i->bytes[b] = weft_read_u8(in);
    i->condition = weft_read_u8(in);
    i->writes = weft_read_u64(in);
    if (in->status != WEFT_OK || (i->size != 2 && i->size != 4) || i->condition > FULL_ALWAYS || !is_mask(i->writes))
        return fail(r, "a definition in the chunk before byte %llu is damaged", (unsigned long long)r->at);
    n->last = calloc((size_t)__builtin_popcountll(i->writes) + 1, sizeof *n->last);
    if (!n->last)
        return fail(r, "out of memory");
    r->node_count++;
    return true;
}

static void next_note(full_reader *r)
{
    weft_reader *notes = &r->columns[NOTES];
    r->to_note = weft_reader_left(notes) ? weft_read_varint(notes) : UINT32_MAX;
}

static bool split_chunk(full_reader *r, const uint8_t *bytes, size_t size)
{
    weft_reader in;
    weft_reader_init(&in, bytes, size);
    r->left = weft_read_varint(&in);
    uint32_t sizes[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        sizes[c] = weft_read_varint(&in);
    for (int c = 0; c < COLUMNS; c++) {
        const uint8_t *column = weft_read_bytes(&in, sizes[c]);
        if (!column)
            return fail(r, "the chunk before byte %llu is damaged", (unsigned long long)r->at);
        weft_reader_init(&r->columns[c], column, sizes[c]);
    }
    while (weft_reader_left(&r->columns[DEFINITIONS]))
        if (!define(r, &r->columns[DEFINITIONS]))
            return false;
    r->run_left = 0;
    next_note(r);
    return true;
}

static bool open_chunk(full_reader *r, weft_reader *body)
{
    uint64_t size = weft_read_varint64(body);
    if (body->status != WEFT_OK || size > CHUNK_MAX)
        return fail(r, "the chunk before byte %llu is damaged", (unsigned long long)r->at);
    if (size > r->chunk_room) {
        free(r->chunk);
        r->chunk_room = 0;
        if (!(r->chunk = malloc(size)))
            return fail(r, "out of memory");
        r->chunk_room = size;
    }
    size_t packed = weft_reader_left(body);
    size_t got = ZSTD_decompressDCtx(r->unpacker, r->chunk, size, body->bytes + body->at, packed);
    if (ZSTD_isError(got) || got != size)
        return fail(r, "the chunk before byte %llu does not unpack", (unsigned long long)r->at);
    return split_chunk(r, r->chunk, size);
}

static void read_totals(full_reader *r, weft_reader *body)
{
    r->summary.instructions = weft_read_varint64(body);
    r->summary.accesses = weft_read_varint64(body);
    r->summary.exceptions = weft_read_varint64(body);
    r->summary.complete = body->status == WEFT_OK;
}

/* Loads chunks until there is an instruction to read. */
static bool load(full_reader *r)
{
    while (!r->left) {
        weft_frame frame;
        weft_reader body;
        if (r->failed || r->ended || !read_frame(r, &frame))
            return false;
        weft_reader_init(&body, frame.body, frame.body_size);
        uint8_t tag = weft_read_u8(&body);
        r->ended = tag == TAG_END;
        if (tag == TAG_CHUNK && !open_chunk(r, &body))
            return false;
    }
    return true;
}

/* ---- instructions ---- */

/* As weft_read_varint64, quickly. */
static inline uint64_t varint(weft_reader *in)
{
    if (in->at < in->size && in->bytes[in->at] < 0x80)
        return in->bytes[in->at++];
    return weft_read_varint64(in);
}

static inline uint32_t difference(weft_reader *in)
{
    return (uint32_t)weft_unzigzag((uint32_t)varint(in));
}

static node *next_node(full_reader *r)
{
    if (!r->run_left) {
        r->run_left = (uint32_t)varint(&r->columns[RUNS]);
        r->run_next = r->run_before + difference(&r->columns[RUNS]);
        r->run_before = r->run_next + r->run_left;
    }
    if (!r->run_left || r->run_next >= r->node_count)
        return NULL;
    r->run_left--;
    return get_node(r, r->run_next++);
}

static bool note_writes(full_reader *r, node *n)
{
    n->instruction.writes = weft_read_u64(&r->columns[NOTES]);
    free(n->last);
    n->last = calloc((size_t)__builtin_popcountll(n->instruction.writes) + 1, sizeof *n->last);
    n->slot_count = 0;
    return n->last && is_mask(n->instruction.writes);
}

static bool note_shape(full_reader *r, node *n)
{
    uint32_t count = weft_read_varint(&r->columns[NOTES]);
    if (count > FULL_ACCESSES_MAX)
        return false;
    if (count > n->slots_max) {
        slot *grown = realloc(n->slots, count * sizeof *grown);
        if (!grown)
            return false;
        memset(grown + n->slots_max, 0, (count - n->slots_max) * sizeof *grown);
        n->slots = grown;
        n->slots_max = (uint8_t)count;
    }
    n->slot_count = (uint8_t)count;
    for (uint32_t k = 0; k < count; k++)
        n->slots[k].shape = weft_read_u8(&r->columns[NOTES]);
    return true;
}

/* Notes of this instruction up to an exception, which stays for the next call. */
static bool read_notes(full_reader *r, node *n, full_event *event)
{
    while (r->to_note == 0) {
        uint8_t kind = weft_read_u8(&r->columns[NOTES]);
        if (kind == NOTE_EXCEPTION) {
            r->exception_next = true;
            return true;
        }
        if (kind == NOTE_WRITES ? !note_writes(r, n) : kind == NOTE_SHAPE ? !note_shape(r, n) : kind != NOTE_INCOMPLETE)
            return false;
        if (kind == NOTE_INCOMPLETE)
            event->completed = false;
        next_note(r);
    }
    return true;
}

static inline uint64_t low_bytes(uint64_t value, unsigned size)
{
    return size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

static void read_values(full_reader *r, node *n, full_event *event)
{
    event->written = n->instruction.writes;
    event->value_count = (uint32_t)__builtin_popcountll(event->written);
    for (uint32_t i = 0; i < event->value_count; i++)
        event->values[i] = n->last[i] += difference(&r->columns[VALUES]);
}

static void read_accesses(full_reader *r, node *n, full_event *event)
{
    weft_reader *in = &r->columns[ACCESSES];
    uint32_t expected = n->slot_count ? n->slots[0].address : 0;
    event->access_count = n->slot_count;
    for (uint32_t k = 0; k < n->slot_count; k++) {
        slot *s = &n->slots[k];
        full_access *a = &event->accesses[k];
        a->size = (uint8_t)(1u << (s->shape & 3));
        a->store = s->shape & 4;
        a->address = s->address = expected + difference(in);
        expected = a->address + a->size;
        unsigned source = s->shape >> 3;
        uint64_t likely = s->value;
        if (source != NO_SOURCE)
            likely = source < event->value_count ? low_bytes(event->values[source], a->size) : 0;
        a->value = s->value = likely + (uint64_t)weft_unzigzag64(varint(in));
    }
}

static int read_exception(full_reader *r, full_event *event)
{
    weft_reader *notes = &r->columns[NOTES];
    event->kind = FULL_EXCEPTION;
    event->written = event->value_count = event->access_count = 0;
    event->time = r->time;
    event->from = weft_read_varint(notes);
    event->to = weft_read_varint(notes);
    event->entry = weft_read_u8(notes);
    for (int i = 0; i < 16; i++)
        event->registers[i] = weft_read_u32(notes);
    event->pc = event->registers[15];
    event->xpsr = weft_read_u32(notes);
    event->frame = weft_read_u32(notes);
    r->exception_next = false;
    if (notes->status != WEFT_OK || event->from >= EXCEPTIONS || event->to >= EXCEPTIONS)
        return fail(r, "a note in the chunk before byte %llu is damaged", (unsigned long long)r->at);
    next_note(r);
    if (r->to_note == 0) { /* of the same instruction: another exception before the handler's first */
        r->exception_next = weft_read_u8(notes) == NOTE_EXCEPTION;
        return r->exception_next
                   ? 1
                   : fail(r, "a note in the chunk before byte %llu is damaged", (unsigned long long)r->at);
    }
    if (r->to_note != UINT32_MAX)
        r->to_note--; /* the distance counts from the instruction that was just read */
    return 1;
}

int full_next(full_reader *r, full_event *event)
{
    if (r->exception_next)
        return read_exception(r, event);
    if (!load(r))
        return 0;
    node *n = next_node(r);
    if (!n)
        return fail(r, "the chunk before byte %llu names an unknown instruction", (unsigned long long)r->at);
    event->kind = FULL_EXECUTED;
    event->time = r->time++;
    event->instruction = &n->instruction;
    event->completed = event->passed = true;
    event->written = 0;
    event->value_count = event->access_count = 0;
    r->left--;
    if (n->instruction.condition != FULL_ALWAYS)
        event->passed = weft_read_u8(&r->columns[PASSED]);
    if (r->to_note == 0 && !read_notes(r, n, event))
        return fail(r, "a note in the chunk before byte %llu is damaged", (unsigned long long)r->at);
    if (r->to_note != UINT32_MAX && !r->exception_next)
        r->to_note--;
    if (event->passed) {
        if (event->completed)
            read_values(r, n, event);
        read_accesses(r, n, event);
    }
    if (r->columns[PASSED].status != WEFT_OK || r->columns[VALUES].status != WEFT_OK ||
        r->columns[ACCESSES].status != WEFT_OK)
        return fail(r, "the chunk before byte %llu is damaged", (unsigned long long)r->at);
    return 1;
}

/* ---- opening ---- */

bool full_is(const char *path)
{
    char message[1];
    full_reader *r = full_open(path, message, sizeof message);
    full_close(r);
    return r != NULL;
}

/* The first frame: lines key=value. */
static bool read_description(full_reader *r)
{
    weft_frame frame;
    if (!read_frame(r, &frame))
        return false;
    if (frame.body[0] != TAG_DESCRIPTION)
        return fail(r, "it is a container, but not a full recording");
    char text[1024] = "";
    size_t size = frame.body_size - 1 < sizeof text - 1 ? frame.body_size - 1 : sizeof text - 1;
    memcpy(text, frame.body + 1, size);
    unsigned format = 0;
    for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        sscanf(line, "format=%u", &format);
        sscanf(line, "machine=%63s", r->summary.machine);
    }
    return format == 1 || fail(r, "a full recording of format %u, which this build does not know", format);
}

/* The end record, if the last frame is one: the totals are then known from the start. */
static void read_tail(full_reader *r)
{
    uint8_t tail[TAIL];
    size_t size = r->bytes < TAIL ? (size_t)r->bytes : TAIL;
    weft_frame frame;
    weft_reader body;
    off_t here = ftello(r->file);
    fseeko(r->file, -(off_t)size, SEEK_END);
    bool read = fread(tail, 1, size, r->file) == size;
    fseeko(r->file, here, SEEK_SET);
    if (!read || tail[size - 1])
        return;
    uint8_t *before = memrchr(tail, 0, size - 1);
    if (!before || weft_frame_open(&frame, before + 1, (size_t)(tail + size - before) - 2) != WEFT_OK ||
        frame.kind != WEFT_FRAME_FULL)
        return;
    weft_reader_init(&body, frame.body, frame.body_size);
    if (weft_read_u8(&body) == TAG_END)
        read_totals(r, &body);
}

static bool start(full_reader *r, const char *path)
{
    struct stat status;
    char head[WEFT_CONTAINER_HEAD_SIZE];
    if (stat(path, &status))
        return fail(r, "%s", strerror(errno));
    if (!S_ISREG(status.st_mode)) /* and a pipe is not opened: what is in it would be lost */
        return fail(r, "it is no file on a disk");
    if (!(r->file = fopen(path, "rb")))
        return fail(r, "%s", strerror(errno));
    r->bytes = r->summary.bytes = (uint64_t)status.st_size;
    if (fread(head, 1, sizeof head, r->file) != sizeof head || memcmp(head, WEFT_CONTAINER_HEAD, sizeof head))
        return fail(r, "it is no container");
    r->at = sizeof head;
    if (!(r->unpacker = ZSTD_createDCtx()))
        return fail(r, "out of memory");
    read_tail(r);
    return read_description(r);
}

full_reader *full_open(const char *path, char *message, size_t message_size)
{
    full_reader *r = calloc(1, sizeof *r);
    if (r && start(r, path))
        return r;
    snprintf(message, message_size, "%s", r ? r->error : "out of memory");
    full_close(r);
    return NULL;
}

void full_close(full_reader *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; i < r->node_count; i++) {
        free(get_node(r, i)->last);
        free(get_node(r, i)->slots);
    }
    for (uint32_t i = 0; i < r->page_count; i++)
        free(r->pages[i]);
    free(r->pages);
    free(r->frame);
    free(r->chunk);
    ZSTD_freeDCtx(r->unpacker);
    if (r->file)
        fclose(r->file);
    free(r);
}

const char *full_error(const full_reader *r)
{
    return r->failed ? r->error : NULL;
}

void full_summarise(const full_reader *r, full_summary *summary)
{
    *summary = r->summary;
    summary->statics = r->node_count;
}
