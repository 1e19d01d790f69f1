/* SPDX-License-Identifier: MIT */
#include "tests/lib/polybench.h"

typedef struct run {
    polybench_visit *visit;
    void *context;
    unsigned size; /* 0 mini, 1 small, 2 medium */
} run;

/* In each kernel: KERNEL starts the numbering of sites, R is one array reference. */
#define KERNEL enum { FIRST = __COUNTER__ + 1 }
#define BASE(array) (0x20000000 + (int64_t)((array) - 'A') * 0x2000000)
#define R(text, array, index) r->visit(r->context, __COUNTER__ - FIRST, text, BASE(array) + 8 * (int64_t)(index))
#define R2(text, array, width, i, j) R(text, array, (int64_t)(i) * (width) + (j))
#define FOR(i, from, to) for (int i = (from); i < (to); i++)
#define DOWN(i, from, to) for (int i = (from); i >= (to); i--)
#define PICK(a, b, c) ((const int[]){a, b, c}[r->size])

static int max_of(int a, int b)
{
    return a > b ? a : b;
}

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

/* ---- data mining */

static void correlation(run *r)
{
    KERNEL;
    int m = PICK(28, 80, 240), n = PICK(32, 100, 260);
    FOR(j, 0, m)
    {
        R("mean[j] =", 'M', j);
        FOR(i, 0, n)
        {
            R2("data[i][j]", 'D', m, i, j);
            R("mean[j] +=", 'M', j);
        }
        R("mean[j] /=", 'M', j);
    }
    FOR(j, 0, m)
    {
        R("stddev[j] =", 'S', j);
        FOR(i, 0, n)
        {
            R2("data[i][j] - mean", 'D', m, i, j);
            R("mean[j] (stddev)", 'M', j);
            R("stddev[j] +=", 'S', j);
        }
        R("stddev[j] /=", 'S', j);
    }
    FOR(i, 0, n)
    FOR(j, 0, m)
    {
        R2("data[i][j] -=", 'D', m, i, j);
        R("mean[j] (centre)", 'M', j);
        R("stddev[j] (centre)", 'S', j);
    }
    FOR(i, 0, m - 1)
    {
        R2("corr[i][i]", 'C', m, i, i);
        FOR(j, i + 1, m)
        {
            R2("corr[i][j] =", 'C', m, i, j);
            FOR(k, 0, n)
            {
                R2("data[k][i]", 'D', m, k, i);
                R2("data[k][j]", 'D', m, k, j);
                R2("corr[i][j] +=", 'C', m, i, j);
            }
            R2("corr[j][i]", 'C', m, j, i);
        }
    }
    R2("corr[M-1][M-1]", 'C', m, m - 1, m - 1);
}

static void covariance(run *r)
{
    KERNEL;
    int m = PICK(28, 80, 240), n = PICK(32, 100, 260);
    FOR(j, 0, m)
    {
        R("mean[j] =", 'M', j);
        FOR(i, 0, n)
        {
            R2("data[i][j]", 'D', m, i, j);
            R("mean[j] +=", 'M', j);
        }
        R("mean[j] /=", 'M', j);
    }
    FOR(i, 0, n)
    FOR(j, 0, m)
    {
        R2("data[i][j] -=", 'D', m, i, j);
        R("mean[j] (centre)", 'M', j);
    }
    FOR(i, 0, m)
    FOR(j, i, m)
    {
        R2("cov[i][j] =", 'C', m, i, j);
        FOR(k, 0, n)
        {
            R2("data[k][i]", 'D', m, k, i);
            R2("data[k][j]", 'D', m, k, j);
            R2("cov[i][j] +=", 'C', m, i, j);
        }
        R2("cov[i][j] /=", 'C', m, i, j);
        R2("cov[j][i]", 'C', m, j, i);
    }
}

/* ---- linear algebra: blas */

static void gemm(run *r)
{
    KERNEL;
    int ni = PICK(20, 60, 200), nj = PICK(25, 70, 220), nk = PICK(30, 80, 240);
    FOR(i, 0, ni)
    {
        FOR(j, 0, nj)
        R2("C[i][j] *=", 'C', nj, i, j);
        FOR(k, 0, nk)
        FOR(j, 0, nj)
        {
            R2("A[i][k]", 'A', nk, i, k);
            R2("B[k][j]", 'B', nj, k, j);
            R2("C[i][j] +=", 'C', nj, i, j);
        }
    }
}

static void gemver(run *r)
{
    KERNEL;
    int n = PICK(40, 120, 400);
    FOR(i, 0, n)
    FOR(j, 0, n)
    {
        R2("A[i][j] +=", 'A', n, i, j);
        R("u1[i]", 'U', i);
        R("v1[j]", 'V', j);
    }
    FOR(i, 0, n)
    FOR(j, 0, n)
    {
        R2("A[j][i]", 'A', n, j, i);
        R("y[j]", 'Y', j);
        R("x[i] +=", 'X', i);
    }
    FOR(i, 0, n)
    {
        R("x[i] + z", 'X', i);
        R("z[i]", 'Z', i);
    }
    FOR(i, 0, n)
    FOR(j, 0, n)
    {
        R2("A[i][j]", 'A', n, i, j);
        R("x[j]", 'X', j);
        R("w[i] +=", 'W', i);
    }
}

static void gesummv(run *r)
{
    KERNEL;
    int n = PICK(30, 90, 250);
    FOR(i, 0, n)
    {
        R("tmp[i] =", 'T', i);
        R("y[i] =", 'Y', i);
        FOR(j, 0, n)
        {
            R2("A[i][j]", 'A', n, i, j);
            R("x[j]", 'X', j);
            R("tmp[i] +=", 'T', i);
            R2("B[i][j]", 'B', n, i, j);
            R("y[i] +=", 'Y', i);
        }
        R("y[i] alpha", 'Y', i);
    }
}

static void symm(run *r)
{
    KERNEL;
    int m = PICK(20, 60, 200), n = PICK(30, 80, 240);
    FOR(i, 0, m)
    FOR(j, 0, n)
    {
        FOR(k, 0, i)
        {
            R2("B[i][j]", 'B', n, i, j);
            R2("A[i][k]", 'A', m, i, k);
            R2("C[k][j] +=", 'C', n, k, j);
            R2("B[k][j]", 'B', n, k, j);
        }
        R2("C[i][j] =", 'C', n, i, j);
        R2("A[i][i]", 'A', m, i, i);
    }
}

static void syr2k(run *r)
{
    KERNEL;
    int m = PICK(20, 60, 200), n = PICK(30, 80, 240);
    FOR(i, 0, n)
    {
        FOR(j, 0, i + 1)
        R2("C[i][j] *=", 'C', n, i, j);
        FOR(k, 0, m)
        FOR(j, 0, i + 1)
        {
            R2("A[j][k]", 'A', m, j, k);
            R2("B[i][k]", 'B', m, i, k);
            R2("B[j][k]", 'B', m, j, k);
            R2("A[i][k]", 'A', m, i, k);
            R2("C[i][j] +=", 'C', n, i, j);
        }
    }
}

static void syrk(run *r)
{
    KERNEL;
    int m = PICK(20, 60, 200), n = PICK(30, 80, 240);
    FOR(i, 0, n)
    {
        FOR(j, 0, i + 1)
        R2("C[i][j] *=", 'C', n, i, j);
        FOR(k, 0, m)
        FOR(j, 0, i + 1)
        {
            R2("A[i][k]", 'A', m, i, k);
            R2("A[j][k]", 'A', m, j, k);
            R2("C[i][j] +=", 'C', n, i, j);
        }
    }
}

static void trmm(run *r)
{
    KERNEL;
    int m = PICK(20, 60, 200), n = PICK(30, 80, 240);
    FOR(i, 0, m)
    FOR(j, 0, n)
    {
        FOR(k, i + 1, m)
        {
            R2("A[k][i]", 'A', m, k, i);
            R2("B[k][j]", 'B', n, k, j);
            R2("B[i][j] +=", 'B', n, i, j);
        }
        R2("B[i][j] alpha", 'B', n, i, j);
    }
}

/* ---- linear algebra: kernels */

static void two_mm(run *r)
{
    KERNEL;
    int ni = PICK(16, 40, 180), nj = PICK(18, 50, 190), nk = PICK(22, 70, 210), nl = PICK(24, 80, 220);
    FOR(i, 0, ni)
    FOR(j, 0, nj)
    {
        R2("tmp[i][j] =", 'T', nj, i, j);
        FOR(k, 0, nk)
        {
            R2("A[i][k]", 'A', nk, i, k);
            R2("B[k][j]", 'B', nj, k, j);
            R2("tmp[i][j] +=", 'T', nj, i, j);
        }
    }
    FOR(i, 0, ni)
    FOR(j, 0, nl)
    {
        R2("D[i][j] *=", 'D', nl, i, j);
        FOR(k, 0, nj)
        {
            R2("tmp[i][k]", 'T', nj, i, k);
            R2("C[k][j]", 'C', nl, k, j);
            R2("D[i][j] +=", 'D', nl, i, j);
        }
    }
}

static void three_mm(run *r)
{
    KERNEL;
    int ni = PICK(16, 40, 180), nj = PICK(18, 50, 190), nk = PICK(20, 60, 200), nl = PICK(22, 70, 210),
        nm = PICK(24, 80, 220);
    FOR(i, 0, ni)
    FOR(j, 0, nj)
    {
        R2("E[i][j] =", 'E', nj, i, j);
        FOR(k, 0, nk)
        {
            R2("A[i][k]", 'A', nk, i, k);
            R2("B[k][j]", 'B', nj, k, j);
            R2("E[i][j] +=", 'E', nj, i, j);
        }
    }
    FOR(i, 0, nj)
    FOR(j, 0, nl)
    {
        R2("F[i][j] =", 'F', nl, i, j);
        FOR(k, 0, nm)
        {
            R2("C[i][k]", 'C', nm, i, k);
            R2("D[k][j]", 'D', nl, k, j);
            R2("F[i][j] +=", 'F', nl, i, j);
        }
    }
    FOR(i, 0, ni)
    FOR(j, 0, nl)
    {
        R2("G[i][j] =", 'G', nl, i, j);
        FOR(k, 0, nj)
        {
            R2("E[i][k]", 'E', nj, i, k);
            R2("F[k][j]", 'F', nl, k, j);
            R2("G[i][j] +=", 'G', nl, i, j);
        }
    }
}

static void atax(run *r)
{
    KERNEL;
    int m = PICK(38, 116, 390), n = PICK(42, 124, 410);
    FOR(i, 0, n)
    R("y[i] =", 'Y', i);
    FOR(i, 0, m)
    {
        R("tmp[i] =", 'T', i);
        FOR(j, 0, n)
        {
            R2("A[i][j]", 'A', n, i, j);
            R("x[j]", 'X', j);
            R("tmp[i] +=", 'T', i);
        }
        FOR(j, 0, n)
        {
            R2("A[i][j] (y)", 'A', n, i, j);
            R("tmp[i]", 'T', i);
            R("y[j] +=", 'Y', j);
        }
    }
}

static void bicg(run *r)
{
    KERNEL;
    int m = PICK(38, 116, 390), n = PICK(42, 124, 410);
    FOR(i, 0, m)
    R("s[i] =", 'S', i);
    FOR(i, 0, n)
    {
        R("q[i] =", 'Q', i);
        FOR(j, 0, m)
        {
            R("r[i]", 'R', i);
            R2("A[i][j]", 'A', m, i, j);
            R("s[j] +=", 'S', j);
            R("p[j]", 'P', j);
            R("q[i] +=", 'Q', i);
        }
    }
}

static void doitgen(run *r)
{
    KERNEL;
    int nq = PICK(8, 20, 40), nr = PICK(10, 25, 50), np = PICK(12, 30, 60);
    FOR(x, 0, nr)
    FOR(q, 0, nq)
    {
        FOR(p, 0, np)
        {
            R("sum[p] =", 'S', p);
            FOR(s, 0, np)
            {
                R("A[r][q][s]", 'A', ((int64_t)x * nq + q) * np + s);
                R2("C4[s][p]", 'C', np, s, p);
                R("sum[p] +=", 'S', p);
            }
        }
        FOR(p, 0, np)
        {
            R("sum[p]", 'S', p);
            R("A[r][q][p] =", 'A', ((int64_t)x * nq + q) * np + p);
        }
    }
}

static void mvt(run *r)
{
    KERNEL;
    int n = PICK(40, 120, 400);
    FOR(i, 0, n)
    FOR(j, 0, n)
    {
        R2("A[i][j]", 'A', n, i, j);
        R("y1[j]", 'Y', j);
        R("x1[i] +=", 'X', i);
    }
    FOR(i, 0, n)
    FOR(j, 0, n)
    {
        R2("A[j][i]", 'A', n, j, i);
        R("y2[j]", 'Z', j);
        R("x2[i] +=", 'W', i);
    }
}

/* ---- linear algebra: solvers */

static void cholesky(run *r)
{
    KERNEL;
    int n = PICK(40, 120, 400);
    FOR(i, 0, n)
    {
        FOR(j, 0, i)
        {
            FOR(k, 0, j)
            {
                R2("A[i][k]", 'A', n, i, k);
                R2("A[j][k]", 'A', n, j, k);
                R2("A[i][j] -=", 'A', n, i, j);
            }
            R2("A[j][j]", 'A', n, j, j);
            R2("A[i][j] /=", 'A', n, i, j);
        }
        FOR(k, 0, i)
        {
            R2("A[i][k] squared", 'A', n, i, k);
            R2("A[i][i] -=", 'A', n, i, i);
        }
        R2("A[i][i] sqrt", 'A', n, i, i);
    }
}

static void durbin(run *r)
{
    KERNEL;
    int n = PICK(40, 120, 400);
    R("r[0]", 'R', 0);
    R("y[0] =", 'Y', 0);
    FOR(k, 1, n)
    {
        FOR(i, 0, k)
        {
            R("r[k-i-1]", 'R', k - i - 1);
            R("y[i]", 'Y', i);
        }
        R("r[k]", 'R', k);
        FOR(i, 0, k)
        {
            R("y[i] (z)", 'Y', i);
            R("y[k-i-1]", 'Y', k - i - 1);
            R("z[i] =", 'Z', i);
        }
        FOR(i, 0, k)
        {
            R("z[i]", 'Z', i);
            R("y[i] =", 'Y', i);
        }
        R("y[k] =", 'Y', k);
    }
}

static void gramschmidt(run *r)
{
    KERNEL;
    int m = PICK(20, 60, 200), n = PICK(30, 80, 240);
    FOR(k, 0, n)
    {
        FOR(i, 0, m)
        R2("A[i][k]", 'A', n, i, k);
        R2("R[k][k] =", 'R', n, k, k);
        FOR(i, 0, m)
        {
            R2("A[i][k] / R", 'A', n, i, k);
            R2("R[k][k]", 'R', n, k, k);
            R2("Q[i][k] =", 'Q', n, i, k);
        }
        FOR(j, k + 1, n)
        {
            R2("R[k][j] = 0", 'R', n, k, j);
            FOR(i, 0, m)
            {
                R2("Q[i][k]", 'Q', n, i, k);
                R2("A[i][j]", 'A', n, i, j);
                R2("R[k][j] +=", 'R', n, k, j);
            }
            FOR(i, 0, m)
            {
                R2("Q[i][k] * R", 'Q', n, i, k);
                R2("R[k][j]", 'R', n, k, j);
                R2("A[i][j] -=", 'A', n, i, j);
            }
        }
    }
}

static void lu(run *r)
{
    KERNEL;
    int n = PICK(40, 120, 400);
    FOR(i, 0, n)
    {
        FOR(j, 0, i)
        {
            FOR(k, 0, j)
            {
                R2("A[i][k]", 'A', n, i, k);
                R2("A[k][j]", 'A', n, k, j);
                R2("A[i][j] -=", 'A', n, i, j);
            }
            R2("A[j][j]", 'A', n, j, j);
            R2("A[i][j] /=", 'A', n, i, j);
        }
        FOR(j, i, n)
        FOR(k, 0, i)
        {
            R2("A[i][k] (U)", 'A', n, i, k);
            R2("A[k][j] (U)", 'A', n, k, j);
            R2("A[i][j] -= (U)", 'A', n, i, j);
        }
    }
}

static void ludcmp(run *r)
{
    KERNEL;
    int n = PICK(40, 120, 400);
    FOR(i, 0, n)
    {
        FOR(j, 0, i)
        {
            R2("A[i][j]", 'A', n, i, j);
            FOR(k, 0, j)
            {
                R2("A[i][k]", 'A', n, i, k);
                R2("A[k][j]", 'A', n, k, j);
            }
            R2("A[j][j]", 'A', n, j, j);
            R2("A[i][j] =", 'A', n, i, j);
        }
        FOR(j, i, n)
        {
            R2("A[i][j] (U)", 'A', n, i, j);
            FOR(k, 0, i)
            {
                R2("A[i][k] (U)", 'A', n, i, k);
                R2("A[k][j] (U)", 'A', n, k, j);
            }
            R2("A[i][j] = (U)", 'A', n, i, j);
        }
    }
    FOR(i, 0, n)
    {
        R("b[i]", 'B', i);
        FOR(j, 0, i)
        {
            R2("A[i][j] (y)", 'A', n, i, j);
            R("y[j]", 'Y', j);
        }
        R("y[i] =", 'Y', i);
    }
    DOWN(i, n - 1, 0)
    {
        R("y[i]", 'Y', i);
        FOR(j, i + 1, n)
        {
            R2("A[i][j] (x)", 'A', n, i, j);
            R("x[j]", 'X', j);
        }
        R2("A[i][i]", 'A', n, i, i);
        R("x[i] =", 'X', i);
    }
}

static void trisolv(run *r)
{
    KERNEL;
    int n = PICK(40, 120, 400);
    FOR(i, 0, n)
    {
        R("b[i]", 'B', i);
        R("x[i] =", 'X', i);
        FOR(j, 0, i)
        {
            R2("L[i][j]", 'L', n, i, j);
            R("x[j]", 'X', j);
            R("x[i] -=", 'X', i);
        }
        R2("L[i][i]", 'L', n, i, i);
        R("x[i] /=", 'X', i);
    }
}

/* ---- medley */

static void deriche(run *r)
{
    KERNEL;
    int w = PICK(64, 192, 720), h = PICK(64, 128, 480);
    FOR(i, 0, w)
    FOR(j, 0, h)
    {
        R2("imgIn[i][j]", 'I', h, i, j);
        R2("y1[i][j] =", 'Y', h, i, j);
    }
    FOR(i, 0, w)
    DOWN(j, h - 1, 0)
    {
        R2("y2[i][j] =", 'Z', h, i, j);
        R2("imgIn[i][j] (y2)", 'I', h, i, j);
    }
    FOR(i, 0, w)
    FOR(j, 0, h)
    {
        R2("y1[i][j]", 'Y', h, i, j);
        R2("y2[i][j]", 'Z', h, i, j);
        R2("imgOut[i][j] =", 'O', h, i, j);
    }
    FOR(j, 0, h)
    FOR(i, 0, w)
    {
        R2("imgOut[i][j]", 'O', h, i, j);
        R2("y1[i][j] = (columns)", 'Y', h, i, j);
    }
    FOR(j, 0, h)
    DOWN(i, w - 1, 0)
    {
        R2("y2[i][j] = (columns)", 'Z', h, i, j);
        R2("imgOut[i][j] (columns)", 'O', h, i, j);
    }
}

static void floyd_warshall(run *r)
{
    KERNEL;
    int n = PICK(60, 180, 500);
    FOR(k, 0, n)
    FOR(i, 0, n)
    FOR(j, 0, n)
    {
        R2("path[i][j]", 'P', n, i, j);
        R2("path[i][k]", 'P', n, i, k);
        R2("path[k][j]", 'P', n, k, j);
        R2("path[i][j] =", 'P', n, i, j);
    }
}

static void nussinov(run *r)
{
    KERNEL;
    int n = PICK(60, 180, 500);
    DOWN(i, n - 1, 0)
    FOR(j, i + 1, n)
    {
        R2("table[i][j-1]", 'T', n, i, j - 1);
        R2("table[i+1][j]", 'T', n, i + 1, j);
        if (i < j - 1) {
            R2("table[i+1][j-1] pair", 'T', n, i + 1, j - 1);
            R("seq[i]", 'S', i);
            R("seq[j]", 'S', j);
        } else {
            R2("table[i+1][j-1]", 'T', n, i + 1, j - 1);
        }
        R2("table[i][j] =", 'T', n, i, j);
        FOR(k, i + 1, j)
        {
            R2("table[i][k]", 'T', n, i, k);
            R2("table[k+1][j]", 'T', n, k + 1, j);
            R2("table[i][j] max", 'T', n, i, j);
        }
    }
}

/* ---- stencils */

static void adi(run *r)
{
    KERNEL;
    int steps = PICK(20, 40, 100), n = PICK(20, 60, 200);
    FOR(t, 0, steps)
    {
        FOR(i, 1, n - 1)
        {
            R2("v[0][i] =", 'V', n, 0, i);
            R2("p[i][0] =", 'P', n, i, 0);
            R2("q[i][0] =", 'Q', n, i, 0);
            FOR(j, 1, n - 1)
            {
                R2("p[i][j-1]", 'P', n, i, j - 1);
                R2("p[i][j] =", 'P', n, i, j);
                R2("u[j][i-1]", 'U', n, j, i - 1);
                R2("u[j][i]", 'U', n, j, i);
                R2("u[j][i+1]", 'U', n, j, i + 1);
                R2("q[i][j] =", 'Q', n, i, j);
            }
            R2("v[n-1][i] =", 'V', n, n - 1, i);
            DOWN(j, n - 2, 1)
            {
                R2("p[i][j]", 'P', n, i, j);
                R2("v[j+1][i]", 'V', n, j + 1, i);
                R2("v[j][i] =", 'V', n, j, i);
            }
        }
        FOR(i, 1, n - 1)
        {
            R2("u[i][0] =", 'U', n, i, 0);
            FOR(j, 1, n - 1)
            {
                R2("v[i-1][j]", 'V', n, i - 1, j);
                R2("v[i][j]", 'V', n, i, j);
                R2("v[i+1][j]", 'V', n, i + 1, j);
                R2("q[i][j] = (rows)", 'Q', n, i, j);
            }
            R2("u[i][n-1] =", 'U', n, i, n - 1);
            DOWN(j, n - 2, 1)
            {
                R2("u[i][j+1]", 'U', n, i, j + 1);
                R2("u[i][j] =", 'U', n, i, j);
            }
        }
    }
}

static void fdtd_2d(run *r)
{
    KERNEL;
    int steps = PICK(20, 40, 100), nx = PICK(20, 60, 200), ny = PICK(30, 80, 240);
    FOR(t, 0, steps)
    {
        FOR(j, 0, ny)
        {
            R("fict[t]", 'F', t);
            R2("ey[0][j] =", 'Y', ny, 0, j);
        }
        FOR(i, 1, nx)
        FOR(j, 0, ny)
        {
            R2("ey[i][j] -=", 'Y', ny, i, j);
            R2("hz[i-1][j]", 'Z', ny, i - 1, j);
        }
        FOR(i, 0, nx)
        FOR(j, 1, ny)
        {
            R2("ex[i][j] -=", 'X', ny, i, j);
            R2("hz[i][j-1]", 'Z', ny, i, j - 1);
        }
        FOR(i, 0, nx - 1)
        FOR(j, 0, ny - 1)
        {
            R2("ex[i][j+1]", 'X', ny, i, j + 1);
            R2("ey[i+1][j]", 'Y', ny, i + 1, j);
            R2("hz[i][j] -=", 'Z', ny, i, j);
        }
    }
}

static void heat_3d(run *r)
{
    KERNEL;
    int steps = PICK(20, 40, 100), n = PICK(10, 20, 40);
    FOR(t, 1, steps + 1)
    {
        FOR(i, 1, n - 1)
        FOR(j, 1, n - 1)
        FOR(k, 1, n - 1)
        {
            R("A[i+1][j][k]", 'A', ((int64_t)(i + 1) * n + j) * n + k);
            R("A[i][j-1][k]", 'A', ((int64_t)i * n + j - 1) * n + k);
            R("A[i][j][k+1]", 'A', ((int64_t)i * n + j) * n + k + 1);
            R("B[i][j][k] =", 'B', ((int64_t)i * n + j) * n + k);
        }
        FOR(i, 1, n - 1)
        FOR(j, 1, n - 1)
        FOR(k, 1, n - 1)
        {
            R("B[i-1][j][k]", 'B', ((int64_t)(i - 1) * n + j) * n + k);
            R("B[i][j+1][k]", 'B', ((int64_t)i * n + j + 1) * n + k);
            R("A[i][j][k] =", 'A', ((int64_t)i * n + j) * n + k);
        }
    }
}

static void jacobi_1d(run *r)
{
    KERNEL;
    int steps = PICK(20, 40, 100), n = PICK(30, 120, 400);
    FOR(t, 0, steps)
    {
        FOR(i, 1, n - 1)
        {
            R("A[i-1]", 'A', i - 1);
            R("A[i+1]", 'A', i + 1);
            R("B[i] =", 'B', i);
        }
        FOR(i, 1, n - 1)
        {
            R("B[i-1]", 'B', i - 1);
            R("A[i] =", 'A', i);
        }
    }
}

static void jacobi_2d(run *r)
{
    KERNEL;
    int steps = PICK(20, 40, 100), n = PICK(30, 90, 250);
    FOR(t, 0, steps)
    {
        FOR(i, 1, n - 1)
        FOR(j, 1, n - 1)
        {
            R2("A[i][j-1]", 'A', n, i, j - 1);
            R2("A[i+1][j]", 'A', n, i + 1, j);
            R2("B[i][j] =", 'B', n, i, j);
        }
        FOR(i, 1, n - 1)
        FOR(j, 1, n - 1)
        {
            R2("B[i-1][j]", 'B', n, i - 1, j);
            R2("A[i][j] =", 'A', n, i, j);
        }
    }
}

static void seidel_2d(run *r)
{
    KERNEL;
    int steps = PICK(20, 40, 100), n = PICK(40, 120, 400);
    FOR(t, 0, steps)
    FOR(i, 1, n - 1)
    FOR(j, 1, n - 1)
    {
        R2("A[i-1][j-1]", 'A', n, i - 1, j - 1);
        R2("A[i][j+1]", 'A', n, i, j + 1);
        R2("A[i+1][j+1]", 'A', n, i + 1, j + 1);
        R2("A[i][j] =", 'A', n, i, j);
    }
}

/* ---- tiled versions: tile sizes that do not divide the extents */

#define TILES(t, count, tile) for (int t = 0; t * (tile) < (count); t++)

static void gemm_tiled(run *r)
{
    KERNEL;
    int ni = PICK(20, 60, 200), nj = PICK(25, 70, 220), nk = PICK(30, 80, 240), b = PICK(7, 16, 32);
    TILES(ti, ni, b)
    TILES(tj, nj, b)
    TILES(tk, nk, b)
    FOR(i, ti * b, min_of(ni, (ti + 1) * b))
    FOR(k, tk * b, min_of(nk, (tk + 1) * b))
    FOR(j, tj * b, min_of(nj, (tj + 1) * b))
    {
        R2("A[i][k]", 'A', nk, i, k);
        R2("B[k][j]", 'B', nj, k, j);
        R2("C[i][j] +=", 'C', nj, i, j);
    }
}

static void mvt_tiled(run *r)
{
    KERNEL;
    int n = PICK(40, 120, 400), b = PICK(7, 32, 32);
    TILES(ti, n, b)
    TILES(tj, n, b)
    FOR(i, ti * b, min_of(n, (ti + 1) * b))
    FOR(j, tj * b, min_of(n, (tj + 1) * b))
    {
        R2("A[i][j]", 'A', n, i, j);
        R("y1[j]", 'Y', j);
        R("x1[i] +=", 'X', i);
    }
}

static void syrk_tiled(run *r)
{
    KERNEL;
    int m = PICK(20, 60, 200), n = PICK(30, 80, 240), b = PICK(7, 16, 32);
    TILES(ti, n, b)
    for (int tj = 0; tj <= ti; tj++)
        TILES(tk, m, b)
    FOR(i, ti * b, min_of(n, (ti + 1) * b))
    FOR(k, tk * b, min_of(m, (tk + 1) * b))
    FOR(j, tj * b, min_of(i + 1, (tj + 1) * b))
    {
        R2("A[i][k]", 'A', m, i, k);
        R2("A[j][k]", 'A', m, j, k);
        R2("C[i][j] +=", 'C', n, i, j);
    }
}

static void trmm_tiled(run *r)
{
    KERNEL;
    int m = PICK(20, 60, 200), n = PICK(30, 80, 240), b = PICK(7, 16, 32);
    TILES(tj, n, b)
    TILES(ti, m, b)
    for (int tk = ti; tk * b < m; tk++)
        FOR(i, ti * b, min_of(m, (ti + 1) * b))
    FOR(j, tj * b, min_of(n, (tj + 1) * b))
    FOR(k, max_of(i + 1, tk * b), min_of(m, (tk + 1) * b))
    {
        R2("A[k][i]", 'A', m, k, i);
        R2("B[k][j]", 'B', n, k, j);
        R2("B[i][j] +=", 'B', n, i, j);
    }
}

static void cholesky_tiled(run *r)
{
    KERNEL;
    int n = PICK(40, 120, 400), b = PICK(7, 16, 32);
    TILES(ti, n, b)
    for (int tj = 0; tj <= ti; tj++)
        for (int tk = 0; tk <= tj; tk++)
            FOR(i, ti * b, min_of(n, (ti + 1) * b))
    FOR(j, tj * b, min_of(i, (tj + 1) * b))
    FOR(k, tk * b, min_of(j, (tk + 1) * b))
    {
        R2("A[i][k]", 'A', n, i, k);
        R2("A[j][k]", 'A', n, j, k);
        R2("A[i][j] -=", 'A', n, i, j);
    }
}

static void floyd_warshall_tiled(run *r)
{
    KERNEL;
    int n = PICK(30, 90, 250), b = PICK(7, 32, 32);
    FOR(k, 0, n)
    TILES(ti, n, b)
    TILES(tj, n, b)
    FOR(i, ti * b, min_of(n, (ti + 1) * b))
    FOR(j, tj * b, min_of(n, (tj + 1) * b))
    {
        R2("path[i][k]", 'P', n, i, k);
        R2("path[k][j]", 'P', n, k, j);
        R2("path[i][j] =", 'P', n, i, j);
    }
}

static void deriche_tiled(run *r)
{
    KERNEL;
    int w = PICK(64, 192, 720), h = PICK(64, 128, 480), b = PICK(7, 32, 32);
    TILES(ti, w, b)
    TILES(tj, h, b)
    FOR(i, ti * b, min_of(w, (ti + 1) * b))
    FOR(j, tj * b, min_of(h, (tj + 1) * b))
    {
        R2("y1[i][j]", 'Y', h, i, j);
        R2("imgOut[i][j] =", 'O', h, i, j);
    }
}

/* Rows of the time-skewed space: x = i + skew * t, tiles of b by b over (t, x). */
static void jacobi_1d_skewed(run *r)
{
    KERNEL;
    int steps = PICK(20, 40, 100), n = PICK(30, 120, 400), b = PICK(7, 16, 32);
    TILES(tt, steps, b)
    for (int tx = tt; tx * b < steps + n; tx++)
        FOR(t, tt * b, min_of(steps, (tt + 1) * b))
    FOR(x, max_of(tx * b, t + 1), min_of((tx + 1) * b, t + n - 1))
    {
        R("A[i-1]", 'A', x - t - 1);
        R("B[i] =", 'B', x - t);
    }
}

static void seidel_2d_skewed(run *r)
{
    KERNEL;
    int steps = PICK(10, 20, 60), n = PICK(20, 60, 200), b = PICK(6, 16, 32);
    TILES(tt, steps, b)
    for (int tx = tt; tx * b < steps + n; tx++)
        FOR(t, tt * b, min_of(steps, (tt + 1) * b))
    FOR(x, max_of(tx * b, t + 1), min_of((tx + 1) * b, t + n - 1))
    FOR(j, 1, n - 1)
    {
        R2("A[i-1][j]", 'A', n, x - t - 1, j);
        R2("A[i][j] =", 'A', n, x - t, j);
    }
}

static void jacobi_2d_skewed(run *r)
{
    KERNEL;
    int steps = PICK(10, 20, 60), n = PICK(20, 60, 160), b = PICK(6, 16, 32);
    TILES(tt, steps, b)
    for (int tx = tt; tx * b < steps + n; tx++)
        for (int ty = tt; ty * b < steps + n; ty++)
            FOR(t, tt * b, min_of(steps, (tt + 1) * b))
    FOR(x, max_of(tx * b, t + 1), min_of((tx + 1) * b, t + n - 1))
    FOR(y, max_of(ty * b, t + 1), min_of((ty + 1) * b, t + n - 1))
    {
        R2("A[i][j-1]", 'A', n, x - t, y - t - 1);
        R2("B[i][j] =", 'B', n, x - t, y - t);
    }
}

static const struct {
    const char *name;
    void (*run)(run *r);
    bool tiled;
} kernels[] = {
    {"correlation", correlation, false},
    {"covariance", covariance, false},
    {"gemm", gemm, false},
    {"gemver", gemver, false},
    {"gesummv", gesummv, false},
    {"symm", symm, false},
    {"syr2k", syr2k, false},
    {"syrk", syrk, false},
    {"trmm", trmm, false},
    {"2mm", two_mm, false},
    {"3mm", three_mm, false},
    {"atax", atax, false},
    {"bicg", bicg, false},
    {"doitgen", doitgen, false},
    {"mvt", mvt, false},
    {"cholesky", cholesky, false},
    {"durbin", durbin, false},
    {"gramschmidt", gramschmidt, false},
    {"lu", lu, false},
    {"ludcmp", ludcmp, false},
    {"trisolv", trisolv, false},
    {"deriche", deriche, false},
    {"floyd-warshall", floyd_warshall, false},
    {"nussinov", nussinov, false},
    {"adi", adi, false},
    {"fdtd-2d", fdtd_2d, false},
    {"heat-3d", heat_3d, false},
    {"jacobi-1d", jacobi_1d, false},
    {"jacobi-2d", jacobi_2d, false},
    {"seidel-2d", seidel_2d, false},
    {"gemm tiled", gemm_tiled, true},
    {"mvt tiled", mvt_tiled, true},
    {"syrk tiled", syrk_tiled, true},
    {"trmm tiled", trmm_tiled, true},
    {"cholesky tiled", cholesky_tiled, true},
    {"floyd-warshall tiled", floyd_warshall_tiled, true},
    {"deriche tiled", deriche_tiled, true},
    {"jacobi-1d skewed", jacobi_1d_skewed, true},
    {"seidel-2d skewed", seidel_2d_skewed, true},
    {"jacobi-2d skewed", jacobi_2d_skewed, true},
};

unsigned polybench_count(void)
{
    return sizeof kernels / sizeof *kernels;
}

const char *polybench_name(unsigned kernel)
{
    return kernels[kernel].name;
}

bool polybench_tiled(unsigned kernel)
{
    return kernels[kernel].tiled;
}

void polybench_run(unsigned kernel, unsigned size, polybench_visit *visit, void *context)
{
    run r = {visit, context, size};
    kernels[kernel].run(&r);
}
