/* SPDX-License-Identifier: MIT */
/* Linked to a program that was compiled with -fsanitize-coverage=trace-pc, logs its control flow to the file that
 * WEFT_CONTROL names: a 32-bit number for each basic block that runs. After WEFT_CONTROL_MAX numbers the program
 * ends. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *file;
static uint64_t left;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("WEFT_CONTROL"), *max = getenv("WEFT_CONTROL_MAX");
    file = path ? fopen(path, "wb") : NULL;
    left = max ? strtoull(max, NULL, 10) : UINT64_MAX;
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    uint32_t block = (uint32_t)((uintptr_t)__builtin_return_address(0) - (uintptr_t)&begin);
    if (!file)
        return;
    if (!left--) {
        fclose(file);
        _exit(0);
    }
    fwrite_unlocked(&block, sizeof block, 1, file);
}
