/* SPDX-License-Identifier: MIT */
/* The plugin's entry point for packed paths, in a file of its own so that a program without them does not link it. The
 * record and its word are put in one mask, so that no other context's come in between. */
#include <stddef.h>

#include "core/own.h"
#include "core/recorder_packs.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

/* To put what was taken into the ring, to take the history back, to enter and to put; and more after interrupts. */
enum { TRIES = 64 };

typedef enum step { TAKEN, AGAIN, OTHER_CONTEXT, NO_ROOM } step;

typedef struct pack {
    uint32_t number, word;
    uint32_t key; /* the number's word in the history; of a large number one that nothing equals while it is lent */
} pack;

/* The history is lent to the caller. What is predicted is tried before anything else is done, and again after each
 * step. */
static inline step put_lent(weft_recorder *recorder, const pack *p)
{
    weft_history *history = &recorder->history;
    if (weft_history_take_lent(history, p->key)) {
        weft_recorder_put_pack(recorder, p->number, p->word);
        return TAKEN;
    }
    ptrdiff_t taken = history->at - history->from;
    if (taken && weft_history_catch_up(history))
        return AGAIN;
    if (!taken && weft_recorder_path_lent(recorder, p->key)) {
        weft_recorder_put_pack(recorder, p->number, p->word);
        return TAKEN;
    }
    if (taken || history->to >= history->last || !weft_recorder_go_on(recorder))
        weft_recorder_keep(recorder);
    return AGAIN;
}

/* The history is kept, and all of it is in the ring. */
static inline step put_kept(weft_recorder *recorder, const pack *p)
{
    if (!weft_recorder_takes_path(recorder))
        return NO_ROOM;
    if (!weft_recorder_path_step(recorder, weft_history_word(weft_ipsr(), p->number), p->number))
        return AGAIN;
    weft_recorder_put_pack(recorder, p->number, p->word);
    return TAKEN;
}

/* One step, with interrupts masked. */
static inline step put_here(const pack *p)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder || recorder->open != weft_ipsr())
        return OTHER_CONTEXT;
    if (!weft_recorder_pack_fits(recorder, p->number, p->word))
        return NO_ROOM;
    if (weft_history_lent(&recorder->history))
        return put_lent(recorder, p);
    if (recorder->history.pending) {
        weft_history_settle_step(&recorder->history);
        return AGAIN;
    }
    return put_kept(recorder, p);
}

/* What the fast way leaves. */
static __attribute__((noinline, used)) void put(uint32_t number, uint32_t word)
{
    const pack p = {number, word, (weft_ipsr() << WEFT_HISTORY_PATH_BITS) + number};
    step done = AGAIN;
    for (unsigned tries = 0; done == AGAIN && tries < TRIES; tries++) {
        uint32_t primask = weft_mask_interrupts();
        done = put_here(&p);
        weft_restore_interrupts(primask);
        if (done == OTHER_CONTEXT && weft_delivery_enter())
            done = AGAIN;
    }
    if (done == TAKEN)
        weft_delivery_lend();
    else
        weft_deliver(WEFT_TAG_PATH | WEFT_TAG_TWO, number, word, 0);
}

#if WEFT_MAINLINE

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
/* Bytes from weft_recorder.history.at. */
#define BUS_AT 128
#define PACKS 172
#define WORD 188
#define WRITTEN 196
#define OFFSET(field) (offsetof(weft_recorder, field) - offsetof(weft_recorder, history.at))
_Static_assert(OFFSET(region[WEFT_REGION_BUS].at) == BUS_AT && OFFSET(packs) == PACKS &&
                   OFFSET(packs.number_factor) == PACKS + 4 && OFFSET(packs.shift) == PACKS + 8 &&
                   OFFSET(packs.table) == PACKS + 12 && OFFSET(packs.word) == WORD && WORD == PACKS + 16 &&
                   OFFSET(packs.count) == WORD + 4 && OFFSET(packs.written) == WRITTEN &&
                   OFFSET(packs.limit) == WRITTEN + 4,
               "__weft_packed_full knows where the fields are");
#define BUS_AT_TEXT TEXT(BUS_AT)
#define PACKS_TEXT TEXT(PACKS)
#define WORD_TEXT TEXT(WORD)
#define WRITTEN_TEXT TEXT(WRITTEN)

/* Four bytes at once where that may be, and there is room for them. r1: the word; r5: 4 less its bytes. */
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

/* weft_history_take_lent and weft_recorder_put_pack: the number is predicted, as it is mostly, and so may the word be.
 * Interrupts are masked for both. */
__attribute__((naked)) void __weft_packed_full(uint32_t number __attribute__((unused)),
                                               uint32_t word __attribute__((unused)))
{
    __asm volatile("ldr r2, =weft_target_predicted\n\t"
                   "ldr r2, [r2]\n\t"
                   "cbz r2, 9f\n\t"
                   "push {r4-r9, lr}\n\t"
                   "mrs ip, primask\n\t"
                   "cpsid i\n\t"
                   "mrs r3, ipsr\n\t"
                   "add r3, r0, r3, lsl #23\n\t"
                   "ldr lr, [r2]\n\t"
                   "ldr r4, [lr], #4\n\t" /* lr: what is predicted next */
                   "cmp r4, r3\n\t"
                   "bne 8f\n\t"
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
                   "str lr, [r2]\n\t"
                   "msr primask, ip\n\t"
                   "pop {r4-r9, pc}\n"
                   "9:\n\t"
                   "bx lr\n"
                   "2:\n\t"                                   /* the word is not predicted */
                   "ldrd r3, r8, [r2, #" WRITTEN_TEXT "]\n\t" /* written, limit */
                   "ldr r4, [r2, #" BUS_AT_TEXT "]\n\t"
                   "cmp r4, r8\n\t"
                   "bhi 8f\n\t"
                   "str r1, [r7, r5, lsl #2]\n\t"
                   "str lr, [r2]\n\t"
                   "subs r6, r9, r3\n\t" /* the run */
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
                   "strb r3, [r4], #1\n\t" STORE_WORD "str r4, [r2, #" BUS_AT_TEXT "]\n\t"
                   "msr primask, ip\n\t"
                   "pop {r4-r9, pc}\n"
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
                   "pop {r4-r9, lr}\n\t"
                   "b put\n"
                   ".ltorg");
}
__attribute__((naked)) void __weft_packed(uint32_t number __attribute__((unused)),
                                          uint32_t word __attribute__((unused)))
{
    __asm volatile("b __weft_packed_full");
}

#else

void __weft_packed_full(uint32_t number, uint32_t word)
{
    if (weft_target_recorder)
        put(number, word);
}

void __weft_packed(uint32_t number, uint32_t word)
{
    if (weft_target_recorder)
        put(number, word);
}

#endif
