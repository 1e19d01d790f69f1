/* SPDX-License-Identifier: MIT */
/* Numbers as people write them in options and places: decimal (010 is ten), or hexadecimal after 0x. */
#ifndef WEFT_TOOLS_LIB_BASE_DIGITS_H
#define WEFT_TOOLS_LIB_BASE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

/* The number at the beginning of a text, which ends at *end. False: none begins there (a sign and a blank begin none),
 * or it is too large. */
bool digits_read(const char *text, const char **end, uint64_t *number);
/* The whole text is such a number. */
bool digits_whole(const char *text, uint64_t *number);
/* The whole text is a decimal number with or without a fraction and an exponent (0.5, 1e-3), and below infinity. */
bool digits_fraction(const char *text, double *number);

#endif
