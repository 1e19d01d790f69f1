/* SPDX-License-Identifier: MIT */
/* The Cortex-M port on a board: critical section, clocks, sinks against naive models, the event ring under
 * interrupts. */
#include <string.h>

#include "boards/board.h"
#include "hal/critical.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/sinks.h"
#include "port/cortex-m/systick_clock.h"
#include "tests/lib/check.h"

void SysTick_Handler(void);

static volatile uint32_t interrupts;
static void (*volatile on_interrupt)(void);

void SysTick_Handler(void)
{
    weft_systick_tick();
    interrupts++;
    if (on_interrupt)
        on_interrupt();
}

static void systick_start(uint32_t cycles)
{
    interrupts = 0;
    WEFT_SYST_RVR = cycles - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
}

static void systick_stop(void)
{
    WEFT_SYST_CSR = 0;
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSTCLR;
    on_interrupt = NULL;
}

static void the_critical_section_nests_and_restores(void)
{
    CHECK_EQ(weft_primask(), 0);
    uint32_t outer = weft_critical_enter();
    CHECK_EQ(weft_primask(), 1);
    uint32_t inner = weft_critical_enter();
    weft_critical_leave(inner);
    CHECK_EQ(weft_primask(), 1);
    weft_critical_leave(outer);
    CHECK_EQ(weft_primask(), 0);
}

static void no_interrupt_runs_in_the_critical_section(void)
{
    systick_start(500);
    uint32_t state = weft_critical_enter();
    uint32_t before = interrupts;
    while (!(WEFT_SCB_ICSR & WEFT_ICSR_PENDSTSET))
        ;
    uint32_t inside = interrupts;
    weft_critical_leave(state);
    while (interrupts == before)
        ;
    systick_stop();
    CHECK_EQ(inside, before);
}

static void the_board_clock_never_runs_backwards(void)
{
    weft_clock clock = weft_board_clock();
    uint64_t first = clock.now(clock.context), last = first;
    /* At least 20,000 readings; more while a busy host keeps the emulator from moving its timer. */
    for (int i = 0; i < 20000 || (last == first && i < 20000000); i++) {
        uint64_t now = clock.now(clock.context);
        CHECK(now >= last);
        last = now;
    }
    systick_stop();
    CHECK(last > first);
    CHECK(clock.hz >= 1000000);
}

static void the_systick_clock_counts_every_wrap(void)
{
    enum { PERIOD = 2000, WRAPS = 40 };
    systick_start(PERIOD);
    weft_clock clock = weft_systick_clock(1000000);
    uint64_t last = 0;
    bool backwards = false;
    interrupts = 0;
    while (interrupts < WRAPS) {
        uint64_t now = clock.now(clock.context);
        backwards |= now < last;
        last = now;
    }
    uint32_t state = weft_critical_enter();
    uint64_t end = clock.now(clock.context);
    uint32_t wraps = interrupts;
    weft_critical_leave(state);
    systick_stop();
    CHECK(!backwards);
    /* A late emulator may merge interrupts, never add any. The last one may be pending. */
    CHECK(end + 2 * PERIOD >= (uint64_t)wraps * PERIOD);
}

/* ---- the RAM ring against a list of all frames ---- */

enum { RING = 64, FRAMES = 300 };
static union {
    uint8_t bytes[sizeof(weft_ram_ring) + RING];
    weft_ram_ring ring;
} memory;

static uint8_t frame_length(unsigned n)
{
    return (uint8_t)(1 + n * 37 % 60);
}

static void make_frame(uint8_t *frame, unsigned n)
{
    uint8_t length = frame_length(n);
    for (unsigned i = 0; i + 1u < length; i++)
        frame[i] = (uint8_t)(1 + (n * 7 + i) % 255);
    frame[length - 1] = 0;
}

/* What a debugger reads by the layout in port/cortex-m/sinks.h. */
static unsigned read_ring(uint8_t *out)
{
    const uint8_t *at = memory.bytes;
    uint32_t head[4];
    memcpy(head, at + 8, sizeof head);
    if (memcmp(at, "WEFTRING", 8) != 0 || head[0] != 1 || head[1] != RING || head[2] >= RING || head[3] >= RING)
        return UINT32_MAX;
    unsigned count = 0;
    for (uint32_t i = head[2]; i != head[3]; i = (i + 1) % RING)
        out[count++] = at[24 + i];
    return count;
}

static void the_ram_ring_holds_the_last_frames_that_fit(void)
{
    uint8_t frame[64], held[RING];
    memset(&memory, 0xa5, sizeof memory);
    CHECK_EQ(weft_ram_ring_init(&memory.ring, sizeof memory), WEFT_OK);
    weft_sink sink = weft_ram_ring_sink(&memory.ring);
    CHECK_EQ(read_ring(held), 0);
    for (unsigned n = 0; n < FRAMES; n++) {
        make_frame(frame, n);
        CHECK_EQ(sink.write(sink.context, frame, frame_length(n)), WEFT_OK);
        unsigned first = n, size = frame_length(n);
        while (first > 0 && size + frame_length(first - 1) < RING)
            size += frame_length(--first);
        CHECK_EQ(read_ring(held), size);
        for (unsigned at = 0; first <= n; at += frame_length(first++)) {
            make_frame(frame, first);
            CHECK(memcmp(held + at, frame, frame_length(first)) == 0);
        }
    }
}

static void the_ram_ring_refuses_a_frame_longer_than_itself(void)
{
    static uint8_t frame[RING];
    uint8_t held[RING];
    memset(frame, 1, sizeof frame);
    CHECK_EQ(weft_ram_ring_init(&memory.ring, sizeof memory), WEFT_OK);
    weft_sink sink = weft_ram_ring_sink(&memory.ring);
    frame[4] = 0;
    CHECK_EQ(sink.write(sink.context, frame, 5), WEFT_OK);
    CHECK_EQ(sink.write(sink.context, frame, RING), WEFT_AGAIN);
    CHECK_EQ(read_ring(held), 5);
    CHECK_EQ(weft_ram_ring_init(&memory.ring, sizeof(weft_ram_ring) + 1), WEFT_CONFIG);
}

/* ---- the UART sink on a UART that the test plays ---- */

static uint8_t line[64];
static unsigned line_size, line_room;
static uint64_t time_now;

static void line_init(uintptr_t base, uint32_t clock_hz, uint32_t baud)
{
    (void)base, (void)clock_hz, (void)baud;
}

static bool line_can_send(uintptr_t base)
{
    (void)base;
    return line_room > 0;
}

static void line_send(uintptr_t base, uint8_t byte)
{
    (void)base;
    line_room--;
    line[line_size++ % sizeof line] = byte;
}

static uint64_t line_time(void *context)
{
    (void)context;
    return time_now;
}

static const weft_uart_driver line_driver = {
    .init = line_init, .can_send = line_can_send, .send = line_send, .sent = line_can_send};
static const weft_uart line_uart = {&line_driver, 0, 1000000, 0};

static void a_slow_uart_refuses_whole_frames_and_keeps_the_order(void)
{
    uint8_t fifo[10];
    weft_uart_sink state;
    line_size = line_room = 0;
    weft_sink sink = weft_uart_sink_init(&state, &line_uart, fifo, sizeof fifo);
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"abcdef", 6), WEFT_OK);
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"ghijk", 5), WEFT_AGAIN);
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"lmno", 4), WEFT_OK);
    line_room = 4;
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"pqrst", 5), WEFT_AGAIN);
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"uvw", 3), WEFT_OK);
    line_room = 100;
    weft_uart_sink_drain(&state);
    CHECK_EQ(line_size, 13);
    CHECK(memcmp(line, "abcdeflmnouvw", 13) == 0);
}

static void a_paced_uart_sends_no_faster_than_its_baud_rate(void)
{
    uint8_t fifo[40] = {0};
    weft_uart_sink state;
    weft_clock clock = {NULL, line_time, 100000};
    line_size = 0;
    line_room = 1000;
    weft_sink sink = weft_uart_sink_init(&state, &line_uart, fifo, sizeof fifo);
    weft_uart_sink_pace(&state, &clock, 100000); /* ten ticks per byte */
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"0123456789", 10), WEFT_OK);
    CHECK_EQ(line_size, 1);
    time_now += 35;
    weft_uart_sink_pump(&state);
    CHECK_EQ(line_size, 4);
    time_now += 1000;
    weft_uart_sink_pump(&state);
    CHECK_EQ(line_size, 10);
    /* The pause gives no credit. */
    time_now += 1000;
    CHECK_EQ(sink.write(sink.context, (const uint8_t *)"0123456789", 10), WEFT_OK);
    CHECK_EQ(line_size, 11);
}

/* ---- the event ring ---- */

enum { SLOTS = 8 };
static weft_event_slot slots[SLOTS];
static weft_event_ring ring;
static uint32_t made[2], taken[2], lost_events;
static bool out_of_order;

static void ring_start(void)
{
    memset(slots, 0, sizeof slots);
    memset(&ring, 0, sizeof ring);
    ring.slots = slots;
    ring.mask = SLOTS - 1;
    memset(made, 0, sizeof made);
    memset(taken, 0, sizeof taken);
    lost_events = 0;
    out_of_order = false;
}

static void make_event(uint32_t context)
{
    weft_event_slot event = {WEFT_TAG_PATH | context << 2, made[context]++, ~made[context], context};
    weft_event_ring_append(&ring, &event);
}

static void make_event_in_handler(void)
{
    make_event(1);
}

/* Takes all waiting events. The numbers of a context rise by one, except where events were lost. */
static void take_all(void)
{
    weft_event_slot event;
    uint64_t lost[4];
    static bool gap;
    while (weft_event_ring_take(&ring, &event) == WEFT_OK) {
        uint32_t context = event.tag >> 2;
        if (context > 1 || event.data_high != context || event.id < taken[context] ||
            (event.id > taken[context] && !gap))
            out_of_order = true;
        else
            taken[context] = event.id + 1;
    }
    gap = weft_event_ring_take_lost(&ring, lost);
    if (gap)
        lost_events += (uint32_t)lost[WEFT_TAG_PATH];
    gap |= lost_events != 0;
}

static void the_event_ring_counts_what_it_has_no_room_for(void)
{
    weft_event_slot event;
    uint64_t lost[4];
    ring_start();
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < SLOTS + 3; i++)
            make_event(0);
        for (uint32_t i = 0; i < SLOTS; i++) {
            CHECK(!weft_event_ring_take_lost(&ring, lost));
            CHECK_EQ(weft_event_ring_take(&ring, &event), WEFT_OK);
            CHECK_EQ(event.id, (uint32_t)round * (SLOTS + 4) + i);
            if (i == SLOTS / 2)
                make_event(0); /* there is room, but losses at different places cannot be kept apart */
        }
        CHECK_EQ(weft_event_ring_take(&ring, &event), WEFT_AGAIN);
        CHECK(weft_event_ring_take_lost(&ring, lost));
        CHECK_EQ(lost[WEFT_TAG_PATH], 4);
        CHECK_EQ(lost[WEFT_TAG_ACCESS] + lost[WEFT_TAG_VALUE], 0);
    }
}

static void the_event_ring_loses_nothing_uncounted_under_interrupts(void)
{
    ring_start();
    on_interrupt = make_event_in_handler;
    systick_start(400);
    for (int round = 0; round < 20000; round++) {
        make_event(0);
        if (round % 3 == 0)
            take_all();
    }
    systick_stop();
    take_all();
    take_all();
    CHECK(!out_of_order);
    CHECK(interrupts > 0);
    CHECK_EQ(made[1], interrupts);
    uint32_t through = ring.tail;
    CHECK_EQ(through + lost_events, made[0] + made[1]);
}

int main(void)
{
    RUN(the_critical_section_nests_and_restores);
    RUN(no_interrupt_runs_in_the_critical_section);
    RUN(the_board_clock_never_runs_backwards);
    RUN(the_systick_clock_counts_every_wrap);
    RUN(the_ram_ring_holds_the_last_frames_that_fit);
    RUN(the_ram_ring_refuses_a_frame_longer_than_itself);
    RUN(a_slow_uart_refuses_whole_frames_and_keeps_the_order);
    RUN(a_paced_uart_sends_no_faster_than_its_baud_rate);
    RUN(the_event_ring_counts_what_it_has_no_room_for);
    RUN(the_event_ring_loses_nothing_uncounted_under_interrupts);
    return check_failed();
}
