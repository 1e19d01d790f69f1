/* SPDX-License-Identifier: MIT */
/* PolyBench: linear algebra. */
#include "tests/lib/polybench_kernels.h"

/* ---- linear algebra: blas */

void polybench_gemm(polybench *r)
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

void polybench_gemver(polybench *r)
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

void polybench_gesummv(polybench *r)
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

void polybench_symm(polybench *r)
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

void polybench_syr2k(polybench *r)
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

void polybench_syrk(polybench *r)
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

void polybench_trmm(polybench *r)
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

void polybench_two_mm(polybench *r)
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

void polybench_three_mm(polybench *r)
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

void polybench_atax(polybench *r)
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

void polybench_bicg(polybench *r)
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

void polybench_doitgen(polybench *r)
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

void polybench_mvt(polybench *r)
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

void polybench_cholesky(polybench *r)
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

void polybench_durbin(polybench *r)
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

void polybench_gramschmidt(polybench *r)
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

void polybench_lu(polybench *r)
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

void polybench_ludcmp(polybench *r)
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

void polybench_trisolv(polybench *r)
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
