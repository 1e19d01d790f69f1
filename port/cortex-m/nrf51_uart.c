/* SPDX-License-Identifier: MIT */
/* The UART of the nRF51 (nRF51 Series Reference Manual, 29). Its events say "sent" rather than "may send", so a flag
 * marks the first byte after init. The board sets the pins. */
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/uart.h"

#define STARTRX WEFT_REGISTER(base + 0x000)
#define STARTTX WEFT_REGISTER(base + 0x008)
#define RXDRDY WEFT_REGISTER(base + 0x108)
#define TXDRDY WEFT_REGISTER(base + 0x11c)
#define INTENSET WEFT_REGISTER(base + 0x304)
#define INTENCLR WEFT_REGISTER(base + 0x308)
#define ENABLE WEFT_REGISTER(base + 0x500)
#define RXD WEFT_REGISTER(base + 0x518)
#define TXD WEFT_REGISTER(base + 0x51c)
#define BAUDRATE WEFT_REGISTER(base + 0x524)
enum { INT_RXDRDY = 1 << 2, ENABLED = 4 };

/* One UART in the chip. */
static bool sending;

static void init(uintptr_t base, uint32_t clock_hz, uint32_t baud)
{
    /* BAUDRATE is baud * 2^32 / 16 MHz, rounded to 4096: 268.4 steps per baud. */
    (void)clock_hz;
    BAUDRATE = (baud * 268u + baud / 2 + 0x800u) & ~0xfffu;
    ENABLE = ENABLED;
    TXDRDY = 0;
    RXDRDY = 0;
    STARTTX = 1;
    STARTRX = 1;
    sending = false;
}

static bool can_send(uintptr_t base)
{
    return !sending || TXDRDY;
}

static void send(uintptr_t base, uint8_t byte)
{
    TXDRDY = 0;
    sending = true;
    TXD = byte;
}

static int receive(uintptr_t base)
{
    if (!RXDRDY)
        return -1;
    RXDRDY = 0;
    return (int)(RXD & 0xff);
}

static void receive_interrupt(uintptr_t base, bool on)
{
    if (on)
        INTENSET = INT_RXDRDY;
    else
        INTENCLR = INT_RXDRDY;
}

static void receive_acknowledge(uintptr_t base)
{
    (void)base; /* clearing RXDRDY in receive does it */
}

const weft_uart_driver weft_nrf51_uart = {
    init, can_send, send, can_send, receive, receive_interrupt, receive_acknowledge};
