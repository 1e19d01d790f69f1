/* SPDX-License-Identifier: MIT */
/* The window of core/loopnest.h as its two files see it: rings of terms and of slots. Private. */
#ifndef WEFT_CORE_LOOPNEST_SLOTS_H
#define WEFT_CORE_LOOPNEST_SLOTS_H

#include "core/loopnest.h"

/* Bits of the first slot's length of a loop; the rest is the number of slots of its body, at most 2^14 - 2. */
#define LOOP 0x8000u /* it is one */
#define BODY_SLOTS 0x3fffu
/* The second slot's length: terms of the body, at most 2^11, and nesting depth. */
#define BODY_TERMS 0x0fffu
#define DEPTH_SHIFT 12
#define HEADER 2u

static inline weft_loopnest_term *term_at(const weft_loopnest *nest, uint32_t position)
{
    return &nest->terms[position & nest->terms_mask];
}

static inline weft_loopnest_slot *slot_at(const weft_loopnest *nest, uint32_t position)
{
    return &nest->slots[position & nest->slots_mask];
}

static inline uint32_t count_terms(const weft_loopnest *nest)
{
    return (uint16_t)(nest->next - nest->first);
}

static inline uint32_t count_slots(const weft_loopnest *nest)
{
    return (uint16_t)(nest->slot_next - nest->slot_first);
}

#endif
