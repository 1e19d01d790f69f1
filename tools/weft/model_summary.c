/* SPDX-License-Identifier: MIT */
/* One line per object and site:
 *
 *     OBJECT[FROM..TO]  FUNCTION, FILE:LINE: load `TEXT`  SHARE %  in steps of 4
 *
 * FROM and TO are the lowest and the highest byte accessed. Where no object holds the first access, as on the stack,
 * the range of addresses stands there. */
#include "tools/weft/model_summary.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"

enum { TEXT = 160, STEPS_SHOWN = 4, OBJECT_WIDTH = 32, PLACE_WIDTH = 56 };

/* What is printed of one site. */
typedef struct line {
    char object[TEXT], place[TEXT], walk[TEXT];
    uint64_t accesses;
} line;

typedef struct extent {
    int64_t low, high; /* first byte of the lowest, last byte of the highest access */
} extent;

/* A text that grows in a buffer of TEXT bytes; what does not fit is left out. */
static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list more;
    va_start(more, format);
    vsnprintf(text + used, TEXT - used, format, more);
    va_end(more);
}

/* Text from the program. */
static void add_foreign(char *text, const char *foreign)
{
    size_t used = strlen(text);
    text_safe(text + used, TEXT - used, foreign);
}

static extent extent_of(const site_stream *s)
{
    extent e = {s->number[0], s->number[0]};
    for (size_t i = 1; i < s->count; i++) {
        e.low = s->number[i] < e.low ? s->number[i] : e.low;
        e.high = s->number[i] > e.high ? s->number[i] : e.high;
    }
    e.high += s->size ? s->size - 1 : 0;
    return e;
}

/* ---- the object ---- */

static void describe_object(char *text, const program *app, const model_site *s)
{
    extent e = extent_of(s->stream);
    uint32_t low = 0, high = 0;
    const char *from = program_symbol(app, (uint32_t)e.low, &low), *to = program_symbol(app, (uint32_t)e.high, &high);
    if (!from || !to) {
        add(text, "0x%" PRIx64 "..0x%" PRIx64, (uint64_t)e.low, (uint64_t)e.high);
        return;
    }
    add_foreign(text, from);
    if (from == to && low == high)
        add(text, "[%" PRIu32 "]", low);
    else if (from == to)
        add(text, "[%" PRIu32 "..%" PRIu32 "]", low, high);
    else {
        add(text, "[%" PRIu32 "]..", low);
        add_foreign(text, to);
        add(text, "[%" PRIu32 "]", high);
    }
}

/* ---- the place ---- */

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void describe_place(char *text, const model_site *s)
{
    if (s->function)
        add_foreign(text, s->function->name);
    else
        add(text, "site %" PRIu32, s->stream->site);
    if (s->site && s->site->place.line) {
        add(text, ", ");
        add_foreign(text, base_name(s->site->place.file));
        add(text, ":%" PRIu32, s->site->place.line);
    }
    add(text, ": %s", s->stream->store ? "store" : "load");
    if (s->site && s->site->text && *s->site->text) {
        add(text, " `");
        add_foreign(text, s->site->text);
        add(text, "`");
    }
}

/* ---- the walk ---- */

/* "in steps of 4", "in 3 loops, steps 512, 16, 1, rectangular". */
static void describe_loops(char *text, const affine_nest *nest)
{
    if (nest->depth == 1 && !nest->level[0].coefficient) {
        add(text, "always the same address");
        return;
    }
    if (nest->depth == 1) {
        add(text, "in steps of %" PRId64, nest->level[0].coefficient);
        return;
    }
    add(text, "in %u loops, steps ", nest->depth);
    for (unsigned l = 0; l < nest->depth && l < STEPS_SHOWN; l++)
        add(text, "%s%" PRId64, l ? ", " : "", nest->level[l].coefficient);
    add(text, "%s, %s", nest->depth > STEPS_SHOWN ? ", ..." : "", model_site_shape(nest));
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static const affine_nest *longest_loops(const model *m)
{
    const affine_nest *longest = NULL;
    for (size_t i = 0; i < m->nests; i++)
        if (m->nest[i].depth && (!longest || m->nest[i].accesses > longest->accesses))
            longest = &m->nest[i];
    return longest;
}

static void describe_walk(char *text, const model_site *s)
{
    uint64_t affine = model_affine(&s->model);
    if (s->stream->count == 1)
        add(text, "once");
    else if (!affine)
        add(text, "irregular");
    else if (s->model.nests == 1)
        describe_loops(text, s->longest);
    else {
        add(text, "irregular, %.0f %% in %zu nests, ", percent(affine, s->stream->count), s->model.nests);
        add(text, "the longest ");
        describe_loops(text, longest_loops(&s->model));
    }
}

/* ---- the lines ---- */

/* The sites with most accesses first, then in the order of the program. */
static int by_share(const void *left, const void *right)
{
    const model_site *a = left, *b = right;
    if (a->stream->count != b->stream->count)
        return a->stream->count > b->stream->count ? -1 : 1;
    return a->stream->site < b->stream->site ? -1 : a->stream->site > b->stream->site;
}

/* Cuts a text that is wider than its column. Returns the larger width. Columns count bytes: foreign text is ASCII
 * mostly. */
static size_t fit(size_t width, char *text, size_t most)
{
    size_t length = strlen(text);
    if (length > most) {
        strcpy(text + most - 2, "..");
        length = most;
    }
    return length > width ? length : width;
}

static void print_lines(line *all, size_t count, uint64_t accesses)
{
    size_t object = strlen("OBJECT"), place = strlen("SITE");
    for (size_t i = 0; i < count; i++) {
        object = fit(object, all[i].object, OBJECT_WIDTH);
        place = fit(place, all[i].place, PLACE_WIDTH);
    }
    printf("%-*s  %-*s  %8s  %s\n", (int)object, "OBJECT", (int)place, "SITE", "SHARE", "WALKED");
    for (size_t i = 0; i < count; i++)
        printf("%-*s  %-*s  %6.2f %%  %s\n", (int)object, all[i].object, (int)place, all[i].place,
               percent(all[i].accesses, accesses), all[i].walk);
}

void model_summary(const program *app, model_site *site, size_t sites, unsigned top)
{
    size_t shown = top && top < sites ? top : sites;
    uint64_t accesses = 0, affine = 0, in_lines = 0;
    line *all = memory_zero(shown, sizeof *all);
    if (sites)
        qsort(site, sites, sizeof *site, by_share);
    for (size_t i = 0; i < sites; i++) {
        accesses += site[i].stream->count;
        affine += model_affine(&site[i].model);
    }
    for (size_t i = 0; i < shown; i++) {
        describe_object(all[i].object, app, &site[i]);
        describe_place(all[i].place, &site[i]);
        describe_walk(all[i].walk, &site[i]);
        all[i].accesses = site[i].stream->count;
        in_lines += all[i].accesses;
    }
    printf("%.1f %% of all accesses are in loops: %" PRIu64 " of %" PRIu64 ", at %zu sites.\n\n",
           percent(affine, accesses), affine, accesses, sites);
    print_lines(all, shown, accesses);
    if (shown < sites)
        printf("\nThese are %.1f %% of all accesses. The other %zu sites: --top 0. ", percent(in_lines, accesses),
               sites - shown);
    printf("%sThe loops of each site: --nests.\n", shown < sites ? "" : "\n");
    free(all);
}
