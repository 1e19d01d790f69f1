/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/places.h"
#include "core/own.h"

#include <stddef.h>

#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"
#include "port/cortex-m/under_way.h"

#if defined WEFT_RING_DELIVERY && WEFT_RING_DELIVERY
#error places need direct delivery
#endif

/* What the processor stacks. */
enum { R0, R1, R2, R3, R12, LR, PC, XPSR };
enum { XPSR_THUMB = 1 << 24, XPSR_EXCEPTION = 0x1ff };

/* Bits of EXC_RETURN. */
enum { RETURN_NO_FLOATS = 1 << 4, RETURN_THREAD = 1 << 3, RETURN_PROCESS_STACK = 1 << 2 };

typedef const uint32_t __attribute__((may_alias)) stack_word;

extern volatile uint32_t __weft_laps __attribute__((weak)); /* there if the program counts */

static bool wanted;
void weft_inputs_flush(void) __attribute__((weak)); /* in inputs.c */
bool weft_under_way[WEFT_UNDER_WAY_SIZE];           /* here, since a weak reference brings no file of a library */

void weft_places(void)
{
    wanted = true;
}

static bool is_wanted(void)
{
    return wanted || &__weft_laps;
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

static stack_word *process_stack(void)
{
    uint32_t pointer;
    __asm volatile("mrs %0, psp" : "=r"(pointer));
    return (stack_word *)(uintptr_t)pointer;
}

/* Whether `frame` can be what the processor stacked. */
static bool is_frame(stack_word *frame, uint32_t back, uint32_t own)
{
    uint32_t status = frame[XPSR], exception = status & XPSR_EXCEPTION;
    return !((uintptr_t)frame & 7) && status & XPSR_THUMB && !(frame[PC] & 1) &&
           !(back & RETURN_THREAD) == (exception != 0) && exception != own;
}

void __weft_handler(const void *stack, const void *back)
{
    uint32_t own = weft_ipsr(), kind = (uint32_t)(uintptr_t)back;
    if (!own || !is_wanted() || !weft_target_recorder || !is_exception_return(kind))
        return;
    uint32_t laps = &__weft_laps ? __weft_laps : 0; /* first, before other handlers count */
    if (weft_inputs_flush)
        weft_inputs_flush();
    uint32_t primask = weft_mask_interrupts(); /* as in all probes, the first mask says where the event is under way */
    weft_note_under_way(true);
    weft_restore_interrupts(primask);
    stack_word *frame = kind & RETURN_PROCESS_STACK ? process_stack() : (stack_word *)stack;
    if (!is_frame(frame, kind, own)) {
        weft_note_under_way(false);
        return;
    }
    uint32_t exception = frame[XPSR] & XPSR_EXCEPTION;
    weft_place place = {.pc = frame[PC],
                        .frame = (uint32_t)(uintptr_t)frame,
                        .exception = exception,
                        .counted = &__weft_laps,
                        .laps = laps,
                        .floats = !(kind & RETURN_NO_FLOATS),
                        .under_way = exception < WEFT_UNDER_WAY_SIZE && weft_under_way[exception]};
    for (unsigned i = R0; i <= R3; i++)
        place.hashes[0] |= weft_stacked_hash(frame[i]) << 8 * i;
    place.hashes[1] = weft_stacked_hash(frame[R12]) | weft_stacked_hash(frame[LR]) << 8 |
                      weft_stacked_hash(frame[XPSR] & WEFT_STACKED_STATE) << 16;
    weft_delivery_place(own, &place);
}

void weft_check(void)
{
    if (!&__weft_laps)
        return;
    if (weft_inputs_flush)
        weft_inputs_flush();
    weft_deliver(WEFT_TAG_STAMP, WEFT_EVENT_LAPS, __weft_laps, 0);
}

void weft_delivery_record_place(weft_recorder *recorder, const weft_event_slot *event);
void weft_delivery_record_place(weft_recorder *recorder, const weft_event_slot *event)
{
    if (event->id == WEFT_EVENT_LAPS) {
        (void)weft_recorder_laps(recorder, (event->tag & ~WEFT_TAG_STAMP) >> 2, event->data);
        return;
    }
    if ((event->id & WEFT_EVENT_PLACE_KIND) == WEFT_EVENT_INPUT) {
        (void)weft_recorder_input(recorder, (event->tag & ~WEFT_TAG_STAMP) >> 2, event->data, (uint8_t)(event->id >> 3),
                                  event->data_high);
        return;
    }
    static weft_place pending; /* its second slot comes right after the first, which nothing can part */
    if ((event->id & WEFT_EVENT_PLACE_KIND) == WEFT_EVENT_PLACE_HASHES) {
        pending.hashes[0] = event->data;
        pending.hashes[1] = event->data_high & 0xffffff;
        pending.counted = event->data_high >> 31;
        pending.laps = event->id >> 3 | event->data_high >> 24 << 29;
        (void)weft_recorder_place(recorder, (event->tag & ~WEFT_TAG_STAMP) >> 2, &pending);
        return;
    }
    pending = (weft_place){.pc = event->data & ~1u,
                           .frame = event->id - WEFT_EVENT_PLACE,
                           .exception = event->data_high >> 1,
                           .floats = event->data_high & 1,
                           .under_way = event->data & 1};
}
