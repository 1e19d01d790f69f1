/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/window.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

enum { WINDOW = 1 << 16 /* symbols */ };

void window_open(frame_window *w, const container *file)
{
    *w = (frame_window){.decoder = trace_symbols_open(container_packs_of(file)),
                        .symbol = memory_grow(NULL, WINDOW, sizeof(uint32_t))};
}

void window_close(frame_window *w)
{
    trace_symbols_close(w->decoder);
    free(w->symbol);
    free(w->buffer);
}

void window_load(frame_window *w, const container *file, size_t index)
{
    if (w->full && w->index == index)
        return;
    container_read(file, index, &w->frame, &w->buffer);
    (void)trace_parse(&w->frame.frame, &w->body); /* the container checked it */
    trace_symbols_start(w->decoder, &w->body);
    w->first = w->count = 0;
    w->index = index;
    w->full = true;
}

bool window_symbol(frame_window *w, uint64_t number, uint32_t *symbol)
{
    if (number < w->first) {
        trace_symbols_start(w->decoder, &w->body);
        w->first = w->count = 0;
    }
    while (number >= w->first + w->count) {
        size_t count = trace_symbols_read(w->decoder, w->symbol, WINDOW);
        if (count == 0)
            return false; /* the window stays the last one */
        w->first += w->count;
        w->count = count;
    }
    *symbol = w->symbol[number - w->first];
    return true;
}

bool place_start(place *at, frame_window *window)
{
    at->window = window;
    at->symbol = 0;
    trace_stretches_init(&at->stretches, &window->body);
    trace_marks_start(&at->marks, &window->body);
    return trace_stretches_next(&at->stretches, &at->stretch);
}
