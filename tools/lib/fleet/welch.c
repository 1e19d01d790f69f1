/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/welch.h"

#include <math.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

/* The continued fraction of the incomplete beta function (Lentz's method). */
static double beta_fraction(double a, double b, double x)
{
    enum { ROUNDS = 300 };
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), sum;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    sum = d;
    for (int i = 1; i <= ROUNDS; i++) {
        double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        sum *= d * c;
        double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        sum *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return sum;
}

/* The regularised incomplete beta function. */
static double beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double welch_student(double t, double freedom)
{
    return beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

/* How many recordings of equal size would say as much: (sum x)^2 / sum x^2. One that is far larger than the others
 * pulls the ratio to itself, so its own residual says nothing. */
static double effective(const welch_sums *s)
{
    return (double)((long double)s->calls * (long double)s->calls / (long double)s->calls_squares);
}

/* The variance of a group's cost per call; infinite where one recording is all that counts. Squares of residuals are
 * summed with the mean taken out of both, since the plain sums would lose their difference. */
static double variance(const welch_sums *s, double ratio)
{
    long double n = (long double)effective(s), calls = (long double)s->calls, r = (long double)ratio;
    long double residuals =
        (long double)s->cost_squares - 2 * r * (long double)s->cross + r * r * (long double)s->calls_squares;
    /* What is below the rounding of the sums is nothing. */
    if (residuals < (long double)s->cost_squares * 1e-15L)
        residuals = 0;
    if (residuals <= 0)
        return 0;
    return n - 1 < 1e-9L ? INFINITY : (double)(residuals / (n - 1) * n / (calls * calls));
}

/* The chance that of `a` + `b` recordings, of which `a` cost one thing and `b` another, just these come into the two
 * groups, or the other way round. */
static double permutation(uint64_t a, uint64_t b)
{
    return fmin(1, 2 * exp(lgamma((double)a + 1) + lgamma((double)b + 1) - lgamma((double)(a + b) + 1)));
}

welch_result welch_compare(const welch_sums *a, const welch_sums *b)
{
    welch_result r = {.p = NAN};
    r.before = a->calls ? (double)a->cost / (double)a->calls : NAN;
    r.after = b->calls ? (double)b->cost / (double)b->calls : NAN;
    if (!a->calls || !b->calls || a->recordings < 2 || b->recordings < 2)
        return r;
    double left = variance(a, r.before), right = variance(b, r.after), both = left + right;
    bool equal = (unsigned __int128)a->cost * b->calls == (unsigned __int128)b->cost * a->calls;
    r.tested = true;
    r.freedom = (double)(a->recordings + b->recordings - 2);
    if (both <= 0) {
        r.t = equal ? 0 : INFINITY;
        r.p = equal ? 1 : permutation(a->recordings, b->recordings);
        return r;
    }
    if (isinf(both)) {
        r.p = 1;
        return r;
    }
    r.t = (r.after - r.before) / sqrt(both);
    r.freedom =
        both * both /
        ((left > 0 ? left * left / (effective(a) - 1) : 0) + (right > 0 ? right * right / (effective(b) - 1) : 0));
    r.p = welch_student(r.t, r.freedom);
    return r;
}

typedef struct ranked {
    double p;
    size_t place;
} ranked;

static int by_p(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->p < y->p ? -1 : x->p > y->p;
}

void welch_holm(double *p, size_t count)
{
    ranked *all = memory_zero(count + 1, sizeof *all);
    size_t known = 0;
    double last = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(p[i]))
            all[known++] = (ranked){p[i], i};
    qsort(all, known, sizeof *all, by_p);
    for (size_t i = 0; i < known; i++) {
        double corrected = fmin(1, all[i].p * (double)(known - i));
        last = fmax(last, corrected);
        p[all[i].place] = last;
    }
    free(all);
}
