/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/matrix.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

void matrix_init(matrix *m, uint32_t bins)
{
    *m = (matrix){.bins = bins};
}

void matrix_free(matrix *m)
{
    for (size_t i = 0; i < m->rows; i++)
        free(m->row[i]);
    free(m->row);
}

uint32_t matrix_row(matrix *m)
{
    m->row = memory_room(m->row, m->rows, &m->rows_max, sizeof(uint32_t *));
    m->row[m->rows] = memory_zero(m->bins, sizeof(uint32_t));
    return (uint32_t)m->rows++;
}

static uint32_t sum(uint64_t a, uint64_t b)
{
    return a + b < UINT32_MAX ? (uint32_t)(a + b) : UINT32_MAX;
}

void matrix_add(matrix *m, uint32_t row, uint64_t bin, uint64_t count)
{
    m->row[row][bin] = sum(m->row[row][bin], count < UINT32_MAX ? count : UINT32_MAX);
}

void matrix_join(matrix *m, uint32_t to, uint32_t from)
{
    for (uint32_t i = 0; i < m->bins; i++)
        m->row[to][i] = sum(m->row[to][i], m->row[from][i]);
}

void matrix_fold(matrix *m)
{
    for (size_t r = 0; r < m->rows; r++) {
        uint32_t *row = m->row[r];
        for (uint32_t i = 0; i < m->bins / 2; i++)
            row[i] = sum(row[2 * i], row[2 * i + 1]);
        for (uint32_t i = m->bins / 2; i < m->bins; i++)
            row[i] = 0;
    }
}

static uint64_t bins_sum(const matrix *m, uint32_t row, uint32_t used, uint32_t bin, unsigned fold)
{
    uint64_t all = 0;
    for (uint32_t i = bin << fold; i < (bin + 1) << fold && i < used; i++)
        all += m->row[row][i];
    return all;
}

static uint32_t bins_after(uint32_t used, unsigned fold)
{
    return (used + (1u << fold) - 1) >> fold;
}

uint64_t matrix_most(const matrix *m, uint32_t used, unsigned fold)
{
    uint64_t most = 1;
    for (uint32_t r = 0; r < m->rows; r++)
        for (uint32_t i = 0; i < bins_after(used, fold); i++) {
            uint64_t all = bins_sum(m, r, used, i, fold);
            most = all > most ? all : most;
        }
    return most;
}

enum { LAST_DIGIT = sizeof MATRIX_DIGITS - 2 };

double matrix_scale(uint64_t most)
{
    double scale = most > 1 ? (LAST_DIGIT - 1) / log2((double)most) : MATRIX_SCALE_MAX;
    return scale < MATRIX_SCALE_MAX ? scale : MATRIX_SCALE_MAX;
}

static char digit(uint64_t count, double scale)
{
    long level = count ? 1 + lround(scale * log2((double)count)) : 0;
    return MATRIX_DIGITS[level < LAST_DIGIT ? level : LAST_DIGIT];
}

void matrix_json(const matrix *m, uint32_t row, matrix_form form, json *j)
{
    uint32_t count = bins_after(form.used, form.fold), length = 0;
    char *text = memory_grow(NULL, (size_t)count + 16, 1), *all = memory_grow(NULL, 2 * (size_t)count + 16, 1);
    for (uint32_t i = 0; i < count; i++)
        text[i] = digit(bins_sum(m, row, form.used, i, form.fold), form.scale);
    for (uint32_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && text[i + run] == text[i];)
            run++;
        run = run > 4 ? run : 1;
        all[length++] = text[i];
        if (run > 1)
            length += (uint32_t)sprintf(all + length, "!%" PRIu32 "!", run - 1);
    }
    all[length] = 0;
    json_string(j, NULL, all);
    free(text);
    free(all);
}
