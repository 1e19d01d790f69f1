/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/fault.h"

#include <stddef.h>
#include <string.h>

#include "core/bytes.h"
#include "core/own.h"
#include "port/cortex-m/blackbox.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/fault_frames.h"
#include "port/cortex-m/identity.h"

/* Kept by the entry below: no code of the compiler has run yet. */
__attribute__((used, section(".noinit"))) weft_fault weft_fault_record;
__attribute__((weak)) uint64_t weft_fault_stack[32];
__attribute__((weak)) const uint32_t weft_fault_stack_bytes = sizeof weft_fault_stack;
/* The entry below reads them through this. With -flto the compiler does not see which names assembler text uses, and
 * only objects marked `used` keep their names. */
__attribute__((used)) const struct {
    uint64_t *stack;
    const uint32_t *bytes;
} weft_fault_stack_at = {weft_fault_stack, &weft_fault_stack_bytes};

/* From the linker script, if it says. */
extern uint32_t weft_ram_start[] __attribute__((weak));
extern uint32_t weft_ram_end[] __attribute__((weak));

/* Where the program keeps the newest frames, too. */
extern const weft_fault_frames weft_fault_frames_here __attribute__((weak));

/* Where a black box is linked. */
extern uint32_t weft_blackbox_keep(void) __attribute__((weak));

__attribute__((used)) void weft_fault_store(uint32_t exc_return, uint32_t frame_address, uint32_t msp, uint32_t psp);

/* The entry below stores r4 to r11 there. */
_Static_assert(offsetof(weft_fault_head, r[4]) == 52, "the entry knows that offset");

/* r0 to r3, r12 and lr are in the exception's frame. That is on the process stack if bit 2 of EXC_RETURN says so. v6-M
 * has neither `ite` nor wide `stmia`. */
__attribute__((naked)) void weft_fault_handler(void)
{
    __asm volatile("ldr r0, =weft_fault_record + 52\n\t"
                   "stmia r0!, {r4-r7}\n\t"
                   "mov r4, r8\n\tmov r5, r9\n\tmov r6, r10\n\tmov r7, r11\n\t"
                   "stmia r0!, {r4-r7}\n\t"
                   "mov r0, lr\n\t"
                   "mrs r2, msp\n\t"
                   "mrs r3, psp\n\t"
                   "mov r1, r2\n\t"
                   "movs r4, #4\n\t"
                   "tst r0, r4\n\t"
                   "beq 1f\n\t"
                   "mov r1, r3\n"
                   "1:\n\t"
                   "ldr r5, =weft_fault_stack_at\n\t"
                   "ldr r4, [r5]\n\t"
                   "ldr r5, [r5, #4]\n\t"
                   "ldr r5, [r5]\n\t"
                   "add r4, r5\n\t"
                   "msr msp, r4\n\t"
                   "ldr r4, =weft_fault_store\n\t"
                   "bx r4\n\t"
                   ".ltorg");
}

/* Words from `at` up that can be read, at most `words`. Without a linker script of Weft's: where all Cortex-M have
 * RAM. */
static uint32_t readable(uint32_t at, uint32_t words)
{
    uint32_t start = (uint32_t)(uintptr_t)weft_ram_start, end = (uint32_t)(uintptr_t)weft_ram_end;
    if (!start && !end) {
        start = 0x20000000;
        end = 0x40000000;
    }
    if (at % 4 || at < start || at >= end)
        return 0;
    return (end - at) / 4 < words ? (end - at) / 4 : words;
}

enum { FRAME_WORDS = 8, FLOAT_WORDS = 18, FRAME_XPSR = 7, NO_FLOAT = 16, ALIGNED = 1 << 9 };

/* Section B1.5.6 of the ARMv7-M manual: the stack pointer before the exception, from the frame. */
static uint32_t sp_before(const uint32_t *frame, uint32_t exc_return)
{
    uint32_t words = exc_return & NO_FLOAT ? FRAME_WORDS : FRAME_WORDS + FLOAT_WORDS;
    return (uint32_t)(uintptr_t)(frame + words) + (frame[FRAME_XPSR] & ALIGNED ? 4 : 0);
}

static void store_frame(weft_fault_head *f, uint32_t at, uint32_t exc_return)
{
    if (readable(at, FRAME_WORDS) < FRAME_WORDS) {
        f->sp = at + 4 * FRAME_WORDS;
        return;
    }
    const uint32_t *frame = (const uint32_t *)(uintptr_t)at;
    for (unsigned i = 0; i < 4; i++)
        f->r[i] = frame[i];
    f->r[12] = frame[4];
    f->lr = frame[5];
    f->pc = frame[6];
    f->xpsr = frame[FRAME_XPSR];
    f->sp = sp_before(frame, exc_return);
    f->flags |= WEFT_FAULT_FRAME;
}

static void store_stack(weft_fault *f)
{
    const uint32_t *stack = (const uint32_t *)(uintptr_t)f->head.sp;
    f->head.stack_words = readable(f->head.sp, WEFT_FAULT_STACK_WORDS);
    for (uint32_t i = 0; i < f->head.stack_words; i++)
        f->stack[i] = stack[i];
}

static void store_status(weft_fault_head *f)
{
#if WEFT_MAINLINE
    f->cfsr = WEFT_SCB_CFSR;
    f->hfsr = WEFT_SCB_HFSR;
    f->dfsr = WEFT_SCB_DFSR;
    f->mmfar = WEFT_SCB_MMFAR;
    f->bfar = WEFT_SCB_BFAR;
    f->afsr = WEFT_SCB_AFSR;
    f->shcsr = WEFT_SCB_SHCSR;
    f->flags |= WEFT_FAULT_STATUS;
#else
    (void)f;
#endif
}

static void store_box(weft_fault_head *f)
{
    if (!weft_blackbox_keep)
        return;
    f->paths = weft_blackbox_keep();
    f->flags |= WEFT_FAULT_BOX;
}

static uint32_t check_of(const weft_fault *f)
{
    return weft_crc32(0, (const uint8_t *)f, offsetof(weft_fault, check));
}

/* All but r4 to r11, which are there already. */
void weft_fault_store(uint32_t exc_return, uint32_t frame_address, uint32_t msp, uint32_t psp)
{
    weft_fault_head *f = &weft_fault_record.head;
    memset(f, 0, offsetof(weft_fault_head, r[4]));
    memset(&f->r[12], 0, sizeof weft_fault_record - offsetof(weft_fault_head, r[12]));
    store_box(f);
    memcpy(f->magic, WEFT_FAULT_MAGIC, sizeof f->magic);
    f->version = WEFT_FAULT_VERSION;
    f->size = sizeof weft_fault_record;
    f->identity = weft_image_identity();
    f->exception = weft_ipsr();
    f->exc_return = exc_return;
    f->msp = msp;
    f->psp = psp;
    f->control = weft_control();
    f->primask = weft_primask();
    store_status(f);
    store_frame(f, frame_address, exc_return);
    store_stack(&weft_fault_record);
    weft_fault_record.check = check_of(&weft_fault_record);
    if (&weft_fault_frames_here)
        weft_fault_frames_here.keep(weft_fault_frames_here.ring, weft_fault_frames_here.size);
    weft_fault_done(f);
}

bool weft_fault_known(void)
{
    const weft_fault_head *f = &weft_fault_record.head;
    return memcmp(f->magic, WEFT_FAULT_MAGIC, sizeof f->magic) == 0 && f->version == WEFT_FAULT_VERSION &&
           f->size == sizeof weft_fault_record && weft_fault_record.check == check_of(&weft_fault_record);
}

void weft_fault_forget(void)
{
    weft_fault_record.head.magic[0] = 0;
}

/* A reset by software: the key that the register needs, and SYSRESETREQ. */
__attribute__((weak)) void weft_fault_done(const weft_fault_head *fault)
{
    (void)fault;
    weft_barrier();
    WEFT_SCB_AIRCR = 0x05fa0004;
    weft_barrier();
    for (;;)
        ;
}
