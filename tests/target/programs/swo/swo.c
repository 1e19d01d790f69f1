/* SPDX-License-Identifier: MIT */
/* Sends its recording by the SWO sink to a model of the ITM, since no emulator has one. The model is a buffer of ten
 * bytes; the pin takes one byte every few times that the program looks. A handler writes its own port without
 * looking, so the ITM overflows. The file pin.swo gets what leaves the pin, frames.weft the frames as the sink got
 * them. */
#include <stdio.h>
#include <string.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/semihost.h"
#include "port/cortex-m/sinks.h"
#include "port/cortex-m/weft_target.h"

void SysTick_Handler(void);

#define UNTRACED __attribute__((no_instrument_function))

enum { ROOM = 10, LOOKS_A_BYTE = 3 };
WEFT_RECORDER_DEF(trace, 512, 64, 0);
static struct {
    uint8_t bytes[ROOM];
    unsigned used, looks, since_stamp;
    bool overflowed;
} unit;
static uint8_t pin[1024];
static unsigned pin_used;
static weft_semihost_sink pin_file, frame_file;
static weft_sink pin_sink, frame_sink, itm_sink, sink;
static weft_itm_sink itm;

UNTRACED static void pin_take(uint8_t byte)
{
    pin[pin_used++] = byte;
    if (pin_used == sizeof pin) {
        pin_sink.write(pin_sink.context, pin, pin_used);
        pin_used = 0;
    }
}

UNTRACED static void unit_shift(void)
{
    if (unit.used) {
        pin_take(unit.bytes[0]);
        memmove(unit.bytes, unit.bytes + 1, --unit.used);
    }
}

/* Whether the buffer took a packet of this size. */
UNTRACED static bool unit_packet(unsigned port, uint32_t value, unsigned size)
{
    if (unit.used + 1 + size > ROOM)
        return false;
    unit.bytes[unit.used++] = (uint8_t)(port << 3 | (size == 4 ? 3 : size));
    for (unsigned i = 0; i < size; i++)
        unit.bytes[unit.used++] = (uint8_t)(value >> 8 * i);
    return true;
}

UNTRACED static bool unit_enabled(const weft_itm_sink *s)
{
    (void)s;
    return true;
}

UNTRACED static bool unit_ready(const weft_itm_sink *s)
{
    (void)s;
    if (++unit.looks % LOOKS_A_BYTE == 0)
        unit_shift();
    if (unit.overflowed && unit.used < ROOM) {
        unit.bytes[unit.used++] = 0x70;
        unit.overflowed = false;
    }
    if (++unit.since_stamp > 500 && unit.used < ROOM) {
        unit.bytes[unit.used++] = 0x10; /* a timestamp */
        unit.since_stamp = 0;
    }
    return unit.used + 5 <= ROOM;
}

UNTRACED static void unit_send(const weft_itm_sink *s, uint32_t value, unsigned size)
{
    unit_packet(s->port, value, size);
}

static const weft_itm_driver unit_driver = {unit_enabled, unit_ready, unit_send};

/* Where there is no room, the handler's packets are lost, but none of the sink's. */
UNTRACED void SysTick_Handler(void)
{
    unit.overflowed |= !unit_packet(0, 0x0a216948, 4);
}

UNTRACED static weft_status both(void *context, const uint8_t *frame, size_t size)
{
    (void)context;
    frame_sink.write(frame_sink.context, frame, size);
    return itm_sink.write(itm_sink.context, frame, size);
}

UNTRACED static void begin(void)
{
    pin_sink = weft_semihost_sink_open(&pin_file, "pin.swo");
    frame_sink = weft_semihost_sink_open(&frame_file, "frames.weft");
    itm_sink = weft_itm_sink_init(&itm, 1);
    itm.driver = &unit_driver;
    sink = (weft_sink){NULL, both};
    trace_config.sink = &sink;
    weft_start(&trace, &trace_config);
    WEFT_SYST_RVR = 20000;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
}

UNTRACED static void end(void)
{
    WEFT_SYST_CSR = 0;
    weft_stop();
    while (unit.used)
        unit_shift();
    pin_sink.write(pin_sink.context, pin, pin_used);
}

static volatile unsigned table[64];

static __attribute__((noinline)) unsigned mix(unsigned i)
{
    return table[i % 64] = i % 3 ? table[(i * 7) % 64] + i : table[(i + 1) % 64] ^ i;
}

int main(void)
{
    unsigned sum = 0, random = 1;
    begin();
    for (unsigned i = 0; i < 8000; i++) {
        random = random * 1664525 + 1013904223;
        sum += mix(random >> 16);
    }
    end();
    printf("swo: %u\n", sum);
    return 0;
}
