/* SPDX-License-Identifier: MIT */
/* Arm's PrimeCell UART (DDI 0183), as in the Stellaris parts. Without its FIFOs, so that each byte received
 * interrupts. */
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/uart.h"

#define DR WEFT_REGISTER(base + 0x00)
#define FR WEFT_REGISTER(base + 0x18)
#define IBRD WEFT_REGISTER(base + 0x24)
#define FBRD WEFT_REGISTER(base + 0x28)
#define LCRH WEFT_REGISTER(base + 0x2c)
#define CR WEFT_REGISTER(base + 0x30)
#define IMSC WEFT_REGISTER(base + 0x38)
#define ICR WEFT_REGISTER(base + 0x44)
enum { BUSY = 1 << 3, RX_EMPTY = 1 << 4, TX_FULL = 1 << 5, EIGHT_BITS = 3 << 5, RX_INTERRUPT = 1 << 4 };
enum { UART_ENABLE = 1 << 0, TX_ENABLE = 1 << 8, RX_ENABLE = 1 << 9 };

/* The divider of sixteen times the baud rate, in 64ths. */
static void init(uintptr_t base, uint32_t clock_hz, uint32_t baud)
{
    uint32_t divider = (clock_hz * 4u + baud / 2) / baud;
    CR = 0;
    IBRD = divider / 64;
    FBRD = divider % 64;
    LCRH = EIGHT_BITS; /* after the divider, which it makes take effect */
    CR = UART_ENABLE | TX_ENABLE | RX_ENABLE;
}

static bool can_send(uintptr_t base)
{
    return !(FR & TX_FULL);
}

static void send(uintptr_t base, uint8_t byte)
{
    DR = byte;
}

static bool sent(uintptr_t base)
{
    return !(FR & BUSY);
}

static int receive(uintptr_t base)
{
    return FR & RX_EMPTY ? -1 : (int)(DR & 0xff);
}

static void receive_interrupt(uintptr_t base, bool on)
{
    IMSC = on ? RX_INTERRUPT : 0;
}

static void receive_acknowledge(uintptr_t base)
{
    ICR = RX_INTERRUPT;
}

const weft_uart_driver weft_pl011_uart = {init, can_send, send, sent, receive, receive_interrupt, receive_acknowledge};
