/* SPDX-License-Identifier: MIT */
/* Steps:
 *   1. Each unit names its line program and its files (libdw reads those).
 *   2. Each program runs once. It gives rows (address, file, line) in sequences: one for each section of code. libdw
 *      also runs them, but sorts the rows by address and so mixes the sequences.
 *   3. Sequences of discarded functions are dropped.
 *   4. The other rows are sorted by address. */
#include "tools/lib/image/lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"

typedef struct unit {
    Dwarf_Off die;
    uint64_t program; /* offset in .debug_line */
} unit;

typedef struct sequence {
    size_t unit, row; /* its unit, its first row */
    uint32_t low, high;
    bool dropped;
} sequence;

typedef struct row {
    image_line at;
    uint32_t file;
    size_t sequence;
} row;

typedef struct table {
    Dwarf *dwarf;
    Elf *elf;
    const image_symbols *symbols;
    unit *units;
    size_t unit_count, unit_max, running; /* running: the unit whose program runs */
    row *rows;
    size_t row_count, row_max;
    sequence *sequences;
    size_t sequence_count, sequence_max;
} table;

struct image_lines {
    image_line *all;
    size_t count;
};

/* ---- step 1 ---- */

static int unit_order(const void *a, const void *b)
{
    const unit *x = a, *y = b;
    if (x->program != y->program)
        return x->program < y->program ? -1 : 1;
    return x->die < y->die ? -1 : x->die > y->die;
}

/* Units by program; several may share one, of which the first counts. */
static void find_units(table *t)
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
        t->units[t->unit_count++] = (unit){dwarf_dieoffset(&die), program};
    }
    if (t->unit_count)
        qsort(t->units, t->unit_count, sizeof *t->units, unit_order);
    for (size_t i = 0; i < t->unit_count; i++)
        if (!kept || t->units[kept - 1].program != t->units[i].program)
            t->units[kept++] = t->units[i];
    t->unit_count = kept;
}

/* ---- step 2 ---- */

/* The head of a line program, as far as running it takes. */
typedef struct program {
    weft_reader code;
    uint8_t unit_bytes; /* per step of the address */
    int8_t line_base;
    uint8_t line_range, opcode_base;
    const uint8_t *operands; /* of each standard opcode, from 1: how many */
} program;

static uint64_t read_offset(weft_reader *r, bool wide)
{
    return wide ? weft_read_u64(r) : weft_read_u32(r);
}

static int64_t read_signed(weft_reader *r)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = weft_read_u8(r);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (shift < 64 && byte & 0x40)
        value |= ~UINT64_C(0) << shift;
    return (int64_t)value;
}

/* False: not a program of a version that is known. `end`: the first byte after it. */
static bool read_head(program *p, const uint8_t *section, size_t size, uint64_t offset, uint64_t *end)
{
    if (offset >= size)
        return false;
    weft_reader r;
    weft_reader_init(&r, section + offset, size - offset);
    uint64_t length = weft_read_u32(&r);
    bool wide = length == UINT32_MAX;
    length = wide ? weft_read_u64(&r) : length;
    if (r.status || length > weft_reader_left(&r))
        return false;
    *end = offset + r.at + length;
    r.size = r.at + length;
    unsigned version = weft_read_u16(&r);
    if (version < 2 || version > 5)
        return false;
    if (version == 5)
        weft_read_u16(&r); /* sizes of addresses and of segments */
    uint64_t tables = read_offset(&r, wide);
    size_t start = r.at;
    p->unit_bytes = weft_read_u8(&r);
    if (version > 3)
        weft_read_u8(&r); /* operations per instruction */
    weft_read_u8(&r);     /* whether rows are statements at first */
    p->line_base = (int8_t)weft_read_u8(&r);
    p->line_range = weft_read_u8(&r);
    p->opcode_base = weft_read_u8(&r);
    if (r.status || !p->line_range || !p->opcode_base || tables > r.size - start)
        return false;
    p->operands = weft_read_bytes(&r, p->opcode_base - 1u);
    if (r.status)
        return false;
    weft_reader_init(&p->code, r.bytes + start + tables, r.size - start - tables);
    return true;
}

typedef struct registers {
    uint32_t address, file, line;
    bool open; /* in a sequence */
} registers;

static void add_row(table *t, registers *now, bool ends)
{
    if (!now->open) {
        t->sequences = memory_room(t->sequences, t->sequence_count, &t->sequence_max, sizeof *t->sequences);
        t->sequences[t->sequence_count++] =
            (sequence){.unit = t->running, .row = t->row_count, .low = now->address, .high = now->address};
        now->open = true;
    }
    sequence *s = &t->sequences[t->sequence_count - 1];
    s->low = now->address < s->low ? now->address : s->low;
    s->high = now->address > s->high ? now->address : s->high;
    t->rows = memory_room(t->rows, t->row_count, &t->row_max, sizeof *t->rows);
    t->rows[t->row_count++] = (row){.at = {.address = now->address, .line = now->line},
                                    .file = ends ? UINT32_MAX : now->file,
                                    .sequence = t->sequence_count - 1};
    if (ends)
        *now = (registers){.file = 1, .line = 1};
}

static void run_extended(table *t, program *p, registers *now)
{
    uint64_t length = weft_read_varint64(&p->code);
    const uint8_t *bytes = weft_read_bytes(&p->code, length < SIZE_MAX ? (size_t)length : SIZE_MAX);
    if (!bytes || !length)
        return;
    if (bytes[0] == DW_LNE_end_sequence)
        add_row(t, now, true);
    if (bytes[0] == DW_LNE_set_address && length >= 5)
        now->address = bytes[1] | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[3] << 16 | (uint32_t)bytes[4] << 24;
}

static void run_standard(table *t, program *p, registers *now, unsigned opcode)
{
    switch (opcode) {
    case DW_LNS_copy:
        add_row(t, now, false);
        return;
    case DW_LNS_advance_pc:
        now->address += (uint32_t)weft_read_varint64(&p->code) * p->unit_bytes;
        return;
    case DW_LNS_advance_line:
        now->line += (uint32_t)read_signed(&p->code);
        return;
    case DW_LNS_set_file:
        now->file = (uint32_t)weft_read_varint64(&p->code);
        return;
    case DW_LNS_const_add_pc:
        now->address += (255u - p->opcode_base) / p->line_range * p->unit_bytes;
        return;
    case DW_LNS_fixed_advance_pc:
        now->address += weft_read_u16(&p->code);
        return;
    default: /* column, statement, block, prologue, epilogue, instruction set, and what is not known */
        for (unsigned i = 0; i < p->operands[opcode - 1]; i++)
            weft_read_varint64(&p->code);
    }
}

static void run_program(table *t, program *p)
{
    registers now = {.file = 1, .line = 1};
    while (weft_reader_left(&p->code) && !p->code.status) {
        unsigned opcode = weft_read_u8(&p->code);
        if (opcode >= p->opcode_base) {
            unsigned step = opcode - p->opcode_base;
            now.address += step / p->line_range * p->unit_bytes;
            now.line += (uint32_t)(p->line_base + (int)(step % p->line_range));
            add_row(t, &now, false);
        } else if (opcode) {
            run_standard(t, p, &now, opcode);
        } else {
            run_extended(t, p, &now);
        }
    }
}

/* The rows name their files. A row with line 0 belongs to no line; so does the end of a sequence. */
static void name_files(table *t, size_t from)
{
    Dwarf_Die die;
    Dwarf_Files *files;
    size_t count;
    bool known = dwarf_offdie(t->dwarf, t->units[t->running].die, &die) && !dwarf_getsrcfiles(&die, &files, &count);
    for (size_t i = from; i < t->row_count; i++) {
        row *r = &t->rows[i];
        r->at.file = known && r->at.line && r->file < count ? dwarf_filesrc(files, r->file, NULL, NULL) : NULL;
    }
}

static Elf_Data *line_section(Elf *elf)
{
    GElf_Shdr head;
    size_t names;
    if (elf_getshdrstrndx(elf, &names))
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        const char *name = gelf_getshdr(section, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;
        if (!name || strcmp(name, ".debug_line"))
            continue;
        if (head.sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0)
            return NULL;
        return elf_getdata(section, NULL);
    }
    return NULL;
}

/* Programs that overlap are damaged: each byte runs once, so that memory is in proportion to the file. */
static void run_programs(table *t)
{
    Elf_Data *section = line_section(t->elf);
    uint64_t end = 0, next = 0;
    for (size_t i = 0; section && section->d_buf && i < t->unit_count; i++) {
        program p;
        size_t from = t->row_count;
        if (t->units[i].program < end || !read_head(&p, section->d_buf, section->d_size, t->units[i].program, &next))
            continue;
        end = next;
        t->running = i;
        run_program(t, &p);
        name_files(t, from);
    }
}

/* ---- step 3 ---- */

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
static bool fits_at_zero(const table *t, const sequence *s, uint32_t end)
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
static sequence *declared_by(const table *t, const declaration *d)
{
    sequence *best = NULL;
    for (size_t i = 0; i < t->sequence_count; i++) {
        sequence *s = &t->sequences[i];
        const image_line *at = &t->rows[s->row].at;
        if (!s->low && !s->dropped && s->unit == d->unit && at->file && at->line >= d->line &&
            !strcmp(at->file, d->file) && (!best || at->line < t->rows[best->row].at.line))
            best = s;
    }
    return best;
}

/* Of several sequences that fit, those stay that belong to the functions at 0, if there are any. */
static void choose_declared(table *t)
{
    declarations d = {.symbols = t->symbols};
    for (d.unit = 0; d.unit < t->unit_count; d.unit++) {
        Dwarf_Die die;
        if (dwarf_offdie(t->dwarf, t->units[d.unit].die, &die))
            dwarf_getfuncs(&die, add_declaration, &d, 0);
    }
    size_t kept = 0, *keep = memory_zero(d.count + 1, sizeof *keep);
    for (size_t i = 0; i < d.count; i++) {
        const sequence *s = declared_by(t, &d.all[i]);
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

static void drop_discarded(table *t)
{
    uint32_t end = code_end(t->elf);
    size_t fit = 0;
    for (size_t i = 0; i < t->sequence_count; i++) {
        sequence *s = &t->sequences[i];
        s->dropped = !s->low && !fits_at_zero(t, s, end);
        fit += !s->low && !s->dropped;
    }
    if (fit > 1)
        choose_declared(t);
}

/* ---- step 4 ---- */

/* At equal addresses the end of a sequence comes first, so that the line that starts there is the one that is found. */
static int row_order(const void *a, const void *b)
{
    const row *x = a, *y = b;
    if (x->at.address != y->at.address)
        return x->at.address < y->at.address ? -1 : 1;
    if (!x->at.file != !y->at.file)
        return x->at.file ? 1 : -1;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

static void keep_rows(table *t, image_lines *lines)
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
    table t = {.dwarf = dwarf, .elf = elf, .symbols = symbols};
    if (!dwarf)
        return lines;
    find_units(&t);
    run_programs(&t);
    drop_discarded(&t);
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
    size_t low = 0, high = lines->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lines->all[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && lines->all[low - 1].file ? &lines->all[low - 1] : NULL;
}
