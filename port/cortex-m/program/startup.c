/* SPDX-License-Identifier: MIT */
/* From reset to main, and the vector table. A program handles an exception by defining a function with one of the names
 * below; external interrupts have numbers: IRQ0_Handler to IRQ95_Handler. */
#include <stddef.h>
#include <stdlib.h>

#include "boards/board.h"
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/semihost.h"
#include "port/cortex-m/systick_clock.h"

typedef void handler(void);

/* From linker/sections.ld; only their addresses mean something. */
extern uint32_t weft_stack_top, weft_data_load, weft_data_start, weft_data_end, weft_bss_start, weft_bss_end;

int main(int argc, char **argv);
handler Reset_Handler, _init, _fini, __libc_init_array, __libc_fini_array, weft_fault_handler,
    weft_unexpected_exception;
static handler unexpected, fault;

#define WEAK __attribute__((weak, alias("unexpected")))
#define FAULT __attribute__((weak, alias("fault")))
#define IRQ(n) handler IRQ##n##_Handler WEAK;
#define ENTRY(n) IRQ##n##_Handler,
#define TEN(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define SIX(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5)
#define ALL(X) TEN(X, ) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4) TEN(X, 5) TEN(X, 6) TEN(X, 7) TEN(X, 8) SIX(X, 9)

handler NMI_Handler WEAK, SVC_Handler WEAK, DebugMon_Handler WEAK, PendSV_Handler WEAK;
handler HardFault_Handler FAULT, MemManage_Handler FAULT, BusFault_Handler FAULT, UsageFault_Handler FAULT,
    SecureFault_Handler FAULT;
ALL(IRQ)

static void unexpected(void)
{
    weft_unexpected_exception();
}

/* r0 has been saved in the exception's frame; every other register still holds the program's value. */
__attribute__((naked)) static void fault(void)
{
    __asm volatile("ldr r0, =weft_fault_handler\n\tbx r0\n\t.ltorg");
}

__attribute__((weak)) void SysTick_Handler(void)
{
    weft_systick_tick();
}

typedef union vector {
    handler *entry;
    uint32_t *stack;
} vector;

#define VECTOR(n) {.entry = IRQ##n##_Handler},
__attribute__((section(".vectors"), used)) const vector weft_vectors[16 + 96] = {{.stack = &weft_stack_top},
                                                                                 {.entry = Reset_Handler},
                                                                                 {.entry = NMI_Handler},
                                                                                 {.entry = HardFault_Handler},
                                                                                 {.entry = MemManage_Handler},
                                                                                 {.entry = BusFault_Handler},
                                                                                 {.entry = UsageFault_Handler},
                                                                                 {.entry = SecureFault_Handler},
                                                                                 {.entry = NULL},
                                                                                 {.entry = NULL},
                                                                                 {.entry = NULL},
                                                                                 {.entry = SVC_Handler},
                                                                                 {.entry = DebugMon_Handler},
                                                                                 {.entry = NULL},
                                                                                 {.entry = PendSV_Handler},
                                                                                 {.entry = SysTick_Handler},
                                                                                 ALL(VECTOR)};

/* newlib calls these around the arrays of constructors and destructors. */
__attribute__((used)) void _init(void)
{
}

__attribute__((used)) void _fini(void)
{
}

/* Volatile stores, so that the compiler does not turn them into a call of memcpy or memset. */
static void init_memory(void)
{
    volatile uint32_t *to = &weft_data_start;
    for (const uint32_t *from = &weft_data_load; to < &weft_data_end;)
        *to++ = *from++;
    to = &weft_bss_start;
    for (; &weft_bss_end - to >= 4; to += 4) /* the recorder's buffers are most of it */
        to[0] = to[1] = to[2] = to[3] = 0;
    while (to < &weft_bss_end)
        *to++ = 0;
}

static void init_processor(void)
{
#if WEFT_MAINLINE
    WEFT_SCB_VTOR = (uint32_t)(uintptr_t)weft_vectors;
#endif
#ifdef __ARM_FP
    WEFT_SCB_CPACR |= 0xfu << 20; /* full access to coprocessors 10 and 11: the FPU */
    weft_barrier();
#endif
}

/* Splits the emulator's command line at blanks. The words after `weft-trace=` belong to the trace sink. */
static int split_arguments(char *text, char **argv, int argv_max)
{
    int argc = 0;
    while (argc < argv_max - 1) {
        while (*text == ' ')
            *text++ = 0;
        if (!*text || __builtin_strncmp(text, "weft-trace=", 11) == 0)
            break;
        argv[argc++] = text;
        while (*text && *text != ' ')
            text++;
    }
    *text = 0;
    argv[argc] = NULL;
    return argc;
}

__attribute__((noreturn)) static void start(void)
{
    static char text[BOARD_COMMAND_LINE_SIZE];
    static char *argv[8];
    weft_board_init();
    weft_target_begin();
    __libc_init_array();
    atexit(__libc_fini_array);
    weft_semihost_command_line(text, sizeof text);
    exit(main(split_arguments(text, argv, 8), argv));
}

__attribute__((noreturn)) void Reset_Handler(void)
{
    init_processor();
    init_memory();
    start();
}
