/* SPDX-License-Identifier: MIT */
/* The model of method "stream" of whole program path files (wpp.h): each symbol is predicted from those before it. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_MODEL_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_MODEL_H

#include "tools/lib/grammar/wpp_predictor.h"

/* Writes symbols, as indices in the order of first appearance; `values[i]` is what index i stands for. */
void wpp_model_write(predictor *p, const uint32_t *indices, size_t count, const uint32_t *values);
/* Reads up to `max` symbols, as values. Fewer: the bits are damaged. */
size_t wpp_model_read(predictor *p, uint32_t *symbols, size_t max);

#endif
