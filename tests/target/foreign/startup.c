/* SPDX-License-Identifier: MIT */
/* The start-up of a firmware that knows nothing of Weft: vectors, memory, constructors, main, and no end. */
#include <stdint.h>

extern uint32_t _estack, _sidata, _sdata, _edata, _sbss, _ebss;
extern void (*__init_array_start[])(void), (*__init_array_end[])(void);
int main(void);
void Reset_Handler(void);
void Default_Handler(void);
void SysTick_Handler(void) __attribute__((weak, alias("Default_Handler")));
void Spare_IRQHandler(void) __attribute__((weak, alias("Default_Handler")));

void Default_Handler(void)
{
    for (;;)
        ;
}

void Reset_Handler(void)
{
    uint32_t *from = &_sidata;
    for (uint32_t *to = &_sdata; to < &_edata;)
        *to++ = *from++;
    for (uint32_t *to = &_sbss; to < &_ebss;)
        *to++ = 0;
    for (void (**init)(void) = __init_array_start; init < __init_array_end; init++)
        (*init)();
    main();
    for (;;)
        ;
}

__attribute__((section(".isr_vector"), used)) static void (*const vectors[16 + 32])(void) = {
    (void (*)(void))(uintptr_t)&_estack,
    Reset_Handler,
    Default_Handler,
    Default_Handler,
    Default_Handler,
    Default_Handler,
    Default_Handler,
    0,
    0,
    0,
    0,
    Default_Handler,
    Default_Handler,
    0,
    Default_Handler,
    SysTick_Handler,
    [16 + 31] = Spare_IRQHandler};
