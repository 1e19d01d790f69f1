/* SPDX-License-Identifier: MIT */
/* PolyBench: tiled versions. */
#include "tests/lib/polybench_kernels.h"

/* ---- tiled versions: tile sizes that do not divide the extents */

#define TILES(t, count, tile) for (int t = 0; t * (tile) < (count); t++)

void polybench_gemm_tiled(polybench *r)
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

void polybench_mvt_tiled(polybench *r)
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

void polybench_syrk_tiled(polybench *r)
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

void polybench_trmm_tiled(polybench *r)
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

void polybench_cholesky_tiled(polybench *r)
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

void polybench_floyd_warshall_tiled(polybench *r)
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

void polybench_deriche_tiled(polybench *r)
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
void polybench_jacobi_1d_skewed(polybench *r)
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

void polybench_seidel_2d_skewed(polybench *r)
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

void polybench_jacobi_2d_skewed(polybench *r)
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
