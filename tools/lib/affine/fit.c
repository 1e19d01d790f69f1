/* SPDX-License-Identifier: MIT */
/* Steps of fit_upper:
 *   1. one integer face through all exact examples;
 *   2. (rational slopes) one face with a divisor, whose value rounds down to every example;
 *   3. several faces: keep the old ones that are still valid; for each example that no face reaches, latest first, find the
 *      face through it that all examples lie on or below and that lies closest to those nearby;
 *   4. drop faces that others make needless. */
#include "tools/lib/affine/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VARS = AFFINE_DEPTH + 1, ROWS_MAX = 3 * FIT_POINTS + 2 * VARS };

static bool exact(const fit_point *p)
{
    return !p->at_least;
}

/* ---- exact linear equations ---- */

/* Rows in echelon form over the unknowns slope[0..n-1], constant (column n) and the right side (column n + 1). */
typedef struct equations {
    unsigned n; /* slopes */
    unsigned rows;
    affine_wide row[VARS][VARS + 1];
    unsigned pivot[VARS];
} equations;

static affine_wide wide_abs(affine_wide a)
{
    return a < 0 ? -a : a;
}

static affine_wide gcd(affine_wide a, affine_wide b)
{
    a = wide_abs(a);
    b = wide_abs(b);
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
        common = gcd(common, row[c]);
    for (unsigned c = 0; common > 1 && c < columns; c++)
        row[c] /= common;
}

/* row = row * with[pivot] - with * row[pivot]; false: overflow. */
static bool eliminate(affine_wide *row, const affine_wide *with, unsigned pivot, unsigned columns)
{
    affine_wide up = with[pivot], down = row[pivot];
    if (!down)
        return true;
    affine_wide common = up == 1 ? 1 : gcd(up, down);
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

/* Adds face(at) = value. False: it contradicts the rows there, or overflow. */
static bool equations_add(equations *e, const fit_point *p)
{
    unsigned columns = e->n + 2;
    affine_wide row[VARS + 1];
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

/* The solution whose free unknowns are 0, or (free_column < n + 1) the direction in which that one grows. */
static bool equations_solve(const equations *e, affine_face *face, unsigned free_column)
{
    affine_wide value[VARS] = {0}, divisor = 1;
    bool direction = free_column <= e->n;
    for (unsigned r = 0; r < e->rows; r++) {
        affine_wide at = e->row[r][e->pivot[r]];
        if (__builtin_mul_overflow(divisor / gcd(divisor, at), wide_abs(at), &divisor) || divisor > INT64_MAX)
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
        common = gcd(common, value[c]);
    memset(face, 0, sizeof *face);
    for (unsigned c = 0; c <= e->n; c++) {
        value[c] /= common;
        if (wide_abs(value[c]) > AFFINE_ENDLESS)
            return false;
        *(c == e->n ? &face->constant : &face->slope[c]) = (int64_t)value[c];
    }
    face->divisor = (int64_t)(divisor / common);
    return true;
}

/* ---- checks in integers ---- */

typedef struct fit {
    const fit_point *point;
    unsigned points, n;
    const fit_options *options;
} fit;

static int64_t value_at(const fit *f, const affine_face *face, unsigned i)
{
    return affine_floor(face, f->point[i].at, f->n);
}

static bool reaches(const fit *f, const affine_face *face, unsigned i)
{
    return exact(&f->point[i]) && value_at(f, face, i) == f->point[i].value;
}

static int64_t wanted(const fit *f, unsigned i, int64_t margin)
{
    int64_t value = f->point[i].value;
    return i == f->options->focus ? value + margin : value;
}

/* All examples on or below the face; the focus `margin` below. */
static bool valid(const fit *f, const affine_face *face, int64_t margin)
{
    for (unsigned i = 0; i < f->points; i++)
        if (value_at(f, face, i) < wanted(f, i, margin))
            return false;
    return true;
}

/* ---- step 1 ---- */

static bool shift(affine_face *face, const affine_face *by, int64_t times, unsigned n)
{
    if (by->divisor != 1 || face->divisor != 1) /* the direction is scaled to integers by the caller */
        return false;
    for (unsigned c = 0; c <= n; c++) {
        int64_t *to = c == n ? &face->constant : &face->slope[c];
        affine_wide sum = *to + (affine_wide)times * (c == n ? by->constant : by->slope[c]);
        if (wide_abs(sum) > AFFINE_ENDLESS)
            return false;
        *to = (int64_t)sum;
    }
    return true;
}

/* Tilts the face, along a direction that keeps the exact examples, until those that are only bounded lie below. */
static bool tilt(const fit *f, affine_face *face, const affine_face *direction, int64_t margin)
{
    affine_face step = *direction;
    step.divisor = 1;
    for (unsigned i = 0; i < f->points; i++) {
        int64_t lack = wanted(f, i, margin) - value_at(f, face, i);
        if (lack <= 0)
            continue;
        int64_t gain = affine_floor(&step, f->point[i].at, f->n);
        if (!gain)
            return false;
        int64_t times = (lack + llabs(gain) - 1) / llabs(gain);
        if (!shift(face, &step, gain > 0 ? times : -times, f->n))
            return false;
    }
    return valid(f, face, margin);
}

static bool single_tilted(const fit *f, const equations *e, affine_face *face, int64_t margin)
{
    if (valid(f, face, margin))
        return true;
    for (unsigned c = f->n; c-- > 0;) {
        bool is_pivot = false;
        affine_face direction, tried = *face;
        for (unsigned r = 0; r < e->rows; r++)
            is_pivot = is_pivot || e->pivot[r] == c;
        if (!is_pivot && equations_solve(e, &direction, c) && tilt(f, &tried, &direction, margin)) {
            *face = tried;
            return true;
        }
    }
    return false;
}

static bool single_integer(const fit *f, affine_face *face)
{
    equations e = {.n = f->n};
    for (unsigned i = 0; i < f->points; i++)
        if (exact(&f->point[i]) && !equations_add(&e, &f->point[i]))
            return false;
    if (!equations_solve(&e, face, UINT32_MAX) || (face->divisor != 1 && f->options->slopes == FIT_INTEGER))
        return false;
    int64_t margin = exact(&f->point[f->options->focus]) ? 0 : f->options->margin;
    return single_tilted(f, &e, face, margin) || (margin && single_tilted(f, &e, face, 0));
}

/* ---- linear programs ---- */

/* minimise cost . x, row[i] . x >= right[i], x free, by the simplex method on the dual. */
typedef struct program {
    unsigned vars, rows;
    double row[ROWS_MAX][VARS], right[ROWS_MAX], cost[VARS];
    bool tight[ROWS_MAX]; /* out: rows that fix the optimum */
    double best;          /* out */
} program;

typedef enum verdict { OPTIMAL, INFEASIBLE, UNBOUNDED } verdict;

typedef struct tableau {
    unsigned rows, columns; /* of the dual: vars, and rows + vars artificial ones */
    double cell[VARS][ROWS_MAX + VARS + 1];
    double price[ROWS_MAX + VARS + 1];
    unsigned basis[VARS];
} tableau;

static void pivot(tableau *t, unsigned r, unsigned c)
{
    double by = 1 / t->cell[r][c];
    for (unsigned k = 0; k <= t->columns; k++)
        t->cell[r][k] *= by;
    for (unsigned q = 0; q < t->rows; q++) {
        double times = t->cell[q][c];
        for (unsigned k = 0; q != r && times != 0 && k <= t->columns; k++)
            t->cell[q][k] -= times * t->cell[r][k];
    }
    double times = t->price[c];
    for (unsigned k = 0; k <= t->columns; k++)
        t->price[k] -= times * t->cell[r][k];
    t->basis[r] = c;
}

/* Maximises; columns from `allowed` on may not enter. */
static verdict simplex(tableau *t, unsigned allowed)
{
    for (unsigned step = 0; step < 400; step++) {
        unsigned c = allowed;
        double most = 1e-7;
        for (unsigned k = 0; k < allowed; k++)
            if (t->price[k] > most) {
                most = t->price[k];
                c = k;
                if (step > 200) /* Bland's rule, against cycles */
                    break;
            }
        if (c == allowed)
            return OPTIMAL;
        unsigned r = t->rows;
        double least = INFINITY;
        for (unsigned q = 0; q < t->rows; q++) {
            double ratio = t->cell[q][t->columns] / t->cell[q][c];
            if (t->cell[q][c] > 1e-9 && (ratio < least - 1e-12 || (ratio <= least && t->basis[q] < t->basis[r]))) {
                least = ratio;
                r = q;
            }
        }
        if (r == t->rows)
            return UNBOUNDED;
        pivot(t, r, c);
    }
    return INFEASIBLE;
}

static void tableau_fill(tableau *t, const program *p)
{
    t->rows = p->vars;
    t->columns = p->rows + p->vars;
    memset(t->price, 0, sizeof t->price);
    for (unsigned v = 0; v < p->vars; v++) {
        double sign = p->cost[v] < 0 ? -1 : 1;
        for (unsigned i = 0; i < p->rows; i++) {
            t->cell[v][i] = sign * p->row[i][v];
            t->price[i] += t->cell[v][i];
        }
        for (unsigned k = 0; k < p->vars; k++)
            t->cell[v][p->rows + k] = k == v;
        t->cell[v][t->columns] = sign * p->cost[v];
        t->price[t->columns] += t->cell[v][t->columns];
        t->basis[v] = p->rows + v;
    }
}

static verdict solve(program *p)
{
    static _Thread_local tableau t;
    tableau_fill(&t, p);
    if (simplex(&t, p->rows) != OPTIMAL)
        return INFEASIBLE;
    if (fabs(t.price[t.columns]) > 1e-6)
        return UNBOUNDED; /* the dual has no solution */
    memset(t.price, 0, sizeof t.price);
    for (unsigned i = 0; i < p->rows; i++)
        t.price[i] = p->right[i];
    for (unsigned q = 0; q < t.rows; q++) {
        double times = t.basis[q] < p->rows ? p->right[t.basis[q]] : 0;
        for (unsigned k = 0; times != 0 && k <= t.columns; k++)
            t.price[k] -= times * t.cell[q][k];
    }
    if (simplex(&t, p->rows) != OPTIMAL)
        return INFEASIBLE;
    p->best = -t.price[t.columns];
    memset(p->tight, 0, sizeof p->tight);
    for (unsigned q = 0; q < t.rows; q++)
        if (t.basis[q] < p->rows)
            p->tight[t.basis[q]] = true;
    return OPTIMAL;
}

/* ---- step 3: a face through one example ---- */

/* Examples near q weigh most: those that share its outer indices. */
static double nearness(const fit *f, unsigned q, unsigned i)
{
    double weight = 1;
    for (unsigned l = 0; l < f->n && f->point[i].at[l] == f->point[q].at[l]; l++)
        weight *= 16;
    return weight;
}

/* The unknowns are the slopes; the constant follows from going through q. */
static void program_through(const fit *f, program *p, unsigned q, int64_t margin)
{
    p->vars = f->n;
    p->rows = 0;
    memset(p->cost, 0, sizeof p->cost);
    for (unsigned i = 0; i < f->points; i++) {
        double weight = exact(&f->point[i]) ? nearness(f, q, i) : 0;
        bool same = true;
        for (unsigned l = 0; l < f->n; l++) {
            double delta = (double)(f->point[i].at[l] - f->point[q].at[l]);
            same = same && delta == 0;
            p->row[p->rows][l] = delta;
            p->cost[l] += weight * delta;
        }
        p->right[p->rows] = (double)(wanted(f, i, margin) - f->point[q].value);
        p->rows += !same;
    }
}

/* Of the rows of program_through, which example each is: those that differ from q, in order. */
static bool through_exactly(const fit *f, const program *p, unsigned q, int64_t margin, affine_face *face)
{
    equations e = {.n = f->n};
    if (!equations_add(&e, &f->point[q]))
        return false;
    for (unsigned i = 0, row = 0; i < f->points; i++) {
        if (!memcmp(f->point[i].at, f->point[q].at, f->n * sizeof *f->point[i].at))
            continue;
        fit_point on = f->point[i];
        on.value = wanted(f, i, margin);
        if (p->tight[row++] && !equations_add(&e, &on))
            return false;
    }
    return equations_solve(&e, face, UINT32_MAX) && (face->divisor == 1 || f->options->slopes != FIT_INTEGER) &&
           valid(f, face, margin) && reaches(f, face, q);
}

static bool through(const fit *f, unsigned q, int64_t margin, affine_face *face)
{
    static _Thread_local program p;
    if (!f->n) {
        memset(face, 0, sizeof *face);
        face->divisor = 1;
        face->constant = f->point[q].value;
        return valid(f, face, 0);
    }
    program_through(f, &p, q, margin);
    return solve(&p) == OPTIMAL && through_exactly(f, &p, q, margin, face);
}

/* ---- steps 2 and 3 with divisors ---- */

/* The fraction of least denominator, then of least size, in [low, high] (Stern and Brocot). */
static void simplest(double low, double high, int64_t *above, int64_t *below, unsigned deep)
{
    if (low <= 0 && high >= 0) {
        *above = 0;
        *below = 1;
        return;
    }
    if (high < 0) {
        simplest(-high, -low, above, below, deep);
        *above = -*above;
        return;
    }
    double whole = ceil(low);
    if (whole <= high || deep > 20) {
        *above = (int64_t)whole;
        *below = 1;
        return;
    }
    int64_t a, b;
    double under = floor(low);
    simplest(1 / (high - under), 1 / (low - under), &a, &b, deep + 1);
    *above = (int64_t)under * a + b;
    *below = a;
}

static void add_row(program *p, const fit_point *point, unsigned n, double sign, double right)
{
    for (unsigned l = 0; l < n; l++)
        p->row[p->rows][l] = sign * (double)point->at[l];
    p->row[p->rows][n] = sign;
    p->right[p->rows++] = sign * right;
}

/* Unknowns: slopes and constant, all real. Rows: every example below, those of `group` less than one below. */
static void program_strip(const fit *f, program *p, const bool *group)
{
    p->vars = f->n + 1;
    p->rows = 0;
    memset(p->cost, 0, sizeof p->cost);
    for (unsigned i = 0; i < f->points; i++) {
        add_row(p, &f->point[i], f->n, 1, (double)f->point[i].value);
        if (group[i])
            add_row(p, &f->point[i], f->n, -1, (double)f->point[i].value + 1 - 1.0 / 128);
    }
}

/* The range of slope l in the program. */
static bool slope_range(program *p, unsigned l, double *low, double *high)
{
    memset(p->cost, 0, sizeof p->cost);
    p->cost[l] = 1;
    verdict v = solve(p);
    *low = v == OPTIMAL ? p->best : -1e9;
    if (v == INFEASIBLE)
        return false;
    p->cost[l] = -1;
    v = solve(p);
    *high = v == OPTIMAL ? -p->best : 1e9;
    return v != INFEASIBLE;
}

static void fix_slope(program *p, unsigned l, double value)
{
    for (unsigned k = 0; k < 2; k++) {
        memset(p->row[p->rows], 0, sizeof p->row[0]);
        p->row[p->rows][l] = k ? -1 : 1;
        p->right[p->rows++] = k ? -value : value;
    }
}

/* slope[] over a common divisor, the least constant that leaves all examples below; true if the group is reached. */
static bool strip_constant(const fit *f, affine_face *face, const bool *group)
{
    affine_wide most = -((affine_wide)1 << 100);
    for (unsigned i = 0; i < f->points; i++) {
        affine_wide sum = (affine_wide)face->divisor * f->point[i].value;
        for (unsigned l = 0; l < f->n; l++)
            sum -= (affine_wide)face->slope[l] * f->point[i].at[l];
        most = sum > most ? sum : most;
    }
    if (wide_abs(most) > AFFINE_ENDLESS)
        return false;
    face->constant = (int64_t)most;
    for (unsigned i = 0; i < f->points; i++)
        if (group[i] && !reaches(f, face, i))
            return false;
    return valid(f, face, 0);
}

/* A face with the simplest slopes that rounds down to every example of the group. */
static bool strip(const fit *f, const bool *group, affine_face *face)
{
    static _Thread_local program p;
    int64_t above[VARS], below[VARS], divisor = 1;
    program_strip(f, &p, group);
    for (unsigned l = f->n; l-- > 0;) {
        double low, high;
        if (!slope_range(&p, l, &low, &high) || low > high + 1e-7)
            return false;
        high = high < low ? low : high; /* but for rounding */
        simplest(low - 1e-9, high + 1e-9, &above[l], &below[l], 0);
        if (below[l] < 1 || below[l] > 1 << 20)
            return false;
        fix_slope(&p, l, (double)above[l] / (double)below[l]);
        divisor = divisor / (int64_t)gcd(divisor, below[l]) * below[l];
        if (divisor > 1 << 30)
            return false;
    }
    memset(face, 0, sizeof *face);
    face->divisor = divisor;
    for (unsigned l = 0; l < f->n; l++)
        if (__builtin_mul_overflow(above[l], divisor / below[l], &face->slope[l]))
            return false;
    return strip_constant(f, face, group);
}

/* The integer slopes nearest to 0, inner ones first, of a face through q. */
static bool integer_through(const fit *f, unsigned q, affine_face *face)
{
    static _Thread_local program p;
    if (!f->n)
        return false;
    program_through(f, &p, q, 0);
    memset(face, 0, sizeof *face);
    face->divisor = 1;
    affine_wide constant = f->point[q].value;
    for (unsigned l = f->n; l-- > 0;) {
        double low, high;
        if (!slope_range(&p, l, &low, &high))
            return false;
        low = ceil(low - 1e-6);
        high = floor(high + 1e-6);
        double slope = low > 0 ? low : high < 0 ? high : 0;
        if (low > high || fabs(slope) > 1 << 30)
            return false;
        fix_slope(&p, l, slope);
        face->slope[l] = (int64_t)slope;
        constant -= (affine_wide)face->slope[l] * f->point[q].at[l];
    }
    face->constant = (int64_t)constant;
    return constant == (int64_t)constant && valid(f, face, 0);
}

static bool single_rational(const fit *f, affine_face *face)
{
    bool group[FIT_POINTS];
    for (unsigned i = 0; i < f->points; i++)
        group[i] = exact(&f->point[i]);
    return f->n && strip(f, group, face);
}

/* Through q, and as many of the unreached as fit, latest first. */
static bool strip_through(const fit *f, unsigned q, const bool *reached, affine_face *face)
{
    bool group[FIT_POINTS] = {false};
    affine_face tried;
    group[q] = true;
    if (!f->n || !strip(f, group, face))
        return false;
    for (unsigned i = f->points; i-- > 0;) {
        if (reached[i] || i == q || !exact(&f->point[i]))
            continue;
        group[i] = true;
        if (reaches(f, face, i))
            continue;
        if (strip(f, group, &tried))
            *face = tried;
        else
            group[i] = false;
    }
    return true;
}

/* ---- step 3 ---- */

static void mark(const fit *f, const affine_face *face, bool *reached)
{
    for (unsigned i = 0; i < f->points; i++)
        reached[i] = reached[i] || reaches(f, face, i);
}

static bool new_face(const fit *f, unsigned q, const bool *reached, affine_face *face)
{
    int64_t margin = q == f->options->focus ? 0 : f->options->margin;
    return (margin && through(f, q, margin, face)) || through(f, q, 0, face) ||
           (f->options->slopes == FIT_INTEGER ? integer_through(f, q, face) : strip_through(f, q, reached, face));
}

static bool several(const fit *f, affine_face *face, unsigned *count)
{
    bool reached[FIT_POINTS];
    unsigned kept = 0;
    for (unsigned i = 0; i < f->points; i++)
        reached[i] = !exact(&f->point[i]);
    for (unsigned k = 0; k < *count; k++)
        if (valid(f, &face[k], 0)) {
            face[kept] = face[k];
            mark(f, &face[kept++], reached);
        }
    for (unsigned step = 0; step <= f->points; step++) {
        unsigned q = step ? f->points - step : f->options->focus;
        if (reached[q])
            continue;
        if (kept == f->options->faces_max || !new_face(f, q, reached, &face[kept]))
            return false;
        mark(f, &face[kept++], reached);
    }
    *count = kept;
    return true;
}

/* ---- step 4 ---- */

static bool needless(const fit *f, const affine_face *face, unsigned count, unsigned k)
{
    for (unsigned i = 0; i < f->points; i++) {
        bool reached = !exact(&f->point[i]);
        for (unsigned other = 0; other < count && !reached; other++)
            reached = other != k && reaches(f, &face[other], i);
        if (!reached)
            return false;
    }
    return true;
}

static void prune(const fit *f, affine_face *face, unsigned *count)
{
    for (unsigned k = 0; k<*count && * count> 1;)
        if (needless(f, face, *count, k))
            memmove(face + k, face + k + 1, (--*count - k) * sizeof *face);
        else
            k++;
}

bool fit_upper(affine_face *face, unsigned *count, const fit_point *point, unsigned points, unsigned outer,
               const fit_options *options)
{
    fit f = {.point = point, .points = points, .n = outer, .options = options};
    affine_face single;
    unsigned known = 0;
    for (unsigned i = 0; i < points; i++)
        known += exact(&point[i]);
    if (!known) {
        *count = 0;
        return true;
    }
    if (single_integer(&f, &single) || (options->slopes == FIT_RATIONAL && single_rational(&f, &single))) {
        face[0] = single;
        *count = 1;
        return true;
    }
    bool done = options->faces_max > 1 && several(&f, face, count);
    if (!done && *count && options->faces_max > 1) {
        *count = 0; /* without the old faces */
        done = several(&f, face, count);
    }
    if (!done && options->slopes != FIT_INTEGER && single_rational(&f, &single)) {
        face[0] = single;
        *count = 1;
        return true;
    }
    if (done)
        prune(&f, face, count);
    return done;
}
