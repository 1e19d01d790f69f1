/* SPDX-License-Identifier: MIT */
/* Records a program with a start-up of its own, from its constructors on where the start-up runs them, else from main:
 * the linker's --wrap=main puts this around it (with -flto only if the start-up is not compiled by it too). Its end is
 * where main returns, or where exit runs the destructors. Firmware that never ends is stopped by `weft capture`, or by
 * a debugger that calls weft_target_end. Compiled as a part of weft.c, where WEFT_AUTO is 1. */
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/weft_target.h"

#ifndef WEFT_AUTO_WRAP
#define WEFT_AUTO_WRAP 0
#endif

#define WORD_(name) #name
#define WORD(name) WORD_(name)

#if defined(WEFT_AUTO_SINK_SEMIHOST)
#define SINK "semihost"
#elif defined(WEFT_AUTO_SINK_HOOK)
#define SINK "hook"
#elif defined(WEFT_AUTO_SINK_RTT)
#define SINK "rtt"
#elif defined(WEFT_AUTO_SINK_ITM)
#define SINK "itm"
#else
#define SINK "ring"
#endif
#ifdef WEFT_AUTO_MACHINE
#define MACHINE "machine=" WORD(WEFT_AUTO_MACHINE) "\\n"
#else
#define MACHINE ""
#endif
#if defined(WEFT_AUTO_IRQ) && WEFT_AUTO_IRQ >= 0
#define WORKER "worker=1\\n"
#elif defined(WEFT_AUTO_WORKER) && WEFT_AUTO_WORKER
#define WORKER "worker=1\\n"
#else
#define WORKER ""
#endif
#if WEFT_AUTO_VALUES
#define PROBES "values"
#elif WEFT_AUTO_ACCESSES
#define PROBES "mem"
#else
#define PROBES "paths"
#endif

#if WEFT_AUTO_WRAP
#define BEGUN "begun=weft_target_begun\\n"
#else
#define BEGUN ""
#endif

/* Read by `weft capture`; it takes no byte of the target. */
__asm(".pushsection .weft.board, \"\", %progbits\n"
      ".ascii \"" MACHINE WORKER "sink=" SINK "\\nprobes=" PROBES "\\nring=weft_trace_ring\\ndone=weft_target_done\\n"
      "catch=weft_target_catch\\nleave=weft_target_leave\\nbusy=weft_target_busy\\n" BEGUN "\"\n"
      ".popsection");

__attribute__((noinline)) void weft_target_busy(void)
{
    __asm volatile("" : : : "memory");
}

/* Ends the recording on the handlers' stack. The code that was stopped may have a stack of its own without room for
 * this: a task's. Code without privilege cannot leave its stack. With interrupts masked: a scheduler that came in
 * between would look for the task's registers on the task's own stack. */
static void end_on_main_stack(void)
{
    uint32_t control = weft_control();
    bool own = !weft_ipsr() && (control & WEFT_CONTROL_PROCESS_STACK) && !(control & WEFT_CONTROL_UNPRIVILEGED);
    uint32_t main_stack = control & ~WEFT_CONTROL_PROCESS_STACK;
    if (!own) {
        weft_target_end();
        return;
    }
    uint32_t primask = weft_mask_interrupts();
    __asm volatile("msr control, %[main]\n\t"
                   "isb\n\t"
                   "blx %[function]\n\t"
                   "msr control, %[control]\n\t"
                   "isb"
                   :
                   : [main] "r"(main_stack), [function] "r"(weft_target_end), [control] "r"(control)
                   : "r0", "r1", "r2", "r3", "ip", "lr", "cc", "memory");
    weft_restore_interrupts(primask);
}

/* The program is about to leave the emulator, by a request of its own. That is not in a section of ours that masks
 * interrupts, so it may have masked them. Not inlined: the link would drop what only the emulator calls. */
__attribute__((noinline)) void weft_target_leave(void)
{
    if (weft_delivery_busy())
        weft_target_busy();
    end_on_main_stack();
    weft_target_done();
}

void weft_target_catch(void)
{
    if (weft_primask())
        weft_target_busy();
    weft_target_leave();
}

#if WEFT_AUTO_WRAP

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

volatile bool weft_target_begun;
static bool ended;

__attribute__((constructor(101))) static void begin(void)
{
    if (weft_target_begun)
        return;
    weft_target_begun = true;
    weft_target_begin();
}

__attribute__((destructor)) static void end(void)
{
    if (ended)
        return;
    ended = true;
    weft_target_end();
    weft_target_done();
}

int __wrap_main(int argc, char **argv)
{
    begin();
    int status = __real_main(argc, argv);
    end();
    return status;
}

#endif
