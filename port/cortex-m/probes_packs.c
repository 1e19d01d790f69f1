/* SPDX-License-Identifier: MIT */
/* The plugin's entry point for packed paths, in a file of its own so that a program without them does not link it. The
 * record and its word are put in one mask, so that no other context's come in between. */
#include <stddef.h>

#include "core/own.h"
#include "core/recorder_packs.h"
#include "port/cortex-m/probes_parts.h"

/* To put what was taken into the ring, and to enter; and more after interrupts. */
enum { TRIES = 64 };

typedef enum step { AGAIN, KEPT, CAUGHT_UP, OTHER_CONTEXT, LEFT } step;

/* What weft_pack_slowly has done. */
typedef struct progress {
    bool copied; /* what was taken is in the ring */
    /* with WEFT_SHORT_STEPS */
    bool looked; /* nothing is left to copy */
    bool asked;  /* the history was to be lent */
} progress;

/* More is predicted, or all that can be done is done. */
static inline step go_on(weft_recorder *recorder, const progress *so_far)
{
    return weft_recorder_go_on(recorder) || so_far->copied ? CAUGHT_UP : LEFT;
}

/* The history is lent to the caller, whose number is not predicted. Once what was taken is in the ring, the source may
 * go back, so that more is predicted. The longer a loop goes on, the more rarely it comes here. */
static inline step catch_up(weft_recorder *recorder, progress *so_far)
{
    if (weft_history_catch_up(&recorder->history)) {
        so_far->copied = true;
        return AGAIN;
    }
    if (*recorder->history.at != WEFT_HISTORY_NONE && !so_far->copied)
        return LEFT;
    so_far->looked = WEFT_SHORT_STEPS;
    return WEFT_SHORT_STEPS ? AGAIN : go_on(recorder, so_far);
}

/* One step, with interrupts masked. */
static inline step get_ready(progress *so_far)
{
    weft_recorder *recorder = open_recorder();
    if (!recorder)
        return OTHER_CONTEXT;
    if (WEFT_SHORT_STEPS && so_far->looked && weft_history_lent(&recorder->history))
        return go_on(recorder, so_far);
    if (WEFT_SHORT_STEPS && so_far->asked)
        return weft_history_lent(&recorder->history) ? CAUGHT_UP : LEFT;
    if (recorder->region[WEFT_REGION_MODELS].at > recorder->packs.limit)
        return LEFT;
    if (recorder->packs.count - recorder->packs.written > WEFT_PACK_OTHER_RUN_MAX) {
        weft_recorder_end_pack_run(recorder); /* the fast way takes no time for a number, a long run and a word */
        so_far->copied |= WEFT_SHORT_STEPS;   /* there not for a long run and a word, either */
        return AGAIN;
    }
    if (weft_history_lent(&recorder->history))
        return catch_up(recorder, so_far);
    if (recorder->history.pending) {
        weft_history_settle_step(&recorder->history);
        return AGAIN;
    }
    if (WEFT_SHORT_STEPS) {
        so_far->asked = true;
        return KEPT;
    }
    weft_recorder_lend(recorder);
    return weft_history_lent(&recorder->history) ? CAUGHT_UP : LEFT;
}

/* Takes what the fast way does not, such as numbers that are new to the frame. Those are rare: a function has one. */
__attribute__((noinline, used)) void weft_pack_slowly(uint32_t number, uint32_t word)
{
    step done = AGAIN;
    progress so_far = {false, false, false};
    for (unsigned tries = 0; done <= KEPT && tries < TRIES; tries++) {
        uint32_t primask = weft_mask_interrupts();
        done = get_ready(&so_far);
        weft_restore_interrupts(primask);
        if (WEFT_SHORT_STEPS && done == KEPT)
            weft_delivery_lend();
        if (done == OTHER_CONTEXT && weft_delivery_enter())
            done = AGAIN;
    }
    if (done == CAUGHT_UP)
        __weft_packed_full(number, word);
    else
        weft_deliver(WEFT_TAG_PATH | WEFT_TAG_TWO, number, word, 0);
}

#if WEFT_MAINLINE
/* What was taken is in the ring, by __weft_packed_full: as catch_up. */
static __attribute__((noinline, used)) void put_pack_again(uint32_t number, uint32_t word)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = open_recorder();
    if (recorder && weft_history_lent(&recorder->history))
        (void)weft_recorder_go_on(recorder);
    weft_restore_interrupts(primask);
    __weft_packed_full(number, word);
}
#endif

void weft_delivery_record_pack(weft_recorder *recorder, uint32_t context, const weft_event_slot *event);
void weft_delivery_record_pack(weft_recorder *recorder, uint32_t context, const weft_event_slot *event)
{
    weft_recorder_packed(recorder, context, event->id, event->data);
}

#if WEFT_MAINLINE

/* Bytes from weft_recorder.history.at. */
#define MODELS_AT 160
#define PACKS 172
#define WORD 188
#define COUNT 192
#define WRITTEN 196
#define LIMIT 200
#define CONTROL_AT 96
#define SEEN_AT -4
#define VALUES_SEEN_AT 68
#define OFFSET(field) (offsetof(weft_recorder, field) - offsetof(weft_recorder, history.at))
_Static_assert(OFFSET(region[WEFT_REGION_MODELS].at) == MODELS_AT && OFFSET(packs) == PACKS &&
                   OFFSET(packs.number_factor) == PACKS + 4 && OFFSET(packs.shift) == PACKS + 8 &&
                   OFFSET(packs.table) == PACKS + 12 && OFFSET(packs.word) == WORD && WORD == PACKS + 16 &&
                   OFFSET(packs.count) == COUNT && OFFSET(packs.written) == WRITTEN && WRITTEN == COUNT + 4 &&
                   WEFT_PACK_OTHER_RUN_MAX == 15 && OFFSET(packs.limit) == LIMIT && LIMIT == WRITTEN + 4 &&
                   OFFSET(history.from) == 4 && OFFSET(history.to) == 8 && OFFSET(history.last) == 12 &&
                   OFFSET(history.run) == 16 && OFFSET(history.end) == 20 && OFFSET(history.found_mask) == 24 &&
                   OFFSET(history.back) == 28 && OFFSET(region[WEFT_REGION_CONTROL].at) == CONTROL_AT &&
                   OFFSET(region[WEFT_REGION_CONTROL].limit) == CONTROL_AT + 4 && (int)OFFSET(seen_at) == SEEN_AT &&
                   OFFSET(values_seen_at) == VALUES_SEEN_AT,
               "__weft_packed_full knows where the fields are");
#define MODELS_AT_TEXT TEXT(MODELS_AT)
#define CONTROL_TEXT TEXT(CONTROL_AT)
#define COUNT_TEXT TEXT(COUNT)
#define LIMIT_TEXT TEXT(LIMIT)
#define PACKS_TEXT TEXT(PACKS)
#define SEEN_TEXT TEXT(SEEN_AT)
#define VALUES_SEEN_TEXT TEXT(VALUES_SEEN_AT)
#define WORD_TEXT TEXT(WORD)
#define WRITTEN_TEXT TEXT(WRITTEN)

/* Four bytes at once where that may be, and there is room for them. r1: the word; r5: 4 less the word's bytes. */
#ifdef __ARM_FEATURE_UNALIGNED
#define STORE_WORD                                                                                                     \
    "str r1, [r4]\n\t"                                                                                                 \
    "subs r4, r4, r5\n\t"                                                                                              \
    "adds r4, r4, #4\n\t"
#else
#define STORE_WORD                                                                                                     \
    "31:\n\t"                                                                                                          \
    "strb r1, [r4], #1\n\t"                                                                                            \
    "lsrs r1, r1, #8\n\t"                                                                                              \
    "bne 31b\n\t"
#endif

/* Does weft_history_take_lent or weft_recorder_path_lent, and then weft_recorder_put_pack. The number is nearly always
 * predicted, the word often. Interrupts are masked for both. Then seen_at and values_seen_at are what `at` never is, or
 * was: its own address. */
__attribute__((naked)) void __weft_packed_full(uint32_t number __attribute__((unused)),
                                               uint32_t word __attribute__((unused)))
{
    __asm volatile("ldr r2, =weft_target_predicted\n\t"
                   "ldr r2, [r2]\n\t"
                   "cbz r2, 9f\n\t"
                   "push {r4-r10, lr}\n\t"
                   "mrs ip, primask\n\t"
                   "mrs r3, ipsr\n\t"
                   "add r3, r0, r3, lsl #23\n"
                   "7:\n\t"
                   "cpsid i\n\t"
                   "ldr lr, [r2]\n\t"
                   "ldr r4, [lr], #4\n\t" /* lr: what is predicted next */
                   "cmp r4, r3\n\t"
                   "bne 10f\n"
                   "1:\n\t"
                   "add r4, r2, #" PACKS_TEXT "\n\t"
                   "ldm r4, {r4-r9}\n\t" /* factors, shift, table, word, count */
                   "mul r5, r5, r0\n\t"
                   "mla r5, r8, r4, r5\n\t"
                   "lsr r5, r5, r6\n\t" /* 0 for a shift of 32 */
                   "ldr r6, [r7, r5, lsl #2]\n\t"
                   "cmp r6, r1\n\t"
                   "bne 2f\n\t"
                   "adds r9, r9, #1\n\t"
                   "strd r1, r9, [r2, #" WORD_TEXT "]\n\t"
                   "strd r2, lr, [r2, #" SEEN_TEXT "]\n\t" /* seen_at, at */
                   "msr primask, ip\n\t"
                   "pop {r4-r10, pc}\n"
                   "9:\n\t"
                   "bx lr\n"
                   "2:\n\t"                                   /* the word is not predicted */
                   "ldrd r3, r8, [r2, #" WRITTEN_TEXT "]\n\t" /* written, limit */
                   "ldr r4, [r2, #" MODELS_AT_TEXT "]\n\t"
                   "cmp r4, r8\n\t"
                   "bhi 8f\n\t"
                   "str r1, [r7, r5, lsl #2]\n\t"
                   "strd r2, lr, [r2, #" SEEN_TEXT "]\n\t" /* seen_at, at */
                   "subs r6, r9, r3\n\t"                   /* the run */
                   "adds r9, r9, #1\n\t"
                   "strd r1, r9, [r2, #" WORD_TEXT "]\n\t"
                   "str r9, [r2, #" WRITTEN_TEXT "]\n\t"
                   "cmp r6, #15\n\t"
                   "bhi 4f\n"
                   "3:\n\t" /* the head, with a short run, and the word */
                   "clz r5, r1\n\t"
                   "lsrs r5, r5, #3\n\t"
                   "rsb r3, r5, #131\n\t"
                   "add r3, r3, r6, lsl #2\n\t"
                   "strb r3, [r4], #1\n\t" STORE_WORD "str r4, [r2, #" MODELS_AT_TEXT "]\n\t"
                   "msr primask, ip\n\t"
                   "pop {r4-r10, pc}\n"
                   "4:\n\t" /* a long run: a byte, or 0 and a varint */
                   "cmp r6, #127\n\t"
                   "bls 6f\n\t"
                   "movs r3, #0\n\t"
                   "strb r3, [r4], #1\n"
                   "5:\n\t"
                   "orr r3, r6, #128\n\t"
                   "strb r3, [r4], #1\n\t"
                   "lsrs r6, r6, #7\n\t"
                   "cmp r6, #127\n\t"
                   "bhi 5b\n"
                   "6:\n\t"
                   "strb r6, [r4], #1\n\t"
                   "movs r6, #0\n\t"
                   "b 3b\n"
                   "8:\n\t"
                   "msr primask, ip\n\t"
                   "pop {r4-r10, lr}\n\t"
                   "b weft_pack_slowly\n"
                   "10:\n\t" /* the number is not predicted: was one of the same exception, and nothing was taken? */
                   "eor r5, r4, r3\n\t"
                   "cmp r5, #0x800000\n\t"
                   "bhs 18f\n\t"
                   "add r5, r2, #4\n\t"
                   "ldm r5, {r5-r10}\n\t" /* from, to, last, run, end, found_mask */
                   "subs lr, lr, #4\n\t"
                   "subs lr, lr, r5\n\t"
                   "bne 15f\n\t"
                   "cmp r6, r7\n\t" /* is there room in the ring, for a short run and item, and for the word? */
                   "bhs 8b\n\t"
                   "cmp r8, #62\n\t"
                   "bhi 8b\n\t"
                   "ldrd r5, r7, [r2, #" COUNT_TEXT "]\n\t"
                   "subs r5, r5, r7\n\t"
                   "cmp r5, #15\n\t"
                   "bhi 8b\n\t"
                   "ldr r5, [r2, #" MODELS_AT_TEXT "]\n\t"
                   "ldr r7, [r2, #" LIMIT_TEXT "]\n\t"
                   "cmp r5, r7\n\t"
                   "bhi 8b\n\t"
                   "ldrd r5, r7, [r2, #" CONTROL_TEXT "]\n\t"
                   "subs r7, r7, #4\n\t"
                   "cmp r5, r7\n\t"
                   "bhi 8b\n\t"
                   "subs r4, r3, r4\n\t" /* the difference, zigzag */
                   "asrs r7, r4, #31\n\t"
                   "eor r4, r7, r4, lsl #1\n\t"
                   "cmp r4, #0x100000\n\t"
                   "bhs 8b\n\t"
                   "and r10, r10, r3\n\t" /* r10: its entry, less 4; lr: the place after that in it */
                   "add r10, r9, r10, lsl #2\n\t"
                   "ldr lr, [r10, #4]\n\t"
                   "subs lr, r9, lr\n\t"
                   "ldr r7, [lr], #4\n\t"
                   "eors r7, r7, r3\n\t"
                   "beq 11f\n\t"
                   "lsls r7, r7, #9\n\t"
                   "beq 8b\n\t"
                   "mov lr, r6\n"
                   "11:\n\t" /* it is put, and what came after it is predicted */
                   "subs r9, r9, r6\n\t"
                   "str r9, [r10, #4]\n\t"
                   "mov r9, #-1\n\t"
                   "strd r3, r9, [r6], #4\n\t"
                   "strd lr, r6, [r2, #4]\n\t"
                   "str r2, [r2, #" VALUES_SEEN_TEXT "]\n\t" /* as `at` may come to be what it was */
                   "movs r7, r8\n\t"
                   "beq 12f\n\t"
                   "strb r7, [r5], #1\n\t" /* the run */
                   "movs r7, #0\n\t"
                   "str r7, [r2, #16]\n\t"
                   "str r7, [r2, #28]\n"
                   "12:\n\t"
                   "cmp r4, #63\n\t"
                   "bhi 14f\n\t"
                   "orr r4, r4, #64\n"
                   "13:\n\t"
                   "strb r4, [r5], #1\n\t"
                   "str r5, [r2, #" CONTROL_TEXT "]\n\t"
                   "b 1b\n"
                   "14:\n\t"
                   "orr r3, r4, #192\n\t"
                   "strb r3, [r5], #1\n\t"
                   "lsrs r4, r4, #6\n\t"
                   "cmp r4, #127\n\t"
                   "bls 13b\n\t"
                   "orr r3, r4, #128\n\t"
                   "strb r3, [r5], #1\n\t"
                   "lsrs r4, r4, #7\n\t"
                   "strb r4, [r5], #1\n\t"
                   "str r5, [r2, #" CONTROL_TEXT "]\n\t"
                   "b 1b\n"
                   "15:\n\t" /* what was taken, if it is little, is put first, and one word more that is replaced */
                   "subs r7, r7, r6\n\t"
                   "cmp lr, r7\n\t"
                   "bge 8b\n\t"
                   "cmp lr, #10 * 4\n\t"
                   "bhi 17f\n\t"
                   "add r8, r8, lr, lsr #2\n\t"
                   "str r8, [r2, #16]\n\t"
                   "add r7, lr, r6\n"
                   "16:\n\t"
                   "ldrd r8, r9, [r5], #8\n\t"
                   "strd r8, r9, [r6], #8\n\t"
                   "cmp r6, r7\n\t"
                   "blo 16b\n\t"
                   "mov r8, #-1\n\t"
                   "str r8, [r7]\n\t"
                   "ldr r5, [r2]\n\t"
                   "strd r5, r7, [r2, #4]\n\t"
                   "msr primask, ip\n\t"
                   "b 7b\n"
                   "18:\n\t" /* nothing stands there yet: what was taken is put there */
                   "add r5, r2, #4\n\t"
                   "ldm r5, {r5-r8}\n\t" /* from, to, last, run */
                   "subs lr, lr, #4\n\t"
                   "cmp lr, r6\n\t"
                   "bne 8b\n\t"
                   "subs lr, lr, r5\n\t"
                   "beq 8b\n\t"
                   "subs r7, r7, r6\n\t"
                   "cmp lr, r7\n\t"
                   "bge 8b\n"
                   "17:\n\t" /* many: 24 words at most, four at a time */
                   "cmp lr, #24 * 4\n\t"
                   "it hi\n\t"
                   "movhi lr, #24 * 4\n\t"
                   "add r8, r8, lr, lsr #2\n\t"
                   "subs lr, lr, #4 * 4\n\t"
                   "blo 20f\n"
                   "19:\n\t"
                   "ldm r5!, {r4, r7, r9, r10}\n\t"
                   "stm r6!, {r4, r7, r9, r10}\n\t"
                   "subs lr, lr, #4 * 4\n\t"
                   "bhs 19b\n"
                   "20:\n\t" /* the rest, and one word more that is replaced */
                   "adds lr, lr, #4 * 4\n\t"
                   "beq 22f\n\t"
                   "add r4, r5, lr\n\t"
                   "add r7, r6, lr\n"
                   "21:\n\t"
                   "ldrd r9, r10, [r5], #8\n\t"
                   "strd r9, r10, [r6], #8\n\t"
                   "cmp r6, r7\n\t"
                   "blo 21b\n\t"
                   "mov r5, r4\n\t"
                   "mov r6, r7\n"
                   "22:\n\t"
                   "mov r9, #-1\n\t"
                   "str r9, [r6]\n\t"
                   "strd r5, r6, [r2, #4]\n\t"
                   "str r8, [r2, #16]\n\t"
                   "ldr r4, [r2]\n\t"
                   "msr primask, ip\n\t"
                   "cmp r4, r5\n\t"
                   "bne 7b\n\t"
                   "pop {r4-r10, lr}\n\t"
                   "b put_pack_again\n"
                   ".ltorg");
}
__attribute__((naked)) void __weft_packed(uint32_t number __attribute__((unused)),
                                          uint32_t word __attribute__((unused)))
{
    __asm volatile("b __weft_packed_full");
}

#endif
