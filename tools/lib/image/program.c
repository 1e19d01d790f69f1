/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/program.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"

typedef struct symbol {
    uint32_t address, size;
    const char *name; /* in the ELF's string table */
    bool object;      /* data or function; other labels have no size */
} symbol;

struct program {
    char *path;
    int fd;
    Elf *elf;
    descriptors *all;
    symbol *symbols; /* by address */
    size_t symbol_count;
    const uint8_t *build_id;
    size_t build_id_size;
    uint32_t *blocks; /* scratch: as many as the largest function has */
};

/* ---- symbols ---- */

static int by_address(const void *left, const void *right)
{
    const symbol *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

static void add_symbols(program *app, Elf_Scn *section, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data && head->sh_entsize ? data->d_size / head->sh_entsize : 0;
    app->symbols = memory_grow(app->symbols, app->symbol_count + count + 1, sizeof *app->symbols);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym sym;
        if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE)
            continue;
        int type = GELF_ST_TYPE(sym.st_info);
        const char *name = elf_strptr(app->elf, head->sh_link, sym.st_name);
        if ((type != STT_OBJECT && type != STT_FUNC && type != STT_NOTYPE) || !name || !*name || *name == '$')
            continue;
        Elf_Scn *home = elf_getscn(app->elf, sym.st_shndx);
        GElf_Shdr where;
        if (!home || !gelf_getshdr(home, &where) || !(where.sh_flags & SHF_ALLOC))
            continue; /* the numbers of paths, sites and blocks are symbols too */
        uint32_t thumb = type == STT_FUNC ? 1 : 0;
        app->symbols[app->symbol_count++] =
            (symbol){(uint32_t)sym.st_value & ~thumb, (uint32_t)sym.st_size, name, type != STT_NOTYPE};
    }
}

static void read_build_id(program *app, Elf_Scn *section)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t at = 0, name, desc;
    GElf_Nhdr note;
    while (data && at < data->d_size && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0)
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp((const char *)data->d_buf + name, "GNU", 4) == 0) {
            app->build_id = (const uint8_t *)data->d_buf + desc;
            app->build_id_size = note.n_descsz;
        }
}

static void read_sections(program *app)
{
    GElf_Shdr head;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(app->elf, section));) {
        if (!gelf_getshdr(section, &head))
            continue;
        if (head.sh_type == SHT_SYMTAB)
            add_symbols(app, section, &head);
        if (head.sh_type == SHT_NOTE)
            read_build_id(app, section);
    }
    if (app->symbol_count)
        qsort(app->symbols, app->symbol_count, sizeof *app->symbols, by_address);
}

program *program_open(const char *path, char *message, size_t message_size)
{
    descriptors *all = descriptors_load(path, message, message_size);
    if (!all)
        return NULL;
    program *app = memory_zero(1, sizeof *app);
    uint32_t most = 1;
    app->all = all;
    app->path = strdup(path);
    app->fd = open(path, O_RDONLY | O_CLOEXEC);
    app->elf = app->fd >= 0 ? elf_begin(app->fd, ELF_C_READ_MMAP, NULL) : NULL;
    if (!app->elf || !app->path) {
        snprintf(message, message_size, "%s: cannot be read", path);
        program_close(app);
        return NULL;
    }
    read_sections(app);
    for (size_t i = 0; i < all->count; i++)
        most = all->function[i].block_count > most ? all->function[i].block_count : most;
    app->blocks = memory_zero(most, sizeof *app->blocks);
    return app;
}

void program_close(program *app)
{
    if (!app)
        return;
    free(app->blocks);
    free(app->symbols);
    if (app->elf)
        elf_end(app->elf);
    if (app->fd >= 0)
        close(app->fd);
    descriptors_free(app->all);
    free(app->path);
    free(app);
}

const descriptors *program_descriptors(const program *app)
{
    return app->all;
}

/* ---- lines ---- */

static size_t add_line(const descriptor_line *line, descriptor_line *lines, size_t count, size_t max)
{
    const descriptor_line *last = count ? &lines[count - 1] : NULL;
    if (count == max || (last && last->line == line->line && !strcmp(last->file, line->file)))
        return count;
    lines[count] = *line;
    return count + 1;
}

size_t program_path_lines(program *app, uint32_t path, descriptor_line *lines, size_t max)
{
    descriptor_path info;
    const descriptor_function *f = descriptors_of_path(app->all, path);
    size_t count = 0;
    if (!f || !descriptor_expand(app->all, path, app->blocks, f->block_count, &info))
        return 0;
    for (size_t i = 0; i < info.count; i++) {
        const descriptor_block *b = &f->block[app->blocks[i]];
        for (uint32_t k = 0; k < b->line_count; k++)
            count = add_line(&b->line[k], lines, count, max);
    }
    return count;
}

const char *program_file(const program *app)
{
    return app->path;
}

const uint8_t *program_build_id(const program *app, size_t *size)
{
    *size = app->build_id_size;
    return app->build_id;
}

/* ---- addresses ---- */

const char *program_symbol(const program *app, uint32_t address, uint32_t *offset)
{
    size_t low = 0, high = app->symbol_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (app->symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    /* Symbols of the same start stand with the largest last; a few labels may stand between. */
    for (size_t i = low; i-- > 0 && low - i <= 16;) {
        const symbol *s = &app->symbols[i];
        if (s->object && address - s->address < s->size) {
            *offset = address - s->address;
            return s->name;
        }
    }
    return NULL;
}

bool program_find_symbol(const program *app, const char *name, uint32_t *address, uint32_t *size)
{
    for (size_t i = 0; i < app->symbol_count; i++)
        if (!strcmp(app->symbols[i].name, name)) {
            *address = app->symbols[i].address;
            *size = app->symbols[i].size;
            return true;
        }
    return false;
}
