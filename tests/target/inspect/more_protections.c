/* SPDX-License-Identifier: MIT */
/* As protections.c, with nested and conditional masks, FAULTMASK, BASEPRI_MAX, changed and grouped priorities, and
 * exclusive accesses of other sizes and on one side only. Objects lost_* are races, fine_* are not. IRQ8 is more urgent
 * than IRQ20; IRQ21 has the group of IRQ20's priority, and is less urgent in it. */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

#define AIRCR (*(volatile uint32_t *)0xe000ed0c)
#define NVIC_ISER (*(volatile uint32_t *)0xe000e100)
#define NVIC_ICER (*(volatile uint32_t *)0xe000e180)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200)
#define NVIC_IPR ((volatile uint8_t *)0xe000e400)

enum { VECTKEY = 0x05fa0000, GROUPS_OF_FOUR = 5 << 8 }; /* bits 7 and 6 are the group */
enum { ROUNDS = 40, URGENT = 0x40, USUAL = 0x80, LATER = 0xa0, IRQ8 = 1 << 8, IRQ20 = 1 << 20, IRQ21 = 1 << 21 };

volatile uint32_t fine_nested, fine_conditional, fine_faultmask, fine_basepri_max, fine_counted, fine_other_disabled;
volatile uint32_t fine_before, fine_cas, fine_one_side, fine_in_handler, fine_moved, fine_group;
volatile uint8_t fine_byte;
volatile uint32_t lost_after_nested, lost_lowered, lost_one_side, lost_no_exclusive, lost_after_handler,
    lost_moved_back;
volatile uint32_t lost_conditional, lost_enabled_early;
static volatile uint32_t depth; /* of critical sections, as RTOSes count it */

void IRQ8_Handler(void);
void IRQ20_Handler(void);
void IRQ21_Handler(void);

static inline void set_basepri(uint32_t value)
{
    __asm volatile("msr basepri, %0\n\tisb" ::"r"(value) : "memory");
}

static inline void raise_basepri(uint32_t value)
{
    __asm volatile("msr basepri_max, %0\n\tisb" ::"r"(value) : "memory");
}

static inline uint32_t primask(void)
{
    uint32_t value;
    __asm volatile("mrs %0, primask" : "=r"(value)::"memory");
    return value;
}

static inline void mask(void)
{
    __asm volatile("cpsid i" ::: "memory");
}

static inline void unmask(void)
{
    __asm volatile("cpsie i\n\tisb" ::: "memory");
}

static inline void enter_critical(void)
{
    mask();
    depth++;
}

static inline void leave_critical(void)
{
    if (--depth == 0)
        unmask();
}

void IRQ8_Handler(void)
{
    fine_nested++;
    fine_conditional++;
    fine_faultmask++;
    fine_basepri_max++;
    fine_counted++;
    fine_before++;
    fine_one_side++;
    fine_in_handler++;
    fine_moved++;
    __atomic_fetch_add(&fine_byte, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&fine_cas, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&lost_one_side, 1, __ATOMIC_RELAXED);
    lost_after_nested++;
    lost_lowered++;
    lost_no_exclusive++;
    lost_after_handler++;
    lost_moved_back++;
    lost_conditional++;
    lost_enabled_early++;
}

void IRQ20_Handler(void)
{
    fine_group++;
    fine_other_disabled++;
    set_basepri(URGENT);
    fine_in_handler++;
    set_basepri(0);
    lost_after_handler++;
    NVIC_IPR[8] = USUAL; /* as urgent as this handler: it waits */
    __asm volatile("dsb\n\tisb");
    fine_moved++;
    NVIC_IPR[8] = URGENT;
    __asm volatile("dsb\n\tisb");
    lost_moved_back++;
}

void IRQ21_Handler(void)
{
    fine_group++;
}

static void begin(void)
{
    fine_before++;
    AIRCR = VECTKEY | GROUPS_OF_FOUR;
    NVIC_IPR[8] = URGENT;
    NVIC_IPR[20] = USUAL;
    NVIC_IPR[21] = LATER;
    NVIC_ISER = IRQ8 | IRQ20 | IRQ21;
}

static void masks(void)
{
    uint32_t outer = weft_mask_interrupts(), inner = weft_mask_interrupts();
    weft_restore_interrupts(inner);
    fine_nested++;
    weft_restore_interrupts(outer);
    lost_after_nested++;

    uint32_t before = primask();
    mask();
    fine_conditional++;
    if (!before)
        unmask();
    lost_conditional++;

    __asm volatile("cpsid f" ::: "memory");
    fine_faultmask++;
    __asm volatile("cpsie f\n\tisb" ::: "memory");

    enter_critical();
    enter_critical();
    leave_critical();
    fine_counted++;
    leave_critical();
}

static void priorities(void)
{
    set_basepri(URGENT);
    raise_basepri(USUAL); /* less: it has no effect */
    fine_basepri_max++;
    set_basepri(USUAL);
    lost_lowered++;
    set_basepri(0);

    NVIC_ICER = IRQ8 | IRQ20;
    __asm volatile("dsb\n\tisb");
    NVIC_ISER = IRQ8;
    __asm volatile("dsb\n\tisb");
    fine_other_disabled++;
    lost_enabled_early++;
    NVIC_ISER = IRQ20;
}

static void exclusives(void)
{
    uint32_t old = fine_cas, status;
    while (!__atomic_compare_exchange_n(&fine_cas, &old, old + 2, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    __atomic_fetch_add(&fine_byte, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&fine_one_side, 1, __ATOMIC_RELAXED); /* an exception clears the monitor: the handler may add */
    lost_one_side++;
    __asm volatile("ldrex %0, [%1]\n\tclrex" : "=r"(status) : "r"(&lost_no_exclusive) : "memory");
    lost_no_exclusive = status + 1;
}

int main(void)
{
    begin();
    for (int i = 0; i < ROUNDS; i++) {
        NVIC_ISPR = IRQ20 | IRQ21;
        NVIC_ISPR = IRQ8;
        masks();
        priorities();
        exclusives();
    }
    return 0;
}
