/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/symbols.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/recording/coded.h"
#include "tools/lib/recording/unpack.h"

struct trace_symbols {
    coded_symbols *coded;
    const trace_body *body;
    weft_reader marks; /* for trips and packs */
    uint32_t last;     /* symbol of the stretch that is a path; 0: none */
    uint64_t again;    /* times that it still comes */
    uint32_t *block;   /* symbols of the frame, before trips and packs are paths */
    size_t at, count;
    unpack *unpack;       /* NULL: the program is not known */
    bool packed_program;  /* some function of it is packed */
    bool waits;           /* the record before is of a pack; its word is the next mark */
    uint32_t pack;        /* number of that record */
    const uint32_t *path; /* of a pack: paths to come */
    size_t paths;
    uint64_t packed;  /* paths of packs so far */
    uint64_t records; /* of packs so far */
};

enum { BLOCK = 1024 };

trace_symbols *trace_symbols_open(pack_source packs)
{
    trace_symbols *symbols = memory_zero(1, sizeof *symbols);
    symbols->coded = coded_open();
    symbols->unpack = packs.program || packs.stored ? unpack_open(packs) : NULL;
    symbols->packed_program = packs.program ? packs.program->packed > 0 : packs.stored != NULL;
    return symbols;
}

void trace_symbols_gather(trace_symbols *symbols, packs_gathered *seen)
{
    unpack_gather(symbols->unpack, seen);
}

void trace_symbols_close(trace_symbols *symbols)
{
    if (!symbols)
        return;
    coded_close(symbols->coded);
    unpack_close(symbols->unpack);
    free(symbols->block);
    free(symbols);
}

void trace_symbols_start(trace_symbols *symbols, const trace_body *body)
{
    symbols->body = body;
    symbols->last = 0;
    symbols->again = symbols->at = symbols->count = 0;
    symbols->paths = 0;
    symbols->packed = symbols->records = 0;
    symbols->waits = false;
    coded_start(symbols->coded, body);
    trace_marks_start(&symbols->marks, body);
    if (symbols->unpack)
        unpack_start(symbols->unpack, body);
    if (!symbols->block)
        symbols->block = memory_grow(NULL, BLOCK, sizeof *symbols->block);
}

/* The paths of a pack are next. */
static void take_pack(trace_symbols *symbols, uint32_t number, uint32_t word)
{
    symbols->paths = unpack_paths(symbols->unpack, number, word, &symbols->path);
    if (!symbols->paths)
        coded_refuse(symbols->coded);
    symbols->packed += symbols->paths;
}

/* A record of a pack. Its word is in the frame's section of packs, or the next mark. */
static void begin_pack(trace_symbols *symbols, uint32_t number)
{
    uint32_t word;
    symbols->pack = number;
    symbols->records++;
    symbols->waits = !symbols->body->pack_bytes;
    if (symbols->waits)
        return;
    if (unpack_word(symbols->unpack, number, &word))
        take_pack(symbols, number, word);
    else
        coded_refuse(symbols->coded);
}

static void take_trips(trace_symbols *symbols, uint64_t trips)
{
    if (!symbols->last)
        coded_refuse(symbols->coded);
    else if (coded_replace(symbols->coded, trips))
        symbols->again = trips;
}

/* A mark that stands for paths. False: it is another one. */
static bool take_mark(trace_symbols *symbols)
{
    trace_mark mark;
    bool waits = symbols->waits, known = trace_marks_next(&symbols->marks, symbols->body, true, &mark);
    symbols->waits = false;
    if (waits != (known && mark.kind == WEFT_MARK_PACK) && symbols->unpack)
        coded_refuse(symbols->coded);
    else if (waits)
        take_pack(symbols, symbols->pack, (uint32_t)mark.argument);
    else if (known && mark.kind == WEFT_MARK_TRIPS)
        take_trips(symbols, mark.argument);
    else
        return known && mark.kind == WEFT_MARK_PACK;
    return true;
}

/* Such a coder may have no room for the mark after a record, which then is none, and comes again. */
static bool may_be_void(const trace_symbols *symbols)
{
    uint8_t coder = symbols->body->control_coder;
    return coder == WEFT_CONTROL_LOOPS || coder == WEFT_CONTROL_GRAMMAR;
}

/* The next symbol as the coder had it. False: there is none. */
static bool next_coded(trace_symbols *symbols, uint32_t *symbol)
{
    if (symbols->at == symbols->count) {
        symbols->at = 0;
        symbols->count = coded_read(symbols->coded, symbols->block, BLOCK);
    }
    if (symbols->at < symbols->count) {
        *symbol = symbols->block[symbols->at++];
        return true;
    }
    if ((symbols->waits && !may_be_void(symbols)) || (symbols->unpack && !unpack_done(symbols->unpack)))
        coded_refuse(symbols->coded);
    return false;
}

static size_t read_whole(trace_symbols *symbols, uint32_t *out, size_t max)
{
    size_t count = 0;
    uint32_t symbol;
    while (count < max && !coded_corrupt(symbols->coded)) {
        if (symbols->paths) {
            symbols->paths--;
            out[count++] = symbols->last = *symbols->path++ + WEFT_SYMBOL_PATH;
            continue;
        }
        if (symbols->again) {
            symbols->again--;
            out[count++] = symbols->last;
            continue;
        }
        if (!next_coded(symbols, &symbol))
            break;
        if (symbol == WEFT_SYMBOL_MARK && take_mark(symbols))
            continue;
        if (symbols->waits)
            coded_refuse(symbols->coded);
        if (symbol >= WEFT_SYMBOL_PATH && symbols->unpack && unpack_is(symbols->unpack, symbol - WEFT_SYMBOL_PATH)) {
            begin_pack(symbols, symbol - WEFT_SYMBOL_PATH);
            continue;
        }
        if (symbol >= WEFT_SYMBOL_PATH || symbol == WEFT_SYMBOL_CONTEXT)
            symbols->last = symbol;
        out[count++] = symbol;
    }
    return !coded_corrupt(symbols->coded) ? count : 0;
}

/* Most frames have neither trips nor packs. */
static bool has_more(const trace_symbols *symbols)
{
    return symbols->packed_program || symbols->body->packs || symbols->body->trips;
}

size_t trace_symbols_read(trace_symbols *symbols, uint32_t *out, size_t max)
{
    return has_more(symbols) ? read_whole(symbols, out, max) : coded_read(symbols->coded, out, max);
}

uint64_t trace_symbols_extra(const trace_symbols *symbols)
{
    return symbols->packed - symbols->records;
}

uint64_t trace_symbols_paths(trace_symbols *symbols, const trace_body *body, uint64_t *packed)
{
    uint32_t block[256];
    *packed = 0;
    if (!symbols->packed_program)
        return body->counts.paths;
    trace_symbols_start(symbols, body);
    while (trace_symbols_read(symbols, block, WEFT_COUNT(block)))
        ;
    *packed = symbols->packed;
    bool good = symbols->records <= body->counts.paths; /* else damaged */
    return good ? body->counts.paths - symbols->records + symbols->packed : body->counts.paths;
}

bool trace_symbols_corrupt(const trace_symbols *symbols)
{
    return coded_corrupt(symbols->coded);
}
