/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/run_words.h"

#include "tools/lib/wet/memory.h"
#include "tools/lib/wet/statement.h"

run_words run_words_new(wet_file *f)
{
    return (run_words){.f = f, .stored = wet_memory_new()};
}

void run_words_free(run_words *w)
{
    wet_memory_free(w->stored);
}

static bool is_inferred(const wet_file *f, const run_statement *at, uint32_t slot)
{
    return f->streams[f->nodes[at->node].slots[at->slot + slot]].kind == WET_INFERRED;
}

static uint32_t computed(run_words *w, const wet_statement *s, const wet_slot *slot)
{
    const thumb_insn *insn = &w->f->statics[s->instruction].insn;
    unsigned order = slot->kind == WET_VALUE ? 0 : slot->source;
    uint32_t word = 0;
    if (!wet_slot_compute(insn, slot, order, s->access_count ? s->accesses[order].size : 0, &w->state, &word))
        w->f->damaged = true;
    return word;
}

/* As along the edge of the load's first byte, or by its address (word_alone.c): the operation that stored this byte. */
static uint32_t loaded(run_words *w, const run_statement *at, uint32_t slot, const uint32_t *words)
{
    wet_file_node *node = &w->f->nodes[at->node];
    uint32_t load = node->load_of[node->slot_operation[at->slot + slot]];
    if (load == WET_NO_LOAD || !wet_load_has_source(&node->loads[load])) {
        w->f->damaged = true;
        return 0;
    }
    const wet_load *l = &node->n.loads[load];
    uint32_t address = words[l->slot - at->slot];
    wet_origin from = wet_memory_get(w->stored, address);
    return wet_load_word(from.producer, address - from.instance, l->size, w->f->statics[at->s->instruction].insn.sign);
}

/* The first slot of a kind of an operation; NULL: it has none. */
static const uint32_t *first_of(const wet_statement *s, const uint32_t *words, unsigned operation, unsigned kind)
{
    for (unsigned i = 0; i < s->slot_count; i++)
        if (s->slots[i].operation == operation && s->slots[i].kind == kind)
            return &words[i];
    return NULL;
}

static void stores_note(run_words *w, const wet_statement *s, const uint32_t *words)
{
    for (unsigned i = 0; i < s->slot_count; i++) {
        const wet_slot *slot = &s->slots[i];
        if (slot->kind != WET_ADDRESS || !s->accesses[slot->source].store)
            continue;
        const uint32_t *data = first_of(s, words, slot->operation, WET_DATA);
        const uint32_t *address = first_of(s, words, slot->operation, WET_ADDRESS);
        wet_memory_set(w->stored, words[i], s->accesses[slot->source].size, (wet_origin){data ? *data : 0, *address});
    }
}

static void registers_note(run_words *w, const wet_statement *s, const uint32_t *words)
{
    for (unsigned i = 0; i < s->slot_count; i++)
        if (s->slots[i].kind == WET_VALUE && s->slots[i].loc <= THUMB_FLAGS)
            w->state.r[s->slots[i].loc] = words[i];
}

void run_words_next(run_words *w, const run_statement *at, uint32_t *words)
{
    const wet_statement *s = at->s;
    bool loads = false;
    for (unsigned i = 0; i < s->slot_count; i++) {
        if (!is_inferred(w->f, at, i))
            words[i] = wet_tap_get(w->f, &at->taps[at->slot + i], at->instance);
        else if (s->slots[i].computed)
            words[i] = computed(w, s, &s->slots[i]);
        else
            loads = true;
    }
    for (unsigned i = 0; loads && i < s->slot_count; i++) /* by now their addresses are known */
        if (is_inferred(w->f, at, i) && !s->slots[i].computed)
            words[i] = loaded(w, at, i, words);
    stores_note(w, s, words);
    registers_note(w, s, words);
}
