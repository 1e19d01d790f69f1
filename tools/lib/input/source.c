/* SPDX-License-Identifier: MIT */
#include "tools/lib/input/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/progress.h"
#include "tools/lib/grammar/runs.h"
#include "tools/lib/grammar/sequitur.h"
#include "tools/lib/recording/script.h"

/* False: one is named, and is not that of the container. */
static bool open_program(symbol_source *s, char *message, size_t message_size)
{
    const char *name = s->options.elf ? s->options.elf : s->options.unpack;
    program *app = name ? program_open(name, message, message_size) : NULL;
    *(s->options.elf ? &s->app : &s->packs) = app;
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
    return event_filter_open(&s->wanted, s->options.choice, s->file, s->app, message, message_size);
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

void symbol_source_close(symbol_source *s)
{
    input_close(s->in);
    control_close(s->events);
    event_filter_close(&s->wanted);
    program_close(s->app);
    program_close(s->packs);
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
    while (count < max && control_next(s->events, &event))
        if (event.kind == CONTROL_GAP && s->options.gaps && s->begun)
            symbols[count++] = SYMBOL_GAP;
        else if (event.kind == CONTROL_PATH && event_filter_path(&s->wanted, event.context, event.path)) {
            symbols[count++] = event.path;
            s->begun = true;
        }
    return count;
}

grammar *symbol_source_grammar(symbol_source *s, bool lookahead, bool runs)
{
    static uint32_t block[8192];
    grammar_runs *counted = runs ? grammar_runs_new() : NULL;
    grammar_builder *plain = runs ? NULL : grammar_builder_new(lookahead);
    size_t size;
    uint64_t done = 0;
    while ((size = symbol_source_read(s, block, sizeof block / sizeof *block)) > 0) {
        if (runs)
            grammar_runs_push(counted, block, size);
        else
            grammar_push(plain, block, size);
        progress_show(done += size, "symbols");
    }
    progress_end();
    return runs ? grammar_runs_finish(counted) : grammar_finish(plain);
}

const char *symbol_source_error(const symbol_source *s)
{
    return s->in ? input_error(s->in) : NULL;
}

bool symbol_source_gaps(const symbol_source *s, const char *command)
{
    return s->file && control_print_gaps(s->file, control_unread(s->events), command);
}
