/* SPDX-License-Identifier: MIT */
/* Filters, triggers and sampling, one after the other, with interrupts in between: tests/target/triggers.sh. With
 * CONTROLLED=0 nothing is controlled and all is recorded: the test compares with that. The controls are called in
 * functions without probes, so that all numbers are the same. */
#include <stdio.h>

#include "port/cortex-m/activations.h"
#include "port/cortex-m/controls.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/trigger.h"
#include "port/cortex-m/weft_target.h"

#ifndef CONTROLLED
#define CONTROLLED 0
#endif
#ifndef RARE_PATH
#define RARE_PATH 0
#endif

#define REST __attribute__((noinline))
#define UNSEEN __attribute__((noipa, no_instrument_function))

enum { BELL = 5, MARK = 100 };

static volatile unsigned table[16], sum;
static unsigned bells;

#if CONTROLLED
WEFT_FUNCTION(deep);
WEFT_FUNCTION(gate);
WEFT_HOLD_DEF(held, 3000);

enum { TRIES = 1000 };

/* A status of WEFT_AGAIN asks for another try. */
#define DO(call)                                                                                                       \
    do {                                                                                                               \
        weft_status status = WEFT_AGAIN;                                                                               \
        for (unsigned tries = 0; status == WEFT_AGAIN && tries < TRIES; tries++)                                       \
            status = (call);                                                                                           \
        if (status != WEFT_OK)                                                                                         \
            printf("%s: %d\n", #call, status);                                                                         \
    } while (0)

UNSEEN static void ask(weft_request request, uint32_t argument)
{
    weft_control_word = request | argument << 8;
    for (unsigned tries = 0; weft_control_word && tries < TRIES; tries++)
        weft_controls_poll_all();
    if (weft_control_word)
        printf("not obeyed: %d\n", request);
}

UNSEEN static void control(unsigned step)
{
    weft_trigger at_path = {.number = 7, .first = RARE_PATH, .count = 1, .after = 40};
    weft_trigger at_gate = {.number = 8, .before = 60, .after = 30, .hold = &held};
    weft_trigger by_bell = {.number = 9, .after = 10};
    switch (step) {
    case 1:
        DO(weft_filter_only(0));
        break;
    case 2:
        DO(weft_filter_out(0));
        break;
    case 3:
        DO(weft_filter_all());
        break;
    case 4:
        DO(weft_trigger_arm(&at_path));
        break;
    case 5:
        DO(weft_resume());
        break;
    case 6:
        weft_function_gate.trigger = 1;
        DO(weft_trigger_arm(&at_gate));
        break;
    case 7:
        DO(weft_trigger_arm(&by_bell));
        break;
    case 8:
        ask(WEFT_REQUEST_RESUME, 0);
        weft_function_deep.keep = 5;
        break;
    case 9:
        weft_function_deep.keep = 0;
        ask(WEFT_REQUEST_OUT, 16 + BELL);
        break;
    default:
        ask(WEFT_REQUEST_ALL, 0);
    }
}
#else
UNSEEN static void control(unsigned step)
{
    __asm volatile("" : : "r"(step));
}
#endif

UNSEEN static void ring(unsigned count)
{
#if CONTROLLED
    if (count == 1)
        weft_trigger_now();
#else
    __asm volatile("" : : "r"(count));
#endif
}

REST void IRQ5_Handler(void);
REST void IRQ5_Handler(void)
{
    table[bells++ & 15] += sum;
    ring(bells == 180);
}

REST static void rare(unsigned i)
{
    table[i & 15] = i;
    if (i & 1)
        sum -= table[3];
}

REST static void step(unsigned i)
{
    if (i % 3 == 0)
        sum += table[i & 15];
    else if (i % 5 == 0)
        table[i & 15] ^= i;
    else
        sum ^= i;
    if (i % 7 == 0) {
        weft_irq_pend(BELL);
        weft_barrier();
    }
}

REST void gate(unsigned i);
REST void gate(unsigned i)
{
    sum += table[(i + 1) & 15] + table[(i + 2) & 15];
}

/* Recursive, so that activations nest; and a loop of one path. */
REST unsigned deep(unsigned depth);
REST unsigned deep(unsigned depth)
{
    unsigned here = 0;
    for (unsigned i = 0; i < 12; i++)
        here += table[i];
    if (depth & 1)
        table[depth & 15] = here;
    if (depth > 0)
        here += deep(depth - 1);
    return here ^ table[depth & 15];
}

REST static void steps(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        if (i % 100 == 61)
            rare(i);
        if (i % 1000 == 661)
            gate(i);
        step(i);
    }
}

/* A part begins, and what is controlled in it. */
REST static void part(unsigned number)
{
    weft_event(MARK, number);
    control(number);
}

int main(void)
{
    weft_irq_priority(BELL, 0x40);
    weft_irq_enable(BELL);
    steps(0, 30);
    part(1);
    steps(30, 60);
    part(2);
    steps(0, 50);
    part(3);
    steps(0, 20);
    part(4);
    steps(0, 120);
    part(5);
    steps(0, 20);
    part(6);
    steps(0, 900);
    part(7);
    steps(0, 130);
    part(8);
    for (unsigned i = 0; i < 9; i++)
        sum += deep(i);
    part(9);
    steps(0, 30);
    sum += deep(3);
    part(10);
    steps(0, 30);
    printf("end %u\n", sum);
    return 0;
}
