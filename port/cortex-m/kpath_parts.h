/* SPDX-License-Identifier: MIT */
/* What the files of the probe of a k-slab forest share. Not for users. */
#ifndef WEFT_PORT_CORTEX_M_KPATH_PARTS_H
#define WEFT_PORT_CORTEX_M_KPATH_PARTS_H

#include "core/ksf.h"

/* Known edges and roots are counted through the gate in any context, with exclusive stores. */
typedef struct weft_kpath_gate {
    weft_ksf_gate gate;
    weft_ksf *volatile forest; /* the gate's, where a mask is enough to change it; NULL with ring delivery */
    weft_handle *roots;        /* the gate's forest's */
    uint32_t roots_mask;
} weft_kpath_gate;

/* Changed with interrupts masked, or by the owner while the gate is shut. */
extern weft_kpath_gate weft_kpath_entrance;

/* A path that the probe does not take by itself. */
void weft_kpath_other(uint32_t path, weft_ksf_activation *activation);

#endif
