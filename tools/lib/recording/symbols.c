/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/segment.h"
#include "tools/lib/recording/copies.h"
#include "tools/lib/recording/terms.h"
#include "tools/lib/recording/unpack.h"

struct trace_symbols {
    uint8_t coder;
    weft_reader reader;
    uint64_t left;      /* symbols that may still come: no more than the counts of the frame say */
    terms_reader terms; /* of the loops coder */
    grammar *grammar;   /* of the grammar coder's segment */
    grammar_walk *walk;
    uint32_t *followers; /* of the raw coder without copies */
    size_t followers_max;
    uint32_t mask, before;
    copies *copies;
    uint32_t run;   /* predicted paths to come */
    uint32_t times; /* times that the path before still comes */
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

trace_symbols *trace_symbols_open(const descriptors *known)
{
    trace_symbols *symbols = memory_zero(1, sizeof *symbols);
    symbols->unpack = known ? unpack_open(known) : NULL;
    symbols->packed_program = known && known->packed;
    return symbols;
}

static void drop_grammar(trace_symbols *symbols)
{
    if (symbols->walk)
        grammar_walk_close(symbols->walk);
    if (symbols->grammar)
        grammar_free(symbols->grammar);
    symbols->walk = NULL;
    symbols->grammar = NULL;
}

void trace_symbols_close(trace_symbols *symbols)
{
    if (!symbols)
        return;
    drop_grammar(symbols);
    free(symbols->followers);
    copies_free(symbols->copies);
    unpack_close(symbols->unpack);
    free(symbols->block);
    free(symbols);
}

static void corrupt(weft_reader *reader)
{
    reader->status = WEFT_CORRUPT;
}

static void start_raw(trace_symbols *symbols, uint8_t log2)
{
    size_t count = (size_t)1 << log2;
    if (count > symbols->followers_max) {
        symbols->followers = memory_grow(symbols->followers, count, sizeof *symbols->followers);
        symbols->followers_max = count;
    }
    memset(symbols->followers, 0, count * sizeof *symbols->followers);
    symbols->mask = (uint32_t)count - 1;
    symbols->before = 0;
    symbols->run = 0;
}

/* Fewer places than there can be are corrupt. */
static void start_copies(trace_symbols *symbols, uint8_t log2)
{
    if ((size_t)1 << log2 < WEFT_HISTORY_PLACES_MIN) {
        corrupt(&symbols->reader);
        return;
    }
    if (!symbols->copies)
        symbols->copies = copies_new();
    copies_start(symbols->copies, log2);
    symbols->run = symbols->times = 0;
}

/* Reads the segment. One that expands to more symbols than the counts of the frame say is refused before it expands. */
static void start_grammar(trace_symbols *symbols)
{
    symbols->grammar =
        grammar_segment_read(symbols->reader.bytes, symbols->reader.size, symbols->coder == WEFT_CONTROL_CODES);
    if (!symbols->grammar || symbols->grammar->length > symbols->left)
        corrupt(&symbols->reader);
    else
        symbols->walk = grammar_walk_open(symbols->grammar);
}

void trace_symbols_start(trace_symbols *symbols, const trace_body *body)
{
    symbols->coder = body->control_coder;
    symbols->left = body->counts.paths + body->switches + body->escapes;
    symbols->body = body;
    symbols->last = 0;
    symbols->again = symbols->at = symbols->count = 0;
    symbols->paths = 0;
    symbols->packed = symbols->records = 0;
    symbols->waits = false;
    trace_marks_start(&symbols->marks, body);
    if (symbols->unpack)
        unpack_start(symbols->unpack, body);
    if (!symbols->block)
        symbols->block = memory_grow(NULL, BLOCK, sizeof *symbols->block);
    terms_start(&symbols->terms, body->section[WEFT_REGION_CONTROL], body->size[WEFT_REGION_CONTROL]);
    drop_grammar(symbols);
    weft_reader_init(&symbols->reader, body->section[WEFT_REGION_CONTROL], body->size[WEFT_REGION_CONTROL]);
    if (symbols->coder == WEFT_CONTROL_COPIES || symbols->coder == WEFT_CONTROL_PACKS)
        start_copies(symbols, body->followers_log2);
    else
        start_raw(symbols, body->followers_log2);
    if (symbols->coder == WEFT_CONTROL_GRAMMAR || symbols->coder == WEFT_CONTROL_CODES)
        start_grammar(symbols);
}

static uint32_t symbol_of(trace_symbols *symbols, uint32_t path)
{
    if (path > UINT32_MAX - WEFT_SYMBOL_PATH)
        corrupt(&symbols->reader);
    return path + WEFT_SYMBOL_PATH;
}

/* The next path: `difference` from the predicted one. */
static uint32_t next_path(trace_symbols *symbols, uint32_t difference)
{
    symbols->before = symbols->followers[symbols->before & symbols->mask] += difference;
    return symbol_of(symbols, symbols->before);
}

static uint32_t escape(trace_symbols *symbols, uint32_t symbol)
{
    if (symbol >= WEFT_SYMBOL_PATH)
        corrupt(&symbols->reader);
    return symbol;
}

static size_t read_varints(trace_symbols *symbols, uint32_t *out, size_t max)
{
    weft_reader *reader = &symbols->reader;
    size_t count = 0;
    while (count < max && reader->at < reader->size && reader->status == WEFT_OK) {
        const uint8_t *at = reader->bytes + reader->at;
        if (*at >= 0x80 && reader->size - reader->at > 1 && at[1] == 0) { /* not a path */
            reader->at += 2;
            out[count++] = escape(symbols, *at & 0x7fu);
        } else {
            uint32_t code = weft_read_varint(reader);
            out[count++] = next_path(symbols, (uint32_t)weft_unzigzag(code - 1));
        }
    }
    return count;
}

static size_t read_raw(trace_symbols *symbols, uint32_t *out, size_t max)
{
    weft_reader *reader = &symbols->reader;
    size_t count = 0;
    while (count < max && reader->status == WEFT_OK) {
        if (symbols->run) {
            symbols->run--;
            out[count++] = next_path(symbols, 0);
            continue;
        }
        if (reader->at == reader->size)
            break;
        uint32_t first = weft_read_u8(reader), code = first & (WEFT_CODE_OTHER - 1);
        if (first & 0x80)
            code |= weft_read_varint(reader) << 6;
        if (first == WEFT_CODE_OTHER) {
            out[count++] = escape(symbols, weft_read_u8(reader) - 1u);
        } else if (first & WEFT_CODE_OTHER) {
            out[count++] = next_path(symbols, (uint32_t)weft_unzigzag(code));
        } else {
            symbols->run = first == WEFT_RUN_LONG ? weft_read_varint(reader) : first;
            if (symbols->run == 0 || first & 0x80)
                corrupt(reader);
        }
    }
    return count;
}

/* An item that is no run. */
static uint32_t copied_item(trace_symbols *symbols, uint32_t first)
{
    weft_reader *reader = &symbols->reader;
    uint32_t code = first & (WEFT_CODE_OTHER - 1);
    if (first & 0x80)
        code |= weft_read_varint(reader) << 6;
    if (first != WEFT_CODE_OTHER)
        return symbol_of(symbols, copies_other(symbols->copies, (uint32_t)weft_unzigzag(code)));
    uint32_t symbol = escape(symbols, weft_read_u8(reader) - 1u);
    if (symbol == WEFT_SYMBOL_CONTEXT)
        copies_switch(symbols->copies);
    return symbol;
}

/* The head of a run of predicted paths, or of the path before. */
static void begin_run(trace_symbols *symbols, uint32_t first)
{
    weft_reader *reader = &symbols->reader;
    uint32_t count = first == WEFT_RUN_AGAIN || first == WEFT_RUN_LONG ? weft_read_varint(reader) : first;
    if (count == 0 || first & 0x80)
        corrupt(reader);
    *(first == WEFT_RUN_AGAIN ? &symbols->times : &symbols->run) = count;
}

static size_t read_copies(trace_symbols *symbols, uint32_t *out, size_t max)
{
    weft_reader *reader = &symbols->reader;
    size_t count = 0;
    while (count < max && reader->status == WEFT_OK) {
        if (symbols->run) {
            symbols->run--;
            out[count++] = symbol_of(symbols, copies_predicted(symbols->copies));
        } else if (symbols->times) {
            symbols->times--;
            out[count++] = symbol_of(symbols, copies_last(symbols->copies));
        } else if (reader->at == reader->size) {
            break;
        } else {
            uint32_t first = weft_read_u8(reader);
            if (first & WEFT_CODE_OTHER)
                out[count++] = copied_item(symbols, first);
            else
                begin_run(symbols, first);
        }
    }
    return count;
}

static size_t read_terms(trace_symbols *symbols, uint32_t *out, size_t max)
{
    size_t count = terms_read(&symbols->terms, out, max);
    symbols->reader.status = symbols->terms.reader.status;
    return count;
}

/* The symbols as the coder had them. */
static size_t read_coded(trace_symbols *symbols, uint32_t *out, size_t max)
{
    weft_reader *reader = &symbols->reader;
    size_t count = 0;
    if (reader->status != WEFT_OK)
        return 0;
    if (symbols->coder == WEFT_CONTROL_RAW)
        count = read_raw(symbols, out, max);
    else if (symbols->coder == WEFT_CONTROL_COPIES || symbols->coder == WEFT_CONTROL_PACKS)
        count = read_copies(symbols, out, max);
    else if (symbols->coder == WEFT_CONTROL_VARINTS)
        count = read_varints(symbols, out, max);
    else if (symbols->coder == WEFT_CONTROL_LOOPS)
        count = read_terms(symbols, out, max);
    else if (symbols->walk)
        count = grammar_walk_read(symbols->walk, out, max);
    else
        corrupt(reader);
    if (count > symbols->left)
        corrupt(reader);
    symbols->left -= count;
    return reader->status == WEFT_OK ? count : 0;
}

/* The paths of a pack are next. */
static void take_pack(trace_symbols *symbols, uint32_t number, uint32_t word)
{
    symbols->paths = unpack_paths(symbols->unpack, number, word, &symbols->path);
    if (!symbols->paths)
        corrupt(&symbols->reader);
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
        corrupt(&symbols->reader);
}

static void take_trips(trace_symbols *symbols, uint64_t trips)
{
    if (!symbols->last || trips > symbols->left)
        corrupt(&symbols->reader);
    else
        symbols->left -= symbols->again = trips;
}

/* A mark that stands for paths. False: it is another one. */
static bool take_mark(trace_symbols *symbols)
{
    trace_mark mark;
    bool waits = symbols->waits, known = trace_marks_next(&symbols->marks, symbols->body, true, &mark);
    symbols->waits = false;
    if (waits != (known && mark.kind == WEFT_MARK_PACK) && symbols->unpack)
        corrupt(&symbols->reader);
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
    return symbols->coder == WEFT_CONTROL_LOOPS || symbols->coder == WEFT_CONTROL_GRAMMAR;
}

/* The next symbol as the coder had it. False: there is none. */
static bool next_coded(trace_symbols *symbols, uint32_t *symbol)
{
    if (symbols->at == symbols->count) {
        symbols->at = 0;
        symbols->count = read_coded(symbols, symbols->block, BLOCK);
    }
    if (symbols->at < symbols->count) {
        *symbol = symbols->block[symbols->at++];
        return true;
    }
    if ((symbols->waits && !may_be_void(symbols)) || (symbols->unpack && !unpack_done(symbols->unpack)))
        corrupt(&symbols->reader);
    return false;
}

static size_t read_whole(trace_symbols *symbols, uint32_t *out, size_t max)
{
    size_t count = 0;
    uint32_t symbol;
    while (count < max && symbols->reader.status == WEFT_OK) {
        if (symbols->paths) {
            symbols->paths--;
            out[count++] = symbols->last = symbol_of(symbols, *symbols->path++);
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
            corrupt(&symbols->reader);
        if (symbol >= WEFT_SYMBOL_PATH && symbols->unpack && unpack_is(symbols->unpack, symbol - WEFT_SYMBOL_PATH)) {
            begin_pack(symbols, symbol - WEFT_SYMBOL_PATH);
            continue;
        }
        if (symbol >= WEFT_SYMBOL_PATH || symbol == WEFT_SYMBOL_CONTEXT)
            symbols->last = symbol;
        out[count++] = symbol;
    }
    return symbols->reader.status == WEFT_OK ? count : 0;
}

/* Most frames have neither trips nor packs. */
static bool has_more(const trace_symbols *symbols)
{
    return symbols->packed_program || symbols->body->packs || symbols->body->trips;
}

size_t trace_symbols_read(trace_symbols *symbols, uint32_t *out, size_t max)
{
    return has_more(symbols) ? read_whole(symbols, out, max) : read_coded(symbols, out, max);
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
    return body->counts.paths + trace_symbols_extra(symbols);
}

bool trace_symbols_corrupt(const trace_symbols *symbols)
{
    return symbols->reader.status != WEFT_OK;
}
