/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/wet/flags.h"
#include "tools/lib/wet/place.h"
#include "tools/lib/wet/search.h"
#include "tools/lib/wet/semihost.h"
#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/why_calls.h"
#include "tools/lib/wet/word.h"

#define CALLERS_MAX 3u   /* calls that are reported of a store */
#define STEPS_MAX 10000u /* control dependences that are followed to them. More: slower where loops are long */
#define TWICE 2u         /* iterations of a loop that are reported before a WET_WHY_LOOP */

/* An operation's execution. */
typedef struct event {
    uint32_t node, operation, instance;
} event;

typedef struct walker {
    wet_file *f;
    unsigned depth_max;
    const wet_why_devices *devices;
    wet_why_take *take;
    void *own;
    why_calls *calls;
    bool stopped;
    event *told;
    size_t told_count, told_max;
    uint32_t path[WET_WHY_DEPTH_MAX]; /* static instructions on the way here */
} walker;

static const wet_statement *statement_of(const wet_file *f, event e)
{
    const wet_node *n = &f->nodes[e.node].n;
    return &f->statements[n->statements[n->operation_statement[e.operation]]];
}

static event event_of(const wet_file *f, wet_origin origin)
{
    uint32_t node = f->producer_node[origin.producer];
    return (event){node, origin.producer - f->nodes[node].n.base, origin.instance};
}

static void write_memory(FILE *out, const walker *w, const wet_access_seen *access)
{
    uint32_t offset;
    const wet_file *f = w->f;
    const char *device =
        wet_is_device(access->address) && w->devices ? w->devices->name(w->devices->own, access->address) : NULL;
    if (device)
        fprintf(out, "%s at ", device);
    const image_symbol *object = wet_object_at(f, access->address, &offset);
    if (object)
        text_print(out, object->name);
    else
        fprintf(out, "[0x%08x]", access->address);
    if (object && offset)
        fprintf(out, "+%u", offset);
    if (access->size != 4)
        fprintf(out, " (%u byte%s)", access->size, access->size == 1 ? "" : "s");
}

static void write_number(FILE *out, uint64_t value, unsigned size)
{
    int64_t number = size == 1   ? (int64_t)value
                     : size == 2 ? (int16_t)value
                     : size == 4 ? (int32_t)value
                                 : (int64_t)value;
    fprintf(out, " = %lld", (long long)number);
    if (number > 9 || number < 0)
        fprintf(out, " (0x%llx)", (unsigned long long)value);
}

/* The value of r0 before an operation: of a semihosting call the request. False: not known. */
static bool request_of(wet_file *f, event e, uint32_t *request)
{
    const wet_file_node *n = &f->nodes[e.node];
    for (uint32_t i = n->use_first[e.operation]; i < n->use_first[e.operation + 1]; i++) {
        const wet_use *use = &n->n.uses[i];
        if (use->loc != 0)
            continue;
        if (use->producer != 255) {
            *request = wet_word(f, e.node, n->use_slot[i], e.instance);
            return true;
        }
        wet_origin origin =
            wet_edge_origin(f, &n->inputs[use->input], e.node, e.instance, wet_time(f, e.node, e.instance));
        if (!origin.producer)
            return false;
        event from = event_of(f, origin);
        uint32_t slot = wet_slot_find(&f->nodes[from.node].n, f->statements, from.operation, WET_VALUE, 0);
        if (slot == WET_NONE)
            return false;
        *request = wet_word(f, from.node, slot, from.instance);
        return true;
    }
    return false;
}

static void write_host(FILE *out, wet_file *f, event e)
{
    uint32_t request;
    const char *name = request_of(f, e, &request) ? wet_semihost_name(request) : NULL;
    fprintf(out, ", from outside: the host's answer%s%s", name ? " to " : "", name ? name : "");
}

/* All that was stored: of vstm and vpush several words. False: nothing was. */
static bool write_stores(FILE *out, const walker *w, const wet_access_seen *seen, unsigned count)
{
    bool any = false;
    for (unsigned i = 0; i < count; i++) {
        if (!seen[i].store)
            continue;
        fputs(any ? ", " : "", out);
        write_memory(out, w, &seen[i]);
        write_number(out, seen[i].value, seen[i].size);
        any = true;
    }
    return any;
}

/* What the operation produced: memory stored, or registers. */
static void write_product(FILE *out, const walker *w, event e)
{
    wet_file *f = w->f;
    const wet_node *n = &f->nodes[e.node].n;
    const wet_statement *s = statement_of(f, e);
    const wet_operation *o = &s->operations[n->operation_in_statement[e.operation]];
    wet_access_seen seen[FULL_ACCESSES_MAX];
    char name[8];
    wet_accesses_of(f, (wet_instance){e.node, n->operation_statement[e.operation], e.instance}, seen);
    if (write_stores(out, w, seen + o->first_access, o->access_count))
        return;
    bool first = true;
    for (uint64_t rest = o->defines; rest; rest &= rest - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(rest);
        if (loc == THUMB_FLAGS && (o->defines & ~(UINT64_C(1) << THUMB_FLAGS)))
            continue;
        fprintf(out, "%s%s", first ? "" : ", ", wet_location_name(loc, name));
        write_number(out, wet_word(f, e.node, wet_slot_find(n, f->statements, e.operation, WET_VALUE, loc), e.instance),
                     4);
        first = false;
    }
    for (unsigned a = 0; a < o->access_count; a++) {
        fputs(wet_is_device(seen[o->first_access + a].address) ? ", from outside: " : ", from ", out);
        write_memory(out, w, &seen[o->first_access + a]);
    }
    if (!o->defines && !o->access_count)
        fprintf(out, "(no value)");
    if (wet_is_semihost(&f->statics[s->instruction].insn))
        write_host(out, f, e);
}

static void write_value(FILE *out, const walker *w, event e)
{
    write_product(out, w, e);
    if (w->f->statics[statement_of(w->f, e)->instruction].insn.unknown)
        fputs(", by an instruction that is not decoded", out);
}

/* ---- what is reported ---- */

static void tell(walker *w, event e, wet_why_kind kind, const char *prefix, unsigned depth)
{
    char *value = NULL;
    size_t size;
    FILE *out = memory_stream(&value, &size);
    if (kind == WET_WHY_EVENT)
        write_value(out, w, e);
    fclose(out);
    const wet_why_line line = {.kind = kind,
                               .depth = depth,
                               .time = wet_time(w->f, e.node, e.instance),
                               .instruction = statement_of(w->f, e)->instruction,
                               .prefix = prefix,
                               .value = value};
    w->stopped = !w->take(w->own, &line);
    free(value);
}

/* ---- who called it ---- */

static void tell_callers(walker *w, event e, unsigned depth)
{
    wet_origin at = {w->f->nodes[e.node].n.base + e.operation, e.instance};
    uint32_t steps = 0;
    for (unsigned callers = 0; callers < CALLERS_MAX && !w->stopped; callers++) {
        if (!why_calls_next(w->calls, &at, &steps, STEPS_MAX))
            return;
        tell(w, event_of(w->f, at), WET_WHY_CALLER, "", depth);
    }
}

/* ---- the walk ---- */

static bool told_before(walker *w, event e)
{
    for (size_t i = 0; i < w->told_count; i++)
        if (w->told[i].node == e.node && w->told[i].operation == e.operation && w->told[i].instance == e.instance)
            return true;
    w->told = memory_room(w->told, w->told_count, &w->told_max, sizeof *w->told);
    w->told[w->told_count++] = e;
    return false;
}

static bool in_a_loop(const walker *w, uint32_t instruction, unsigned depth)
{
    unsigned times = 0;
    for (unsigned i = 0; i < depth; i++)
        times += w->path[i] == instruction;
    return times >= TWICE;
}

static void tell_tree(walker *w, event e, const char *why, unsigned depth);

/* What a load got of its byte `byte`, if that is not what the store at `origin` stored: something outside of the
 * program wrote it. */
static bool not_stored(wet_file *f, event e, uint32_t address, uint32_t byte, wet_origin origin)
{
    const wet_node *n = &f->nodes[e.node].n;
    wet_access_seen got[FULL_ACCESSES_MAX], put[FULL_ACCESSES_MAX];
    event from = event_of(f, origin);
    uint32_t at = address + byte;
    if (f->statics[statement_of(f, from)->instruction].exception)
        return false; /* the words that the core stacks are not in the trace */
    uint32_t count = wet_accesses_of(f, (wet_instance){e.node, n->operation_statement[e.operation], e.instance}, got);
    const wet_node *m = &f->nodes[from.node].n;
    uint32_t stores =
        wet_accesses_of(f, (wet_instance){from.node, m->operation_statement[from.operation], from.instance}, put);
    for (uint32_t i = 0; i < count; i++) {
        if (got[i].store || !got[i].known || at - got[i].address >= got[i].size)
            continue;
        for (uint32_t k = 0; k < stores; k++)
            if (put[k].store && put[k].known && at - put[k].address < put[k].size)
                return (uint8_t)(got[i].value >> 8 * (at - got[i].address)) !=
                       (uint8_t)(put[k].value >> 8 * (at - put[k].address));
    }
    return false;
}

static void tell_note(walker *w, event e, const char *note, unsigned depth)
{
    const wet_why_line line = {.kind = WET_WHY_EVENT,
                               .depth = depth,
                               .time = wet_time(w->f, e.node, e.instance),
                               .instruction = statement_of(w->f, e)->instruction,
                               .prefix = "",
                               .value = note};
    w->stopped = !w->take(w->own, &line);
}

static void tell_load(walker *w, event e, uint32_t load, unsigned depth)
{
    const wet_file_node *n = &w->f->nodes[e.node];
    uint32_t time = wet_time(w->f, e.node, e.instance);
    uint32_t address = wet_word(w->f, e.node, n->n.loads[load].slot, e.instance);
    wet_origin last = {0, 0};
    for (uint32_t byte = 0; byte < n->n.loads[load].size; byte++) {
        wet_origin origin = wet_load_origin(w->f, e.node, load, byte, e.instance, time);
        char why[24] = "";
        if (origin.producer == last.producer && origin.instance == last.instance)
            continue;
        last = origin;
        if (origin.producer && not_stored(w->f, e, address, byte, origin)) {
            if (!wet_is_device(address)) /* else the load's own line says so */
                tell_note(w, e, "(from outside: the host, by semihosting, or another master wrote it)", depth);
            return;
        }
        if (byte)
            snprintf(why, sizeof why, "byte %u: ", byte);
        if (origin.producer)
            tell_tree(w, event_of(w->f, origin), why, depth);
    }
}

static void tell_loads(walker *w, event e, unsigned depth)
{
    const wet_file_node *n = &w->f->nodes[e.node];
    for (uint32_t load = 0; load < n->n.load_count; load++)
        if (n->n.loads[load].operation == e.operation)
            tell_load(w, e, load, depth);
}

/* Registers that only make addresses are left out; so is the stack pointer. */
static uint64_t value_reads(const walker *w, event e)
{
    const wet_node *n = &w->f->nodes[e.node].n;
    const wet_statement *s = statement_of(w->f, e);
    const wet_operation *o = &s->operations[n->operation_in_statement[e.operation]];
    const thumb_insn *insn = &w->f->statics[s->instruction].insn;
    uint64_t reads = o->reads & ~(UINT64_C(1) << 13);
    if (o->access_count && insn->memory == THUMB_LOAD)
        return reads & UINT64_C(1) << THUMB_FLAGS & (s->passed ? 0 : ~UINT64_C(0));
    if (o->access_count && insn->memory == THUMB_STORE)
        return reads & (insn->list | UINT64_C(1) << THUMB_FLAGS);
    return reads;
}

static void tell_flags(walker *w, event e, unsigned depth)
{
    wet_origin origins[THUMB_FLAG_KINDS];
    bool more;
    uint32_t count = wet_flags_origins(w->f, e.node, e.operation, e.instance, origins, &more);
    for (uint32_t i = 0; i < count; i++)
        tell_tree(w, event_of(w->f, origins[i]), "", depth);
    if (more)
        tell_note(w, e, "(a flag that it reads may have been set further back: weft wet slice finds where)", depth);
}

static void tell_registers(walker *w, event e, unsigned depth)
{
    const wet_file_node *n = &w->f->nodes[e.node];
    uint64_t reads = value_reads(w, e);
    for (uint32_t i = 0; i < n->n.use_count; i++) {
        const wet_use *use = &n->n.uses[i];
        if (use->operation != e.operation || !use->depends || !(reads >> use->loc & 1))
            continue;
        if (use->loc == THUMB_FLAGS) {
            tell_flags(w, e, depth);
            continue;
        }
        wet_origin origin = wet_use_origin(w->f, e.node, use, e.instance);
        if (origin.producer)
            tell_tree(w, event_of(w->f, origin), "", depth);
    }
}

static void tell_tree(walker *w, event e, const char *why, unsigned depth)
{
    uint32_t instruction = statement_of(w->f, e)->instruction;
    if (w->stopped || depth >= w->depth_max || depth >= WET_WHY_DEPTH_MAX || w->f->damaged)
        return;
    if (told_before(w, e))
        return;
    if (in_a_loop(w, instruction, depth)) {
        tell(w, e, WET_WHY_LOOP, why, depth);
        return;
    }
    tell(w, e, WET_WHY_EVENT, why, depth);
    w->path[depth] = instruction;
    const wet_statement *s = statement_of(w->f, e);
    const wet_operation *o = &s->operations[w->f->nodes[e.node].n.operation_in_statement[e.operation]];
    if (o->access_count && s->accesses[o->first_access].store)
        tell_callers(w, e, depth);
    tell_loads(w, e, depth + 1);
    tell_registers(w, e, depth + 1);
}

/* The operation that people mean by a statement: the last that stores or defines more than flags or a base. */
static uint32_t main_operation(const wet_file *f, wet_instance at)
{
    const wet_node *n = &f->nodes[at.node].n;
    uint32_t best = 0;
    bool any = false;
    for (uint32_t o = 0; o < n->operation_count; o++) {
        if (n->operation_statement[o] != at.statement)
            continue;
        const wet_operation *w = &f->statements[n->statements[at.statement]].operations[n->operation_in_statement[o]];
        if (!any || w->access_count)
            best = o;
        any = true;
    }
    return best;
}

void wet_why_walk(wet_file *f, wet_start from, unsigned depth, const wet_why_devices *devices, wet_why_take *take,
                  void *own)
{
    walker *w = memory_zero(1, sizeof *w);
    *w = (walker){.f = f, .depth_max = depth, .devices = devices, .take = take, .own = own, .calls = why_calls_new(f)};
    uint64_t rest = from.operations ? from.operations : UINT64_C(1) << main_operation(f, from.at);
    for (; rest && !w->stopped; rest &= rest - 1)
        tell_tree(w, (event){from.at.node, (uint32_t)__builtin_ctzll(rest), from.at.instance}, "", 0);
    why_calls_free(w->calls);
    free(w->told);
    free(w);
}
