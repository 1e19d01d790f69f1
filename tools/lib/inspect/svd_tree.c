/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/svd_tree.h"

#include <errno.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { TEXT_MAX = 4096 };

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
                                    "enumeratedValue",
                                    "isDefault",
                                    "access"};

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
    if (++own->depth > SVD_DEPTH_MAX) {
        stop(s, "its elements are nested too deeply");
        return;
    }
    if (own->skipped || !tag) {
        own->skipped++;
        return;
    }
    svd_node *n = memory_zero(1, sizeof *n);
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

/* Text comes in pieces: of `A &amp; B` there are three. */
static void end_element(void *context, const char *name)
{
    struct svd_own *own = ((parsing *)context)->own;
    (void)name;
    own->depth--;
    if (own->skipped) {
        own->skipped--;
        return;
    }
    svd_node *n = own->open;
    while (n->size && strchr(" \t\r\n", n->text[n->size - 1]))
        n->text[--n->size] = 0;
    own->open = n->parent;
}

static void text(void *context, const char *bytes, int size)
{
    struct svd_own *own = ((parsing *)context)->own;
    svd_node *n = own->open;
    if (own->skipped || !n)
        return;
    for (int i = 0; i < size && n->size < TEXT_MAX; i++) {
        if (!n->size && strchr(" \t\r\n", bytes[i]))
            continue;
        n->text = memory_room(n->text, n->size + 1, &n->max, 1);
        n->text[n->size++] = bytes[i];
        n->text[n->size] = 0;
    }
}

static void doctype(void *context, const char *name, const char *system, const char *public, int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    stop(context, "it has a document type declaration, which no SVD file needs");
}

/* Expat 2.9 has 64 bits for it everywhere, and warns of the other function. */
static unsigned long long line_of(XML_Parser parser)
{
#if XML_MAJOR_VERSION * 100 + XML_MINOR_VERSION >= 209
    return XML_GetCurrentLineNumber64(parser);
#else
    return XML_GetCurrentLineNumber(parser);
#endif
}

bool svd_tree_read(struct svd_own *own, FILE *file, char *message, size_t size, const char *path)
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
        snprintf(message, size, "%s: line %llu: %s", path, line_of(s.parser),
                 own->error ? own->error : XML_ErrorString(XML_GetErrorCode(s.parser)));
    else if (ferror(file))
        snprintf(message, size, "%s: %s", path, strerror(errno));
    good = good && !ferror(file);
    XML_ParserFree(s.parser);
    return good;
}

/* ---- the tree ---- */

const svd_node *svd_own_child(const svd_node *n, const char *tag)
{
    const svd_node *c = n ? n->child : NULL;
    while (c && strcmp(c->tag, tag))
        c = c->next;
    return c;
}

const char *svd_own_text(const svd_node *n, const char *tag)
{
    const svd_node *c = svd_own_child(n, tag);
    return c && c->text ? c->text : NULL;
}

static bool is_list(const svd_node *n)
{
    return !strcmp(n->tag, "peripherals") || !strcmp(n->tag, "registers") || !strcmp(n->tag, "fields");
}

/* The node `path` (A.B.C) below `in`, that is of n's kind; NULL. Lists have no name, so they are passed through. */
static const svd_node *descend(const svd_node *in, const char *path, const svd_node *n, unsigned depth)
{
    size_t size = strcspn(path, ".");
    for (const svd_node *c = depth < SVD_DEPTH_MAX ? in->child : NULL; c; c = c->next) {
        const svd_node *found = NULL;
        const char *name = svd_own_text(c, "name");
        if (is_list(c))
            found = descend(c, path, n, depth + 1);
        else if (name && strlen(name) == size && !memcmp(name, path, size))
            found = path[size] ? descend(c, path + size + 1, n, depth + 1) : c != n && c->tag == n->tag ? c : NULL;
        if (found)
            return found;
    }
    return NULL;
}

const svd_node *svd_base(const svd_node *n)
{
    const svd_node *found = NULL;
    for (const svd_node *in = n->derived ? n->parent : NULL; in && !found; in = in->parent)
        found = descend(in, n->derived, n, 0);
    return found;
}

const svd_node *svd_child(const svd_node *n, const char *tag)
{
    const svd_node *c = NULL;
    for (int i = 0; n && !c && i < SVD_DERIVED_MAX; i++, n = svd_base(n))
        c = svd_own_child(n, tag);
    return c;
}

bool svd_number(const char *t, uint64_t *value)
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

uint64_t svd_number_of(const svd_node *n, const char *tag, uint64_t otherwise)
{
    uint64_t value;
    const svd_node *c = svd_child(n, tag);
    return c && svd_number(c->text, &value) ? value : otherwise;
}

const char *svd_inherited(const svd_node *n, const char *tag)
{
    const svd_node *c = NULL;
    for (; n && !c; n = n->parent)
        c = svd_child(n, tag);
    return c ? c->text : NULL;
}

void svd_node_free(svd_node *n)
{
    for (size_t i = 0; i < n->field_count; i++) {
        for (size_t v = 0; v < n->fields[i].value_count; v++)
            free(n->fields[i].value[v].name);
        free(n->fields[i].value);
        free(n->fields[i].otherwise);
        free(n->fields[i].name);
    }
    free(n->fields);
    free(n->text);
    free(n->derived);
    free(n);
}
