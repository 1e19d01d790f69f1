/* SPDX-License-Identifier: MIT */
/* Steps:
 *   1. Each unit names its line program and its files (libdw reads those).
 *   2. Each program runs once. It gives rows (address, file, line) in sequences: one for each section of code. libdw
 *      also runs them, but sorts the rows by address and so mixes the sequences.
 *   3. Sequences of discarded functions are dropped.
 *   4. The other rows are sorted by address. */
#include "tools/lib/image/lines.h"

#include <dwarf.h>
#include <stdlib.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/lines_table.h"

struct image_lines {
    image_line *all;
    size_t count;
};

/* ---- step 1 ---- */

static int unit_order(const void *a, const void *b)
{
    const lines_unit *x = a, *y = b;
    if (x->program != y->program)
        return x->program < y->program ? -1 : 1;
    return x->die < y->die ? -1 : x->die > y->die;
}

/* Units by program; several may share one, of which the first counts. */
static void find_units(lines_table *t)
{
    Dwarf_Off at = 0, next;
    size_t head, kept = 0;
    for (; !dwarf_nextcu(t->dwarf, at, &next, &head, NULL, NULL, NULL); at = next) {
        Dwarf_Die die;
        Dwarf_Attribute attribute;
        Dwarf_Word program;
        if (!dwarf_offdie(t->dwarf, at + head, &die) || !dwarf_attr(&die, DW_AT_stmt_list, &attribute) ||
            dwarf_formudata(&attribute, &program))
            continue;
        t->units = memory_room(t->units, t->unit_count, &t->unit_max, sizeof *t->units);
        t->units[t->unit_count++] = (lines_unit){dwarf_dieoffset(&die), program};
    }
    if (t->unit_count)
        qsort(t->units, t->unit_count, sizeof *t->units, unit_order);
    for (size_t i = 0; i < t->unit_count; i++)
        if (!kept || t->units[kept - 1].program != t->units[i].program)
            t->units[kept++] = t->units[i];
    t->unit_count = kept;
}

/* ---- step 4 ---- */

/* At equal addresses the end of a sequence comes first, so that the line that starts there is the one that is found. */
static int row_order(const void *a, const void *b)
{
    const lines_row *x = a, *y = b;
    if (x->at.address != y->at.address)
        return x->at.address < y->at.address ? -1 : 1;
    if (!x->at.file != !y->at.file)
        return x->at.file ? 1 : -1;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

static void keep_rows(lines_table *t, image_lines *lines)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->row_count; i++)
        if (!t->sequences[t->rows[i].sequence].dropped)
            t->rows[kept++] = t->rows[i];
    for (size_t i = 0; i < kept; i++)
        t->rows[i].sequence = i; /* the order in the file, for equal addresses */
    if (kept)
        qsort(t->rows, kept, sizeof *t->rows, row_order);
    lines->all = memory_zero(kept + 1, sizeof *lines->all);
    for (size_t i = 0; i < kept; i++)
        lines->all[i] = t->rows[i].at;
    lines->count = kept;
}

image_lines *image_lines_read(Elf *elf, Dwarf *dwarf, const image_symbols *symbols)
{
    image_lines *lines = memory_zero(1, sizeof *lines);
    lines_table t = {.dwarf = dwarf, .elf = elf, .symbols = symbols};
    if (!dwarf)
        return lines;
    find_units(&t);
    lines_programs_run(&t);
    lines_discarded_drop(&t);
    keep_rows(&t, lines);
    free(t.units);
    free(t.rows);
    free(t.sequences);
    return lines;
}

void image_lines_free(image_lines *lines)
{
    free(lines->all);
    free(lines);
}

const image_line *image_lines_at(const image_lines *lines, uint32_t address)
{
    size_t low = bisect_up_to(lines->all, lines->count, sizeof *lines->all, offsetof(image_line, address), address);
    return low && lines->all[low - 1].file ? &lines->all[low - 1] : NULL;
}
