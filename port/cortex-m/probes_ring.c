/* SPDX-License-Identifier: MIT */
/* Delivery by a ring: every event goes to it, with no mask, so that probes may run in code without privilege and in
 * NMI. Thread mode records the ring's events when it is half full; weft_poll does so at any time. When handlers fill
 * the ring before that, the events are counted as lost. So are events of other threads while the thread that records is
 * held up, unless the ring has room for them. */
#include "core/own.h"
#include "port/cortex-m/delivery_choice.h"

#ifndef WEFT_EVENT_RING_SLOTS
#define WEFT_EVENT_RING_SLOTS 128
#endif
#if WEFT_EVENT_RING_SLOTS < 2 || (WEFT_EVENT_RING_SLOTS & (WEFT_EVENT_RING_SLOTS - 1))
#error "WEFT_EVENT_RING_SLOTS is a power of two from 2 up"
#endif

#if WEFT_MAINLINE
WEFT_DELIVERY_DEF(WEFT_EVENT_RING_SLOTS, true, NULL);
#else
static weft_nmi_events of_nmi;
WEFT_DELIVERY_DEF(WEFT_EVENT_RING_SLOTS, true, &of_nmi);
#endif
