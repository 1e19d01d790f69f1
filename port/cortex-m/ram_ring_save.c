/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/own.h"
#include "port/cortex-m/sinks.h"

/* Whether these bytes are a ring, and not what RAM holds when it was switched on. */
static bool is_ring(const weft_ram_ring *ring, size_t size)
{
    return size >= sizeof *ring + 2 && memcmp(ring->magic, "WEFTRING", sizeof ring->magic) == 0 &&
           ring->version == WEFT_RAM_RING_VERSION && ring->size == size - sizeof *ring && ring->start < ring->size &&
           ring->end < ring->size;
}

/* Bytes of the oldest frame, which begins at `at`; `used` bytes are left. */
static size_t frame_size(const weft_ram_ring *ring, uint32_t at, size_t used)
{
    size_t size = 0;
    while (size < used) {
        size++;
        if (ring->bytes[at] == 0)
            break;
        at = at + 1 == ring->size ? 0 : at + 1;
    }
    return size;
}

size_t weft_ram_ring_save(const weft_ram_ring *ring, size_t size, uint8_t *out, size_t out_size)
{
    if (!is_ring(ring, size))
        return 0;
    uint32_t at = ring->start;
    size_t used = (ring->end < at ? ring->size : 0) + ring->end - at;
    while (used > out_size) {
        size_t oldest = frame_size(ring, at, used);
        at = (uint32_t)((at + oldest) % ring->size);
        used -= oldest;
    }
    size_t before_wrap = ring->size - at < used ? ring->size - at : used;
    memcpy(out, ring->bytes + at, before_wrap);
    memcpy(out + before_wrap, ring->bytes, used - before_wrap);
    return used;
}
