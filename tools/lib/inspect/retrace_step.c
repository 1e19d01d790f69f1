/* SPDX-License-Identifier: MIT */
/* Encodings of mrs and msr: ARMv7-M Architecture Reference Manual, B5.2. */
#include <string.h>

#include "tools/lib/inspect/retrace_parts.h"

#define BIT(n) (UINT64_C(1) << (n))
#define SYSTEM 0xe0000000u /* from here on no memory, but the system's devices */

enum { PART = 4, SYSM_IPSR = 5, SYSM_PRIMASK = 16, SYSM_BASEPRI, SYSM_BASEPRI_MAX, SYSM_FAULTMASK };

/* ---- accesses ---- */

/* The event is that of an instruction, without accesses and values yet. Its arrays stay as they are: clearing them
 * would take longer than the rest of a step. */
static void give(retrace *r, const retrace_static *s, uint64_t written, full_event *event)
{
    event->kind = FULL_EXECUTED;
    event->time = r->time++;
    event->instruction = &s->i;
    event->passed = event->completed = true;
    event->written = written;
    event->value_count = event->access_count = 0;
    event->unknown = event->unknown_values = 0;
    r->given = s;
}

/* The event gets one; what it stores is `value`, if known. Loads are looked up. */
static void add_access(retrace *r, full_event *event, full_access a, bool known)
{
    if (!a.store)
        known = known || retrace_memory_load(r, a.address, a.size, &a.value);
    retrace_memory_store(r, a.address, a.size, a.value, known);
    event->unknown |= (uint64_t)!known << event->access_count;
    event->accesses[event->access_count++] = a;
}

/* Whether an instruction that accesses `size` bytes at `address` makes some of an announced access: of a bit-field's
 * bytes it may access the whole word. */
static bool meets(const retrace_item *item, uint32_t address, uint32_t size)
{
    return address - item->address < item->size || item->address - address < size;
}

/* The next announced access of that direction which goes on at `address`, if that is known, with `size` bytes. Else the
 * next one of that size: the compiler may have moved a wider one, whose address is known, to after this one. */
static retrace_item *item_for(retrace_context *c, bool store, const uint32_t *address, uint32_t size)
{
    retrace_item *wider = NULL;
    for (size_t i = 0; i < c->item_count; i++) {
        retrace_item *item = &c->items[i];
        if (item->store != store || item->done >= item->size)
            continue;
        if (address ? meets(item, *address, size) : !size || item->size == size)
            return item;
        if (!address && !wider && item->size - item->done >= size)
            wider = item;
    }
    return wider;
}

static bool value_part(const retrace_item *item, uint32_t offset, uint32_t size, uint64_t *value)
{
    if (!item->valued || item->size > 8 || offset > item->size || size > item->size - offset)
        return false;
    *value = item->value >> 8 * offset;
    *value &= size < 8 ? (UINT64_C(1) << 8 * size) - 1 : UINT64_MAX;
    return true;
}

/* The i-th access of an instruction: where its address is known, that; else what was announced. */
static void own_access(retrace *r, retrace_context *c, const thumb_insn *insn, const uint32_t *address, unsigned reg,
                       full_event *event)
{
    bool store = insn->memory == THUMB_STORE, known = false;
    uint32_t size = insn->access_size;
    bool stack = address && *address >= RETRACE_STACKS && *address < SYSTEM;
    retrace_item *item = stack ? NULL : item_for(c, store, address, size);
    if (!address && !item)
        return;
    full_access a = {.address = address ? *address : item->address + item->done, .store = store};
    a.size = (uint8_t)(size ? size : item && item->size - item->done <= 8 ? item->size - item->done : PART);
    if (store && reg < 15 && c->known >> reg & 1) {
        a.value = c->state.r[reg] & (a.size < 4 ? (1u << 8 * a.size) - 1 : UINT32_MAX);
        known = true;
    }
    if (item) {
        known |= value_part(item, a.address - item->address, a.size, &a.value);
        uint32_t end = a.address + a.size - item->address;
        item->done = end > item->done ? end : item->done;
    }
    add_access(r, event, a, known);
    uint64_t *value = &event->accesses[event->access_count - 1].value, last = BIT(event->access_count - 1);
    if (!store && event->unknown & last && retrace_ahead(r, insn, reg, value)) /* this load's, not the memory's */
        event->unknown &= ~last;
}

static unsigned nth_register(const thumb_insn *insn, unsigned n)
{
    if (insn->data[0] != THUMB_NONE)
        return n < 2 ? insn->data[n] : THUMB_NONE;
    uint64_t list = insn->list;
    for (; list && n; n--)
        list &= list - 1;
    return list ? (unsigned)__builtin_ctzll(list) : THUMB_NONE;
}

static void own_accesses(retrace *r, retrace_context *c, const thumb_insn *insn, full_event *event)
{
    uint32_t first, at;
    uint64_t needed = (insn->base < 15 ? BIT(insn->base) : 0) | (insn->index < 15 ? BIT(insn->index) : 0);
    bool known = !(needed & ~(uint64_t)c->known) && thumb_address(insn, &c->state, &first);
    unsigned count = insn->multiple ? (unsigned)__builtin_popcountll(insn->list) : 1;
    for (unsigned i = 0; i < count && event->access_count < FULL_ACCESSES_MAX; i++) {
        at = known ? first + i * insn->access_size : 0;
        own_access(r, c, insn, known ? &at : NULL, nth_register(insn, i), event);
    }
}

/* What is left of an announced access, in parts. False: the event has no room for all of them. */
static bool add_item(retrace *r, retrace_item *item, full_event *event)
{
    while (item->done < item->size) {
        uint32_t left = item->size - item->done;
        full_access a = {
            .address = item->address + item->done, .size = (uint8_t)(left < PART ? left : PART), .store = item->store};
        if (event->access_count == FULL_ACCESSES_MAX)
            return false;
        bool known = value_part(item, item->done, a.size, &a.value);
        item->done += a.size;
        add_access(r, event, a, known);
    }
    return true;
}

/* Whether a call may make an announced access of more than a word or two: as memcpy stores to r0 and loads from r1, if
 * these are known. A path may hold other such accesses that come later. */
static bool is_transfer(const retrace_context *c, const retrace_item *item)
{
    unsigned reg = item->store ? 0 : 1;
    return item->size > 8 && (!(c->known >> reg & 1) || item->address == c->state.r[reg]);
}

/* What a call accesses. False: the event has no room for all of it. */
static bool add_transfers(retrace *r, retrace_context *c, full_event *event)
{
    bool whole = true;
    for (size_t i = 0; i < c->item_count && whole; i++)
        if (is_transfer(c, &c->items[i]))
            whole = add_item(r, &c->items[i], event);
    return whole;
}

static bool is_named(const retrace *r, uint32_t address)
{
    uint32_t offset;
    return image_object(&r->im->symbols, address, &offset);
}

bool retrace_leftover(retrace *r, retrace_context *c, full_event *event)
{
    size_t i = 0;
    while (i < c->item_count && (c->items[i].done >= c->items[i].size || !is_named(r, c->items[i].address)))
        i++;
    if (i == c->item_count)
        return false;
    retrace_item *item = &c->items[i];
    /* strex, nop: where the path ended */
    r->extra = (retrace_static){.insn = {.size = item->exclusive ? 4 : 2, .condition = THUMB_ALWAYS}};
    memcpy(r->extra.insn.bytes, item->exclusive ? "\x40\xe8\0" : "\0\xbf\0", 4);
    r->extra.insn.pc = r->extra.i.pc = r->last_pc;
    r->extra.i.size = r->extra.insn.size;
    memcpy(r->extra.i.bytes, r->extra.insn.bytes, 4);
    r->doubts.accesses += !item->exclusive && !item->done;
    uint32_t left = item->size - item->done, size = left < PART ? left : PART;
    give(r, &r->extra, 0, event);
    full_access a = {.address = item->address + item->done, .size = (uint8_t)size, .store = item->store};
    bool known = value_part(item, item->done, size, &a.value);
    item->done += size;
    add_access(r, event, a, known);
    return true;
}

/* ---- results ---- */

static bool special_value(const retrace *r, const thumb_insn *insn, uint32_t *value)
{
    if (insn->size != 4 || retrace_half(insn, 0) != 0xf3ef || (retrace_half(insn, 1) & 0xf000) != 0x8000)
        return false;
    switch (retrace_half(insn, 1) & 0xff) {
    case SYSM_PRIMASK:
        *value = r->p->primask;
        return !r->masked;
    case SYSM_BASEPRI:
    case SYSM_BASEPRI_MAX:
        *value = r->p->basepri;
        return !r->masked;
    case SYSM_FAULTMASK:
        *value = r->p->faultmask;
        return !r->masked;
    case SYSM_IPSR:
        *value = r->p->depth ? r->p->active[r->p->depth - 1].number : 0;
        return true;
    default:
        return false;
    }
}

static uint32_t extend(const thumb_insn *insn, const full_access *a)
{
    uint32_t value = (uint32_t)a->value;
    if (insn->sign && a->size == 1)
        return (uint32_t)(int32_t)(int8_t)value;
    return insn->sign && a->size == 2 ? (uint32_t)(int32_t)(int16_t)value : value;
}

/* Of a load: the value of one of its registers. */
static bool loaded_value(const thumb_insn *insn, const full_event *event, unsigned reg, uint32_t *value)
{
    unsigned count = insn->multiple ? (unsigned)__builtin_popcountll(insn->list) : 1;
    if (event->access_count != count || !(insn->list >> reg & 1))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (nth_register(insn, i) == reg && !(event->unknown >> i & 1)) {
            *value = extend(insn, &event->accesses[i]);
            return true;
        }
    return false;
}

static bool result(const retrace *r, const retrace_context *c, const thumb_insn *insn, const full_event *event,
                   unsigned reg, uint32_t *value)
{
    if (event->instruction->writes == (RETRACE_CALL_WRITES | BIT(THUMB_FLAGS)) || insn->condition < THUMB_ALWAYS)
        return false;
    bool base = insn->writeback && reg == insn->base;
    if (insn->memory == THUMB_LOAD && !base && insn->access_size)
        return loaded_value(insn, event, reg, value);
    if (special_value(r, insn, value))
        return true;
    return !(thumb_compute_reads(insn, reg) & ~(uint64_t)c->known) && thumb_compute(insn, &c->state, reg, value);
}

static void write_results(retrace *r, retrace_context *c, const thumb_insn *insn, full_event *event)
{
    uint32_t value[16], known = c->known;
    for (uint64_t left = event->written & 0xffff; left; left &= left - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(left);
        value[reg] = 0;
        bool good = result(r, c, insn, event, reg, &value[reg]);
        known = (known & ~(1u << reg)) | (uint32_t)good << reg;
    }
    for (uint64_t left = event->written; left; left &= left - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(left);
        event->values[event->value_count++] = reg < 16 ? value[reg] : 0;
        if (reg < 16)
            c->state.r[reg] = value[reg];
    }
    c->known = known;
}

/* What sets masks and priorities must be known. */
static void note_doubts(retrace *r, const retrace_context *c, const thumb_insn *insn, const full_event *event)
{
    uint32_t first = retrace_half(insn, 0), second = retrace_half(insn, 1), sysm = second & 0xff;
    bool msr = insn->size == 4 && (first & 0xfff0) == 0xf380 && (second & 0xf300) == 0x8000;
    r->doubts.masks += msr && sysm >= SYSM_PRIMASK && sysm <= SYSM_FAULTMASK && !(c->known >> (first & 15) & 1);
    for (uint32_t i = 0; i < event->access_count; i++)
        r->doubts.settings +=
            event->accesses[i].store && processor_decides(event->accesses[i].address) && (event->unknown >> i & 1);
}

bool retrace_execute(retrace *r, retrace_context *c, retrace_static *s, bool calls, full_event *event)
{
    const thumb_insn *insn = &s->insn;
    bool whole = true;
    give(r, s, s->i.writes, event);
    if (calls)
        whole = add_transfers(r, c, event);
    else if (insn->memory && insn->base == THUMB_PC && insn->access_size) { /* a constant beside the code */
        uint32_t address;
        thumb_address(insn, &c->state, &address);
        full_access a = {.address = address, .size = insn->access_size};
        add_access(r, event, a, false);
    } else if (insn->memory)
        own_accesses(r, c, insn, event);
    note_doubts(r, c, insn, event);
    write_results(r, c, insn, event);
    return whole;
}
