/* SPDX-License-Identifier: MIT */
/* Models as JSON and as bytes. */
#ifndef WEFT_TOOLS_LIB_AFFINE_JSON_H
#define WEFT_TOOLS_LIB_AFFINE_JSON_H

#include "tools/lib/affine/binary.h"
#include "tools/lib/affine/model.h"
#include "tools/lib/base/json.h"

/* A key "nests" with a list: each with depth, accesses, whole, coefficients, base, upper and lower (for each level a
 * list of faces: slopes, constant, divisor), values where they are plain. */
void model_json_nests(json *j, const model *m);

/* The nests as affine_encode writes them; free bytes.bytes. */
affine_bytes model_encode(const model *m);

#endif
