/* SPDX-License-Identifier: MIT */
/* A program without Weft for the test of full recordings: nested and chained exceptions, faults, conditional blocks,
 * loads and stores of many registers, exclusive access, floating point. Initialises no data; ends by semihosting. */
#include <stdbool.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define ROUNDS 40
#define SWEEP 96

static volatile uint32_t ticks, faults, calls, ring[16];

void reset(void);
void hard_fault(void);
void count_fault(void);
void system_call(void);
void pended(void);
void tick(void);
void manage(void);
void begin_two(void);
void stuck(void);

__attribute__((section(".vectors"), used)) void (*const vectors[16])(void) = {
    (void (*)(void))0x20003000,
    reset,
    stuck,
    hard_fault,
    stuck,
    hard_fault,
    stuck,
    0,
    0,
    0,
    0,
    system_call,
    stuck,
    0,
    pended,
    tick,
};

void stuck(void)
{
    for (;;)
        ;
}

/* Steps over the 2-byte load that faulted. */
__attribute__((naked)) void hard_fault(void)
{
    __asm volatile("ldr r1, [sp, #24]\n\tadds r1, #2\n\tstr r1, [sp, #24]\n\tb count_fault");
}

__attribute__((used)) void count_fault(void)
{
    faults++;
}

/* Pends another exception, which is chained or nests, as its priority says. */
void system_call(void)
{
    calls++;
    REGISTER(0xe000ed04) = 1u << 28;
    for (volatile int i = 0; i < 10; i++)
        ;
}

void pended(void)
{
    for (volatile int i = 0; i < 20; i++)
        ring[i & 15] = ticks;
#ifdef __ARM_FP
    float x = (float)ticks;
    __asm volatile("vmul.f32 %0, %0, %0" : "+t"(x));
    ring[0] = (uint32_t)x;
#endif
}

void tick(void)
{
    ticks++;
    ring[ticks & 15] = ticks;
}

#if __ARM_ARCH >= 7
static uint32_t choose(uint32_t a, uint32_t b)
{
    uint32_t r = 0;
    __asm volatile("cmp %1, %2\n\tite gt\n\tmovgt %0, %1\n\tldrle %0, [%3]\n\t"
                   "itett lt\n\taddlt %0, #1\n\taddge %0, #3\n\tstrlt %0, [%3, #4]\n\tmovslt %0, %0"
                   : "+&l"(r)
                   : "l"(a), "l"(b), "l"(ring)
                   : "cc", "memory");
    return r;
}

static uint32_t move_many(uint32_t *at)
{
    uint32_t *end = at;
    __asm volatile(
        "ldmia %0!, {r4, r5, r6}\n\tldrd r2, r3, [%0], #8\n\tpush {r2-r6}\n\tpop {r2-r6}\n\t"
        "ldrsb r3, [sp, #-4]\n\tstmdb %0!, {r4, r5}\n\tldrex r3, [%0]\n\tstrex r2, r4, [%0]\n\t"
        "strd r4, r5, [%0, #-8]!\n\tldrb r3, [%0], #1\n\tldrh r2, [%0, #3]!\n\tclrex\n\tstrex r2, r4, [%0, #4]\n\t"
        "rbit r3, r4\n\tbfi r3, r2, #3, #5\n\tssat r3, #4, r4\n\tumull r2, r3, r4, r5\n\tumlal r2, r3, r5, r6\n\t"
        "sdiv r2, r4, r5\n\tmrs r3, apsr\n\tmsr apsr_nzcvq, r4\n\tadcs r3, r4"
        : "+r"(end)
        :
        : "r2", "r3", "r4", "r5", "r6", "memory", "cc");
    return (uint32_t)(end - at);
}
#else
static uint32_t choose(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}
static uint32_t move_many(uint32_t *at)
{
    __asm volatile("ldmia %0!, {r4, r5, r6}\n\tpush {r4-r6}\n\tpop {r4-r6}\n\tstmia %0!, {r4, r5}"
                   : "+l"(at)
                   :
                   : "r4", "r5", "r6", "memory", "cc");
    return *at;
}
#endif

#ifdef __ARM_FP
static uint32_t floats(uint32_t i)
{
    float v[4] = {1.5f, (float)i, 0.25f, -3.0f};
    float *at = v;
    uint32_t r;
    __asm volatile("vldmia %0!, {s8-s11}\n\tvpush {s8-s11}\n\tvadd.f32 s8, s9, s10\n\tvcmp.f32 s8, s11\n\tvmrs "
                   "apsr_nzcv, fpscr\n\t"
                   "it gt\n\tvmovgt.f32 s8, s11\n\tvcvt.s32.f32 s12, s8\n\tvmov %1, s12\n\tvmov s16, s17, %1, %1\n\t"
                   "vstr s16, [sp]\n\tvpop {s8-s11}\n\tvmla.f32 s9, s8, s10\n\tvsqrt.f32 s13, s9\n\tvldr d5, [sp, "
                   "#-8]\n\tvmsr fpscr, %1"
                   : "+r"(at), "=r"(r)
                   :
                   : "s8", "s9", "s10", "s11", "s12", "s13", "s16", "s17", "memory", "cc");
#if __ARM_FP & 8
    double d = i;
    __asm volatile("vmul.f64 %P0, %P0, %P0\n\tvcvt.f32.f64 s8, %P0\n\tvcvt.f64.f32 %P0, s8\n\tvcvt.u32.f64 s8, %P0"
                   : "+w"(d)
                   :
                   : "s8");
    r += (uint32_t)d;
#endif
    return r;
}
#endif

#if __ARM_ARCH >= 7
#define NO_CODE 0xe0000001u /* the core fetches no instructions there */

static void (*other_vectors[16])(void) __attribute__((aligned(128)));

__attribute__((used)) void manage(void)
{
    calls++;
}

/* This frame belongs to `manage`, the one above it to `pended`: from here on both have code. */
__attribute__((naked)) void begin_two(void)
{
    __asm volatile("ldr r0, =manage\n\tbic r0, #1\n\tstr r0, [sp, #24]\n\t"
                   "ldr r0, =pended\n\tbic r0, #1\n\tstr r0, [sp, #56]\n\tbx lr\n\t.ltorg");
}

/* Three exceptions before any of their handlers begins. The first instruction of a pended one cannot be fetched.
 * Neither can that of the handler of this fault. */
static void enter_three(void)
{
    uint32_t table = REGISTER(0xe000ed08);
    for (int i = 0; i < 16; i++)
        other_vectors[i] = vectors[i];
    other_vectors[3] = begin_two;
    other_vectors[4] = other_vectors[14] = (void (*)(void))NO_CODE;
    REGISTER(0xe000ed18) = 0x80;     /* memory management: between the pended one and a hard fault */
    REGISTER(0xe000ed24) = 1u << 16; /* and enabled */
    REGISTER(0xe000ed08) = (uint32_t)other_vectors;
    REGISTER(0xe000ed04) = 1u << 28;
    __asm volatile("dsb\n\tisb" : : : "memory");
    REGISTER(0xe000ed08) = table;
}
#else
static void enter_three(void)
{
}
#endif

static void leave(void)
{
    register uint32_t r0 __asm("r0") = 0x18, r1 __asm("r1") = 0x20026;
    __asm volatile("bkpt 0xab" : : "r"(r0), "r"(r1) : "memory");
    stuck();
}

static void wait(uint32_t delay)
{
    __asm volatile("lsrs %0, #1\n\tbcc 1f\n\tnop\n1:\tsubs %0, #1\n\tbne 1b" : "+l"(delay) : : "cc", "memory");
}

/* Pends another exception, or has one chained to the system call, one instruction later each time. Once, `tick`
 * comes when the other's handler is about to begin. */
static void meet_tick(bool call)
{
    for (uint32_t delay = 2; delay < 2 + SWEEP; delay++) {
        REGISTER(0xe000e018) = 0;
        REGISTER(0xe000e010) = 7;
        wait(delay);
        if (call)
            __asm volatile("svc 0" : : : "memory");
        else
            REGISTER(0xe000ed04) = 1u << 28;
        for (uint32_t seen = ticks; ticks == seen;)
            ;
        REGISTER(0xe000e010) = 0;
    }
}

void reset(void)
{
    uint32_t sum = 0, data[6];
    REGISTER(0xe000ed1c) = 0x40u << 24; /* system call: priority 0x40 */
    REGISTER(0xe000ed20) = 0xc0u << 16; /* pended: 0xc0, tick: 0 */
    REGISTER(0xe000ed88) = 0xfu << 20;  /* the floating point unit, where there is one */
    ticks = faults = calls = 0;
    REGISTER(0xe000e014) = 400;
    REGISTER(0xe000e018) = 0;
    REGISTER(0xe000e010) = 7;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < 6; k++)
            data[k] = sum ^ i << k;
        sum += choose(i, ROUNDS / 2) + move_many(data);
#ifdef __ARM_FP
        sum += floats(i);
#endif
        if ((i & 7) == 7)
            __asm volatile("svc 0" : : : "memory");
        if ((i & 15) == 9)
            __asm volatile("ldr r0, [%0]" : : "l"(0xa0000000u) : "r0", "r1", "r2", "r3", "memory");
    }
    ring[0] = sum;
    REGISTER(0xe000e014) = 60;
    meet_tick(false);
    REGISTER(0xe000e014) = 200;
    meet_tick(true);
    enter_three();
    leave();
}
