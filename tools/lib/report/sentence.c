/* SPDX-License-Identifier: MIT */
/* "jpeg.elf ran 1,234,567 instructions in thread mode and 2 interrupts. Nothing was lost. Most stands in idct (43.1 %,
 * 64 calls) and huffman (12.0 %); SysTick took up to 1,200 instructions." */
#include "tools/lib/report/sentence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"

enum { NAMED = 2, INTERRUPTS_FROM = 1 };

/* 1234567 as 1,234,567. */
static void put_number(FILE *out, uint64_t value)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            putc(',', out);
        putc(digits[i], out);
    }
}

static void put_count(FILE *out, uint64_t count, const char *one, const char *many)
{
    put_number(out, count);
    fprintf(out, " %s", count == 1 ? one : many);
}

/* Nanoseconds, in the unit that suits. */
static void put_time(FILE *out, uint64_t time)
{
    if (time < 1000000)
        fprintf(out, "%.2f us", (double)time / 1e3);
    else if (time < 10000000000)
        fprintf(out, "%.3f ms", (double)time / 1e6);
    else
        fprintf(out, "%.3f s", (double)time / 1e9);
}

static void say_where(const report_data *d, FILE *out)
{
    const contexts *c = &d->run->contexts;
    uint32_t interrupts = 0, threads = 0;
    bool main = false;
    for (uint32_t i = 0; i < c->every.count; i++) {
        uint32_t number = c->every.values[i];
        main |= number < INTERRUPTS_FROM;
        interrupts += number >= INTERRUPTS_FROM && number < VECTORS_THREAD;
        threads += number >= VECTORS_THREAD;
    }
    if (c->count)
        fputs(" in ", out);
    fputs(main ? "thread mode" : "", out);
    if (threads) {
        fputs(main ? interrupts ? ", " : " and " : "", out);
        put_count(out, threads, "thread", "threads");
    }
    if (interrupts) {
        fputs(main || threads ? " and " : "", out);
        put_count(out, interrupts, "interrupt or exception", "interrupts and exceptions");
    }
}

static void say_losses(const report_data *d, FILE *out)
{
    if (d->cut) {
        fputs(". The recording is cut: its end is missing", out);
        if (d->gaps > 1) {
            fputs("; ", out);
            put_count(out, d->gaps, "gap", "gaps");
            fputs(" in all", out);
        }
        if (d->lost) {
            fprintf(out, "; before that, %s", d->at_least);
            put_count(out, d->lost, "path is lost", "paths are lost");
        }
        return;
    }
    if (d->mixed)
        fputs(". The accesses of some functions were not recorded", out);
    if (!d->gaps && !d->unknown) {
        fputs(d->mixed ? "" : ". Nothing was lost", out);
        return;
    }
    fputs(". ", out);
    if (d->gaps) {
        put_count(out, d->gaps, "gap", "gaps");
        fputs(d->lost ? " lost " : ": how much is missing is not known", out);
        fputs(d->lost ? d->at_least : "", out);
    }
    if (d->gaps && d->lost)
        put_count(out, d->lost, "path", "paths");
    if (d->unknown) {
        fputs(d->gaps ? "; the addresses of " : "The addresses of ", out);
        put_count(out, d->unknown, "access are unknown", "accesses are unknown");
    }
}

static double share_of(const report_data *d, size_t i)
{
    return d->all->total ? 100.0 * (double)d->all->all[d->order[i]].self / (double)d->all->total : 0;
}

/* The costliest, and those after it that matter beside it. */
static void say_functions(const report_data *d, FILE *out)
{
    size_t named = d->shown < NAMED ? d->shown : NAMED;
    double sum = 0;
    while (named > 1 && share_of(d, named - 1) < 1)
        named--;
    for (size_t i = 0; i < named; i++)
        sum += share_of(d, i);
    for (size_t i = 0; i < named; i++) {
        fputs(i ? " and " : sum > 50 ? ". Most of it is in " : ". The largest parts of it are in ", out);
        text_print(out, d->all->all[d->order[i]].name);
        fprintf(out, " (%.1f %%, ", share_of(d, i));
        put_count(out, d->all->all[d->order[i]].calls, "call)", "calls)");
    }
}

/* The handler whose longest run was longest. */
static void say_interrupt(const report_data *d, FILE *out)
{
    const irq *longest = NULL;
    for (size_t i = 0; d->irqs && i < d->irqs->count; i++)
        if (d->irqs->all[i].time.count && (!longest || d->irqs->all[i].time.max > longest->time.max))
            longest = &d->irqs->all[i];
    if (!longest)
        return;
    fputs("; ", out);
    text_print(out, longest->name);
    fputs(" took up to ", out);
    if (d->clock)
        put_time(out, longest->time.max);
    else
        put_count(out, longest->time.max, "instruction", "instructions");
}

/* What is not on the page. */
static void say_choice(const report_data *d, FILE *out)
{
    if (d->only.function) {
        fputs(" in ", out);
        text_print(out, d->only.function);
        fputs(" itself", out);
    }
    if (d->only.context) {
        fputs(" in context ", out);
        text_print(out, d->only.context);
    }
    if (d->only.function || d->only.context)
        fputs(" (functions, addresses and contexts are of this alone)", out);
}

void report_sentence_put(const report_data *d, json *j)
{
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    text_print(out, d->program);
    fputs(" ran ", out);
    put_count(out, d->all->total, "instruction", "instructions");
    say_choice(d, out);
    if (d->clock) {
        fputs(" for ", out);
        put_time(out, d->clock->total);
    }
    say_where(d, out);
    say_losses(d, out);
    say_functions(d, out);
    say_interrupt(d, out);
    putc('.', out);
    fclose(out);
    json_string(j, "sentence", text);
    free(text);
}
