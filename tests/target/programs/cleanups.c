/* SPDX-License-Identifier: MIT */
/* An exception that passes several activations of one function, and their cleanups (-fexceptions). It is raised and
 * ended by the unwinder of libgcc, so this takes no library of C++. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

#ifndef RUNS
#define RUNS 30
#endif
#define APART __attribute__((noinline, noclone))
#define HELD __attribute__((cleanup(let_go))) int

static jmp_buf back;
static struct _Unwind_Exception thrown;
static uint32_t end; /* the stack pointer of what catches it */
static volatile int count;

APART static void let_go(int *held)
{
    count += *held;
}

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                struct _Unwind_Exception *exception, struct _Unwind_Context *at, void *own)
{
    (void)version, (void)kind, (void)exception, (void)own;
    if (actions & _UA_END_OF_STACK || _Unwind_GetGR(at, 13) >= end)
        longjmp(back, 1);
    return _URC_NO_REASON;
}

APART _Noreturn static void raise(void)
{
    _Unwind_ForcedUnwind(&thrown, stop, NULL);
    abort();
}

/* Each activation has one cleanup, also of the call that does not return. */
APART static int all_hold(int n)
{
    HELD held = 1;
    if (n == 0)
        raise();
    return all_hold(n - 1) + 1;
}

/* The innermost one and each second one hold nothing: the exception passes by these. */
APART static int some_hold(int n)
{
    if (n == 0)
        raise();
    if (n & 1)
        return some_hold(n - 1) + 1;
    HELD held = 2;
    return some_hold(n - 1) + 2;
}

/* Two cleanups, of which the exception makes both or the outer one. */
APART static int hold_twice(int n)
{
    HELD outer = 3;
    if (n & 1) {
        HELD inner = 4;
        return hold_twice(n - 1) + 1;
    }
    if (n == 0)
        raise();
    return hold_twice(n - 1) + 2;
}

int main(void)
{
    static int (*const all[])(int) = {all_hold, some_hold, hold_twice};
    end = (uint32_t)(uintptr_t)__builtin_frame_address(0);
    for (volatile int i = 0; i < RUNS; i++)
        if (!setjmp(back))
            all[i % 3](6);
    printf("%d\n", count);
    return 0;
}
