/* SPDX-License-Identifier: MIT */
/* What the files of the controls share; no other file includes it. */
#ifndef WEFT_PORT_CONTROLS_PARTS_H
#define WEFT_PORT_CONTROLS_PARTS_H

#include "port/cortex-m/control_hooks.h"
#include "port/cortex-m/delivery.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- controls.c ---- */

/* The recorder that is paused, or NULL. */
weft_recorder *weft_controls_paused(void);
/* There is one, and it was not paused for good. */
bool weft_controls_paused_briefly(void);
/* The recorder that is paused, with ownership (weft_delivery_lock). NULL: none, or there is an owner. */
weft_recorder *weft_controls_lock_paused(void);
/* The recorder whose probes have just been stopped; NULL: probes run. */
void weft_controls_set_paused(weft_recorder *recorder);
/* weft_pause. Where it is not for good, a trigger stays as it is: weft_controls_continue goes on with it. WEFT_AGAIN
 * also where the trigger lets nothing be recorded. */
weft_status weft_controls_halt(bool for_good);
/* weft_resume, but that a trigger goes on. */
weft_status weft_controls_continue(void);
/* Flushes, then writes the marks of a resume. For the owner and sender. WEFT_AGAIN: the sink refused. */
weft_status weft_controls_go_on(weft_recorder *recorder);
/* Serves a request that needs neither filters nor triggers. WEFT_CONFIG: it is not such a request. */
weft_status weft_controls_obey(uint32_t request);

/* ---- left_out.c ---- */

/* Counts `count` paths that are not recorded, as weft_left_out does one event. Any context. */
void weft_left_out_paths(uint32_t count);
/* Counts an activation that sampling left out. Any context. */
void weft_left_out_activation(void);

#ifdef __cplusplus
}
#endif

#endif
