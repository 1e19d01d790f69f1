/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/frames.h"

/* An entry of the marks section: a switch, or a mark. */
typedef struct entry {
    bool is_switch;
    trace_stretch stretch; /* that the switch ends, without its context */
    uint32_t context;      /* of the one that it begins */
    trace_mark mark;
} entry;

static void read_switch(weft_reader *reader, uint64_t head, entry *e)
{
    e->is_switch = true;
    e->stretch = (trace_stretch){0};
    if (head >> 34)
        reader->status = WEFT_CORRUPT;
    if (head & 1) {
        e->stretch.accesses = weft_read_varint(reader);
        e->stretch.accesses_tail = weft_read_varint(reader);
    }
    if (head & 2) {
        e->stretch.values = weft_read_varint(reader);
        e->stretch.values_tail = weft_read_varint(reader);
    }
    e->context = (uint32_t)(head >> 2);
}

static void read_mark(weft_reader *reader, uint64_t head, entry *e)
{
    trace_mark *mark = &e->mark;
    e->is_switch = false;
    mark->kind = head >> 1 & 15;
    mark->argument = head >> 5;
    bool one = mark->kind == WEFT_MARK_CONTROL || mark->kind == WEFT_MARK_FRAME || mark->kind == WEFT_MARK_INPUT;
    bool stacked = mark->kind == WEFT_MARK_STACKED;
    bool word =
        mark->kind == WEFT_MARK_EVENT || mark->kind == WEFT_MARK_PACK || mark->kind == WEFT_MARK_FRAME || stacked;
    mark->count = mark->kind == WEFT_MARK_EVENT ? weft_read_varint(reader) : stacked ? WEFT_STACKED_VALUES : one;
    if (mark->kind >= WEFT_MARK_KINDS || mark->count > WEFT_MARK_VALUES_MAX || (word && mark->argument > UINT32_MAX))
        reader->status = WEFT_CORRUPT;
    for (uint32_t i = 0; i < mark->count && reader->status == WEFT_OK; i++)
        mark->value[i] = weft_read_varint(reader);
}

/* False: the section is at its end, or damaged. */
static bool read_entry(weft_reader *reader, uint8_t version, entry *e)
{
    if (reader->status != WEFT_OK || weft_reader_left(reader) == 0)
        return false;
    uint64_t head = version == 1 ? (uint64_t)weft_read_varint(reader) << 1 : weft_read_varint64(reader);
    if (head & 1)
        read_mark(reader, head, e);
    else
        read_switch(reader, head >> 1, e);
    return reader->status == WEFT_OK;
}

void trace_marks_start(weft_reader *reader, const trace_body *body)
{
    weft_reader_init(reader, body->section[WEFT_REGION_MARKS], body->size[WEFT_REGION_MARKS]);
}

bool trace_marks_next(weft_reader *reader, const trace_body *body, bool all, trace_mark *mark)
{
    entry e;
    do
        if (!read_entry(reader, body->version, &e))
            return false;
    while (e.is_switch || (!all && (e.mark.kind == WEFT_MARK_TRIPS || e.mark.kind == WEFT_MARK_PACK)));
    *mark = e.mark;
    return true;
}

void trace_stretches_init(trace_stretches *stretches, const trace_body *body)
{
    stretches->body = body;
    trace_marks_start(&stretches->reader, body);
    stretches->context = body->context;
    stretches->accesses_left = body->counts.accesses;
    stretches->values_left = body->counts.values;
    stretches->done = false;
}

/* The next switch, marks passed over. */
static bool next_switch(trace_stretches *stretches, entry *e)
{
    while (read_entry(&stretches->reader, stretches->body->version, e))
        if (e->is_switch)
            return true;
    return false;
}

bool trace_stretches_next(trace_stretches *stretches, trace_stretch *stretch)
{
    weft_reader *reader = &stretches->reader;
    entry e;
    if (stretches->done)
        return false;
    if (next_switch(stretches, &e)) {
        *stretch = e.stretch;
        stretch->context = stretches->context;
        stretches->context = e.context;
    } else {
        *stretch = (trace_stretch){.context = stretches->context,
                                   .accesses = (uint32_t)stretches->accesses_left,
                                   .accesses_tail = stretches->body->accesses_tail,
                                   .values = (uint32_t)stretches->values_left,
                                   .values_tail = stretches->body->values_tail,
                                   .last = true};
        stretches->done = true;
    }
    if (stretch->accesses > stretches->accesses_left || stretch->values > stretches->values_left ||
        stretch->accesses_tail > stretch->accesses || stretch->values_tail > stretch->values)
        reader->status = WEFT_CORRUPT;
    if (reader->status != WEFT_OK) {
        stretches->done = true;
        return false;
    }
    stretches->accesses_left -= stretch->accesses;
    stretches->values_left -= stretch->values;
    return true;
}

/* Of those that weft_counts.marks counts. */
static bool is_event(unsigned kind)
{
    return kind == WEFT_MARK_EVENT || kind == WEFT_MARK_LAPS || kind == WEFT_MARK_INPUT;
}

/* Counts what the marks section holds, up to damage. */
static void count_marks(trace_body *body)
{
    weft_reader reader;
    entry e = {0};
    trace_marks_start(&reader, body);
    while (read_entry(&reader, body->version, &e)) {
        body->switches += e.is_switch;
        body->escapes += !e.is_switch;
        body->trips += !e.is_switch && e.mark.kind == WEFT_MARK_TRIPS;
        body->pack_marks += !e.is_switch && e.mark.kind == WEFT_MARK_PACK;
        body->counts.marks += !e.is_switch && is_event(e.mark.kind);
    }
    if (reader.status != WEFT_OK && !e.is_switch && e.mark.kind >= WEFT_MARK_KINDS)
        body->unknown = e.mark.kind + 1;
}

/* In a frame with WEFT_CONTROL_PACKS the bus section holds the words of packs, and there are no accesses. In a frame
 with WEFT_CONTROL_WORDS the models section does.
 */
static bool take_packs(trace_body *body)
{
    bool old = body->control_coder == WEFT_CONTROL_PACKS;
    unsigned section = old ? WEFT_REGION_BUS : WEFT_REGION_MODELS;
    body->pack_bytes = body->section[section];
    body->pack_size = body->size[section];
    body->size[section] = 0;
    bool free_section = old ? body->counts.accesses == 0 && body->bus_coder == 0 : !(body->bus_coder & WEFT_BUS_TRE);
    return body->packs <= body->counts.paths && body->pack_slots_log2 <= WEFT_PACK_SLOTS_LOG2_MAX && free_section;
}

bool trace_parse(const weft_frame *frame, trace_body *body)
{
    weft_reader reader;
    weft_reader_init(&reader, frame->body, frame->body_size);
    *body = (trace_body){.version = frame->version};
    body->control_coder = weft_read_u8(&reader);
    body->followers_log2 = weft_read_u8(&reader);
    body->bus_coder = weft_read_u8(&reader);
    body->slots_log2 = weft_read_u8(&reader);
    body->value_coder = weft_read_u8(&reader);
    body->value_slots_log2 = weft_read_u8(&reader);
    body->before.paths = weft_read_varint64(&reader);
    body->before.accesses = weft_read_varint64(&reader);
    body->before.values = weft_read_varint64(&reader);
    if (frame->version > 1) {
        body->before.marks = weft_read_varint64(&reader);
        body->begun = weft_read_varint64(&reader);
    }
    body->counts.paths = weft_read_varint(&reader);
    body->counts.accesses = weft_read_varint(&reader);
    body->counts.values = weft_read_varint(&reader);
    body->context = weft_read_varint(&reader);
    body->accesses_tail = weft_read_varint(&reader);
    body->values_tail = weft_read_varint(&reader);
    bool packed = body->control_coder == WEFT_CONTROL_PACKS || body->control_coder == WEFT_CONTROL_WORDS;
    uint32_t pack_slots = 0;
    if (packed) {
        body->packs = weft_read_varint(&reader);
        pack_slots = weft_read_varint(&reader);
        body->pack_slots_log2 = pack_slots < UINT8_MAX ? (uint8_t)pack_slots : UINT8_MAX;
    }
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        body->size[i] = weft_read_varint(&reader);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        body->section[i] = weft_read_bytes(&reader, body->size[i]);
    if (reader.status != WEFT_OK || weft_reader_left(&reader) || body->followers_log2 > 16 || body->slots_log2 > 24 ||
        body->value_slots_log2 > 24 || (packed && !take_packs(body)))
        return false;
    count_marks(body);
    if (!packed)
        body->packs = (uint32_t)body->pack_marks;
    return !body->unknown;
}

bool profile_parse(const weft_frame *frame, profile_body *body)
{
    weft_reader reader;
    weft_reader_init(&reader, frame->body, frame->body_size);
    body->only = weft_read_u8(&reader) & 1;
    body->start = weft_read_varint64(&reader);
    body->end = weft_read_varint64(&reader);
    body->part = weft_read_varint(&reader);
    body->size = weft_reader_left(&reader);
    body->bytes = weft_read_bytes(&reader, body->size);
    if (reader.status != WEFT_OK || body->size == 0)
        return false;
    body->last = body->bytes[body->size - 1] == 0;
    return true;
}

uint64_t profile_paths(const profile_body *body)
{
    weft_reader reader;
    uint64_t paths = 0;
    weft_reader_init(&reader, body->bytes, body->size);
    (void)weft_read_varint(&reader); /* generation, k, first */
    (void)weft_read_u8(&reader);
    (void)weft_read_varint(&reader);
    for (uint32_t nodes = weft_read_varint(&reader); nodes && reader.status == WEFT_OK; nodes--) {
        bool stub = weft_read_varint(&reader) == 1;
        (void)weft_read_varint(&reader);
        uint32_t count = weft_read_varint(&reader);
        paths += stub || reader.status != WEFT_OK ? 0 : count;
    }
    return paths;
}

bool frame_names_next(weft_reader *reader, frame_name *name)
{
    if (reader->status != WEFT_OK || weft_reader_left(reader) == 0)
        return false;
    name->number = weft_read_varint(reader);
    name->size = weft_read_varint(reader);
    name->text = weft_read_bytes(reader, name->size);
    return reader->status == WEFT_OK;
}

/* It follows the body. */
uint32_t frame_crc(const weft_frame *frame)
{
    weft_reader reader;
    weft_reader_init(&reader, frame->body + frame->body_size, WEFT_FRAME_CHECK_SIZE);
    return weft_read_u32(&reader);
}

/* The next field: its number, or the size of its bytes, which are then at *bytes. False: there is none, or
 * (reader->status) it is damaged. */
static bool next_field(weft_reader *reader, uint32_t *key, uint64_t *number, const uint8_t **bytes)
{
    if (!weft_reader_left(reader))
        return false;
    *key = weft_read_varint(reader);
    *number = *key & 1 ? weft_read_varint(reader) : weft_read_varint64(reader);
    *bytes = *key & 1 ? weft_read_bytes(reader, (size_t)*number) : NULL;
    return reader->status == WEFT_OK;
}

bool frame_field(const uint8_t *body, size_t size, uint32_t key, uint64_t *value, const uint8_t **bytes)
{
    weft_reader reader;
    uint32_t at;
    uint64_t number;
    const uint8_t *data;
    bool found = false;
    weft_reader_init(&reader, body, size);
    while (next_field(&reader, &at, &number, &data)) {
        if (at != key)
            continue;
        *value = number;
        if (bytes)
            *bytes = data;
        found = true;
    }
    return found;
}

bool frame_fields_whole(const uint8_t *body, size_t size)
{
    weft_reader reader;
    uint32_t key;
    uint64_t number, seen = 0;
    const uint8_t *data;
    bool twice = false;
    weft_reader_init(&reader, body, size);
    while (next_field(&reader, &key, &number, &data)) {
        uint64_t bit = key < 64 ? UINT64_C(1) << key : 0;
        twice |= (seen & bit) != 0;
        seen |= bit;
    }
    return reader.status == WEFT_OK && !twice;
}

bool frame_counts_before(const weft_frame *frame, weft_counts *counts)
{
    trace_body body;
    if (frame->kind == WEFT_FRAME_TRACE && trace_parse(frame, &body)) {
        *counts = body.before;
        return true;
    }
    counts->marks = 0;
    if (frame->kind == WEFT_FRAME_STATS)
        (void)frame_field(frame->body, frame->body_size, WEFT_STATS_MARKS, &counts->marks, NULL);
    return frame->kind == WEFT_FRAME_STATS &&
           frame_field(frame->body, frame->body_size, WEFT_STATS_PATHS, &counts->paths, NULL) &&
           frame_field(frame->body, frame->body_size, WEFT_STATS_ACCESSES, &counts->accesses, NULL) &&
           frame_field(frame->body, frame->body_size, WEFT_STATS_VALUES, &counts->values, NULL);
}
