/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/labels.h"
#include "tools/lib/fleet/matching.h"
#include "tools/lib/fleet/questions.h"

/* ---- functions ---- */

typedef struct changes {
    fleet_change *all;
    size_t count, max;
    matching same;
    uint32_t *place; /* by number of the function: in all, + 1 */
    size_t place_max;
} changes;

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static fleet_change *change_of(changes *c, const descriptor_function *f)
{
    unsigned parts;
    uint32_t number = matching_of(&c->same, f, &parts);
    size_t room = c->place_max;
    c->place = memory_room(c->place, number, &c->place_max, sizeof *c->place);
    memset(c->place + room, 0, (c->place_max - room) * sizeof *c->place);
    if (!c->place[number]) {
        c->all = memory_room(c->all, c->count, &c->max, sizeof *c->all);
        c->all[c->count] = (fleet_change){.name = f->name, .file = f->file, .parts = parts};
        c->place[number] = (uint32_t)++c->count;
    }
    return &c->all[c->place[number] - 1];
}

static bool is_of(const fleet_change *c, const descriptor_function *f)
{
    return same_text(c->name, f->name) && (c->file && f->file) == (c->file || f->file) &&
           (!f->file || !strcmp(matching_tail(c->file, c->parts), matching_tail(f->file, c->parts)));
}

static void add_side(changes *c, const merged *all, const fleet_images *images, const char *wanted, bool later)
{
    for (size_t g = 0; g < all->group_count; g++) {
        const merged_group *from = all->group[g];
        const descriptors *known = images->known[from->image];
        if (!known || !labels_have(from->labels, wanted))
            continue;
        for (uint32_t i = 0; i < from->functions.count; i++) {
            const merged_function *f = &from->function[i];
            if (f->function >= known->count)
                continue;
            const descriptor_function *d = &known->function[f->function];
            fleet_change *to = change_of(c, d);
            welch_sums *sums = later ? &to->after : &to->before;
            *(later ? &to->line_after : &to->line_before) = d->first_line ? d->first_line : 1;
            sums->recordings += f->recordings;
            sums->calls += f->calls;
            sums->cost += f->self;
            sums->calls_squares += f->calls_squares;
            sums->cost_squares += f->self_squares;
            sums->cross += f->cross;
        }
    }
}

/* Recordings of a group whose calls and costs are not known. */
static uint64_t unpriced(const merged_group *g, const fleet_images *images)
{
    return images->known[g->image] ? g->totals.recordings - g->totals.priced : g->totals.recordings;
}

static uint64_t unpriced_with(const merged *all, const fleet_images *images, const char *wanted)
{
    uint64_t count = 0;
    for (size_t g = 0; g < all->group_count; g++)
        count += labels_have(all->group[g]->labels, wanted) ? unpriced(all->group[g], images) : 0;
    return count;
}

uint64_t fleet_unpriced(const merged *all, const fleet_images *images, const char *before, const char *after)
{
    uint64_t count = 0;
    for (size_t g = 0; g < all->group_count; g++)
        if (labels_have(all->group[g]->labels, before) || labels_have(all->group[g]->labels, after))
            count += unpriced(all->group[g], images);
    return count;
}

const char *fleet_verdict(const fleet_change *c, double chance)
{
    if (!c->unsure && (!c->line_before || !c->line_after))
        return c->line_before ? "gone" : "new";
    if (!c->result.tested)
        return "untested";
    return c->p >= chance ? "same" : c->result.after > c->result.before ? "slower" : "faster";
}

static double weight(const fleet_change *c)
{
    double change = fabs(c->result.after - c->result.before) * (double)(c->after.calls < 1 ? 1 : c->after.calls);
    return isnan(change) ? 0 : change;
}

static int by_p(const void *a, const void *b)
{
    const fleet_change *x = a, *y = b;
    double left = isnan(x->p) ? 2 : x->p, right = isnan(y->p) ? 2 : y->p;
    if (left != right)
        return left < right ? -1 : 1;
    if (weight(x) != weight(y))
        return weight(x) < weight(y) ? 1 : -1;
    int names = strcmp(x->name ? x->name : "", y->name ? y->name : "");
    return names ? names : strcmp(x->file ? x->file : "", y->file ? y->file : "");
}

fleet_change *fleet_compare(const merged *all, const fleet_images *images, const char *before, const char *after,
                            size_t *count)
{
    changes c = {0};
    matching_make(&c.same, images);
    add_side(&c, all, images, before, false);
    add_side(&c, all, images, after, true);
    double *p = memory_zero(c.count + 1, sizeof *p);
    for (size_t i = 0; i < c.count; i++) {
        c.all[i].result = welch_compare(&c.all[i].before, &c.all[i].after);
        p[i] = c.all[i].result.p;
    }
    welch_holm(p, c.count);
    bool less_before = unpriced_with(all, images, before), less_after = unpriced_with(all, images, after);
    for (size_t i = 0; i < c.count; i++) {
        c.all[i].p = p[i];
        c.all[i].unsure = (!c.all[i].line_before && less_before) || (!c.all[i].line_after && less_after);
    }
    free(p);
    free(c.place);
    matching_free(&c.same);
    if (c.count)
        qsort(c.all, c.count, sizeof *c.all, by_p);
    *count = c.count;
    return c.all;
}

/* ---- paths ---- */

typedef struct shapes {
    fleet_path_change *all;
    size_t max;
    texts lines; /* of each, from the function's first line on */
} shapes;

/* The lines of a path from its function's first one on, as a text; from malloc. */
static char *shape_of(const descriptors *known, const descriptor_function *f, uint32_t path)
{
    enum { DIGITS = 9 };
    size_t count = fleet_path_lines(known, path, NULL, 0);
    descriptor_line *lines = memory_zero(count + 1, sizeof *lines);
    char *text = memory_zero(count + 1, DIGITS);
    count = fleet_path_lines(known, path, lines, count);
    for (size_t i = 0, at = 0; i < count; i++)
        at += (size_t)snprintf(text + at, DIGITS + 1, "%" PRIx32 " ", lines[i].line - f->first_line);
    free(lines);
    return text;
}

static fleet_path_change *path_of(shapes *s, const char *shape)
{
    size_t count = s->lines.count;
    uint32_t number = texts_of(&s->lines, shape, strlen(shape));
    if (s->lines.count > count) {
        s->all = memory_room(s->all, number, &s->max, sizeof *s->all);
        s->all[number] = (fleet_path_change){0};
    }
    return &s->all[number];
}

/* Groups of a version that count here: paths and calls are of the same recordings. */
static bool counts(const merged_group *g, const fleet_images *images, const char *wanted)
{
    return !unpriced(g, images) && labels_have(g->labels, wanted);
}

static double calls_of(const merged *all, const fleet_images *images, const char *wanted, const fleet_change *of)
{
    double calls = 0;
    for (size_t g = 0; g < all->group_count; g++) {
        const merged_group *from = all->group[g];
        const descriptors *known = images->known[from->image];
        for (uint32_t i = 0; counts(from, images, wanted) && i < from->functions.count; i++) {
            const merged_function *f = &from->function[i];
            if (f->function < known->count && is_of(of, &known->function[f->function]))
                calls += (double)f->calls;
        }
    }
    return calls > 0 ? calls : 1;
}

static void add_paths(shapes *s, const merged *all, const fleet_images *images, const char *wanted,
                      const fleet_change *of, bool later)
{
    double calls = calls_of(all, images, wanted, of);
    for (size_t g = 0; g < all->group_count; g++) {
        const merged_group *from = all->group[g];
        const descriptors *known = images->known[from->image];
        for (uint32_t i = 0; counts(from, images, wanted) && i < from->paths.count; i++) {
            const merged_path *p = &from->path[i];
            const descriptor_function *f = descriptors_of_path(known, p->path);
            if (!f || !is_of(of, f))
                continue;
            char *shape = shape_of(known, f, p->path);
            fleet_path_change *to = path_of(s, shape);
            free(shape);
            *(later ? &to->after : &to->before) += (double)p->count / calls;
            *(later ? &to->price_after : &to->price_before) = p->price ? p->price : 1;
            to->path = p->path;
            to->of_before = !later;
        }
    }
}

/* What the path adds to the change of its function, in instructions per call. */
static double path_weight(const fleet_path_change *c)
{
    double before = c->price_before ? c->before * (c->price_before - 1) : 0;
    double after = c->price_after ? c->after * (c->price_after - 1) : 0;
    return fabs(after - before);
}

static int by_weight(const void *a, const void *b)
{
    const fleet_path_change *x = a, *y = b;
    double left = path_weight(x), right = path_weight(y);
    return left != right ? (left < right ? 1 : -1) : x->path < y->path ? -1 : x->path > y->path;
}

fleet_path_change *fleet_compare_paths(const merged *all, const fleet_images *images, const char *before,
                                       const char *after, const fleet_change *function, size_t *count)
{
    shapes s = {0};
    add_paths(&s, all, images, before, function, false);
    add_paths(&s, all, images, after, function, true);
    *count = s.lines.count;
    if (*count)
        qsort(s.all, *count, sizeof *s.all, by_weight);
    texts_free(&s.lines);
    return s.all;
}
