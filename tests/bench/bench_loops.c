/* SPDX-License-Identifier: MIT */
/* Loop nests on the host: processor time and memory as the stream grows. First streams that are hard on run-finders,
 * then LU class B and C. --text prints LU class C. Any other argument is a file of 32-bit symbols to measure instead
 * (loops.sh). Memory is the peak of the process beyond the input, in bytes per symbol. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tools/lib/loops/binary.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/optimal.h"
#include "tools/lib/loops/window.h"

static nest *windowed(const uint32_t *symbols, size_t size)
{
    nest_window *w = nest_window_open(128, 8);
    nest_window_push(w, symbols, size);
    return nest_window_finish(w);
}

static const struct {
    const char *name;
    nest *(*find)(const uint32_t *symbols, size_t size);
} methods[] = {
    {"optimal", nest_optimal}, {"greedy", nest_greedy}, {"near-optimal", nest_near_optimal}, {"window 128", windowed}};

static double seconds_of(const struct rusage *u)
{
    return (double)u->ru_utime.tv_sec + (double)u->ru_stime.tv_sec +
           1e-6 * ((double)u->ru_utime.tv_usec + (double)u->ru_stime.tv_usec);
}

/* Prints one line. A separate process does the work, so that its time and memory can be measured. */
static void measure(const char *stream, const uint32_t *symbols, size_t size, unsigned method)
{
    int channel[2];
    uint64_t result[4] = {0};
    struct rusage before, after;
    if (pipe(channel))
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        getrusage(RUSAGE_SELF, &before);
        nest *n = methods[method].find(symbols, size);
        getrusage(RUSAGE_SELF, &after);
        nest_stats stats = nest_measure(n);
        size_t bytes;
        free(nest_encode(n, &bytes));
        uint64_t out[4] = {stats.symbols, bytes, (uint64_t)(after.ru_maxrss - before.ru_maxrss) * 1024,
                           (uint64_t)(1e6 * (seconds_of(&after) - seconds_of(&before)))};
        _exit(write(channel[1], out, sizeof out) != sizeof out);
    }
    close(channel[1]);
    if (child > 0 && read(channel[0], result, sizeof result) == sizeof result)
        printf(
            "%-12s %9zu symbols  %-12s %8.3f s %7.1f Msymbols/s %5.1f bytes/symbol  nest of %llu symbols, %llu bytes\n",
            stream, size, methods[method].name, (double)result[3] / 1e6, (double)size / (double)(result[3] + 1),
            (double)result[2] / (double)size, (unsigned long long)result[0], (unsigned long long)result[1]);
    close(channel[0]);
    waitpid(child, NULL, 0);
}

static void fill(uint32_t *symbols, size_t size, unsigned kind)
{
    check_random random = {1};
    for (size_t i = 0; i < size; i++)
        symbols[i] = kind == 1   ? check_random_next(&random) >> 31
                     : kind == 3 ? (uint32_t)__builtin_popcountll(i) & 1
                                 : 0;
    if (kind == 0) { /* Fibonacci: each word is the last one and the one before it */
        symbols[1] = 1;
        for (size_t before = 1, last = 2; last < size;) {
            size_t more = before < size - last ? before : size - last;
            memcpy(symbols + last, symbols, more * sizeof *symbols);
            before = last;
            last += more;
        }
    }
}

static void bench_growth(void)
{
    static const char *const kinds[] = {"Fibonacci", "random", "all equal", "Thue-Morse"};
    static const size_t sizes[] = {1000000, 3000000, 10000000, 30000000};
    uint32_t *symbols = malloc(sizes[3] * sizeof *symbols);
    for (unsigned kind = 0; symbols && kind < 4; kind++) {
        fill(symbols, sizes[3], kind);
        for (unsigned method = 0; method < 2; method++)
            for (unsigned i = 0; i < 4; i++)
                measure(kinds[kind], symbols, sizes[i], method);
    }
    free(symbols);
}

static void bench_lu(const char *name, const char *shape, size_t size)
{
    char *text = malloc(size);
    uint32_t *symbols = malloc(size * sizeof *symbols);
    nas_expand(shape, text, size);
    for (size_t i = 0; i < size; i++)
        symbols[i] = (unsigned char)text[i];
    for (unsigned method = 0; method < 4; method++)
        measure(name, symbols, size, method);
    free(text);
    free(symbols);
}

/* LU class C, one byte per symbol, for other compressors. */
static int print_lu(void)
{
    static char text[NAS_LU_C_SIZE];
    nas_expand(NAS_LU_C, text, sizeof text);
    return fwrite(text, 1, sizeof text, stdout) != sizeof text;
}

static int bench_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t max = 30000000;
    uint32_t *symbols = malloc(max * sizeof *symbols);
    if (!file || !symbols) {
        perror(path);
        return 1;
    }
    size_t size = fread(symbols, sizeof *symbols, max, file);
    fclose(file);
    for (unsigned method = 0; method < 4; method++) {
        for (size_t part = 1000000; part < size; part = part * 10 / 3 / 1000000 * 1000000)
            measure("control", symbols, part, method);
        measure("control", symbols, size, method);
    }
    free(symbols);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--text"))
        return print_lu();
    if (argc > 1)
        return bench_file(argv[1]);
    bench_lu("LU class B", NAS_LU_B, NAS_LU_B_SIZE);
    bench_lu("LU class C", NAS_LU_C, NAS_LU_C_SIZE);
    bench_growth();
    return 0;
}
