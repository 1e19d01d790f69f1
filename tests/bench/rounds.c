/* SPDX-License-Identifier: MIT */
/* A long run of a few phases, for report.sh: sorts, hashes and multiplies. Each round is 3.5 million instructions. */
#include <stdint.h>
#include <stdio.h>

#ifndef ROUNDS
#define ROUNDS 40
#endif
enum { N = 48, WORDS = 4096 };
static float a[N][N], b[N][N], c[N][N];
static uint32_t data[WORDS], table[1024];
static uint32_t seed = 1;
static uint32_t next(void)
{
    return seed = seed * 1664525u + 1013904223u;
}
__attribute__((noinline)) static void multiply(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}
__attribute__((noinline)) static void fill(void)
{
    for (int i = 0; i < WORDS; i++)
        data[i] = next() >> 8;
}
__attribute__((noinline)) static void sift(int root, int end)
{
    for (int child; (child = 2 * root + 1) <= end; root = child) {
        if (child < end && data[child] < data[child + 1])
            child++;
        if (data[root] >= data[child])
            return;
        uint32_t t = data[root];
        data[root] = data[child];
        data[child] = t;
    }
}
__attribute__((noinline)) static void sort(void)
{
    for (int i = WORDS / 2; i-- > 0;)
        sift(i, WORDS - 1);
    for (int end = WORDS - 1; end > 0; end--) {
        uint32_t t = data[0];
        data[0] = data[end];
        data[end] = t;
        sift(0, end - 1);
    }
}
__attribute__((noinline)) static uint32_t hash(void)
{
    uint32_t h = 2166136261u;
    for (int i = 0; i < WORDS; i++) {
        h = (h ^ data[i]) * 16777619u;
        table[h >> 22]++;
    }
    return h;
}
int main(void)
{
    uint32_t h = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (float)(i + j), b[i][j] = (float)(i - j);
    for (int round = 0; round < ROUNDS; round++) {
        fill();
        sort();
        h ^= hash();
        for (int i = 0; i < 2; i++)
            multiply();
    }
    printf("%lu %lu\n", (unsigned long)h, (unsigned long)c[3][4]);
    return 0;
}
