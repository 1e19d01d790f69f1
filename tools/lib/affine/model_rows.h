/* SPDX-License-Identifier: MIT */
/* Whether a stream looks like the work of loops. */
#ifndef WEFT_TOOLS_LIB_AFFINE_MODEL_ROWS_H
#define WEFT_TOOLS_LIB_AFFINE_MODEL_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* True if values[0..count-1], count >= 2, are regular in some of a few places: one stride is frequent, as that of
 * innermost loops is, and so is one distance between the begins of rows. Where none is, no nest says less than the
 * values do. */
bool model_has_rows(const int64_t *values, uint64_t count);

/* False: among the next strides too few are the same for a nest that begins with values[0] and pays. count >= 1. */
bool model_may_begin(const int64_t *values, uint64_t count);

#endif
