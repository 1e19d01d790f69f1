/* SPDX-License-Identifier: MIT */
/* How a core enters an exception's handler and leaves it (ARMv7-M architecture reference manual, B1.5). */
#ifndef WEFT_TOOLS_LIB_RERUN_EXCEPTION_H
#define WEFT_TOOLS_LIB_RERUN_EXCEPTION_H

#include "tools/lib/rerun/machine.h"

/* The handler starts before the next instruction. */
rerun_status rerun_enter(rerun_machine *m, uint32_t exception, full_event *event);
/* The core's pc is an EXC_RETURN: what was interrupted goes on. */
static inline bool rerun_leaves(const rerun_core *core)
{
    return core->exception && core->pc >= 0xff000000u;
}
rerun_status rerun_leave(rerun_machine *m, full_event *event);
/* At that point another handler starts instead: the frame stays. Cores differ in what the registers that a frame holds
 * contain then: it is unknown. */
rerun_status rerun_chain(rerun_machine *m, uint32_t exception, full_event *event);

#endif
