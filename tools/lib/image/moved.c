/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/moved.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/dies.h"

/* What a symbol, or the debug information, says of a name. */
typedef struct named {
    const char *name;
    uint32_t address;
    size_t section; /* of a symbol; 0: the debug information says it */
} named;

typedef struct list {
    named *all;
    size_t count, max;
} list;

typedef struct verdict {
    size_t right, wrong;
} verdict;

static void add(list *l, const char *name, uint64_t address, size_t section)
{
    l->all = memory_room(l->all, l->count, &l->max, sizeof *l->all);
    l->all[l->count++] = (named){name, (uint32_t)address, section};
}

/* Functions and variables of a unit. Those at 0 may have been discarded by the linker. */
static void add_die(list *l, Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    const char *name = tag == DW_TAG_subprogram || tag == DW_TAG_variable ? dwarf_diename(die) : NULL;
    uint64_t address = 0;
    if (!name || !(tag == DW_TAG_variable ? dies_address(die, &address) : !dwarf_lowpc(die, &address)) || !address)
        return;
    add(l, name, address, 0);
}

static void add_debug(list *l, Dwarf *dwarf)
{
    Dwarf_Off at = 0, next;
    size_t head;
    Dwarf_Die unit, die;
    for (; dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0; at = next) {
        if (!dwarf_offdie(dwarf, at + head, &unit) || dwarf_child(&unit, &die))
            continue;
        do
            add_die(l, &die);
        while (dwarf_siblingof(&die, &die) == 0);
    }
}

static void add_symbols(list *l, const image_symbols *symbols, size_t sections)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const image_symbol *symbol = &symbols->all[i];
        if (symbol->section < sections)
            add(l, symbol->name, symbol->address, symbol->section);
    }
}

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->section > y->section) - (x->section < y->section);
}

/* All that has one name. Of several functions, or objects, of a name nothing is said. */
static void judge(const named *of, size_t count, verdict *sections)
{
    if (count != 2 || of[0].section || !of[1].section)
        return;
    if (of[0].address == of[1].address)
        sections[of[1].section].right++;
    else
        sections[of[1].section].wrong++;
}

/* The first section that each symbol which can be judged says was moved. Takes the list. */
static const char *judge_all(list *l, const image_symbols *symbols, Elf *elf)
{
    size_t sections = 0, names, end;
    GElf_Shdr head;
    const char *found = NULL;
    if (elf_getshdrnum(elf, &sections) || elf_getshdrstrndx(elf, &names))
        sections = 0;
    verdict *of = memory_zero(sections + 1, sizeof *of);
    add_symbols(l, symbols, sections);
    if (l->count)
        qsort(l->all, l->count, sizeof *l->all, by_name);
    for (size_t i = 0; i < l->count; i = end) {
        for (end = i + 1; end < l->count && !strcmp(l->all[end].name, l->all[i].name);)
            end++;
        judge(&l->all[i], end - i, of);
    }
    for (size_t i = 1; i < sections && !found; i++)
        if (of[i].wrong && !of[i].right && gelf_getshdr(elf_getscn(elf, i), &head))
            found = elf_strptr(elf, names, head.sh_name);
    free(of);
    free(l->all);
    return found;
}

const char *image_moved(const image_symbols *symbols, Elf *elf, Dwarf *dwarf)
{
    list l = {0};
    if (dwarf)
        add_debug(&l, dwarf);
    return l.count ? judge_all(&l, symbols, elf) : NULL;
}

const char *image_moved_from(const image_symbols *symbols, Elf *elf, const image_name *names, size_t count)
{
    list l = {0};
    for (size_t i = 0; i < count; i++)
        add(&l, names[i].name, names[i].address, 0);
    return l.count ? judge_all(&l, symbols, elf) : NULL;
}
