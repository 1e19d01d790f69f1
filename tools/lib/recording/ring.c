/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/recording/ring.h"

#include <string.h>

#include "core/frame.h"

static const char magic[8] = {'W', 'E', 'F', 'T', 'R', 'I', 'N', 'G'};

bool ram_ring_read(ram_ring *ring, const uint8_t *head)
{
    weft_reader r;
    weft_reader_init(&r, head + sizeof magic, RAM_RING_HEAD - sizeof magic);
    uint32_t version = weft_read_u32(&r);
    ring->size = weft_read_u32(&r);
    ring->start = weft_read_u32(&r);
    ring->end = weft_read_u32(&r);
    return !memcmp(head, magic, sizeof magic) && version == 1 && ring->size <= RAM_RING_MAX &&
           ring->start < ring->size && ring->end < ring->size;
}

size_t ram_ring_find(ram_ring *ring, const uint8_t *image, size_t size, size_t from)
{
    const uint8_t *end = image + size, *at = image + from;
    while ((at = memmem(at, (size_t)(end - at), magic, sizeof magic)) && (size_t)(end - at) >= RAM_RING_HEAD) {
        if (ram_ring_read(ring, at))
            return (size_t)(at - image);
        at++;
    }
    return size;
}

/* Writes the bytes from `from` up to `to`, as far as they are there. */
static void write_part(const uint8_t *bytes, size_t there, uint32_t from, uint32_t to, FILE *out)
{
    if (to > there)
        to = (uint32_t)there;
    if (from < to)
        fwrite(bytes + from, 1, to - from, out);
}

bool ram_ring_write(const ram_ring *ring, const uint8_t *bytes, size_t there, FILE *out)
{
    fwrite(WEFT_CONTAINER_HEAD, 1, WEFT_CONTAINER_HEAD_SIZE, out);
    if (ring->end < ring->start) {
        write_part(bytes, there, ring->start, ring->size, out);
        if (there < ring->size) /* so that only the frame in which the missing part begins is damaged */
            putc(0, out);
    }
    write_part(bytes, there, ring->end < ring->start ? 0 : ring->start, ring->end, out);
    return !ferror(out);
}
