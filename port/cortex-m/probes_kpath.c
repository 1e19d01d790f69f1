/* SPDX-License-Identifier: MIT */
/* The entry points of builds with a k-slab forest, in a file of their own so that other builds do not link the forest.
 * A path cannot wait in the ring, since its activation may end before. So what a handler makes while it interrupts the
 * owner, who writes the profile mostly, is counted as lost. With ring delivery, which masks nothing, the owner is
 * the context that counts a path. A handler never writes the profile: a path that finds it full is lost, too.
 *
 * Without a control stream, no order of contexts is recorded: any of them may count paths while the forest's gate
 * (core/ksf.h) is open. Whoever finds it shut opens it, if nobody is at work. With a control stream it is
 * never open. */
#include <stddef.h>

#include "core/own.h"
#include "core/recorder_fast.h"
#include "core/recorder_ksf.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/delivery_choice.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

static weft_ksf_node no_node; /* so that what is shut has an address */
static struct {
    weft_ksf_gate gate;
    weft_ksf *volatile forest; /* the gate's, where a mask is enough to change it; NULL with ring delivery */
} entrance __attribute__((used)) = {{WEFT_KSF_SHUT, &no_node}, NULL};

void weft_kpath_shut(void)
{
    entrance.gate.open = WEFT_KSF_SHUT;
}

/* A recorder of a profile only is made ready for the caller. False: another context is at work. */
static __attribute__((noinline)) bool enter(uint32_t exception)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    bool idle = !recorder || weft_delivery_idle(recorder);
    if (recorder && idle) { /* without a control stream, a switch of context is not recorded */
        recorder->context = exception ? exception : weft_target_thread;
        entrance.forest = recorder->config.profiler_state;
        weft_ksf_open(entrance.forest, &entrance.gate);
    }
    weft_restore_interrupts(primask);
    return idle;
}

/* With interrupts masked. WEFT_OK: the caller may change the forest. WEFT_AGAIN: not before it has entered. */
static inline weft_status may_count(const weft_recorder *recorder)
{
    if (entrance.gate.open != WEFT_KSF_SHUT)
        return WEFT_OK;
    if (recorder->config.profile_only)
        return WEFT_AGAIN;
    return weft_delivery_at_forest ? WEFT_CONFIG : WEFT_OK;
}

/* Takes what was looked for. WEFT_CONFIG: another context is at work. */
static inline weft_status take(weft_ksf_activation *activation, weft_ksf_place *place)
{
    const uint32_t exception = weft_ipsr();
    for (;;) {
        uint32_t primask = weft_mask_interrupts();
        weft_recorder *recorder = weft_target_recorder;
        weft_status may = recorder ? may_count(recorder) : WEFT_OK, status = may;
        if (recorder && may == WEFT_OK)
            status = weft_recorder_kpath_take(recorder, activation, place);
        weft_restore_interrupts(primask);
        if (may != WEFT_AGAIN)
            return status;
        if (!enter(exception))
            return WEFT_CONFIG;
    }
}

/* Looks with interrupts on. */
static inline weft_status count_path(weft_recorder *recorder, uint32_t path, weft_ksf_activation *activation)
{
    weft_ksf_place place;
    weft_status status = weft_ksf_look(recorder->config.profiler_state, &place);
    while (status == WEFT_AGAIN && (recorder = weft_target_recorder)) {
        weft_ksf_find(recorder->config.profiler_state, activation, path, &place);
        status = take(activation, &place);
    }
    return status == WEFT_AGAIN ? WEFT_OK : status;
}

/* The control stream takes the path, in steps. */
static __attribute__((noinline)) void record(uint32_t path)
{
    uint32_t word = weft_history_word(weft_ipsr(), path);
    weft_status status = word == WEFT_HISTORY_NONE ? WEFT_FULL : WEFT_AGAIN;
    while (status == WEFT_AGAIN) {
        uint32_t primask = weft_mask_interrupts();
        weft_recorder *recorder = weft_target_recorder;
        bool open = recorder && weft_ipsr() == recorder->open;
        status = open ? weft_recorder_path_step(recorder, word, path) : WEFT_FULL;
        weft_restore_interrupts(primask);
    }
    if (status == WEFT_FULL)
        weft_deliver(WEFT_TAG_PATH, path, 0, 0);
}

static void lose(weft_ksf_activation *activation)
{
    *activation = (weft_ksf_activation){0};
    weft_delivery_lose_path();
}

static void take_slowly(uint32_t path, weft_ksf_activation *activation)
{
    uint32_t exception = weft_ipsr();
    weft_recorder *recorder = weft_delivery_own();
    if (!recorder) {
        lose(activation);
        return;
    }
    (void)weft_delivery_drain(recorder);
    weft_kpath_shut();
    weft_delivery_at_forest = true;
    weft_recorder_kpath(recorder, exception ? exception : weft_target_thread, path, activation);
    weft_delivery_at_forest = false;
    (void)weft_delivery_release(recorder);
    (void)weft_poll();
}

/* With ring delivery. The port's Makefile sees to it that there is no control stream. */
static void take_by_ring(uint32_t path, weft_ksf_activation *activation)
{
    uint32_t exception = weft_ipsr();
    weft_recorder *recorder = weft_delivery_own();
    if (!recorder) {
        lose(activation);
        return;
    }
    bool busy = recorder->waiting || recorder->profiling;
    weft_kpath_shut();
    entrance.forest = NULL;
    recorder->context = exception ? exception : weft_target_thread;
    if (busy || weft_recorder_kpath_here(recorder, path, activation) != WEFT_OK) {
        if (exception)
            lose(activation);
        else
            weft_recorder_kpath(recorder, recorder->context, path, activation);
    }
    if (WEFT_MAINLINE && !recorder->waiting && !recorder->profiling) /* others may only count at known edges */
        weft_ksf_open(recorder->config.profiler_state, &entrance.gate);
    (void)weft_delivery_release(recorder);
}

/* Beside a control stream: known and near, each in a mask of its own. */
static bool take_beside(uint32_t path, weft_ksf_activation *activation)
{
    const uint32_t exception = weft_ipsr();
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    bool taken = recorder && recorder->open == exception && weft_recorder_kpath_known(recorder, path, activation);
    weft_restore_interrupts(primask);
    if (taken)
        return true;
    primask = weft_mask_interrupts();
    recorder = weft_target_recorder;
    taken = recorder && recorder->open == exception && weft_recorder_kpath_near(recorder, path, activation);
    weft_restore_interrupts(primask);
    return taken;
}

/* The gate is shut, or the path is to be looked for. */
static __attribute__((noinline)) void take_rarely(uint32_t path, weft_ksf_activation *activation)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    if (weft_delivery_choice.by_ring) {
        take_by_ring(path, activation);
        return;
    }
    bool only = recorder->config.profile_only;
    weft_status status = !only && take_beside(path, activation) ? WEFT_OK : count_path(recorder, path, activation);
    if (status == WEFT_FULL && weft_delivery_profile())
        status = count_path(recorder, path, activation);
    if (status != WEFT_OK)
        take_slowly(path, activation);
    else if (!only)
        record(path);
}

/* With interrupts masked: the forest that the gate is open for; NULL: it is shut, or masks are not enough. */
static inline weft_ksf *open_forest(void)
{
    return entrance.gate.open != WEFT_KSF_SHUT ? entrance.forest : NULL;
}

/* To be looked for, with interrupts on. WEFT_CONFIG: the gate was shut meanwhile. */
static __attribute__((noinline)) weft_status look_for(weft_ksf *forest, uint32_t path, weft_ksf_activation *activation)
{
    weft_ksf_place place;
    weft_status status = weft_ksf_look(forest, &place);
    while (status == WEFT_AGAIN) {
        weft_ksf_find(forest, activation, path, &place);
        uint32_t primask = weft_mask_interrupts();
        status = forest == open_forest() ? weft_ksf_take(forest, activation, &place) : WEFT_CONFIG;
        weft_restore_interrupts(primask);
    }
    return status;
}

/* A path that the probe does not take: one that is to be looked for. Out of line, so that the usual way saves few
 * registers. */
static __attribute__((noinline, used)) void take_other(uint32_t path, weft_ksf_activation *activation)
{
    bool taken = false;
    weft_ksf *forest = open_forest(); /* what looks and takes is told if it is no longer open */
    if (!WEFT_MAINLINE) {
        uint32_t primask = weft_mask_interrupts();
        forest = open_forest();
        taken = forest && weft_ksf_near(forest, activation, path);
        weft_restore_interrupts(primask);
    }
    if (!taken && !(forest && look_for(forest, path, activation) == WEFT_OK))
        take_rarely(path, activation);
}

#if WEFT_MAINLINE

#define ROOTS 12
#define NODES_MAX 20
#define ROOTS_MASK 22
#define USED 24
#define CHUNK 30
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
_Static_assert(offsetof(weft_ksf_gate, node) == 4 && offsetof(weft_ksf_gate, open) == 0, "the probe knows the fields");
_Static_assert(sizeof(weft_ksf_gate) == 8, "likewise");
_Static_assert(offsetof(weft_ksf_activation, generation) == 0 && offsetof(weft_ksf_activation, at) == 4, "likewise");
_Static_assert(sizeof(weft_ksf_node) == 16 && offsetof(weft_ksf_node, below) == 0 &&
                   offsetof(weft_ksf_node, child) == 2 && offsetof(weft_ksf_node, sibling) == 4 &&
                   offsetof(weft_ksf_node, parent) == 6 && offsetof(weft_ksf_node, label) == 8 &&
                   offsetof(weft_ksf_node, count) == 12,
               "likewise");
_Static_assert(offsetof(weft_ksf, chunk) == CHUNK && offsetof(weft_ksf, roots) == ROOTS &&
                   offsetof(weft_ksf, roots_mask) == ROOTS_MASK && offsetof(weft_ksf, nodes_max) == NODES_MAX &&
                   offsetof(weft_ksf, used) == USED && WEFT_KSF_NEAR == 4,
               "likewise");

/* r0 the path, r1 the activation, r2 its generation, ip the entrance.
 *
 * The edge used last: weft_ksf_pass, without a mask. The exclusive store fails if an exception came after the count was
 * read, and the gate is looked at again after that. So if it was open for the same segment both times, the node is of
 * that segment.
 *
 * 1: another child, or none yet. Its ring is searched with interrupts on; nodes stay while a segment lasts, so the gate
 * alone tells whether what was found is right. What was not found is new if there are as many nodes as before the
 * search, and is made. Unless the segment goes on in the link of a chunk that has none yet: nothing says where that is.
 * A ring that was emptied and filled again meanwhile may never come back to its start, so the search ends after 64.
 *
 * 4: the first path of an activation: as weft_ksf_near does it, with a mask. */
__attribute__((naked)) void __weft_kpath(uint32_t path __attribute__((unused)),
                                         uint32_t activation[4] __attribute__((unused)))
{
    __asm volatile("push {r4-r7, lr}\n\t"
                   "ldr ip, =entrance\n\t"
                   "ldrd r2, r3, [r1]\n\t" /* generation, at */
                   "ldrd lr, r4, [ip]\n\t" /* open, node */
                   "cmp r2, lr\n\t"
                   "bne 4f\n\t"
                   "add r3, r4, r3, lsr #12\n\t" /* where the activation stands; steps are below 4,096 */
                   "ldr r3, [r3]\n\t"            /* what it becomes at the child */
                   "add r4, r4, r3, lsr #12\n\t" /* the child */
                   "ldrex lr, [r4, #12]\n\t"
                   "ldr r5, [ip]\n\t"
                   "cmp r2, r5\n\t"
                   "bne 9f\n\t"
                   "ldr r5, [r4, #8]\n\t"
                   "cmp r0, r5\n\t"
                   "bne 1f\n\t"
                   "adds lr, lr, #1\n\t"
                   "beq 9f\n\t"
                   "strex r5, lr, [r4, #12]\n\t"
                   "cbnz r5, 9f\n\t"
                   "str r3, [r1, #4]\n\t"
                   "pop {r4-r7, pc}\n"
                   "1:\n\t"
                   "ldr r7, [ip, #8]\n\t" /* the forest */
                   "cbz r7, 9f\n\t"
                   "ldrh r7, [r7, #" TEXT(USED) "]\n\t"
                   "ldr r6, [ip, #4]\n\t"
                   "lsrs r5, r3, #16\n\t" /* the child: where the search begins */
                   "beq 3f\n\t"
                   "ldrh lr, [r4, #4]\n\t" /* most are found here */
                   "add r4, r6, lr, lsl #4\n\t"
                   "ldr r5, [r4, #8]\n\t"
                   "cmp r0, r5\n\t"
                   "beq 2f\n\t"
                   "orr r7, r7, #64 << 16\n" /* nodes that are looked at */
                   "0:\n\t"
                   "ldrh lr, [r4, #4]\n\t"
                   "cmp lr, r3, lsr #16\n\t"
                   "beq 6f\n\t"
                   "add r4, r6, lr, lsl #4\n\t"
                   "ldr r5, [r4, #8]\n\t"
                   "cmp r0, r5\n\t"
                   "beq 2f\n\t"
                   "subs r7, r7, #1 << 16\n\t"
                   "bpl 0b\n"
                   "9:\n\t"
                   "pop {r4-r7, lr}\n\t"
                   "b take_other\n"
                   "2:\n\t" /* found: r4 is it, lr its handle */
                   "mrs r5, primask\n\t"
                   "cpsid i\n\t"
                   "ldr r7, [ip]\n\t"
                   "cmp r2, r7\n\t"
                   "bne 8f\n\t"
                   "ldr r7, [r4, #12]\n\t"
                   "adds r7, r7, #1\n\t"
                   "beq 8f\n\t"
                   "str r7, [r4, #12]\n"
                   "7:\n\t" /* it is what comes next */
                   "ldr r7, [r1, #4]\n\t"
                   "add r7, r6, r7, lsr #12\n\t"
                   "strh lr, [r7, #2]\n\t"
                   "bfi r3, lr, #16, #16\n\t"
                   "str r3, [r1, #4]\n\t"
                   "msr primask, r5\n\t"
                   "pop {r4-r7, pc}\n"
                   "6:\n\t" /* new: r3's child is its sibling */
                   "mrs r5, primask\n\t"
                   "cpsid i\n\t"
                   "ldr r4, [ip]\n\t"
                   "cmp r2, r4\n\t"
                   "bne 8f\n\t"
                   "ldr r4, [ip, #8]\n\t"
                   "uxth r7, r7\n\t"
                   "ldrd ip, lr, [r4, #" TEXT(NODES_MAX) "]\n\t" /* and the roots' mask; used, and written */
                   "uxth lr, lr\n\t"
                   "cmp lr, r7\n\t"
                   "bne 8f\n\t"
                   "uxth ip, ip\n\t"
                   "adds lr, lr, #1\n\t"
                   "cmp lr, ip\n\t"
                   "bhs 8f\n\t"
                   "strh lr, [r4, #" TEXT(USED) "]\n\t"
                   "add r4, r6, lr, lsl #4\n\t"
                   "lsrs r7, r3, #16\n\t"
                   "add r7, r6, r7, lsl #4\n\t"
                   "ldrh ip, [r7]\n\t"
                   "str ip, [r4]\n\t" /* as far below; no child */
                   "ldr ip, [r7, #4]\n\t"
                   "str ip, [r4, #4]\n\t" /* the same parent */
                   "strh lr, [r7, #4]\n"
                   "5:\n\t"
                   "str r0, [r4, #8]\n\t"
                   "movs r7, #1\n\t"
                   "str r7, [r4, #12]\n\t"
                   "b 7b\n"
                   "3:\n\t" /* the first that comes next; r3 is its steps to depth 2k-2 */
                   "ldrh r5, [r1, #4]\n\t"
                   "cmp r5, #0\n\t"
                   "beq 9b\n\t" /* a link */
                   "mrs r5, primask\n\t"
                   "cpsid i\n\t"
                   "ldr r4, [ip]\n\t"
                   "cmp r2, r4\n\t"
                   "bne 8f\n\t"
                   "ldr r4, [ip, #8]\n\t"
                   "ldr ip, [r1, #4]\n\t"
                   "ldrh lr, [r4, #" TEXT(USED) "]\n\t"
                   "cmp lr, r7\n\t"
                   "bne 8f\n\t" /* else nothing was made there meanwhile */
                   "ldrh r7, [r4, #" TEXT(NODES_MAX) "]\n\t"
                   "adds lr, lr, #1\n\t"
                   "cmp lr, r7\n\t"
                   "bhs 8f\n\t"
                   "strh lr, [r4, #" TEXT(USED) "]\n\t"
                   "movs r7, r3\n\t"
                   "it eq\n\t"
                   "ldrbeq r7, [r4, #" TEXT(CHUNK) "]\n\t"
                   "subs r7, r7, #1\n\t"
                   "add r4, r6, lr, lsl #4\n\t"
                   "str r7, [r4]\n\t"
                   "lsrs r7, ip, #16\n\t"
                   "strh lr, [r4, #4]\n\t" /* alone in its ring */
                   "strh r7, [r4, #6]\n\t"
                   "b 5b\n"
                   "8:\n\t"
                   "msr primask, r5\n\t"
                   "b 9b\n"
                   "4:\n\t"
                   "cmp r2, #0\n\t"
                   "bne 9b\n\t"
                   "ldr r6, [ip, #8]\n\t"
                   "cmp r6, #0\n\t"
                   "beq 9b\n\t"
                   "mrs r5, primask\n\t"
                   "cpsid i\n\t"
                   "ldrd r2, r7, [ip]\n\t"
                   "adds r3, r2, #1\n\t"
                   "beq 8b\n\t"
                   "eor ip, r0, r0, lsr #7\n\t"
                   "ldrh r3, [r6, #" TEXT(ROOTS_MASK) "]\n\t"
                   "ldr lr, [r6, #" TEXT(ROOTS) "]\n\t"
                   "and ip, ip, r3\n\t"
                   "add lr, lr, ip, lsl #1\n\t"
                   "ldrh r3, [lr]\n\t"
                   ".rept 4\n\t"
                   "add r4, r7, r3, lsl #4\n\t"
                   "ldr ip, [r4, #8]\n\t"
                   "cmp r0, ip\n\t"
                   "beq 5f\n\t"
                   "ldrh r3, [r4, #4]\n\t"
                   ".endr\n\t"
                   "b 8b\n"
                   "5:\n\t"
                   "ldr r7, [r4, #12]\n\t"
                   "adds r7, r7, #1\n\t"
                   "beq 8b\n\t"
                   "str r7, [r4, #12]\n\t"
                   "strh r3, [lr]\n\t"
                   "ldrb r6, [r6, #" TEXT(CHUNK) "]\n\t"
                   "lsls r6, r6, #1\n\t" /* a root's steps: 2 (k - 1) - 1 */
                   "subs r6, r6, #1\n\t"
                   "orr r3, r6, r3, lsl #16\n\t"
                   "strd r2, r3, [r1]\n\t"
                   "msr primask, r5\n\t"
                   "pop {r4-r7, pc}\n\t"
                   ".ltorg");
}

#else

void __weft_kpath(uint32_t path, uint32_t activation[4])
{
    weft_ksf_activation *state = (weft_ksf_activation *)activation;
    uint32_t primask = weft_mask_interrupts();
    bool taken = weft_ksf_pass(&entrance.gate, state, path);
    weft_restore_interrupts(primask);
    if (!taken)
        take_other(path, state);
}

#endif

/* The forest need not know that an activation ends. */
void __weft_kpath_exit(uint32_t path, uint32_t activation[4]) __attribute__((alias("__weft_kpath")));
