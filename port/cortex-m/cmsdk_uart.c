/* SPDX-License-Identifier: MIT */
/* The UART of Arm's Cortex-M System Design Kit (DDI 0479, 4.3), as on the MPS2 boards. */
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/uart.h"

#define DATA WEFT_REGISTER(base + 0x00)
#define STATE WEFT_REGISTER(base + 0x04)
#define CTRL WEFT_REGISTER(base + 0x08)
#define INTCLEAR WEFT_REGISTER(base + 0x0c)
#define BAUDDIV WEFT_REGISTER(base + 0x10)
enum { TX_FULL = 1, RX_FULL = 2, TX_ENABLE = 1, RX_ENABLE = 2, RX_INTERRUPT = 8, BAUDDIV_MIN = 16 };

static void init(uintptr_t base, uint32_t clock_hz, uint32_t baud)
{
    uint32_t divider = clock_hz / baud;
    BAUDDIV = divider < BAUDDIV_MIN ? BAUDDIV_MIN : divider;
    CTRL = TX_ENABLE | RX_ENABLE;
}

static bool can_send(uintptr_t base)
{
    return !(STATE & TX_FULL);
}

static void send(uintptr_t base, uint8_t byte)
{
    DATA = byte;
}

static int receive(uintptr_t base)
{
    return STATE & RX_FULL ? (int)(DATA & 0xff) : -1;
}

static void receive_interrupt(uintptr_t base, bool on)
{
    CTRL = TX_ENABLE | RX_ENABLE | (on ? RX_INTERRUPT : 0);
}

static void receive_acknowledge(uintptr_t base)
{
    INTCLEAR = 2;
}

const weft_uart_driver weft_cmsdk_uart = {
    init, can_send, send, can_send, receive, receive_interrupt, receive_acknowledge};
