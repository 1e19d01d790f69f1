/* SPDX-License-Identifier: MIT */
/* The plugin's entry points for paths and accesses. Most paths are predicted, and take some 20 instructions; nearly
 * all other events a fast way, too. Each masks interrupts. */
#include <stddef.h>

#include "core/own.h"
#include "core/recorder_fast.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

/* To take the history back, to enter and to put; and once more after an interrupt. */
enum { TRIES = 4 };

/* The recorder, if it is open for the caller. With interrupts masked. */
static inline weft_recorder *open_recorder(void)
{
    weft_recorder *recorder = weft_target_recorder;
    return recorder && recorder->open == weft_ipsr() ? recorder : NULL;
}

typedef enum step { TAKEN, AGAIN, OTHER_CONTEXT, NO_ROOM } step;

/* One step of put_kept, with interrupts masked. */
static step put_here(uint32_t path)
{
    weft_recorder *recorder = open_recorder();
    if (!recorder)
        return OTHER_CONTEXT;
    if (weft_history_lent(&recorder->history)) {
        weft_recorder_keep(recorder);
        return AGAIN;
    }
    if (!weft_recorder_takes_path(recorder))
        return NO_ROOM;
    return weft_recorder_path_step(recorder, weft_ipsr(), path) ? TAKEN : AGAIN;
}

/* What is left of a path: the history is not lent, or it ends here, or another context's events came before. Interrupts
 * may come between the steps, and close the recorder. */
static __attribute__((noinline)) void put_kept(uint32_t path)
{
    step done = AGAIN;
    for (unsigned tries = 0; done == AGAIN && tries < TRIES; tries++) {
        uint32_t primask = weft_mask_interrupts();
        done = put_here(path);
        weft_restore_interrupts(primask);
        if (done == OTHER_CONTEXT && weft_delivery_enter())
            done = AGAIN;
    }
    if (done == TAKEN)
        weft_delivery_lend();
    else
        weft_deliver(WEFT_TAG_PATH, path, 0, 0);
}

/* A path that is not predicted, in a context that the recorder is open for. Interrupts are masked, and `primask` is
 * what they were before. */
static __attribute__((noinline)) void put_other(uint32_t word, uint32_t primask)
{
    uint32_t path = word - (weft_ipsr() << WEFT_HISTORY_PATH_BITS);
    bool taken = path < WEFT_HISTORY_PATH_MASK && weft_recorder_path_lent(weft_target_recorder, path, word);
    weft_restore_interrupts(primask);
    if (!taken)
        put_kept(path);
}

/* A path that is not predicted, as above. Few registers, so that the ways out are short. */
static __attribute__((noinline)) void put_path(uint32_t word, uint32_t primask)
{
    const weft_recorder *recorder = weft_target_recorder;
    uint32_t exception = weft_ipsr(), open = recorder ? recorder->open : WEFT_RECORDER_CLOSED;
    if (open == exception) {
        put_other(word, primask);
        return;
    }
    weft_restore_interrupts(primask);
    word -= exception << WEFT_HISTORY_PATH_BITS;
    if (open == WEFT_RECORDER_CLOSED)
        weft_deliver(WEFT_TAG_PATH, word, 0, 0);
    else
        put_kept(word);
}

/* weft_history_put_lent, in registers that need not be saved. */
static inline bool put_predicted(weft_recorder *recorder, uint32_t word)
{
#if WEFT_MAINLINE
    __asm goto volatile(
        "ldr r2, [%0, %[at]]\n\t"
        "ldr ip, [%0, %[back]]\n\t"
        "ldr ip, [r2, ip, lsl #2]\n\t"
        "cmp ip, %1\n\t"
        "bne %l[other]\n\t"
        "ldr ip, [%0, %[last]]\n\t"
        "cmp ip, r2\n\t"
        "beq %l[other]\n\t"
        "str %1, [r2], #4\n\t"
        "str r2, [%0, %[at]]"
        :
        : "r"(recorder), "r"(word), [at] "i"(offsetof(weft_recorder, history.at)),
          [back] "i"(offsetof(weft_recorder, history.back)), [last] "i"(offsetof(weft_recorder, history.last))
        : "r2", "ip", "cc", "memory"
        : other);
    return true;
other:
    return false;
#else
    return weft_history_put_lent(&recorder->history, word);
#endif
}

void __weft_path(uint32_t path)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    /* A sum: so the word of a path that is too large for a word has another exception, and is not predicted. */
    uint32_t word = (weft_ipsr() << WEFT_HISTORY_PATH_BITS) + path, primask = weft_mask_interrupts();
    if (put_predicted(recorder, word))
        weft_restore_interrupts(primask);
    else
        put_path(word, primask);
}

static bool put_address(uint32_t site, uint32_t address)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = open_recorder();
    bool taken = recorder && weft_recorder_access_here(recorder, site, address);
    weft_restore_interrupts(primask);
    return taken;
}

/* Another context's events came before, or the region is full. */
static __attribute__((noinline)) void put_access(uint32_t site, uint32_t address)
{
    const weft_recorder *recorder = weft_target_recorder;
    bool other = recorder && recorder->open != weft_ipsr();
    if (!other || !weft_delivery_enter() || !put_address(site, address))
        weft_deliver(WEFT_TAG_ACCESS, site, address, 0);
}

void __weft_access(uint32_t site, const volatile void *address)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    uint32_t at = (uint32_t)(uintptr_t)address, primask = weft_mask_interrupts();
    bool taken = weft_ipsr() == recorder->open && weft_recorder_access_here(recorder, site, at);
    weft_restore_interrupts(primask);
    if (!taken)
        put_access(site, at);
}
