/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/image.h"

#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"

typedef struct listing_own {
    int fd;
    Elf *elf;
    Dwarf *dwarf;
    const uint8_t *file;
    size_t file_size;
} listing_own;

/* Sections for debugging have marks too. */
static bool is_loaded(Elf *elf, const GElf_Sym *symbol)
{
    GElf_Shdr head;
    Elf_Scn *section = symbol->st_shndx < SHN_LORESERVE ? elf_getscn(elf, symbol->st_shndx) : NULL;
    return section && gelf_getshdr(section, &head) && head.sh_flags & SHF_ALLOC;
}

static void symbols_add(listing *im, Elf *elf, Elf_Scn *section, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data ? data->d_size / sizeof(Elf32_Sym) : 0;
    im->symbols = memory_grow(im->symbols, im->symbol_count + count + 1, sizeof *im->symbols);
    im->marks = memory_grow(im->marks, im->mark_count + count + 1, sizeof *im->marks);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF)
            continue;
        int type = GELF_ST_TYPE(symbol.st_info);
        const char *name = elf_strptr(elf, head->sh_link, symbol.st_name);
        if (name && name[0] == '$' && (name[1] == 'd' || name[1] == 't') && (!name[2] || name[2] == '.') &&
            is_loaded(elf, &symbol))
            im->marks[im->mark_count++] = (listing_mark){(uint32_t)symbol.st_value, name[1] == 'd'};
        if ((type != STT_FUNC && type != STT_OBJECT) || !name || !*name)
            continue;
        bool function = type == STT_FUNC;
        im->symbols[im->symbol_count++] = (listing_symbol){(uint32_t)symbol.st_value & (function ? ~1u : ~0u),
                                                           (uint32_t)symbol.st_size, function, name};
    }
}

static int symbol_order(const void *a, const void *b)
{
    const listing_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->function != y->function)
        return y->function - x->function;
    return x->size != y->size ? (x->size < y->size ? 1 : -1) : strcmp(x->name, y->name);
}

static int mark_order(const void *a, const void *b)
{
    const listing_mark *x = a, *y = b;
    return x->address != y->address ? (x->address < y->address ? -1 : 1) : x->data - y->data;
}

static void symbols_read(listing *im, Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr head;
    while ((section = elf_nextscn(elf, section)) != NULL)
        if (gelf_getshdr(section, &head) && head.sh_type == SHT_SYMTAB)
            symbols_add(im, elf, section, &head);
    if (im->symbol_count)
        qsort(im->symbols, im->symbol_count, sizeof *im->symbols, symbol_order);
    if (im->mark_count)
        qsort(im->marks, im->mark_count, sizeof *im->marks, mark_order);
}

static void unit_lines(listing *im, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count))
        return;
    im->lines = memory_grow(im->lines, im->line_count + count + 1, sizeof *im->lines);
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr address;
        int number = 0;
        bool ends = false;
        if (dwarf_lineaddr(line, &address) || dwarf_lineno(line, &number) || dwarf_lineendsequence(line, &ends))
            continue;
        const char *file = ends || !number ? NULL : dwarf_linesrc(line, NULL, NULL);
        im->lines[im->line_count++] = (listing_line){(uint32_t)address, (uint32_t)number, file};
    }
}

/* At equal addresses the end of a sequence comes first, so that the line behind it is the one that is found. */
static int line_order(const void *a, const void *b)
{
    const listing_line *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (!x->file != !y->file)
        return x->file ? 1 : -1;
    return 0;
}

static void lines_read(listing *im, Dwarf *dwarf)
{
    Dwarf_Off offset = 0, next;
    size_t head;
    Dwarf_Die unit;
    while (dwarf && !dwarf_nextcu(dwarf, offset, &next, &head, NULL, NULL, NULL)) {
        if (dwarf_offdie(dwarf, offset + head, &unit))
            unit_lines(im, &unit);
        offset = next;
    }
    if (im->line_count)
        qsort(im->lines, im->line_count, sizeof *im->lines, line_order);
}

listing *listing_open(const char *path, char *message, size_t message_size)
{
    GElf_Ehdr head;
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &head) || head.e_machine != EM_ARM ||
        head.e_ident[EI_CLASS] != ELFCLASS32) {
        snprintf(message, message_size, "'%s' is not an ARM ELF executable", path);
        if (elf)
            elf_end(elf);
        close(fd);
        return NULL;
    }
    listing *im = memory_zero(1, sizeof *im);
    listing_own *own = im->own = memory_zero(1, sizeof *own);
    own->fd = fd;
    own->elf = elf;
    own->file = (const uint8_t *)elf_rawfile(elf, &own->file_size);
    own->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    symbols_read(im, elf);
    lines_read(im, own->dwarf);
    return im;
}

void listing_close(listing *im)
{
    listing_own *own = im->own;
    if (own->dwarf)
        dwarf_end(own->dwarf);
    elf_end(own->elf);
    close(own->fd);
    free(own);
    free(im->symbols);
    free(im->lines);
    free(im->marks);
    free(im);
}

/* The i-th part that is loaded. */
static const uint8_t *part_at(const listing *im, size_t i, GElf_Phdr *p)
{
    listing_own *own = im->own;
    size_t count = 0;
    if (elf_getphdrnum(own->elf, &count))
        return NULL;
    for (size_t k = 0; k < count; k++)
        if (gelf_getphdr(own->elf, (int)k, p) && p->p_type == PT_LOAD && p->p_offset <= own->file_size &&
            p->p_filesz <= own->file_size - p->p_offset && i-- == 0)
            return own->file + p->p_offset;
    return NULL;
}

const uint8_t *listing_part(const listing *im, size_t i, uint32_t *address, size_t *size)
{
    GElf_Phdr p;
    const uint8_t *part = part_at(im, i, &p);
    if (!part)
        return NULL;
    *address = (uint32_t)p.p_vaddr;
    *size = p.p_filesz;
    return part;
}

/* And the flags of the part that they are in. */
static const uint8_t *bytes_at(const listing *im, uint32_t address, size_t size, uint32_t *flags)
{
    GElf_Phdr p;
    const uint8_t *part;
    for (size_t i = 0; (part = part_at(im, i, &p)); i++) {
        *flags = p.p_flags;
        if (address >= p.p_vaddr && size <= p.p_filesz && address - p.p_vaddr <= p.p_filesz - size)
            return part + (address - p.p_vaddr);
    }
    return NULL;
}

const uint8_t *listing_bytes(const listing *im, uint32_t address, size_t size)
{
    uint32_t flags;
    return bytes_at(im, address, size, &flags);
}

bool listing_differs(const listing *im, uint32_t address, const uint8_t *bytes, size_t size)
{
    uint32_t flags;
    const uint8_t *here = bytes_at(im, address, size, &flags);
    return here && !(flags & PF_W) && memcmp(here, bytes, size);
}

/* How many of the elements, each of which begins with its address, stand at or below one. */
static size_t count_to(const void *elements, size_t count, size_t size, uint32_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t there;
        memcpy(&there, (const char *)elements + middle * size, sizeof there);
        if (there <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t listing_data_end(const listing *im, uint32_t address)
{
    size_t low = count_to(im->marks, im->mark_count, sizeof *im->marks, address);
    if (!low || !im->marks[low - 1].data)
        return 0;
    while (low < im->mark_count && im->marks[low].data)
        low++;
    return low < im->mark_count ? im->marks[low].address : UINT32_MAX;
}

const listing_symbol *listing_function(const listing *im, uint32_t address)
{
    size_t low = count_to(im->symbols, im->symbol_count, sizeof *im->symbols, address);
    while (low > 0) {
        const listing_symbol *symbol = &im->symbols[--low];
        if (!symbol->function)
            continue;
        if (symbol->size && address - symbol->address >= symbol->size)
            return NULL;
        while (low > 0 && im->symbols[low - 1].function && im->symbols[low - 1].address == symbol->address)
            symbol = &im->symbols[--low];
        return symbol;
    }
    return NULL;
}

const listing_line *listing_line_at(const listing *im, uint32_t address)
{
    size_t low = count_to(im->lines, im->line_count, sizeof *im->lines, address);
    return low && im->lines[low - 1].file ? &im->lines[low - 1] : NULL;
}
