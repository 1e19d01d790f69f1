/* SPDX-License-Identifier: MIT */
/* One line per object and site:
 *
 *     OBJECT  FUNCTION:LINE load TEXT  SHARE  16, 0, 1 x 4 B
 *
 * OBJECT is from the lowest to the highest byte accessed. */
#include "tools/weft/model_summary.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/weft/command.h"
#include "tools/weft/model_object.h"

enum { TEXT = 160, STEPS_SHOWN = 4 };

/* What is printed of one site. */
typedef struct line {
    char object[TEXT], function[TEXT], access[TEXT], walk[TEXT]; /* access: ":19 load a[i]" */
    uint64_t accesses;
} line;

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

/* ---- the place ---- */

static void describe_function(char *text, const model_site *s)
{
    if (s->place.function)
        add_foreign(text, s->place.function);
    else
        add(text, "site %" PRIu32, s->is.site);
}

static void describe_access(char *text, const model_site *s)
{
    if (s->place.line)
        add(text, ":%" PRIu32, s->place.line);
    add(text, s->is.store ? " store" : " load");
    if (s->place.text && *s->place.text) {
        add(text, " ");
        add_foreign(text, s->place.text);
    }
}

/* ---- the walk ---- */

static bool in_elements(const affine_nest *nest, int64_t size)
{
    for (unsigned l = 0; l < nest->depth; l++)
        if (nest->level[l].coefficient % size)
            return false;
    return size > 1;
}

/* "16, 0, 1 x 4 B": the steps of the loops, outermost first, in elements; "3 B": in bytes. */
static void describe_loops(char *text, const affine_nest *nest, uint32_t size)
{
    bool elements = in_elements(nest, size ? size : 1);
    if (nest->depth == 1 && !nest->level[0].coefficient) {
        add(text, "same address");
        return;
    }
    for (unsigned l = 0; l < nest->depth && l < STEPS_SHOWN; l++)
        add(text, "%s%" PRId64, l ? ", " : "", nest->level[l].coefficient / (elements ? (int64_t)size : 1));
    add(text, "%s", nest->depth > STEPS_SHOWN ? ", ..." : "");
    if (elements)
        add(text, " x %" PRIu32 " B", size);
    else
        add(text, " B");
    if (nest->depth > 1 && strcmp(model_site_shape(nest), "rectangular"))
        add(text, ", %s", model_site_shape(nest));
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void describe_walk(char *text, const model_site *s)
{
    if (s->accesses == 1)
        add(text, "once");
    else if (!s->affine)
        add(text, "irregular");
    else {
        if (s->nests > 1)
            add(text, "%.0f%%: ", percent(s->affine, s->accesses));
        describe_loops(text, &s->loops, s->is.size);
    }
}

/* ---- the lines ---- */

/* The sites with most accesses first, then in the order of the program. */
static int by_share(const void *left, const void *right)
{
    const model_site *a = left, *b = right;
    if (a->accesses != b->accesses)
        return a->accesses > b->accesses ? -1 : 1;
    return a->is.site < b->is.site ? -1 : a->is.site > b->is.site;
}

typedef struct widths {
    size_t object, place, walk;
} widths;

/* Columns count bytes: foreign text is ASCII mostly. */
static size_t wider(size_t width, size_t length)
{
    return length > width ? length : width;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Natural widths where they fit. Else the walk gets a quarter of the room, and the object two fifths of the rest. */
static widths fit(const line *all, size_t count, size_t room)
{
    widths w = {strlen("OBJECT"), strlen("SITE"), strlen("STEPS")};
    for (size_t i = 0; i < count; i++) {
        w.object = wider(w.object, strlen(all[i].object));
        w.place = wider(w.place, strlen(all[i].function) + strlen(all[i].access));
        w.walk = wider(w.walk, strlen(all[i].walk));
    }
    if (w.object + w.place + w.walk <= room)
        return w;
    w.walk = least(w.walk, room / 4 + 3);
    w.object = least(w.object, (room - w.walk) * 2 / 5);
    w.place = least(w.place, room - w.walk - w.object);
    return w;
}

static void cut(char *text, size_t width)
{
    if (strlen(text) > width)
        strcpy(text + width - 2, "..");
}

/* The access says more than the function: as much of that goes as has to, down to a few letters. */
static void cut_place(line *l, size_t width)
{
    enum { LETTERS = 10 };
    size_t access = strlen(l->access), letters = access + LETTERS < width ? width - access : LETTERS;
    cut(l->function, letters);
    cut(l->access, width - strlen(l->function));
}

static void print_lines(line *all, size_t count, uint64_t accesses)
{
    enum { SHARE = sizeof "  " - 1 + sizeof "  100.0%  " - 1 };
    widths w = fit(all, count, command_columns() - SHARE);
    printf("%-*s  %-*s   SHARE  STEPS\n", (int)w.object, "OBJECT", (int)w.place, "SITE");
    for (size_t i = 0; i < count; i++) {
        line *l = &all[i];
        cut(l->object, w.object);
        cut_place(l, w.place);
        cut(l->walk, w.walk);
        printf("%-*s  %s%-*s  %5.1f%%  %s\n", (int)w.object, l->object, l->function,
               (int)(w.place - strlen(l->function)), l->access, percent(l->accesses, accesses), l->walk);
    }
}

void model_summary(const model_places *places, model_site *site, size_t sites, unsigned top)
{
    size_t shown = top && top < sites ? top : sites;
    uint64_t accesses = 0, affine = 0, in_lines = 0;
    line *all = memory_zero(shown, sizeof *all);
    model_objects *objects = model_objects_open(places->im);
    if (sites)
        qsort(site, sites, sizeof *site, by_share);
    for (size_t i = 0; i < sites; i++) {
        accesses += site[i].accesses;
        affine += site[i].affine;
    }
    for (size_t i = 0; i < shown; i++) {
        uint32_t size = site[i].is.size;
        model_objects_name(objects, site[i].low, site[i].high + (size ? size - 1 : 0), size, all[i].object, TEXT);
        describe_function(all[i].function, &site[i]);
        describe_access(all[i].access, &site[i]);
        describe_walk(all[i].walk, &site[i]);
        all[i].accesses = site[i].accesses;
        in_lines += all[i].accesses;
    }
    printf("%.1f%% of %" PRIu64 " accesses are in loops with constant steps; %zu sites.\n\n", percent(affine, accesses),
           accesses, sites);
    print_lines(all, shown, accesses);
    putchar('\n');
    if (shown < sites)
        printf("These are %.1f%% of all accesses. --top 0 shows the other %zu sites.\n", percent(in_lines, accesses),
               sites - shown);
    puts("--nests shows the loops of each site.");
    model_objects_close(objects);
    free(all);
}
