/* SPDX-License-Identifier: MIT */
/* Compresses a text with zlib, decompresses it, compares. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "tests/workloads/text.h"

static char text[TEXT_SIZE], packed[TEXT_SIZE + 100], back[TEXT_SIZE];

static int round_trip(int round)
{
    uLongf packed_size = sizeof packed, back_size = sizeof back;
    write_text(text + round, (size_t)(TEXT_SIZE - round)); /* each round has a text of its own */
    int status = compress2((Bytef *)packed, &packed_size, (const Bytef *)text, TEXT_SIZE, 6);
    if (status == Z_OK)
        status = uncompress((Bytef *)back, &back_size, (const Bytef *)packed, packed_size);
    int same = status == Z_OK && back_size == TEXT_SIZE && memcmp(text, back, TEXT_SIZE) == 0;
    printf("zlib: %d bytes to %lu and back, %s, checksum %08lx\n", TEXT_SIZE, (unsigned long)packed_size,
           same ? "same" : "DIFFERENT", (unsigned long)checksum(packed, packed_size));
    return !same;
}

int main(void)
{
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++)
        failed |= round_trip(round);
    return failed;
}
