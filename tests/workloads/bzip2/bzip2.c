/* SPDX-License-Identifier: MIT */
/* Compresses a text with bzip2, decompresses it, compares. */
#include <bzlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[TEXT_SIZE], packed[TEXT_SIZE + TEXT_SIZE / 100 + 600], back[TEXT_SIZE];

/* libbzip2 without stdio asks for this. */
void bz_internal_error(int code)
{
    printf("bzip2: internal error %d\n", code);
    exit(1);
}

/* Words with the frequencies of a language, roughly: a smaller one is likelier. */
static void write_text(void)
{
    static const char *const words[] = {"the",  "of",    "and",   "to",     "a",      "in",     "warp",    "weft",
                                        "loom", "shed",  "thread", "cloth", "pattern", "weaver", "shuttle", "through",
                                        "under", "over", "again", "between"};
    uint32_t random = 12345;
    size_t at = 0, column = 0;
    while (at < TEXT_SIZE) {
        random = random * 1664525u + 1013904223u;
        uint32_t r = random >> 16;
        const char *word = words[r % 20 * (r >> 8) / 256 % 20];
        for (; *word && at < TEXT_SIZE; column++)
            text[at++] = *word++;
        if (at < TEXT_SIZE)
            text[at++] = column > 70 ? '\n' : r % 13 ? ' ' : ',';
        column = column > 70 ? 0 : column + 1;
    }
}

int main(void)
{
    unsigned packed_size = sizeof packed, back_size = sizeof back;
    write_text();
    int status = BZ2_bzBuffToBuffCompress(packed, &packed_size, text, TEXT_SIZE, 1, 0, 0);
    if (status == BZ_OK)
        status = BZ2_bzBuffToBuffDecompress(back, &back_size, packed, packed_size, 0, 0);
    uint32_t sum = 2166136261u;
    for (unsigned i = 0; i < packed_size; i++)
        sum = (sum ^ (uint8_t)packed[i]) * 16777619u;
    int same = status == BZ_OK && back_size == TEXT_SIZE && memcmp(text, back, TEXT_SIZE) == 0;
    printf("bzip2: %d bytes to %u and back, %s, checksum %08lx\n", TEXT_SIZE, packed_size, same ? "same" : "DIFFERENT",
           (unsigned long)sum);
    return !same;
}
