/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/record_memory.h"

#include <stdint.h>
#include <stdlib.h>

/* One allocation of many; all are freed together. */
typedef struct chunk {
    struct chunk *next;
    max_align_t data[];
} chunk;

void *record_take(record_memory *s, size_t count, size_t size)
{
    if (count > SIZE_MAX / 2 / size)
        return NULL;
    chunk *c = calloc(1, sizeof *c + count * size + 1);
    if (!c)
        return NULL;
    c->next = s->chunks;
    s->chunks = c;
    return c->data;
}

void record_memory_free(record_memory *s)
{
    while (s->chunks) {
        struct chunk *next = s->chunks->next;
        free(s->chunks);
        s->chunks = next;
    }
}
