/* SPDX-License-Identifier: MIT */
/* The invariants of core/loopnest, in a file of their own so that firmware does not link them. */
#include "core/loopnest_slots.h"

bool weft_loopnest_check(const weft_loopnest *nest)
{
    if (count_terms(nest) > nest->window || count_slots(nest) > nest->slots_mask + 1)
        return false;
    uint16_t at = nest->slot_first;
    for (uint16_t i = nest->first; i != nest->next; i++) {
        const weft_loopnest_slot *slot = slot_at(nest, at);
        if (term_at(nest, i)->start != at++)
            return false;
        if (!(slot->length & LOOP))
            continue;
        if (slot_at(nest, at++)->length >> DEPTH_SHIFT > nest->depth_max)
            return false;
        at = (uint16_t)(at + (slot->length & BODY_SLOTS));
    }
    return at == nest->slot_next;
}
