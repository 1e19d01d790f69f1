/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <math.h>

uint32_t matrix_product(void)
{
    static int32_t a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
    uint32_t random = 1, sum = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (int32_t)(next_random(&random) >> 24);
            b[i][j] = (int32_t)(next_random(&random) >> 24) - 128;
        }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            c[i][j] = 0;
            for (int k = 0; k < SIZE; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            sum = mix(sum, (uint32_t)c[i][j]);
    return sum;
}

/* Finds L with L * L^T = A, in double, column by column. False: the matrix is not positive definite. */
static int factor(double a[SIZE][SIZE])
{
    for (int j = 0; j < SIZE; j++) {
        double d = a[j][j];
        for (int k = 0; k < j; k++)
            d -= a[j][k] * a[j][k];
        if (d <= 0)
            return 0;
        a[j][j] = sqrt(d);
        for (int i = j + 1; i < SIZE; i++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++)
                s -= a[i][k] * a[j][k];
            a[i][j] = s / a[j][j];
        }
    }
    return 1;
}

uint32_t cholesky(void)
{
    static double a[SIZE][SIZE];
    uint32_t sum = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            a[i][j] = i == j ? SIZE : 1.0 / (1 + i + j);
    if (!factor(a))
        return 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j <= i; j++)
            sum = mix(sum, (uint32_t)(int32_t)lrint(a[i][j] * 65536));
    return sum;
}

uint32_t fir(void)
{
    static const int16_t taps[16] = {-52,  103,  241,  -587, -880, 2114, 5831, 9412,
                                     9412, 5831, 2114, -880, -587, 241,  103,  -52};
    static int16_t in[SIGNAL], out[SIGNAL];
    uint32_t random = 7, sum = 0;
    for (int i = 0; i < SIGNAL; i++)
        in[i] = (int16_t)(next_random(&random) >> 16);
    for (int i = 15; i < SIGNAL; i++) {
        int32_t acc = 0;
        for (int k = 0; k < 16; k++)
            acc += taps[k] * (in[i - k] >> 2);
        out[i] = (int16_t)(acc >> 15);
    }
    for (int i = 0; i < SIGNAL; i++)
        sum = mix(sum, (uint16_t)out[i]);
    return sum;
}

/* Radix 2, decimation in time, 16.16 fixed point. */
static void butterflies(int32_t *re, int32_t *im, int n, int step, const int32_t *cosine, const int32_t *sine)
{
    for (int start = 0; start < n; start += 2 * step)
        for (int k = 0; k < step; k++) {
            int p = start + k, q = p + step, w = k * (SIGNAL / 2 / step);
            int32_t tr = (int32_t)(((int64_t)re[q] * cosine[w] - (int64_t)im[q] * sine[w]) >> 16);
            int32_t ti = (int32_t)(((int64_t)re[q] * sine[w] + (int64_t)im[q] * cosine[w]) >> 16);
            re[q] = re[p] - tr;
            im[q] = im[p] - ti;
            re[p] += tr;
            im[p] += ti;
        }
}

uint32_t fft(void)
{
    static int32_t re[SIGNAL], im[SIGNAL], cosine[SIGNAL / 2], sine[SIGNAL / 2];
    uint32_t random = 3, sum = 0;
    for (int i = 0; i < SIGNAL / 2; i++) {
        cosine[i] = (int32_t)lrint(cos(6.283185307179586 * i / SIGNAL) * 65536);
        sine[i] = (int32_t)lrint(-sin(6.283185307179586 * i / SIGNAL) * 65536);
    }
    for (int i = 0; i < SIGNAL; i++) {
        int reversed = 0;
        for (int bit = 1, from = i; bit < SIGNAL; bit <<= 1, from >>= 1)
            reversed = reversed << 1 | (from & 1);
        re[reversed] = (int32_t)(next_random(&random) >> 20);
        im[reversed] = 0;
    }
    for (int step = 1; step < SIGNAL; step <<= 1)
        butterflies(re, im, SIGNAL, step, cosine, sine);
    for (int i = 0; i < SIGNAL; i++)
        sum = mix(mix(sum, (uint32_t)re[i]), (uint32_t)im[i]);
    return sum;
}

uint32_t stencil(void)
{
    static float grid[2][SIZE + 2][SIZE + 2];
    uint32_t sum = 0;
    for (int i = 0; i < SIZE + 2; i++)
        for (int j = 0; j < SIZE + 2; j++)
            grid[0][i][j] = grid[1][i][j] = i == 0 ? 100.0f : 0.0f;
    for (int round = 0; round < 6; round++) {
        float(*from)[SIZE + 2] = grid[round & 1], (*to)[SIZE + 2] = grid[~round & 1];
        for (int i = 1; i <= SIZE; i++)
            for (int j = 1; j <= SIZE; j++)
                to[i][j] = 0.25f * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
    }
    for (int i = 1; i <= SIZE; i++)
        for (int j = 1; j <= SIZE; j++)
            sum = mix(sum, (uint32_t)(int32_t)(grid[0][i][j] * 1024));
    return sum;
}
