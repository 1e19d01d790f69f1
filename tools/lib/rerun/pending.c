/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/pending.h"

#define INTERRUPT_CONTROL 0xe000ed04u /* ICSR */
#define PENDSV_SET (1u << 28)
#define PENDSV_CLEAR (1u << 27)
#define SYSTEM_PRIORITIES 0xe000ed18u /* SHPR1 to SHPR3: of exceptions 4 to 15 */
#define INTERRUPT_PRIORITIES 0xe000e400u
enum { SYSTEM_FIRST = 4, INTERRUPT_FIRST = 16, HARD_FAULT = 3 };

static void set_priority(rerun_machine *m, uint32_t exception, uint8_t priority)
{
    if (exception < RERUN_EXCEPTIONS)
        m->priority[exception] = priority;
}

void rerun_pending_store(rerun_machine *m, uint32_t address, unsigned size, uint64_t value, bool known)
{
    if (!known || size > 4)
        return;
    for (unsigned i = 0; i < size; i++) {
        uint32_t system = address + i - SYSTEM_PRIORITIES, interrupt = address + i - INTERRUPT_PRIORITIES;
        uint8_t byte = (uint8_t)(value >> 8 * i);
        if (system < INTERRUPT_FIRST - SYSTEM_FIRST)
            set_priority(m, SYSTEM_FIRST + system, byte);
        else if (interrupt < RERUN_EXCEPTIONS - INTERRUPT_FIRST)
            set_priority(m, INTERRUPT_FIRST + interrupt, byte);
    }
    if (address == INTERRUPT_CONTROL && size == 4 && value & PENDSV_SET)
        m->pends = true;
    else if (address == INTERRUPT_CONTROL && size == 4 && value & PENDSV_CLEAR)
        m->pends = false;
}

/* Whether it interrupts what runs. Priorities are compared as a whole: without subpriorities. */
static bool may_come(const rerun_machine *m, uint32_t exception)
{
    const rerun_core *core = &m->core;
    uint32_t own = m->priority[exception];
    bool masked = core->primask || core->faultmask || (core->basepri && own >= core->basepri);
    bool below = core->exception && (core->exception <= HARD_FAULT || core->exception >= RERUN_EXCEPTIONS ||
                                     own >= m->priority[core->exception]);
    return !masked && !below;
}

uint32_t rerun_pending(const rerun_machine *m)
{
    if (m->calls && m->own >> RERUN_SVCALL & 1)
        return RERUN_SVCALL;
    return m->pends && m->own >> RERUN_PENDSV & 1 && may_come(m, RERUN_PENDSV) ? RERUN_PENDSV : 0;
}

void rerun_pending_taken(rerun_machine *m, uint32_t exception)
{
    m->calls = m->calls && exception != RERUN_SVCALL;
    m->pends = m->pends && exception != RERUN_PENDSV;
}
