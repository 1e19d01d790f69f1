/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/history_tally.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/word.h"

#define PART 256u /* executions whose addresses are read at once */

/* The accesses of an event, and their addresses in a part of its executions. */
typedef struct touched {
    uint32_t slots[FULL_ACCESSES_MAX];
    uint8_t sizes[FULL_ACCESSES_MAX];
    uint32_t count;
    uint32_t words[FULL_ACCESSES_MAX][PART];
} touched;

/* What is asked of an event of a node. */
typedef struct asked {
    wet_file *f;
    const wet_selection *what;
    uint32_t node;
    wet_event event;
} asked;

static const wet_statement *statement_of(const wet_file *f, uint32_t node, uint32_t statement)
{
    return &f->statements[f->nodes[node].n.statements[statement]];
}

static bool is_access(const wet_event *event)
{
    return event->kind == MISSES_LOAD || event->kind == MISSES_STORE;
}

/* The accesses of the event's kind, in their order. */
static void touched_make(const asked *a, touched *t)
{
    const wet_statement *s = statement_of(a->f, a->node, a->event.statement);
    uint32_t first = wet_statement_slot(&a->f->nodes[a->node].n, wet_file_code(a->f), a->event.statement);
    t->count = 0;
    for (uint32_t k = 0; k < s->access_count; k++) {
        if (s->accesses[k].store != (a->event.kind == MISSES_STORE))
            continue;
        for (uint32_t i = 0; i < s->slot_count; i++)
            if (s->slots[i].kind == WET_ADDRESS && s->slots[i].source == k)
                t->slots[t->count] = first + i;
        t->sizes[t->count++] = s->accesses[k].size;
    }
}

static void touched_read(const asked *a, touched *t, uint32_t at, uint32_t count)
{
    for (uint32_t k = 0; k < t->count; k++)
        wet_words(a->f, a->node, t->slots[k], at, count, t->words[k]);
}

static bool touches(const touched *t, uint32_t i, const wet_place *place)
{
    for (uint32_t k = 0; k < t->count; k++)
        if (t->words[k][i] < place->address + place->size && place->address < t->words[k][i] + t->sizes[k])
            return true;
    return false;
}

/* Whether the question may be about executions of the event. */
static bool is_asked(const asked *a)
{
    const wet_place *place = a->what->place;
    const wet_statement *s = statement_of(a->f, a->node, a->event.statement);
    if (!place)
        return true;
    if (!place->statics)
        return is_access(&a->event);
    return place->statics[s->instruction] && (!place->defines || s->written & place->defines);
}

static void count_add(wet_count *to, uint64_t executions, uint64_t misses)
{
    to->executions += executions;
    to->misses += misses;
}

/* ---- groups ---- */

typedef struct tallying {
    wet_file *f;
    const wet_selection *what;
    wet_by by;
    wet_tallies *out;
    uint32_t *group_of;       /* of each static instruction */
    const image_symbol *near; /* the object found last */
} tallying;

static const wet_file *sorting;

static int line_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (sorting->static_file[x] != sorting->static_file[y])
        return sorting->static_file[x] < sorting->static_file[y] ? -1 : 1;
    if (sorting->static_line[x] != sorting->static_line[y])
        return sorting->static_line[x] < sorting->static_line[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Each line at its first instruction. */
static void groups_by_line(const wet_file *f, uint32_t *group_of)
{
    uint32_t *order = memory_zero(f->static_count + 1, sizeof *order);
    for (uint32_t i = 0; i < f->static_count; i++)
        order[i] = i;
    sorting = f;
    qsort(order, f->static_count, sizeof *order, line_order);
    for (uint32_t i = 1; i < f->static_count; i++) {
        uint32_t x = order[i - 1], y = order[i];
        if (f->static_file[y] && f->static_file[x] == f->static_file[y] && f->static_line[x] == f->static_line[y])
            group_of[y] = group_of[x];
    }
    free(order);
}

static wet_tally *object_group(tallying *t, uint32_t address)
{
    uint32_t offset;
    if (!t->near || address < t->near->address || address - t->near->address >= t->near->size)
        t->near = wet_object_at(t->f, address, &offset);
    return &t->out->groups[t->near ? (uint32_t)(t->near - t->f->symbols) : t->f->symbol_count];
}

/* Executions from..to - 1 of an event, one by one, for what they touch. */
static void tally_accesses(tallying *t, const asked *a, const wet_bits *bits, uint32_t from, uint32_t to)
{
    touched *seen = memory_zero(1, sizeof *seen);
    const wet_place *place = t->what->place && !t->what->place->statics ? t->what->place : NULL;
    touched_make(a, seen);
    for (uint32_t at = from; at < to; at += PART) {
        uint32_t count = to - at < PART ? to - at : PART;
        touched_read(a, seen, at, count);
        for (uint32_t i = 0; i < count; i++) {
            if (place && !touches(seen, i, place))
                continue;
            bool missed = wet_bits_missed(bits, at + i);
            const wet_statement *s = statement_of(t->f, a->node, a->event.statement);
            wet_tally *group = t->by == WET_BY_OBJECT ? object_group(t, seen->words[0][i])
                                                      : &t->out->groups[t->group_of[s->instruction]];
            count_add(&t->out->total.of[a->event.kind], 1, missed);
            count_add(&group->of[a->event.kind], 1, missed);
        }
    }
    free(seen);
}

static void tally_event(tallying *t, const asked *a, const wet_bits *bits, uint32_t from, uint32_t to)
{
    bool object = t->what->place && !t->what->place->statics;
    if (is_access(&a->event) && (object || t->by == WET_BY_OBJECT)) {
        tally_accesses(t, a, bits, from, to);
        return;
    }
    uint64_t executions = to - from, misses = wet_bits_misses(bits, from, to);
    count_add(&t->out->total.of[a->event.kind], executions, misses);
    if (t->by != WET_BY_OBJECT) {
        uint32_t instruction = statement_of(t->f, a->node, a->event.statement)->instruction;
        count_add(&t->out->groups[t->group_of[instruction]].of[a->event.kind], executions, misses);
    }
}

wet_tallies wet_history_tally(wet_file *f, const wet_history *h, const wet_selection *what, wet_by by)
{
    wet_tallies out = {.group_count = by == WET_BY_OBJECT ? f->symbol_count + 1 : f->static_count};
    out.groups = memory_zero(out.group_count + 1, sizeof *out.groups);
    tallying t = {.f = f, .what = what, .by = by, .out = &out};
    t.group_of = memory_zero(f->static_count + 1, sizeof *t.group_of);
    for (uint32_t i = 0; i < f->static_count; i++)
        t.group_of[i] = i;
    if (by == WET_BY_LINE)
        groups_by_line(f, t.group_of);
    for (uint32_t i = 0; i < h->node_count; i++) {
        uint32_t from = what->from > 1 ? wet_rank(f, i, what->from - 1) : 0;
        uint32_t to = what->to < f->time ? wet_rank(f, i, what->to) : f->nodes[i].n.count;
        for (uint32_t k = 0; k < h->nodes[i].event_count && from < to; k++) {
            asked a = {f, what, i, h->nodes[i].events[k]};
            if (is_asked(&a))
                tally_event(&t, &a, &h->nodes[i].bits[k], from, to);
        }
    }
    free(t.group_of);
    return out;
}

void wet_tallies_free(wet_tallies *t)
{
    free(t->groups);
    *t = (wet_tallies){0};
}

/* ---- each miss ---- */

typedef struct lister {
    wet_file *f;
    const wet_history *h;
    const wet_selection *what;
    touched *seen;
    bool (*tell)(void *, const wet_miss *);
    void *context;
} lister;

static bool list_event(lister *l, uint32_t event, uint32_t node, uint32_t instance, uint32_t time)
{
    asked a = {l->f, l->what, node, l->h->nodes[node].events[event]};
    if (!wet_bits_missed(&l->h->nodes[node].bits[event], instance) || !is_asked(&a))
        return true;
    wet_miss miss = {{node, a.event.statement, instance}, time, 0, a.event.kind};
    if (is_access(&a.event)) {
        touched_make(&a, l->seen);
        touched_read(&a, l->seen, instance, 1);
        miss.address = l->seen->words[0][0];
        if (l->what->place && !l->what->place->statics && !touches(l->seen, 0, l->what->place))
            return true;
    }
    return l->tell(l->context, &miss);
}

static bool list_execution(lister *l, uint32_t node, uint32_t instance, uint32_t time, bool backward)
{
    uint32_t count = l->h->nodes[node].event_count;
    for (uint32_t i = 0; i < count; i++)
        if (!list_event(l, backward ? count - 1 - i : i, node, instance, time))
            return false;
    return true;
}

void wet_history_each(wet_file *f, const wet_history *h, const wet_selection *what, bool backward,
                      bool (*tell)(void *context, const wet_miss *miss), void *context)
{
    lister l = {f, h, what, memory_zero(1, sizeof *l.seen), tell, context};
    wet_control *c = wet_control_new(f, what->from, what->to, backward);
    uint32_t low, count;
    const uint32_t *nodes, *instances;
    bool more = true;
    while (more && (count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = 0; more && i < count; i++) {
            uint32_t at = backward ? count - 1 - i : i;
            if (nodes[at] == WET_NONE)
                f->damaged = true;
            else
                more = list_execution(&l, nodes[at], instances[at], low + at, backward);
        }
    wet_control_free(c);
    free(l.seen);
}
