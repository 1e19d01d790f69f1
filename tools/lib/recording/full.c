/* SPDX-License-Identifier: MIT */
/* Decodes the stream of tools/qemu/FULL.md: the reader's state mirrors the writer's (tools/qemu/full.c). */
#include "tools/lib/recording/full.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/varint.h"
#include "tools/lib/image/compared.h"
#include "tools/lib/recording/full_chunks.h"

#define EXCEPTIONS 512u   /* their numbers have nine bits */
#define BEGINNING 100000u /* events */
#define PAGE 4096u        /* static instructions that are allocated at once. They never move */

typedef struct slot {
    uint64_t value;
    uint32_t address;
    uint8_t shape;
} slot;

typedef struct node {
    full_instruction instruction;
    uint32_t *last; /* the last value per bit of writes */
    slot *slots;
    uint8_t slot_count, slots_max;
    uint8_t values; /* bits of writes */
} node;

struct full_reader {
    full_origin origin; /* `next` NULL: a file, as follows */
    uint32_t compared;  /* of an origin: static instructions that were */

    full_chunks chunks;
    weft_reader *columns; /* of the chunk that is open */
    compared_image fits;  /* with what executed */

    node **pages; /* of static instructions */
    size_t page_count, page_max;
    uint32_t node_count;

    uint32_t left; /* instructions in the chunk */
    uint32_t run_next, run_left, run_before;
    uint32_t met;     /* instructions that executed so far: a new one has the next number */
    uint32_t to_note; /* instructions before the next note's; UINT32_MAX: none */
    uint64_t time;
    bool exception_next;
};

static inline node *get_node(const full_reader *r, uint32_t number)
{
    return &r->pages[number / PAGE][number % PAGE];
}

/* ---- chunks ---- */

/* Bits of a mask of what is written (full.h). */
static bool is_mask(uint64_t writes)
{
    return !(writes & (UINT64_C(0x7fff) << 17));
}

/* With the image. */
static bool compare(full_reader *r, const full_instruction *i)
{
    return compared_add(&r->fits, i->pc, i->bytes, i->size) || full_fail_image(&r->chunks, &r->fits);
}

static bool define(full_reader *r, weft_reader *in)
{
    if (r->node_count % PAGE == 0 && r->node_count / PAGE == r->page_count) {
        r->pages = memory_room(r->pages, r->page_count, &r->page_max, sizeof *r->pages);
        r->pages[r->page_count++] = memory_zero(PAGE, sizeof **r->pages);
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
        return full_fail_chunk(&r->chunks, "a definition in ");
    if (!compare(r, i))
        return false;
    n->values = (uint8_t)__builtin_popcountll(i->writes);
    n->last = memory_zero(n->values, sizeof *n->last);
    r->node_count++;
    return true;
}

static void next_note(full_reader *r)
{
    weft_reader *notes = &r->columns[FULL_NOTES];
    r->to_note = weft_reader_left(notes) ? weft_read_varint(notes) : UINT32_MAX;
}

/* Opens chunks until there is an instruction to read. */
static bool load(full_reader *r)
{
    while (!r->left) {
        if (!full_chunks_next(&r->chunks))
            return false;
        while (weft_reader_left(&r->columns[FULL_DEFINITIONS]))
            if (!define(r, &r->columns[FULL_DEFINITIONS]))
                return false;
        r->left = r->chunks.instructions;
        r->run_left = 0;
        next_note(r);
    }
    return true;
}

/* ---- instructions ---- */

static inline uint32_t difference(weft_reader *in)
{
    return (uint32_t)weft_unzigzag((uint32_t)varint_read64(in));
}

static node *next_node(full_reader *r)
{
    if (!r->run_left) {
        r->run_left = (uint32_t)varint_read64(&r->columns[FULL_RUNS]);
        r->run_next = r->run_before + difference(&r->columns[FULL_RUNS]);
        r->run_before = r->run_next + r->run_left;
    }
    if (!r->run_left || r->run_next >= r->node_count || r->run_next > r->met)
        return NULL;
    r->met += r->run_next == r->met;
    r->run_left--;
    return get_node(r, r->run_next++);
}

static bool note_writes(full_reader *r, node *n)
{
    n->instruction.writes = weft_read_u64(&r->columns[FULL_NOTES]);
    free(n->last);
    n->values = (uint8_t)__builtin_popcountll(n->instruction.writes);
    n->last = memory_zero(n->values, sizeof *n->last);
    n->slot_count = 0;
    return is_mask(n->instruction.writes);
}

static bool note_shape(full_reader *r, node *n)
{
    uint32_t count = weft_read_varint(&r->columns[FULL_NOTES]);
    if (count > FULL_ACCESSES_MAX)
        return false;
    if (count > n->slots_max) {
        n->slots = memory_grow(n->slots, count, sizeof *n->slots);
        memset(n->slots + n->slots_max, 0, (count - n->slots_max) * sizeof *n->slots);
        n->slots_max = (uint8_t)count;
    }
    n->slot_count = (uint8_t)count;
    for (uint32_t k = 0; k < count; k++)
        n->slots[k].shape = weft_read_u8(&r->columns[FULL_NOTES]);
    return true;
}

/* What of this execution is not known. */
static bool note_unknown(full_reader *r, full_event *event)
{
    event->unknown_values = weft_read_u64(&r->columns[FULL_NOTES]);
    event->unknown = weft_read_varint64(&r->columns[FULL_NOTES]);
    return true;
}

/* Notes of this instruction up to an exception, which stays for the next call. */
static bool read_notes(full_reader *r, node *n, full_event *event)
{
    while (r->to_note == 0) {
        uint8_t kind = weft_read_u8(&r->columns[FULL_NOTES]);
        if (kind == FULL_NOTE_EXCEPTION) {
            r->exception_next = true;
            return true;
        }
        if (kind == FULL_NOTE_WRITES    ? !note_writes(r, n)
            : kind == FULL_NOTE_SHAPE   ? !note_shape(r, n)
            : kind == FULL_NOTE_UNKNOWN ? !note_unknown(r, event)
                                        : kind != FULL_NOTE_INCOMPLETE)
            return false;
        if (kind == FULL_NOTE_INCOMPLETE)
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
    event->value_count = n->values;
    for (uint32_t i = 0; i < event->value_count; i++)
        event->values[i] = n->last[i] += difference(&r->columns[FULL_VALUES]);
}

static void read_accesses(full_reader *r, node *n, full_event *event)
{
    weft_reader *in = &r->columns[FULL_ACCESSES];
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
        if (source != FULL_NO_SOURCE)
            likely = source < event->value_count ? low_bytes(event->values[source], a->size) : 0;
        a->value = s->value = likely + (uint64_t)weft_unzigzag64(varint_read64(in));
    }
}

static int read_exception(full_reader *r, full_event *event)
{
    weft_reader *notes = &r->columns[FULL_NOTES];
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
        return full_fail_chunk(&r->chunks, "a note in ");
    next_note(r);
    if (r->to_note == 0) { /* of the same instruction: another exception before the handler's first */
        r->exception_next = weft_read_u8(notes) == FULL_NOTE_EXCEPTION;
        return r->exception_next ? 1 : full_fail_chunk(&r->chunks, "a note in ");
    }
    if (r->to_note != UINT32_MAX)
        r->to_note--; /* the distance counts from the instruction that was just read */
    return 1;
}

/* An origin has no definitions: an instruction is compared when it is new. */
static int next_of_origin(full_reader *r, full_event *event)
{
    int got = r->fits.differs ? 0 : r->origin.next(r->origin.own, event);
    if (!got || event->kind != FULL_EXECUTED || event->instruction->number < r->compared)
        return got;
    r->compared = event->instruction->number + 1;
    return compare(r, event->instruction);
}

int full_next(full_reader *r, full_event *event)
{
    if (r->origin.next)
        return next_of_origin(r, event);
    if (r->exception_next)
        return read_exception(r, event);
    if (!load(r))
        return 0;
    node *n = next_node(r);
    if (!n)
        return full_fail(&r->chunks, "the chunk before byte %llu names an unknown instruction",
                         (unsigned long long)r->chunks.at);
    event->kind = FULL_EXECUTED;
    event->time = r->time++;
    event->instruction = &n->instruction;
    event->completed = event->passed = true;
    event->written = event->unknown = event->unknown_values = 0;
    event->value_count = event->access_count = 0;
    r->left--;
    if (n->instruction.condition != FULL_ALWAYS)
        event->passed = weft_read_u8(&r->columns[FULL_PASSED]);
    if (r->to_note == 0 && !read_notes(r, n, event))
        return full_fail_chunk(&r->chunks, "a note in ");
    if (r->to_note != UINT32_MAX && !r->exception_next)
        r->to_note--;
    if (event->passed) {
        if (event->completed)
            read_values(r, n, event);
        read_accesses(r, n, event);
    }
    if (r->columns[FULL_PASSED].status != WEFT_OK || r->columns[FULL_VALUES].status != WEFT_OK ||
        r->columns[FULL_ACCESSES].status != WEFT_OK)
        return full_fail_chunk(&r->chunks, "");
    return 1;
}

/* ---- opening ---- */

bool full_is(const char *path)
{
    char message[200];
    full_reader *r = full_open(path, message, sizeof message);
    full_close(r);
    return r != NULL;
}

full_reader *full_open(const char *path, char *message, size_t message_size)
{
    full_reader *r = memory_zero(1, sizeof *r);
    r->columns = r->chunks.columns;
    if (full_chunks_open(&r->chunks, path))
        return r;
    snprintf(message, message_size, "%s", r->chunks.error);
    full_close(r);
    return NULL;
}

full_reader *full_over(full_origin origin)
{
    full_reader *r = memory_zero(1, sizeof *r);
    r->origin = origin;
    return r;
}

void full_expect(full_reader *r, const image *im)
{
    r->fits = (compared_image){.im = im};
}

bool full_fits(full_reader *r, const image *im)
{
    bool defined = true;
    full_expect(r, im);
    while (defined && full_chunks_next(&r->chunks))
        while (defined && weft_reader_left(&r->columns[FULL_DEFINITIONS]))
            defined = define(r, &r->columns[FULL_DEFINITIONS]);
    return full_fail_image(&r->chunks, &r->fits);
}

void full_compare(compared_image *c, const full_event *event)
{
    const full_instruction *i = event->kind == FULL_EXECUTED && event->access_count == 1 ? event->instruction : NULL;
    const full_access *a = event->accesses;
    if (i && event->completed && !a->store && !(event->unknown & 1))
        compared_load(c, i->pc, i->bytes, a->address, a->size, a->value);
}

bool full_begins_in(full_reader *r, const image *im)
{
    full_event *event = memory_zero(1, sizeof *event);
    full_expect(r, im);
    for (unsigned i = 0; (i < BEGINNING || !r->fits.found) && full_next(r, event) > 0; i++)
        full_compare(&r->fits, event);
    free(event);
    return full_fail_image(&r->chunks, &r->fits);
}

void full_close(full_reader *r)
{
    if (!r)
        return;
    if (r->origin.next) {
        r->origin.close(r->origin.own);
        free(r);
        return;
    }
    for (uint32_t i = 0; i < r->node_count; i++) {
        free(get_node(r, i)->last);
        free(get_node(r, i)->slots);
    }
    for (size_t i = 0; i < r->page_count; i++)
        free(r->pages[i]);
    free(r->pages);
    full_chunks_close(&r->chunks);
    free(r);
}

const char *full_error(const full_reader *r)
{
    if (r->chunks.failed)
        return r->chunks.error;
    return r->origin.next ? r->origin.error(r->origin.own) : NULL;
}

void full_summarise(const full_reader *r, full_summary *summary)
{
    const full_chunks *c = &r->chunks;
    *summary = (full_summary){.complete = c->totals.there,
                              .instructions = c->totals.instructions,
                              .accesses = c->totals.accesses,
                              .exceptions = c->totals.exceptions,
                              .bytes = c->bytes,
                              .statics = r->node_count};
    snprintf(summary->machine, sizeof summary->machine, "%s", c->machine);
}
