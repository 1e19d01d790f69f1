/* SPDX-License-Identifier: MIT */
/* The registers are those of the Armv7-M Architecture Reference Manual, C1.7 (ITM) and C1.10 (TPIU). */
#include "core/own.h"
#include "hal/critical.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/sinks.h"

#define STIMULUS (itm->base + 4u * itm->port)
#define TER WEFT_REGISTER(itm->base + 0xe00)
#define TCR WEFT_REGISTER(itm->base + 0xe80)
#define LAR WEFT_REGISTER(itm->base + 0xfb0)
#define TPIU_ACPR WEFT_REGISTER(0xe0040010)
#define TPIU_SPPR WEFT_REGISTER(0xe00400f0)
#define TPIU_FFCR WEFT_REGISTER(0xe0040304)
enum { FIFO_READY = 1, ITM_ENABLE = 1, ITM_SYNC = 1 << 2, BUS_ID = 1 << 16, TRACE_ENABLE = 1 << 24 };
enum { NRZ = 2, TRIGGERS_ONLY = 0x100 };
#define UNLOCK 0xc5acce55u
#define POLLS 1000000

/* Without TRCENA, what the ITM's registers read as is undefined. */
static bool enabled(const weft_itm_sink *itm)
{
    return (WEFT_REGISTER(itm->demcr) & TRACE_ENABLE) && (TCR & ITM_ENABLE) && (TER >> itm->port & 1);
}

static bool ready(const weft_itm_sink *itm)
{
    return WEFT_REGISTER(STIMULUS) & FIFO_READY;
}

/* The width of the store is that of the packet. */
static void send(const weft_itm_sink *itm, uint32_t value, unsigned size)
{
    if (size == 4)
        WEFT_REGISTER(STIMULUS) = value;
    else if (size == 2)
        *(volatile uint16_t *)STIMULUS = (uint16_t)value;
    else
        *(volatile uint8_t *)STIMULUS = (uint8_t)value;
}

const weft_itm_driver weft_itm = {enabled, ready, send};

/* No other context may write between the look and the store: the ITM drops what it has no room for. */
static bool try(const weft_itm_sink *itm, uint32_t value, unsigned size)
{
    uint32_t critical = weft_critical_enter();
    bool room = itm->driver->ready(itm);
    if (room)
        itm->driver->send(itm, value, size);
    weft_critical_leave(critical);
    return room;
}

static bool put(const weft_itm_sink *itm, uint32_t value, unsigned size)
{
    for (uint32_t n = 0; n < itm->polls && itm->driver->enabled(itm); n++)
        if (try(itm, value, size))
            return true;
    return false;
}

static bool put_frame(const weft_itm_sink *itm, const uint8_t *frame, size_t size)
{
    while (size) {
        unsigned width = size >= 4 ? 4 : size >= 2 ? 2 : 1;
        uint32_t value = 0;
        for (unsigned i = width; i-- > 0;)
            value = value << 8 | frame[i];
        if (!put(itm, value, width))
            return false;
        frame += width;
        size -= width;
    }
    return true;
}

static weft_status write(void *context, const uint8_t *frame, size_t size)
{
    weft_itm_sink *itm = context;
    if (!itm->driver->enabled(itm) || (itm->stuck && !itm->driver->ready(itm)))
        return WEFT_AGAIN;
    bool sent = (!itm->torn || put(itm, 0, 1)) && put_frame(itm, frame, size);
    itm->torn = itm->stuck = !sent;
    return sent ? WEFT_OK : WEFT_AGAIN;
}

weft_sink weft_itm_sink_init(weft_itm_sink *state, unsigned port)
{
    *state =
        (weft_itm_sink){.driver = &weft_itm, .base = 0xe0000000, .demcr = 0xe000edfc, .port = port, .polls = POLLS};
    return (weft_sink){state, write};
}

void weft_itm_swo_begin(const weft_itm_sink *itm, uint32_t clock_hz, uint32_t baud)
{
    WEFT_REGISTER(itm->demcr) |= TRACE_ENABLE;
    TPIU_SPPR = NRZ;
    TPIU_ACPR = (clock_hz + baud / 2) / baud - 1;
    TPIU_FFCR = TRIGGERS_ONLY;
    LAR = UNLOCK;
    TCR = ITM_ENABLE | ITM_SYNC | BUS_ID;
    TER |= 1u << itm->port;
}
