/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/irq.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/inspect/processor.h"

static void figure(irq_figure *f, uint64_t value, uint64_t at)
{
    if (!f->count || value < f->min)
        f->min = value;
    if (!f->count || value > f->max) {
        f->max = value;
        f->max_at = at;
    }
    f->count++;
    f->sum += value;
    f->squares += (double)value * (double)value;
}

double irq_mean(const irq_figure *f)
{
    return f->count ? (double)f->sum / (double)f->count : 0;
}

double irq_deviation(const irq_figure *f)
{
    double mean = irq_mean(f), variance = f->count ? f->squares / (double)f->count - mean * mean : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

static irq *irq_of(irqs *all, uint32_t number)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->all[i].number == number)
            return &all->all[i];
    all->all = memory_room(all->all, all->count, &all->max, sizeof *all->all);
    all->all[all->count] = (irq){.number = number, .priority = -1};
    return &all->all[all->count++];
}

static void pair(irqs *all, uint32_t over, uint32_t by)
{
    size_t i = 0;
    while (i < all->pair_count && (all->pair[i].over != over || all->pair[i].by != by))
        i++;
    if (i == all->pair_count) {
        all->pair = memory_room(all->pair, all->pair_count, &all->pair_max, sizeof *all->pair);
        all->pair[all->pair_count++] = (irq_pair){over, by, 0};
    }
    all->pair[i].count++;
}

/* A handler begins over context `over`. */
static irq *begin(irqs *all, uint32_t over, uint32_t number, uint64_t time, bool chained)
{
    irq *q = irq_of(all, number);
    q->count++;
    if (q->followed)
        figure(&q->interval, time - q->last, q->last);
    q->followed = true;
    q->last = time;
    q->chained += chained;
    if (!chained)
        pair(all, over, number);
    all->running = memory_room(all->running, all->depth, &all->running_max, sizeof *all->running);
    all->running[all->depth++] = (irq_running){number, time, 0};
    return q;
}

static void count_time(irqs *all, const irq_running *r, uint64_t time)
{
    irq *q = irq_of(all, r->number);
    figure(&q->time, time - r->began, r->began);
    figure(&q->own, time - r->began - r->nested, r->began);
}

/* The innermost handler ends. */
static irq_running end(irqs *all, uint64_t time)
{
    irq_running ended = all->running[--all->depth];
    if (all->depth)
        all->running[all->depth - 1].nested += time - ended.began;
    return ended;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = ((const irq *)a)->number, y = ((const irq *)b)->number;
    return x < y ? -1 : x > y;
}

static int by_pair(const void *a, const void *b)
{
    const irq_pair *x = a, *y = b;
    return x->over != y->over ? (x->over < y->over ? -1 : 1) : x->by < y->by ? -1 : x->by > y->by;
}

static void finish(irqs *all)
{
    all->unended = all->depth;
    if (all->count)
        qsort(all->all, all->count, sizeof *all->all, by_number);
    if (all->pair_count)
        qsort(all->pair, all->pair_count, sizeof *all->pair, by_pair);
}

void irqs_free(irqs *all)
{
    free(all->all);
    free(all->pair);
    free(all->running);
    *all = (irqs){0};
}

/* ---- full recordings ---- */

static void exception(irqs *all, processor *p, const full_event *event)
{
    uint64_t asked = event->entry ? p->pended[event->to] : PROCESSOR_NEVER;
    processor_feed(p, event);
    if (p->change == PROCESSOR_RETURNED || p->change == PROCESSOR_CHAINED) {
        size_t left = p->change == PROCESSOR_CHAINED ? p->depth - 1 : p->depth;
        while (all->depth > left) {
            irq_running ended = end(all, event->time);
            count_time(all, &ended, event->time);
        }
    }
    if (p->change == PROCESSOR_RETURNED)
        return;
    uint32_t over = p->contexts[p->depth > 1 ? p->active[p->depth - 2].context : p->thread].number;
    irq *q = begin(all, over, event->to, event->time, p->change == PROCESSOR_CHAINED);
    if (q->count == 1)
        vectors_name_from(p->im, event->to, event->pc, q->name, sizeof q->name);
    if (asked != PROCESSOR_NEVER)
        figure(&q->latency, event->time - asked - 1, asked);
}

void irqs_feed(irqs *all, processor *p, const full_event *event)
{
    all->total = event->time + 1;
    if (event->kind == FULL_EXCEPTION)
        exception(all, p, event);
    else
        processor_feed(p, event);
}

const char *irqs_full(irqs *out, full_reader *reader, const image *im)
{
    static full_event event;
    processor *p = processor_new(im);
    *out = (irqs){0};
    while (full_next(reader, &event) > 0) {
        irqs_feed(out, p, &event);
        out->accesses += event.kind == FULL_EXECUTED ? event.access_count : 0;
        if (!(event.time & 0xfffff))
            progress_show(event.time, "instructions");
    }
    progress_end();
    for (size_t i = 0; i < out->count; i++)
        out->all[i].priority = p->priority[out->all[i].number];
    finish(out);
    processor_free(p);
    return full_error(reader);
}

/* ---- recordings with probes ---- */

typedef struct listening {
    const functions *tables;
    irqs *all;
    const image *im;
    uint32_t depth[PROCESSOR_EXCEPTIONS]; /* activations of each exception's context */
    uint32_t thread;                      /* context that ran last below the handlers */
    irq_running *ended; /* at `time`; not counted yet, since a gap ends all activations before it is reported */
    size_t ended_count, ended_max;
    uint64_t time;
} listening;

static void count_ended(listening *l)
{
    for (size_t i = 0; i < l->ended_count; i++)
        count_time(l->all, &l->ended[i], l->time);
    l->ended_count = 0;
}

static void entered(void *own, const functions_moment *at, uint32_t function)
{
    listening *l = own;
    uint32_t context = at->context;
    count_ended(l);
    if (context == 0 || context >= PROCESSOR_EXCEPTIONS) {
        l->thread = context;
        return;
    }
    if (l->depth[context]++)
        return;
    irqs *all = l->all;
    uint32_t over = all->depth ? all->running[all->depth - 1].number : l->thread;
    irq *q = begin(all, over, context, at->time, false);
    if (q->count > 1)
        return;
    uint32_t vector = vectors_word(l->im, context);
    vectors_name_from(l->im, context, vector, q->name, sizeof q->name);
    if (!vector && context >= 16) /* what the architecture does not name */
        snprintf(q->name, sizeof q->name, "%s", l->tables->all[function].name);
}

static void left(void *own, const functions_moment *at, uint32_t function)
{
    listening *l = own;
    uint32_t context = at->context;
    uint64_t time = at->time;
    (void)function;
    if (context == 0 || context >= PROCESSOR_EXCEPTIONS || !l->depth[context] || --l->depth[context])
        return;
    if (time != l->time)
        count_ended(l);
    l->time = time;
    size_t i = l->all->depth;
    while (i && l->all->running[i - 1].number != context)
        i--;
    while (i && l->all->depth >= i) {
        l->ended = memory_room(l->ended, l->ended_count, &l->ended_max, sizeof *l->ended);
        l->ended[l->ended_count++] = end(l->all, time);
    }
}

static void missing(void *own, const functions_moment *at, const functions_loss *loss)
{
    listening *l = own;
    (void)loss;
    if (at->time != l->time)
        count_ended(l);
    l->ended_count = 0;
    l->all->depth = 0; /* what ran has ended, and it is not known when */
    for (size_t i = 0; i < l->all->count; i++)
        l->all->all[i].followed = false; /* it may have come in between, or the next one is of another recording */
    for (uint32_t i = 0; i < PROCESSOR_EXCEPTIONS; i++)
        l->depth[i] = 0;
}

const char *irqs_probes(irqs *out, const container *file, program *app, bool clocked, functions_seen *seen)
{
    functions *all = functions_new();
    listening l = {.tables = all, .all = out, .im = program_image(app)};
    *out = (irqs){0};
    functions_of_program(all, app);
    functions_listen(all, (functions_listener){.own = &l, .enter = entered, .leave = left, .gap = missing});
    const char *error = functions_feed(all, file, app, (functions_choice){.clocked = clocked}, seen);
    count_ended(&l);
    free(l.ended);
    out->total = all->total;
    functions_free(all); /* without functions_finish: what has not ended is not counted */
    finish(out);
    return error;
}
