/* SPDX-License-Identifier: MIT */
/* Direct delivery: a handler works on the recorder too, if no other context does. So nothing is lost but what handlers
 * make while they interrupt the owner and the ring is full. */
#include "core/own.h"
#include "port/cortex-m/delivery_choice.h"

/* Events of handlers that interrupt the owner: what they make while a frame is sealed and written. */
#ifndef WEFT_EVENT_RING_SLOTS
#define WEFT_EVENT_RING_SLOTS 64
#endif
#if WEFT_EVENT_RING_SLOTS < 2 || (WEFT_EVENT_RING_SLOTS & (WEFT_EVENT_RING_SLOTS - 1))
#error "WEFT_EVENT_RING_SLOTS is a power of two from 2 up"
#endif

WEFT_DELIVERY_DEF(WEFT_EVENT_RING_SLOTS, false, NULL);
