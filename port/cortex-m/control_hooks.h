/* SPDX-License-Identifier: MIT */
/* What port/cortex-m/delivery_*.c and controls.c call where filters, triggers and sampling are linked: they refer to it
 * weakly. */
#ifndef WEFT_PORT_CONTROL_HOOKS_H
#define WEFT_PORT_CONTROL_HOOKS_H

#include "port/cortex-m/context.h"
#include "port/cortex-m/event_ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* left_out.c. Counts an event that is not recorded. Any context. */
void weft_left_out(const weft_event_slot *event);
/* filter.c. Whether a context's events are recorded; and the marks that say so. */
bool weft_filter_passes(uint32_t context);
weft_status weft_filter_tell(weft_recorder *recorder);
/* trigger.c. Whether no event may take a fast way; whether one is recorded or left out, when it is made; and, for the
 * owner, the same before it is recorded, and what is due after it. */
bool weft_trigger_watches(void);
bool weft_trigger_wants(const weft_event_slot *event);
bool weft_trigger_before(weft_recorder *recorder, weft_event_slot *event);
void weft_trigger_after(weft_recorder *recorder);
/* Gives up the trigger. If nothing is recorded because of it, the recording is paused from now on. WEFT_AGAIN: call it
 * again later. */
weft_status weft_trigger_settle(void);
/* activations.c: the marks of a function's sampling. */
void weft_delivery_record_sampling(weft_recorder *recorder, const weft_event_slot *event);

#ifdef __cplusplus
}
#endif

#endif
