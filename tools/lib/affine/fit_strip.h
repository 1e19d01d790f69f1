/* SPDX-License-Identifier: MIT */
/* Steps 2 and 3 of fit_upper with divisors: a face whose value, rounded down, is the bound. The examples then lie in
 * a strip of height 1 below the face. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_STRIP_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_STRIP_H

#include "tools/lib/affine/fit_check.h"

/* Step 2: one face for all exact examples. False: there is none with slopes of moderate size. */
bool fit_strip_all(const fit *f, affine_face *face);

/* Step 3: a face through example q, and through as many of those not reached as fit, latest first. */
bool fit_strip_through(const fit *f, unsigned q, const bool *reached, affine_face *face);

#endif
