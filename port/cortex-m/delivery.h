/* SPDX-License-Identifier: MIT */
/* How events reach the recorder. One context at a time works on it: the *owner*. Interrupts stay on while it does, and
 * events that come meanwhile go to a ring, in order. The owner takes them from there before it ends.
 *
 *     probe -- the recorder is open for this context, and has room --> recorded at once, interrupts masked
 *           -- else, the caller masks interrupts, and the frame is full -> the ring, if half of it is free
 *           -- else, nobody owns the recorder ----------------------> the probe's context becomes the owner
 *           -- else -----------------------------------------------> the ring
 *
 * An owner that ends *opens* the recorder: weft_recorder.open is then the exception number of the context whose events
 * the fast paths of core/recorder_fast.h may take, or none (core/recorder.h). So the fast way is one comparison.
 * Another context mostly opens it for itself, in some 100 instructions (weft_delivery_enter).
 *
 * Interrupts are masked for about 100 instructions at most (docs/COSTS.md), whatever the sink, the coder and the
 * frame. With stamps of time (stamps.h) a reading of the clock may come on top. */
#ifndef WEFT_PORT_DELIVERY_H
#define WEFT_PORT_DELIVERY_H

#include "port/cortex-m/context.h"
#include "port/cortex-m/event_ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records an event that the fast way did not take, or puts it into the ring, or counts it as lost. `tag` is a
 * weft_event_tag, with WEFT_TAG_ONE, WEFT_TAG_TWO or WEFT_TAG_STAMP where they apply. */
void weft_deliver(uint32_t tag, uint32_t id, uint32_t data, uint32_t data_high);

/* Records where the caller's handler, of this exception, starts. */
void weft_delivery_place(uint32_t exception, const weft_place *place);
/* Puts an event that was kept back into the ring, in a mask with its tag's change to 0. Nothing where that is 0
 * already. It is recorded with what comes next, or when half of the ring is used. */
void weft_delivery_kept(weft_event_slot *kept);

/* Opens the recorder for the caller's context if no context is at work on it, and if that takes no more than a few
 * steps. False: weft_deliver must be called. */
bool weft_delivery_enter(void);
/* Lends the history again, after a fast way that took it back. */
void weft_delivery_lend(void);
/* Makes the caller the owner. NULL: there is another one, or no recording. */
weft_recorder *weft_delivery_own(void);
/* Records the events that the ring held at the call. True: none is left. For the owner. */
bool weft_delivery_drain(weft_recorder *recorder);
/* Records what the ring holds and ends the ownership. False: events are left, since handlers made more meanwhile. */
bool weft_delivery_release(weft_recorder *recorder);
/* With interrupts masked, where the recorder keeps a profile only. True: a path can be counted now. Nobody is at work,
 * and no loss has to be reported before it. */
bool weft_delivery_idle(const weft_recorder *recorder);
/* The owner's, which reads or changes the profile with interrupts on. Others read it with interrupts masked. */
extern volatile bool weft_delivery_at_forest;
/* Has the worker write the profile. False: there is none, or it cannot interrupt the caller. */
bool weft_delivery_profile(void);
/* Counts a path as lost, which can neither be recorded now nor wait. */
void weft_delivery_lose_path(void);

/* True while a context works on the recorder or sends frames: a context that interrupts it cannot end the recording. */
bool weft_delivery_busy(void);
/* Makes the caller owner and sender, to change what the sender of frames reads too, such as names. NULL: there is
 * another owner or sender, or no recording. */
weft_recorder *weft_delivery_own_all(void);
/* Gives back what weft_delivery_own_all took, with the recorder that it returned. */
void weft_delivery_release_all(weft_recorder *recorder);

/* ---- for weft_target.c ---- */

/* Takes ownership where there is no recording, or its end. False: there is an owner. */
bool weft_delivery_lock(void);
/* Gives back what weft_delivery_lock took. */
void weft_delivery_unlock(void);
/* Forgets what probes left after the end. False: the caller has interrupted one. */
bool weft_delivery_clear(void);
/* Records what is left, for a caller that never returns to what it interrupted: an event that was being put into the
 * ring is counted as lost. */
void weft_delivery_abandon(void);
/* The same, where the owner, or who sends frames, may be what was interrupted: they never go on. The event that the
 * owner was recording is counted as lost. */
void weft_delivery_seize(void);
/* Starts: the caller has the lock, and gives it back with this. */
void weft_delivery_begin(weft_recorder *recorder);
/* Ends: records what is left; from then on probes do nothing. False: nothing has ended, since there is an owner, the
 * caller has interrupted one that sends frames, or handlers made events all the time. */
bool weft_delivery_end(void);
/* The thread has changed. */
void weft_delivery_reopen(void);

#ifdef __cplusplus
}
#endif

#endif
