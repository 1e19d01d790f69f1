/* SPDX-License-Identifier: MIT */
/* Whether a program's code without probes may return again to where it was: by setjmp, or where it catches an
 * exception. Then a call of it may return into another activation than the newest one of the routine that called it,
 * and no record says which. */
#ifndef WEFT_TOOLS_LIB_RECORDING_JUMPS_H
#define WEFT_TOOLS_LIB_RECORDING_JUMPS_H

#include "tools/lib/image/program.h"

/* Looks for calls of setjmp and its kin in the machine code of functions without descriptors. True, too, where the
 * image has no symbols to find them by. */
bool jumps_unseen(const program *app);

#endif
