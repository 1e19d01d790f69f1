/* SPDX-License-Identifier: MIT */
/* Reads the records that core/tre.h writes. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TRE_H
#define WEFT_TOOLS_LIB_AFFINE_TRE_H

#include "tools/lib/affine/nest.h"

/* The record at bytes[*at] as a nest (see affine_nest; free it); moves *at behind it. Addresses are the values modulo 2^32.
 * False: corrupt. */
bool tre_decode(affine_nest *nest, const uint8_t *bytes, size_t size, size_t *at);

#endif
