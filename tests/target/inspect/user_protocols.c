/* SPDX-License-Identifier: MIT */
/* How firmware hands structures over to a handler without masks, by words that say whose turn it is. And the same with
 * a step missing, or in the wrong order. Objects lost_* are races, fine_* are not. */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

#define NVIC_ISER (*(volatile uint32_t *)0xe000e100)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200)
#define APART __attribute__((noinline))

enum { ROUNDS = 40, IRQ8 = 1 << 8 };

typedef volatile struct message {
    uint32_t kind, size, sum;
} message;

/* The handler fills a mailbox while it is empty, main empties it when it is full; or says so before it has, or never
 * asks; or the handler does not. */
message fine_mail, lost_mail, lost_unasked, lost_overrun;
volatile uint8_t mail_full, mail_early, mail_unasked, mail_overrun;
/* Main makes a request while there is none, the handler answers it. */
message fine_request, lost_request;
volatile uint32_t request_made, request_early;
/* Main asks, and something else sets the word back meanwhile. */
message lost_reset;
volatile uint32_t lost_reset_full;
volatile uint32_t sum, tick;

void IRQ8_Handler(void);

static void fill(message *m, uint32_t n)
{
    m->kind = n;
    m->size = n + 1;
    m->sum = n + 2;
}

static inline __attribute__((always_inline)) uint32_t used(const message *m)
{
    return m->kind + m->size + m->sum;
}

static inline __attribute__((always_inline)) void make(message *m, uint32_t n)
{
    m->kind = n, m->size = n, m->sum = n;
}

void IRQ8_Handler(void)
{
    tick++;
    if (!mail_full) {
        fill(&fine_mail, tick);
        mail_full = 1;
    }
    if (!mail_early) {
        fill(&lost_mail, tick);
        mail_early = 1;
    }
    if (!mail_unasked) {
        fill(&lost_unasked, tick);
        mail_unasked = 1;
    }
    fill(&lost_overrun, tick);
    mail_overrun = 1;
    if (request_made) {
        sum = used(&fine_request);
        request_made = 0;
    }
    if (request_early) {
        sum = used(&lost_request);
        request_early = 0;
    }
    if (tick & 1)
        lost_reset_full = 0;
    if (!lost_reset_full) {
        fill(&lost_reset, tick);
        lost_reset_full = 1;
    }
}

static APART uint32_t mailboxes(void)
{
    uint32_t all = 0;
    if (mail_full) {
        all += used(&fine_mail);
        mail_full = 0;
    }
    if (mail_early) {
        mail_early = 0;
        all += used(&lost_mail);
    }
    if (mail_overrun) {
        all += used(&lost_overrun);
        mail_overrun = 0;
    }
    if (lost_reset_full) {
        all += used(&lost_reset);
        lost_reset_full = 0;
    }
    return all;
}

static APART uint32_t unasked(void)
{
    uint32_t all = used(&lost_unasked);
    mail_unasked = 0;
    return all;
}

static APART void requests(uint32_t n)
{
    if (!request_made) {
        make(&fine_request, n);
        request_made = 1;
    }
    if (!request_early) {
        request_early = 1;
        make(&lost_request, n);
    }
}

static APART void pend(void)
{
    NVIC_ISPR = IRQ8;
    __asm volatile("dsb\n\tisb" ::: "memory");
}

int main(void)
{
    uint32_t all = 0;
    NVIC_ISER = IRQ8;
    for (int i = 0; i < ROUNDS; i++) {
        pend();
        all += mailboxes();
        pend();
        all += unasked();
        requests(all);
    }
    return all == 1;
}
