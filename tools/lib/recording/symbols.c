/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/segment.h"
#include "tools/lib/recording/copies.h"
#include "tools/lib/recording/terms.h"

struct trace_symbols {
    uint8_t coder;
    weft_reader reader;
    uint64_t left;      /* symbols that may still come: no more than the counts of the frame say */
    terms_reader terms; /* of the loops coder */
    grammar *grammar;   /* of the grammar coder's segment */
    grammar_walk *walk;
    uint32_t *followers; /* of the raw coder without copies */
    size_t followers_max;
    uint32_t mask, path;
    copies *copies;
    uint32_t run;   /* predicted paths to come */
    uint32_t times; /* times that the path before still comes */
    const trace_body *body;
    weft_reader marks; /* for trips */
    uint32_t last;     /* symbol of the stretch that is a path; 0: none */
    uint64_t again;    /* times that it still comes */
    uint32_t *block;   /* symbols of a frame that has trips, before these are paths */
    size_t at, count;
};

enum { BLOCK = 1024 };

trace_symbols *trace_symbols_open(void)
{
    return memory_zero(1, sizeof(trace_symbols));
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
    symbols->path = 0;
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
    trace_marks_start(&symbols->marks, body);
    if (body->trips && !symbols->block)
        symbols->block = memory_grow(NULL, BLOCK, sizeof *symbols->block);
    terms_start(&symbols->terms, body->section[WEFT_REGION_CONTROL], body->size[WEFT_REGION_CONTROL]);
    drop_grammar(symbols);
    weft_reader_init(&symbols->reader, body->section[WEFT_REGION_CONTROL], body->size[WEFT_REGION_CONTROL]);
    if (symbols->coder == WEFT_CONTROL_COPIES)
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
    symbols->path = symbols->followers[symbols->path & symbols->mask] += difference;
    return symbol_of(symbols, symbols->path);
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
    else if (symbols->coder == WEFT_CONTROL_COPIES)
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

/* A mark: trips become paths. False: it is another one. */
static bool take_trips(trace_symbols *symbols)
{
    trace_mark mark;
    if (!trace_marks_next(&symbols->marks, symbols->body, true, &mark) || mark.kind != WEFT_MARK_TRIPS)
        return false;
    if (!symbols->last || mark.argument > symbols->left)
        corrupt(&symbols->reader);
    else
        symbols->left -= symbols->again = mark.argument;
    return true;
}

static size_t read_with_trips(trace_symbols *symbols, uint32_t *out, size_t max)
{
    size_t count = 0;
    while (count < max && symbols->reader.status == WEFT_OK) {
        if (symbols->again) {
            symbols->again--;
            out[count++] = symbols->last;
            continue;
        }
        if (symbols->at == symbols->count) {
            symbols->at = 0;
            symbols->count = read_coded(symbols, symbols->block, BLOCK);
            if (symbols->count == 0)
                break;
        }
        uint32_t symbol = symbols->block[symbols->at++];
        if (symbol == WEFT_SYMBOL_MARK && take_trips(symbols))
            continue;
        if (symbol >= WEFT_SYMBOL_PATH || symbol == WEFT_SYMBOL_CONTEXT)
            symbols->last = symbol;
        out[count++] = symbol;
    }
    return symbols->reader.status == WEFT_OK ? count : 0;
}

size_t trace_symbols_read(trace_symbols *symbols, uint32_t *out, size_t max)
{
    return symbols->body->trips ? read_with_trips(symbols, out, max) : read_coded(symbols, out, max);
}

bool trace_symbols_corrupt(const trace_symbols *symbols)
{
    return symbols->reader.status != WEFT_OK;
}
