/* SPDX-License-Identifier: MIT */
/* What a reset leaves in the ring: the newest whole frames that fit, and nothing if the ring is not valid. */
#include <string.h>

#include "port/cortex-m/ram_ring.c"
#include "port/cortex-m/ram_ring_save.c"
#include "tests/lib/check.h"

enum { SIZE = 96, MEMORY = SIZE + sizeof(weft_ram_ring), FRAMES = 12, FRAME_MAX = 24 };

static union {
    uint32_t words[MEMORY / 4];
    weft_ram_ring ring;
} ram;
static uint8_t written[FRAMES * FRAME_MAX], saved[SIZE];
static size_t begins[FRAMES + 1]; /* of each frame in `written` */

static void write_frames(check_random *random)
{
    weft_sink sink = weft_ram_ring_sink(&ram.ring);
    size_t size = 0;
    for (unsigned i = 0; i < FRAMES; i++) {
        begins[i] = size;
        unsigned length = 1 + check_random_below(random, FRAME_MAX - 1);
        for (unsigned k = 0; k < length; k++)
            written[size++] = (uint8_t)(1 + check_random_below(random, 255));
        written[size++] = 0;
        (void)sink.write(sink.context, written + begins[i], size - begins[i]);
    }
    begins[FRAMES] = size;
}

/* The size of the newest whole frames that fit, found by trying each. */
static size_t newest(size_t room)
{
    for (unsigned i = 0; i < FRAMES; i++)
        if (begins[FRAMES] - begins[i] <= room)
            return begins[FRAMES] - begins[i];
    return 0;
}

static void the_newest_whole_frames_are_saved(void)
{
    check_random random = {7};
    for (unsigned round = 0; round < 300; round++) {
        CHECK_EQ(weft_ram_ring_init(&ram.ring, MEMORY), WEFT_OK);
        CHECK_EQ(weft_ram_ring_save(&ram.ring, MEMORY, saved, sizeof saved), 0);
        write_frames(&random);
        for (size_t room = 0; room < SIZE; room++) {
            size_t size = weft_ram_ring_save(&ram.ring, MEMORY, saved, room);
            CHECK_EQ(size, newest(room));
            CHECK(memcmp(saved, written + begins[FRAMES] - size, size) == 0);
        }
    }
}

static void memory_that_is_not_a_ring_of_this_size_gives_nothing(void)
{
    check_random random = {9};
    CHECK_EQ(weft_ram_ring_init(&ram.ring, MEMORY), WEFT_OK);
    write_frames(&random);
    CHECK(weft_ram_ring_save(&ram.ring, MEMORY, saved, sizeof saved) > 0);
    CHECK_EQ(weft_ram_ring_save(&ram.ring, MEMORY - 4, saved, sizeof saved), 0);
    CHECK_EQ(weft_ram_ring_save(&ram.ring, 3, saved, sizeof saved), 0);
    uint32_t start = ram.ring.start;
    ram.ring.start = SIZE;
    CHECK_EQ(weft_ram_ring_save(&ram.ring, MEMORY, saved, sizeof saved), 0);
    ram.ring.start = start;
    ram.ring.end = UINT32_MAX;
    CHECK_EQ(weft_ram_ring_save(&ram.ring, MEMORY, saved, sizeof saved), 0);
}

static void what_power_on_leaves_is_not_read_beyond(void)
{
    check_random random = {11};
    for (unsigned round = 0; round < 2000; round++) {
        for (unsigned i = 0; i < MEMORY / 4; i++)
            ram.words[i] = check_random_next(&random);
        CHECK_EQ(weft_ram_ring_save(&ram.ring, MEMORY, saved, sizeof saved), 0);
        memcpy(ram.ring.magic, "WEFTRING", 8);
        ram.ring.version = WEFT_RAM_RING_VERSION;
        ram.ring.size = SIZE;
        ram.ring.start %= SIZE;
        ram.ring.end %= SIZE;
        CHECK(weft_ram_ring_save(&ram.ring, MEMORY, saved, sizeof saved) < SIZE);
    }
}

int main(void)
{
    RUN(the_newest_whole_frames_are_saved);
    RUN(memory_that_is_not_a_ring_of_this_size_gives_nothing);
    RUN(what_power_on_leaves_is_not_read_beyond);
    return check_failed();
}
