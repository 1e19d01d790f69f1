/* SPDX-License-Identifier: MIT */
/* Step 1 of fit_upper: one face through all exact examples. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_SINGLE_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_SINGLE_H

#include "tools/lib/affine/fit_check.h"

/* Its divisor may be other than 1 only where the exact solution has one and the options allow it. False: there is no
 * such face. */
bool fit_single(const fit *f, affine_face *face);

#endif
