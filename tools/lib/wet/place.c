/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/word.h"

#define PART 4096u /* words decoded at once */

void wet_place_free(wet_place *place)
{
    free(place->statics);
    free(place->parts);
    place->statics = NULL;
    place->parts = NULL;
}

/* ---- instances ---- */

typedef struct hit_list {
    wet_hit *all;
    size_t count, room;
} hit_list;

static void hit_add(hit_list *list, wet_hit hit)
{
    if (list->count == list->room) {
        list->room = list->room * 2 + 256;
        list->all = memory_grow(list->all, list->room, sizeof *list->all);
    }
    list->all[list->count++] = hit;
}

static void hits_statement(wet_file *f, hit_list *list, uint32_t node, uint32_t statement)
{
    for (uint32_t i = 0; i < f->nodes[node].n.count; i++)
        hit_add(list, (wet_hit){wet_time(f, node, i), node, i, statement});
}

static uint32_t first_operation(const wet_node *n, uint32_t statement)
{
    uint32_t o = 0;
    while (n->operation_statement[o] != statement)
        o++;
    return o;
}

/* Marks executions [at, at + count) of a statement that store to the object: by their addresses, many at a time. */
static void mark_stores(wet_file *f, const wet_place *place, uint32_t node, uint32_t statement, uint32_t at,
                        uint32_t count, bool *marks)
{
    uint32_t addresses[PART];
    const wet_node *n = &f->nodes[node].n;
    const wet_statement *s = &f->statements[n->statements[statement]];
    uint32_t slot = n->slot_first[first_operation(n, statement)];
    memset(marks, 0, count);
    for (uint32_t i = 0; i < s->slot_count; i++) {
        const wet_access *a = &s->accesses[s->slots[i].source];
        if (s->slots[i].kind != WET_ADDRESS || !a->store)
            continue;
        wet_words(f, node, slot + i, at, count, addresses);
        for (uint32_t k = 0; k < count; k++)
            marks[k] |= addresses[k] - place->address < place->size || place->address - addresses[k] < a->size;
    }
}

/* Stores that touch the object. */
static void hits_object(wet_file *f, hit_list *list, const wet_place *place, uint32_t node, uint32_t statement)
{
    bool marks[PART];
    uint32_t all = f->nodes[node].n.count;
    for (uint32_t at = 0; at < all; at += PART) {
        uint32_t count = all - at < PART ? all - at : PART;
        mark_stores(f, place, node, statement, at, count, marks);
        for (uint32_t i = 0; i < count; i++)
            if (marks[i])
                hit_add(list, (wet_hit){wet_time(f, node, at + i), node, at + i, statement});
    }
}

static bool stores(const wet_statement *s)
{
    for (uint32_t i = 0; i < s->access_count; i++)
        if (s->accesses[i].store)
            return true;
    return false;
}

static int hit_order(const void *a, const void *b)
{
    const wet_hit *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->statement < y->statement ? -1 : x->statement > y->statement;
}

static bool is_meant(const wet_place *place, const wet_statement *s)
{
    return place->statics[s->instruction] && (!place->defines || s->written & place->defines);
}

wet_hit *wet_place_hits(wet_file *f, const wet_place *place, size_t *count)
{
    hit_list list = {0};
    for (uint32_t i = 0; i < f->node_count; i++)
        for (uint32_t k = 0; k < f->nodes[i].n.statement_count; k++) {
            const wet_statement *s = &f->statements[f->nodes[i].n.statements[k]];
            if (place->statics && is_meant(place, s))
                hits_statement(f, &list, i, k);
            else if (!place->statics && stores(s))
                hits_object(f, &list, place, i, k);
        }
    if (list.count)
        qsort(list.all, list.count, sizeof *list.all, hit_order);
    *count = list.count;
    return list.all ? list.all : memory_zero(1, sizeof(wet_hit));
}

/* The last execution of instructions needs no list. */
static bool find_last(wet_file *f, const wet_place *place, wet_instance *found)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < f->node_count; i++)
        for (uint32_t k = 0; k < f->nodes[i].n.statement_count; k++) {
            const wet_statement *s = &f->statements[f->nodes[i].n.statements[k]];
            if (!is_meant(place, s))
                continue;
            uint32_t last = f->nodes[i].n.count - 1, time = wet_time(f, i, last);
            if (time >= best) {
                best = time;
                *found = (wet_instance){i, k, last};
            }
        }
    return best != 0;
}

uint32_t wet_place_local(const wet_place *place, uint32_t instruction, const wet_access_seen *first)
{
    return first->address + (uint32_t)place->parts[instruction];
}

static bool touches(const wet_access_seen *access, uint32_t address, uint32_t size)
{
    return access->store && (access->address - address < size || address - access->address < access->size);
}

wet_start wet_place_start(wet_file *f, const wet_place *place, wet_instance at)
{
    wet_start start = {at, 0};
    const wet_node *n = &f->nodes[at.node].n;
    const wet_statement *s = &f->statements[n->statements[at.statement]];
    wet_access_seen seen[FULL_ACCESSES_MAX];
    if (place->statics && !place->defines && !place->parts)
        return start;
    bool object = !place->statics || place->parts;
    uint32_t address =
        wet_accesses_of(f, at, seen) && place->parts ? wet_place_local(place, s->instruction, seen) : place->address;
    for (uint32_t o = first_operation(n, at.statement), i = 0; i < s->operation_count; i++) {
        const wet_operation *w = &s->operations[i];
        bool meant = place->statics && w->defines & place->defines;
        for (uint32_t a = w->first_access; object && a < w->first_access + (uint32_t)w->access_count; a++)
            meant |= touches(&seen[a], address, place->size);
        start.operations |= (uint64_t)meant << (o + i);
    }
    return start;
}

void wet_place_few(size_t count, uint64_t nth, char *message, size_t size)
{
    if (count == 0)
        snprintf(message, size, "nothing was stored there");
    else
        snprintf(message, size, "there %s %zu instance%s, not %llu", count == 1 ? "is" : "are", count,
                 count == 1 ? "" : "s", (unsigned long long)nth);
}

bool wet_place_find(wet_file *f, const wet_place *place, wet_instance *found, char *message, size_t message_size)
{
    if (place->statics && !place->nth)
        return find_last(f, place, found);
    size_t count;
    wet_hit *hits = wet_place_hits(f, place, &count);
    uint64_t at = place->nth ? place->nth : count;
    bool good = at >= 1 && at <= count;
    if (good)
        *found = (wet_instance){hits[at - 1].node, hits[at - 1].statement, hits[at - 1].instance};
    else
        wet_place_few(count, at, message, message_size);
    free(hits);
    return good;
}

/* ---- what stands there ---- */

const image_symbol *wet_object_at(const wet_file *f, uint32_t address, uint32_t *offset)
{
    for (uint32_t i = 0; i < f->symbol_count; i++) {
        const image_symbol *s = &f->symbols[i];
        if (!s->function && address - s->address < s->size) {
            *offset = address - s->address;
            return s;
        }
    }
    return NULL;
}

const char *wet_function_name(const wet_file *f, uint32_t instruction)
{
    const char *name = f->strings[f->static_function[instruction]];
    return name ? name : "";
}

const char *wet_file_name(const wet_file *f, uint32_t instruction)
{
    const char *name = f->strings[f->static_file[instruction]];
    return name ? name : "";
}

void wet_text(const wet_file *f, uint32_t instruction, char *text, size_t size)
{
    static const char *const kinds[] = {"", "exception entry", "exception return", "exception chained"};
    const wet_static *s = &f->statics[instruction];
    if (s->exception)
        snprintf(text, size, "%s, from %u to %u", kinds[s->exception], s->from, s->to);
    else
        thumb_text(&s->insn, text, size);
}

const char *wet_location_name(unsigned location, char name[8])
{
    static const char *const special[] = {"r10", "r11", "r12", "sp", "lr", "flags", "fpscr"};
    if (location < 10)
        snprintf(name, 8, "r%u", location);
    else if (location <= 16)
        snprintf(name, 8, "%s", special[location - 10]);
    else
        snprintf(name, 8, "s%u", (location - 32) & 31);
    return name;
}

/* ---- words of a statement ---- */

uint32_t wet_values_of(wet_file *f, wet_instance at, uint32_t *values, uint8_t *locations)
{
    const wet_node *n = &f->nodes[at.node].n;
    const wet_statement *s = &f->statements[n->statements[at.statement]];
    uint32_t slot = n->slot_first[first_operation(n, at.statement)];
    for (uint32_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].kind == WET_VALUE) {
            unsigned rank = s->slots[i].source;
            values[rank] = wet_word(f, at.node, slot + i, at.instance);
            locations[rank] = s->slots[i].loc;
        }
    return (uint32_t)__builtin_popcountll(s->written);
}

/* A load without a slot for its data: the register got it. Sign extension is taken back. */
static void load_value(const wet_statement *s, const uint32_t *words, unsigned operation, wet_access_seen *access)
{
    for (uint32_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].operation == operation && s->slots[i].kind == WET_VALUE && s->slots[i].loc != THUMB_FLAGS) {
            access->value = access->size == 1 ? words[i] & 0xff : access->size == 2 ? words[i] & 0xffff : words[i];
            access->known = true;
        }
}

uint32_t wet_accesses_from(const wet_statement *s, const uint32_t *words, wet_access_seen *accesses)
{
    for (uint32_t i = 0; i < s->access_count; i++)
        accesses[i] = (wet_access_seen){.size = s->accesses[i].size, .store = s->accesses[i].store};
    for (uint32_t i = 0; i < s->slot_count; i++) {
        const wet_slot *w = &s->slots[i];
        if (w->kind == WET_VALUE)
            continue;
        wet_access_seen *access = &accesses[w->source];
        if (w->kind == WET_ADDRESS) {
            access->address = words[i];
            if (!access->store)
                load_value(s, words, w->operation, access);
            continue;
        }
        access->value = w->kind == WET_DATA ? words[i] : access->value | (uint64_t)words[i] << 32;
        access->known = true;
    }
    return s->access_count;
}

uint32_t wet_accesses_of(wet_file *f, wet_instance at, wet_access_seen *accesses)
{
    uint32_t words[UINT8_MAX];
    const wet_node *n = &f->nodes[at.node].n;
    const wet_statement *s = &f->statements[n->statements[at.statement]];
    uint32_t slot = n->slot_first[first_operation(n, at.statement)];
    for (uint32_t i = 0; i < s->slot_count; i++) {
        bool wanted = s->slots[i].kind != WET_VALUE || s->operations[s->slots[i].operation].access_count;
        words[i] = wanted ? wet_word(f, at.node, slot + i, at.instance) : 0;
    }
    return wet_accesses_from(s, words, accesses);
}
