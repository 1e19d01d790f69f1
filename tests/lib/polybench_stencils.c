/* SPDX-License-Identifier: MIT */
/* PolyBench: data mining, medley and stencils. */
#include "tests/lib/polybench_kernels.h"

/* ---- data mining */

void polybench_correlation(polybench *r)
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

void polybench_covariance(polybench *r)
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

/* ---- medley */

void polybench_deriche(polybench *r)
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

void polybench_floyd_warshall(polybench *r)
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

void polybench_nussinov(polybench *r)
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

void polybench_adi(polybench *r)
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

void polybench_fdtd_2d(polybench *r)
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

void polybench_heat_3d(polybench *r)
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

void polybench_jacobi_1d(polybench *r)
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

void polybench_jacobi_2d(polybench *r)
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

void polybench_seidel_2d(polybench *r)
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
