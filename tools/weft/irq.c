/* SPDX-License-Identifier: MIT */
/* weft irq: counts, durations, latencies and pre-emption of interrupts. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/inspect/irq.h"
#include "tools/weft/clocked.h"
#include "tools/weft/command.h"
#include "tools/weft/inspected.h"

static const char help[] =
    "usage: weft irq [--context NAME] [--function NAME] [--unit U] [--json] [--elf APP.elf] IN\n\n"
    "Each interrupt and exception that was handled: how often, how long (shortest, mean, longest; with and without\n"
    "the handlers that interrupted it), how regularly, how late, and who interrupted whom. Times are instructions,\n"
    "or microseconds where a recording with probes has a clock.\n\n"
    "  --elf APP.elf    the image that was traced (default: beside IN); names come from its vector table\n"
    "  --context NAME   only that handler; by number, external interrupt n is 16 + n\n"
    "  --function NAME  only the handler that is this function\n"
    "  --unit U         instructions, or us\n"
    "  --summary        lines within the terminal's width in a pipe, too\n"
    "  --json           one JSON object: unit, total, interrupts (number, name, priority, count, time, own, interval,\n"
    "                   jitter, latency), preemption (over, by, their names, count)\n\n"
    "Latency is known in full recordings (weft capture --full) and .wet files, and there for requests that the\n"
    "program made itself (PendSV, pending bits of SysTick and NVIC, STIR): no recording says when a device asked. "
    "With\n"
    "probes, times are those of functions with probes.\n";

static const irq *irq_named(const irqs *all, uint32_t number)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->all[i].number == number)
            return &all->all[i];
    return NULL;
}

static const char *context_text(const irqs *all, const image *im, uint32_t number, char text[VECTORS_NAME_MAX])
{
    const irq *q = irq_named(all, number);
    return q ? q->name : vectors_name(im, number, text);
}

/* ---- lines for people ---- */

/* Where a table's head names the last column, as on a terminal, that is a number; in a pipe it says what it is. */
static void print_moment(FILE *out, uint64_t at, bool clocked, bool table)
{
    fputs(table ? "" : "   longest after ", out);
    if (clocked)
        fprintf(out, "%*.3f\n", table ? 15 : 0, (double)at / 1000);
    else
        fprintf(out, "%*" PRIu64 "\n", table ? 15 : 0, at);
}

static void print_figure(FILE *out, const char *name, const irq_figure *f, bool clocked, bool table)
{
    if (!f->count)
        return;
    if (clocked)
        fprintf(out, "    %-9s %10.3f %12.3f %10.3f %12.3f", name, (double)f->min / 1000, irq_mean(f) / 1000,
                (double)f->max / 1000, irq_deviation(f) / 1000);
    else
        fprintf(out, "    %-9s %10" PRIu64 " %12.1f %10" PRIu64 " %12.1f", name, f->min, irq_mean(f), f->max,
                irq_deviation(f));
    print_moment(out, f->max_at, clocked, table);
}

static void print_irq(FILE *out, const irq *q, bool clocked, bool table)
{
    char name[300], more[100] = "";
    text_safe(name, sizeof name, q->name);
    if (q->chained)
        snprintf(more, sizeof more, ", %" PRIu64 " of them right after another handler", q->chained);
    if (q->priority >= 0)
        snprintf(more + strlen(more), sizeof more - strlen(more), ", priority %d", q->priority);
    fprintf(out, "%4" PRIu32 "  %s  %" PRIu64 " times%s\n", q->number, name, q->count, more);
    print_figure(out, "time", &q->time, clocked, table);
    print_figure(out, "own", &q->own, clocked, table);
    print_figure(out, "interval", &q->interval, clocked, table);
    print_figure(out, "latency", &q->latency, clocked, table);
}

/* The handler of the chosen context, which is the chosen function. */
static bool is_wanted(const irqs *all, const inspected *in, uint32_t number)
{
    const char *name = NULL;
    for (size_t i = 0; in->function && i < all->count; i++)
        if (all->all[i].number == number)
            name = all->all[i].name;
    return inspected_wants(in, number) && inspected_wants_function(in, name);
}

static bool is_pair_wanted(const irqs *all, const inspected *in, const irq_pair *pair)
{
    return is_wanted(all, in, pair->by) || is_wanted(all, in, pair->over);
}

static void print_all(const irqs *all, const inspected *in)
{
    char over[VECTORS_NAME_MAX], by[VECTORS_NAME_MAX], clock[200];
    char *lines;
    size_t size;
    bool table = in->summary;
    FILE *out = memory_stream(&lines, &size);
    if (all->count)
        fprintf(out, "%-13s %10s %12s %10s %12s%s\n", in->clocked ? "microseconds" : "instructions", "min", "mean",
                "max", "deviation", table ? "  longest after" : "");
    for (size_t i = 0; i < all->count; i++)
        if (is_wanted(all, in, all->all[i].number))
            print_irq(out, &all->all[i], in->clocked, table);
    for (size_t i = 0; i < all->pair_count; i++) {
        const irq_pair *pair = &all->pair[i];
        if (!is_pair_wanted(all, in, pair))
            continue;
        fprintf(out, "%10" PRIu64 " times ", pair->count);
        text_print(out, context_text(all, in->im, pair->by, by));
        fputs(" interrupted ", out);
        text_print(out, context_text(all, in->im, pair->over, over));
        fputc('\n', out);
    }
    if (!all->count)
        fputs("no interrupt or exception was handled\n", out);
    if (all->unended)
        fprintf(out, "%" PRIu64 " handlers had not ended at the end: their times are not counted\n", all->unended);
    if (in->clocked) {
        clocked_text(in->file, clock, sizeof clock);
        fprintf(out, "by %s\n", clock);
    }
    fclose(out);
    inspected_print(in, lines);
}

/* ---- JSON ---- */

/* Instructions, or microseconds. */
static void put_time(json *j, const char *key, uint64_t time, bool clocked)
{
    if (clocked)
        json_thousandths(j, key, time);
    else
        json_integer(j, key, (int64_t)time);
}

static void put_figure(json *j, const char *key, const irq_figure *f, bool clocked)
{
    if (!f->count) {
        json_null(j, key);
        return;
    }
    json_object(j, key);
    json_unsigned(j, "count", f->count);
    put_time(j, "min", f->min, clocked);
    json_real(j, "mean", irq_mean(f) / (clocked ? 1000 : 1));
    put_time(j, "max", f->max, clocked);
    put_time(j, "max_at", f->max_at, clocked);
    json_real(j, "deviation", irq_deviation(f) / (clocked ? 1000 : 1));
    json_end_object(j);
}

static void put_irq(json *j, const irq *q, bool clocked)
{
    json_object(j, NULL);
    json_integer(j, "number", q->number);
    json_string(j, "name", q->name);
    if (q->priority >= 0)
        json_integer(j, "priority", q->priority);
    else
        json_null(j, "priority");
    json_unsigned(j, "count", q->count);
    json_unsigned(j, "chained", q->chained);
    put_figure(j, "time", &q->time, clocked);
    put_figure(j, "own", &q->own, clocked);
    put_figure(j, "interval", &q->interval, clocked);
    if (q->interval.count)
        put_time(j, "jitter", q->interval.max - q->interval.min, clocked);
    else
        json_null(j, "jitter");
    put_figure(j, "latency", &q->latency, clocked);
    json_end_object(j);
}

static void put_all(const irqs *all, const inspected *in)
{
    char name[VECTORS_NAME_MAX];
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_string(j, "unit", in->clocked ? "us" : "instructions");
    put_time(j, "total", all->total, in->clocked);
    json_unsigned(j, "unended", all->unended);
    inspected_put(j, in);
    if (in->clocked)
        clocked_put(j, in->file);
    json_array(j, "interrupts");
    for (size_t i = 0; i < all->count; i++)
        if (is_wanted(all, in, all->all[i].number))
            put_irq(j, &all->all[i], in->clocked);
    json_end_array(j);
    json_array(j, "preemption");
    for (size_t i = 0; i < all->pair_count; i++) {
        if (!is_pair_wanted(all, in, &all->pair[i]))
            continue;
        json_object(j, NULL);
        json_integer(j, "over", all->pair[i].over);
        json_integer(j, "by", all->pair[i].by);
        json_string(j, "over_name", context_text(all, in->im, all->pair[i].over, name));
        json_string(j, "by_name", context_text(all, in->im, all->pair[i].by, name));
        json_unsigned(j, "count", all->pair[i].count);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
    json_finish(j);
}

static int give(inspected *in, void *own)
{
    const char *const *text = own;
    irqs all = {0};
    clocked_unit unit;
    int status = clocked_unit_of(in->name, *text, &unit);
    if (status == EXIT_DONE)
        status = clocked_choose(in->name, in->path, in->file, unit, &in->clocked);
    if (status != EXIT_DONE)
        return status;
    const char *error =
        in->reader ? irqs_full(&all, in->reader, in->im) : irqs_probes(&all, in->file, in->app, in->clocked, &in->seen);
    inspected_note_cut(in, error);
    if (!inspected_failed(in, error))
        (in->json ? put_all : print_all)(&all, in);
    status = inspected_end(in, error);
    irqs_free(&all);
    return status;
}

int command_irq(int argc, char **argv)
{
    const char *unit = NULL;
    const command_option list[] = {{"unit", .text = &unit}, {NULL}};
    return inspected_run(argc, argv, &(inspection){help, list, give}, &unit);
}
