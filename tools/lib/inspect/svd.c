/* SPDX-License-Identifier: MIT */
/* Steps: 1 the elements that matter become a tree (expat); 2 peripherals, clusters and registers are expanded from it,
 * arrays and derived ones included; 3 registers are sorted by address.
 * The format: CMSIS-SVD schema version 1.3. */
#include "tools/lib/inspect/svd.h"

#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"

enum { DEPTH_MAX = 64, DERIVED_MAX = 8, NAME_MAX_SIZE = 200, TEXT_MAX = 4096, DIM_MAX = 65536 };

typedef struct node {
    const char *tag; /* one of `known` */
    char *text, *derived;
    size_t size, max; /* of text */
    struct node *parent, *child, *last, *next, *all;
    svd_field *fields; /* of a register that was expanded */
    size_t field_count;
} node;

struct svd_own {
    node *root, *all;        /* all: a list for the end */
    node *open;              /* the element that is being read */
    unsigned depth, skipped; /* skipped: elements that are not kept and that are open */
    size_t max;
    const char *error;
};

static const char *const known[] = {"device",
                                    "peripherals",
                                    "peripheral",
                                    "name",
                                    "baseAddress",
                                    "registers",
                                    "register",
                                    "cluster",
                                    "size",
                                    "fields",
                                    "field",
                                    "addressOffset",
                                    "bitOffset",
                                    "bitWidth",
                                    "bitRange",
                                    "lsb",
                                    "msb",
                                    "value",
                                    "dim",
                                    "dimIncrement",
                                    "dimIndex",
                                    "enumeratedValues",
                                    "enumeratedValue"};

/* ---- step 1 ---- */

static const char *known_tag(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i], name))
            return known[i];
    return NULL;
}

typedef struct parsing {
    struct svd_own *own;
    XML_Parser parser;
} parsing;

static void stop(parsing *s, const char *error)
{
    s->own->error = error;
    XML_StopParser(s->parser, XML_FALSE);
}

static void begin_element(void *context, const char *name, const char **attributes)
{
    parsing *s = context;
    struct svd_own *own = s->own;
    const char *tag = known_tag(name);
    if (++own->depth > DEPTH_MAX) {
        stop(s, "its elements are nested too deeply");
        return;
    }
    if (own->skipped || !tag) {
        own->skipped++;
        return;
    }
    node *n = memory_zero(1, sizeof *n);
    n->tag = tag;
    n->parent = own->open;
    n->all = own->all;
    own->all = n;
    if (!own->open && !own->root)
        own->root = n;
    else if (own->open && own->open->last)
        own->open->last->next = n;
    else if (own->open)
        own->open->child = n;
    if (own->open)
        own->open->last = n;
    for (int i = 0; attributes[i]; i += 2)
        if (!strcmp(attributes[i], "derivedFrom") && !n->derived)
            n->derived = memory_text(attributes[i + 1]);
    own->open = n;
}

static void end_element(void *context, const char *name)
{
    struct svd_own *own = ((parsing *)context)->own;
    (void)name;
    own->depth--;
    if (own->skipped)
        own->skipped--;
    else
        own->open = own->open->parent;
}

static void text(void *context, const char *bytes, int size)
{
    struct svd_own *own = ((parsing *)context)->own;
    node *n = own->open;
    if (own->skipped || !n)
        return;
    for (int i = 0; i < size && n->size < TEXT_MAX; i++) {
        if (!n->size && strchr(" \t\r\n", bytes[i]))
            continue;
        n->text = memory_room(n->text, n->size + 1, &n->max, 1);
        n->text[n->size++] = bytes[i];
        n->text[n->size] = 0;
    }
    while (n->size && strchr(" \t\r\n", n->text[n->size - 1]) && n->text[n->size - 1])
        n->text[--n->size] = 0;
}

static void doctype(void *context, const char *name, const char *system, const char *public, int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    stop(context, "it has a document type declaration, which no SVD file needs");
}

static bool read_tree(struct svd_own *own, FILE *file, char *message, size_t size, const char *path)
{
    char buffer[1 << 14];
    parsing s = {own, memory_got(XML_ParserCreate(NULL))};
    XML_SetUserData(s.parser, &s);
    XML_SetElementHandler(s.parser, begin_element, end_element);
    XML_SetCharacterDataHandler(s.parser, text);
    XML_SetStartDoctypeDeclHandler(s.parser, doctype);
    bool good = true;
    for (size_t got = 1; good && got;) {
        got = fread(buffer, 1, sizeof buffer, file);
        good = XML_Parse(s.parser, buffer, (int)got, got == 0) == XML_STATUS_OK;
    }
    if (!good)
        snprintf(message, size, "%s: line %lu: %s", path, (unsigned long)XML_GetCurrentLineNumber(s.parser),
                 own->error ? own->error : XML_ErrorString(XML_GetErrorCode(s.parser)));
    else if (ferror(file))
        snprintf(message, size, "%s: %s", path, strerror(errno));
    good = good && !ferror(file);
    XML_ParserFree(s.parser);
    return good;
}

/* ---- the tree ---- */

static const node *own_child(const node *n, const char *tag)
{
    const node *c = n ? n->child : NULL;
    while (c && strcmp(c->tag, tag))
        c = c->next;
    return c;
}

static const char *own_text(const node *n, const char *tag)
{
    const node *c = own_child(n, tag);
    return c && c->text ? c->text : NULL;
}

/* What a node is derived from: a sibling of that name. */
static const node *base_of(const node *n)
{
    if (!n->derived || !n->parent)
        return NULL;
    const char *name = strrchr(n->derived, '.') ? strrchr(n->derived, '.') + 1 : n->derived;
    for (const node *c = n->parent->child; c; c = c->next) {
        const char *own = own_text(c, "name");
        if (c != n && c->tag == n->tag && own && !strcmp(own, name))
            return c;
    }
    return NULL;
}

/* A child of a node, or of what it is derived from. */
static const node *child_of(const node *n, const char *tag)
{
    const node *c = NULL;
    for (int i = 0; n && !c && i < DERIVED_MAX; i++, n = base_of(n))
        c = own_child(n, tag);
    return c;
}

static bool parse_number(const char *t, uint64_t *value)
{
    char *end;
    int base = 10;
    if (!t || !*t)
        return false;
    if (t[0] == '#' || (t[0] == '0' && (t[1] == 'b' || t[1] == 'B'))) {
        t += t[0] == '#' ? 1 : 2;
        base = 2;
    } else if (t[0] == '0' && (t[1] == 'x' || t[1] == 'X')) {
        t += 2;
        base = 16;
    }
    errno = 0;
    *value = strtoull(t, &end, base);
    return end != t && !*end && !errno;
}

static uint64_t number_of(const node *n, const char *tag, uint64_t otherwise)
{
    uint64_t value;
    const node *c = child_of(n, tag);
    return c && parse_number(c->text, &value) ? value : otherwise;
}

/* The size in bits that a node, or one around it, says. */
static uint64_t size_of(const node *n)
{
    for (; n; n = n->parent)
        if (child_of(n, "size"))
            return number_of(n, "size", 32);
    return 32;
}

/* ---- step 2: fields ---- */

static bool parse_bits(const node *n, svd_field *f)
{
    uint64_t low, high;
    const node *range = child_of(n, "bitRange");
    if (range && range->text) {
        unsigned from, to;
        if (sscanf(range->text, "[%u:%u]", &to, &from) != 2 || to < from || to > 63)
            return false;
        low = from;
        high = to;
    } else if (child_of(n, "lsb") && child_of(n, "msb")) {
        low = number_of(n, "lsb", 0);
        high = number_of(n, "msb", 0);
    } else {
        low = number_of(n, "bitOffset", 64);
        high = low + number_of(n, "bitWidth", 1) - 1;
    }
    if (low > 63 || high > 63 || high < low)
        return false;
    f->first = (uint32_t)low;
    f->width = (uint32_t)(high - low + 1);
    return true;
}

static void add_values(const struct svd_own *own, const node *n, svd_field *f)
{
    const node *list = child_of(n, "enumeratedValues");
    if (list && list->derived && !own_child(list, "enumeratedValue")) {
        const char *name = strrchr(list->derived, '.') ? strrchr(list->derived, '.') + 1 : list->derived;
        const node *found = own->all;
        while (found && (found == list || strcmp(found->tag, "enumeratedValues") || !own_text(found, "name") ||
                         strcmp(own_text(found, "name"), name)))
            found = found->all;
        list = found;
    }
    for (const node *v = list ? list->child : NULL; v; v = v->next) {
        uint64_t value;
        const char *name = own_text(v, "name");
        if (strcmp(v->tag, "enumeratedValue") || !name || !parse_number(own_text(v, "value"), &value))
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
static void find_fields(const struct svd_own *own, node *n)
{
    size_t max = 0;
    const node *list = child_of(n, "fields");
    if (n->fields)
        return;
    for (const node *c = list ? list->child : NULL; c; c = c->next) {
        const char *name = own_text(c, "name");
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
static place place_of(const place *in, const node *n, unsigned i, bool first)
{
    place at = *in;
    char index[32];
    const char *name = own_text(n, "name") ? own_text(n, "name") : "?";
    const char *list = child_of(n, "dimIndex") ? child_of(n, "dimIndex")->text : NULL, *mark = strstr(name, "%s");
    index_text(list, i, index, sizeof index);
    append(&at, ".", !first);
    append(&at, name, mark ? (size_t)(mark - name) : strlen(name));
    if (mark) {
        append(&at, index, strlen(index));
        append(&at, mark + 2, strlen(mark + 2));
    }
    at.address += number_of(n, first ? "baseAddress" : "addressOffset", 0) + i * number_of(n, "dimIncrement", 0);
    return at;
}

static unsigned dim_of(const node *n)
{
    uint64_t dim = number_of(n, "dim", 1);
    return dim > DIM_MAX ? DIM_MAX : (unsigned)dim;
}

static bool add_register(svd *s, const place *at, node *n)
{
    if (s->count >= SVD_REGISTERS_MAX)
        return false;
    find_fields(s->own, n);
    uint64_t bytes = size_of(n) / 8;
    s->all = memory_room(s->all, s->count, &s->own->max, sizeof *s->all);
    s->all[s->count++] = (svd_register){.name = memory_text(at->name),
                                        .address = (uint32_t)at->address,
                                        .size = bytes >= 1 && bytes <= 8 ? (uint32_t)bytes : 4,
                                        .field = n->fields,
                                        .field_count = n->field_count};
    return true;
}

static bool has_registers(const node *n)
{
    return own_child(n, "register") || own_child(n, "cluster");
}

/* Registers and clusters of a node, and of what it is derived from. Recursion ends with the tree. */
static bool add_registers(svd *s, const place *in, const node *list, unsigned depth)
{
    for (node *n = list ? list->child : NULL; n; n = n->next) {
        bool cluster = !strcmp(n->tag, "cluster");
        if (!cluster && strcmp(n->tag, "register"))
            continue;
        for (unsigned i = 0; i < dim_of(n); i++) {
            place at = place_of(in, n, i, false);
            const node *inner = n;
            for (int k = 0; cluster && k < DERIVED_MAX && inner && !has_registers(inner); k++)
                inner = base_of(inner);
            if (depth > DEPTH_MAX || (cluster ? !add_registers(s, &at, inner, depth + 1) : !add_register(s, &at, n)))
                return false;
        }
    }
    return true;
}

static bool add_peripherals(svd *s)
{
    const node *list = own_child(s->own->root, "peripherals");
    const place root = {.name = ""};
    for (const node *n = list ? list->child : NULL; n; n = n->next)
        for (unsigned i = 0; !strcmp(n->tag, "peripheral") && i < dim_of(n); i++) {
            place at = place_of(&root, n, i, true);
            if (!add_registers(s, &at, child_of(n, "registers"), 0))
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
    bool good = read_tree(s->own, file, message, message_size, path);
    fclose(file);
    if (good && (!s->own->root || strcmp(s->own->root->tag, "device"))) {
        good = false;
        snprintf(message, message_size, "%s: it is XML, but not an SVD file: its root is no <device>", path);
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

static void free_node(node *n)
{
    for (size_t i = 0; i < n->field_count; i++) {
        for (size_t v = 0; v < n->fields[i].value_count; v++)
            free(n->fields[i].value[v].name);
        free(n->fields[i].value);
        free(n->fields[i].name);
    }
    free(n->fields);
    free(n->text);
    free(n->derived);
    free(n);
}

void svd_close(svd *s)
{
    if (!s)
        return;
    for (node *n = s->own->all, *next; n; n = next) {
        next = n->all;
        free_node(n);
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
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->all[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
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
