/* SPDX-License-Identifier: MIT */
/* A naive model of core/loopnest: the steps in its head comment on trees of terms, without hashes, in any time. It has
 * no progress and its output never fills up. */
#ifndef WEFT_TESTS_LIB_LOOP_MODEL_H
#define WEFT_TESTS_LIB_LOOP_MODEL_H

#include <stddef.h>
#include <stdint.h>

/* Writes what the detector is to write for `size` symbols; returns the number of bytes, 0 if they are more than out_max
 * or the model's memory does not suffice. */
size_t loop_model(uint8_t *out, size_t out_max, const uint32_t *symbols, size_t size, uint32_t window,
                  uint32_t depth_max);

#endif
