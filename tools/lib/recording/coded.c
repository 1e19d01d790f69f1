/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/coded.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/segment.h"
#include "tools/lib/recording/copies.h"
#include "tools/lib/recording/terms.h"

struct coded_symbols {
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
};

coded_symbols *coded_open(void)
{
    return memory_zero(1, sizeof(coded_symbols));
}

static void drop_grammar(coded_symbols *symbols)
{
    if (symbols->walk)
        grammar_walk_close(symbols->walk);
    if (symbols->grammar)
        grammar_free(symbols->grammar);
    symbols->walk = NULL;
    symbols->grammar = NULL;
}

void coded_close(coded_symbols *symbols)
{
    if (!symbols)
        return;
    drop_grammar(symbols);
    free(symbols->followers);
    copies_free(symbols->copies);
    free(symbols);
}

static void corrupt(weft_reader *reader)
{
    reader->status = WEFT_CORRUPT;
}

static void start_raw(coded_symbols *symbols, uint8_t log2)
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
static void start_copies(coded_symbols *symbols, uint8_t log2)
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
static void start_grammar(coded_symbols *symbols)
{
    symbols->grammar =
        grammar_segment_read(symbols->reader.bytes, symbols->reader.size, symbols->coder == WEFT_CONTROL_CODES);
    if (!symbols->grammar || symbols->grammar->length > symbols->left)
        corrupt(&symbols->reader);
    else
        symbols->walk = grammar_walk_open(symbols->grammar);
}

static bool is_copies(uint8_t coder)
{
    return coder == WEFT_CONTROL_COPIES || coder == WEFT_CONTROL_PACKS || coder == WEFT_CONTROL_WORDS;
}

void coded_start(coded_symbols *symbols, const trace_body *body)
{
    symbols->coder = body->control_coder;
    symbols->left = body->counts.paths + body->switches + body->escapes;
    terms_start(&symbols->terms, body->section[WEFT_REGION_CONTROL], body->size[WEFT_REGION_CONTROL]);
    drop_grammar(symbols);
    weft_reader_init(&symbols->reader, body->section[WEFT_REGION_CONTROL], body->size[WEFT_REGION_CONTROL]);
    if (is_copies(symbols->coder))
        start_copies(symbols, body->followers_log2);
    else
        start_raw(symbols, body->followers_log2);
    if (symbols->coder == WEFT_CONTROL_GRAMMAR || symbols->coder == WEFT_CONTROL_CODES)
        start_grammar(symbols);
}

static uint32_t symbol_of(coded_symbols *symbols, uint32_t path)
{
    if (path > UINT32_MAX - WEFT_SYMBOL_PATH)
        corrupt(&symbols->reader);
    return path + WEFT_SYMBOL_PATH;
}

/* The next path: `difference` from the predicted one. */
static uint32_t next_path(coded_symbols *symbols, uint32_t difference)
{
    symbols->before = symbols->followers[symbols->before & symbols->mask] += difference;
    return symbol_of(symbols, symbols->before);
}

static uint32_t escape(coded_symbols *symbols, uint32_t symbol)
{
    if (symbol >= WEFT_SYMBOL_PATH)
        corrupt(&symbols->reader);
    return symbol;
}

static size_t read_varints(coded_symbols *symbols, uint32_t *out, size_t max)
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

static size_t read_raw(coded_symbols *symbols, uint32_t *out, size_t max)
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

/* An item that is not a run. */
static uint32_t copied_item(coded_symbols *symbols, uint32_t first)
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
static void begin_run(coded_symbols *symbols, uint32_t first)
{
    weft_reader *reader = &symbols->reader;
    uint32_t count = first == WEFT_RUN_AGAIN || first == WEFT_RUN_LONG ? weft_read_varint(reader) : first;
    if (count == 0 || first & 0x80)
        corrupt(reader);
    *(first == WEFT_RUN_AGAIN ? &symbols->times : &symbols->run) = count;
}

static size_t read_copies(coded_symbols *symbols, uint32_t *out, size_t max)
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

static size_t read_terms(coded_symbols *symbols, uint32_t *out, size_t max)
{
    size_t count = terms_read(&symbols->terms, out, max);
    symbols->reader.status = symbols->terms.reader.status;
    return count;
}

size_t coded_read(coded_symbols *symbols, uint32_t *out, size_t max)
{
    weft_reader *reader = &symbols->reader;
    size_t count = 0;
    if (reader->status != WEFT_OK)
        return 0;
    if (symbols->coder == WEFT_CONTROL_RAW)
        count = read_raw(symbols, out, max);
    else if (is_copies(symbols->coder))
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

bool coded_replace(coded_symbols *symbols, uint64_t count)
{
    if (count > symbols->left)
        corrupt(&symbols->reader);
    else
        symbols->left -= count;
    return symbols->reader.status == WEFT_OK;
}

void coded_refuse(coded_symbols *symbols)
{
    corrupt(&symbols->reader);
}

bool coded_corrupt(const coded_symbols *symbols)
{
    return symbols->reader.status != WEFT_OK;
}
