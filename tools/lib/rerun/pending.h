/* SPDX-License-Identifier: MIT */
/* Exceptions that the program asks for itself, so that no recording need say where they come: SVCall, and PendSV, by
 * which an RTOS switches threads (ARMv7-M architecture reference manual, B1.5.4, B3.2.4). Of those handlers that record
 * their starts, the recording says it all the same. */
#ifndef WEFT_TOOLS_LIB_RERUN_PENDING_H
#define WEFT_TOOLS_LIB_RERUN_PENDING_H

#include "tools/lib/rerun/machine.h"

enum { RERUN_SVCALL = 11, RERUN_PENDSV = 14 };

/* A store to the system control space: what is pending, and priorities. */
void rerun_pending_store(rerun_machine *m, uint32_t address, unsigned size, uint64_t value, bool known);
/* The exception that is taken before the next instruction; 0: none of these. */
uint32_t rerun_pending(const rerun_machine *m);
/* It is taken. */
void rerun_pending_taken(rerun_machine *m, uint32_t exception);

#endif
