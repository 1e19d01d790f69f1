/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/fit_equations.h"

#include <string.h>

affine_wide fit_gcd(affine_wide a, affine_wide b)
{
    a = fit_wide_abs(a);
    b = fit_wide_abs(b);
    while (b) {
        affine_wide rest;
        if (a == (int64_t)a && b == (int64_t)b)
            rest = (int64_t)a % (int64_t)b;
        else
            rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void reduce_row(affine_wide *row, unsigned columns)
{
    affine_wide common = 0;
    for (unsigned c = 0; c < columns && common != 1; c++)
        common = fit_gcd(common, row[c]);
    for (unsigned c = 0; common > 1 && c < columns; c++)
        row[c] /= common;
}

/* row = row * with[pivot] - with * row[pivot]; false: overflow. */
static bool eliminate(affine_wide *row, const affine_wide *with, unsigned pivot, unsigned columns)
{
    affine_wide up = with[pivot], down = row[pivot];
    if (!down)
        return true;
    affine_wide common = up == 1 ? 1 : fit_gcd(up, down);
    up /= common;
    down /= common;
    for (unsigned c = 0; c < columns; c++) {
        affine_wide left, right;
        if (__builtin_mul_overflow(row[c], up, &left) || __builtin_mul_overflow(with[c], down, &right) ||
            __builtin_sub_overflow(left, right, &row[c]))
            return false;
    }
    reduce_row(row, columns);
    return true;
}

bool fit_equations_add(fit_equations *e, const fit_point *p)
{
    unsigned columns = e->n + 2;
    affine_wide row[FIT_VARS + 1];
    for (unsigned l = 0; l < e->n; l++)
        row[l] = p->at[l];
    row[e->n] = 1;
    row[e->n + 1] = p->value;
    for (unsigned r = 0; r < e->rows; r++)
        if (!eliminate(row, e->row[r], e->pivot[r], columns))
            return false;
    /* The constant is solved for first, then the inner slopes: what is left free becomes 0. */
    unsigned pivot = e->n;
    while (pivot > 0 && !row[pivot])
        pivot--;
    if (!row[pivot])
        return row[e->n + 1] == 0;
    for (unsigned r = 0; r < e->rows; r++)
        if (!eliminate(e->row[r], row, pivot, columns))
            return false;
    memcpy(e->row[e->rows], row, sizeof row);
    e->pivot[e->rows++] = pivot;
    return true;
}

/* Solves for the right side, or, with free_column, for minus that column. */
static bool solve_for(const fit_equations *e, affine_face *face, unsigned free_column)
{
    affine_wide value[FIT_VARS] = {0}, divisor = 1;
    bool direction = free_column <= e->n;
    for (unsigned r = 0; r < e->rows; r++) {
        affine_wide at = e->row[r][e->pivot[r]];
        if (__builtin_mul_overflow(divisor / fit_gcd(divisor, at), fit_wide_abs(at), &divisor) || divisor > INT64_MAX)
            return false;
    }
    if (direction)
        value[free_column] = divisor;
    for (unsigned r = 0; r < e->rows; r++) {
        affine_wide right = direction ? -e->row[r][free_column] : e->row[r][e->n + 1];
        affine_wide scale = divisor / e->row[r][e->pivot[r]];
        if (__builtin_mul_overflow(right, scale, &value[e->pivot[r]]))
            return false;
    }
    affine_wide common = divisor;
    for (unsigned c = 0; c <= e->n; c++)
        common = fit_gcd(common, value[c]);
    memset(face, 0, sizeof *face);
    for (unsigned c = 0; c <= e->n; c++) {
        value[c] /= common;
        if (fit_wide_abs(value[c]) > AFFINE_ENDLESS)
            return false;
        *(c == e->n ? &face->constant : &face->slope[c]) = (int64_t)value[c];
    }
    face->divisor = (int64_t)(divisor / common);
    return true;
}

bool fit_equations_solve(const fit_equations *e, affine_face *face)
{
    return solve_for(e, face, UINT32_MAX);
}

bool fit_equations_direction(const fit_equations *e, affine_face *direction, unsigned column)
{
    return solve_for(e, direction, column);
}

bool fit_equations_free(const fit_equations *e, unsigned column)
{
    for (unsigned r = 0; r < e->rows; r++)
        if (e->pivot[r] == column)
            return false;
    return true;
}
