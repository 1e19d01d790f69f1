/* SPDX-License-Identifier: MIT */
/* Threads of a run without a kernel's help: one is known by where the core stored its registers when an exception
 * stopped it. An exception return that takes the registers of another frame switches to the thread that waits there,
 * and begins a new thread if none does.
 *
 *     stopped at 0x100        thread 0 runs, an exception comes
 *     returns to 0x900        no thread waits there: thread 1 begins; 0 waits at 0x100
 *     stopped at 0x8c0        thread 1 runs, an exception comes
 *     returns to 0x100        thread 0 goes on; 1 waits at 0x8c0
 *
 * Threads are numbered from 0 in the order in which they begin; 0 is what runs from reset. */
#ifndef WEFT_TOOLS_LIB_MACHINE_THREADS_H
#define WEFT_TOOLS_LIB_MACHINE_THREADS_H

#include <stddef.h>
#include <stdint.h>

typedef struct threads_known {
    struct {
        uint32_t thread, frame;
    } * waiting;
    size_t count, max;
    uint32_t running, begun; /* begun: without thread 0 */
} threads_known;

/* All zero: thread 0 runs. An exception return to thread mode: the thread that runs was stopped with its registers at
 * `stopped`, those that are loaded are at `frame`. Gives the thread that goes on, which is `running` from now on. */
uint32_t threads_resume(threads_known *t, uint32_t stopped, uint32_t frame);
/* A handler takes the place of the only one that runs. Its frame: the one that is there now, if a thread waits there
 * that was switched to; else `stopped`. A new thread is not known before it runs. */
uint32_t threads_chained(const threads_known *t, uint32_t stopped, uint32_t frame);
/* The number of a thread's context: 0, or VECTORS_THREAD and up (tools/lib/image/vectors.h). */
uint32_t threads_context(uint32_t thread);
void threads_free(threads_known *t);

#endif
