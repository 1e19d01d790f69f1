/* SPDX-License-Identifier: MIT */
/* What the files of core/ksf share; no other file includes it. */
#ifndef WEFT_CORE_KSF_PARTS_H
#define WEFT_CORE_KSF_PARTS_H

#include "core/ksf.h"

enum { WEFT_KSF_STUB = WEFT_NONE }; /* the parent of a stub; roots have parent 0 */

/* The steps of what comes after a node, from the node's own: at depth 2k-2 a chunk begins again at depth k-1. */
static inline uint16_t weft_ksf_below(const weft_ksf *ksf, unsigned steps)
{
    return (uint16_t)((steps ? steps : ksf->chunk) - 1u);
}

static inline void weft_ksf_forget_roots(weft_ksf *ksf)
{
    for (uint32_t i = 0; i <= ksf->roots_mask; i++)
        ksf->roots[i] = 0;
}

static inline void weft_ksf_empty(weft_ksf *ksf)
{
    ksf->high_water = weft_ksf_high_water(ksf);
    ksf->used = 0;
    ksf->written = 0;
}

#endif
