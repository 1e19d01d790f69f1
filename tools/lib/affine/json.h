/* SPDX-License-Identifier: MIT */
/* Affine models as JSON and as bytes. */
#ifndef WEFT_TOOLS_LIB_AFFINE_JSON_H
#define WEFT_TOOLS_LIB_AFFINE_JSON_H

#include "tools/lib/affine/binary.h"
#include "tools/lib/affine/model.h"
#include "tools/lib/base/json.h"

/* Writes a nest as an object: depth, accesses, whole, coefficients, base, upper and lower (per level a list of faces:
 * slopes, constant, divisor), and values if it is a raw run. */
void model_json_nest(json *j, const affine_nest *nest);

/* Writes a key "nests" with a list of them. */
void model_json_nests(json *j, const model *m);

/* The nests as affine_encode writes them. The caller frees its bytes. */
affine_bytes model_encode(const model *m);

#endif
