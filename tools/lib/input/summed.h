/* SPDX-License-Identifier: MIT */
/* Texts that end with a check sum: a last line "# sum HHHHHHHH", the CRC-32 of all bytes before that line. */
#ifndef WEFT_TOOLS_LIB_INPUT_SUMMED_H
#define WEFT_TOOLS_LIB_INPUT_SUMMED_H

#include <stddef.h>
#include <stdio.h>

typedef struct summed summed;

/* What is written to summed_stream() goes to `out`, which stays the caller's. */
summed *summed_begin(FILE *out);
FILE *summed_stream(summed *text);
/* Writes the line of the sum, and frees `text`. An error is one of `out`. */
void summed_end(summed *text);

typedef enum summed_verdict {
    SUMMED_NOT,   /* there is no such line */
    SUMMED_RIGHT, /* the text is as it was written */
    SUMMED_WRONG, /* it was changed or cut, or something follows */
} summed_verdict;

summed_verdict summed_check(const char *bytes, size_t size);

#endif
