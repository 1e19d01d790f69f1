/* SPDX-License-Identifier: MIT */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_REMEMBERED_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_REMEMBERED_H

#include "tools/lib/affine/fit_points.h"
#include "tools/lib/affine/memo.h"

/* As fit_upper, whose answers `m` remembers; it may be NULL. */
bool fit_remembered(memo *m, affine_face *face, unsigned *count, const fit_points *points, const fit_options *options);

/* Adds the faces of one side to a key. */
void fit_key_faces(memo_key *key, const affine_face *face, unsigned count, unsigned outer);

#endif
