/* SPDX-License-Identifier: MIT */
#include "tools/lib/symbol_source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool symbol_source_open(symbol_source *s, const char *path, input_format format, int64_t context, char *message,
                        size_t message_size)
{
    *s = (symbol_source){.format = format, .one_context = context >= 0, .context = (uint32_t)context};
    if (input_is_container(path)) {
        s->format = INPUT_U32;
        s->file = container_open(path, message, message_size);
        if (s->file)
            s->events = control_open(s->file);
        return s->file != NULL;
    }
    s->in = input_open(path, format);
    if (!s->in)
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
    return s->in != NULL;
}

void symbol_source_close(symbol_source *s)
{
    input_close(s->in);
    control_close(s->events);
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
        if (event.kind == CONTROL_PATH && (!s->one_context || event.context == s->context))
            symbols[count++] = event.path;
    return count;
}

const char *symbol_source_error(const symbol_source *s)
{
    return s->in ? input_error(s->in) : NULL;
}

bool symbol_source_gaps(const symbol_source *s, const char *command)
{
    if (!s->file || !container_gap_count(s->file))
        return false;
    container_print_gaps(s->file, command);
    return true;
}
