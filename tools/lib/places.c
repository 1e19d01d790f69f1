/* SPDX-License-Identifier: MIT */
#include "tools/lib/places.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/memory.h"

enum { LINES_MAX = 256 };

static const descriptor_function *function_of(program *app, uint32_t path)
{
    return descriptors_of_path(program_descriptors(app), path);
}

/* The name of a file without its folders. */
static const char *base_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

bool places_print(program *app, uint32_t path, FILE *file)
{
    descriptor_line lines[LINES_MAX];
    const descriptor_function *f = function_of(app, path);
    if (!f)
        return false;
    fputs(f->name, file);
    size_t count = program_path_lines(app, path, lines, LINES_MAX);
    const char *last = NULL;
    for (size_t i = 0; i < count;) {
        size_t end = i + 1; /* of a run of rising lines */
        while (end < count && !strcmp(lines[end].file, lines[i].file) && lines[end].line == lines[end - 1].line + 1)
            end++;
        bool same = last && !strcmp(last, lines[i].file);
        if (same)
            fputc(',', file);
        else
            fprintf(file, " %s:", base_of(lines[i].file));
        last = lines[i].file;
        fprintf(file, end - i > 1 ? "%u-%u" : "%u", lines[i].line, lines[end - 1].line);
        i = end;
    }
    return true;
}

void places_json(program *app, uint32_t path, json *j)
{
    descriptor_line lines[LINES_MAX];
    const descriptor_function *f = function_of(app, path);
    json_object(j, NULL);
    json_integer(j, "path", path);
    if (f) {
        json_string(j, "function", f->name);
        json_string(j, "file", f->file);
        json_array(j, "lines");
        size_t count = program_path_lines(app, path, lines, LINES_MAX);
        for (size_t i = 0; i < count; i++)
            json_integer(j, NULL, lines[i].line);
        json_end_array(j);
    }
    json_end_object(j);
}

/* ---- costs ---- */

typedef struct range {
    uint32_t start, end;
} range;

struct places_costs {
    program *app;
    double **blocks; /* of each function, of each block; made when asked for */
    /* Bytes of the code, and where they hold data. */
    uint8_t *code;
    range code_range;
    range *data;
    size_t data_count, data_max;
};

static int by_start(const void *left, const void *right)
{
    const range *l = left, *r = right;
    return (l->start > r->start) - (l->start < r->start);
}

/* Mapping symbols: $d begins data, $t code. Each range of `data` ends where the next symbol of either kind begins. */
static void read_mapping(places_costs *c, Elf *elf)
{
    range *marks = NULL; /* end: 1 for data */
    size_t count = 0, max = 0;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        GElf_Sym symbol;
        Elf_Data *data;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !(data = elf_getdata(section, NULL)))
            continue;
        for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (!name || name[0] != '$' || (name[1] != 'd' && name[1] != 't') || (name[2] && name[2] != '.'))
                continue;
            if (count == max) {
                max = 2 * max + 256;
                marks = memory_grow(marks, max, sizeof *marks);
            }
            marks[count++] = (range){(uint32_t)symbol.st_value, name[1] == 'd'};
        }
    }
    if (count)
        qsort(marks, count, sizeof *marks, by_start);
    for (size_t i = 0; i < count; i++) {
        if (!marks[i].end)
            continue;
        if (c->data_count == c->data_max) {
            c->data_max = 2 * c->data_max + 256;
            c->data = memory_grow(c->data, c->data_max, sizeof *c->data);
        }
        c->data[c->data_count++] = (range){marks[i].start, i + 1 < count ? marks[i + 1].start : UINT32_MAX};
    }
    free(marks);
}

/* The executable sections as one piece of memory. */
static bool read_code(places_costs *c, Elf *elf)
{
    uint64_t start = UINT32_MAX, end = 0;
    enum { CODE_MAX = 64 << 20 };
    for (int pass = 0; pass < 2; pass++) {
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
            GElf_Shdr h;
            if (!gelf_getshdr(section, &h) || h.sh_type != SHT_PROGBITS || !(h.sh_flags & SHF_EXECINSTR) || !h.sh_size)
                continue;
            if (pass == 0) {
                start = h.sh_addr < start ? h.sh_addr : start;
                end = h.sh_addr + h.sh_size > end ? h.sh_addr + h.sh_size : end;
                continue;
            }
            Elf_Data *data = elf_getdata(section, NULL);
            if (data && data->d_buf && data->d_size <= end - h.sh_addr)
                memcpy(c->code + (h.sh_addr - start), data->d_buf, data->d_size);
        }
        if (end <= start || end - start > CODE_MAX)
            return false;
        if (pass == 0)
            c->code = memory_zero(end - start, 1);
    }
    c->code_range = (range){(uint32_t)start, (uint32_t)end};
    return true;
}

places_costs *places_costs_open(program *app, const char *path, char *message, size_t message_size)
{
    int file = open(path, O_RDONLY);
    elf_version(EV_CURRENT);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ, NULL) : NULL;
    places_costs *c = memory_zero(1, sizeof *c);
    bool well = elf && read_code(c, elf);
    if (well) {
        c->app = app;
        c->blocks = memory_zero(program_descriptors(app)->count, sizeof *c->blocks);
        read_mapping(c, elf);
    } else {
        snprintf(message, message_size, "%s: its code cannot be read", path);
        places_costs_close(c);
    }
    if (elf)
        elf_end(elf);
    if (file >= 0)
        close(file);
    return well ? c : NULL;
}

void places_costs_close(places_costs *c)
{
    if (!c)
        return;
    for (size_t i = 0; c->blocks && i < program_descriptors(c->app)->count; i++)
        free(c->blocks[i]);
    free(c->blocks);
    free(c->code);
    free(c->data);
    free(c);
}

/* If data begin at or lie around the address: where they end, else 0. */
static uint32_t data_end(const places_costs *c, uint32_t address)
{
    size_t low = 0, high = c->data_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->data[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < c->data[low - 1].end ? c->data[low - 1].end : 0;
}

static uint32_t half_at(const places_costs *c, uint32_t address)
{
    const uint8_t *b = c->code + (address - c->code_range.start);
    return b[0] | (uint32_t)b[1] << 8;
}

/* True for a call of a probe (Thumb `bl`, encoding T1). */
static bool is_probe_call(const places_costs *c, uint32_t address)
{
    uint32_t first = half_at(c, address), second = half_at(c, address + 2), offset;
    if ((first & 0xf800) != 0xf000 || (second & 0xd000) != 0xd000)
        return false;
    uint32_t sign = first >> 10 & 1, j1 = second >> 13 & 1, j2 = second >> 11 & 1;
    uint32_t to = (sign ? 0xff000000 : 0) | (j1 ^ sign ^ 1) << 23 | (j2 ^ sign ^ 1) << 22 | (first & 0x3ff) << 12 |
                  (second & 0x7ff) << 1;
    const char *name = program_symbol(c->app, address + 4 + to, &offset);
    return name && !offset && !strncmp(name, "__weft_", 7);
}

/* How many blocks of the function hold a line. */
static unsigned holders(const descriptor_function *f, const char *file, uint32_t line)
{
    unsigned count = 0;
    for (uint32_t b = 0; b < f->block_count; b++)
        for (uint32_t i = 0; i < f->block[b].line_count; i++)
            if (f->block[b].line[i].line == line && !strcmp(f->block[b].line[i].file, file)) {
                count++;
                break;
            }
    return count;
}

/* Shares one instruction of a line, or of no line that a block holds, among blocks. */
static void share(const descriptor_function *f, double *blocks, const char *file, uint32_t line)
{
    unsigned count = file ? holders(f, file, line) : 0;
    for (uint32_t b = 0; b < f->block_count; b++) {
        bool holds = !count;
        for (uint32_t i = 0; count && !holds && i < f->block[b].line_count; i++)
            holds = f->block[b].line[i].line == line && !strcmp(f->block[b].line[i].file, file);
        if (holds)
            blocks[b] += 1.0 / (count ? count : f->block_count);
    }
}

static double *block_costs(places_costs *c, const descriptor_function *f)
{
    double **slot = c->blocks + (f - program_descriptors(c->app)->function);
    uint32_t address, size;
    if (*slot)
        return *slot;
    *slot = memory_zero(f->block_count, sizeof **slot);
    if (!program_find_symbol(c->app, f->assembler_name, &address, &size))
        return *slot;
    uint32_t at = f->address & ~1u, end = at + size;
    if (at < c->code_range.start || end > c->code_range.end || end < at)
        return *slot;
    while (at + 2 <= end) {
        uint32_t skip = data_end(c, at);
        if (skip) {
            at = skip < end ? (skip + 1) & ~1u : end;
            continue;
        }
        bool wide = half_at(c, at) >= 0xe800;
        if (wide && at + 4 > end)
            break;
        const char *file = NULL;
        uint32_t line = 0;
        if (!wide || !is_probe_call(c, at)) {
            if (!program_line(c->app, at, &file, &line))
                file = NULL;
            share(f, *slot, file, line);
        }
        at += wide ? 4 : 2;
    }
    return *slot;
}

uint64_t places_cost(places_costs *c, uint32_t path)
{
    const descriptor_function *f = function_of(c->app, path);
    const replay_script *script = f ? program_script(c->app, path) : NULL;
    if (!script)
        return 1;
    const double *blocks = block_costs(c, f);
    double sum = 0;
    for (uint32_t i = 0; i < script->before_count; i++)
        if (script->items[i].kind == REPLAY_BLOCK && script->items[i].id - f->block_base < f->block_count)
            sum += blocks[script->items[i].id - f->block_base];
    return sum < 1 ? 1 : (uint64_t)(sum + 0.5);
}
