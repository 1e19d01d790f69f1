/* SPDX-License-Identifier: MIT */
/* For the oracle: what a program reads from outside, in all widths. A UART's status register and SysTick's counter,
 * polled in loops; volatile loads through pointers, of bytes, halfwords, words and 64 bits, of bit-fields and of parts
 * of structures; loads whose value is not used; and between them plain loads and stores, which are not inputs. */
#include <stdint.h>
#include <stdio.h>

#include "boards/board.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/systick_clock.h"

#define UART_STATE (*(const volatile uint32_t *)0x40004004) /* of the mps2-an385 */

void SysTick_Handler(void);

typedef struct device {
    uint8_t bytes[3];
    int8_t small;
    uint16_t half;
    int16_t signed_half;
    uint32_t word;
    uint64_t wide;
    float ratio;
    unsigned low : 3, middle : 9, high : 20;
    int signed_bits : 5;
} device;

static volatile device one = {{1, 2, 253}, -4, 50000, -6, 0x80000001, 0x123456789abcdef0, 1.5f, 5, 300, 77777, -9};
static uint32_t plain[64];
static volatile uint32_t seen, polled;

void SysTick_Handler(void)
{
    weft_systick_tick();
    seen++;
}

/* A loop of one path that reads nothing. */
__attribute__((noinline)) static uint32_t fill(uint32_t from)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 64; i++) {
        plain[i] = from + i * i;
        sum ^= plain[i] << i % 7;
    }
    return sum;
}

/* And one that reads once a pass. */
__attribute__((noinline)) static uint32_t copy(uint8_t *to, const volatile uint8_t *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] = from[i];
    return to[0];
}

__attribute__((noinline)) static uint64_t all_of(const volatile device *d, unsigned which)
{
    (void)d->word;
    switch (which % 6) {
    case 0:
        return d->bytes[which % 3] + (uint32_t)d->small;
    case 1:
        return d->half * 3u + (uint32_t)d->signed_half;
    case 2:
        return d->word >> 1;
    case 3:
        return d->wide * 5;
    case 4:
        return (uint64_t)(d->ratio * 64);
    default:
        return d->low + d->middle * 8u + d->high + (uint32_t)d->signed_bits;
    }
}

/* Waits as drivers do: the status register until it says so, or some time of the counter has passed. */
__attribute__((noinline)) static unsigned poll(unsigned most)
{
    unsigned polls = 0, begin = WEFT_SYST_CVR;
    while (!(UART_STATE & 2) && ((begin - WEFT_SYST_CVR) & 0xffffff) < most)
        polls++;
    return polls;
}

int main(void)
{
    uint8_t copied[16];
    uint64_t sum = 0;
    WEFT_SYST_RVR = 20000 - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    for (unsigned i = 0; i < 300; i++) {
        polled = poll(200); /* which depends on time */
        sum += all_of(&one, i);
        sum ^= fill((uint32_t)sum);
        if (i % 5 == 0)
            sum += copy(copied, one.bytes, 3 + i % 3);
        one.word += i;
        one.middle = i;
    }
    while (seen < 4)
        continue;
    WEFT_SYST_CSR = 0;
    printf("%08lx%08lx\n", (unsigned long)(sum >> 32), (unsigned long)sum);
    return 0;
}
