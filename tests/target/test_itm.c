/* SPDX-License-Identifier: MIT */
/* The SWO sink: its driver, with a block of RAM in place of the ITM's registers; and the sink, with an ITM that the
 * test plays. No emulator has an ITM. */
#include <string.h>

#include "port/cortex-m/sinks.h"
#include "tests/lib/check.h"

/* ---- the driver ---- */

static uint32_t registers[0x1000 / 4], demcr;

static void the_driver_stores_the_width_of_the_packet_to_its_port(void)
{
    weft_itm_sink itm;
    weft_itm_sink_init(&itm, 5);
    itm.base = (uintptr_t)registers;
    itm.demcr = (uintptr_t)&demcr;
    memset(registers, 0xa5, 128);
    itm.driver->send(&itm, 0x11223344, 4);
    CHECK_EQ(registers[5], 0x11223344);
    itm.driver->send(&itm, 0x7788, 2);
    CHECK_EQ(registers[5], 0x11227788);
    itm.driver->send(&itm, 0x99, 1);
    CHECK_EQ(registers[5], 0x11227799);
    CHECK_EQ(registers[4], (int32_t)0xa5a5a5a5 & 0xffffffff);
    CHECK_EQ(registers[6], (int32_t)0xa5a5a5a5 & 0xffffffff);
    CHECK(itm.driver->ready(&itm));
    registers[5] = 0;
    CHECK(!itm.driver->ready(&itm));
}

static void it_is_on_when_trace_the_unit_and_the_port_are(void)
{
    weft_itm_sink itm;
    weft_itm_sink_init(&itm, 5);
    itm.base = (uintptr_t)registers;
    itm.demcr = (uintptr_t)&demcr;
    for (unsigned on = 0; on < 8; on++) {
        demcr = on & 1 ? 1u << 24 : ~(1u << 24);
        registers[0xe80 / 4] = on & 2 ? 1 : ~1u;
        registers[0xe00 / 4] = on & 4 ? 1u << 5 : ~(1u << 5);
        CHECK_EQ(itm.driver->enabled(&itm), on == 7);
    }
    demcr = registers[0xe80 / 4] = registers[0xe00 / 4] = 0;
    weft_itm_swo_begin(&itm, 16000000, 2000000);
    CHECK(itm.driver->enabled(&itm));
    CHECK_EQ(registers[0xfb0 / 4], (int64_t)0xc5acce55);
}

/* ---- the sink ---- */

static uint8_t taken[64], widths[32];
static unsigned count, writes, looks, slow;
static unsigned off_at;  /* writes after which the debugger turns it off */
static unsigned full_at; /* writes after which nothing fits any more */

static bool played_enabled(const weft_itm_sink *itm)
{
    (void)itm;
    return writes < off_at;
}

static bool played_ready(const weft_itm_sink *itm)
{
    (void)itm;
    return writes < full_at && ++looks % slow == 0;
}

static void played_send(const weft_itm_sink *itm, uint32_t value, unsigned size)
{
    (void)itm;
    widths[writes++ % sizeof widths] = (uint8_t)size;
    for (unsigned i = 0; i < size; i++)
        taken[count++ % sizeof taken] = (uint8_t)(value >> 8 * i);
}

static const weft_itm_driver played = {played_enabled, played_ready, played_send};

static weft_sink begin(weft_itm_sink *itm)
{
    weft_sink sink = weft_itm_sink_init(itm, 1);
    itm->driver = &played;
    itm->polls = 100;
    count = writes = looks = 0;
    slow = 1;
    off_at = full_at = ~0u;
    return sink;
}

static void frames_go_out_in_words_and_wait_for_room(void)
{
    static const uint8_t text[] = "abcdefghijk";
    weft_itm_sink itm;
    weft_sink sink = begin(&itm);
    slow = 7;
    CHECK_EQ(sink.write(sink.context, text, 11), WEFT_OK);
    CHECK_EQ(sink.write(sink.context, text, 5), WEFT_OK);
    CHECK_EQ(count, 16);
    CHECK(memcmp(taken, "abcdefghijkabcde", 16) == 0);
    CHECK_EQ(writes, 6);
    CHECK(memcmp(widths, "\4\4\2\1\4\1", 6) == 0);
    CHECK_EQ(looks, 42);
}

static void an_itm_that_is_off_refuses_and_nothing_goes_out(void)
{
    weft_itm_sink itm;
    weft_sink sink = begin(&itm);
    off_at = 0;
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"abcd", 4), WEFT_AGAIN);
    CHECK_EQ(writes, 0);
    CHECK_EQ(looks, 0);
}

static void a_frame_that_was_cut_is_kept_apart_from_the_next(void)
{
    weft_itm_sink itm;
    weft_sink sink = begin(&itm);
    off_at = 1;
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"abcdefgh", 8), WEFT_AGAIN);
    off_at = ~0u;
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"ABCDEFGH", 8), WEFT_OK);
    CHECK_EQ(count, 13);
    CHECK(memcmp(taken, "abcd\0ABCDEFGH", 13) == 0);
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"xyz", 3), WEFT_OK);
    CHECK(memcmp(taken + 13, "xyz", 3) == 0);
}

static void an_itm_that_takes_nothing_is_waited_for_once(void)
{
    weft_itm_sink itm;
    weft_sink sink = begin(&itm);
    full_at = 1;
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"abcdefgh", 8), WEFT_AGAIN);
    CHECK_EQ(looks, 1);
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"abcdefgh", 8), WEFT_AGAIN);
    CHECK_EQ(writes, 1);
    full_at = ~0u;
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"abcdefgh", 8), WEFT_OK);
    CHECK(memcmp(taken, "abcd\0abcdefgh", 13) == 0);
}

int main(void)
{
    RUN(the_driver_stores_the_width_of_the_packet_to_its_port);
    RUN(it_is_on_when_trace_the_unit_and_the_port_are);
    RUN(frames_go_out_in_words_and_wait_for_room);
    RUN(an_itm_that_is_off_refuses_and_nothing_goes_out);
    RUN(a_frame_that_was_cut_is_kept_apart_from_the_next);
    RUN(an_itm_that_takes_nothing_is_waited_for_once);
    return check_failed();
}
