/* SPDX-License-Identifier: MIT */
/* Lines made from items on all cores: one thread fetches items, in order, while the others make lines of those that
 * were fetched before. They are written in order, so the bytes are the same with any number of threads.
 *
 *     lines_source source = {.own = mine, .item_size = sizeof (item), .fetch = fetch, .put = put};
 *     lines_made(&source, json); */
#ifndef WEFT_TOOLS_WEFT_LINES_MADE_H
#define WEFT_TOOLS_WEFT_LINES_MADE_H

#include "tools/weft/lines.h"

typedef struct lines_source {
    void *own;
    size_t item_size;
    /* The next items, `max` at most. 0: the end. One call at a time. */
    size_t (*fetch)(void *own, void *items, size_t max);
    /* Appends the lines of one item. Calls for different items at the same time; so it changes nothing of `own`. */
    void (*put)(const void *own, out *o, const void *item);
} lines_source;

/* Writes the lines of all items to standard output. */
void lines_made(const lines_source *source, bool json);

#endif
