/* SPDX-License-Identifier: MIT */
/* Numbers of a stream that are read near each other: the current block is kept decoded. For walks over a whole trace,
 * which read many streams in turn, each a number further every time. Private to the room. */
#ifndef WEFT_TOOLS_LIB_WET_TAP_H
#define WEFT_TOOLS_LIB_WET_TAP_H

#include "tools/lib/wet/file.h"

typedef struct wet_tap {
    const uint32_t *words; /* of the current block; of a constant the only one */
    uint32_t low, count;   /* the numbers that it has. 0: none; UINT32_MAX: a constant */
    uint32_t drops;        /* when it was taken */
    uint32_t stream;       /* WET_NONE: nothing may be read (a damaged file) */
    int32_t ahead;         /* bytes to what will be read soon: a line of the cache, in the direction of the walk */
} wet_tap;

static inline wet_tap wet_tap_make(uint32_t stream, bool forward)
{
    return (wet_tap){.stream = stream, .ahead = forward ? 64 : -64};
}

/* The block of a number comes to hand. */
uint32_t wet_tap_fetch(wet_file *f, wet_tap *t, uint32_t at);

/* Number `at`; of inferred streams too. */
static inline uint32_t wet_tap_get(wet_file *f, wet_tap *t, uint32_t at)
{
    uint32_t place = at - t->low;
    if (place >= t->count || t->drops != f->drops)
        return wet_tap_fetch(f, t, at);
    const uint32_t *word = t->words + (t->count == UINT32_MAX ? 0 : place);
    __builtin_prefetch((const void *)((uintptr_t)word + (uintptr_t)(intptr_t)t->ahead));
    return *word;
}

#endif
