/* SPDX-License-Identifier: MIT */
/* Which functions an instruction belongs to, those included that the compiler put into others; and the variables in
 * scope. */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/debug/location.h"
#include "tools/lib/debug/names.h"

#define NESTED_MAX 64u

/* ---- levels ---- */

typedef struct levels {
    debug_level *all; /* outermost first while they are found */
    size_t count, max;
    Dwarf_Addr pc;
    Dwarf_Die unit;
} levels;

static const char *call_file(Dwarf_Die *die, Dwarf_Die *unit)
{
    Dwarf_Attribute a;
    Dwarf_Word number;
    Dwarf_Files *files;
    size_t count;
    if (!dwarf_attr(die, DW_AT_call_file, &a) || dwarf_formudata(&a, &number) ||
        dwarf_getsrcfiles(unit, &files, &count) || number >= count)
        return NULL;
    return dwarf_filesrc(files, number, NULL, NULL);
}

static uint32_t call_line(Dwarf_Die *die)
{
    Dwarf_Attribute a;
    Dwarf_Word line = 0;
    return dwarf_attr(die, DW_AT_call_line, &a) && !dwarf_formudata(&a, &line) ? (uint32_t)line : 0;
}

/* Functions put into the one that `die` is, or into a block of it. */
static void find_inlined(levels *l, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        int tag = dwarf_tag(&die);
        if ((tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine) || dwarf_haspc(&die, l->pc) != 1)
            continue;
        if (tag == DW_TAG_inlined_subroutine && l->count < l->max) {
            const char *name = dwarf_diename(&die);
            l->all[l->count - 1].file = call_file(&die, &l->unit);
            l->all[l->count - 1].line = call_line(&die);
            l->all[l->count++] = (debug_level){.die = die, .has_die = true, .name = name ? name : "?"};
        }
        if (depth < NESTED_MAX)
            find_inlined(l, &die, depth + 1);
        return;
    }
}

static void find_function(levels *l, Dwarf_Die *parent)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        const char *name = dwarf_tag(&die) == DW_TAG_subprogram ? dwarf_diename(&die) : NULL;
        if (!name || dwarf_haspc(&die, l->pc) != 1)
            continue;
        l->all[l->count++] = (debug_level){.die = die, .has_die = true, .name = name};
        find_inlined(l, &die, 0);
        return;
    }
}

/* Whether `whole` is `name` with the classes or namespaces that it is of. */
static bool is_qualified(const char *whole, const char *name)
{
    size_t all = strlen(whole), length = strlen(name);
    return all > length + 2 && !strcmp(whole + all - length, name) && !strncmp(whole + all - length - 2, "::", 2);
}

size_t debug_levels_at(const debug_names *n, const debug_frame *frame, debug_level *all, size_t max)
{
    levels l = {.all = all, .max = max, .pc = frame->pc - frame->caller};
    const image_symbol *f = image_function(&n->im->symbols, (uint32_t)l.pc);
    const image_line *line = image_line_at(n->im, (uint32_t)l.pc & ~1u);
    if (n->dwarf && dwarf_addrdie(n->dwarf, l.pc, &l.unit))
        find_function(&l, &l.unit);
    if (!l.count)
        all[l.count++] = (debug_level){.name = f ? f->name : "?"};
    else if (f && is_qualified(f->name, all[0].name))
        all[0].name = f->name;
    all[l.count - 1].file = line && line->file ? line->file : NULL;
    all[l.count - 1].line = line && line->file ? line->line : 0;
    for (size_t i = 0; i < l.count / 2; i++) {
        debug_level other = all[i];
        all[i] = all[l.count - 1 - i];
        all[l.count - 1 - i] = other;
    }
    return l.count;
}

uint32_t debug_body_address(const image *im, uint32_t start, uint32_t size)
{
    const image_line *first = image_line_at(im, start);
    for (uint32_t at = start + 2; first && at < start + size; at += 2) { /* the second line entry comes after it */
        const image_line *here = image_line_at(im, at);
        if (here && here != first && here->address == at)
            return at;
    }
    return start;
}

/* Without optimisation an argument has one place in the frame, to which the prologue stores it. */
bool debug_needs_prologue(const debug_level *level)
{
    Dwarf_Die function = level->die, die;
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t count;
    if (!level->has_die)
        return false;
    for (int more = dwarf_child(&function, &die); more == 0; more = dwarf_siblingof(&die, &die))
        if (dwarf_tag(&die) == DW_TAG_formal_parameter && dwarf_attr(&die, DW_AT_location, &a) &&
            dwarf_getlocation(&a, &ops, &count) == 0 && count == 1 && ops->atom == DW_OP_fbreg)
            return true;
    return false;
}

/* ---- variables ---- */

/* The type without names and qualifiers, and its size. */
static void type_of(Dwarf_Die *die, debug_value *value)
{
    Dwarf_Attribute a;
    Dwarf_Word size;
    value->has_type = dwarf_attr_integrate(die, DW_AT_type, &a) && dwarf_formref_die(&a, &value->type) &&
                      dwarf_peel_type(&value->type, &value->type) == 0;
    value->size = value->has_type && dwarf_aggregate_size(&value->type, &size) == 0 ? (uint32_t)size : 0;
}

static void take_bytes(debug_value *value, uint64_t word)
{
    value->where = DEBUG_BYTES;
    for (unsigned i = 0; i < 8; i++)
        value->bytes[i] = (uint8_t)(word >> 8 * i);
}

static void locate(const debug_view *v, Dwarf_Die *die, debug_value *value)
{
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    Dwarf_Word constant;
    size_t count;
    location l;
    uint32_t pc = v->frame.pc - v->frame.caller;
    if (dwarf_attr_integrate(die, DW_AT_const_value, &a) && !dwarf_formudata(&a, &constant))
        take_bytes(value, constant);
    if (!dwarf_attr_integrate(die, DW_AT_location, &a) || dwarf_getlocation_addr(&a, pc, &ops, &count, 1) != 1 ||
        !location_evaluate(v, ops, count, &l))
        return;
    bool below = ops->atom == DW_OP_fbreg && v->frame.known >> 13 & 1 && l.value < v->frame.r[13];
    if (l.kind == LOCATION_MEMORY) {
        value->where = below ? DEBUG_NOWHERE : DEBUG_MEMORY; /* the frame is not made yet, or is gone */
        value->address = l.value;
    } else if (value->size <= 4) {
        take_bytes(value, l.kind == LOCATION_REGISTER ? v->frame.r[l.value] : l.value);
    }
}

static bool visit_variable(const debug_view *v, Dwarf_Die *die, debug_visit *visit, void *own)
{
    debug_value value = {.name = dwarf_diename(die)};
    if (!value.name)
        return true;
    type_of(die, &value);
    locate(v, die, &value);
    debug_follow_reference(v, &value);
    return visit(own, &value);
}

static bool visit_block(const debug_view *v, Dwarf_Die *parent, debug_visit *visit, void *own, unsigned depth)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        int tag = dwarf_tag(&die);
        if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && !visit_variable(v, &die, visit, own))
            return false;
        if (tag == DW_TAG_lexical_block && depth < NESTED_MAX &&
            dwarf_haspc(&die, v->frame.pc - v->frame.caller) == 1 && !visit_block(v, &die, visit, own, depth + 1))
            return false;
    }
    return true;
}

void debug_locals(const debug_view *v, debug_visit *visit, void *own)
{
    Dwarf_Die die = v->level.die;
    if (v->level.has_die)
        visit_block(v, &die, visit, own, 0);
}

static bool visit_unit(const debug_view *v, Dwarf_Die *unit, debug_visit *visit, void *own)
{
    Dwarf_Die die;
    Dwarf_Attribute a;
    for (int more = dwarf_child(unit, &die); more == 0; more = dwarf_siblingof(&die, &die))
        if (dwarf_tag(&die) == DW_TAG_variable && dwarf_attr_integrate(&die, DW_AT_location, &a) &&
            !visit_variable(v, &die, visit, own))
            return false;
    return true;
}

void debug_statics(const debug_view *v, debug_visit *visit, void *own)
{
    Dwarf_Die unit;
    if (v->names->dwarf && dwarf_addrdie(v->names->dwarf, v->frame.pc - v->frame.caller, &unit))
        visit_unit(v, &unit, visit, own);
}

/* ---- by name ---- */

typedef struct wanted {
    const char *name;
    size_t length;
    debug_value *value;
    bool found;
    bool placed; /* only what lies at `address` is meant */
    uint32_t address;
} wanted;

static bool is_wanted(void *own, const debug_value *value)
{
    wanted *w = own;
    if (!value->name || strncmp(value->name, w->name, w->length) || value->name[w->length])
        return true;
    if (w->placed && (value->where != DEBUG_MEMORY || value->address != w->address))
        return true;
    *w->value = *value;
    w->found = true;
    return false;
}

static bool is_wanted_index(void *own, const debug_value *value)
{
    wanted *w = own;
    if (value->name || value->index != w->length)
        return true;
    *w->value = *value;
    w->found = true;
    return false;
}

/* In every source file; the nearest scope first. */
static bool variable_named(const debug_view *v, wanted *w)
{
    Dwarf_Off at = 0, next;
    size_t head;
    debug_locals(v, is_wanted, w);
    if (!w->found)
        debug_statics(v, is_wanted, w);
    for (; !w->found && v->names->dwarf && dwarf_nextcu(v->names->dwarf, at, &next, &head, NULL, NULL, NULL) == 0;
         at = next) {
        Dwarf_Die unit;
        if (dwarf_offdie(v->names->dwarf, at + head, &unit))
            visit_unit(v, &unit, is_wanted, w);
    }
    return w->found;
}

static size_t name_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static bool pointed_to(const debug_view *v, debug_value *value)
{
    debug_value pointer = *value;
    wanted w = {.length = 0, .value = value};
    debug_children(v, &pointer, is_wanted_index, &w);
    return w.found;
}

/* .member, ->member, [3]: one of them. Moves the text on. */
static bool part_named(const debug_view *v, const char **text, debug_value *value)
{
    char *end;
    debug_value whole;
    wanted w = {.value = value};
    bool arrow = !strncmp(*text, "->", 2);
    if (arrow && !pointed_to(v, value))
        return false;
    whole = *value;
    if (**text == '[') {
        w.length = strtoul(*text + 1, &end, 0);
        if (end == *text + 1 || *end != ']')
            return false;
        *text = end + 1;
        debug_children(v, &whole, is_wanted_index, &w);
        return w.found;
    }
    if (**text != '.' && !arrow)
        return false;
    w.name = *text + 1 + arrow;
    w.length = name_length(w.name);
    *text = w.name + w.length;
    if (w.length)
        debug_children(v, &whole, is_wanted, &w);
    return w.found;
}

/* A name with its classes and namespaces, of which the debug information has the last part and the place. */
static size_t take_name(const debug_view *v, const char *expression, wanted *w)
{
    char whole[256];
    uint32_t size;
    size_t length = name_length(expression);
    w->name = expression;
    while (length && !strncmp(expression + length, "::", 2)) {
        w->name = expression + length + 2;
        length += 2 + name_length(w->name);
    }
    w->length = length - (size_t)(w->name - expression);
    w->placed = w->name != expression;
    if (!w->placed)
        return length;
    if (length >= sizeof whole)
        return 0;
    snprintf(whole, sizeof whole, "%.*s", (int)length, expression);
    return image_symbol_named(v->names->im, whole, &w->address, &size) ? length : 0;
}

/* A member of the object whose function runs. */
static bool member_named(const debug_view *v, wanted *w)
{
    debug_value whole;
    wanted object = {.name = "this", .length = 4, .value = &whole};
    debug_locals(v, is_wanted, &object);
    if (w->placed || !object.found || !pointed_to(v, &whole))
        return false;
    debug_children(v, &whole, is_wanted, w);
    return w->found;
}

bool debug_value_named(const debug_view *v, const char *expression, debug_value *value)
{
    unsigned stars = 0;
    for (; *expression == '*'; expression++)
        stars++;
    wanted w = {.value = value};
    size_t length = take_name(v, expression, &w);
    if (!length || !w.length || (!variable_named(v, &w) && !member_named(v, &w)))
        return false;
    for (const char *text = expression + length; *text;)
        if (!part_named(v, &text, value))
            return false;
    for (; stars; stars--)
        if (!pointed_to(v, value))
            return false;
    return true;
}
