/* SPDX-License-Identifier: MIT */
/* The critical section: PRIMASK. It holds back every exception but NMI and the faults. */
#include "hal/critical.h"
#include "core/own.h"
#include "port/cortex-m/cortexm.h"

uint32_t weft_critical_enter(void)
{
    return weft_mask_interrupts();
}

void weft_critical_leave(uint32_t state)
{
    weft_restore_interrupts(state);
}
