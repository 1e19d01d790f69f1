/* SPDX-License-Identifier: MIT */
/* One instruction of a program that is executed on the host. */
#ifndef WEFT_TOOLS_LIB_RERUN_STEP_H
#define WEFT_TOOLS_LIB_RERUN_STEP_H

#include "tools/lib/rerun/machine.h"

/* Executes the next one. *event gets all but its time. If it cannot go on, nothing has changed. An exception return
 * leaves the core with the EXC_RETURN as pc (exception.h). */
rerun_status rerun_step(rerun_machine *m, full_event *event);

#endif
