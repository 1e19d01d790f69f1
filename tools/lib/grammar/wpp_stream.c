/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/wpp_stream.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/grammar/sequitur.h"
#include "tools/lib/grammar/wpp_model.h"

void wpp_stream_write(bit_coder *c, const grammar *g)
{
    predictor *p = wpp_predictor_new(c, g->length, false);
    grammar_walk *walk = grammar_walk_open(g);
    uint32_t block[4096];
    size_t count;
    uint64_t done = 0;
    while ((count = grammar_walk_terminals(walk, block, sizeof block / sizeof *block)) > 0) {
        wpp_model_write(p, block, count, g->terminals);
        progress_show(done += count, "symbols written");
    }
    progress_end();
    grammar_walk_close(walk);
    wpp_predictor_free(p);
}

/* ---- reading ---- */

enum { READ_AT_ONCE = 1 << 16 }; /* symbols of a block */

/* One block is read while the one before is taken. */
typedef struct reading {
    predictor *p;
    grammar_emit *take;
    void *context;
    uint64_t left;
    uint32_t block[2][READ_AT_ONCE];
    size_t count[2];
    unsigned fresh; /* the block that is read; the other is taken */
    bool well;      /* the bits are */
    bool on;        /* more is wanted */
} reading;

static void read_block(reading *r)
{
    size_t wanted = r->left < READ_AT_ONCE ? (size_t)r->left : READ_AT_ONCE;
    r->count[r->fresh] = r->well ? wpp_model_read(r->p, r->block[r->fresh], wanted) : 0;
    r->well = r->well && r->count[r->fresh] == wanted;
    r->left -= r->count[r->fresh];
}

static void read_or_take(void *own, size_t part)
{
    reading *r = own;
    if (part == 0)
        read_block(r);
    else
        r->on = r->take(r->context, r->block[!r->fresh], r->count[!r->fresh]);
}

/* False: the bits are damaged. `show`: a progress line. */
static bool read_all(bit_coder *c, uint64_t length, bool old, grammar_emit *take, void *context,
                     void (*show)(uint64_t done, const char *things))
{
    reading *r = memory_zero(1, sizeof *r);
    r->p = wpp_predictor_new(c, length, old);
    r->take = take;
    r->context = context;
    r->left = length;
    r->well = r->on = true;
    while (r->on && ((r->left && r->well) || r->count[!r->fresh])) {
        if (r->left) {
            threads_run(r->count[!r->fresh] ? 2 : 1, read_or_take, r);
        } else { /* the last block */
            read_or_take(r, 0);
            read_or_take(r, 1);
        }
        r->fresh = !r->fresh;
        show(length - r->left, "symbols read");
    }
    progress_end();
    bool well = r->well;
    wpp_predictor_free(r->p);
    free(r);
    return well;
}

bool wpp_stream_expand(bit_coder *c, uint64_t length, bool old, grammar_emit *emit, void *context)
{
    return read_all(c, length, old, emit, context, progress_printed);
}

static bool push(void *context, const uint32_t *symbols, size_t count)
{
    grammar_push(context, symbols, count);
    return true;
}

grammar *wpp_stream_read(bit_coder *c, uint64_t length, bool lookahead, bool old)
{
    grammar_builder *builder = grammar_builder_new(lookahead);
    bool well = read_all(c, length, old, push, builder, progress_show);
    grammar *g = grammar_finish(builder);
    if (well)
        return g;
    grammar_free(g);
    return NULL;
}
