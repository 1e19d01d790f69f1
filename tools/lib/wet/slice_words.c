/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/slice_words.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/pages.h"
#include "tools/lib/wet/slice_need.h"
#include "tools/lib/wet/slice_step.h"
#include "tools/lib/wet/tap.h"

#define PAGE_BITS 12
#define PLACE_FIRST (SLICE_ZERO + 1)

/* A word that has numbers of its own. */
typedef struct column {
    wet_tap tap;
    uint32_t place;
} column;

/* A register gets what defined it last. */
typedef struct write {
    uint8_t loc;
    uint16_t place;
} write;

typedef struct program {
    uint16_t *places; /* of each slot; 0: it is not needed */
    column *columns;
    slice_step *steps;
    write writes[SLICE_ZERO];
    uint32_t column_count, step_count, write_count;
} program;

/* What the operation stored that stored a byte last. */
typedef struct stored {
    uint32_t data, address;
} stored;

struct slice_words {
    wet_file *f;
    const uint32_t *needed;
    program *nodes;
    uint32_t *words; /* by place, of the current execution */
    pages memory;    /* of each byte: stored */
};

/* ---- programs ---- */

static bool is_needed(const slice_words *w, const wet_file_node *fn, uint32_t slot)
{
    return slot < fn->n.slot_count && w->needed[fn->slots[slot]];
}

uint32_t slice_words_place(const slice_words *w, uint32_t node, uint32_t slot)
{
    if (slot < w->f->nodes[node].n.slot_count && w->nodes[node].places[slot])
        return w->nodes[node].places[slot];
    w->f->damaged = true;
    return SLICE_ZERO;
}

static void places_make(slice_words *w, uint32_t node)
{
    const wet_file_node *fn = &w->f->nodes[node];
    program *p = &w->nodes[node];
    p->places = memory_zero(fn->n.slot_count + 1, sizeof *p->places);
    for (uint32_t slot = 0, next = PLACE_FIRST; slot < fn->n.slot_count && next < UINT16_MAX; slot++)
        if (is_needed(w, fn, slot))
            p->places[slot] = (uint16_t)next++;
}

static void column_add(program *p, uint32_t place, uint32_t stream)
{
    p->columns[p->column_count++] = (column){wet_tap_make(stream, true), place};
}

/* Where the registers that an operation computes from are. */
static void sources_make(const slice_words *w, uint32_t node, uint32_t operation, uint64_t reads, uint16_t *sources)
{
    const wet_file_node *fn = &w->f->nodes[node];
    for (unsigned loc = 0; loc < SLICE_ZERO; loc++)
        sources[loc] = SLICE_ZERO;
    for (uint32_t i = fn->use_first[operation]; i < fn->use_first[operation + 1]; i++) {
        const wet_use *use = &fn->n.uses[i];
        if (reads >> use->loc & 1 && use->loc < SLICE_ZERO)
            sources[use->loc] =
                (uint16_t)(use->producer == 255 ? use->loc : slice_words_place(w, node, fn->use_slot[i]));
    }
}

static void computed_add(const slice_words *w, uint32_t node, uint32_t slot)
{
    const wet_file_node *fn = &w->f->nodes[node];
    program *p = &w->nodes[node];
    uint32_t operation = fn->slot_operation[slot];
    const wet_statement *s = &w->f->statements[fn->n.statements[fn->n.operation_statement[operation]]];
    uint16_t sources[SLICE_ZERO];
    const thumb_insn *insn = &w->f->statics[s->instruction].insn;
    sources_make(w, node, operation, wet_slot_reads(insn, fn->slot[slot], fn->slot[slot]->source), sources);
    p->steps[p->step_count] = slice_step_compute(insn, s, fn->slot[slot], sources);
    p->steps[p->step_count++].to = p->places[slot];
}

static void loaded_add(const slice_words *w, uint32_t node, uint32_t slot)
{
    const wet_file_node *fn = &w->f->nodes[node];
    program *p = &w->nodes[node];
    uint32_t operation = fn->slot_operation[slot];
    const wet_statement *s = &w->f->statements[fn->n.statements[fn->n.operation_statement[operation]]];
    uint32_t count;
    if (!slice_need_stores(fn, operation, &count)) {
        w->f->damaged = true;
        return;
    }
    const wet_load *l = &fn->n.loads[fn->load_of[operation]];
    p->steps[p->step_count++] = (slice_step){.kind = SLICE_LOAD,
                                             .size = l->size,
                                             .sign = w->f->statics[s->instruction].insn.sign,
                                             .to = p->places[slot],
                                             .a = (uint16_t)slice_words_place(w, node, l->slot)};
}

/* What loads may ask for: of each access, the operation's first data and address. */
static void stores_add(const slice_words *w, uint32_t node, uint32_t operation)
{
    const wet_file_node *fn = &w->f->nodes[node];
    program *p = &w->nodes[node];
    uint32_t end = fn->n.slot_first[operation], address = WET_NONE, data = WET_NONE;
    for (; end < fn->n.slot_count && fn->slot_operation[end] == operation; end++) {
        uint32_t *first = fn->slot[end]->kind == WET_ADDRESS ? &address
                          : fn->slot[end]->kind == WET_DATA  ? &data
                                                             : NULL;
        if (first && *first == WET_NONE)
            *first = end;
    }
    if (address == WET_NONE || data == WET_NONE || !p->places[address] || !p->places[data])
        return;
    const wet_statement *s = &w->f->statements[fn->n.statements[fn->n.operation_statement[operation]]];
    for (uint32_t slot = address; slot < end; slot++)
        if (fn->slot[slot]->kind == WET_ADDRESS && p->places[slot] && s->accesses[fn->slot[slot]->source].store)
            p->steps[p->step_count++] = (slice_step){.kind = SLICE_STORE,
                                                     .size = s->accesses[fn->slot[slot]->source].size,
                                                     .to = p->places[slot],
                                                     .a = p->places[data],
                                                     .b = p->places[address]};
}

/* An operation: what is read or computed, then what is loaded, from the address that is known by then; then stores. */
static void operation_add(const slice_words *w, uint32_t node, uint32_t operation)
{
    const wet_file_node *fn = &w->f->nodes[node];
    program *p = &w->nodes[node];
    uint32_t first = fn->n.slot_first[operation], slot;
    for (unsigned loads = 0; loads < 2; loads++)
        for (slot = first; slot < fn->n.slot_count && fn->slot_operation[slot] == operation; slot++) {
            const wet_stream *s = &w->f->streams[fn->slots[slot]];
            bool loaded = s->kind == WET_INFERRED && !fn->slot[slot]->computed;
            if (!p->places[slot] || loaded != loads)
                continue;
            if (s->kind != WET_INFERRED)
                column_add(p, p->places[slot], fn->slots[slot]);
            else if (loaded)
                loaded_add(w, node, slot);
            else
                computed_add(w, node, slot);
        }
    stores_add(w, node, operation);
}

static void program_make(slice_words *w, uint32_t node)
{
    const wet_file_node *fn = &w->f->nodes[node];
    program *p = &w->nodes[node];
    uint16_t last[SLICE_ZERO] = {0};
    p->columns = memory_zero(fn->n.slot_count + 1, sizeof *p->columns);
    p->steps = memory_zero(2 * fn->n.slot_count + 1, sizeof *p->steps);
    for (uint32_t o = 0; o < fn->n.operation_count; o++)
        operation_add(w, node, o);
    p->columns = memory_grow(p->columns, p->column_count, sizeof *p->columns);
    p->steps = memory_grow(p->steps, p->step_count, sizeof *p->steps);
    for (uint32_t slot = 0; slot < fn->n.slot_count; slot++)
        if (p->places[slot] && fn->slot[slot]->kind == WET_VALUE && fn->slot[slot]->loc < SLICE_ZERO)
            last[fn->slot[slot]->loc] = p->places[slot];
    for (unsigned loc = 0; loc < SLICE_ZERO; loc++)
        if (last[loc])
            p->writes[p->write_count++] = (write){(uint8_t)loc, last[loc]};
}

slice_words *slice_words_new(wet_file *f, const uint32_t *needed)
{
    slice_words *w = memory_zero(1, sizeof *w);
    uint32_t most = 0;
    *w = (slice_words){.f = f, .needed = needed, .nodes = memory_zero(f->node_count + 1, sizeof *w->nodes)};
    for (uint32_t i = 0; i < f->node_count; i++) {
        most = f->nodes[i].n.slot_count > most ? f->nodes[i].n.slot_count : most;
        places_make(w, i);
    }
    for (uint32_t i = 0; i < f->node_count; i++)
        program_make(w, i);
    w->words = memory_zero(PLACE_FIRST + most, sizeof *w->words);
    pages_init(&w->memory, 1u << (32 - PAGE_BITS));
    return w;
}

void slice_words_free(slice_words *w)
{
    for (uint32_t i = 0; i < w->f->node_count; i++) {
        program *p = &w->nodes[i];
        for (uint32_t k = 0; k < p->step_count; k++)
            slice_step_free(&p->steps[k]);
        free(p->places);
        free(p->columns);
        free(p->steps);
    }
    pages_free(&w->memory);
    free(w->nodes);
    free(w->words);
    free(w);
}

/* ---- an execution ---- */

static uint32_t load(const slice_words *w, const slice_step *s)
{
    uint32_t address = w->words[s->a];
    const stored *page = w->memory.all[address >> PAGE_BITS];
    stored from = page ? page[address & ((1u << PAGE_BITS) - 1)] : (stored){0, 0};
    return wet_load_word(from.data, address - from.address, s->size, s->sign);
}

static void store(slice_words *w, const slice_step *s)
{
    stored what = {w->words[s->a], w->words[s->b]};
    for (uint32_t address = w->words[s->to], left = s->size; left; left--, address++) {
        stored *page = pages_take(&w->memory, address >> PAGE_BITS, 1u << PAGE_BITS, sizeof *page);
        page[address & ((1u << PAGE_BITS) - 1)] = what;
    }
}

const uint32_t *slice_words_next(slice_words *w, uint32_t node, uint32_t instance)
{
    const program *p = &w->nodes[node];
    uint32_t *words = w->words;
    for (column *c = p->columns, *end = c + p->column_count; c < end; c++)
        words[c->place] = wet_tap_get(w->f, &c->tap, instance);
    for (const slice_step *s = p->steps, *end = s + p->step_count; s < end; s++)
        switch (s->kind) {
        case SLICE_SUM:
            words[s->to] = (words[s->a] + (words[s->b] << s->shift) + s->plus) & s->mask;
            break;
        case SLICE_LOAD:
            words[s->to] = load(w, s);
            break;
        case SLICE_STORE:
            store(w, s);
            break;
        default:
            words[s->to] = slice_step_run(s, words, &w->f->damaged);
        }
    for (const write *r = p->writes, *end = r + p->write_count; r < end; r++)
        words[r->loc] = words[r->place];
    return words;
}
