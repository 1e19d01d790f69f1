/* SPDX-License-Identifier: MIT */
/* Runs on the host while the workload is built: draws a picture and prints it, as a JPEG, as the body of a C array. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

static unsigned char shade(double v)
{
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* A sky, a sun with a soft edge, hills, and some grain for the high frequencies. */
static void pixel(unsigned char *rgb, double x, double y, unsigned *random)
{
    *random = *random * 1664525u + 1013904223u;
    double grain = (double)(*random >> 24) / 32;
    double sun = 1 / (1 + exp((hypot(x - 0.7, y - 0.3) - 0.15) * 60));
    double hill = y > 0.65 + 0.1 * sin(9 * x) + 0.05 * sin(23 * x) ? 1 : 0;
    rgb[0] = shade((1 - hill) * (90 + 80 * y + 160 * sun) + hill * 40 + grain);
    rgb[1] = shade((1 - hill) * (140 + 60 * y + 90 * sun) + hill * (150 - 60 * y) + grain);
    rgb[2] = shade((1 - hill) * (230 - 100 * sun) + hill * 50 + grain);
}

static void print_bytes(void *count, void *data, int size)
{
    for (int i = 0; i < size; i++)
        printf("%d,%s", ((unsigned char *)data)[i], ++*(int *)count % 32 ? "" : "\n");
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : 96, height = argc > 2 ? atoi(argv[2]) : 64, count = 0;
    unsigned char *pixels = malloc((size_t)width * (size_t)height * 3);
    unsigned random = 1;
    if (!pixels)
        return 1;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            pixel(pixels + 3 * (y * width + x), (double)x / width, (double)y / height, &random);
    int ok = stbi_write_jpg_to_func(print_bytes, &count, width, height, 3, pixels, 85);
    free(pixels);
    return ok ? 0 : 1;
}
