/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/copies.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { NOWHERE = -1 };

struct copies {
    uint32_t *ring; /* as the recorder's, exception 0 everywhere */
    int32_t *found;
    size_t places_max;
    uint32_t places;
    uint32_t to;           /* where the next path goes */
    int32_t source, other; /* or NOWHERE */
    uint32_t last;
};

copies *copies_new(void)
{
    return memory_zero(1, sizeof(copies));
}

void copies_free(copies *c)
{
    if (!c)
        return;
    free(c->ring);
    free(c->found);
    free(c);
}

void copies_start(copies *c, uint8_t log2)
{
    c->places = (uint32_t)1 << log2;
    if (c->places > c->places_max) {
        c->ring = memory_grow(c->ring, c->places, sizeof *c->ring);
        c->found = memory_grow(c->found, c->places / 4, sizeof *c->found);
        c->places_max = c->places;
    }
    memset(c->found, 0xff, c->places / 4 * sizeof *c->found);
    c->to = c->last = 0;
    c->source = c->other = NOWHERE;
}

static int32_t after(const copies *c, int32_t place)
{
    return (uint32_t)place + 1 == c->places ? 0 : place + 1;
}

/* No path stands in the place where the next one goes. */
static void put(copies *c, uint32_t word)
{
    c->ring[c->to] = word;
    c->to = (uint32_t)after(c, (int32_t)c->to);
    c->ring[c->to] = WEFT_HISTORY_NONE;
}

static bool has_source(const copies *c)
{
    return c->source != NOWHERE && c->ring[c->source] != WEFT_HISTORY_NONE;
}

static uint32_t predicted(const copies *c)
{
    return has_source(c) ? c->ring[c->source] : c->last;
}

uint32_t copies_predicted(copies *c)
{
    c->last = predicted(c);
    c->source = has_source(c) ? after(c, c->source) : (int32_t)c->to;
    put(c, weft_history_word(0, c->last));
    return c->last;
}

uint32_t copies_other(copies *c, uint32_t difference)
{
    uint32_t path = c->last = predicted(c) + difference;
    c->source = (int32_t)c->to;
    if (path < WEFT_HISTORY_PATH_MASK) {
        int32_t *found = &c->found[path & (c->places / 4 - 1)];
        if (*found != NOWHERE && c->ring[*found] == path)
            c->source = after(c, *found);
        *found = (int32_t)c->to;
    }
    put(c, weft_history_word(0, path));
    return path;
}

void copies_switch(copies *c)
{
    int32_t source = c->source;
    c->source = c->other;
    c->other = source;
    put(c, WEFT_HISTORY_NONE);
}

uint32_t copies_last(const copies *c)
{
    return c->last;
}
