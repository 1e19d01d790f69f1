/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/symbols.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/demangle.h"

/* ---- reading ---- */

/* Flags of the section that a symbol stands in; 0: in none. */
static uint64_t section_flags(Elf *elf, const GElf_Sym *symbol)
{
    GElf_Shdr head;
    Elf_Scn *section = symbol->st_shndx < SHN_LORESERVE ? elf_getscn(elf, symbol->st_shndx) : NULL;
    return section && gelf_getshdr(section, &head) ? head.sh_flags : 0;
}

/* At -O0 GCC gives static variables that are 0 no type, but a size. */
static bool is_object(const GElf_Sym *symbol, uint64_t flags)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    bool data = flags & SHF_ALLOC && !(flags & SHF_EXECINSTR);
    return type == STT_OBJECT || (type == STT_NOTYPE && symbol->st_size && data);
}

static bool is_mark(const char *name)
{
    return name[0] == '$' && (name[1] == 'd' || name[1] == 't') && (!name[2] || name[2] == '.');
}

/* The name to show. */
static const char *shown_name(image_symbols *symbols, const char *name)
{
    char *made = demangle(name);
    if (!made)
        return name;
    symbols->made = memory_room(symbols->made, symbols->made_count, &symbols->made_max, sizeof *symbols->made);
    symbols->made[symbols->made_count++] = made;
    return made;
}

static void add_symbol(image_symbols *symbols, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    uint64_t flags = section_flags(elf, symbol);
    bool loaded = flags & SHF_ALLOC, function = type == STT_FUNC;
    uint32_t address = (uint32_t)symbol->st_value & (function ? ~1u : ~0u);
    if (loaded && is_mark(name)) { /* sections for debugging have marks too */
        symbols->marks = memory_room(symbols->marks, symbols->mark_count, &symbols->mark_max, sizeof *symbols->marks);
        symbols->marks[symbols->mark_count++] = (image_mark){address, name[1] == 'd'};
    }
    if (type == STT_FILE) {
        symbols->units = memory_room(symbols->units, symbols->unit_count, &symbols->unit_max, sizeof *symbols->units);
        symbols->units[symbols->unit_count++] = name;
    }
    if ((!function && !is_object(symbol, flags)) || !*name)
        return;
    bool local = GELF_ST_BIND(symbol->st_info) == STB_LOCAL;
    symbols->all = memory_room(symbols->all, symbols->count, &symbols->max, sizeof *symbols->all);
    symbols->all[symbols->count] = (image_symbol){.address = address,
                                                  .size = (uint32_t)symbol->st_size,
                                                  .function = function,
                                                  .loaded = loaded,
                                                  .section = symbol->st_shndx,
                                                  .order = (uint32_t)symbols->count,
                                                  .unit = local ? (uint32_t)symbols->unit_count : 0,
                                                  .name = shown_name(symbols, name)};
    symbols->count++;
}

/* Calls `use` with each defined symbol until it returns false. */
typedef bool (*symbol_use)(void *context, Elf *elf, const GElf_Sym *symbol, const char *name);

static void each_symbol(Elf *elf, symbol_use use, void *context)
{
    GElf_Shdr head;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, &head) || head.sh_type != SHT_SYMTAB)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        size_t count = data ? data->d_size / sizeof(Elf32_Sym) : 0;
        for (size_t i = 0; i < count; i++) {
            GElf_Sym symbol;
            const char *name;
            if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF ||
                !(name = elf_strptr(elf, head.sh_link, symbol.st_name)))
                continue;
            if (!use(context, elf, &symbol, name))
                return;
        }
    }
}

static bool use_symbol(void *context, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    add_symbol(context, elf, symbol, name);
    return true;
}

static int symbol_order(const void *a, const void *b)
{
    const image_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->function != y->function)
        return y->function - x->function;
    if (x->size != y->size)
        return x->size < y->size ? 1 : -1;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->order > y->order) - (x->order < y->order);
}

static int mark_order(const void *a, const void *b)
{
    const image_mark *x = a, *y = b;
    return x->address != y->address ? (x->address < y->address ? -1 : 1) : x->data - y->data;
}

void image_symbols_read(image_symbols *symbols, Elf *elf)
{
    *symbols = (image_symbols){NULL};
    each_symbol(elf, use_symbol, symbols);
    if (symbols->count)
        qsort(symbols->all, symbols->count, sizeof *symbols->all, symbol_order);
    if (symbols->mark_count)
        qsort(symbols->marks, symbols->mark_count, sizeof *symbols->marks, mark_order);
}

void image_symbols_free(image_symbols *symbols)
{
    for (size_t i = 0; i < symbols->made_count; i++)
        free(symbols->made[i]);
    free(symbols->made);
    free(symbols->all);
    free(symbols->marks);
    free(symbols->units);
}

/* ---- by address ---- */

static size_t symbols_to(const image_symbols *symbols, uint32_t address)
{
    return bisect_up_to(symbols->all, symbols->count, sizeof *symbols->all, offsetof(image_symbol, address), address);
}

static size_t marks_to(const image_symbols *symbols, uint32_t address)
{
    return bisect_up_to(symbols->marks, symbols->mark_count, sizeof *symbols->marks, offsetof(image_mark, address),
                        address);
}

uint32_t image_data_end(const image_symbols *symbols, uint32_t address)
{
    size_t low = marks_to(symbols, address);
    if (!low || !symbols->marks[low - 1].data)
        return 0;
    while (low < symbols->mark_count && symbols->marks[low].data)
        low++;
    return low < symbols->mark_count ? symbols->marks[low].address : UINT32_MAX;
}

const image_symbol *image_function(const image_symbols *symbols, uint32_t address)
{
    size_t low = symbols_to(symbols, address);
    while (low > 0) {
        const image_symbol *symbol = &symbols->all[--low];
        if (!symbol->function)
            continue;
        if (symbol->size && address - symbol->address >= symbol->size)
            return NULL;
        while (low > 0 && symbols->all[low - 1].function && symbols->all[low - 1].address == symbol->address)
            symbol = &symbols->all[--low];
        return symbol;
    }
    return NULL;
}

/* Of symbols with the same start the largest counts, of names for the same the last one in the file. */
static bool is_better(const image_symbol *symbol, const image_symbol *than)
{
    if (!than || symbol->size != than->size)
        return !than || symbol->size > than->size;
    return symbol->order > than->order;
}

/* What GCC appends to the name of a copy, with its number, which descriptors leave out; 0: not that. */
static size_t copy_mark(const char *text)
{
    static const char *const marks[] = {".isra", ".part", ".constprop", ".lto_priv", ".cold"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t size = 0;
        while (marks[i][size] && text[size] == marks[i][size])
            size++;
        if (marks[i][size])
            continue;
        size_t digits = text[size] == '.' ? strspn(text + size + 1, "0123456789") : 0;
        size += digits ? digits + 1 : 0;
        return text[size] == '.' || !text[size] ? size : 0;
    }
    return 0;
}

size_t image_copied_name(const char *name)
{
    size_t size = strlen(name);
    for (const char *dot = strchr(name, '.'); dot && dot != name; dot = strchr(dot + 1, '.')) {
        size_t all = 0;
        for (size_t more; (more = copy_mark(dot + all)) > 0;)
            all += more;
        if (all && !dot[all])
            return (size_t)(dot - name);
    }
    return size;
}

bool image_is_copy(const char *symbol, const char *name)
{
    size_t length = image_copied_name(symbol);
    return symbol[length] && strlen(name) == length && !memcmp(symbol, name, length) &&
           !strstr(symbol + length, ".part") && !strstr(symbol + length, ".cold");
}

const image_symbol *image_object(const image_symbols *symbols, uint32_t address, uint32_t *offset)
{
    const image_symbol *found = NULL;
    size_t tried = 0;
    /* Few objects overlap: the search ends after 16 that do not reach the address. */
    for (size_t i = symbols_to(symbols, address); i-- > 0 && tried < 16;) {
        const image_symbol *symbol = &symbols->all[i];
        if (found && found->address != symbol->address)
            break;
        if (!symbol->loaded)
            continue;
        if (address - symbol->address >= symbol->size)
            tried++;
        else if (is_better(symbol, found))
            found = symbol;
    }
    if (found)
        *offset = address - found->address;
    return found;
}

bool image_code_begins(const image_symbols *symbols, uint32_t address)
{
    for (size_t i = symbols_to(symbols, address); i-- > 0 && symbols->all[i].address == address;)
        if (symbols->all[i].function && symbols->all[i].loaded)
            return true;
    size_t marks = marks_to(symbols, address);
    return marks && symbols->marks[marks - 1].address == address && !symbols->marks[marks - 1].data;
}

/* ---- by name ---- */

typedef struct search {
    const char *name;
    uint32_t address, size;
    bool found, demangles;
} search;

static bool is_named(const search *s, const char *name)
{
    char *made = s->demangles ? demangle(name) : NULL;
    bool is = !strcmp(made ? made : name, s->name);
    free(made);
    return is;
}

static bool is_wanted(void *context, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    (void)elf;
    search *s = context;
    int type = GELF_ST_TYPE(symbol->st_info);
    if (type == STT_FILE || type == STT_SECTION || !is_named(s, name))
        return true;
    s->address = (uint32_t)symbol->st_value & (type == STT_FUNC ? ~1u : ~0u);
    s->size = (uint32_t)symbol->st_size;
    s->found = true;
    return false;
}

bool image_find(Elf *elf, const char *name, uint32_t *address, uint32_t *size)
{
    search s = {.name = name};
    each_symbol(elf, is_wanted, &s);
    if (!s.found) {
        s.demangles = true;
        each_symbol(elf, is_wanted, &s);
    }
    if (s.found) {
        *address = s.address;
        *size = s.size;
    }
    return s.found;
}
