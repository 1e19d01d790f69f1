/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/machine.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/image/vectors.h"

/* ---- contexts ---- */

static const irq *irq_of(const report_data *d, uint32_t number)
{
    for (size_t i = 0; d->irqs && i < d->irqs->count; i++)
        if (d->irqs->all[i].number == number)
            return &d->irqs->all[i];
    return NULL;
}

/* The name that weft irq gives a handler, or a thread's; cut to `room`. */
static void report_context_name(const report_data *d, uint32_t number, char *text, size_t room)
{
    char name[VECTORS_NAME_MAX];
    const irq *known = irq_of(d, number);
    snprintf(text, room, "%s", known ? known->name : vectors_name(d->im, number, name));
}

static void put_context(const report_data *d, const context_line *one, const uint32_t *nodes, json *j)
{
    char name[120];
    const irq *known = irq_of(d, one->number);
    report_context_name(d, one->number, name, sizeof name);
    json_object(j, NULL);
    json_integer(j, "number", one->number);
    if (one->others)
        snprintf(name, sizeof name, "%" PRIu32 " others", d->run->contexts.every.count - CONTEXTS_MAX + 1);
    json_string(j, "name", name);
    json_integer(j, "self", (int64_t)one->cost);
    if (known && known->priority >= 0)
        json_integer(j, "priority", known->priority);
    json_integer(j, "deepest", one->deepest);
    json_integer(j, "deepest_node", (int64_t)nodes[one->deepest_node] - 1);
    json_integer(j, "deepest_at", (int64_t)one->deepest_at);
    json_end_object(j);
}

void report_contexts_put(const report_data *d, const uint32_t *nodes, json *j)
{
    json_array(j, "contexts");
    for (uint32_t i = 0; i < d->run->contexts.count; i++)
        put_context(d, &d->run->contexts.all[i], nodes, j);
    json_end_array(j);
    json_integer(j, "context_count", d->run->contexts.every.count);
}

/* ---- interrupts ---- */

/* [least, mean, most, when the longest was, standard deviation], in instructions or microseconds. */
static void put_figure(json *j, const char *key, const irq_figure *f, bool clocked)
{
    if (!f->count)
        return;
    if (clocked) {
        json_array(j, key);
        json_thousandths(j, NULL, f->min);
        json_thousandths(j, NULL, (uint64_t)irq_mean(f));
        json_thousandths(j, NULL, f->max);
        json_thousandths(j, NULL, f->max_at);
        json_thousandths(j, NULL, (uint64_t)irq_deviation(f));
        json_end_array(j);
        return;
    }
    json_array(j, key);
    json_integer(j, NULL, (int64_t)f->min);
    json_real(j, NULL, irq_mean(f));
    json_integer(j, NULL, (int64_t)f->max);
    json_integer(j, NULL, (int64_t)f->max_at);
    json_real(j, NULL, irq_deviation(f));
    json_end_array(j);
}

static void put_irq(const report_data *d, const irq *q, json *j)
{
    char name[120];
    json_object(j, NULL);
    json_integer(j, "number", q->number);
    json_string(j, "name", q->name);
    if (q->priority >= 0)
        json_integer(j, "priority", q->priority);
    json_integer(j, "count", (int64_t)q->count);
    put_figure(j, "time", &q->time, d->clock);
    put_figure(j, "own", &q->own, d->clock);
    put_figure(j, "interval", &q->interval, d->clock);
    put_figure(j, "latency", &q->latency, d->clock);
    json_array(j, "over");
    for (size_t i = 0; i < d->irqs->pair_count; i++)
        if (d->irqs->pair[i].by == q->number) {
            report_context_name(d, d->irqs->pair[i].over, name, sizeof name);
            json_string(j, NULL, name);
            json_integer(j, NULL, (int64_t)d->irqs->pair[i].count);
        }
    json_end_array(j);
    json_end_object(j);
}

void report_irqs_put(const report_data *d, json *j)
{
    if (!d->irqs)
        return;
    json_array(j, "interrupts");
    for (size_t i = 0; i < d->irqs->count; i++)
        put_irq(d, &d->irqs->all[i], j);
    json_end_array(j);
}

/* ---- stacks ---- */

enum { LINKS_FIRST = 8, LINKS_LAST = 24 }; /* of a chain; those between are left out */

static void put_link(const stack_link *link, json *j)
{
    json_array(j, NULL);
    json_string(j, NULL, link->function ? link->function : "");
    json_string(j, NULL, link->file ? link->file : "");
    json_integer(j, NULL, link->line);
    json_integer(j, NULL, link->bytes == STACK_UNKNOWN ? -1 : (int64_t)link->bytes);
    json_end_array(j);
}

void report_stacks_put(const report_data *d, json *j)
{
    if (!d->stacks)
        return;
    json_bool(j, "stacks_exact", !d->app);
    json_array(j, "stacks");
    for (size_t i = 0; i < d->stacks->count; i++) {
        const stack_use *use = &d->stacks->all[i];
        json_object(j, NULL);
        json_string(j, "name", use->name);
        json_integer(j, "bytes", (int64_t)use->bytes);
        json_integer(j, "own", (int64_t)use->own);
        json_integer(j, "at", (int64_t)use->at);
        json_integer(j, "links", (int64_t)use->link_count);
        json_array(j, "chain");
        for (size_t k = 0; k < use->link_count; k++)
            if (k < LINKS_FIRST || k + LINKS_LAST >= use->link_count)
                put_link(&use->link[k], j);
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
}

/* ---- device registers ---- */

enum { REGISTERS_SHOWN = 200 };

static void put_field(const device_field *f, json *j)
{
    const char *name = svd_value_name(f->field, f->last);
    json_array(j, NULL);
    json_string(j, NULL, f->field->name);
    json_integer(j, NULL, (int64_t)f->last);
    json_string(j, NULL, name ? name : "");
    json_integer(j, NULL, (int64_t)f->changes);
    json_end_array(j);
}

static void put_register(const device_register *r, json *j)
{
    json_object(j, NULL);
    json_string(j, "name", r->name);
    json_integer(j, "address", r->address);
    json_integer(j, "loads", (int64_t)r->loads);
    json_integer(j, "stores", (int64_t)r->stores);
    if (r->loaded_any)
        json_integer(j, "loaded", (int64_t)r->loaded);
    if (r->stored_any)
        json_integer(j, "stored", (int64_t)r->stored);
    json_array(j, "fields");
    for (size_t i = 0; r->is && i < r->is->field_count; i++)
        if (r->field[i].any)
            put_field(&r->field[i], j);
    json_end_array(j);
    json_end_object(j);
}

void report_devices_put(const report_data *d, json *j)
{
    if (!d->devices || !d->devices->count)
        return;
    json_integer(j, "registers_all", (int64_t)d->devices->count);
    json_array(j, "registers");
    for (size_t i = 0; i < d->devices->count && i < REGISTERS_SHOWN; i++)
        put_register(&d->devices->all[i], j);
    json_end_array(j);
}
