/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/own.h"
#include "port/cortex-m/sinks.h"

weft_status weft_ram_ring_init(weft_ram_ring *ring, size_t size)
{
    if (size < sizeof *ring + 2)
        return WEFT_CONFIG;
    ring->start = 0;
    ring->end = 0;
    ring->size = (uint32_t)(size - sizeof *ring);
    ring->version = WEFT_RAM_RING_VERSION;
    memcpy(ring->magic, "WEFTRING", sizeof ring->magic);
    return WEFT_OK;
}

static uint32_t after(const weft_ram_ring *ring, uint32_t at)
{
    return at + 1 == ring->size ? 0 : at + 1;
}

static size_t room(const weft_ram_ring *ring)
{
    uint32_t start = ring->start, end = ring->end;
    return (start > end ? start - end : ring->size + start - end) - 1;
}

/* Forgets the oldest frame: all up to and with its zero byte. */
static void drop_oldest(weft_ram_ring *ring)
{
    uint32_t at = ring->start;
    while (at != ring->end && ring->bytes[at])
        at = after(ring, at);
    ring->start = at == ring->end ? at : after(ring, at);
}

static weft_status write(void *context, const uint8_t *frame, size_t size)
{
    weft_ram_ring *ring = context;
    if (size >= ring->size)
        return WEFT_AGAIN;
    while (room(ring) < size)
        drop_oldest(ring);
    uint32_t end = ring->end;
    size_t before_wrap = ring->size - end < size ? ring->size - end : size;
    memcpy(ring->bytes + end, frame, before_wrap);
    memcpy(ring->bytes, frame + before_wrap, size - before_wrap);
    __asm volatile("" : : : "memory");
    end += (uint32_t)size;
    ring->end = end < ring->size ? end : end - ring->size;
    return WEFT_OK;
}

weft_sink weft_ram_ring_sink(weft_ram_ring *ring)
{
    return (weft_sink){ring, write};
}
