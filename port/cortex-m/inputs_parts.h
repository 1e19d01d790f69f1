/* SPDX-License-Identifier: MIT */
/* What came from outside, for inputs.c and inputs_memory.c. */
#ifndef WEFT_PORT_INPUTS_PARTS_H
#define WEFT_PORT_INPUTS_PARTS_H

#include "port/cortex-m/context.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/under_way.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records the answer that is kept back. */
void weft_inputs_flush(void);
/* Keeps an answer back, or counts it if it is the one that is kept. With interrupts masked. False: another answer
 * stands there. */
bool weft_inputs_keep(const weft_event_slot *answer);

/* In the probe itself, so that where it is interrupted says whether this answer was kept. */
static inline __attribute__((always_inline)) void weft_input_put(uint32_t address, uint32_t back, uint32_t value)
{
    uint32_t exception = weft_ipsr(), context = exception ? exception : weft_target_thread;
    weft_event_slot answer = {WEFT_TAG_STAMP | context << 2,
                              WEFT_EVENT_INPUT | (uint32_t)WEFT_INPUT_HASH(address, back) << 3, value, 0};
    for (bool kept = false; !kept;) {
        uint32_t primask = weft_mask_interrupts();
        kept = weft_inputs_keep(&answer);
        weft_note_under_way(!kept);
        weft_restore_interrupts(primask);
        if (!kept)
            weft_inputs_flush();
    }
}

#ifdef __cplusplus
}
#endif

#endif
