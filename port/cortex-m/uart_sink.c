/* SPDX-License-Identifier: MIT */
#include "core/own.h"
#include "hal/critical.h"
#include "port/cortex-m/sinks.h"

static bool may_send(weft_uart_sink *state)
{
    if (!state->uart->driver->can_send(state->uart->base))
        return false;
    if (state->ticks_a_byte == 0)
        return true;
    uint64_t now = state->clock->now(state->clock->context);
    if (now < state->next)
        return false;
    /* After a pause the schedule restarts now. Within a burst a late call does not delay the bytes after it. */
    state->next += state->ticks_a_byte;
    return true;
}

static void send(weft_uart_sink *state, uint8_t byte)
{
    while (!may_send(state))
        ;
    state->uart->driver->send(state->uart->base, byte);
}

static weft_status write_waiting(void *context, const uint8_t *frame, size_t size)
{
    weft_uart_sink *state = context;
    for (size_t i = 0; i < size; i++)
        send(state, frame[i]);
    return WEFT_OK;
}

/* Sends one byte, so that interrupts are masked only briefly. False: there is none to send, or the UART is busy. */
static bool pump_byte(weft_uart_sink *state)
{
    uint32_t critical = weft_critical_enter();
    bool sent = state->used && may_send(state);
    if (sent) {
        state->uart->driver->send(state->uart->base, state->fifo[state->first]);
        if (++state->first == state->fifo_size)
            state->first = 0;
        state->used--;
    }
    weft_critical_leave(critical);
    return sent;
}

void weft_uart_sink_pump(weft_uart_sink *state)
{
    while (pump_byte(state))
        ;
}

/* Where the next byte of a frame goes. False: a frame of this size does not fit. A pump in between makes more room, and
 * leaves that place where it is. */
static bool reserve(weft_uart_sink *state, size_t size, size_t *at)
{
    uint32_t critical = weft_critical_enter();
    bool fits = size <= state->fifo_size - state->used;
    *at = state->first + state->used;
    weft_critical_leave(critical);
    return fits;
}

static void commit(weft_uart_sink *state, size_t size)
{
    uint32_t critical = weft_critical_enter();
    if (state->used == 0 && state->ticks_a_byte) {
        uint64_t now = state->clock->now(state->clock->context);
        state->next = now > state->next ? now : state->next;
    }
    state->used += size;
    weft_critical_leave(critical);
}

static weft_status write_queued(void *context, const uint8_t *frame, size_t size)
{
    weft_uart_sink *state = context;
    size_t at;
    weft_uart_sink_pump(state);
    if (!reserve(state, size, &at))
        return WEFT_AGAIN;
    for (size_t i = 0; i < size; i++, at++)
        state->fifo[at < state->fifo_size ? at : at - state->fifo_size] = frame[i];
    commit(state, size);
    weft_uart_sink_pump(state);
    return WEFT_OK;
}

weft_sink weft_uart_sink_init(weft_uart_sink *state, const weft_uart *uart, uint8_t *fifo, size_t fifo_size)
{
    *state = (weft_uart_sink){.uart = uart, .fifo = fifo, .fifo_size = fifo_size};
    return (weft_sink){state, fifo ? write_queued : write_waiting};
}

void weft_uart_sink_pace(weft_uart_sink *state, const weft_clock *clock, uint32_t baud)
{
    state->clock = clock;
    state->ticks_a_byte = clock->hz / (baud / 10);
    state->next = clock->now(clock->context);
}

void weft_uart_sink_drain(weft_uart_sink *state)
{
    while (*(volatile size_t *)&state->used)
        weft_uart_sink_pump(state);
    while (!state->uart->driver->sent(state->uart->base))
        ;
}
