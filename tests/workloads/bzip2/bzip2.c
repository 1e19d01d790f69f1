/* SPDX-License-Identifier: MIT */
/* Compresses a text with bzip2, decompresses it, compares. */
#include <bzlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/workloads/text.h"

static char text[TEXT_SIZE], packed[TEXT_SIZE + TEXT_SIZE / 100 + 600], back[TEXT_SIZE];

/* libbzip2 without stdio asks for this. */
void bz_internal_error(int code)
{
    printf("bzip2: internal error %d\n", code);
    exit(1);
}

int main(void)
{
    unsigned packed_size = sizeof packed, back_size = sizeof back;
    write_text(text, TEXT_SIZE);
    int status = BZ2_bzBuffToBuffCompress(packed, &packed_size, text, TEXT_SIZE, 1, 0, 0);
    if (status == BZ_OK)
        status = BZ2_bzBuffToBuffDecompress(back, &back_size, packed, packed_size, 0, 0);
    int same = status == BZ_OK && back_size == TEXT_SIZE && memcmp(text, back, TEXT_SIZE) == 0;
    printf("bzip2: %d bytes to %u and back, %s, checksum %08lx\n", TEXT_SIZE, packed_size, same ? "same" : "DIFFERENT",
           (unsigned long)checksum(packed, packed_size));
    return !same;
}
