/* SPDX-License-Identifier: MIT */
/* A function that saves floating-point registers, so the stack pointer moves by vpush and vpop, and that needs more
 * registers than there are, so the path number goes through the stack. */
#include <stdint.h>
#include <stdio.h>

static float cells[128];

__attribute__((noinline)) static float butterfly(float *x, uint32_t n, uint32_t step, uint32_t turn, uint32_t *marks)
{
    float sum = 0;
    uint32_t i = 1, j = 2, k = 3, l = 4, m = 5, o = 6, y = 7, z = 8;
    for (uint32_t at = turn; at < n; at += step) {
        uint32_t b = at + n, c = b + n, d = c + n, e = d + n, f = e + n, g = f + n, h = g + n;
        float p = x[at] + x[e], q = x[at] - x[e], r = x[b] + x[f], s = x[b] - x[f];
        float t = x[c] + x[g], u = x[c] - x[g], v = x[d] + x[h], w = x[d] - x[h];
        x[at] = p + t;
        x[b] = (r + v) * 0.25f;
        x[c] = q - u;
        x[d] = s - w;
        x[e] = (p - t) * 0.25f;
        x[f] = r - v;
        x[g] = (q + u) * 0.25f;
        x[h] = (s + w) * 0.25f;
        sum += x[b] * x[c];
        i += at ^ j, j += k ^ b, k -= l ^ c, l += m ^ d, m -= o ^ e, o += y ^ f, y -= z ^ g, z += i ^ h;
    }
    *marks = i ^ j ^ k ^ l ^ m ^ o ^ y ^ z;
    return sum;
}

int main(void)
{
    uint32_t all = 0, marks = 0;
    for (int i = 0; i < 128; i++)
        cells[i] = (float)((i * 37) % 64) / 64;
    for (uint32_t i = 0; i < 800; i++)
        all = all * 3 + marks + (butterfly(cells, 16, i % 5 + 1, i % 3, &marks) > 0.5f);
    printf("%u\n", (unsigned)all);
    return 0;
}
