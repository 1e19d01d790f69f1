/* SPDX-License-Identifier: MIT */
/* What the files of core/ksf share; no other file includes it. */
#ifndef WEFT_CORE_KSF_PARTS_H
#define WEFT_CORE_KSF_PARTS_H

#include "core/ksf.h"

/* The parent of a stub of a node, and of one of a node's link; roots have parent 0. */
enum { WEFT_KSF_OF_NODE = 0xfffe, WEFT_KSF_OF_LINK = 0xffff };

static inline bool weft_ksf_is_stub(weft_handle parent)
{
    return parent >= WEFT_KSF_OF_NODE;
}

/* What a stub says of what it names: handle * 2 + link. */
static inline uint32_t weft_ksf_named(const weft_ksf_node *stub)
{
    return 2u * stub->sibling + (stub->parent == WEFT_KSF_OF_LINK);
}

/* The steps of what comes after a node, from the node's own: at depth 2k-2 a chunk begins again at depth k-1. */
static inline uint16_t weft_ksf_below(const weft_ksf *ksf, unsigned steps)
{
    return (uint16_t)(steps ? steps - 1u : ksf->again);
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
