/* SPDX-License-Identifier: MIT */
/* Semihosting requests: what they change. */
#ifndef WEFT_TOOLS_LIB_RERUN_REQUEST_H
#define WEFT_TOOLS_LIB_RERUN_REQUEST_H

#include "tools/lib/rerun/machine.h"

bool rerun_is_request(const rerun_code *code);
/* Does what is known of it: r0 gets the result, memory becomes unknown where the host writes. Opening, writing and
 * closing are taken to succeed, and counted in `granted`. *ends: the program leaves. */
rerun_status rerun_request(rerun_machine *m, bool *ends);

#endif
