/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/types.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/dies.h"

typedef struct variable {
    uint32_t address, size;
    Dwarf_Die die;
} variable;

struct image_types {
    variable *all; /* by address */
    size_t count, max;
};

static uint32_t size_of(Dwarf_Die *type)
{
    uint64_t size = dies_size(type);
    return size <= UINT32_MAX ? (uint32_t)size : 0;
}

/* ---- variables ---- */

static void add_variable(image_types *t, Dwarf_Die *die)
{
    Dwarf_Die type;
    uint64_t address;
    if (!dies_address(die, &address) || !dies_type(die, &type))
        return;
    t->all = memory_room(t->all, t->count, &t->max, sizeof *t->all);
    t->all[t->count++] = (variable){(uint32_t)address, size_of(&type), *die};
}

/* Variables of a unit, those within functions too. */
static void add_variables(image_types *t, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;
    if (depth > DIES_NESTED_MAX || dwarf_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable)
            add_variable(t, &die);
        else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace)
            add_variables(t, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_address(const void *a, const void *b)
{
    uint32_t x = ((const variable *)a)->address, y = ((const variable *)b)->address;
    return x < y ? -1 : x > y;
}

image_types *types_open(const image *im)
{
    image_types *t = memory_zero(1, sizeof *t);
    Dwarf *dwarf = image_dwarf(im);
    Dwarf_Off at = 0, next;
    size_t head;
    Dwarf_Die unit;
    for (; dwarf && dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0; at = next)
        if (dwarf_offdie(dwarf, at + head, &unit))
            add_variables(t, &unit, 0);
    if (t->count)
        qsort(t->all, t->count, sizeof *t->all, by_address);
    return t;
}

void types_close(image_types *t)
{
    if (t)
        free(t->all);
    free(t);
}

/* ---- what lies where ---- */

typedef struct name_text {
    char *text;
    size_t size, used;
} name_text;

static void append(name_text *n, const char *format, const char *text, uint32_t number)
{
    int wrote = text ? snprintf(n->text + n->used, n->size - n->used, format, text)
                     : snprintf(n->text + n->used, n->size - n->used, format, (unsigned)number);
    if (wrote > 0)
        n->used = n->used + (size_t)wrote < n->size ? n->used + (size_t)wrote : n->size - 1;
}

/* The member of a structure or union that holds the bytes: its die, and their offset in it. A base may be empty and
 * share its place with a member, so bases come last. */
static bool part_at(Dwarf_Die *type, int tag, uint32_t *offset, uint32_t size, Dwarf_Die *part)
{
    Dwarf_Die die, of;
    uint64_t at;
    for (int more = dwarf_child(type, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        if (dwarf_tag(&die) != tag || !dies_part(&die, &at) || !dies_type(&die, &of) ||
            dwarf_hasattr(&die, DW_AT_data_bit_offset))
            continue;
        if (*offset >= at && *offset - at + size <= size_of(&of)) {
            *offset -= (uint32_t)at;
            *part = die;
            return true;
        }
    }
    return false;
}

/* The element of an array that holds the bytes, if one does; *type becomes its type. */
static bool element_at(Dwarf_Die *type, uint32_t *offset, uint32_t size, name_text *name)
{
    Dwarf_Die element;
    uint32_t each = dies_type(type, &element) ? size_of(&element) : 0, whole = size_of(type);
    if (!each || *offset % each + size > each)
        return false;
    if (whole / each > 1 || each < whole)
        append(name, "[%u]", NULL, *offset / each);
    *offset %= each;
    *type = element;
    return true;
}

/* Goes down from a variable's type to the least object that holds the bytes. */
static types_answer descend(Dwarf_Die type, uint32_t offset, uint32_t size, name_text *name)
{
    for (unsigned depth = 0; depth < DIES_NESTED_MAX; depth++) {
        Dwarf_Die member;
        int tag = dwarf_tag(&type);
        if (offset == 0 && size_of(&type) == size)
            return TYPES_WHOLE;
        if (tag == DW_TAG_array_type) {
            if (!element_at(&type, &offset, size, name))
                return TYPES_PARTS;
        } else if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type) {
            if (!part_at(&type, DW_TAG_member, &offset, size, &member) &&
                !part_at(&type, DW_TAG_inheritance, &offset, size, &member))
                return TYPES_PARTS;
            if (!dies_type(&member, &type))
                return TYPES_PARTS;
            if (dwarf_diename(&member))
                append(name, ".%s", dwarf_diename(&member), 0);
        } else {
            return TYPES_PARTS;
        }
    }
    return TYPES_UNKNOWN;
}

types_answer types_at(image_types *t, uint32_t address, uint32_t size, char *name, size_t name_size)
{
    name_text text = {name, name_size, 0};
    Dwarf_Die type;
    size_t low = bisect_up_to(t->all, t->count, sizeof *t->all, offsetof(variable, address), address);
    name[0] = 0;
    while (low && t->all[low - 1].address + (uint64_t)t->all[low - 1].size < (uint64_t)address + size && low > 1 &&
           t->all[low - 1].address == t->all[low - 2].address)
        low--;
    variable *v = low ? &t->all[low - 1] : NULL;
    if (!v || address - v->address + (uint64_t)size > v->size || !dies_type(&v->die, &type))
        return TYPES_UNKNOWN;
    append(&text, "%s", dwarf_diename(&v->die) ? dwarf_diename(&v->die) : "?", 0);
    return descend(type, address - v->address, size, &text);
}
