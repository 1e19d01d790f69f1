/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/window_make.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/window_ahead.h"
#include "tools/lib/wet/core.h"
#include "tools/lib/wet/semihost.h"
#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/stream.h"
#include "tools/lib/wet/word.h"

#define BIT(n) (UINT64_C(1) << (n))

struct debug_making {
    debug_source *source;
    wet_file *f;
    debug_window *w;
    debug_ahead ahead;
    uint32_t first, count, done;                             /* timestamps; executions that were made */
    wet_execution *order;                                    /* of all executions; NULL: none was made */
    uint32_t exception;                                      /* the next one */
    uint32_t words[4 * FULL_ACCESSES_MAX + FULL_VALUES_MAX]; /* of the statement's slots */
};

/* ---- effects ---- */

static void change(debug_making *m, unsigned loc, uint32_t value)
{
    debug_window *w = m->w;
    bool known = w->known >> loc & 1;
    w->changes = memory_room(w->changes, w->change_count, &w->change_max, sizeof *w->changes);
    w->changes[w->change_count++] = (debug_change){(uint8_t)loc, known, w->registers[loc], value};
    w->registers[loc] = value;
    w->known |= BIT(loc);
}

/* The word as it is now. */
static debug_word *word_now(debug_making *m, uint32_t number)
{
    debug_word *word = debug_words_find(&m->w->words, number);
    if (word)
        return word;
    uint32_t value;
    uint8_t mask = wet_past_word(m->source->past, number, m->w->number, &value);
    word = debug_words_add(&m->w->words, number);
    word->value = value;
    word->mask = mask;
    return word;
}

static void word_set(debug_making *m, debug_word *word, uint32_t value, uint8_t mask)
{
    debug_window *w = m->w;
    if (word->value == value && word->mask == mask)
        return;
    w->word_changes = memory_room(w->word_changes, w->word_change_count, &w->word_change_max, sizeof *w->word_changes);
    w->word_changes[w->word_change_count++] = (debug_word_change){word->number, word->value, value, word->mask, mask};
    word->value = value;
    word->mask = mask;
}

static void access_add(debug_making *m, debug_access access)
{
    debug_window *w = m->w;
    w->accesses = memory_room(w->accesses, w->access_count, &w->access_max, sizeof *w->accesses);
    w->accesses[w->access_count++] = access;
    for (unsigned done = 0; done < access.size;) {
        uint32_t at = access.address + done;
        unsigned first = at & 3, left = access.size - done, part = left < 4 - first ? left : 4 - first;
        uint8_t mask = (uint8_t)(((1u << part) - 1) << first);
        debug_word *word = word_now(m, at >> 2);
        uint32_t bits = wet_word_bytes(mask), value = (uint32_t)(access.value >> 8 * done) << 8 * first;
        word_set(m, word, (word->value & ~bits) | (value & bits), word->mask | mask);
        done += part;
    }
}

/* Words that the whole run never touched are not known anyway. */
static void forget(debug_making *m, uint32_t address, uint32_t size)
{
    for (uint64_t at = address; at < address + (uint64_t)size && at <= UINT32_MAX; at++) {
        uint64_t next = wet_past_next(m->source->past, (uint32_t)(at >> 2));
        if (next > at >> 2) {
            at = next * 4 - 1;
            continue;
        }
        uint8_t mask = (uint8_t)(1u << (at & 3));
        debug_word *word = word_now(m, (uint32_t)(at >> 2));
        word_set(m, word, word->value & ~wet_word_bytes(mask), word->mask & (uint8_t)~mask);
    }
}

/* ---- what a statement did ---- */

static uint32_t slot_computed(debug_making *m, const wet_statement *s, const wet_slot *slot)
{
    const thumb_insn *insn = &m->f->statics[s->instruction].insn;
    unsigned order = slot->kind == WET_VALUE ? 0 : slot->source;
    thumb_state state;
    uint32_t word = 0;
    memset(&state, 0, sizeof state);
    for (uint64_t reads = wet_slot_reads(insn, slot, slot->source) & 0xffff; reads; reads &= reads - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(reads);
        state.r[loc] = m->w->registers[loc];
    }
    if (!wet_slot_compute(insn, slot, order, s->access_count ? s->accesses[order].size : 0, &state, &word))
        m->f->damaged = true;
    return word;
}

/* What memory holds now. False: not all of it is known. */
static bool memory_word(debug_making *m, uint32_t address, unsigned size, uint32_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < size; i++) {
        const debug_word *word = word_now(m, (address + i) >> 2);
        unsigned byte = (address + i) & 3;
        if (!(word->mask >> byte & 1))
            return false;
        *value |= (word->value >> 8 * byte & 0xff) << 8 * i;
    }
    return true;
}

/* A loaded word that no numbers say: what memory holds, where no edge names the store either. */
static uint32_t slot_loaded(debug_making *m, wet_execution at, uint32_t slot, const wet_statement *s)
{
    const wet_file_node *n = &m->f->nodes[at.node];
    uint16_t load = n->load_of[n->slot_operation[slot]];
    if (load != WET_NO_LOAD && !n->loads[load].part_count) {
        const wet_load *l = &n->n.loads[load];
        uint32_t stream = n->slots[l->slot], value;
        uint32_t address = m->f->streams[stream].kind != WET_INFERRED ? wet_stream_get(m->f, stream, at.instance)
                                                                      : slot_computed(m, s, n->slot[l->slot]);
        if (memory_word(m, address, l->size, &value))
            return wet_load_word(value, 0, l->size, m->f->statics[s->instruction].insn.sign);
    }
    return wet_word(m->f, at.node, slot, at.instance);
}

static uint32_t slot_word(debug_making *m, wet_execution at, uint32_t slot, const wet_statement *s,
                          const wet_slot *what)
{
    uint32_t stream = m->f->nodes[at.node].slots[slot];
    if (m->f->streams[stream].kind != WET_INFERRED)
        return wet_stream_get(m->f, stream, at.instance);
    return what->computed ? slot_computed(m, s, what) : slot_loaded(m, at, slot, s);
}

/* The word of a load without a slot for its data: its register got it. */
static uint64_t loaded(const debug_making *m, const wet_statement *s, const wet_slot *address)
{
    unsigned size = s->accesses[address->source].size;
    for (unsigned i = 0; i < s->slot_count; i++)
        if (s->slots[i].operation == address->operation && s->slots[i].kind == WET_VALUE &&
            s->slots[i].loc != THUMB_FLAGS)
            return size == 1 ? m->words[i] & 0xff : size == 2 ? m->words[i] & 0xffff : m->words[i];
    return 0;
}

static void accesses_make(debug_making *m, const wet_statement *s)
{
    debug_access accesses[FULL_ACCESSES_MAX];
    for (unsigned i = 0; i < s->access_count; i++)
        accesses[i] = (debug_access){.size = s->accesses[i].size, .store = s->accesses[i].store};
    for (unsigned i = 0; i < s->slot_count; i++) {
        const wet_slot *slot = &s->slots[i];
        if (slot->kind == WET_VALUE)
            continue;
        debug_access *a = &accesses[slot->source];
        if (slot->kind == WET_ADDRESS) {
            a->address = m->words[i];
            a->value = a->store ? 0 : loaded(m, s, slot);
        } else if (slot->kind == WET_DATA) {
            a->value = m->words[i];
        } else {
            a->value |= (uint64_t)m->words[i] << 32;
        }
    }
    for (unsigned i = 0; i < s->access_count; i++)
        access_add(m, accesses[i]);
}

static bool read_word(void *context, uint32_t address, uint32_t *value)
{
    const debug_word *word = word_now(context, address >> 2);
    *value = word->value;
    return !(address & 3) && word->mask == 15;
}

/* The host has written. `result`: r0 after it. */
static void host_writes(debug_making *m, uint32_t result)
{
    wet_range ranges[2];
    unsigned count = wet_semihost_writes(m->w->registers[0], m->w->registers[1], result, read_word, m, ranges);
    for (unsigned i = 0; i < count; i++)
        forget(m, ranges[i].address, ranges[i].size);
}

/* A register as the statement leaves it. */
static uint32_t result_of(const debug_making *m, const wet_statement *s, unsigned loc)
{
    for (unsigned i = 0; i < s->slot_count; i++)
        if (s->slots[i].kind == WET_VALUE && s->slots[i].loc == loc)
            return m->words[i];
    return m->w->registers[loc];
}

static void core_stacks(debug_making *m, const wet_statement *entry, const debug_exception *x)
{
    wet_back back = wet_past_back(m->source->past, x->entries);
    wet_stacked s = wet_core_stack(m->w->registers, m->w->known, x->from, x->frame, back.pc,
                                   back.it | wet_core_mark(m->source->v8m, result_of(m, entry, 14)));
    for (unsigned i = 0; i < WET_STACKED; i++)
        if (s.known >> i & 1)
            access_add(m, (debug_access){x->frame + 4 * i, 4, true, true, s.words[i]});
        else
            forget(m, x->frame + 4 * i, 4);
}

/* A register that nothing has written up to now was not known at the entry either. */
static void floats_restore(debug_making *m)
{
    const wet_floats *floats = wet_past_floats(m->source->past, m->exception);
    for (unsigned i = 0; floats && i < 17; i++) {
        unsigned loc = i < 16 ? 32 + i : 16; /* s0 to s15, FPSCR */
        if (m->w->known >> loc & 1)
            change(m, loc, floats->values[i]);
    }
}

static void exception_before(debug_making *m, const wet_statement *s)
{
    const debug_exceptions *e = &m->source->exceptions;
    if (m->exception < e->count && e->all[m->exception].kind == DEBUG_ENTRY)
        core_stacks(m, s, &e->all[m->exception]);
}

static void exception_after(debug_making *m)
{
    const debug_exceptions *e = &m->source->exceptions;
    if (m->exception >= e->count)
        return;
    const debug_exception *x = &e->all[m->exception];
    if (x->kind == DEBUG_ENTRY && !(m->w->registers[14] & WET_EXC_RETURN_BASIC))
        forget(m, x->frame + WET_STACKED_FLOAT_AT, WET_STACKED_FLOAT_SIZE);
    if (x->kind == DEBUG_RETURN)
        floats_restore(m);
    change(m, WET_IPSR, x->to);
    m->exception++;
}

static void step_add(debug_making *m, wet_execution at, uint32_t statement, uint32_t instruction)
{
    debug_window *w = m->w;
    w->steps = memory_room(w->steps, w->step_count, &w->step_max, sizeof *w->steps);
    w->steps[w->step_count++] = (debug_step){.time = at.time,
                                             .node = at.node,
                                             .instance = at.instance,
                                             .instruction = instruction,
                                             .changes = w->change_count,
                                             .accesses = w->access_count,
                                             .words = w->word_change_count,
                                             .statement = (uint16_t)statement,
                                             .exception = m->f->statics[instruction].exception != 0};
}

/* `first`: the statement's first slot in the node. */
static void statement_make(debug_making *m, wet_execution at, const wet_statement *s, uint32_t first)
{
    bool exception = m->f->statics[s->instruction].exception;
    for (unsigned i = 0; i < s->slot_count; i++)
        m->words[i] = slot_word(m, at, first + i, s, &s->slots[i]);
    if (exception)
        exception_before(m, s);
    else
        accesses_make(m, s);
    if (wet_is_semihost(&m->f->statics[s->instruction].insn))
        host_writes(m, result_of(m, s, 0));
    for (unsigned i = 0; i < s->slot_count; i++)
        if (s->slots[i].kind == WET_VALUE)
            change(m, s->slots[i].loc, m->words[i]);
    if (exception)
        exception_after(m);
}

static void execution_make(debug_making *m, wet_execution at)
{
    const wet_node *n = &m->f->nodes[at.node].n;
    uint32_t slot = 0;
    for (uint32_t i = 0; i < n->statement_count; i++) {
        const wet_statement *s = &m->f->statements[n->statements[i]];
        step_add(m, at, i, s->instruction);
        statement_make(m, at, s, slot);
        slot += s->slot_count;
    }
}

/* ---- in parts ---- */

debug_making *debug_making_new(debug_source *source, uint32_t number)
{
    wet_file *f = source->f;
    debug_making *m = memory_zero(1, sizeof *m);
    m->source = source;
    m->f = f;
    m->w = memory_zero(1, sizeof *m->w);
    m->w->number = number;
    m->first = number * f->window + 1;
    m->count = f->time - number * f->window > f->window ? f->window : f->time - number * f->window;
    debug_ahead_list(&m->ahead, f, number);
    return m;
}

/* The state at the start, and the order of all executions: that is asked for once, since it is kept of one part of the
 * run only. */
static void making_begin(debug_making *m)
{
    m->exception = debug_exceptions_before(&m->source->exceptions, m->first);
    for (unsigned loc = 0; loc < 64; loc++)
        if (wet_past_register(m->source->past, loc, m->w->number, &m->w->registers[loc]))
            m->w->known |= BIT(loc);
    m->order = memory_grow(NULL, m->count, sizeof *m->order);
    for (uint32_t i = 0; i < m->count; i++)
        m->order[i] = debug_order_at(m->source->order, m->first + i);
}

static void making_execute(debug_making *m)
{
    wet_execution at = m->order[m->done++];
    if (at.node == WET_NONE)
        m->f->damaged = true;
    else
        execution_make(m, at);
}

uint32_t debug_making_left(const debug_making *m)
{
    return debug_ahead_left(&m->ahead) + !m->order + m->count - m->done;
}

uint32_t debug_making_number(const debug_making *m)
{
    return m->w->number;
}

void debug_making_go(debug_making *m, uint32_t parts)
{
    while (parts && debug_making_left(m)) {
        uint32_t ahead = debug_ahead_left(&m->ahead) < parts ? debug_ahead_left(&m->ahead) : parts;
        if (ahead && debug_ahead_go(&m->ahead, m->f, ahead))
            return;
        parts -= ahead;
        if (!parts)
            return;
        if (m->order)
            making_execute(m);
        else
            making_begin(m);
        parts--;
    }
}

debug_window *debug_making_end(debug_making *m)
{
    debug_window *w = m->w;
    debug_ahead_rest(&m->ahead, m->f);
    debug_making_go(m, UINT32_MAX);
    step_add(m, (wet_execution){WET_NONE, 0, m->first + m->count - 1}, 0, 0);
    w->at = --w->step_count;
    w->words_at = w->word_change_count;
    m->w = NULL;
    debug_making_free(m);
    return w;
}

void debug_making_free(debug_making *m)
{
    if (m->w)
        debug_window_free(m->w);
    debug_ahead_free(&m->ahead);
    free(m->order);
    free(m);
}

debug_window *debug_window_new(debug_source *source, uint32_t number)
{
    return debug_making_end(debug_making_new(source, number));
}
