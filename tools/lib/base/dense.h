/* SPDX-License-Identifier: MIT */
/* Numbers the distinct symbols of a sequence 0, 1, 2, ... in order of first appearance. */
#ifndef WEFT_TOOLS_LIB_BASE_DENSE_H
#define WEFT_TOOLS_LIB_BASE_DENSE_H

#include <stddef.h>
#include <stdint.h>

typedef struct dense {
    uint32_t *text;    /* the sequence in the new numbers; `size + 1` elements, the last one free */
    uint32_t *symbols; /* what each number stands for */
    uint32_t alphabet; /* how many there are */
} dense;

/* Both arrays come from malloc. */
dense dense_of(const uint32_t *symbols, size_t size);

#endif
