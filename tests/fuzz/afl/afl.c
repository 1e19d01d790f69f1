/* SPDX-License-Identifier: MIT */
/* A reader as afl++ runs it, in persistent mode: readers NAME FOLDER. With files after these: those
 * inputs only, in one process. readers --first NAME FOLDER writes the first inputs there. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int write_first(const reader *r, const char *folder)
{
    static uint8_t bytes[1 << 20];
    char path[600];
    for (size_t n = 0, size; (size = reader_first(r, n, bytes, sizeof bytes)) > 0; n++) {
        snprintf(path, sizeof path, "%s/first-%zu", folder, n);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
            perror(path);
            return 2;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "--first") && reader_find(argv[2]))
        return write_first(reader_find(argv[2]), argv[3]);
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
