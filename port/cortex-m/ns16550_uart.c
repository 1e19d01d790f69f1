/* SPDX-License-Identifier: MIT */
/* The 16550 UART, its registers four bytes apart, as in SmartFusion2 and many others. Without its FIFOs, so that each
 * byte received interrupts. */
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/uart.h"

#define DATA WEFT_REGISTER(base + 0x00) /* with DIVIDER: its low byte */
#define IER WEFT_REGISTER(base + 0x04)  /* with DIVIDER: its high byte */
#define FCR WEFT_REGISTER(base + 0x08)
#define LCR WEFT_REGISTER(base + 0x0c)
#define LSR WEFT_REGISTER(base + 0x14)
enum { RX_READY = 1 << 0, TX_EMPTY = 1 << 5, TX_IDLE = 1 << 6, EIGHT_BITS = 3, DIVIDER = 1 << 7, RX_INTERRUPT = 1 };

static void init(uintptr_t base, uint32_t clock_hz, uint32_t baud)
{
    uint32_t divider = (clock_hz / 16 + baud / 2) / baud;
    LCR = DIVIDER;
    DATA = divider & 0xff;
    IER = divider >> 8;
    LCR = EIGHT_BITS;
    IER = 0;
    FCR = 0;
}

static bool can_send(uintptr_t base)
{
    return LSR & TX_EMPTY;
}

static void send(uintptr_t base, uint8_t byte)
{
    DATA = byte;
}

static bool sent(uintptr_t base)
{
    return LSR & TX_IDLE;
}

static int receive(uintptr_t base)
{
    return LSR & RX_READY ? (int)(DATA & 0xff) : -1;
}

static void receive_interrupt(uintptr_t base, bool on)
{
    IER = on ? RX_INTERRUPT : 0;
}

static void receive_acknowledge(uintptr_t base)
{
    (void)base; /* reading the byte does it */
}

const weft_uart_driver weft_ns16550_uart = {
    init, can_send, send, sent, receive, receive_interrupt, receive_acknowledge};
