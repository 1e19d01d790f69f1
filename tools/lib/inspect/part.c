/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/part.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/inspect/part_reading.h"

/* ---- rows ---- */

static int by_key(const void *a, const void *b)
{
    const part_row *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Sorts rows and adds up those of one thing. */
static void sort_rows(part_side *s)
{
    size_t kept = 0;
    if (s->row_count)
        qsort(s->row, s->row_count, sizeof *s->row, by_key);
    for (size_t i = 0; i < s->row_count; i++) {
        part_row *last = kept ? &s->row[kept - 1] : NULL;
        if (!last || by_key(last, &s->row[i])) {
            s->row[kept++] = s->row[i];
            continue;
        }
        for (unsigned v = 0; v < 3; v++)
            last->value[v] += s->row[i].value[v];
        free(s->row[i].name);
    }
    s->row_count = kept;
}

/* Reading a side, maybe in a thread of its own. */
typedef struct task {
    part_side *s;
    part_window **windows;
    size_t count;
} task;

static void *read_side(void *own)
{
    const task *t = own;
    t->s->failed =
        t->s->app ? part_read_probes(t->s, t->windows, t->count) : part_read_full(t->s, t->windows, t->count);
    return NULL;
}

static void read_both(task *a, task *b)
{
    pthread_t second;
    bool parallel = !a->s->app && !b->s->app;
    a->s->shown = true;
    b->s->shown = false;
    parallel = parallel && pthread_create(&second, NULL, read_side, b) == 0;
    read_side(a);
    if (parallel)
        pthread_join(second, NULL);
    else
        read_side(b);
}

void part_read_both(part_side *a, part_side *b)
{
    task first = {a, NULL, 0}, second = {b, NULL, 0};
    read_both(&first, &second);
    sort_rows(a);
    sort_rows(b);
}

static double value_of(const part_row *row, unsigned at)
{
    return row ? row->value[at] : 0;
}

/* By how much two rows differ. */
static double weigh(part_kind kind, const part_row *a, const part_row *b)
{
    double weight = 0;
    if (kind == PART_ACCESS)
        return fabs(value_of(a, 0) - value_of(b, 0)) + fabs(value_of(a, 1) - value_of(b, 1));
    for (unsigned v = kind == PART_LATENCY; v < 3; v++)
        weight = fmax(weight, fabs(value_of(a, v) - value_of(b, v)));
    return fmax(weight, fabs(value_of(a, 0) - value_of(b, 0)));
}

static void add_difference(part_result *r, const part_row *a, const part_row *b)
{
    part_difference d = {.kind = a ? a->kind : b->kind, .a = a, .b = b};
    d.weight = weigh(d.kind, a, b);
    if (d.weight <= 0)
        return;
    r->row = memory_room(r->row, r->row_count, &r->row_max, sizeof *r->row);
    r->row[r->row_count++] = d;
}

static int by_weight(const void *a, const void *b)
{
    const part_difference *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return strcmp((x->a ? x->a : x->b)->name, (y->a ? y->a : y->b)->name);
}

static void compare_rows(part_result *r, const part_side *a, const part_side *b)
{
    for (size_t i = 0, k = 0; i < a->row_count || k < b->row_count;) {
        int order = i == a->row_count ? 1 : k == b->row_count ? -1 : by_key(&a->row[i], &b->row[k]);
        add_difference(r, order <= 0 ? &a->row[i] : NULL, order >= 0 ? &b->row[k] : NULL);
        i += order <= 0;
        k += order >= 0;
    }
    if (r->row_count)
        qsort(r->row, r->row_count, sizeof *r->row, by_weight);
}

/* ---- contexts ---- */

static const trail *trail_in(const part_side *s, uint32_t context)
{
    for (size_t i = 0; i < s->trails.count; i++)
        if (s->trails.all[i].context == context)
            return &s->trails.all[i];
    return NULL;
}

static void add_context(part_result *r, const part_side *a, const part_side *b, uint32_t number)
{
    static const trail none = {.every = 1};
    const trail *x = trail_in(a, number), *y = trail_in(b, number);
    x = x ? x : &none;
    y = y ? y : &none;
    part_context c = {.number = number, .a = x->count, .b = y->count};
    uint64_t to = 0;
    c.cut = a->late != b->late; /* they do not begin at the same place */
    c.parts = !c.cut && trails_part(x, y, &c.from, &to);
    c.common = c.cut ? 0 : c.parts ? c.from : x->count;
    for (unsigned side = 0; side < 2 && c.parts; side++) {
        uint64_t end = side ? c.b : c.a; /* later ones are from after a gap */
        c.at[side] = (part_window){.context = number,
                                   .from = c.from > PART_AROUND ? c.from - PART_AROUND : 0,
                                   .to = to + PART_AROUND < end ? to + PART_AROUND : end};
    }
    r->context = memory_room(r->context, r->count, &r->max, sizeof *r->context);
    r->context[r->count++] = c;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = ((const part_context *)a)->number, y = ((const part_context *)b)->number;
    return x < y ? -1 : x > y;
}

void part_compare(part_result *r, const part_side *a, const part_side *b)
{
    *r = (part_result){0};
    for (size_t i = 0; i < a->trails.count; i++)
        add_context(r, a, b, a->trails.all[i].context);
    for (size_t i = 0; i < b->trails.count; i++)
        if (!trail_in(a, b->trails.all[i].context))
            add_context(r, a, b, b->trails.all[i].context);
    if (r->count)
        qsort(r->context, r->count, sizeof *r->context, by_number);
    compare_rows(r, a, b);
}

const part_step *part_step_at(const part_window *w, uint64_t index)
{
    return index >= w->from && index - w->from < w->count ? &w->step[index - w->from] : NULL;
}

static void find_exactly(part_context *c, const part_side *a, const part_side *b)
{
    const part_step *x, *y;
    c->common = c->from;
    while ((x = part_step_at(&c->at[0], c->common)) && (y = part_step_at(&c->at[1], c->common)) &&
           x->element == y->element)
        c->common++;
    c->cut = (a->cut && c->common == c->a) || (b->cut && c->common == c->b);
    c->parts = !c->cut;
}

/* A side that is read again, for the windows of contexts that part. The trails count elements again. */
static task task_again(const part_result *r, part_side *again, const part_side *s, unsigned side)
{
    task t = {again, memory_zero(r->count + 1, sizeof *t.windows), 0};
    for (size_t i = 0; i < r->count; i++)
        if (r->context[i].parts)
            t.windows[t.count++] = &r->context[i].at[side];
    *again = *s;
    again->trails = (trails){0};
    again->elements = 0;
    return t;
}

const char *part_locate(part_result *r, part_side *a, part_side *b)
{
    part_side again[2];
    task first = task_again(r, &again[0], a, 0), second = task_again(r, &again[1], b, 1);
    const char *error = NULL;
    if (first.count) {
        read_both(&first, &second);
        error = again[0].failed ? again[0].failed : again[1].failed;
    }
    trails_free(&again[0].trails);
    trails_free(&again[1].trails);
    free(first.windows);
    free(second.windows);
    for (size_t i = 0; i < r->count; i++) {
        if (r->context[i].parts)
            find_exactly(&r->context[i], a, b);
        r->common += r->context[i].common;
    }
    return error;
}

const part_context *part_first(const part_result *r)
{
    const part_context *first = NULL;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < r->count; i++) {
        const part_context *c = &r->context[i];
        if (!c->parts)
            continue;
        const part_step *step = part_step_at(&c->at[0], c->common);
        uint64_t time = step ? step->time : UINT64_MAX - 1;
        if (time >= least)
            continue;
        least = time;
        first = c;
    }
    return first;
}

/* ---- the end ---- */

void part_side_free(part_side *s)
{
    for (size_t i = 0; i < s->row_count; i++)
        free(s->row[i].name);
    free(s->row);
    trails_free(&s->trails);
}

void part_result_free(part_result *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->context[i].at[0].step);
        free(r->context[i].at[1].step);
    }
    free(r->context);
    free(r->row);
}
