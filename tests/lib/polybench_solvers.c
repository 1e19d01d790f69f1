/* SPDX-License-Identifier: MIT */
/* PolyBench: linear algebra, solvers. */
#include "tests/lib/polybench_kernels.h"

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
