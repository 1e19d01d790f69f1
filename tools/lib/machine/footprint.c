/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/machine/writes.h"

#define OWN_MARK "weft_own_source"
#define ARGUMENTS 0x3u /* r0 and r1, as bits of thumb_writes */

static bool starts(const char *name, const char *head)
{
    return strncmp(name, head, strlen(head)) == 0;
}

static bool is_one_of(const char *name, const char *const *list)
{
    while (*list && strcmp(name, *list))
        list++;
    return *list != NULL;
}

/* What a program has in any case: port/cortex-m/program but autostart.c and around_main.c, semihosting's console. */
static bool serves_program(const char *unit)
{
    static const char *const files[] = {"startup.c",  "faults.c", "syscalls.c", "runtime.c",
                                        "semihost.c", "board.c",  NULL};
    return is_one_of(unit, files);
}

static bool global_serves_program(const char *name)
{
    return starts(name, "weft_fault") || starts(name, "weft_semihost_") || starts(name, "weft_board_") ||
           !strcmp(name, "weft_vectors") || !strcmp(name, "weft_unexpected_exception") ||
           !strcmp(name, "weft_target_exit");
}

/* own[unit]: a source file of the engine. */
static bool *own_units(const image_symbols *symbols)
{
    bool *own = memory_zero(symbols->unit_count + 1, sizeof *own);
    for (size_t i = 0; i < symbols->unit_count; i++) /* a partial link may drop the mark of the amalgamation */
        own[i + 1] = !strcmp(symbols->units[i], "weft.c") || starts(symbols->units[i], "weft-");
    for (size_t i = 0; i < symbols->count; i++) {
        const image_symbol *s = &symbols->all[i];
        if (s->unit && !strcmp(s->name, OWN_MARK) && !serves_program(symbols->units[s->unit - 1]))
            own[s->unit] = true;
    }
    return own;
}

/* The length of the part of the name that WEFT_RECORDER_DEF and its kin make; 0: none. */
static size_t without_ending(const char *name)
{
    static const char *const endings[] = {"_value_slots", "_slots", "_bytes", "_history", "_config"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t tail = strlen(endings[i]);
        if (length > tail && !strcmp(name + length - tail, endings[i]))
            return length - tail;
    }
    return 0;
}

/* Whether WEFT_RECORDER_DEF in the program's own file made the object: only that makes a X_history. */
static bool is_recorder(const image_symbols *symbols, const image_symbol *object)
{
    size_t stem = without_ending(object->name);
    stem = stem ? stem : strlen(object->name);
    for (size_t i = 0; i < symbols->count; i++) {
        const char *name = symbols->all[i].name;
        if (symbols->all[i].unit == object->unit && !strncmp(name, object->name, stem) &&
            !strcmp(name + stem, "_history"))
            return true;
    }
    return false;
}

static bool is_engine(const image_symbols *symbols, const bool *own, const image_symbol *s)
{
    if (s->unit)
        return own[s->unit] || (!s->function && is_recorder(symbols, s));
    return (starts(s->name, "weft_") || starts(s->name, "__weft_") || !strcmp(s->name, "__wrap_main")) &&
           !global_serves_program(s->name);
}

static const char *macro_of(const char *name, const char *unit)
{
    static const struct {
        const char *name, *unit, *macro;
    } macros[] = {{"spare_bytes", NULL, "WEFT_AUTO_FRAME; WEFT_AUTO_SPARE=0"},
                  {"_bytes", NULL, "WEFT_AUTO_FRAME"},
                  {"autostart_names", NULL, "WEFT_AUTO_NAMES"},
                  {"_value_slots", NULL, "WEFT_AUTO_VALUE_SLOTS"},
                  {"_slots", NULL, "WEFT_AUTO_SLOTS"},
                  {"_history", NULL, "WEFT_RECORDER_HISTORY"},
                  {"weft_trace_ring", NULL, "WEFT_AUTO_RING"},
                  {"fifo", NULL, "WEFT_AUTO_FIFO"},
                  {"grammar_memory", NULL, "WEFT_AUTO_GRAMMAR"},
                  {"forest_memory", NULL, "WEFT_AUTO_KSF_NODES"},
                  {"nest_", NULL, "WEFT_AUTO_LOOPS_WINDOW"},
                  {"engines_", NULL, "WEFT_AUTO_ENGINES"},
                  {"addresses_", NULL, "WEFT_AUTO_SLOTS"},
                  {"values_", NULL, "WEFT_AUTO_VALUE_SLOTS"},
                  {"weft_worker_vectors", NULL, "WEFT_AUTO_VECTORS"},
                  {"slots", NULL, "WEFT_EVENT_RING_SLOTS"},
                  {"probes_ring_slots", NULL, "WEFT_EVENT_RING_SLOTS"}};
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++) {
        const char *at = strstr(name, macros[i].name);
        if (at && (!macros[i].unit || (unit && starts(unit, macros[i].unit))))
            return macros[i].macro;
    }
    return NULL;
}

static bool in_file(const image *im, uint32_t address)
{
    return image_bytes(im, address, 1) != NULL;
}

static void add_object(footprint *f, const image_symbols *symbols, const image_symbol *s)
{
    f->ram += s->size;
    if (f->part_count == FOOTPRINT_PARTS_MAX)
        return;
    const char *unit = s->unit ? symbols->units[s->unit - 1] : NULL;
    f->part[f->part_count++] = (footprint_part){s->name, s->size, macro_of(s->name, unit)};
}

/* Initialised data take flash as well. A constant is known by its address, which is that of code. */
static void add_engine(const image *im, const bool *own, footprint *f)
{
    const image_symbols *symbols = &im->symbols;
    uint32_t ram = 0x20000000u, end = 0; /* end of the symbol before, so that aliases count once */
    for (size_t i = 0; i < symbols->count; i++) {
        const image_symbol *s = &symbols->all[i];
        if (!s->loaded || !s->size || s->address < end || !is_engine(symbols, own, s))
            continue;
        end = s->address + s->size;
        if (!s->function && s->address >= ram)
            add_object(f, symbols, s);
        if (s->function || in_file(im, s->address))
            f->engine += s->size;
    }
}

static unsigned length_of(uint16_t half)
{
    return half >> 11 >= 0x1d ? 4 : 2;
}

/* The target of a BL; 0: another instruction. */
static uint32_t call_target(uint32_t pc, uint16_t first, uint16_t second)
{
    if (first >> 11 != 0x1e || (second & 0xd000) != 0xd000)
        return 0;
    uint32_t s = first >> 10 & 1, j1 = second >> 13 & 1, j2 = second >> 11 & 1;
    uint32_t offset = (s ? 0xff000000u : 0) | (uint32_t)(j1 == s) << 23 | (uint32_t)(j2 == s) << 22 |
                      (first & 0x3ffu) << 12 | (second & 0x7ffu) << 1;
    return pc + 4 + offset;
}

/* Functions that the plugin calls, and what each call counts as. */
static const struct {
    const char *name;
    enum { A_PATH, AN_ACCESS, A_VALUE, NOTHING } kind;
} probe_names[] = {
    {"__weft_path", A_PATH},           {"__weft_loop", A_PATH},         {"__weft_loop_path", A_PATH},
    {"__weft_packed", A_PATH},         {"__weft_kpath", A_PATH},        {"__weft_kpath_exit", A_PATH},
    {"__weft_last", A_PATH},           {"__weft_kept_path", A_PATH},    {"__weft_kept_loop", A_PATH},
    {"__weft_kept_loop_path", A_PATH}, {"__weft_access", AN_ACCESS},    {"__weft_kept_access", AN_ACCESS},
    {"__weft_value", A_VALUE},         {"__weft_value64", A_VALUE},     {"__weft_kept_value", A_VALUE},
    {"__weft_kept_value64", A_VALUE},  {"__weft_enter", NOTHING},       {"__weft_stamp", NOTHING},
    {"__weft_string", NOTHING},        {"__weft_appended", NOTHING},    {"__weft_string_until", NOTHING},
    {"__weft_bytes_until", NOTHING},   {"__weft_same_string", NOTHING}, {"__weft_same_bytes", NOTHING},
};

/* The address of each; 1, to which no call leads, if it is not in the image. */
typedef struct probes {
    uint32_t address[WEFT_COUNT(probe_names)];
} probes;

static void probes_find(const image *im, probes *p)
{
    for (size_t i = 0; i < WEFT_COUNT(probe_names); i++) {
        uint32_t size;
        if (!image_symbol_named(im, probe_names[i].name, &p->address[i], &size))
            p->address[i] = 1;
    }
}

static bool count_call(footprint *f, const probes *p, uint32_t target)
{
    for (size_t i = 0; i < WEFT_COUNT(probe_names); i++) {
        if (p->address[i] != target)
            continue;
        f->paths += probe_names[i].kind == A_PATH;
        f->accesses += probe_names[i].kind == AN_ACCESS;
        f->values += probe_names[i].kind == A_VALUE;
        return true;
    }
    return false;
}

static uint16_t half_at(const uint8_t *code, uint32_t at, uint32_t size)
{
    return at < size && size - at >= 2 ? (uint16_t)(code[at] | code[at + 1] << 8) : 0;
}

/* One routine. `before` is what the instructions just before this one take that write nothing but r0 and r1, with the
 * word that a load from the code fetches. */
static void add_calls(const image *im, footprint *f, const probes *p, const image_symbol *s)
{
    const uint8_t *code = image_bytes(im, s->address, s->size);
    uint32_t before = 0, size = s->size, data = 0;
    for (uint32_t at = 0; code && at < size && size - at >= 2;) {
        uint32_t pc = s->address + at;
        data = image_data_end(&im->symbols, pc);
        if (data > pc) {
            at = data - s->address;
            before = 0;
            continue;
        }
        uint16_t first = half_at(code, at, size), second = half_at(code, at + 2, size);
        unsigned length = length_of(first);
        uint64_t writes = thumb_writes(first, second, true);
        if (length == 4 && count_call(f, p, call_target(pc, first, second)))
            f->probes += 4 + before;
        bool argument = writes && !(writes & ~(uint64_t)ARGUMENTS);
        before = argument ? before + length + (first >> 11 == 9 ? 4 : 0) : 0;
        at += length;
    }
}

/* Loaded bytes of an image. */
static uint64_t footprint_text(const image *im)
{
    uint64_t total = 0;
    uint32_t address;
    size_t size;
    for (size_t i = 0; image_part(im, i, &address, &size); i++)
        total += size;
    return total;
}

static int larger_first(const void *a, const void *b)
{
    const footprint_part *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : strcmp(x->name, y->name);
}

void footprint_of(const image *im, footprint *f)
{
    const image_symbols *symbols = &im->symbols;
    probes p;
    bool *own = own_units(symbols);
    uint32_t end = 0;
    *f = (footprint){.text = footprint_text(im)};
    probes_find(im, &p);
    add_engine(im, own, f);
    for (size_t i = 0; i < symbols->count; i++) {
        const image_symbol *s = &symbols->all[i];
        if (!s->function || !s->loaded || !s->size || s->address < end)
            continue;
        end = s->address + s->size;
        add_calls(im, f, &p, s);
    }
    qsort(f->part, f->part_count, sizeof *f->part, larger_first);
    free(own);
}
