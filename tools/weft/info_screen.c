/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/text.h"
#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/given_names.h"
#include "tools/weft/info_fault.h"
#include "tools/weft/info_recordings.h"

enum { ROWS = WEFT_REGIONS + 2, IDENTITY_DIGITS = 12 };

/* A part of the file's bytes. */
typedef struct part {
    const char *name, *coder;
    uint64_t events, bytes, lost;
    double predicted; /* of the events; below 0: nothing predicts */
} part;

static double share(uint64_t of, uint64_t all)
{
    return all ? 100 * ((double)of / (double)all) : 0;
}

/* ---- what it is ---- */

static uint64_t losses(const container *file)
{
    const weft_counts counts = container_lost(file);
    return info_total(&counts);
}

static void add_lost(const container *file, uint64_t events, char *line, size_t room)
{
    char number[32];
    uint64_t lost = losses(file);
    size_t used = strlen(line);
    if (lost)
        snprintf(line + used, room - used, "; %s%s lost (%.1f%%)", container_at_least(file), text_grouped(lost, number),
                 share(lost, lost + events));
    else
        snprintf(line + used, room - used, "; %s", container_gap_count(file) ? "it has gaps" : "none lost");
}

/* "RUN.weft: 91,621 events in 51,656 bytes, 0.56 each; none lost" */
static void print_answer(const container *file, const info_summary *sum, unsigned columns)
{
    char events[32], bytes[32], name[256], line[200];
    uint64_t size = container_size(file), count = sum->full ? sum->full_instructions : info_total(&sum->recorded);
    snprintf(line, sizeof line, ": %s %s in %s bytes", text_grouped(count, events),
             sum->full ? "instructions" : "events", text_grouped(size, bytes));
    if (count && !losses(file))
        snprintf(line + strlen(line), sizeof line - strlen(line), ", %.2f each", info_per(size, count));
    add_lost(file, count, line, sizeof line);
    text_safe(name, sizeof name, text_base(container_path(file)));
    text_line(stdout, columns, "", name, line);
}

static void add(char *line, size_t room, const char *text)
{
    size_t used = strlen(line);
    snprintf(line + used, room - used, "%s%s", used ? "; " : "", text);
}

/* "mps2-an385; 0.196 s at 25000000 Hz; program d01e07a7fa9b; 2 recordings" */
static void print_about(const container *file, const info_summary *sum, unsigned columns)
{
    char note[256], line[800] = "", text[300];
    size_t size = 0;
    uint64_t hz;
    info_note(file, note, sizeof note);
    if (note[0] && text_safe(text, sizeof text, note))
        add(line, sizeof line, text);
    if (container_meta(file, WEFT_META_CLOCK_HZ, &hz) && hz) {
        snprintf(text, sizeof text, "%.6f s at %" PRIu64 " Hz", (double)sum->ticks / (double)hz, hz);
        add(line, sizeof line, text);
    }
    const uint8_t *id = container_meta_bytes(file, WEFT_META_BUILD_ID, &size);
    if (id) {
        size_t begin = (size_t)snprintf(text, sizeof text, "program ");
        info_hex(id, size, text + begin, IDENTITY_DIGITS + 1);
        add(line, sizeof line, text);
    }
    snprintf(text, sizeof text, "%s accesses", text_grouped(sum->full_accesses, note));
    if (sum->full)
        add(line, sizeof line, text);
    snprintf(text, sizeof text, "%zu recordings", container_recording_count(file));
    if (container_recording_count(file) > 1)
        add(line, sizeof line, text);
    if (line[0])
        text_line(stdout, columns, "", line, "");
    info_print_fault(file);
}

/* ---- what its bytes hold ---- */

static double predicted_of(const info_stream *s)
{
    return s->predicts ? share(s->predicted, s->events) : -1;
}

static int by_bytes(const void *a, const void *b)
{
    uint64_t left = ((const part *)a)->bytes, right = ((const part *)b)->bytes;
    return (left < right) - (left > right);
}

/* Fills `all`, largest first. */
static size_t parts_of(const container *file, const info_summary *sum, part all[ROWS])
{
    const info_stream *s = sum->streams;
    const weft_counts lost = container_lost(file);
    part rows[ROWS] = {
        {"paths", s[WEFT_REGION_CONTROL].coder, sum->traced, s[WEFT_REGION_CONTROL].bytes, lost.paths, -1},
        {"switches, marks", s[WEFT_REGION_MARKS].coder, s[WEFT_REGION_MARKS].events, s[WEFT_REGION_MARKS].bytes,
         lost.marks, -1},
        {"accesses", s[WEFT_REGION_BUS].coder, s[WEFT_REGION_BUS].events, s[WEFT_REGION_BUS].bytes, lost.accesses,
         predicted_of(&s[WEFT_REGION_BUS])},
        {"values", s[WEFT_REGION_VALUES].coder, s[WEFT_REGION_VALUES].events, s[WEFT_REGION_VALUES].bytes, lost.values,
         predicted_of(&s[WEFT_REGION_VALUES])},
        {"profile of paths", "ksf", sum->profiled, sum->profile_bytes, 0, -1},
        {"instructions", "full", sum->full_instructions, sum->full_bytes, 0, -1},
    };
    uint64_t rest = container_size(file);
    size_t count = 0;
    for (size_t i = 0; i < ROWS - 1; i++)
        if (rows[i].events || rows[i].bytes || rows[i].lost) {
            all[count++] = rows[i];
            rest -= rows[i].bytes < rest ? rows[i].bytes : rest;
        }
    qsort(all, count, sizeof *all, by_bytes);
    all[count] = (part){"frames, names, sums", NULL, 0, rest, 0, -1};
    return count + 1;
}

static void print_parts(const container *file, const info_summary *sum)
{
    part all[ROWS];
    size_t count = parts_of(file, sum, all);
    printf("\n%-28s %7s %14s %7s %9s %10s\n", "WHAT (HOW IT IS CODED)", "BYTES", "events", "each", "predicted", "lost");
    for (size_t i = 0; i < count; i++) {
        const part *p = &all[i];
        char name[64], events[32];
        snprintf(name, sizeof name, p->coder ? "%s (%s)" : "%s", p->name, p->coder);
        printf("%-28s %6.1f%%", name, share(p->bytes, container_size(file)));
        if (p->coder)
            printf(" %14s %7.3f", text_grouped(p->events, events), info_per(p->bytes, p->events));
        if (p->predicted >= 0)
            printf(" %8.1f%%", p->predicted);
        if (p->lost)
            printf("%*s", p->predicted >= 0 ? 11 : 21, text_grouped(p->lost, events));
        putchar('\n');
    }
}

/* ---- the rest ---- */

static void print_pools(const container *file)
{
    uint64_t high, max;
    bool any = false;
    for (size_t i = 0; i < INFO_POOLS; i++) {
        char used[32], of[32];
        if (!container_stats(file, info_pools[i].high, &high) || !container_stats(file, info_pools[i].max, &max))
            continue;
        if (!any)
            printf("\n%-28s %7s %14s %17s\n", "POOL", "FULL", "at most", "of");
        any = true;
        printf("%-28s %6.1f%% %14s %17s\n", info_pools[i].name, share(high, max), text_grouped(high, used),
               text_grouped(max, of));
    }
    if (container_stats(file, WEFT_STATS_REFUSED, &high) && high)
        printf("The sink refused %" PRIu64 " writes.\n", high);
}

static void print_addresses(const info_summary *sum)
{
    const derived_counts *d = &sum->derived;
    uint64_t all = d->recorded + d->derived + d->unknown;
    if (sum->with_derived && all)
        printf("\nAddresses: %.1f%% recorded, %.1f%% derived from the program, %.1f%% unknown.\n",
               share(d->recorded, all), share(d->derived, all), share(d->unknown, all));
    if (sum->packs)
        printf("\n%" PRIu64 " records of paths hold several each%s.\n", sum->packs,
               sum->packs_known ? "" : "; only --elf APP.elf says how many");
}

static void print_given_names(const container *file, unsigned columns)
{
    given_names names = {0};
    char line[400] = "", safe[120], text[160];
    given_names_read(&names, file);
    for (size_t i = 0; i < names.count && strlen(line) < columns; i++) {
        text_safe(safe, sizeof safe, names.all[i].text);
        snprintf(text, sizeof text, "%s %" PRIu32 " %s", names.all[i].number & 1 ? "event" : "context",
                 names.all[i].number / 2, safe);
        add(line, sizeof line, text);
    }
    if (line[0])
        text_line(stdout, columns, "\nNamed: ", line, "");
    given_names_free(&names);
}

void info_screen(const container *file, const info_summary *sum, unsigned columns)
{
    print_answer(file, sum, columns);
    print_about(file, sum, columns);
    print_parts(file, sum);
    print_pools(file);
    print_addresses(sum);
    print_given_names(file, columns);
    info_chosen_print(&sum->chosen);
    puts("\n`weft info ... | cat` shows all figures, `weft overview` what ran.");
}
