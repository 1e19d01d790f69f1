/* SPDX-License-Identifier: MIT */
/* Compresses a text with LZ4 and LZ4HC, decompresses it, compares. */
#include <stdio.h>
#include <string.h>

#include <lz4hc.h>

#include "tests/workloads/text.h"

static char text[TEXT_SIZE], packed[LZ4_COMPRESSBOUND(TEXT_SIZE)], back[TEXT_SIZE];

static int round_trip(const char *name, int size)
{
    int back_size = LZ4_decompress_safe(packed, back, size, TEXT_SIZE);
    int same = size > 0 && back_size == TEXT_SIZE && memcmp(text, back, TEXT_SIZE) == 0;
    printf("%s: %d bytes to %d and back, %s, checksum %08lx\n", name, TEXT_SIZE, size, same ? "same" : "DIFFERENT",
           (unsigned long)checksum(packed, (size_t)size));
    return same;
}

int main(void)
{
    write_text(text, TEXT_SIZE);
    int fast = round_trip("lz4", LZ4_compress_default(text, packed, TEXT_SIZE, sizeof packed));
    int high = round_trip("lz4hc", LZ4_compress_HC(text, packed, TEXT_SIZE, sizeof packed, LZ4HC_CLEVEL_DEFAULT));
    return !(fast && high);
}
