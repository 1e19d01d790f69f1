/* SPDX-License-Identifier: MIT */
/* A reader as afl++ runs it, in persistent mode: readers NAME FOLDER. With files after these: those
 * inputs only, in one process. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/readers.h"

__AFL_FUZZ_INIT();

enum { ROUNDS = 2000 /* inputs per process */ };

static bool run_file(const reader *r, const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    reader_run(r, bytes, size);
    return true;
}

int main(int argc, char **argv)
{
    const reader *r = argc > 2 ? reader_find(argv[1]) : NULL;
    if (!r) {
        fputs("usage: readers NAME FOLDER [INPUT]...\n", stderr);
        return 2;
    }
    if (argc > 3) {
        readers_start(argv[2]);
        for (int i = 3; i < argc; i++)
            if (!run_file(r, argv[i]))
                return 2;
        return 0;
    }
    __AFL_INIT();
    const uint8_t *bytes = __AFL_FUZZ_TESTCASE_BUF;
    readers_start(argv[2]);
    while (__AFL_LOOP(ROUNDS))
        reader_run(r, bytes, (size_t)__AFL_FUZZ_TESTCASE_LEN);
    return 0;
}
