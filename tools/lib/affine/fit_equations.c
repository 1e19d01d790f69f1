/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/fit_equations.h"

#include <string.h>

/* Nearly all numbers here have 64 bits, where division is many times faster. */
static bool is_narrow(affine_wide a)
{
    return a == (int64_t)a;
}

static affine_wide divide(affine_wide a, affine_wide b)
{
    return is_narrow(a) && is_narrow(b) && b != -1 ? (int64_t)a / (int64_t)b : a / b;
}

affine_wide fit_gcd(affine_wide a, affine_wide b)
{
    if (a == 1 || b == 1)
        return 1;
    a = fit_wide_abs(a);
    b = fit_wide_abs(b);
    while (b) {
        affine_wide rest = is_narrow(a) && is_narrow(b) ? (int64_t)a % (int64_t)b : a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Sums of two products of such numbers have 64 bits. */
static bool is_small(affine_wide a)
{
    return a == (int32_t)a;
}

/* Divides the row by what its numbers have in common. */
static void reduce_row(affine_wide *row, unsigned columns)
{
    affine_wide common = 0;
    for (unsigned c = 0; c < columns; c++)
        if (row[c] == 1 || row[c] == -1)
            return;
    for (unsigned c = 0; c < columns && common != 1; c++)
        if (row[c])
            common = fit_gcd(common, row[c]);
    for (unsigned c = 0; common > 1 && c < columns; c++)
        if (row[c])
            row[c] = divide(row[c], common);
}

/* row = row * up - with * down; false: overflow. */
static bool combine(affine_wide *row, affine_wide up, const affine_wide *with, affine_wide down, unsigned columns)
{
    bool small = is_small(up) && is_small(down);
    for (unsigned c = 0; c < columns; c++) {
        affine_wide left, right;
        if (!row[c] && !with[c])
            continue;
        if (small && is_small(row[c]) && is_small(with[c]))
            row[c] = (int64_t)row[c] * (int64_t)up - (int64_t)with[c] * (int64_t)down;
        else if (__builtin_mul_overflow(row[c], up, &left) || __builtin_mul_overflow(with[c], down, &right) ||
                 __builtin_sub_overflow(left, right, &row[c]))
            return false;
    }
    return true;
}

/* Clears the pivot's column in the row; false: overflow. */
static bool eliminate(affine_wide *row, const affine_wide *with, unsigned pivot, unsigned columns)
{
    affine_wide up = with[pivot], down = row[pivot];
    if (!down)
        return true;
    affine_wide common = fit_gcd(up, down);
    if (!combine(row, divide(up, common), with, divide(down, common), columns))
        return false;
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
        affine_wide part = divide(divisor, fit_gcd(divisor, at));
        if (__builtin_mul_overflow(part, fit_wide_abs(at), &divisor) || divisor > INT64_MAX)
            return false;
    }
    if (direction)
        value[free_column] = divisor;
    for (unsigned r = 0; r < e->rows; r++) {
        affine_wide right = direction ? -e->row[r][free_column] : e->row[r][e->n + 1];
        affine_wide scale = divide(divisor, e->row[r][e->pivot[r]]);
        if (__builtin_mul_overflow(right, scale, &value[e->pivot[r]]))
            return false;
    }
    affine_wide common = divisor;
    for (unsigned c = 0; c <= e->n && common != 1; c++)
        common = fit_gcd(common, value[c]);
    memset(face, 0, sizeof *face);
    for (unsigned c = 0; c <= e->n; c++) {
        value[c] = common == 1 ? value[c] : divide(value[c], common);
        if (fit_wide_abs(value[c]) > AFFINE_ENDLESS)
            return false;
        *(c == e->n ? &face->constant : &face->slope[c]) = (int64_t)value[c];
    }
    face->divisor = (int64_t)divide(divisor, common);
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
