/* SPDX-License-Identifier: MIT */
/* Step 1: static instructions and statements. */
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/decode_in.h"
#include "tools/lib/wet/gathering.h"
#include "tools/lib/wet/statement.h"

static uint32_t static_add(wet_trace *t)
{
    t->statics = memory_room(t->statics, t->static_count, &t->static_max, sizeof *t->statics);
    t->statics[t->static_count] = (wet_static){.last = WET_NONE};
    return t->static_count++;
}

uint32_t gather_static(gather *g, const full_instruction *instruction)
{
    uint32_t number = instruction->number;
    if (number >= g->static_of_max) {
        size_t before = g->static_of_max;
        g->static_of = memory_room(g->static_of, number, &g->static_of_max, sizeof *g->static_of);
        memset(g->static_of + before, 0xff, (g->static_of_max - before) * sizeof *g->static_of);
    }
    if (g->static_of[number] == WET_NONE) {
        uint32_t at = g->static_of[number] = static_add(g->t);
        wet_static *s = &g->t->statics[at];
        thumb_decode_in(&s->insn, g->t->im, instruction->pc, instruction->bytes, instruction->size,
                        instruction->condition);
        s->place = cfg_at(g->t->graph, instruction->pc);
    }
    return g->static_of[number];
}

uint32_t gather_exception(gather *g, const full_event *event, uint8_t kind)
{
    wet_trace *t = g->t;
    for (uint32_t i = 0; i < g->exception_count; i++) {
        const wet_static *s = &t->statics[g->exceptions[i]];
        if (s->exception == kind && s->from == event->from && s->to == event->to)
            return g->exceptions[i];
    }
    uint32_t at = static_add(t);
    wet_static *s = &t->statics[at];
    g->exceptions = memory_grow(g->exceptions, g->exception_count + 1, sizeof *g->exceptions);
    g->exceptions[g->exception_count++] = at;
    s->exception = kind;
    s->from = (uint16_t)event->from;
    s->to = (uint16_t)event->to;
    s->insn = (thumb_insn){.pc = 0xfffff000u + 2 * at, .size = 2, .falls = true, .condition = THUMB_ALWAYS};
    s->place = (cfg_place){.procedure = WET_NONE, .branch = CFG_NO_BRANCH};
    return at;
}

static uint64_t shape_of(const full_event *event)
{
    uint64_t shape = event->access_count;
    for (uint32_t i = 0; i < event->access_count; i++)
        shape = shape * 37 + event->accesses[i].size * 2u + event->accesses[i].store;
    return shape;
}

uint32_t gather_statement(gather *g, uint32_t at, const full_event *event)
{
    wet_trace *t = g->t;
    uint64_t shape = shape_of(event);
    for (uint32_t i = t->statics[at].last; i != WET_NONE; i = t->statements[i].other) {
        const wet_statement *s = &t->statements[i];
        if (s->written == event->written && s->passed == event->passed && s->shape == shape)
            return i;
    }
    t->statements = memory_room(t->statements, t->statement_count, &t->statement_max, sizeof *t->statements);
    t->statements[t->statement_count] = (wet_statement){.instruction = at,
                                                        .other = t->statics[at].last,
                                                        .passed = event->passed,
                                                        .written = event->written,
                                                        .shape = shape};
    t->statics[at].last = t->statement_count;
    wet_statement_split(&t->statements[t->statement_count], &t->statics[at], event, true);
    return t->statement_count++;
}
