/* SPDX-License-Identifier: MIT */
/* Sends one kind of stream (STREAM) through an address engine. tests/bench/engine.sh counts what an access costs. */
#include <stdint.h>
#include <stdio.h>

#include "core/tre.h"

static weft_tre engine;
static weft_tre_level level[WEFT_TRE_LEVELS_MAX];
static uint8_t bytes[WEFT_TRE_RECORD_MAX];
static uint32_t records;

static void push(uint32_t address)
{
    weft_writer out;
    weft_writer_init(&out, bytes, sizeof bytes);
    weft_tre_push(&engine, address, &out);
    records += out.size > 0;
}

/* a[i][j][k], k < length - i * shorter. */
static void nest(uint32_t planes, uint32_t rows, uint32_t length, uint32_t shorter)
{
    for (uint32_t i = 0; i < planes; i++)
        for (uint32_t j = 0; j < rows; j++)
            for (uint32_t k = 0; k < length - i * shorter; k++)
                push(0x20000000u + 40000 * i + 400 * j + 4 * k);
}

static void hypercube(void)
{
    for (uint32_t i = 0; i < 4096; i++)
        push(0x20000000u + (i / 1024) * 50000 + (i / 256 % 4) * 9000 + (i / 64 % 4) * 1700 + (i / 16 % 4) * 300 +
             (i / 4 % 4) * 50 + i % 4 * 8);
}

static void noise(void)
{
    for (uint32_t i = 1; i <= 4096; i++)
        push((i * 2654435761u ^ i * 40503u << 7) & 0xffffcu);
}

static void short_nests(void)
{
    for (uint32_t i = 0; i < 64; i++)
        for (uint32_t k = 0; k < 64; k++)
            push(0x20000000u + (i * 2654435761u >> 16) * 4 + 4 * k);
}

int main(void)
{
    weft_tre_init(&engine, level, WEFT_TRE_LEVELS_MAX);
    switch (STREAM) {
    case 0:
        nest(1, 1, 65536, 0);
        break;
    case 1:
        nest(1, 4096, 16, 0);
        break;
    case 2:
        nest(1, 8192, 4, 0);
        break;
    case 3:
        nest(1, 16384, 2, 0);
        break;
    case 4:
        nest(64, 1, 128, 2);
        break;
    case 5:
        nest(64, 16, 16, 0);
        break;
    case 6:
        nest(4096, 3, 3, 0);
        break;
    case 7:
        hypercube();
        break;
    case 8:
        short_nests();
        break;
    case 9:
        noise();
        break;
    }
    printf("%u records\n", (unsigned)records);
    return 0;
}
