/* SPDX-License-Identifier: MIT */
/* Address models. First coverage and speed, as in figures 6, 7 and 10 of the paper. Then the speed on streams with long
 * and short inner loops and tiles, beside that of only reading the same memory. Then the target's engine. The argument
 * is the size: 0 mini, 1 small, 2 medium (default 1). With a second argument, coverage is left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "core/tre.h"
#include "tests/lib/sites.h"
#include "tests/lib/tilings.h"
#include "tools/lib/affine/binary.h"
#include "tools/lib/affine/model.h"
#include "tools/lib/base/clock.h"

typedef struct total {
    uint64_t accesses, nests, bytes, zstd, covered;
    unsigned sites, one_nest, depth, faces;
    double seconds;
} total;

static size_t zstd_size(const int64_t *values, size_t count)
{
    size_t room = ZSTD_compressBound(8 * count);
    void *out = malloc(room);
    size_t size = out ? ZSTD_compress(out, room, values, 8 * count, 3) : 0;
    free(out);
    return size;
}

static size_t encoded_size(const model *m)
{
    affine_bytes bytes = {0};
    for (size_t i = 0; i < m->nests; i++)
        affine_encode(&m->nest[i], &bytes);
    free(bytes.bytes);
    return bytes.size;
}

static unsigned faces_of(const model *m)
{
    unsigned faces = 0;
    for (size_t i = 0; i < m->nests; i++)
        for (unsigned l = 0; l < m->nest[i].depth; l++)
            faces += m->nest[i].level[l].uppers + (m->nest[i].level[l].lowers ? m->nest[i].level[l].lowers : 1);
    return faces;
}

static double measure(const int64_t *values, size_t count, total *t)
{
    model m;
    model_options options;
    model_defaults(&options);
    double start = clock_seconds();
    model_find(&m, values, count, &options);
    double seconds = clock_seconds() - start;
    bool one = m.nests == 1 && m.exact;
    t->seconds += seconds;
    t->accesses += count;
    t->nests += m.nests;
    t->sites++;
    t->one_nest += one;
    t->covered += one ? count : 0;
    t->bytes += encoded_size(&m);
    for (size_t i = 0; i < m.nests; i++)
        t->depth = m.nest[i].depth > t->depth ? m.nest[i].depth : t->depth;
    unsigned faces = faces_of(&m);
    t->faces = faces > t->faces ? faces : t->faces;
    if (!m.exact)
        printf("NOT EXACT\n");
    model_free(&m);
    return seconds;
}

static void print_total(const char *name, const total *t)
{
    printf("%-22s %4u %10llu %5u %5u %6llu %8.2f %8.2f %8llu %9.0f %8.1f %7.2f\n", name, t->sites,
           (unsigned long long)t->accesses, t->depth, t->faces, (unsigned long long)t->nests, t->seconds,
           (double)t->accesses / t->seconds / 1e6, (unsigned long long)t->bytes,
           8.0 * (double)t->accesses / (double)t->bytes, (double)t->zstd / (double)t->bytes,
           100.0 * (double)t->covered / (double)t->accesses);
    fflush(stdout);
}

static void add(total *sum, const total *t)
{
    sum->accesses += t->accesses, sum->nests += t->nests, sum->bytes += t->bytes, sum->zstd += t->zstd;
    sum->covered += t->covered, sum->sites += t->sites, sum->seconds += t->seconds;
    sum->depth = t->depth > sum->depth ? t->depth : sum->depth;
    sum->faces = t->faces > sum->faces ? t->faces : sum->faces;
}

static void coverage(unsigned size, bool tiled)
{
    total sum = {0};
    printf("%-22s %4s %10s %5s %5s %6s %8s %8s %8s %9s %8s %7s\n", tiled ? "tiled and skewed" : "PolyBench/C", "refs",
           "accesses", "depth", "faces", "nests", "seconds", "M acc/s", "bytes", "raw/bytes", "zstd/b.", "1 nest%");
    for (unsigned k = 0; k < polybench_count(); k++) {
        sites all;
        total t = {0};
        if (polybench_tiled(k) != tiled)
            continue;
        sites_collect(&all, k, size);
        for (unsigned s = 0; s < all.count; s++) {
            if (!all.site[s].count)
                continue;
            measure(all.site[s].address, all.site[s].count, &t);
            t.zstd += zstd_size(all.site[s].address, all.site[s].count);
        }
        sites_free(&all);
        print_total(polybench_name(k), &t);
        add(&sum, &t);
    }
    print_total("all", &sum);
}

/* Nests of tests/lib/tilings.c, one size, tiles that do not divide it. */
static void generated(void)
{
    static const tiling_sizes sizes = {20, 25, 9, {7, 7, 7}, 0x20000000, 8};
    total sum = {0};
    for (unsigned k = 0; k < tilings_count(); k++) {
        total t = {0};
        for (unsigned ref = 0; ref < tiling_refs(tilings_get(k)); ref++) {
            size_t count;
            int64_t *values = tiling_stream(tilings_get(k), ref, &sizes, &count);
            measure(values, count, &t);
            t.zstd += zstd_size(values, count);
            free(values);
        }
        print_total(tilings_get(k)->name, &t);
        add(&sum, &t);
    }
    print_total("all", &sum);
}

/* ---- speed on mapped files ---- */

static int64_t *file;
static size_t filled, file_room;

static void emit(int64_t address)
{
    if (filled < file_room)
        file[filled++] = address;
}

static void long_loops(void)
{
    for (int64_t i = 0; filled < file_room; i++)
        for (int64_t j = 0; j < 100000; j++)
            emit(i * 1000000 + 8 * j);
}

static void short_loops(void) /* doitgen: A[r][q][s], 160 long */
{
    for (int64_t rq = 0; filled < file_room; rq++)
        for (int64_t p = 0; p < 160; p++)
            for (int64_t s = 0; s < 160; s++)
                emit(8 * (160 * rq + s));
}

enum { TILED = 300, TILE = 32 };

static int64_t tile_end(int64_t begin)
{
    return begin + TILE < TILED ? begin + TILE : TILED;
}

static void tile(int64_t ti, int64_t tj, int64_t tk)
{
    for (int64_t i = ti; i < tile_end(ti); i++)
        for (int64_t k = tk; k < tile_end(tk); k++)
            for (int64_t j = tj; j < tile_end(tj); j++)
                emit(8 * (k * TILED + j));
}

static void tiles(void) /* three loops in tiles that do not divide the extent */
{
    for (int64_t ti = 0; ti < TILED; ti += TILE)
        for (int64_t tj = 0; tj < TILED; tj += TILE)
            for (int64_t tk = 0; tk < TILED; tk += TILE)
                tile(ti, tj, tk);
}

static double reading_time(void)
{
    double start = clock_seconds();
    uint64_t sum = 0;
    for (size_t i = 0; i < filled; i++)
        sum += (uint64_t)file[i];
    double seconds = clock_seconds() - start;
    volatile uint64_t keep = sum;
    (void)keep;
    return seconds;
}

static void speed(const char *name, void (*fill)(void), size_t count)
{
    char path[] = "/tmp/weft-bench-XXXXXX";
    int f = mkstemp(path);
    total t = {0};
    file_room = count;
    filled = 0;
    if (f < 0 || ftruncate(f, (off_t)(8 * count))) {
        printf("%s: no room\n", name);
        return;
    }
    unlink(path);
    file = mmap(NULL, 8 * count, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    close(f);
    if (file == MAP_FAILED)
        return;
    fill();
    reading_time();
    double reading = reading_time();
    double seconds = measure(file, filled, &t);
    printf("%-28s %10zu accesses, %llu nest, depth %u: %7.1f M acc/s, search and check; reading the memory once takes "
           "%.2f of that "
           "time\n",
           name, filled, (unsigned long long)t.nests, t.depth, (double)filled / seconds / 1e6, reading / seconds);
    munmap(file, 8 * count);
}

/* ---- the target's engine ---- */

static void target(unsigned size)
{
    static uint8_t bytes[1 << 22];
    uint64_t accesses = 0, written = 0, nests_of_one = 0, sites_seen = 0, zstd = 0;
    double seconds = 0;
    for (unsigned k = 0; k < 30; k++) {
        sites all;
        sites_collect(&all, k, size);
        for (unsigned s = 0; s < all.count; s++) {
            weft_tre tre;
            weft_tre_level level[6];
            weft_writer out;
            weft_writer_init(&out, bytes, sizeof bytes);
            if (!all.site[s].count || weft_tre_init(&tre, level, 6) != WEFT_OK)
                continue;
            double start = clock_seconds();
            for (size_t i = 0; i < all.site[s].count; i++)
                weft_tre_push(&tre, (uint32_t)all.site[s].address[i], &out);
            bool one = out.size == 0;
            weft_tre_flush(&tre, &out);
            seconds += clock_seconds() - start;
            nests_of_one += one;
            sites_seen++;
            accesses += all.site[s].count;
            written += out.size;
            zstd += zstd_size(all.site[s].address, all.site[s].count);
        }
        sites_free(&all);
    }
    printf("target engine, 6 levels, PolyBench/C: %llu references, %llu one nest; %.4f bytes per access (raw 4, zstd "
           "%.4f); "
           "%.1f M acc/s on this machine\n",
           (unsigned long long)sites_seen, (unsigned long long)nests_of_one, (double)written / (double)accesses,
           (double)zstd / (double)accesses, (double)accesses / seconds / 1e6);
}

int main(int argc, char **argv)
{
    unsigned size = argc > 1 ? (unsigned)atoi(argv[1]) % 3 : getenv("WEFT_QUICK") ? POLYBENCH_MINI : POLYBENCH_SMALL;

    for (unsigned tiled = 0; tiled < 2 && argc < 3; tiled++)
        coverage(size, tiled);
    if (argc < 3)
        generated();
    speed("long inner loops (100,000)", long_loops, 40000000);
    speed("short inner loops (160)", short_loops, 20000000);
    speed("tiles of 32, gemm", tiles, 27000000);
    target(size);
    return 0;
}
