/* SPDX-License-Identifier: MIT */
/* The USART of the STM32F4 (RM0090, 30). The board sets the clocks and pins. */
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/uart.h"

#define SR WEFT_REGISTER(base + 0x00)
#define DR WEFT_REGISTER(base + 0x04)
#define BRR WEFT_REGISTER(base + 0x08)
#define CR1 WEFT_REGISTER(base + 0x0c)
enum {
    RXNE = 1 << 5,
    TC = 1 << 6,
    TXE = 1 << 7,
    CR1_RE = 1 << 2,
    CR1_TE = 1 << 3,
    CR1_RXNEIE = 1 << 5,
    CR1_UE = 1 << 13
};

static void init(uintptr_t base, uint32_t clock_hz, uint32_t baud)
{
    BRR = (clock_hz + baud / 2) / baud;
    CR1 = CR1_UE | CR1_TE | CR1_RE;
}

static bool can_send(uintptr_t base)
{
    return SR & TXE;
}

static void send(uintptr_t base, uint8_t byte)
{
    DR = byte;
}

static bool sent(uintptr_t base)
{
    return SR & TC;
}

static int receive(uintptr_t base)
{
    return SR & RXNE ? (int)(DR & 0xff) : -1;
}

static void receive_interrupt(uintptr_t base, bool on)
{
    CR1 = CR1_UE | CR1_TE | CR1_RE | (on ? CR1_RXNEIE : 0);
}

static void receive_acknowledge(uintptr_t base)
{
    (void)base; /* reading the byte does it */
}

const weft_uart_driver weft_stm32_usart = {init, can_send, send, sent, receive, receive_interrupt, receive_acknowledge};
