/* SPDX-License-Identifier: MIT */
/* Nests as bytes: versioned, varints; binary.c describes them. */
#ifndef WEFT_TOOLS_LIB_AFFINE_BINARY_H
#define WEFT_TOOLS_LIB_AFFINE_BINARY_H

#include "tools/lib/affine/nest.h"

/* A buffer that grows. Begins with 0s; the owner frees `bytes`. */
typedef struct affine_bytes {
    uint8_t *bytes;
    size_t size, size_max;
} affine_bytes;

/* Appends the nest. */
void affine_encode(const affine_nest *nest, affine_bytes *out);

/* Reads the nest at bytes[*at], which the caller frees, and moves *at to what follows it. False: corrupt. */
bool affine_decode(affine_nest *nest, const uint8_t *bytes, size_t size, size_t *at);

#endif
