/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/fit_program.h"

#include <math.h>
#include <string.h>

enum {
    STEPS = 400, /* pivots : 50 to 10^5 : solves harder programs; a cycle lasts longer */
    BLAND = 200, /* pivots : 1 to STEPS : the steepest column is chosen longer; cycles end later */
};

/* of the objective, per pivot : 10^-12 to 10^-3 : ends earlier, farther from the best face */
#define GAIN 1e-7

/* The dual: a row for each unknown, a column for each row of the program, and the right side. Each row begins with an
 * artificial variable in the basis. These never enter again, so they need no columns: they only have numbers. */
typedef struct tableau {
    unsigned rows, columns;
    double cell[FIT_VARS][FIT_ROWS + 1];
    double price[FIT_ROWS + 1];
    unsigned basis[FIT_VARS]; /* below `columns`: a column; else an artificial variable */
} tableau;

typedef double lanes __attribute__((vector_size(16), aligned(8), may_alias));

/* to[] -= times * from[], two at a time: most of the search's arithmetic is done here. */
static void subtract(double *to, const double *from, double times, unsigned count)
{
    unsigned k = 0;
    for (; k + 2 <= count; k += 2)
        *(lanes *)(to + k) -= times * *(const lanes *)(from + k);
    for (; k < count; k++)
        to[k] -= times * from[k];
}

static void pivot(tableau *t, unsigned r, unsigned c)
{
    double by = 1 / t->cell[r][c];
    for (unsigned k = 0; k <= t->columns; k++)
        t->cell[r][k] *= by;
    for (unsigned q = 0; q < t->rows; q++)
        if (q != r && t->cell[q][c] != 0)
            subtract(t->cell[q], t->cell[r], t->cell[q][c], t->columns + 1);
    subtract(t->price, t->cell[r], t->price[c], t->columns + 1);
    t->basis[r] = c;
}

/* The largest price above GAIN, else GAIN. Four at a time, since each comparison waits for the one before. */
static double largest_price(const tableau *t)
{
    double most[4] = {GAIN, GAIN, GAIN, GAIN};
    unsigned k = 0;
    for (; k + 4 <= t->columns; k += 4)
        for (unsigned i = 0; i < 4; i++)
            most[i] = t->price[k + i] > most[i] ? t->price[k + i] : most[i];
    for (; k < t->columns; k++)
        most[0] = t->price[k] > most[0] ? t->price[k] : most[0];
    for (unsigned i = 1; i < 4; i++)
        most[0] = most[i] > most[0] ? most[i] : most[0];
    return most[0];
}

/* The column that enters: the steepest one or, by Bland's rule, the first that gains. t->columns: none gains. */
static unsigned entering_column(const tableau *t, bool first)
{
    double most = first ? GAIN : largest_price(t);
    unsigned c = 0;
    if (!first && most <= GAIN)
        return t->columns;
    while (c < t->columns && !(first ? t->price[c] > most : t->price[c] == most))
        c++;
    return c;
}

/* The row that leaves for column c. t->rows: none does. */
static unsigned leaving_row(const tableau *t, unsigned c)
{
    unsigned r = t->rows;
    double least = INFINITY;
    for (unsigned q = 0; q < t->rows; q++) {
        if (!(t->cell[q][c] > 1e-9))
            continue;
        double ratio = t->cell[q][t->columns] / t->cell[q][c];
        if (ratio < least - 1e-12 || (ratio <= least && t->basis[q] < t->basis[r])) {
            least = ratio;
            r = q;
        }
    }
    return r;
}

/* Pivots until the objective is at its maximum. */
static fit_verdict simplex(tableau *t)
{
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned c = entering_column(t, step > BLAND);
        if (c == t->columns)
            return OPTIMAL;
        unsigned r = leaving_row(t, c);
        if (r == t->rows)
            return UNBOUNDED;
        pivot(t, r, c);
    }
    return INFEASIBLE;
}

static void tableau_fill(tableau *t, const fit_program *p)
{
    t->rows = p->vars;
    t->columns = p->rows;
    memset(t->price, 0, (t->columns + 1) * sizeof *t->price);
    for (unsigned v = 0; v < p->vars; v++) {
        double sign = p->cost[v] < 0 ? -1 : 1;
        for (unsigned i = 0; i < p->rows; i++) {
            t->cell[v][i] = sign * p->row[i][v];
            t->price[i] += t->cell[v][i];
        }
        t->cell[v][t->columns] = sign * p->cost[v];
        t->price[t->columns] += t->cell[v][t->columns];
        t->basis[v] = p->rows + v;
    }
}

fit_verdict fit_program_solve(fit_program *p)
{
    static _Thread_local tableau t;
    tableau_fill(&t, p);
    if (simplex(&t) != OPTIMAL)
        return INFEASIBLE;
    if (fabs(t.price[t.columns]) > 1e-6)
        return UNBOUNDED; /* the dual has no solution */
    memcpy(t.price, p->right, p->rows * sizeof *t.price);
    t.price[t.columns] = 0;
    for (unsigned q = 0; q < t.rows; q++) {
        double times = t.basis[q] < p->rows ? p->right[t.basis[q]] : 0;
        if (times != 0)
            subtract(t.price, t.cell[q], times, t.columns + 1);
    }
    if (simplex(&t) != OPTIMAL)
        return INFEASIBLE;
    p->best = -t.price[t.columns];
    memset(p->tight, 0, sizeof p->tight);
    for (unsigned q = 0; q < t.rows; q++)
        if (t.basis[q] < p->rows)
            p->tight[t.basis[q]] = true;
    return OPTIMAL;
}

bool fit_program_range(fit_program *p, unsigned l, double *low, double *high)
{
    memset(p->cost, 0, sizeof p->cost);
    p->cost[l] = 1;
    fit_verdict v = fit_program_solve(p);
    *low = v == OPTIMAL ? p->best : -1e9;
    if (v == INFEASIBLE)
        return false;
    p->cost[l] = -1;
    v = fit_program_solve(p);
    *high = v == OPTIMAL ? -p->best : 1e9;
    return v != INFEASIBLE;
}

void fit_program_fix(fit_program *p, unsigned l, double value)
{
    for (unsigned k = 0; k < 2; k++) {
        memset(p->row[p->rows], 0, sizeof p->row[0]);
        p->row[p->rows][l] = k ? -1 : 1;
        p->right[p->rows++] = k ? -value : value;
    }
}
