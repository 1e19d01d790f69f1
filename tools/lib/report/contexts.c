/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/contexts.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    FIRST_THREAD = 512,
    FIRST_INTERRUPT = 16,
    EXCEPTION_PRIORITIES = 4, /* exceptions 4 .. 15 have a priority register */
    PRIORITY_BYTES = 240      /* interrupts that have one */
};
static const uint32_t exception_register = 0xe000ed18, interrupt_register = 0xe000e400;

uint32_t contexts_find(contexts *c, uint32_t number)
{
    if (c->last < c->count && c->all[c->last].number == number)
        return c->last;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->all[i].number == number)
            return i;
    if (c->count == CONTEXTS_MAX) {
        c->all[CONTEXTS_MAX - 1].others = true;
        return CONTEXTS_MAX - 1;
    }
    c->all[c->count] = (context_line){.number = number};
    return c->count++;
}

static void add(context_range *range, uint64_t value)
{
    range->min = !range->count || value < range->min ? value : range->min;
    range->max = value > range->max ? value : range->max;
    range->sum += value;
    range->count++;
}

void contexts_enter(contexts *c, uint32_t number, uint64_t time)
{
    uint32_t index = contexts_find(c, number), before = c->last;
    context_line *one = &c->all[index];
    if (one->depth++)
        return;
    if (one->open)
        add(&one->period, time - one->began);
    if (before < c->count && before != index)
        c->over[index][before]++;
    one->runs++;
    one->began = time;
    one->open = true;
}

void contexts_leave(contexts *c, uint32_t number, uint64_t time)
{
    context_line *one = &c->all[contexts_find(c, number)];
    if (one->depth && !--one->depth && one->open)
        add(&one->length, time - one->began);
}

void contexts_spend(contexts *c, uint32_t index, uint64_t cost, uint32_t node, uint64_t time)
{
    context_line *one = &c->all[index];
    c->last = index;
    one->cost += cost;
    if (one->depth > one->deepest) {
        one->deepest = one->depth;
        one->deepest_node = node;
        one->deepest_at = time;
    }
}

void contexts_gap(contexts *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        c->all[i].open = false;
        c->all[i].depth = 0;
    }
}

void contexts_store(contexts *c, uint32_t address, uint32_t size, uint64_t value)
{
    for (uint32_t i = 0; i < size && i < 8; i++) {
        uint32_t at = address + i, number;
        if (at - exception_register < FIRST_INTERRUPT - EXCEPTION_PRIORITIES)
            number = at - exception_register + EXCEPTION_PRIORITIES;
        else if (at - interrupt_register < PRIORITY_BYTES)
            number = at - interrupt_register + FIRST_INTERRUPT;
        else
            continue;
        c->priority[number] = (uint8_t)(value >> (8 * i));
        c->priority_known[number] = true;
    }
}

void contexts_name(uint32_t number, char *text, size_t room)
{
    static const char *const exceptions[FIRST_INTERRUPT] = {
        "thread mode", NULL, "NMI", "HardFault", "MemManage", "BusFault", "UsageFault", "SecureFault",
        NULL,          NULL, NULL,  "SVCall",    "DebugMon",  NULL,       "PendSV",     "SysTick"};
    if (number < FIRST_INTERRUPT && exceptions[number])
        snprintf(text, room, "%s", exceptions[number]);
    else if (number < FIRST_INTERRUPT)
        snprintf(text, room, "exception %" PRIu32, number);
    else if (number < FIRST_THREAD)
        snprintf(text, room, "interrupt %" PRIu32, number - FIRST_INTERRUPT);
    else
        snprintf(text, room, "thread %" PRIu32, number - FIRST_THREAD);
}
