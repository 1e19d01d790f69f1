/* SPDX-License-Identifier: MIT */
/* Step 3 of fit_upper: a face with integer slopes through one example. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_THROUGH_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_THROUGH_H

#include "tools/lib/affine/fit_check.h"

/* The face through example q that all examples lie on or below, the focus `margin` below, and that lies closest to
 * those near q. False: there is none, or its slopes are not as the options ask. */
bool fit_through(const fit *f, unsigned q, int64_t margin, affine_face *face);

/* The face through example q whose integer slopes are nearest to 0, inner ones first. False: there is none. */
bool fit_flat_through(const fit *f, unsigned q, affine_face *face);

#endif
