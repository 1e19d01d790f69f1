/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "core/loopnest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/segment.h"

enum { LOOPS_DEPTH_MAX = 64 };

/* A loop that is being run through. */
typedef struct loop_level {
    size_t body;          /* where its first term is */
    size_t resume;        /* where reading goes on behind it; 0: behind its body */
    uint64_t terms, left; /* of the body; of this iteration */
    uint32_t iterations;  /* this one included */
} loop_level;

typedef struct loops {
    loop_level level[LOOPS_DEPTH_MAX];
    unsigned depth;
    size_t last_body; /* of the last loop of the outermost level, for progress terms */
    uint64_t last_terms;
} loops;

struct trace_symbols {
    uint8_t coder;
    weft_reader reader;
    uint64_t left; /* symbols that may still come: no frame is larger than its head says */
    loops loops;
    grammar *grammar; /* of the grammar coder's segment */
    grammar_walk *walk;
    uint32_t *followers; /* of the raw coder */
    size_t followers_max;
    uint32_t mask, path;
    uint32_t run; /* foreseen paths to come */
};

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

/* Reads the segment; an expansion longer than the head says is refused before it begins. */
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
    symbols->left = body->counts.paths + body->switches;
    start_raw(symbols, body->followers_log2);
    symbols->loops.depth = 0;
    symbols->loops.last_terms = 0;
    drop_grammar(symbols);
    weft_reader_init(&symbols->reader, body->section[WEFT_REGION_CONTROL], body->size[WEFT_REGION_CONTROL]);
    if (symbols->coder == WEFT_CONTROL_GRAMMAR || symbols->coder == WEFT_CONTROL_CODES)
        start_grammar(symbols);
}

/* The next path: `difference` from the foreseen one. */
static uint32_t next_path(trace_symbols *symbols, uint32_t difference)
{
    symbols->path = symbols->followers[symbols->path & symbols->mask] += difference;
    if (symbols->path > UINT32_MAX - WEFT_SYMBOL_PATH)
        corrupt(&symbols->reader);
    return symbols->path + WEFT_SYMBOL_PATH;
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
        if (*at >= 0x80 && reader->size - reader->at > 1 && at[1] == 0) { /* no path */
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

static void open_loop(loops *l, weft_reader *reader, size_t body, size_t resume, uint64_t terms, uint32_t iterations)
{
    if (l->depth == LOOPS_DEPTH_MAX || iterations == 0 || terms == 0) {
        corrupt(reader);
        return;
    }
    l->level[l->depth++] = (loop_level){body, resume, terms, terms, iterations};
    reader->at = body;
}

/* At the end of a body: the next iteration, or what stands behind the loop. */
static void close_body(loops *l, weft_reader *reader)
{
    loop_level *level = &l->level[l->depth - 1];
    if (--level->iterations) {
        level->left = level->terms;
        reader->at = level->body;
        return;
    }
    if (--l->depth == 0) {
        l->last_body = level->body;
        l->last_terms = level->terms;
    }
    if (level->resume)
        reader->at = level->resume;
}

/* The written terms are at weft_loopnest_push. */
static size_t read_loops(loops *l, weft_reader *reader, uint32_t *out, size_t max)
{
    size_t count = 0;
    while (count < max && reader->status == WEFT_OK) {
        if (l->depth && l->level[l->depth - 1].left == 0) {
            close_body(l, reader);
            continue;
        }
        if (l->depth == 0 && reader->at == reader->size)
            break;
        uint64_t word = weft_read_varint64(reader);
        if (word == 1) { /* the last outermost loop went on */
            uint32_t more = weft_read_varint(reader);
            if (l->depth)
                corrupt(reader);
            else
                open_loop(l, reader, l->last_body, reader->at, l->last_terms, more);
            continue;
        }
        if (l->depth)
            l->level[l->depth - 1].left--;
        if (word & 1) {
            uint32_t iterations = weft_read_varint(reader);
            open_loop(l, reader, reader->at, 0, word >> 1, iterations);
        } else if (word >> 33) {
            corrupt(reader);
        } else if (reader->status == WEFT_OK) {
            out[count++] = (uint32_t)(word >> 1);
        }
    }
    return count;
}

size_t trace_symbols_read(trace_symbols *symbols, uint32_t *out, size_t max)
{
    weft_reader *reader = &symbols->reader;
    size_t count = 0;
    if (reader->status != WEFT_OK)
        return 0;
    if (symbols->coder == WEFT_CONTROL_RAW)
        count = read_raw(symbols, out, max);
    else if (symbols->coder == WEFT_CONTROL_VARINTS)
        count = read_varints(symbols, out, max);
    else if (symbols->coder == WEFT_CONTROL_LOOPS)
        count = read_loops(&symbols->loops, reader, out, max);
    else if (symbols->walk)
        count = grammar_walk_read(symbols->walk, out, max);
    else
        corrupt(reader);
    if (count > symbols->left)
        corrupt(reader);
    symbols->left -= count;
    return reader->status == WEFT_OK ? count : 0;
}

bool trace_symbols_corrupt(const trace_symbols *symbols)
{
    return symbols->reader.status != WEFT_OK;
}
