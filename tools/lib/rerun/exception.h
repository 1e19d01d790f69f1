/* SPDX-License-Identifier: MIT */
/* How a core enters an exception's handler and leaves it (ARMv7-M architecture reference manual, B1.5). */
#ifndef WEFT_TOOLS_LIB_RERUN_EXCEPTION_H
#define WEFT_TOOLS_LIB_RERUN_EXCEPTION_H

#include "tools/lib/rerun/machine.h"

#define RERUN_FRAME 0x20u        /* bytes that the processor stacks */
#define RERUN_FRAME_FLOATS 0x68u /* with the registers of the FPU */
#define RERUN_EXCEPTION_RETURN 0xff000000u

/* The xPSR that it stacks. */
uint32_t rerun_stacked_state(const rerun_core *core);
/* The handler starts before the next instruction. */
rerun_status rerun_enter(rerun_machine *m, uint32_t exception, full_event *event);
/* The core's pc is an EXC_RETURN: what was interrupted goes on. */
static inline bool rerun_leaves(const rerun_core *core)
{
    return core->exception && core->pc >= RERUN_EXCEPTION_RETURN;
}
rerun_status rerun_leave(rerun_machine *m, full_event *event);
/* At that point another handler starts instead: the frame stays. Cores differ in what the registers that a frame holds
 * contain then: it is unknown. */
rerun_status rerun_chain(rerun_machine *m, uint32_t exception, full_event *event);

#endif
