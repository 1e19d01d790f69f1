/* SPDX-License-Identifier: MIT */
/* The plugin's entry point for accesses, in a file of its own so that a program without them does not link it. Nearly
 * all take a fast way, with interrupts masked. */
#include <stddef.h>

#include "core/own.h"
#include "core/recorder_ready.h"
#include "port/cortex-m/probes_parts.h"
#include "port/cortex-m/under_way.h"

#if WEFT_SHORT_STEPS
static __attribute__((noinline)) void look_at_paths(void)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = open_recorder();
    if (recorder)
        weft_recorder_look_at_paths(recorder);
    weft_restore_interrupts(primask);
}

/* A function of its own, so that what was found waits in memory, and not in registers. */
static __attribute__((noinline)) bool put_ready(uint32_t site, uint32_t address, const weft_ready_address *ready)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = open_recorder();
    bool taken = recorder && weft_recorder_access_ready(recorder, site, address, ready);
    if (taken)
        weft_note_under_way(false);
    weft_restore_interrupts(primask);
    return taken;
}

static bool put_address(uint32_t site, uint32_t address)
{
    const weft_recorder *guess = weft_target_recorder;
    if (!guess)
        return false;
    if (guess->history.at != guess->seen_at)
        look_at_paths();
    weft_ready_address ready;
    weft_recorder_ready_address(guess, site, address, &ready);
    return put_ready(site, address, &ready);
}
#else
static bool put_address(uint32_t site, uint32_t address)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = open_recorder();
    bool taken = recorder && weft_recorder_access_here(recorder, site, address);
    weft_note_under_way(!taken);
    weft_restore_interrupts(primask);
    return taken;
}
#endif

/* What the fast way leaves: a slot that is stale, or another context's events came before, or the region is full. */
static __attribute__((noinline, used)) void put_access(uint32_t site, uint32_t address)
{
    weft_note_under_way(true);
    const weft_recorder *recorder = weft_target_recorder;
    bool other = recorder && recorder->open != weft_ipsr();
    if ((other && !weft_delivery_enter()) || !put_address(site, address))
        weft_deliver(WEFT_TAG_ACCESS, site, address, 0);
}

#if WEFT_MAINLINE

#define EPOCH_AT 20
#define BUS_AT 156
_Static_assert(offsetof(weft_recorder, address) == 0 && offsetof(weft_recorder, accesses) == 4 &&
                   offsetof(weft_recorder, turn) == 8 && offsetof(weft_recorder, slots) == 12 &&
                   offsetof(weft_recorder, slots_mask) == 16 && offsetof(weft_recorder, epoch) == EPOCH_AT &&
                   offsetof(weft_recorder, seen_at) == 24 && offsetof(weft_recorder, history.at) == 28 &&
                   offsetof(weft_recorder, accesses_done) == 100 && offsetof(weft_recorder, turn_done) == 104 &&
                   WEFT_TURN_EXCEPTION == 23 && WEFT_TURN_RUN_BITS == 9,
               "__weft_access knows where the fields are");
_Static_assert(offsetof(weft_recorder, region[WEFT_REGION_BUS].at) == BUS_AT, "likewise");
_Static_assert(sizeof(weft_slot) == 8 && offsetof(weft_slot, last) == 0, "likewise");

#define EPOCH_TEXT TEXT(EPOCH_AT)
#define BUS_TEXT TEXT(BUS_AT)

/* weft_recorder_access_lent, which takes a quarter more instructions as compiled C; weft_recorder_put_address for a
 * slot that is stale; and put_access, where that does nothing. An address that is predicted takes 25 to 28
 * instructions, another one 42 to 67, of which all but 7 with interrupts masked. PRIMASK is kept in ip: an interrupt
 * that comes at the end gives lr another value before the emulator's count of masked instructions looks. */
__attribute__((naked)) void __weft_access(uint32_t site __attribute__((unused)),
                                          const volatile void *address __attribute__((unused)))
{
    __asm volatile("ldr r2, =weft_target_recorder\n\t"
                   "ldr r2, [r2]\n\t"
                   "cbz r2, 9f\n\t"
                   "push {r0, r4-r10, lr}\n\t"
                   "mrs ip, primask\n\t"
                   "cpsid i\n\t"
                   "ldm r2, {r3-r10}\n\t" /* address, accesses, turn, slots, slots_mask, epoch, seen_at, at */
                   "mrs lr, ipsr\n\t"
                   "ands r7, r7, r0\n\t"
                   "add r6, r6, r7, lsl #3\n\t"
                   "eor r0, r5, lr, lsl #23\n\t" /* r0: the run, if it is short, and open for this context */
                   "ldrd lr, r7, [r6]\n\t"       /* last, state */
                   "eor r8, r8, r7\n\t"          /* and a slot of this epoch? */
                   "orr r8, r0, r8, lsl #16\n\t"
                   "cmp r8, #512\n\t"
                   "bhs 7f\n\t"
                   "cmp r9, r10\n\t"
                   "bne 2f\n"
                   "21:\n\t"
                   "sub lr, r1, lr\n\t"      /* lr: the difference from the last address */
                   "cmp lr, r7, asr #16\n\t" /* is the stride */
                   "bne 1f\n\t"
                   "adds r5, r5, #1\n\t"
                   "str r1, [r6]\n\t"
                   "stm r2, {r1, r4, r5}\n\t"
                   "msr primask, ip\n\t"
                   "pop {r0, r4-r10, pc}\n"
                   "9:\n\t"
                   "bx lr\n"
                   "2:\n\t" /* a path has ended */
                   "str r10, [r2, #24]\n\t"
                   "strd r4, r5, [r2, #100]\n\t"
                   "b 21b\n"
                   "1:\n\t"
                   "ldrd r9, r10, [r2, #" BUS_TEXT "]\n\t"
                   "cmp r10, r9\n\t"
                   "blo 8f\n\t"
                   "adc r4, r4, r0\n\t" /* 1 more than the run, which ends: the carry is set */
                   "subs r5, r5, r0\n\t"
                   "stm r2, {r1, r4, r5}\n\t"
                   "bfi r7, lr, #16, #16\n\t" /* the new stride, if 16 bits hold it */
                   "cmp lr, r7, asr #16\n\t"
                   "bne 11f\n\t"
                   "strd r1, r7, [r6]\n\t"
                   "cbnz r0, 6f\n"
                   "3:\n\t"
                   "asrs r5, lr, #31\n\t" /* r5: zigzag */
                   "eor r5, r5, lr, lsl #1\n\t"
                   "cmp r5, #63\n\t"
                   "bhi 5f\n\t"
                   "orr r5, r5, #64\n"
                   "4:\n\t"
                   "strb r5, [r9], #1\n\t"
                   "str r9, [r2, #" BUS_TEXT "]\n\t"
                   "msr primask, ip\n\t"
                   "pop {r0, r4-r10, pc}\n"
                   "5:\n\t"
                   "orr r3, r5, #192\n\t"
                   "lsrs r5, r5, #6\n"
                   "51:\n\t"
                   "strb r3, [r9], #1\n\t"
                   "cmp r5, #127\n\t"
                   "bls 4b\n\t"
                   "orr r3, r5, #128\n\t"
                   "lsrs r5, r5, #7\n\t"
                   "b 51b\n"
                   "6:\n\t"
                   "cmp r0, #62\n\t"
                   "bhi 62f\n"
                   "61:\n\t"
                   "strb r0, [r9], #1\n\t"
                   "b 3b\n"
                   "62:\n\t"
                   "movs r3, #63\n"
                   "63:\n\t"
                   "strb r3, [r9], #1\n\t"
                   "cmp r0, #127\n\t"
                   "bls 61b\n\t"
                   "orr r3, r0, #128\n\t"
                   "lsrs r0, r0, #7\n\t"
                   "b 63b\n"
                   "7:\n\t"
                   "cmp r0, #512\n\t"
                   "bhs 8f\n\t"
                   "cmp r9, r10\n\t" /* stale: its difference is from the last address, and it has no stride */
                   "itt ne\n\t"
                   "strne r10, [r2, #24]\n\t"
                   "strdne r4, r5, [r2, #100]\n\t"
                   "ldrd r9, r10, [r2, #" BUS_TEXT "]\n\t"
                   "cmp r10, r9\n\t"
                   "blo 8f\n\t"
                   "ldr r7, [r2, #" EPOCH_TEXT "]\n\t"
                   "subs lr, r1, r3\n\t"
                   "beq 8f\n\t"
                   "add r4, r4, r0\n\t"
                   "adds r4, r4, #1\n\t"
                   "subs r5, r5, r0\n\t"
                   "stm r2, {r1, r4, r5}\n"
                   "11:\n\t"
                   "uxth r7, r7\n\t" /* no stride */
                   "strd r1, r7, [r6]\n\t"
                   "cmp r0, #0\n\t"
                   "beq 3b\n\t"
                   "b 6b\n"
                   "8:\n\t"
                   "pop {r0, r4-r10, lr}\n\t"
                   "msr primask, ip\n\t" /* last, so that where it is interrupted says that nothing was recorded */
                   "b put_access\n\t"
                   ".ltorg");
}

#else

void __weft_access(uint32_t site, const volatile void *address)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    uint32_t at = (uint32_t)(uintptr_t)address, exception = weft_ipsr(), primask = weft_mask_interrupts();
    bool taken = weft_recorder_access_lent(recorder, exception, site, at);
    weft_note_under_way(!taken);
    weft_restore_interrupts(primask);
    if (!taken)
        put_access(site, at);
}

#endif
