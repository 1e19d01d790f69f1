/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/history_event.h"

#include "tools/lib/machine/branch.h"

static bool has_access(const wet_statement *s, bool store)
{
    for (uint32_t i = 0; i < s->access_count; i++)
        if (s->accesses[i].store == store)
            return true;
    return false;
}

uint32_t wet_events_of(const wet_node *n, wet_code code, wet_event events[WET_EVENTS_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->statement_count; i++) {
        const wet_statement *s = &code.statements[n->statements[i]];
        const wet_static *w = &code.statics[s->instruction];
        if (!w->exception)
            events[count++] = (wet_event){MISSES_FETCH, (uint8_t)i};
        if (has_access(s, false))
            events[count++] = (wet_event){MISSES_LOAD, (uint8_t)i};
        if (has_access(s, true))
            events[count++] = (wet_event){MISSES_STORE, (uint8_t)i};
        if (!w->exception && thumb_is_conditional(&w->insn))
            events[count++] = (wet_event){MISSES_BRANCH, (uint8_t)i};
    }
    return count;
}

uint32_t wet_statement_slot(const wet_node *n, wet_code code, uint32_t statement)
{
    uint32_t slot = 0;
    for (uint32_t i = 0; i < statement; i++)
        slot += code.statements[n->statements[i]].slot_count;
    return slot;
}
