/* SPDX-License-Identifier: MIT */
/* Loads and stores. */
#ifndef WEFT_TOOLS_LIB_RERUN_TRANSFER_H
#define WEFT_TOOLS_LIB_RERUN_TRANSFER_H

#include "tools/lib/rerun/machine.h"

/* Executes a load or a store, and lists its accesses in the event. `next`: the pc after it, if it loads the pc. What
 * cannot be done changes nothing. */
rerun_status rerun_transfer(rerun_machine *m, const rerun_code *code, full_event *event, uint32_t *next);

#endif
