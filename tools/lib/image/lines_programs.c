/* SPDX-License-Identifier: MIT */
/* Step 2 of lines_read.c: line programs (DWARF 2 to 5, section "Line Number Information"). */
#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/lines_table.h"

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
    bool open; /* in a lines_sequence */
} registers;

static void add_row(lines_table *t, registers *now, bool ends)
{
    if (!now->open) {
        t->sequences = memory_room(t->sequences, t->sequence_count, &t->sequence_max, sizeof *t->sequences);
        t->sequences[t->sequence_count++] =
            (lines_sequence){.unit = t->running, .row = t->row_count, .low = now->address, .high = now->address};
        now->open = true;
    }
    lines_sequence *s = &t->sequences[t->sequence_count - 1];
    s->low = now->address < s->low ? now->address : s->low;
    s->high = now->address > s->high ? now->address : s->high;
    t->rows = memory_room(t->rows, t->row_count, &t->row_max, sizeof *t->rows);
    t->rows[t->row_count++] = (lines_row){.at = {.address = now->address, .line = now->line},
                                          .file = ends ? UINT32_MAX : now->file,
                                          .sequence = t->sequence_count - 1};
    if (ends)
        *now = (registers){.file = 1, .line = 1};
}

static void run_extended(lines_table *t, program *p, registers *now)
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

static void run_standard(lines_table *t, program *p, registers *now, unsigned opcode)
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

static void run_program(lines_table *t, program *p)
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
static void name_files(lines_table *t, size_t from)
{
    Dwarf_Die die;
    Dwarf_Files *files;
    size_t count;
    bool known = dwarf_offdie(t->dwarf, t->units[t->running].die, &die) && !dwarf_getsrcfiles(&die, &files, &count);
    for (size_t i = from; i < t->row_count; i++) {
        lines_row *r = &t->rows[i];
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
void lines_programs_run(lines_table *t)
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
