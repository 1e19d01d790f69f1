/* SPDX-License-Identifier: MIT */
/* PolyBench: linear algebra, chains of products. */
#include "tests/lib/polybench_kernels.h"

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
