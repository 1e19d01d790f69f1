/* SPDX-License-Identifier: MIT */
/* A program without Weft for the test of source lines. With UNUSED it also has functions that nothing calls, longer
 * than all that is called. The linker discards them, but leaves their line programs, moved to address 0. Ends by
 * semihosting. */
#include <stdint.h>

void reset(void);

__attribute__((section(".vectors"), used)) void (*const vectors[4])(void) = {
    (void (*)(void))0x20003000,
    reset,
    reset,
    reset,
};

static volatile uint32_t input[8] = {1, 2, 3, 4, 5, 6, 7, 8}, output;

/* A layout may place this function at address 0. */
__attribute__((noinline, section(".text.first"))) uint32_t first(uint32_t value)
{
    if (value & 1)
        return value * 3 + 1;
    return value / 2;
}

#ifdef UNUSED
/* As long as `first`, so that only its name distinguishes it. */
__attribute__((noinline)) uint32_t last(uint32_t value)
{
    if (value & 1)
        return value * 3 + 1;
    return value / 2;
}

#define TEN(statement)                                                                                                 \
    statement statement statement statement statement statement statement statement statement statement

void never(uint32_t by)
{
    TEN(output = input[0] * by;)
    TEN(output = input[1] / by;)
    TEN(output = input[2] + by;)
    TEN(output = input[3] - by;)
    TEN(output = input[4] ^ by;)
    TEN(output = input[5] & by;)
}
#endif

#line 100
static uint32_t __attribute__((noinline)) sum(uint32_t count)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += first(input[i]);
    return total;
}

static void leave(void)
{
    register uint32_t reason __asm("r0") = 0x18, code __asm("r1") = 0x20026;
    __asm volatile("bkpt 0xab" ::"r"(reason), "r"(code) : "memory");
}

void reset(void)
{
    output = sum(8);
    leave();
    for (;;)
        ;
}
