/* SPDX-License-Identifier: MIT */
/* The values of terminals in a whole program path file, coded where each appears first: as the distance from the one
 * that was new before it. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_VALUES_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_VALUES_H

#include "tools/lib/base/bits.h"

typedef struct wpp_values {
    bit_model bits[34], top[34];
    uint32_t last;
} wpp_values;

void wpp_values_init(wpp_values *values);
/* Writes the value, or reads one, and gives it (see bits.h). */
uint32_t wpp_values_code(wpp_values *values, bit_coder *c, uint32_t value);

#endif
