/* SPDX-License-Identifier: MIT */
/* Steps: 1 the elements that matter become a tree (svd_tree.h); 2 peripherals, clusters and registers are expanded from
 * it, arrays and derived ones included; 3 registers are sorted by address.
 * The format: CMSIS-SVD schema version 1.3. */
#include "tools/lib/inspect/svd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/inspect/svd_tree.h"

enum { NAME_MAX_SIZE = 200, DIM_MAX = 65536 };

/* ---- step 2: fields ---- */

static bool parse_bits(const svd_node *n, svd_field *f)
{
    uint64_t low, high;
    const svd_node *range = svd_child(n, "bitRange");
    if (range && range->text) {
        unsigned from, to;
        if (sscanf(range->text, "[%u:%u]", &to, &from) != 2 || to < from || to > 63)
            return false;
        low = from;
        high = to;
    } else if (svd_child(n, "lsb") && svd_child(n, "msb")) {
        low = svd_number_of(n, "lsb", 0);
        high = svd_number_of(n, "msb", 0);
    } else {
        low = svd_number_of(n, "bitOffset", 64);
        high = low + svd_number_of(n, "bitWidth", 1) - 1;
    }
    if (low > 63 || high > 63 || high < low)
        return false;
    f->first = (uint32_t)low;
    f->width = (uint32_t)(high - low + 1);
    return true;
}

static void add_values(const struct svd_own *own, const svd_node *n, svd_field *f)
{
    const svd_node *list = svd_child(n, "enumeratedValues");
    if (list && list->derived && !svd_own_child(list, "enumeratedValue")) {
        const char *name = strrchr(list->derived, '.') ? strrchr(list->derived, '.') + 1 : list->derived;
        const svd_node *found = own->all;
        while (found && (found == list || strcmp(found->tag, "enumeratedValues") || !svd_own_text(found, "name") ||
                         strcmp(svd_own_text(found, "name"), name)))
            found = found->all;
        list = found;
    }
    for (const svd_node *v = list ? list->child : NULL; v; v = v->next) {
        uint64_t value;
        const char *name = svd_own_text(v, "name");
        if (strcmp(v->tag, "enumeratedValue") || !name || !svd_number(svd_own_text(v, "value"), &value))
            continue;
        f->value = memory_room(f->value, f->value_count, &f->value_max, sizeof *f->value);
        f->value[f->value_count++] = (svd_value){memory_text(name), value};
    }
}

static int by_first(const void *a, const void *b)
{
    uint32_t x = ((const svd_field *)a)->first, y = ((const svd_field *)b)->first;
    return x < y ? -1 : x > y;
}

/* Once per register element; a register derived from another has that one's. */
static void find_fields(const struct svd_own *own, svd_node *n)
{
    size_t max = 0;
    const svd_node *list = svd_child(n, "fields");
    if (n->fields)
        return;
    for (const svd_node *c = list ? list->child : NULL; c; c = c->next) {
        const char *name = svd_own_text(c, "name");
        svd_field f = {0};
        if (strcmp(c->tag, "field") || !name || !parse_bits(c, &f))
            continue;
        f.name = memory_text(name);
        add_values(own, c, &f);
        n->fields = memory_room(n->fields, n->field_count, &max, sizeof *n->fields);
        n->fields[n->field_count++] = f;
    }
    if (n->fields)
        qsort(n->fields, n->field_count, sizeof *n->fields, by_first);
}

/* ---- step 2: registers ---- */

typedef struct place {
    char name[NAME_MAX_SIZE];
    uint64_t address;
} place;

/* The i-th index of an array: of a list A,B,C or a range 3-6, else i. */
static void index_text(const char *list, unsigned i, char *out, size_t size)
{
    unsigned from, to;
    if (list && strchr(list, ',')) {
        for (; i && list; i--)
            list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL;
        if (list) {
            snprintf(out, size, "%.*s", (int)strcspn(list, ", "), list);
            return;
        }
    }
    if (list && sscanf(list, "%u-%u", &from, &to) == 2)
        i += from;
    snprintf(out, size, "%u", i);
}

/* Appends what fits: a name that is too long is cut. */
static void append(place *at, const char *bytes, size_t count)
{
    size_t used = strlen(at->name);
    count = count < sizeof at->name - used ? count : sizeof at->name - used - 1;
    memcpy(at->name + used, bytes, count);
    at->name[used + count] = 0;
}

/* "A.B%s" with the index put in. */
static place place_of(const place *in, const svd_node *n, unsigned i, bool first)
{
    place at = *in;
    char index[32];
    const char *name = svd_own_text(n, "name") ? svd_own_text(n, "name") : "?";
    const char *list = svd_child(n, "dimIndex") ? svd_child(n, "dimIndex")->text : NULL, *mark = strstr(name, "%s");
    index_text(list, i, index, sizeof index);
    append(&at, ".", !first);
    append(&at, name, mark ? (size_t)(mark - name) : strlen(name));
    if (mark) {
        append(&at, index, strlen(index));
        append(&at, mark + 2, strlen(mark + 2));
    }
    at.address +=
        svd_number_of(n, first ? "baseAddress" : "addressOffset", 0) + i * svd_number_of(n, "dimIncrement", 0);
    return at;
}

static unsigned dim_of(const svd_node *n)
{
    uint64_t dim = svd_number_of(n, "dim", 1);
    return dim > DIM_MAX ? DIM_MAX : (unsigned)dim;
}

static bool add_register(svd *s, const place *at, svd_node *n)
{
    if (s->count >= SVD_REGISTERS_MAX)
        return false;
    find_fields(s->own, n);
    uint64_t bytes = svd_size(n) / 8;
    s->all = memory_room(s->all, s->count, &s->own->max, sizeof *s->all);
    s->all[s->count++] = (svd_register){.name = memory_text(at->name),
                                        .address = (uint32_t)at->address,
                                        .size = bytes >= 1 && bytes <= 8 ? (uint32_t)bytes : 4,
                                        .field = n->fields,
                                        .field_count = n->field_count};
    return true;
}

static bool has_registers(const svd_node *n)
{
    return svd_own_child(n, "register") || svd_own_child(n, "cluster");
}

/* Registers and clusters of a node, and of what it is derived from. Recursion ends with the tree. */
static bool add_registers(svd *s, const place *in, const svd_node *list, unsigned depth)
{
    for (svd_node *n = list ? list->child : NULL; n; n = n->next) {
        bool cluster = !strcmp(n->tag, "cluster");
        if (!cluster && strcmp(n->tag, "register"))
            continue;
        for (unsigned i = 0; i < dim_of(n); i++) {
            place at = place_of(in, n, i, false);
            const svd_node *inner = n;
            for (int k = 0; cluster && k < SVD_DERIVED_MAX && inner && !has_registers(inner); k++)
                inner = svd_base(inner);
            if (depth > SVD_DEPTH_MAX ||
                (cluster ? !add_registers(s, &at, inner, depth + 1) : !add_register(s, &at, n)))
                return false;
        }
    }
    return true;
}

static bool add_peripherals(svd *s)
{
    const svd_node *list = svd_own_child(s->own->root, "peripherals");
    const place root = {.name = ""};
    for (const svd_node *n = list ? list->child : NULL; n; n = n->next)
        for (unsigned i = 0; !strcmp(n->tag, "peripheral") && i < dim_of(n); i++) {
            place at = place_of(&root, n, i, true);
            if (!add_registers(s, &at, svd_child(n, "registers"), 0))
                return false;
        }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const svd_register *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

svd *svd_open(const char *path, char *message, size_t message_size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (!file || fstat(fd, &status) || !S_ISREG(status.st_mode)) {
        snprintf(message, message_size, "%s: %s", path, file ? "it is not a file on a disk" : strerror(errno));
        if (file)
            fclose(file);
        return NULL;
    }
    svd *s = memory_zero(1, sizeof *s);
    s->own = memory_zero(1, sizeof *s->own);
    bool good = svd_tree_read(s->own, file, message, message_size, path);
    fclose(file);
    if (good && (!s->own->root || strcmp(s->own->root->tag, "device"))) {
        good = false;
        snprintf(message, message_size, "%s: it is XML, but not an SVD file: its root is not <device>", path);
    }
    if (good && !add_peripherals(s)) {
        good = false;
        snprintf(message, message_size, "%s: it has more than %u registers", path, SVD_REGISTERS_MAX);
    }
    if (!good) {
        svd_close(s);
        return NULL;
    }
    if (s->count)
        qsort(s->all, s->count, sizeof *s->all, by_address);
    return s;
}

void svd_close(svd *s)
{
    if (!s)
        return;
    for (svd_node *n = s->own->all, *next; n; n = next) {
        next = n->all;
        svd_node_free(n);
    }
    for (size_t i = 0; i < s->count; i++)
        free(s->all[i].name);
    free(s->all);
    free(s->own);
    free(s);
}

/* ---- questions ---- */

const svd_register *svd_at(const svd *s, uint32_t address)
{
    size_t low = bisect_up_to(s->all, s->count, sizeof *s->all, offsetof(svd_register, address), address);
    /* Of several at one address the first by name; registers may overlap. */
    while (low && s->all[low - 1].address + s->all[low - 1].size > address) {
        size_t at = low - 1;
        while (at && s->all[at - 1].address == s->all[at].address)
            at--;
        return &s->all[at];
    }
    return NULL;
}

uint64_t svd_bits(const svd_field *field, uint64_t value)
{
    uint64_t bits = value >> field->first;
    return field->width >= 64 ? bits : bits & ((UINT64_C(1) << field->width) - 1);
}

const char *svd_value_name(const svd_field *field, uint64_t bits)
{
    for (size_t i = 0; i < field->value_count; i++)
        if (field->value[i].value == bits)
            return field->value[i].name;
    return NULL;
}
