/* SPDX-License-Identifier: MIT */
/* A fault prints the registers and leaves the emulator with exit code 125; an interrupt without a handler leaves with
 * 126. Nothing spins. The handler runs on a stack of its own, since the program's may be what broke. */
#include <stdbool.h>

#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/semihost.h"

enum { FAULT_EXIT = 125, UNEXPECTED_EXIT = 126 };

extern uint32_t weft_ram_start, weft_ram_end; /* from the linker script */

/* Enough to end the trace as well: core/recorder.h, and the sink. */
__attribute__((used)) uint64_t weft_fault_stack[192];
/* r4 to r11, stored by the entry before any code of the compiler runs. */
__attribute__((used)) uint32_t weft_fault_saved[8];

void weft_fault_entry(void);
__attribute__((used)) void weft_fault_report(const uint32_t *frame, uint32_t exc_return);
void weft_unexpected_exception(void);

/* The frame is on the process stack if bit 2 of EXC_RETURN says so. v6-M has neither `ite` nor wide `stmia`. */
__attribute__((naked)) void weft_fault_entry(void)
{
    __asm volatile("ldr r2, =weft_fault_saved\n\t"
                   "stmia r2!, {r4-r7}\n\t"
                   "mov r4, r8\n\tmov r5, r9\n\tmov r6, r10\n\tmov r7, r11\n\t"
                   "stmia r2!, {r4-r7}\n\t"
                   "mov r1, lr\n\t"
                   "movs r2, #4\n\t"
                   "tst r1, r2\n\t"
                   "mrs r0, msp\n\t"
                   "beq 1f\n\t"
                   "mrs r0, psp\n"
                   "1:\n\t"
                   "ldr r2, =weft_fault_stack + 1536\n\t"
                   "msr msp, r2\n\t"
                   "ldr r2, =weft_fault_report\n\t"
                   "bx r2\n\t"
                   ".ltorg");
}

static void print_register(const char *name, uint32_t value)
{
    weft_semihost_print(name);
    weft_semihost_print("=");
    weft_semihost_print_hex(value);
    weft_semihost_print(" ");
}

static void print_frame(const uint32_t *frame)
{
    static const char *const names[] = {"r0", "r1", "r2", "r3", "r12", "lr", "pc", "xpsr"};
    uintptr_t at = (uintptr_t)frame;
    bool readable = at % 4 == 0 && at >= (uintptr_t)&weft_ram_start && at <= (uintptr_t)&weft_ram_end - 32;
    print_register("sp", at + 32);
    if (!readable)
        weft_semihost_print("(stack pointer outside RAM: no frame)");
    for (unsigned i = 0; readable && i < 8; i++)
        print_register(names[i], frame[i]);
    weft_semihost_print("\n");
}

static void print_saved(void)
{
    static const char *const names[] = {"r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"};
    for (unsigned i = 0; i < 8; i++)
        print_register(names[i], weft_fault_saved[i]);
    weft_semihost_print("\n");
}

static void print_status(uint32_t exc_return)
{
    print_register("exc_return", exc_return);
#if WEFT_MAINLINE
    print_register("cfsr", WEFT_SCB_CFSR);
    print_register("hfsr", WEFT_SCB_HFSR);
    print_register("mmfar", WEFT_SCB_MMFAR);
    print_register("bfar", WEFT_SCB_BFAR);
#endif
    weft_semihost_print("\n");
}

/* A fault inside the recorder (it runs with interrupts masked) must not call the recorder again. */
__attribute__((noreturn)) static void leave(int code)
{
    if (weft_primask())
        weft_semihost_exit(code);
    weft_target_exit(code);
}

void weft_fault_report(const uint32_t *frame, uint32_t exc_return)
{
    weft_semihost_print("\nfault: ");
    print_register("exception", weft_ipsr());
    weft_semihost_print("\n");
    print_frame(frame);
    print_saved();
    print_status(exc_return);
    leave(FAULT_EXIT);
}

void weft_unexpected_exception(void)
{
    weft_semihost_print("\nno handler for ");
    print_register("exception", weft_ipsr());
    weft_semihost_print("\n");
    leave(UNEXPECTED_EXIT);
}
