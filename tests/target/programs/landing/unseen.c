/* SPDX-License-Identifier: MIT */
/* Compiled without probes. */
#include <setjmp.h>
#include <stdlib.h>

#include "landing.h"

#ifdef GIVES_UP
/* As the run-time library of C++ does: what was thrown is marked as caught, but nothing returns from there. */
__attribute__((noinline)) void __cxa_begin_catch(void *thrown)
{
    __asm__ volatile("" ::"r"(thrown) : "memory");
}

__attribute__((noinline)) void __cxa_throw(void *thrown)
{
    __cxa_begin_catch(thrown);
    abort();
}

/* A string of C++ catches what an allocation throws, and goes on. */
__attribute__((noinline)) void reserve(void *text) __asm__("_ZNSs7reserveEv");
void reserve(void *text)
{
    __cxa_begin_catch(text);
}

void set_new_handler(void (*handler)(void))
{
    (void)handler;
}

int unseen_step(int depth, node *next)
{
    if (depth > 4) {
        reserve(next);
        __cxa_throw(next);
    }
    return depth == 4 ? 7 : walk(depth + 1, next) + 1;
}
#else
static jmp_buf place;

int unseen_step(int depth, node *next)
{
    if (depth == 1 && setjmp(place))
        return 7;
    if (depth == 4)
        longjmp(place, 1);
    return walk(depth + 1, next) + 1;
}
#endif
