/* SPDX-License-Identifier: MIT */
/* What linking probes_direct.c or probes_ring.c chooses for port/cortex-m/delivery_*.c. */
#ifndef WEFT_PORT_DELIVERY_CHOICE_H
#define WEFT_PORT_DELIVERY_CHOICE_H

#include "port/cortex-m/event_ring.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_delivery {
    weft_event_ring *ring;
    bool by_ring; /* every event goes through the ring, and handlers never work on the recorder */
} weft_delivery;
extern const weft_delivery weft_delivery_choice;

/* Defines the ring and the choice. Slots: a power of two, 16 bytes each. NMI's part, or NULL. */
#define WEFT_DELIVERY_DEF(slots_count, all, nmi_part)                                                                  \
    static weft_event_slot slots[slots_count];                                                                         \
    static weft_event_ring ring = {.slots = slots, .mask = (slots_count)-1, .nmi = (nmi_part)};                        \
    const weft_delivery weft_delivery_choice = {&ring, all}

#ifdef __cplusplus
}
#endif

#endif
