/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/declared.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/dies.h"

struct image_declared {
    image_line *all; /* by address */
    size_t count, max;
};

typedef struct reading {
    image_declared *into;
    const image_symbols *symbols;
    Dwarf_Off last; /* the DIE that was met last */
} reading;

/* Whether a symbol says that the function is in the image. */
static bool stands_there(const image_symbols *symbols, Dwarf_Addr low, const char *name)
{
    if (low > UINT32_MAX)
        return false;
    if (low)
        return image_code_begins(symbols, (uint32_t)low);
    for (size_t i = 0; name && i < symbols->count && !symbols->all[i].address; i++)
        if (symbols->all[i].function && symbols->all[i].loaded && !strcmp(symbols->all[i].name, name))
            return true;
    return false;
}

static void add_function(reading *r, Dwarf_Die *die)
{
    image_declared *d = r->into;
    Dwarf_Addr base, low, high; /* of its first part, where the compiler moved a cold one elsewhere */
    int line;
    if (dwarf_ranges(die, 0, &base, &low, &high) <= 0 || !stands_there(r->symbols, low, dwarf_diename(die)))
        return;
    const char *file = dwarf_decl_file(die);
    if (!file || dwarf_decl_line(die, &line) || line <= 0)
        return;
    d->all = memory_room(d->all, d->count, &d->max, sizeof *d->all);
    d->all[d->count++] = (image_line){.address = (uint32_t)low, .line = (uint32_t)line, .file = file};
}

static bool may_hold_functions(int tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace ||
           tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/* Each DIE lies behind the one before it. Where damage says otherwise, the walk ends: no DIE is met twice. */
static void add_below(reading *r, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;
    if (depth > DIES_NESTED_MAX || dwarf_child(parent, &die))
        return;
    do {
        if (dwarf_dieoffset(&die) <= r->last)
            return;
        r->last = dwarf_dieoffset(&die);
        if (dwarf_tag(&die) == DW_TAG_subprogram)
            add_function(r, &die);
        if (may_hold_functions(dwarf_tag(&die)))
            add_below(r, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* Of several functions at an address the one that comes last here is found. */
static int by_address(const void *a, const void *b)
{
    const image_line *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    int file = strcmp(x->file, y->file);
    return file ? file : (x->line > y->line) - (x->line < y->line);
}

image_declared *image_declared_read(Dwarf *dwarf, const image_symbols *symbols)
{
    image_declared *d = memory_zero(1, sizeof *d);
    reading r = {.into = d, .symbols = symbols};
    Dwarf_Off at = 0, next;
    size_t head;
    Dwarf_Die unit;
    for (; dwarf && dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0; at = next)
        if (dwarf_offdie(dwarf, at + head, &unit))
            add_below(&r, &unit, 0);
    if (d->count)
        qsort(d->all, d->count, sizeof *d->all, by_address);
    return d;
}

void image_declared_free(image_declared *d)
{
    free(d->all);
    free(d);
}

const image_line *image_declared_find(const image_declared *d, uint32_t address)
{
    size_t low = bisect_up_to(d->all, d->count, sizeof *d->all, offsetof(image_line, address), address);
    return low && d->all[low - 1].address == address ? &d->all[low - 1] : NULL;
}
