/* SPDX-License-Identifier: MIT */
/* What main, three handlers and SysTick share. Objects lost_* are races, fine_* are not: each is protected another way,
 * or its use cannot lose or tear anything. IRQ8 is more urgent than IRQ20, and that as urgent as PendSV and SysTick. */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

#define SHPR3 (*(volatile uint32_t *)0xe000ed20)
#define NVIC_ISER (*(volatile uint32_t *)0xe000e100)
#define NVIC_ICER (*(volatile uint32_t *)0xe000e180)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200)
#define NVIC_IPR ((volatile uint8_t *)0xe000e400)

enum { PENDSTSET = 1 << 26 }; /* of ICSR: requests SysTick */
enum { ROUNDS = 60, SYSTICK_PERIOD = 0xffffff, URGENT = 0x40, USUAL = 0x80, IRQ8 = 1 << 8, IRQ20 = 1 << 20, RING = 16 };

volatile uint32_t fine_exclusive, fine_basepri, fine_primask, fine_disabled, fine_same_priority, fine_word;
volatile uint32_t fine_flag, fine_message; /* the handler writes the message at flag 0, main reads it at 1 */
volatile uint32_t fine_head, fine_tail;    /* one writes each */
volatile uint8_t fine_ring[RING];
volatile uint64_t fine_wide;
volatile uint32_t lost_basepri_too_weak, lost_handlers, lost_count, lost_bits, lost_ticks;
volatile uint64_t lost_wide;
volatile uint32_t sum;

void PendSV_Handler(void);
void SysTick_Handler(void);
void IRQ8_Handler(void);
void IRQ20_Handler(void);

static inline void set_basepri(uint32_t value)
{
    __asm volatile("msr basepri, %0\n\tisb" ::"r"(value) : "memory");
}

void IRQ8_Handler(void)
{
    __atomic_fetch_add(&fine_exclusive, 1, __ATOMIC_RELAXED);
    fine_basepri++;
    fine_primask++;
    fine_disabled++;
    fine_wide++;
    fine_word = 5;
    if (!fine_flag) {
        fine_message = sum + 7;
        fine_flag = 1;
    }
    fine_ring[fine_head % RING] = 3;
    fine_head++;
    lost_basepri_too_weak++;
    lost_handlers++;
    lost_wide++;
    lost_count++;
    lost_bits |= 2;
}

void IRQ20_Handler(void)
{
    lost_handlers++;
    fine_same_priority++;
}

void PendSV_Handler(void)
{
    fine_same_priority++;
}

void SysTick_Handler(void)
{
    lost_ticks++;
}

static void begin(void)
{
    NVIC_IPR[8] = URGENT;
    NVIC_IPR[20] = USUAL;
    SHPR3 = (uint32_t)USUAL << 24 | (uint32_t)USUAL << 16;
    WEFT_SYST_RVR = SYSTICK_PERIOD;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    NVIC_ISER = IRQ8 | IRQ20;
}

static void protected(void)
{
    __atomic_fetch_add(&fine_exclusive, 1, __ATOMIC_RELAXED);
    set_basepri(URGENT);
    fine_basepri++;
    set_basepri(0);
    uint32_t primask = weft_mask_interrupts();
    fine_primask++;
    fine_wide += 2;
    weft_restore_interrupts(primask);
    NVIC_ICER = IRQ8;
    __asm volatile("dsb\n\tisb");
    fine_disabled++;
    NVIC_ISER = IRQ8;
    sum += fine_word;
    if (fine_flag) {
        sum += fine_message; /* one strd may store both: they are two objects */
        fine_flag = 0;
    }
    for (; fine_tail != fine_head; fine_tail++)
        sum += fine_ring[fine_tail % RING];
}

static void unprotected(void)
{
    set_basepri(USUAL);
    lost_basepri_too_weak++;
    set_basepri(0);
    lost_wide += 3;
    if (lost_count)
        lost_count--;
    lost_bits &= ~2u;
    lost_ticks++;
}

int main(void)
{
    begin();
    for (int i = 0; i < ROUNDS; i++) {
        NVIC_ISPR = IRQ20;
        NVIC_ISPR = IRQ8;
        WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET | PENDSTSET;
        protected();
        unprotected();
    }
    return 0;
}
