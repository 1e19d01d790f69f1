/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/places.h"
#include "core/own.h"

#include <stddef.h>

#include "core/bytes.h"
#include "port/cortex-m/cortexm.h"

#if defined WEFT_RING_DELIVERY && WEFT_RING_DELIVERY
#error places need direct delivery
#endif

/* What the processor stacks. */
enum { R0, R1, R2, R3, R12, LR, PC, XPSR, FRAME_WORDS };
enum { XPSR_THUMB = 1 << 24, XPSR_EXCEPTION = 0x1ff };

/* Bits of EXC_RETURN. */
enum { RETURN_THREAD = 1 << 3, RETURN_PROCESS_STACK = 1 << 2 };

typedef const uint32_t __attribute__((may_alias)) stack_word;

static bool wanted;

bool weft_delivery_place(weft_place *place, const void *from);
void weft_delivery_record_place(weft_recorder *recorder, uint32_t context, const weft_place *place);

void weft_places(void)
{
    wanted = true;
}

static bool is_exception_return(uint32_t word)
{
#if defined(__ARM_ARCH_8M_BASE__) || defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
    /* The plain frame (bit 5), of the state that the exception is taken to (bits 6 and 0). The reserved bit 1 is 0. */
    return word >= 0xffffff80 && (word & 0x22) == 0x20 && (word >> 6 & 1) == (word & 1);
#else
    return word == 0xfffffff1 || word == 0xfffffff9 || word == 0xfffffffd || word == 0xffffffe1 || word == 0xffffffe9 ||
           word == 0xffffffed;
#endif
}

#if WEFT_MAINLINE
/* The bit of SHCSR that says that a system exception is active; NMI and HardFault have none here. */
static const uint8_t system_active[16] = {[4] = 0, [5] = 1, [6] = 3, [7] = 4, [11] = 7, [12] = 8, [14] = 10, [15] = 11};
#endif

/* Whether the code of that exception, 0 for a thread, may be what the running handler interrupted. */
static bool may_be_interrupted(uint32_t exception)
{
#if WEFT_MAINLINE
    bool only = WEFT_SCB_ICSR & WEFT_ICSR_RETTOBASE;
    if (only || exception == 0)
        return only && exception == 0;
    if (exception >= 16)
        return WEFT_NVIC_IABR((exception - 16) / 32) >> (exception - 16) % 32 & 1;
    return exception < 4 || WEFT_SCB_SHCSR >> system_active[exception] & 1;
#else
    return exception < 48;
#endif
}

/* Whether `frame` is what the processor stacked, if `word` is an EXC_RETURN. */
static bool is_frame(stack_word *frame, uint32_t word, uint32_t own)
{
    uint32_t status = frame[XPSR], exception = status & XPSR_EXCEPTION;
    return status & XPSR_THUMB && !(frame[PC] & 1) && !(word & RETURN_THREAD) == (exception != 0) && exception != own &&
           may_be_interrupted(exception);
}

static uint32_t process_stack(void)
{
    uint32_t pointer;
    __asm volatile("mrs %0, psp" : "=r"(pointer));
    return pointer;
}

/* The end of the main stack, which the vector table begins with. */
static uint32_t stack_top(void)
{
#if WEFT_MAINLINE
    return *(stack_word *)(uintptr_t)WEFT_SCB_VTOR;
#else
    uint32_t table = 0; /* v6-M may be without VTOR. Hidden from the compiler, for which no object is at 0 */
    __asm volatile("" : "+r"(table));
    return *(stack_word *)(uintptr_t)table;
#endif
}

static stack_word *find_frame(uint32_t own, stack_word *at)
{
    stack_word *top = (stack_word *)(uintptr_t)(stack_top() & ~3u);
    for (unsigned left = WEFT_PLACES_WORDS; left && at < top; left--) {
        uint32_t word = *at++;
        if (!is_exception_return(word))
            continue;
        bool process = word & RETURN_PROCESS_STACK;
        stack_word *frame = process ? (stack_word *)(uintptr_t)process_stack() : at;
        if ((process || top - frame >= FRAME_WORDS) && is_frame(frame, word, own))
            return frame;
    }
    return NULL;
}

void weft_delivery_record_place(weft_recorder *recorder, uint32_t context, const weft_place *place)
{
    (void)weft_recorder_place(recorder, context, place);
}

bool weft_delivery_place(weft_place *place, const void *from)
{
    uint32_t own = weft_ipsr();
    stack_word *frame = own && wanted ? find_frame(own, from) : NULL;
    if (!frame)
        return false;
    *place = (weft_place){frame[PC], (uint32_t)(uintptr_t)frame,
                          weft_sum_of((const uint8_t *)frame, FRAME_WORDS * sizeof *frame)};
    return true;
}
