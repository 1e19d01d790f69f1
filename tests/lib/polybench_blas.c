/* SPDX-License-Identifier: MIT */
/* PolyBench: linear algebra, the operations of BLAS. */
#include "tests/lib/polybench_kernels.h"

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
