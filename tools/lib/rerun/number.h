/* SPDX-License-Identifier: MIT */
/* Numbers of the floating point extension, single or double, as bits: what the core computes from them by IEEE 754,
 * rounded to nearest. The flags are those of FPSCR. Where a result is NaN, the rules of the ARMv7-M architecture
 * reference manual (A2.5.5) say which one. */
#ifndef WEFT_TOOLS_LIB_RERUN_NUMBER_H
#define WEFT_TOOLS_LIB_RERUN_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#define NUMBER_INVALID 1u
#define NUMBER_DIVIDED_BY_ZERO 2u
#define NUMBER_OVERFLOWED 4u
#define NUMBER_UNDERFLOWED 8u
#define NUMBER_INEXACT 16u

typedef struct number {
    bool is_double;
    uint64_t bits;
} number;

typedef enum number_operation {
    NUMBER_ADD,
    NUMBER_SUBTRACT,
    NUMBER_MULTIPLY,
    NUMBER_DIVIDE,
    NUMBER_ROOT, /* of m */
    NUMBER_FUSED /* n * m + a, rounded once */
} number_operation;

typedef enum number_rounding {
    NUMBER_AWAY,
    NUMBER_NEAREST,
    NUMBER_UP,
    NUMBER_DOWN,
    NUMBER_TRUNCATE
} number_rounding; /* the first four as encodings number them */

double number_double(number v);
number number_of_double(double d);
number number_of_float(float f);
uint64_t number_sign(number v); /* its bit */
bool number_is_nan(number v);
number number_negate(number v);

/* The result, and what it adds to the flags. *sure becomes false where the flags may be others. */
number number_calculate(number_operation op, number n, number m, number a, uint32_t *flags, bool *sure);
/* An integer of that many bits: the nearest there is, if the number is none of them. */
uint32_t number_to_integer(double value, unsigned bits, bool is_signed, number_rounding how, uint32_t *flags);
/* A whole number. */
number number_rounded(number m, number_rounding how, bool says_inexact, uint32_t *flags);
/* A double from a single, or the other way round. */
number number_resize(number m, uint32_t *flags, bool *sure);
/* The lesser or the greater of two that are not NaN. */
number number_extreme(number n, number m, bool least);
/* N, Z, C and V. */
uint32_t number_compare(number n, number m, bool signals, uint32_t *flags);

/* What the host's arithmetic raised since feclearexcept. */
uint32_t number_raised(void);

#endif
