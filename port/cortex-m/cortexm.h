/* SPDX-License-Identifier: MIT */
/* What every Cortex-M has: the system registers that the port uses, and its special registers. */
#ifndef WEFT_PORT_CORTEXM_H
#define WEFT_PORT_CORTEXM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define WEFT_SYST_CSR WEFT_REGISTER(0xe000e010)
#define WEFT_SYST_RVR WEFT_REGISTER(0xe000e014)
#define WEFT_SYST_CVR WEFT_REGISTER(0xe000e018)
#define WEFT_NVIC_ISER(n) WEFT_REGISTER(0xe000e100 + 4 * (n))
#define WEFT_NVIC_ICER(n) WEFT_REGISTER(0xe000e180 + 4 * (n))
#define WEFT_NVIC_ISPR(n) WEFT_REGISTER(0xe000e200 + 4 * (n))
#define WEFT_NVIC_IABR(n) WEFT_REGISTER(0xe000e300 + 4 * (n)) /* mainline only */
#define WEFT_NVIC_IPR(n) WEFT_REGISTER(0xe000e400 + 4 * (n))  /* four priorities per word: M0 has no byte access */
#define WEFT_ICTR WEFT_REGISTER(0xe000e004)                   /* mainline only */
#define WEFT_SCB_ICSR WEFT_REGISTER(0xe000ed04)
#define WEFT_SCB_VTOR WEFT_REGISTER(0xe000ed08)
#define WEFT_SCB_AIRCR WEFT_REGISTER(0xe000ed0c)
#define WEFT_SCB_SHPR(n) WEFT_REGISTER(0xe000ed18 + 4 * ((n)-1)) /* n is 1 to 3 */
#define WEFT_SCB_SHCSR WEFT_REGISTER(0xe000ed24)                 /* mainline only, as are the next seven */
#define WEFT_SCB_CFSR WEFT_REGISTER(0xe000ed28)
#define WEFT_SCB_HFSR WEFT_REGISTER(0xe000ed2c)
#define WEFT_SCB_DFSR WEFT_REGISTER(0xe000ed30)
#define WEFT_SCB_MMFAR WEFT_REGISTER(0xe000ed34)
#define WEFT_SCB_BFAR WEFT_REGISTER(0xe000ed38)
#define WEFT_SCB_AFSR WEFT_REGISTER(0xe000ed3c)
#define WEFT_SCB_CPACR WEFT_REGISTER(0xe000ed88)

#define WEFT_ICSR_RETTOBASE (1u << 11) /* mainline only */
#define WEFT_ICSR_PENDSTCLR (1u << 25)
#define WEFT_ICSR_PENDSTSET (1u << 26)
#define WEFT_ICSR_PENDSVSET (1u << 28)

/* 1 where LDREX and STREX, CFSR and VTOR exist: every architecture but v6-M and the v8-M baseline. */
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define WEFT_MAINLINE 0
#else
#define WEFT_MAINLINE 1
#endif

/* Interrupts that the NVIC may have, in steps of 32; those that the part does not have are zero in all registers. */
#if WEFT_MAINLINE
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)
#define WEFT_IRQ_LINES_MAX 240u
#else
#define WEFT_IRQ_LINES_MAX 480u /* v8-M */
#endif
#define WEFT_IRQ_LINES                                                                                                 \
    (32 * ((WEFT_ICTR & 15u) + 1) < WEFT_IRQ_LINES_MAX ? 32 * ((WEFT_ICTR & 15u) + 1) : WEFT_IRQ_LINES_MAX)
#else
#define WEFT_IRQ_LINES 32u
#endif

/* The number of the exception that is running; 0 in thread mode. MRS of IPSR gives zero in all other bits. */
static inline uint32_t weft_ipsr(void)
{
    uint32_t ipsr;
    __asm volatile("mrs %0, ipsr" : "=r"(ipsr));
    return ipsr;
}

/* Bits of CONTROL, which describe thread mode. */
#define WEFT_CONTROL_UNPRIVILEGED 1u
#define WEFT_CONTROL_PROCESS_STACK 2u

static inline uint32_t weft_control(void)
{
    uint32_t control;
    __asm volatile("mrs %0, control" : "=r"(control));
    return control;
}

static inline uint32_t weft_primask(void)
{
    uint32_t primask;
    __asm volatile("mrs %0, primask" : "=r"(primask));
    return primask;
}

/* Whether the caller holds interrupts back: all of them, or those below a priority. To code without privilege, no. */
static inline bool weft_masked(void)
{
    uint32_t basepri = 0;
#if WEFT_MAINLINE
    __asm volatile("mrs %0, basepri" : "=r"(basepri));
#endif
    return weft_primask() | basepri;
}

/* Thread mode without privilege, or the handler of NMI or HardFault: where cpsid holds nothing back. */
static inline bool weft_unmaskable(uint32_t exception)
{
    uint32_t control;
    __asm volatile("mrs %0, control" : "=r"(control));
    return exception ? exception == 2 || exception == 3 : control & 1;
}

/* The critical section of hal/critical.h, for code that needs it inlined. */
static inline uint32_t weft_mask_interrupts(void)
{
    uint32_t primask;
    __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask) : : "memory");
    return primask;
}

static inline void weft_restore_interrupts(uint32_t primask)
{
    __asm volatile("msr primask, %0" : : "r"(primask) : "memory");
}

static inline void weft_barrier(void)
{
    __asm volatile("dsb\n\tisb" : : : "memory");
}

static inline void weft_wait_for_interrupt(void)
{
    __asm volatile("wfi" : : : "memory");
}

static inline void weft_irq_enable(unsigned irq)
{
    WEFT_NVIC_ISER(irq / 32) = 1u << irq % 32;
}

static inline void weft_irq_disable(unsigned irq)
{
    WEFT_NVIC_ICER(irq / 32) = 1u << irq % 32;
    weft_barrier();
}

static inline void weft_irq_pend(unsigned irq)
{
    WEFT_NVIC_ISPR(irq / 32) = 1u << irq % 32;
}

/* 0 is the most urgent; only the top two bits of `priority` exist on every Cortex-M (steps of 64). */
static inline void weft_irq_priority(unsigned irq, uint8_t priority)
{
    unsigned shift = 8 * (irq % 4);
    WEFT_NVIC_IPR(irq / 4) = (WEFT_NVIC_IPR(irq / 4) & ~(0xffu << shift)) | (uint32_t)priority << shift;
}

/* The same for the system exceptions 4 to 15 (15 is SysTick, 14 PendSV). */
static inline void weft_exception_priority(unsigned exception, uint8_t priority)
{
    unsigned shift = 8 * (exception % 4);
    volatile uint32_t *reg = &WEFT_SCB_SHPR(exception / 4);
    *reg = (*reg & ~(0xffu << shift)) | (uint32_t)priority << shift;
}

#ifdef __cplusplus
}
#endif

#endif
