/* SPDX-License-Identifier: MIT */
/* What port/cortex-m/delivery_*.c, weft_target.c and controls.c call where filters, triggers and sampling are linked:
 * they refer to it weakly. */
#ifndef WEFT_PORT_CONTROL_HOOKS_H
#define WEFT_PORT_CONTROL_HOOKS_H

#include "port/cortex-m/context.h"
#include "port/cortex-m/event_ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* left_out.c. A recording is about to start: nothing is left out of it so far. */
void weft_left_out_begin(weft_recorder *recorder);
/* left_out.c. Counts an event that is not recorded. Any context. */
void weft_left_out(const weft_event_slot *event);
/* filter.c. Whether the context's events are recorded. Any context. */
bool weft_filter_passes(uint32_t context);
/* filter.c. For the owner: writes a mark for each context that the filter names. Another status than WEFT_OK is that of
 * the first mark that could not be written: the others are missing too. */
weft_status weft_filter_tell(weft_recorder *recorder);
/* trigger.c. True: each event must take the long way, by the next two. Any context. */
bool weft_trigger_watches(void);
/* trigger.c. When an event is made, in any context. False: it is left out, and has been counted as such. */
bool weft_trigger_wants(const weft_event_slot *event);
/* trigger.c. For the owner, before it records the event. False: it is left out, and has been counted as such. Of a path
 * that came several times, what is more than the trigger's `after` allows is taken off. */
bool weft_trigger_before(weft_recorder *recorder, weft_event_slot *event);
/* trigger.c. For the owner, after it recorded an event: ends the recording if that was the last path of `after`. */
void weft_trigger_after(weft_recorder *recorder);
/* Gives up the trigger. If nothing is recorded because of it, the recording is paused from now on. WEFT_AGAIN: call it
 * again later. */
weft_status weft_trigger_settle(void);
/* trigger.c. Nothing is recorded because of it: it has not come, or all after it is recorded. That it has come, or that
 * all is recorded, may wait in the ring. Any context. */
bool weft_trigger_silent(void);
/* trigger.c. The same of a recording that is paused, once it goes on. */
bool weft_trigger_stays_silent(void);
/* trigger.c. For the owner and sender: what is held back for it goes out with the next frame, as far as it asks for. */
void weft_trigger_let_go(void);
/* activations.c: the marks of a function's sampling. */
void weft_delivery_record_sampling(weft_recorder *recorder, const weft_event_slot *event);
/* activations.c: such a mark was left out. */
void weft_sampling_missed(void);

#ifdef __cplusplus
}
#endif

#endif
