/* SPDX-License-Identifier: MIT */
/* The best nest for what is left of a stream. */
#ifndef WEFT_TOOLS_LIB_AFFINE_MODEL_BEST_H
#define WEFT_TOOLS_LIB_AFFINE_MODEL_BEST_H

#include "tools/lib/affine/model_attempt.h"

/* Tries at most `rounds` rounds of the parameter sets; 0: a quick look, by a single-domain search alone. The nest
 * explains a prefix of the values; the caller frees it. False: none was found. */
bool model_best_nest(model_rest *rest, affine_nest *nest, unsigned rounds);

#endif
