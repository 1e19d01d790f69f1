/* SPDX-License-Identifier: MIT */
/* A whole program with a black box, without a change to it: it starts before main, and what led to a fault is kept
 * until the program calls weft_blackbox_forget. The build says how large it is (port/app.mk, `make firmware
 * PROBES=last`). */
#include "core/own.h"
#include "port/cortex-m/blackbox.h"
#include "port/cortex-m/fault.h"
#include "port/cortex-m/program/runtime.h"

#ifndef WEFT_BLACKBOX_SIZE
#define WEFT_BLACKBOX_SIZE 4096
#endif
WEFT_BLACKBOX_DEF(WEFT_BLACKBOX_SIZE);

void weft_target_begin(void)
{
    if (weft_blackbox_start() == WEFT_BLACKBOX_HELD && !weft_fault_known())
        weft_blackbox_go();
}

/* The end of the program is not part of it. */
void weft_target_end(void)
{
    (void)weft_blackbox_keep();
}
