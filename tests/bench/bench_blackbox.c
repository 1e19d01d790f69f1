/* SPDX-License-Identifier: MIT */
/* How many paths of a recording a compressed black box of BYTES keeps, and how many a plain ring of 16-bit numbers
 * keeps in the same memory.
 *
 *     bench_blackbox BYTES RECORDING.weft...
 *
 * Prints per recording: its paths; the paths that the box holds, as the median of nine places from the middle of the
 * recording on; how many times the ring's paths that is. If the box holds the whole recording, its length counts,
 * marked with a +. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/blackbox_packed.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/recording/blackbox.h"
#include "tools/lib/recording/control.h"

enum { PLACES = 9 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

typedef struct stream {
    uint32_t *path, *context;
    size_t count, max, contexts_max;
} stream;

static bool read_stream(stream *s, const char *name)
{
    char message[300];
    container *file = container_open(name, message, sizeof message);
    if (!file) {
        fprintf(stderr, "%s: %s\n", name, message);
        return false;
    }
    control *events = control_open(file);
    for (control_event e; control_next(events, &e);) {
        if (e.kind != CONTROL_PATH)
            continue;
        s->path = memory_room(s->path, s->count, &s->max, sizeof *s->path);
        s->context = memory_room(s->context, s->count, &s->contexts_max, sizeof *s->context);
        s->path[s->count] = e.path;
        s->context[s->count++] = e.context < 512 ? e.context : 0;
    }
    control_close(events);
    container_close(file);
    return s->count > 0;
}

static size_t held(const uint32_t *ram, size_t bytes, bool *whole)
{
    blackbox box;
    char message[200];
    if (blackbox_find(&box, (const uint8_t *)ram, bytes, 0) ||
        !blackbox_read(&box, (const uint8_t *)ram, bytes, message, sizeof message))
        return 0;
    size_t count = box.count;
    *whole = !box.overwritten;
    blackbox_free(&box);
    return count;
}

static double times(const stream *s, size_t bytes, double *paths, bool *whole)
{
    uint32_t *ram = memory_zero(bytes / 4 + 1, 4);
    weft_blackbox_packed *box = (weft_blackbox_packed *)ram;
    weft_blackbox_found found;
    double counts[PLACES];
    size_t place = 0;
    (void)weft_blackbox_packed_begin(box, bytes, 1, &found);
    weft_blackbox_packed_open(box, found);
    for (size_t i = 0; i < s->count; i++) {
        weft_blackbox_packed_path(box, s->context[i], s->path[i]);
        if (place < PLACES && i + 1 == s->count * (place + PLACES - 1) / (2 * (PLACES - 1)))
            counts[place++] = (double)held(ram, bytes, whole);
    }
    free(ram);
    *paths = place ? median(counts, place) : 0;
    return *paths / (double)(bytes / 2);
}

int main(int argc, char **argv)
{
    double all[64];
    size_t count = 0;
    if (argc < 3)
        return 2;
    size_t bytes = strtoul(argv[1], NULL, 10);
    printf("%-24s %10s %10s %8s\n", "recording", "paths", "held", "times");
    for (int i = 2; i < argc && count < 64; i++) {
        stream s = {.path = NULL};
        const char *name = strrchr(argv[i], '/');
        double paths = 0;
        bool whole = false;
        if (read_stream(&s, argv[i])) {
            all[count] = times(&s, bytes, &paths, &whole);
            printf("%-24s %10zu %10.0f %7.2f%s\n", name ? name + 1 : argv[i], s.count, paths, all[count],
                   whole ? "+" : "");
            count++;
        }
        free(s.path);
        free(s.context);
    }
    printf("%-24s %10s %10s %7.2f\n", "median", "", "", count ? median(all, count) : 0);
    return 0;
}
