/* SPDX-License-Identifier: MIT */
/* A program whose loop has packs, and frames of them, byte by byte. For tests of one file. */
#ifndef WEFT_TESTS_LIB_PACK_FRAMES_H
#define WEFT_TESTS_LIB_PACK_FRAMES_H

#include <stdlib.h>
#include <string.h>

#include "core/frame.h"
#include "tests/lib/check.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/host_frame.h"
#include "tools/lib/recording/packs.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/tally.h"

enum { ROOM = 1 << 16, PATHS_MAX = 4096, PLACES = 8192 };

static check_random rng = {77};

/* ---- the program ---- */

/* do { if (c) a(); else b; } while (d): blocks 0 head, 1 calls a(), 2 b, 3 latch, 4 return. All edges into a call are
 * cut. */
static const ballarus_edge loop_edges[] = {
    {.from = BALLARUS_ENTRY, .to = 0},
    {.from = 0, .to = 1, .cut = true},
    {.from = 0, .to = 2},
    {.from = 1, .to = 3},
    {.from = 2, .to = 3},
    {.from = 3, .to = 0, .cut = true},
    {.from = 3, .to = 4},
    {.from = 4, .to = BALLARUS_EXIT},
};
enum { BLOCKS = 5, EDGES = WEFT_COUNT(loop_edges) };
static const bool calls[BLOCKS] = {false, true, false, false, false};

typedef struct program_text {
    uint8_t at[1024];
    size_t size;
} program_text;

static inline void put32(program_text *b, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        b->at[b->size++] = (uint8_t)(value >> 8 * i);
}

/* A record of version 1 of the loop, whose paths begin at `base`. */
static inline void put_function(program_text *b, const ballarus *g, uint32_t base, uint8_t flags)
{
    size_t start = b->size;
    put32(b, 0);
    memcpy(b->at + b->size, (const uint8_t[]){'W', 'D', 1, flags}, 4);
    b->size += 4;
    for (int i = 0; i < 4; i++)
        put32(b, i ? base : 0x101);
    const uint8_t head[] = {1, 1, 'f', 0, 0, 0, 1, 9, (uint8_t)g->count, BLOCKS, 0, EDGES};
    memcpy(b->at + b->size, head, sizeof head);
    b->size += sizeof head;
    for (unsigned i = 0; i < BLOCKS; i++) {
        b->at[b->size++] = calls[i] ? DESCRIPTOR_BLOCK_CALL : 0;
        b->at[b->size++] = 0;
        b->at[b->size++] = 0;
    }
    for (unsigned i = 0; i < EDGES; i++) {
        const ballarus_edge *e = &g->edge[i];
        bool exit = e->to == BALLARUS_EXIT;
        b->at[b->size++] = (uint8_t)(e->from == BALLARUS_ENTRY ? 0 : e->from + 1);
        b->at[b->size++] = (uint8_t)(exit ? 0 : e->to + 1);
        b->at[b->size++] = (uint8_t)((exit ? DESCRIPTOR_EDGE_RETURN : DESCRIPTOR_EDGE_FLOW) * 2 + e->cut);
        b->at[b->size++] = (uint8_t)e->value;
    }
    b->at[start] = (uint8_t)(b->size - start);
}

/* Two packed functions and one that is not. */
static inline descriptors *new_program(void)
{
    program_text text = {.size = 0};
    char message[200];
    ballarus *g = ballarus_new(BLOCKS, loop_edges, EDGES, NULL, BALLARUS_LIMIT);
    put_function(&text, g, 0, DESCRIPTOR_COUNTED | DESCRIPTOR_PACKED);
    put_function(&text, g, 50, DESCRIPTOR_COUNTED);
    put_function(&text, g, 100, DESCRIPTOR_COUNTED | DESCRIPTOR_PACKED);
    ballarus_free(g);
    return descriptors_parse(text.at, text.size, message, sizeof message);
}

static descriptors *known;

/* ---- frames ---- */

/* A section that grows. */
typedef struct bytes {
    uint8_t at[ROOM];
    size_t size;
} bytes;

static inline void put_varint(bytes *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        b->at[b->size++] = (uint8_t)(value | 0x80);
    b->at[b->size++] = (uint8_t)value;
}

/* The coder of packs' words: a model of core/FORMAT.md, section 4. */
typedef struct pack_coder {
    unsigned slots;
    uint32_t table[1 << 13], last, hits;
} pack_coder;

/* What the frame holds, and the state of its path predictor. The ring is so large that it never wraps. */
typedef struct frame {
    bool section; /* true: packs are in a section; false: among the marks */
    bytes control, marks, packs;
    pack_coder words;
    uint32_t ring[PLACES], last, to;
    int source, other, found[PLACES / 4];
    uint32_t records, packed;
    control_event path[PATHS_MAX]; /* the paths that the frame stands for */
    size_t count;
    struct {
        uint32_t number, word;
    } pack[PATHS_MAX];
    size_t pack_count;
    uint32_t context;
    bool after_path; /* no switch came since the last path */
} frame;

static frame f; /* large */

static inline void begin(bool section, unsigned slots)
{
    memset(&f, 0, sizeof f);
    f.section = section;
    f.words.slots = slots;
    memset(f.found, 0xff, sizeof f.found);
    f.source = f.other = -1;
}

static inline void put_hits(void)
{
    bool many = f.words.hits > 127;
    if (many)
        put_varint(&f.packs, 0);
    if (f.words.hits)
        put_varint(&f.packs, f.words.hits);
    f.words.hits = 0;
}

static inline void put_word(uint32_t number, uint32_t word)
{
    pack_coder *c = &f.words;
    uint32_t hash = c->last * 0x9e3779b1u + number * 0x85ebca6bu,
             *slot = &c->table[c->slots ? hash >> (32 - c->slots) : 0];
    unsigned size = word >> 24 ? 4 : word >> 16 ? 3 : word >> 8 ? 2 : 1;
    c->hits += *slot == word;
    if (*slot != word) {
        if (c->hits > 15)
            put_hits();
        f.packs.at[f.packs.size++] = (uint8_t)(128 + 4 * c->hits + size - 1);
        for (unsigned i = 0; i < size; i++)
            f.packs.at[f.packs.size++] = (uint8_t)(word >> 8 * i);
        c->hits = 0;
    }
    *slot = c->last = word;
}

/* Adds a path in the coding of WEFT_CONTROL_COPIES. */
static inline void put_path(uint32_t path)
{
    bool has = f.source >= 0 && (uint32_t)f.source < f.to && f.ring[f.source] != UINT32_MAX;
    uint32_t difference = path - (has ? f.ring[f.source] : f.last);
    uint32_t code = difference << 1 ^ (uint32_t)((int32_t)difference >> 31);
    if (!difference) {
        put_varint(&f.control, 1);
        f.source = has ? f.source + 1 : (int)f.to;
    } else {
        f.control.at[f.control.size++] = (uint8_t)(code < 64 ? 64 + code : 192 + (code & 63));
        if (code >= 64)
            put_varint(&f.control, code >> 6);
        int *found = &f.found[path & (PLACES / 4 - 1)];
        f.source = *found >= 0 && f.ring[*found] == path ? *found + 1 : (int)f.to;
        *found = (int)f.to;
    }
    f.ring[f.to++] = f.last = path;
    f.records++;
}

static inline void put_escape(uint8_t symbol)
{
    f.control.at[f.control.size++] = 64;
    f.control.at[f.control.size++] = (uint8_t)(symbol + 1);
}

static inline void put_mark(unsigned kind, uint64_t argument)
{
    put_escape(WEFT_SYMBOL_MARK);
    put_varint(&f.marks, argument << 5 | kind << 1 | 1);
}

static inline void put_switch(uint32_t context)
{
    put_escape(WEFT_SYMBOL_CONTEXT);
    put_varint(&f.marks, (uint64_t)context << 3);
    int source = f.source;
    f.source = f.other;
    f.other = source;
    f.ring[f.to++] = UINT32_MAX;
    f.context = context;
    f.after_path = false;
}

static inline void expect(uint32_t path)
{
    f.path[f.count++] = (control_event){.context = f.context, .path = path};
    f.after_path = true;
}

static inline void put_pack(uint32_t number, uint32_t word, const uint32_t *paths, size_t count)
{
    put_path(number);
    f.packed++;
    f.pack[f.pack_count].number = number;
    f.pack[f.pack_count++].word = word;
    if (f.section)
        put_word(number, word);
    else
        put_mark(WEFT_MARK_PACK, word);
    for (size_t i = 0; i < count; i++)
        expect(paths[i]);
}

/* A container of the frame. */
static inline size_t seal(uint8_t *out)
{
    static uint8_t content[2 * ROOM];
    const uint8_t coders[] = {f.section ? WEFT_CONTROL_PACKS : WEFT_CONTROL_COPIES,
                              13,
                              f.section ? WEFT_BUS_VARINTS : WEFT_BUS_PLAIN,
                              0,
                              WEFT_VALUE_PLAIN,
                              0};
    size_t shift = WEFT_FRAME_SHIFT(sizeof content / 2);
    weft_writer writer;
    put_hits();
    weft_writer_init(&writer, content + shift, sizeof content - shift - 8);
    weft_frame_head(&writer,
                    &(weft_frame){.version = WEFT_FORMAT_VERSION, .kind = WEFT_FRAME_TRACE, .sequence = 0, .run = 1});
    weft_write_bytes(&writer, coders, sizeof coders);
    for (unsigned i = 0; i < 5; i++)
        weft_write_varint64(&writer, 0);
    const uint32_t counts[] = {f.records, 0, 0, 0, 0, 0, f.packed, f.words.slots};
    for (unsigned i = 0; i < (f.section ? 8 : 6); i++)
        weft_write_varint(&writer, counts[i]);
    const bytes *sections[] = {&f.control, &f.marks, &f.packs};
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        weft_write_varint(&writer, i < 3 ? (uint32_t)sections[i]->size : 0);
    for (unsigned i = 0; i < 3; i++)
        weft_write_bytes(&writer, sections[i]->at, sections[i]->size);
    size_t size = weft_frame_seal(content, shift, writer.size);
    memcpy(out, WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE);
    memcpy(out + WEFT_CONTAINER_HEAD_SIZE, content, size);
    return writer.status == WEFT_OK ? WEFT_CONTAINER_HEAD_SIZE + size : 0;
}

static inline container *open_frame(const descriptors *program)
{
    static uint8_t file[2 * ROOM + 64];
    char message[200];
    container *c = container_open_bytes(file, seal(file), "test", message, sizeof message);
    if (c)
        container_know(c, program);
    return c;
}

#endif
