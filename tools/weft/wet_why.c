/* SPDX-License-Identifier: MIT */
/* `weft wet why`: how a value came about, for people. From the instance on, each operation is printed with its value.
 * Below it, one step further in, stands what made its inputs: a load's stores (byte by byte, where they differ) and
 * where these were called from; the registers that go into a sum. Addresses and control are left out: `slice` has
 * them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/sources.h"
#include "tools/lib/base/text.h"
#include "tools/lib/wet/search.h"
#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/word.h"
#include "tools/weft/command.h"
#include "tools/weft/wet_query.h"

#define TWICE 2u      /* iterations of a loop that are printed before "... and so on" */
#define INDENT_MAX 60 /* columns */

/* An operation's execution. */
typedef struct event {
    uint32_t node, operation, instance;
} event;

typedef struct printer {
    wet_file *f;
    sources *sources;
    long long lines, depth;
    event *printed;
    size_t printed_count, printed_max;
    uint32_t path[1024]; /* static instructions on the way here */
} printer;

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

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- one line: names and source lines are foreign text ---- */

static void print_source(const printer *t, uint32_t instruction)
{
    char text[256];
    if (!sources_line(t->sources, wet_file_name(t->f, instruction), t->f->static_line[instruction], text, sizeof text))
        return;
    fputs("   | ", stdout);
    text_print(stdout, text);
}

static void print_place(const printer *t, uint32_t instruction)
{
    const char *file = wet_file_name(t->f, instruction), *function = wet_function_name(t->f, instruction);
    text_print(stdout, *function ? function : "?");
    if (!*file)
        return;
    fputs(" (", stdout);
    text_print(stdout, base_name(file));
    printf(":%u)", t->f->static_line[instruction]);
}

static void print_time(const printer *t, event e, unsigned depth)
{
    unsigned indent = 2 * depth < INDENT_MAX ? 2 * depth : INDENT_MAX;
    printf("%8u  %*s", wet_time(t->f, e.node, e.instance), (int)indent, "");
}

static void print_memory(const printer *t, const wet_access_seen *access)
{
    uint32_t offset;
    const image_symbol *object = wet_object_at(t->f, access->address, &offset);
    if (object)
        text_print(stdout, object->name);
    else
        printf("[0x%08x]", access->address);
    if (object && offset)
        printf("+%u", offset);
    if (access->size != 4)
        printf(" (%u byte%s)", access->size, access->size == 1 ? "" : "s");
}

static void print_number(uint64_t value, unsigned size)
{
    int64_t number = size == 1   ? (int64_t)value
                     : size == 2 ? (int16_t)value
                     : size == 4 ? (int32_t)value
                                 : (int64_t)value;
    printf(" = %lld", (long long)number);
    if (number > 9 || number < 0)
        printf(" (0x%llx)", (unsigned long long)value);
}

/* What the operation produced: memory stored, or registers. */
static void print_value(printer *t, event e)
{
    const wet_node *n = &t->f->nodes[e.node].n;
    const wet_statement *s = statement_of(t->f, e);
    const wet_operation *o = &s->operations[n->operation_in_statement[e.operation]];
    wet_access_seen seen[FULL_ACCESSES_MAX];
    char name[8];
    wet_accesses_of(t->f, (wet_instance){e.node, n->operation_statement[e.operation], e.instance}, seen);
    for (unsigned a = 0; a < o->access_count; a++)
        if (seen[o->first_access + a].store) {
            print_memory(t, &seen[o->first_access + a]);
            print_number(seen[o->first_access + a].value, seen[o->first_access + a].size);
            return;
        }
    bool first = true;
    for (uint64_t rest = o->defines; rest; rest &= rest - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(rest);
        if (loc == THUMB_FLAGS && (o->defines & ~(UINT64_C(1) << THUMB_FLAGS)))
            continue;
        printf("%s%s", first ? "" : ", ", wet_location_name(loc, name));
        print_number(
            wet_word(t->f, e.node, wet_slot_find(n, t->f->statements, e.operation, WET_VALUE, loc), e.instance), 4);
        first = false;
    }
    for (unsigned a = 0; a < o->access_count; a++) {
        printf(", from ");
        print_memory(t, &seen[o->first_access + a]);
    }
    if (!o->defines && !o->access_count)
        printf("(no value)");
}

static void print_event(printer *t, event e, const char *why, unsigned depth)
{
    const wet_statement *s = statement_of(t->f, e);
    char text[160];
    wet_text(t->f, s->instruction, text, sizeof text);
    print_time(t, e, depth);
    fputs(why, stdout);
    print_value(t, e);
    printf("   ");
    print_place(t, s->instruction);
    printf("   %s", text);
    print_source(t, s->instruction);
    putchar('\n');
    t->lines--;
}

/* ---- who called it ---- */

static wet_origin parent_of(wet_file *f, event e)
{
    const wet_file_node *n = &f->nodes[e.node];
    if (n->n.parent[e.operation] != 255)
        return (wet_origin){n->n.base + n->n.parent[e.operation], e.instance};
    return wet_edge_origin(f, &n->controls[n->n.parent_input[e.operation]], e.node, e.instance,
                           wet_time(f, e.node, e.instance));
}

static void print_callers(printer *t, event e, unsigned depth)
{
    for (unsigned step = 0, callers = 0; step < 10000 && callers < 3 && t->lines > 0; step++) {
        wet_origin parent = parent_of(t->f, e);
        if (!parent.producer || !strcmp(wet_function_name(t->f, statement_of(t->f, e)->instruction), "main"))
            return;
        e = event_of(t->f, parent);
        const wet_static *s = &t->f->statics[statement_of(t->f, e)->instruction];
        if (s->insn.flow != THUMB_CALL && s->insn.flow != THUMB_CALL_INDIRECT)
            continue;
        print_time(t, e, depth);
        fputs("  called from ", stdout);
        print_place(t, statement_of(t->f, e)->instruction);
        print_source(t, statement_of(t->f, e)->instruction);
        putchar('\n');
        t->lines--;
        callers++;
    }
}

/* ---- the walk ---- */

static bool printed_before(printer *t, event e)
{
    for (size_t i = 0; i < t->printed_count; i++)
        if (t->printed[i].node == e.node && t->printed[i].operation == e.operation &&
            t->printed[i].instance == e.instance)
            return true;
    t->printed = memory_room(t->printed, t->printed_count, &t->printed_max, sizeof *t->printed);
    t->printed[t->printed_count++] = e;
    return false;
}

static bool in_a_loop(const printer *t, uint32_t instruction, unsigned depth)
{
    unsigned times = 0;
    for (unsigned i = 0; i < depth; i++)
        times += t->path[i] == instruction;
    return times >= TWICE;
}

static void print_tree(printer *t, event e, const char *why, unsigned depth);

static void print_loads(printer *t, event e, unsigned depth)
{
    const wet_file_node *n = &t->f->nodes[e.node];
    uint32_t time = wet_time(t->f, e.node, e.instance);
    for (uint32_t load = 0; load < n->n.load_count; load++) {
        wet_origin last = {0, 0};
        if (n->n.loads[load].operation != e.operation)
            continue;
        for (uint32_t byte = 0; byte < n->n.loads[load].size; byte++) {
            wet_origin origin = wet_load_origin(t->f, e.node, load, byte, e.instance, time);
            char why[24] = "";
            if (origin.producer == last.producer && origin.instance == last.instance)
                continue;
            last = origin;
            if (byte)
                snprintf(why, sizeof why, "byte %u: ", byte);
            if (origin.producer)
                print_tree(t, event_of(t->f, origin), why, depth);
        }
    }
}

/* Registers that only make addresses are left out; so is the stack pointer. */
static uint64_t value_reads(const printer *t, event e)
{
    const wet_node *n = &t->f->nodes[e.node].n;
    const wet_statement *s = statement_of(t->f, e);
    const wet_operation *o = &s->operations[n->operation_in_statement[e.operation]];
    const thumb_insn *insn = &t->f->statics[s->instruction].insn;
    uint64_t reads = o->reads & ~(UINT64_C(1) << 13);
    if (o->access_count && insn->memory == THUMB_LOAD)
        return reads & UINT64_C(1) << THUMB_FLAGS & (s->passed ? 0 : ~UINT64_C(0));
    if (o->access_count && insn->access_size) {
        uint64_t base =
            (insn->base < 15 ? UINT64_C(1) << insn->base : 0) | (insn->index < 15 ? UINT64_C(1) << insn->index : 0);
        reads &= ~(base & ~insn->list);
    }
    return reads;
}

static void print_registers(printer *t, event e, unsigned depth)
{
    const wet_file_node *n = &t->f->nodes[e.node];
    uint64_t reads = value_reads(t, e);
    for (uint32_t i = 0; i < n->n.use_count; i++) {
        const wet_use *use = &n->n.uses[i];
        if (use->operation != e.operation || !use->depends || !(reads >> use->loc & 1))
            continue;
        wet_origin origin = {n->n.base + use->producer, e.instance};
        if (use->producer == 255)
            origin =
                wet_edge_origin(t->f, &n->inputs[use->input], e.node, e.instance, wet_time(t->f, e.node, e.instance));
        if (origin.producer)
            print_tree(t, event_of(t->f, origin), "", depth);
    }
}

static void print_tree(printer *t, event e, const char *why, unsigned depth)
{
    uint32_t instruction = statement_of(t->f, e)->instruction;
    if (t->lines <= 0 || depth >= (unsigned)t->depth || depth >= 1000 || t->f->damaged)
        return;
    if (printed_before(t, e))
        return;
    if (in_a_loop(t, instruction, depth)) {
        print_time(t, e, depth);
        printf("%s... and so on, round the same loop\n", why);
        t->lines--;
        return;
    }
    print_event(t, e, why, depth);
    t->path[depth] = instruction;
    const wet_statement *s = statement_of(t->f, e);
    const wet_operation *o = &s->operations[t->f->nodes[e.node].n.operation_in_statement[e.operation]];
    if (o->access_count && s->accesses[o->first_access].store)
        print_callers(t, e, depth);
    print_loads(t, e, depth + 1);
    print_registers(t, e, depth + 1);
}

/* The operation that people mean: the last that stores or defines more than flags or a base. */
static uint32_t main_operation(const wet_file *f, wet_instance at)
{
    const wet_node *n = &f->nodes[at.node].n;
    uint32_t best = WET_NOBODY;
    for (uint32_t o = 0; o < n->operation_count; o++) {
        if (n->operation_statement[o] != at.statement)
            continue;
        const wet_operation *w = &f->statements[n->statements[at.statement]].operations[n->operation_in_statement[o]];
        if (best == WET_NOBODY || w->access_count)
            best = o;
    }
    return best;
}

static void print_why(wet_file *f, wet_instance from, const wet_options *o, sources *from_folders)
{
    printer t = {.f = f, .sources = from_folders, .lines = o->lines, .depth = o->depth};
    puts("    time  value   function   instruction   | source");
    print_tree(&t, (event){from.node, main_operation(f, from), from.instance}, "", 0);
    if (t.lines <= 0)
        puts("          ... (more with --lines)");
    free(t.printed);
}

int wet_why(const wet_options *o)
{
    char message[512];
    wet_instance from;
    sources *folders = sources_open(o->source_dir, message, sizeof message);
    if (!folders)
        return command_fail("wet", EXIT_USAGE, "--source-dir %s", message);
    wet_file *f = wet_open_at(o, &from);
    if (f)
        print_why(f, from, o, folders);
    sources_close(folders);
    return f ? wet_close(o, f, EXIT_DONE) : EXIT_INPUT;
}
