/* SPDX-License-Identifier: MIT */
/* What the files of the controls share; not for others. */
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
/* Whose probes have just been stopped; NULL: they go on. */
void weft_controls_set_paused(weft_recorder *recorder);
/* Flushes, then writes the marks of a resume. For the owner and sender. WEFT_AGAIN: the sink refused. */
weft_status weft_controls_go_on(weft_recorder *recorder);
/* Does what a request says that needs neither filters nor triggers. WEFT_CONFIG: there is no such one. */
weft_status weft_controls_obey(uint32_t request);

/* ---- left_out.c ---- */

/* As weft_left_out, for a number of paths; and for an activation of a function. */
void weft_left_out_paths(uint32_t count);
void weft_left_out_activation(void);

#ifdef __cplusplus
}
#endif

#endif
