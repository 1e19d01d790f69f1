/* SPDX-License-Identifier: MIT */
/* Counts by row and time: a fixed number of bins per row, whose width doubles when the run outgrows them. So memory
 * depends on the rows alone, however long the run is.
 *
 *     matrix_add(m, row, at >> shift, 1);
 *     matrix_fold(m);      bins 2i and 2i+1 become bin i; the caller counts the shift */
#ifndef WEFT_TOOLS_LIB_REPORT_MATRIX_H
#define WEFT_TOOLS_LIB_REPORT_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "tools/lib/base/json.h"

typedef struct matrix {
    uint32_t **row; /* each of `bins` counts that stay at UINT32_MAX when they reach it */
    size_t rows, rows_max;
    uint32_t bins;
} matrix;

void matrix_init(matrix *m, uint32_t bins);
void matrix_free(matrix *m);
/* A new row, all zero; its number. */
uint32_t matrix_row(matrix *m);
void matrix_add(matrix *m, uint32_t row, uint64_t bin, uint64_t count);
/* Adds row `from` to row `to`. */
void matrix_join(matrix *m, uint32_t to, uint32_t from);
void matrix_fold(matrix *m);

/* The most that 2^fold neighbours of the first `used` bins hold together, in any row; at least 1. */
uint64_t matrix_most(const matrix *m, uint32_t used, unsigned fold);
/* Digits per doubling of a count, so that `most` is written with the last digit; at most MATRIX_SCALE_MAX. */
enum { MATRIX_SCALE_MAX = 8 };
double matrix_scale(uint64_t most);
/* Bins 0 .. used-1 of a row as a string, 2^fold of them added up to one. Each is a character of MATRIX_DIGITS: the
 * first for none, else one more than its binary logarithm times `scale`, rounded; after it `!N!` if it stands N more
 * times in a row. */
#define MATRIX_DIGITS "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
typedef struct matrix_form {
    uint32_t used;
    unsigned fold;
    double scale;
} matrix_form;
void matrix_json(const matrix *m, uint32_t row, matrix_form form, json *j);

#endif
