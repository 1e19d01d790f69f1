/* SPDX-License-Identifier: MIT */
/* A fault prints the registers and leaves the emulator with exit code 125; an interrupt without a handler leaves with
 * 126. Nothing spins. The handler is that of port/cortex-m/fault.h. */
#include <stdbool.h>

#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/fault.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/semihost.h"
#include "port/cortex-m/weft_target.h"

enum { FAULT_EXIT = 125, UNEXPECTED_EXIT = 126 };

/* Large enough to end the trace as well: see core/recorder.h for the recorder's share, and add the sink's. */
uint64_t weft_fault_stack[192];
const uint32_t weft_fault_stack_bytes = sizeof weft_fault_stack;

void weft_unexpected_exception(void);

static void print_register(const char *name, uint32_t value)
{
    weft_semihost_print(name);
    weft_semihost_print("=");
    weft_semihost_print_hex(value);
    weft_semihost_print(" ");
}

static void print_frame(const weft_fault_head *f)
{
    print_register("sp", f->sp);
    if (f->flags & WEFT_FAULT_FRAME) {
        static const char *const names[] = {"r0", "r1", "r2", "r3"};
        for (unsigned i = 0; i < 4; i++)
            print_register(names[i], f->r[i]);
        print_register("r12", f->r[12]);
        print_register("lr", f->lr);
        print_register("pc", f->pc);
        print_register("xpsr", f->xpsr);
    } else {
        weft_semihost_print("(stack pointer outside RAM: no frame)");
    }
    weft_semihost_print("\n");
}

static void print_saved(const weft_fault_head *f)
{
    static const char *const names[] = {"r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"};
    for (unsigned i = 0; i < 8; i++)
        print_register(names[i], f->r[4 + i]);
    weft_semihost_print("\n");
}

static void print_status(const weft_fault_head *f)
{
    print_register("exc_return", f->exc_return);
    if (f->flags & WEFT_FAULT_STATUS) {
        print_register("cfsr", f->cfsr);
        print_register("hfsr", f->hfsr);
        print_register("mmfar", f->mmfar);
        print_register("bfar", f->bfar);
    }
    weft_semihost_print("\n");
}

/* A fault inside the recorder (it runs with interrupts masked) must not call the recorder again. */
__attribute__((noreturn)) static void leave(int code)
{
    if (weft_primask()) {
        weft_target_done();
        weft_semihost_exit(code);
    }
    weft_target_exit(code);
}

void weft_fault_done(const weft_fault_head *fault)
{
    weft_semihost_print("\nfault: ");
    print_register("exception", fault->exception);
    weft_semihost_print("\n");
    print_frame(fault);
    print_saved(fault);
    print_status(fault);
    leave(FAULT_EXIT);
}

void weft_unexpected_exception(void)
{
    weft_semihost_print("\nno handler for ");
    print_register("exception", weft_ipsr());
    weft_semihost_print("\n");
    leave(UNEXPECTED_EXIT);
}
