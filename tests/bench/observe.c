/* SPDX-License-Identifier: MIT */
/* Observes a program from outside: linked to a program compiled with -fsanitize-coverage=trace-pc, it logs the
 * program's acyclic paths as little-endian 32-bit numbers. OBSERVE_OUT names the file, OBSERVE_MAX is the most paths
 * it gets. A path is a longest run of blocks at rising addresses. Paths are numbered as they appear. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TABLE = 1 << 20 };

static FILE *out;
static long left = -1; /* -1: not opened yet */
static uint64_t keys[TABLE];
static uint32_t numbers[TABLE], count;
static uintptr_t last;
static uint64_t hash = 14695981039346656037u;

static void end(void)
{
    fclose(out);
    exit(0);
}

static uint32_t number_of(uint64_t key)
{
    uint32_t slot = (uint32_t)(key >> 40) & (TABLE - 1);
    while (keys[slot] && keys[slot] != key)
        slot = (slot + 1) & (TABLE - 1);
    if (!keys[slot]) {
        keys[slot] = key;
        numbers[slot] = count++;
    }
    return numbers[slot];
}

static void open_log(void)
{
    const char *max = getenv("OBSERVE_MAX");
    const char *name = getenv("OBSERVE_OUT");
    left = max ? atol(max) : 10000000;
    out = fopen(name ? name : "/dev/null", "wb");
    if (!out)
        abort();
}

void __sanitizer_cov_trace_pc(void)
{
    uintptr_t here = (uintptr_t)__builtin_return_address(0);
    if (here <= last) {
        if (left < 0)
            open_log();
        uint32_t number = number_of(hash | 1);
        fwrite(&number, sizeof number, 1, out);
        if (--left <= 0)
            end();
        hash = 14695981039346656037u;
    }
    last = here;
    /* The distance from a symbol of the program, so that the numbers do not change with the load address. */
    hash = (hash ^ (uint64_t)(here - (uintptr_t)&__sanitizer_cov_trace_pc)) * 0x100000001b3u;
    hash ^= hash >> 29;
}
