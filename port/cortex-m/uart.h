/* SPDX-License-Identifier: MIT */
/* A UART: what the sinks and the boards ask of a driver. The drivers are declared below; none enables interrupts
 * unasked. */
#ifndef WEFT_PORT_UART_H
#define WEFT_PORT_UART_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_uart_driver {
    void (*init)(uintptr_t base, uint32_t clock_hz, uint32_t baud); /* 8N1, both directions on */
    bool (*can_send)(uintptr_t base);
    void (*send)(uintptr_t base, uint8_t byte); /* only when can_send */
    bool (*sent)(uintptr_t base);               /* the last byte has left the holding register */
    int (*receive)(uintptr_t base);             /* a byte, or -1: none */
    void (*receive_interrupt)(uintptr_t base, bool on);
    void (*receive_acknowledge)(uintptr_t base); /* to be called by the handler before it reads the byte */
} weft_uart_driver;

extern const weft_uart_driver weft_cmsdk_uart, weft_stm32_usart, weft_nrf51_uart, weft_pl011_uart, weft_ns16550_uart;

typedef struct weft_uart {
    const weft_uart_driver *driver;
    uintptr_t base;
    uint32_t clock_hz; /* of the UART's clock */
    uint8_t receive_irq;
} weft_uart;

#ifdef __cplusplus
}
#endif

#endif
