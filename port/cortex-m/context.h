/* SPDX-License-Identifier: MIT */
/* The context of an event, for probes_*.c. */
#ifndef WEFT_PORT_CONTEXT_H
#define WEFT_PORT_CONTEXT_H

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

static inline uint32_t weft_target_context(void)
{
    uint32_t exception = weft_ipsr();
    return exception ? exception : weft_target_thread;
}

#endif
