/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/text.h"
#include "tools/lib/inspect/irq.h"
#include "tools/lib/inspect/part_loops.h"
#include "tools/lib/inspect/part_objects.h"
#include "tools/lib/inspect/part_reading.h"
#include "tools/lib/inspect/processor.h"
#include "tools/lib/wet/run.h"

/* A static instruction. */
typedef struct use {
    uint64_t count, back; /* back: times it went to a lower address */
    uint64_t loads, stores;
    uint64_t element; /* by lines: of its line, without the context */
    uint32_t pc;
    full_instruction instruction;
    part_object object; /* what it accessed last */
    bool wanted;        /* it is of the function that is chosen, or none is */
} use;

/* The instruction that a context executed last. */
typedef struct last {
    uint32_t number; /* + 1; 0: none */
    uint32_t pc;
} last;

typedef struct reading {
    part_side *s;
    processor *p;
    irqs irqs;
    use *uses; /* by number */
    size_t use_count, use_max;
    part_objects spans;
    uint64_t (*objects)[2];          /* by symbol: loads, stores */
    last last[PROCESSOR_EXCEPTIONS]; /* of a context: its last instruction */
    uint32_t flags;
} reading;

uint64_t part_line(const part_side *s, uint32_t pc)
{
    const image *im = s->im;
    const image_symbol *f = image_function(&im->symbols, pc);
    const image_line *line = image_line_at(im, pc);
    const image_line *first = f ? image_function_line(im, f->address) : NULL;
    if (!line || !line->file)
        return part_hash_function(s, 7, f ? f->name : "?");
    bool own = first && first->file && !strcmp(first->file, line->file);
    uint64_t hash = part_hash(part_hash_function(s, 8, f ? f->name : "?"), text_base(line->file));
    return part_hash_number(hash, own ? line->line - first->line : line->line);
}

static bool is_wanted(const part_side *s, uint32_t pc)
{
    const image_symbol *f = s->function ? image_function(&s->im->symbols, pc) : NULL;
    return !s->function || (f && part_wants(s, f->name));
}

static use *use_of(reading *r, const full_instruction *i)
{
    if (i->number >= r->use_max) {
        size_t max = r->use_max;
        r->use_max = i->number < 512 ? 1024 : 2 * (size_t)i->number;
        r->uses = memory_grow(r->uses, r->use_max, sizeof *r->uses);
        memset(r->uses + max, 0, (r->use_max - max) * sizeof *r->uses);
    }
    if (i->number >= r->use_count)
        r->use_count = (size_t)i->number + 1;
    use *u = &r->uses[i->number];
    if (!u->element) {
        u->pc = i->pc;
        u->instruction = *i;
        u->wanted = is_wanted(r->s, i->pc);
        u->element = r->s->by_lines ? part_line(r->s, i->pc) : 2 * (uint64_t)i->pc + 1;
    }
    return u;
}

static void note_object(reading *r, use *u, const full_access *a)
{
    if (a->address - u->object.low >= u->object.size)
        u->object = part_objects_at(&r->spans, a->address);
    r->objects[u->object.number][a->store]++;
}

/* ---- rows ---- */

static void add_functions(reading *r)
{
    const image *im = r->s->im;
    double(*value)[2] = memory_zero(im->symbols.count + 1, sizeof *value);
    for (size_t i = 0; i < r->use_count; i++) {
        const image_symbol *f = image_function(&im->symbols, r->uses[i].pc);
        if (!f)
            continue;
        value[f - im->symbols.all][0] += f->address == r->uses[i].pc ? (double)r->uses[i].count : 0;
        value[f - im->symbols.all][1] += (double)r->uses[i].count;
    }
    for (size_t i = 0; i < im->symbols.count; i++) {
        const image_symbol *f = &im->symbols.all[i];
        const image_line *line = value[i][1] > 0 ? image_function_line(im, f->address) : NULL;
        if (value[i][1] > 0)
            part_add_row(r->s, (part_row){.kind = PART_FUNCTION,
                                          .key = part_hash_function(r->s, 3, f->name),
                                          .name = (char *)f->name,
                                          .file = line ? line->file : NULL,
                                          .line = line ? line->line : 0,
                                          .value = {value[i][0], value[i][1]}});
    }
    free(value);
}

/* B, conditional or not, and CBZ, CBNZ: by the encoding alone, since it is asked for each instruction. */
static bool is_branch(const uint8_t bytes[4], unsigned size)
{
    unsigned first = bytes[0] | (unsigned)bytes[1] << 8, second = bytes[2] | (unsigned)bytes[3] << 8;
    if (size == 4)
        return first >> 11 == 0x1e && ((second & 0xd000) == 0x8000 || (second & 0xd000) == 0x9000);
    return (first >> 12 == 0xd && (first >> 8 & 15) < 14) || first >> 11 == 0x1c || (first & 0xf500) == 0xb100;
}

static void add_loops(reading *r)
{
    part_executed *all = memory_zero(r->use_count + 1, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < r->use_count; i++)
        if (r->uses[i].count)
            all[count++] = (part_executed){r->uses[i].pc, r->uses[i].count, r->uses[i].back};
    part_loops_add(r->s, all, count);
    free(all);
}

static void add_rest(reading *r)
{
    const image_symbols *symbols = &r->s->im->symbols;
    for (size_t i = 0; i <= symbols->count; i++) {
        const char *name = i ? symbols->all[i - 1].name : "(stacks, heap, devices)";
        if (r->objects[i][0] || r->objects[i][1])
            part_add_row(r->s, (part_row){.kind = PART_ACCESS,
                                          .key = part_hash(2, name),
                                          .name = (char *)name,
                                          .value = {(double)r->objects[i][0], (double)r->objects[i][1]}});
    }
    for (size_t i = 0; i < r->irqs.count && !r->s->function; i++) {
        const irq *q = &r->irqs.all[i];
        part_add_row(r->s, (part_row){.kind = PART_LATENCY,
                                      .key = part_hash_number(5, q->number),
                                      .name = (char *)q->name,
                                      .value = {(double)q->count, irq_mean(&q->time), (double)q->time.max}});
    }
}

/* ---- reading ---- */

static void collect(reading *r, trail *t, part_window **windows, size_t count, uint64_t element,
                    const full_event *event)
{
    part_step *step = part_collect(windows, count, t->context, t->count++);
    t->last = element;
    if (!step)
        return;
    *step = (part_step){.element = element, .id = event->instruction->pc, .time = event->time};
    memcpy(step->r, r->p->registers, sizeof r->p->registers);
    step->r[15] = r->flags;
}

/* By lines, where a branch goes shows in the line after it; builds need not agree on what is taken and what is not. */
static uint64_t element_of(const part_side *s, const use *u, bool passed)
{
    bool by_itself = !s->by_lines || !is_branch(u->instruction.bytes, u->instruction.size);
    return u->element - (!passed && by_itself);
}

static void execute(reading *r, const full_event *event, part_window **windows, size_t count)
{
    part_side *s = r->s;
    uint32_t context = r->p->contexts[r->p->context].number;
    if (s->one_context && context != s->context)
        return;
    use *u = use_of(r, event->instruction);
    if (!u->wanted)
        return;
    uint64_t element = element_of(s, u, event->passed);
    trail *t = trails_of(&s->trails, context);
    bool again = event->instruction->pc <= t->pc; /* a loop on one line, or a handler's next activation */
    t->pc = event->instruction->pc;
    bool counts = !s->by_lines || t->last != element || again;
    s->elements += counts;
    if (windows) {
        if (counts)
            collect(r, t, windows, count, element, event);
        return;
    }
    if (counts)
        trail_add(t, element);
    u->count++;
    last *before = &r->last[context % PROCESSOR_EXCEPTIONS];
    if (before->number && event->instruction->pc <= before->pc)
        r->uses[before->number - 1].back++;
    *before = (last){event->instruction->number + 1, event->instruction->pc};
    for (uint32_t i = 0; i < event->access_count; i++)
        note_object(r, u, &event->accesses[i]);
}

uint64_t part_instance(const part_side *s, uint32_t pc, uint64_t time)
{
    static full_event event;
    char message[300];
    uint64_t count = 0;
    full_reader *reader = wet_run_open(s->path, message, sizeof message);
    while (reader && full_next(reader, &event) > 0 && event.time <= time)
        count += event.kind == FULL_EXECUTED && event.instruction->pc == pc;
    full_close(reader);
    return count;
}

/* Rotates a ring so that its oldest element comes first. */
static void unroll(part_step *steps, size_t count, size_t oldest)
{
    part_step *copy = memory_zero(count + 1, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = steps[(oldest + i) % count];
    memcpy(steps, copy, count * sizeof *steps);
    free(copy);
}

size_t part_last(const part_side *s, uint32_t context, uint64_t time, part_step *steps, size_t max)
{
    static full_event event;
    char message[300];
    uint64_t seen = 0;
    uint32_t flags = 0;
    if (!max)
        return 0;
    full_reader *reader = wet_run_open(s->path, message, sizeof message);
    processor *p = processor_new(s->im);
    while (reader && full_next(reader, &event) > 0 && event.time < time) {
        if (event.kind == FULL_EXECUTED && p->contexts[p->context].number == context) {
            part_step *step = &steps[seen++ % max];
            *step = (part_step){.id = event.instruction->pc, .time = event.time};
            memcpy(step->r, p->registers, sizeof p->registers);
            step->r[15] = flags;
        }
        processor_written(&event, THUMB_FLAGS, &flags);
        processor_feed(p, &event);
    }
    processor_free(p);
    full_close(reader);
    size_t count = seen < max ? (size_t)seen : max;
    unroll(steps, count, seen < max ? 0 : (size_t)(seen % max));
    return count;
}

/* Whether all windows have the elements that they need. */
static bool is_done(part_window **windows, size_t count)
{
    for (size_t i = 0; windows && i < count; i++)
        if (windows[i]->count < windows[i]->to - windows[i]->from)
            return false;
    return windows;
}

const char *part_read_full(part_side *s, part_window **windows, size_t count)
{
    full_event event;
    full_reader *reader = wet_run_open(s->path, s->error, sizeof s->error);
    if (!reader)
        return s->error;
    reading *r = memory_zero(1, sizeof *r);
    r->s = s;
    r->p = processor_new(s->im);
    r->spans = part_objects_of(&s->im->symbols);
    r->objects = memory_zero(s->im->symbols.count + 1, sizeof *r->objects);
    while (full_next(reader, &event) > 0) {
        if (event.kind == FULL_EXECUTED)
            execute(r, &event, windows, count);
        if (windows)
            processor_feed(r->p, &event);
        else
            irqs_feed(&r->irqs, r->p, &event);
        if (event.kind == FULL_EXCEPTION)
            r->last[r->p->contexts[r->p->context].number % PROCESSOR_EXCEPTIONS].number = 0;
        if (windows)
            processor_written(&event, THUMB_FLAGS, &r->flags);
        if ((event.time & 0xfffff) == 0) {
            if (s->shown)
                progress_show(event.time, "instructions");
            if (is_done(windows, count))
                break;
        }
    }
    if (s->shown)
        progress_end();
    if (full_error(reader) && !windows) {
        s->lost++;
        s->cut = true;
        snprintf(s->error, sizeof s->error, "%s", full_error(reader));
    }
    if (!windows) {
        add_functions(r);
        add_loops(r);
        add_rest(r);
    }
    full_close(reader);
    processor_free(r->p);
    irqs_free(&r->irqs);
    part_objects_free(&r->spans);
    free(r->objects);
    free(r->uses);
    free(r);
    return NULL;
}
