/* SPDX-License-Identifier: MIT */
#include "tools/lib/input/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/grammar/runs.h"
#include "tools/lib/grammar/sequitur.h"
#include "tools/lib/input/is_container.h"
#include "tools/lib/input/terminals.h"
#include "tools/lib/recording/script.h"

/* False: one is named, and is not that of the container. */
static bool open_program(symbol_source *s, char *message, size_t message_size)
{
    const char *name = s->options.elf ? s->options.elf : s->options.unprinted;
    program *app = name ? program_open(name, message, message_size) : NULL;
    *(s->options.elf ? &s->app : &s->unprinted) = app;
    return !name || (app && program_fits(app, s->file, message, message_size));
}

static bool open_container(symbol_source *s, const char *path, char *message, size_t message_size)
{
    s->options.format = INPUT_U32;
    s->file = container_open(path, message, message_size);
    if (!s->file)
        return false;
    const char *without = container_without_paths(s->file);
    if (without) {
        snprintf(message, message_size, "%s: %s", path, without);
        return false;
    }
    if (!open_program(s, message, message_size))
        return false;
    if ((without = container_packed(s->file))) {
        snprintf(message, message_size, "%s: %s", path, without);
        return false;
    }
    s->events = control_open(s->file);
    s->named = s->app;
    if (s->app)
        s->where = path_places_of(s->app);
    return event_filter_open(&s->wanted, s->options.choice, s->file, s->app ? s->app : s->unprinted, message,
                             message_size);
}

bool symbol_source_open(symbol_source *s, const char *path, const symbol_options *options, char *message,
                        size_t message_size)
{
    *s = (symbol_source){.options = *options};
    if (input_is_container(path)) {
        bool well = open_container(s, path, message, message_size);
        if (!well)
            symbol_source_close(s);
        return well;
    }
    s->in = input_open(path, options->format);
    if (!s->in)
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
    return s->in != NULL;
}

void symbol_source_feed(symbol_source *s, symbol_feed feed, const symbol_options *options)
{
    *s = (symbol_source){.feed = feed, .options = *options, .named = options->elf, .where = feed.where};
    s->options.format = INPUT_U32;
}

void symbol_source_close(symbol_source *s)
{
    input_close(s->in);
    control_close(s->events);
    event_filter_close(&s->wanted);
    program_close(s->app);
    program_close(s->unprinted);
    if (s->file)
        container_close(s->file);
    *s = (symbol_source){.in = NULL};
}

size_t symbol_source_read(symbol_source *s, uint32_t *symbols, size_t max)
{
    control_event event;
    size_t count = 0;
    if (s->in)
        return input_symbols(s->in, symbols, max);
    if (s->feed.read)
        return s->feed.read(s->feed.own, symbols, max);
    while (count < max && control_next(s->events, &event))
        if (event.kind == CONTROL_GAP && s->options.gaps && s->begun)
            symbols[count++] = SYMBOL_GAP;
        else if (event.kind == CONTROL_PATH && event_filter_path(&s->wanted, event.context, event.path)) {
            symbols[count++] = event.path;
            s->begun = true;
        }
    return count;
}

enum { AT_ONCE = 1 << 16 }; /* symbols of a block */

/* One block is read while the grammar takes the one before. */
typedef struct taking {
    symbol_source *source;
    grammar_runs *counted; /* either of these */
    grammar_builder *plain;
    wpp_ahead *ahead;
    size_t known; /* symbols whose values `ahead` has */
    uint32_t *block[2];
    size_t count[2];
    unsigned fresh; /* the block that is read; the other is pushed */
} taking;

static void push_block(const taking *t)
{
    if (t->counted)
        grammar_runs_push(t->counted, t->block[!t->fresh], t->count[!t->fresh]);
    else
        grammar_push_numbered(t->plain, t->block[!t->fresh], t->count[!t->fresh]);
}

bool symbol_source_number(const symbol_source *s, uint32_t symbol, uint32_t *number)
{
    char buffer[24];
    int64_t value = symbol;
    if (s->in && (s->options.format == INPUT_TEXT || s->options.format == INPUT_I64) &&
        !terminals_is_number(input_name(s->in, symbol, buffer), &value))
        return false;
    *number = (uint32_t)value;
    return value >= 0 && value <= UINT32_MAX;
}

/* The block that was pushed, which has numbers now, goes to `ahead`. No block is read meanwhile, since the values of
 * symbols may be among the names that are read. */
static void pass_on(taking *t)
{
    size_t count;
    const uint32_t *symbols = grammar_builder_terminals(t->plain, &count);
    uint32_t value;
    for (; t->known < count; t->known++)
        if (symbol_source_number(t->source, symbols[t->known], &value))
            wpp_ahead_value(t->ahead, value);
        else
            wpp_ahead_drop(t->ahead);
    wpp_ahead_push(t->ahead, t->block[!t->fresh], t->count[!t->fresh], grammar_builder_elements(t->plain));
}

static void read_or_push(void *own, size_t part)
{
    taking *t = own;
    if (part == 0)
        t->count[t->fresh] = symbol_source_read(t->source, t->block[t->fresh], AT_ONCE);
    else
        push_block(t);
}

/* What is short is not worth a thread. */
static void read_and_push(taking *t)
{
    bool full = t->count[!t->fresh] == AT_ONCE;
    if (!full && t->count[!t->fresh])
        push_block(t);
    threads_run(full ? 2 : 1, read_or_push, t);
    if (t->ahead)
        pass_on(t);
}

grammar *symbol_source_grammar(symbol_source *s, bool lookahead, bool runs, wpp_ahead *ahead)
{
    taking t = {.source = s, .ahead = ahead};
    uint64_t done = 0;
    t.counted = runs ? grammar_runs_new() : NULL;
    t.plain = runs ? NULL : grammar_builder_new(lookahead);
    for (unsigned i = 0; i < 2; i++)
        t.block[i] = memory_grow(NULL, AT_ONCE, sizeof *t.block[i]);
    do {
        read_and_push(&t);
        progress_show(done += t.count[t.fresh], "symbols");
        t.fresh = !t.fresh;
    } while (t.count[!t.fresh]);
    progress_end();
    free(t.block[0]);
    free(t.block[1]);
    return runs ? grammar_runs_finish(t.counted) : grammar_finish(t.plain);
}

const char *symbol_source_error(const symbol_source *s)
{
    return s->in ? input_error(s->in) : NULL;
}

bool symbol_source_gaps(const symbol_source *s, const char *command)
{
    return s->file && control_print_gaps(s->file, control_unread(s->events), command);
}
