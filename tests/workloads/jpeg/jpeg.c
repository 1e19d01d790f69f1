/* SPDX-License-Identifier: MIT */
/* Decodes a JPEG with stb_image from Debian's libstb-dev. */
#include <stdint.h>
#include <stdio.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_NO_THREAD_LOCALS
#include <stb_image.h>

static const unsigned char picture[] = {
#include "picture.inc"
};

int main(void)
{
    int width, height, channels;
    unsigned char *pixels = stbi_load_from_memory(picture, sizeof picture, &width, &height, &channels, 3);
    if (!pixels) {
        printf("jpeg: %s\n", stbi_failure_reason());
        return 1;
    }
    uint32_t sum = 2166136261u;
    for (int i = 0; i < width * height * 3; i++)
        sum = (sum ^ pixels[i]) * 16777619u;
    printf("jpeg: %dx%d pixels from %u bytes, checksum %08lx\n", width, height, (unsigned)sizeof picture,
           (unsigned long)sum);
    stbi_image_free(pixels);
    return 0;
}
