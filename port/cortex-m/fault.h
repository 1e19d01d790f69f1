/* SPDX-License-Identifier: MIT */
/* What is known at a fault, in memory that start-up does not clear: `weft capture --from-memory` finds it in a memory
 * dump, after a reset too.
 *
 *     void HardFault_Handler(void) __attribute__((alias("weft_fault_handler")));
 *
 * or, where the vector table is yours, weft_fault_handler itself in it; for MemManage, BusFault and UsageFault too, if
 * they are enabled. Or a naked handler of your own jumps to it at its end, with all registers as it found them. */
#ifndef WEFT_PORT_FAULT_H
#define WEFT_PORT_FAULT_H

#include "core/fault.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words of the stack that are kept, from where the stack pointer was at the fault. */
#ifndef WEFT_FAULT_STACK_WORDS
#define WEFT_FAULT_STACK_WORDS 32
#endif

/* A record with its stack (core/fault.h), as the bytes lie in RAM. */
typedef struct weft_fault {
    weft_fault_head head;
    uint32_t stack[WEFT_FAULT_STACK_WORDS];
    uint32_t check; /* CRC-32 of all before */
} weft_fault;

/* The newest fault; only while weft_fault_known says so. */
extern weft_fault weft_fault_record;

/* Whether weft_fault_record holds a fault: of this run, or of one before the last reset. */
bool weft_fault_known(void);
/* Forgets it, when it has been read. */
void weft_fault_forget(void);

/* A handler of faults: holds the black box, if one is linked, fills weft_fault_record, and calls weft_fault_done. It
 * runs on a stack of its own, since the program's may be what broke. Interrupts of lower priority wait meanwhile. */
void weft_fault_handler(void);

/* What comes next; it does not return. Weak in the port: it resets the processor. A program that defines it may print,
 * or end a recording (weft_stop_for_good), before that. `fault` is the head of
 * weft_fault_record. */
void weft_fault_done(const weft_fault_head *fault) __attribute__((noreturn));

/* The stack of the handler and of weft_fault_done: weak, of 256 bytes. A program whose weft_fault_done needs more
 * defines both. */
extern uint64_t weft_fault_stack[];
extern const uint32_t weft_fault_stack_bytes;

#ifdef __cplusplus
}
#endif

#endif
