/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/fit_program.h"

#include <math.h>
#include <string.h>

enum {
    STEPS = 400, /* pivots : 50 to 10^5 : solves harder programs; a cycle lasts longer */
    BLAND = 200, /* pivots : 1 to STEPS : the steepest column is chosen longer; cycles end later */
};

/* The dual: a row for each unknown, a column for each row of the program, and artificial columns. */
typedef struct tableau {
    unsigned rows, columns;
    double cell[FIT_VARS][FIT_ROWS + FIT_VARS + 1];
    double price[FIT_ROWS + FIT_VARS + 1];
    unsigned basis[FIT_VARS];
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

/* The column that enters: the steepest one or, by Bland's rule, the first that gains. `allowed`: none gains. */
static unsigned entering_column(const tableau *t, unsigned allowed, bool first)
{
    unsigned c = allowed;
    double most = 1e-7;
    for (unsigned k = 0; k < allowed; k++)
        if (t->price[k] > most) {
            most = t->price[k];
            c = k;
            if (first)
                break;
        }
    return c;
}

/* The row that leaves for column c. t->rows: none does. */
static unsigned leaving_row(const tableau *t, unsigned c)
{
    unsigned r = t->rows;
    double least = INFINITY;
    for (unsigned q = 0; q < t->rows; q++) {
        double ratio = t->cell[q][t->columns] / t->cell[q][c];
        if (t->cell[q][c] > 1e-9 && (ratio < least - 1e-12 || (ratio <= least && t->basis[q] < t->basis[r]))) {
            least = ratio;
            r = q;
        }
    }
    return r;
}

/* Maximises. Columns from `allowed` on may not enter. */
static fit_verdict simplex(tableau *t, unsigned allowed)
{
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned c = entering_column(t, allowed, step > BLAND);
        if (c == allowed)
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

fit_verdict fit_program_solve(fit_program *p)
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
