/* SPDX-License-Identifier: MIT */
#include "tools/lib/program.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/memory.h"

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
    replay_script **script; /* by path; open addressing */
    size_t script_count, script_max;
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
    for (size_t i = 0; i < app->script_max; i++)
        if (app->script[i]) {
            free(app->script[i]->items);
            free(app->script[i]);
        }
    free(app->script);
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

/* ---- does it fit? ---- */

static bool paths_fit(const program *app, const container *file, char *message, size_t size)
{
    control *events = control_open(file);
    control_event event;
    bool good = true;
    for (unsigned seen = 0; good && seen < 10000 && control_next(events, &event); seen++)
        if (event.kind == CONTROL_PATH && !descriptors_of_path(app->all, event.path)) {
            snprintf(message, size, "%s: not the image that was traced: it has no path %" PRIu32 " (the recording's %" PRIu64
                     "th)", app->path, event.path, event.index + 1);
            good = false;
        }
    control_close(events);
    return good;
}

bool program_fits(program *app, const container *file, char *message, size_t message_size)
{
    size_t size = 0;
    const uint8_t *traced = container_meta_bytes(file, WEFT_META_BUILD_ID, &size);
    if (traced && app->build_id && (size != app->build_id_size || memcmp(traced, app->build_id, size) != 0)) {
        snprintf(message, message_size, "%s: not the image that was traced: its build id differs", app->path);
        return false;
    }
    return paths_fit(app, file, message, message_size);
}

/* ---- scripts ---- */

static void add_item(replay_script *script, uint8_t kind, uint32_t id)
{
    script->items[script->count++] = (replay_item){.kind = kind, .id = id};
}

static void add_block(replay_script *script, const descriptor_function *f, uint32_t block)
{
    const descriptor_block *b = &f->block[block];
    add_item(script, REPLAY_BLOCK, f->block_base + block);
    for (uint32_t i = b->first_site; i < b->first_site + b->site_count; i++) {
        const descriptor_site *site = &f->site[i];
        if (!(f->flags & DESCRIPTOR_MEMORY))
            break;
        replay_item *access = &script->items[script->count];
        add_item(script, REPLAY_ACCESS, f->site_base + i);
        access->size = site->size;
        access->store = site->flags & DESCRIPTOR_SITE_STORE;
        script->accesses++;
        if (!(site->flags & (DESCRIPTOR_SITE_VALUE | DESCRIPTOR_SITE_VALUE64)))
            continue;
        access[1] = access[0];
        access[1].kind = REPLAY_VALUE;
        script->count++;
        script->values++;
    }
}

static replay_script *make_script(program *app, uint32_t path)
{
    descriptor_path info;
    const descriptor_function *f = descriptors_of_path(app->all, path);
    if (!f || !descriptor_expand(app->all, path, app->blocks, f->block_count, &info))
        return NULL;
    size_t items = 3; /* an entry, a block that is entered, an exit */
    for (size_t i = 0; i < info.count; i++)
        items += 1 + 2 * (size_t)f->block[app->blocks[i]].site_count;
    replay_script *script = memory_zero(1, sizeof *script);
    script->items = memory_grow(NULL, items, sizeof *script->items);
    script->path = path;
    script->function = (uint32_t)(f - app->all->function);
    script->entry = info.entry;
    script->exit = info.exit;
    script->told = info.starts_told;
    script->span = f->flags & DESCRIPTOR_SPAN;
    if (info.entry)
        add_item(script, REPLAY_ENTRY, script->function);
    for (size_t i = 0; i < info.count; i++)
        add_block(script, f, app->blocks[i]);
    script->before_count = script->count;
    if (info.enters_told)
        add_item(script, REPLAY_BLOCK, f->block_base + info.enters);
    if (info.exit)
        add_item(script, REPLAY_EXIT, script->function);
    return script;
}

static size_t script_slot(const program *app, uint32_t path)
{
    size_t at = (path * 2654435761u >> 3) & (app->script_max - 1);
    while (app->script[at] && app->script[at]->path != path)
        at = (at + 1) & (app->script_max - 1);
    return at;
}

static void scripts_grow(program *app)
{
    replay_script **old = app->script;
    size_t old_max = app->script_max;
    app->script_max = old_max ? 2 * old_max : 1024;
    app->script = memory_zero(app->script_max, sizeof *app->script);
    for (size_t i = 0; i < old_max; i++)
        if (old[i])
            app->script[script_slot(app, old[i]->path)] = old[i];
    free(old);
}

const replay_script *program_script(program *app, uint32_t path)
{
    if (2 * app->script_count >= app->script_max)
        scripts_grow(app);
    size_t at = script_slot(app, path);
    if (!app->script[at]) {
        app->script[at] = make_script(app, path);
        app->script_count += app->script[at] != NULL;
    }
    return app->script[at];
}

const replay_script *program_model(void *app, uint32_t path)
{
    return program_script(app, path);
}

size_t program_path_lines(program *app, uint32_t path, descriptor_line *lines, size_t max)
{
    const replay_script *script = program_script(app, path);
    size_t count = 0;
    if (!script)
        return 0;
    const descriptor_function *f = &app->all->function[script->function];
    for (uint32_t i = 0; i < script->before_count; i++) {
        if (script->items[i].kind != REPLAY_BLOCK)
            continue;
        const descriptor_block *b = &f->block[script->items[i].id - f->block_base];
        for (uint32_t k = 0; k < b->line_count; k++) {
            const descriptor_line *last = count ? &lines[count - 1] : NULL;
            if (count < max && !(last && last->line == b->line[k].line && !strcmp(last->file, b->line[k].file)))
                lines[count++] = b->line[k];
        }
    }
    return count;
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
