/* SPDX-License-Identifier: MIT */
/* The plugin's entry point for paths. Most are predicted, and take 12 instructions with interrupts on. Nearly all
 * others take a fast way, too, with interrupts masked. */
#include <stddef.h>

#include "core/own.h"
#include "port/cortex-m/probes_parts.h"
#include "port/cortex-m/under_way.h"

/* To catch up, to take the history back, to enter and to put; and more after interrupts. */
enum { TRIES = 64 };

typedef enum step { TAKEN, CAUGHT_UP, AGAIN, OTHER_CONTEXT, NO_ROOM } step;

/* What put_slowly has done for a history that is lent. */
typedef enum progress { NOTHING, COPIED, STUCK } progress;

/* The history is lent to the caller, whose path was not put. */
static inline step put_lent(weft_recorder *recorder, progress *done)
{
    if (weft_history_catch_up(&recorder->history)) {
        *done = COPIED;
        return AGAIN;
    }
    if (*done == STUCK) {
        weft_recorder_keep(recorder);
        return AGAIN;
    }
    if (weft_recorder_go_on(recorder) || *done == COPIED)
        return CAUGHT_UP;
    *done = STUCK;
    return AGAIN;
}

/* One step of put_slowly, with interrupts masked. */
static inline step put_here(uint32_t exception, uint32_t path, uint32_t word, progress *lent)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder || recorder->open != exception)
        return OTHER_CONTEXT;
    weft_history *history = &recorder->history;
    if (history->pending) {
        if (weft_history_lent(history))
            return put_lent(recorder, lent);
        weft_history_settle_step(history);
        return AGAIN;
    }
    weft_status status = weft_recorder_path_step(recorder, word, path);
    return status == WEFT_OK ? TAKEN : status == WEFT_AGAIN ? AGAIN : NO_ROOM;
}

/* __weft_path, for a path that is under way. Where it is interrupted says that the path was not taken. */
#if WEFT_MAINLINE
static __attribute__((naked, noinline)) void go_on_masked(uint32_t path __attribute__((unused)),
                                                          uint32_t primask __attribute__((unused)))
{
    __asm volatile("msr primask, r1\n\t"
                   "b __weft_path");
}

static __attribute__((noinline)) void try_again(uint32_t path)
{
    uint32_t primask = weft_mask_interrupts();
    weft_note_under_way(false);
    go_on_masked(path, primask);
}
#else
static void try_again(uint32_t path) /* there a branch does not reach so far */
{
    weft_deliver(WEFT_TAG_PATH, path, 0, 0);
}
#endif

/* Takes a path that the fast way does not: many were taken, the history is not lent or ends here, or another context's
 * events came before. Works in steps; interrupts may come between them, and close the recorder. */
static __attribute__((noinline)) void put_slowly(uint32_t path)
{
    step done = AGAIN;
    progress lent = NOTHING;
    uint32_t exception = weft_ipsr(), word = weft_history_word(exception, path);
    for (unsigned tries = 0; word != WEFT_HISTORY_NONE && done == AGAIN && tries < TRIES; tries++) {
        uint32_t primask = weft_mask_interrupts();
        done = put_here(exception, path, word, &lent);
        if (done == TAKEN)
            weft_note_under_way(false);
        weft_restore_interrupts(primask);
        if (done == OTHER_CONTEXT && weft_delivery_enter())
            done = AGAIN;
    }
    if (done == TAKEN)
        weft_delivery_lend();
    else if (done == CAUGHT_UP && weft_under_way)
        try_again(path);
    else if (done == CAUGHT_UP)
        __weft_path(path);
    else
        weft_deliver(WEFT_TAG_PATH, path, 0, 0);
}

/* A path that is not predicted, and more is to do. Interrupts are masked, and `primask` is what they were before. */
static __attribute__((noinline, used)) void put_rarely(uint32_t word, weft_predicted *predicted, uint32_t primask)
{
    const weft_recorder *open = weft_target_recorder;
    weft_recorder *recorder = (weft_recorder *)((uintptr_t)predicted - offsetof(weft_recorder, history.at));
    bool closed = open && open->open == WEFT_RECORDER_CLOSED;
    bool again = !WEFT_MAINLINE && recorder == open && weft_recorder_path_again(recorder, word);
    bool taken = !open || again;
    if (!taken || !WEFT_MAINLINE) /* there it is under way already */
        weft_note_under_way(!taken);
    weft_restore_interrupts(primask);
    word -= weft_ipsr() << WEFT_HISTORY_PATH_BITS;
    if (closed)
        weft_deliver(WEFT_TAG_PATH, word, 0, 0);
    else if (!taken)
        put_slowly(word);
}

/* The word of a path is a sum. So that of a path that is too large for a word has another exception, and is not
 * predicted. */
#if WEFT_MAINLINE

/* Bytes from weft_recorder.history.at. */
#define SEEN_AT -4
#define VALUES_SEEN_AT 68
#define CONTROL_AT 96
_Static_assert(offsetof(weft_history, from) == 4 && offsetof(weft_history, to) == 8 &&
                   offsetof(weft_history, last) == 12 && offsetof(weft_history, run) == 16 &&
                   offsetof(weft_history, end) == 20 && offsetof(weft_history, found_mask) == 24 &&
                   offsetof(weft_history, back) == 28,
               "put_other knows where the fields are");
_Static_assert((int)offsetof(weft_recorder, seen_at) - (int)offsetof(weft_recorder, history.at) == SEEN_AT, "likewise");
_Static_assert(offsetof(weft_recorder, values_seen_at) - offsetof(weft_recorder, history.at) == VALUES_SEEN_AT,
               "likewise");
_Static_assert(offsetof(weft_recorder, region[WEFT_REGION_CONTROL].at) - offsetof(weft_recorder, history.at) ==
                   CONTROL_AT,
               "likewise");
_Static_assert(offsetof(weft_recorder, history.at) == 28, "likewise");
_Static_assert(offsetof(weft_region, limit) - offsetof(weft_region, at) == 4, "likewise");

#define SEEN_TEXT TEXT(SEEN_AT)
#define VALUES_SEEN_TEXT TEXT(VALUES_SEEN_AT)
#define CONTROL_TEXT TEXT(CONTROL_AT)

static __attribute__((noinline, used)) void keep_full_history(weft_recorder *recorder)
{
    keep_if_full(recorder);
}

/* weft_recorder_path_lent for the word in r0, where r1 is the address of weft_recorder.history.at: half of what the
 * compiler makes of it. Nearly all of what the probes cost is here and in __weft_path. */
static __attribute__((naked, used)) void put_other(void)
{
    __asm volatile("push {r4-r10, lr}\n\t"
                   "mrs ip, primask\n\t"
                   "cpsid i\n\t"
                   "ldm r1, {r2-r8}\n\t" /* at, from, to, last, run, end, found_mask */
                   "ldr r9, [r2]\n\t"    /* what was predicted, of the same exception? */
                   "eor r10, r9, r0\n\t"
                   "cmp r10, #0x800000\n\t"
                   "bhs 11f\n\t"
                   "subs r2, r2, r3\n\t" /* r2: taken, in bytes; there must be places for it and the path */
                   "subs r5, r5, r4\n\t"
                   "cmp r2, r5\n\t"
                   "bge 8f\n\t"
                   "cbz r2, 2f\n\t"
                   "cmp r2, #10 * 4\n\t"
                   "bhi 12f\n"
                   "0:\n\t"
                   "add r6, r6, r2, lsr #2\n\t" /* what was taken is put, and one word more that will be replaced */
                   "adds r2, r2, r4\n"
                   "1:\n\t"
                   "ldrd r5, r10, [r3], #8\n\t"
                   "strd r5, r10, [r4], #8\n\t"
                   "cmp r4, r2\n\t"
                   "blo 1b\n\t"
                   "mov r4, r2\n"
                   "2:\n\t"
                   "mov r10, #-1\n\t" /* WEFT_HISTORY_NONE: where the path goes, no path stands */
                   "str r10, [r4]\n\t"
                   "and r8, r8, r0\n\t" /* r8: its entry, less 4; r3: the place after that in it */
                   "add r8, r7, r8, lsl #2\n\t"
                   "ldr r3, [r8, #4]\n\t"
                   "subs r3, r7, r3\n\t"
                   "ldr r2, [r3], #4\n\t"
                   "eors r2, r2, r0\n\t"
                   "beq 3f\n\t"
                   "lsls r2, r2, #9\n\t"
                   "beq 7f\n\t"
                   "mov r3, r4\n"
                   "3:\n\t"
                   "subs r7, r7, r4\n\t" /* the path is put, and what came after it is predicted */
                   "str r7, [r8, #4]\n\t"
                   "strd r0, r10, [r4], #4\n\t"
                   "strd r3, r4, [r1, #4]\n\t"
                   "str r3, [r1]\n\t"
                   "str r1, [r1, #" SEEN_TEXT "]\n\t" /* which is never `at` */
                   "str r1, [r1, #" VALUES_SEEN_TEXT "]\n\t"
                   "ldrd r2, r5, [r1, #" CONTROL_TEXT "]\n\t"
                   "cbz r6, 5f\n\t"
                   "movs r3, #0\n\t" /* the run */
                   "str r3, [r1, #16]\n\t"
                   "str r3, [r1, #28]\n\t"
                   "cmp r6, #62\n\t"
                   "bls 4f\n\t"
                   "movs r3, #63\n\t"
                   "strb r3, [r2], #1\n"
                   "31:\n\t"
                   "cmp r6, #127\n\t"
                   "bls 4f\n\t"
                   "orr r3, r6, #128\n\t"
                   "strb r3, [r2], #1\n\t"
                   "lsrs r6, r6, #7\n\t"
                   "b 31b\n"
                   "4:\n\t"
                   "strb r6, [r2], #1\n"
                   "5:\n\t"
                   "sub r0, r0, r9\n\t" /* the difference, zigzag */
                   "asrs r3, r0, #31\n\t"
                   "eor r0, r3, r0, lsl #1\n\t"
                   "cmp r0, #63\n\t"
                   "bhi 9f\n\t"
                   "orr r0, r0, #64\n"
                   "6:\n\t"
                   "strb r0, [r2], #1\n\t"
                   "str r2, [r1, #" CONTROL_TEXT "]\n\t"
                   "cmp r2, r5\n\t"
                   "bhi 10f\n\t"
                   "msr primask, ip\n\t"
                   "pop {r4-r10, pc}\n"
                   "7:\n\t"
                   "ldr r2, [r1]\n\t"
                   "strd r2, r4, [r1, #4]\n\t"
                   "str r6, [r1, #16]\n"
                   "8:\n\t"
                   "mov r2, ip\n\t"
                   "pop {r4-r10, lr}\n\t"
                   "b put_rarely\n"
                   "9:\n\t"
                   "orr r3, r0, #192\n\t"
                   "strb r3, [r2], #1\n\t"
                   "lsrs r0, r0, #6\n"
                   "91:\n\t"
                   "cmp r0, #127\n\t"
                   "bls 6b\n\t"
                   "orr r3, r0, #128\n\t"
                   "strb r3, [r2], #1\n\t"
                   "lsrs r0, r0, #7\n\t"
                   "b 91b\n"
                   "10:\n\t"
                   "msr primask, ip\n\t"
                   "sub r0, r1, #28\n\t"
                   "pop {r4-r10, lr}\n\t"
                   "b keep_full_history\n"
                   "11:\n\t" /* nothing stands where the next path goes: does what was taken begin again? */
                   "cmp r2, r4\n\t"
                   "bne 8b\n\t"
                   "ldr r9, [r3]\n\t"
                   "subs r2, r2, r3\n\t"
                   "subs r5, r5, r4\n\t"
                   "cmp r2, r5\n\t"
                   "bge 8b\n\t"
                   "eors r10, r9, r0\n\t"
                   "beq 14f\n\t"
                   "cmp r10, #0x800000\n\t"
                   "bhs 8b\n\t"
                   "cmp r2, #6 * 4\n\t" /* fewer than elsewhere, since this way is longer */
                   "bls 0b\n"
                   "12:\n\t" /* many were taken: some are put, six at a time, and it is tried again */
                   "cmp r2, #36 * 4\n\t"
                   "it hi\n\t"
                   "movhi r2, #36 * 4\n\t"
                   "subs r2, r2, #6 * 4\n"
                   "13:\n\t"
                   "ldm r3!, {r5, r7, r8, r9, r10, lr}\n\t"
                   "stm r4!, {r5, r7, r8, r9, r10, lr}\n\t"
                   "adds r6, r6, #6\n\t"
                   "subs r2, r2, #6 * 4\n\t"
                   "bhs 13b\n\t"
                   "mov r10, #-1\n\t"
                   "str r10, [r4]\n\t"
                   "strd r3, r4, [r1, #4]\n\t"
                   "str r6, [r1, #16]\n\t"
                   "pop {r4-r10, lr}\n\t"
                   "mrs r3, ipsr\n\t"
                   "sub r0, r0, r3, lsl #23\n\t"
                   "msr primask, ip\n\t" /* last, so that where it is interrupted says that the path was not taken */
                   "b __weft_path\n"
                   "14:\n\t" /* weft_history_take_again */
                   "cmp r2, #10 * 4\n\t"
                   "bhi 12b\n\t"
                   "ldr r7, [r1, #28]\n\t"
                   "add r6, r6, r2, lsr #2\n\t"
                   "add r7, r7, r2, lsr #2\n\t"
                   "adds r2, r2, r4\n\t"
                   "adds r0, r3, #4\n"
                   "15:\n\t"
                   "ldrd r5, r10, [r3], #8\n\t"
                   "strd r5, r10, [r4], #8\n\t"
                   "cmp r4, r2\n\t"
                   "blo 15b\n\t"
                   "mov r10, #-1\n\t"
                   "str r10, [r2]\n\t"
                   "str r0, [r1]\n\t"
                   "str r2, [r1, #8]\n\t"
                   "str r6, [r1, #16]\n\t"
                   "str r7, [r1, #28]\n\t"
                   "str r1, [r1, #" SEEN_TEXT "]\n\t"
                   "str r1, [r1, #" VALUES_SEEN_TEXT "]\n\t"
                   "msr primask, ip\n\t"
                   "pop {r4-r10, pc}");
}

/* The next word is predicted from now on, unless an exception came since the first one was looked at: so an exclusive
 * store says. */
__attribute__((naked)) void __weft_path(uint32_t path __attribute__((unused)))
{
    __asm volatile("ldr r1, =weft_target_predicted\n\t"
                   "ldr r1, [r1]\n\t"
                   "cbz r1, 2f\n\t"
                   "mrs ip, ipsr\n\t"
                   "add r0, r0, ip, lsl #23\n"
                   "1:\n\t"
                   "ldrex r2, [r1]\n\t"
                   "ldr r3, [r2], #4\n\t"
                   "cmp r3, r0\n\t"
                   "bne put_other\n\t"
                   "strex r3, r2, [r1]\n\t"
                   "cbnz r3, 3f\n"
                   "2:\n\t"
                   "bx lr\n"
                   "3:\n\t"
                   "b 1b\n\t"
                   ".ltorg");
}

#else

/* The steps of put_other. Each is a function and has a mask of its own: the fewer variables one has, the fewer
 * instructions it takes. */
static __attribute__((noinline)) void put_few(uint32_t word)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    if (recorder)
        (void)weft_history_put_few(&recorder->history, word);
    weft_restore_interrupts(primask);
}

static __attribute__((noinline)) bool put_unpredicted(uint32_t word)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    bool taken = recorder && weft_recorder_path_lent(recorder, word);
    if (taken)
        weft_note_under_way(false);
    weft_restore_interrupts(primask);
    return taken;
}

static __attribute__((noinline)) void put_other(uint32_t word, weft_predicted *predicted)
{
    weft_recorder *guess = weft_target_recorder;
    if (guess && guess->history.at != guess->history.from)
        put_few(word);
    if (!put_unpredicted(word))
        put_rarely(word, predicted, weft_mask_interrupts());
    else if (guess)
        keep_if_full(guess);
}

void __weft_path(uint32_t path)
{
    weft_predicted *predicted = weft_target_predicted;
    if (!predicted)
        return;
    uint32_t word = (weft_ipsr() << WEFT_HISTORY_PATH_BITS) + path, primask = weft_mask_interrupts();
    const uint32_t *at = *predicted;
    bool taken = *at == word;
    if (taken)
        *predicted = at + 1;
    weft_note_under_way(!taken);
    weft_restore_interrupts(primask);
    if (!taken)
        put_other(word, predicted);
}

#endif
