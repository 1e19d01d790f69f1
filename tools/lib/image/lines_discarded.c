/* SPDX-License-Identifier: MIT */
/* Step 3 of lines_read.c: the linker discards functions, but leaves their lines, at address 0. */
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/lines_table.h"

/* Where the section of code that holds address 0 ends; 0: none does. */
static uint32_t code_end(Elf *elf)
{
    GElf_Shdr head;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
        if (gelf_getshdr(section, &head) && head.sh_flags & SHF_EXECINSTR && head.sh_flags & SHF_ALLOC &&
            head.sh_type == SHT_PROGBITS && !head.sh_addr && head.sh_size)
            return (uint32_t)head.sh_size;
    return 0;
}

/* A sequence at 0 can only be that of the code there: such code begins at 0, and the sequence ends with its section or
 * between two functions. */
static bool fits_at_zero(const lines_table *t, const lines_sequence *s, uint32_t end)
{
    if (s->high > end || !image_code_begins(t->symbols, 0))
        return false;
    const image_symbol *f = image_function(t->symbols, s->high);
    return !f || !f->size || f->address == s->high;
}

/* Where a function is declared that the symbols confirm to stand at address 0. */
typedef struct declaration {
    size_t unit;
    const char *file;
    uint32_t line;
} declaration;

typedef struct declarations {
    const image_symbols *symbols;
    size_t unit;
    declaration *all;
    size_t count, max;
} declarations;

static bool is_symbol_at_zero(const image_symbols *symbols, const char *name)
{
    for (size_t i = 0; i < symbols->count && !symbols->all[i].address; i++)
        if (symbols->all[i].function && symbols->all[i].loaded && !strcmp(symbols->all[i].name, name))
            return true;
    return false;
}

static int add_declaration(Dwarf_Die *die, void *context)
{
    declarations *d = context;
    Dwarf_Addr low;
    int line;
    const char *name = dwarf_diename(die), *file = dwarf_decl_file(die);
    if (!name || !file || dwarf_lowpc(die, &low) || low || dwarf_decl_line(die, &line) ||
        !is_symbol_at_zero(d->symbols, name))
        return DWARF_CB_OK;
    d->all = memory_room(d->all, d->count, &d->max, sizeof *d->all);
    d->all[d->count++] = (declaration){d->unit, file, (uint32_t)line};
    return DWARF_CB_OK;
}

/* The sequence at 0 that begins next after a declaration; NULL: none. */
static lines_sequence *declared_by(const lines_table *t, const declaration *d)
{
    lines_sequence *best = NULL;
    for (size_t i = 0; i < t->sequence_count; i++) {
        lines_sequence *s = &t->sequences[i];
        const image_line *at = &t->rows[s->row].at;
        if (!s->low && !s->dropped && s->unit == d->unit && at->file && at->line >= d->line &&
            !strcmp(at->file, d->file) && (!best || at->line < t->rows[best->row].at.line))
            best = s;
    }
    return best;
}

/* Of several sequences that fit, those stay that belong to the functions at 0, if there are any. */
static void choose_declared(lines_table *t)
{
    declarations d = {.symbols = t->symbols};
    for (d.unit = 0; d.unit < t->unit_count; d.unit++) {
        Dwarf_Die die;
        if (dwarf_offdie(t->dwarf, t->units[d.unit].die, &die))
            dwarf_getfuncs(&die, add_declaration, &d, 0);
    }
    size_t kept = 0, *keep = memory_zero(d.count + 1, sizeof *keep);
    for (size_t i = 0; i < d.count; i++) {
        const lines_sequence *s = declared_by(t, &d.all[i]);
        if (s)
            keep[kept++] = (size_t)(s - t->sequences);
    }
    for (size_t i = 0; kept && i < t->sequence_count; i++)
        t->sequences[i].dropped |= !t->sequences[i].low;
    for (size_t i = 0; i < kept; i++)
        t->sequences[keep[i]].dropped = false;
    free(keep);
    free(d.all);
}

void lines_discarded_drop(lines_table *t)
{
    uint32_t end = code_end(t->elf);
    size_t fit = 0;
    for (size_t i = 0; i < t->sequence_count; i++) {
        lines_sequence *s = &t->sequences[i];
        s->dropped = !s->low && !fits_at_zero(t, s, end);
        fit += !s->low && !s->dropped;
    }
    if (fit > 1)
        choose_declared(t);
}
