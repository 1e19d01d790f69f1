/* SPDX-License-Identifier: MIT */
/* Fields of registers, and the names of the elements of arrays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/inspect/svd_tree.h"

enum { ELEMENTS_MAX = 65536, BITS_MAX = 64 };

unsigned svd_elements(const svd_node *n)
{
    uint64_t dim = svd_number_of(n, "dim", 1);
    return dim > ELEMENTS_MAX ? ELEMENTS_MAX : (unsigned)dim;
}

/* The i-th index of an array: of a list A,B,C or a range 3-6 or A-D, else i. */
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
    if (list && list[0] >= 'A' && list[0] <= 'Z' && list[1] == '-' && i < 26u - (unsigned)(list[0] - 'A')) {
        snprintf(out, size, "%c", list[0] + (char)i);
        return;
    }
    snprintf(out, size, "%u", i);
}

const char *svd_element_name(const svd_node *n, unsigned i, char out[SVD_NAME_MAX])
{
    char index[32];
    const char *name = svd_own_text(n, "name") ? svd_own_text(n, "name") : "?", *mark = strstr(name, "%s");
    const svd_node *list = svd_child(n, "dimIndex");
    index_text(list ? list->text : NULL, i, index, sizeof index);
    if (mark)
        snprintf(out, SVD_NAME_MAX, "%.*s%s%s", (int)(mark - name), name, index, mark + 2);
    else
        snprintf(out, SVD_NAME_MAX, "%s", name);
    return out;
}

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

/* A value as SVD files write it; of a binary one, digits may be x: it says nothing of these bits. */
static bool pattern(const char *text, uint64_t *value, uint64_t *mask)
{
    char zeros[65];
    *mask = UINT64_MAX;
    if (!text)
        return false;
    const char *digits = text + (text[0] == '#' ? 1 : 2);
    bool binary = text[0] == '#' || (text[0] == '0' && (text[1] == 'b' || text[1] == 'B'));
    if (!binary || !strchr(digits, 'x') || strlen(text) >= sizeof zeros)
        return svd_number(text, value);
    snprintf(zeros, sizeof zeros, "%s", text);
    for (size_t i = (size_t)(digits - text), left = strlen(digits); left; i++, left--)
        if (zeros[i] == 'x') {
            zeros[i] = '0';
            *mask &= ~(UINT64_C(1) << (left - 1));
        }
    return svd_number(zeros, value);
}

static bool says_yes(const char *text)
{
    return text && (!strcmp(text, "true") || !strcmp(text, "1"));
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
        uint64_t value, mask;
        const char *name = svd_own_text(v, "name");
        if (strcmp(v->tag, "enumeratedValue") || !name)
            continue;
        if (says_yes(svd_own_text(v, "isDefault")) && !f->otherwise) {
            f->otherwise = memory_text(name);
        } else if (pattern(svd_own_text(v, "value"), &value, &mask)) {
            f->value = memory_room(f->value, f->value_count, &f->value_max, sizeof *f->value);
            f->value[f->value_count++] = (svd_value){memory_text(name), value, mask};
        }
    }
}

static int by_first(const void *a, const void *b)
{
    uint32_t x = ((const svd_field *)a)->first, y = ((const svd_field *)b)->first;
    return x < y ? -1 : x > y;
}

static void add_field(const struct svd_own *own, svd_node *n, const svd_node *c, svd_field f, size_t *max)
{
    char name[SVD_NAME_MAX];
    uint32_t step = (uint32_t)svd_number_of(c, "dimIncrement", f.width);
    for (unsigned i = 0; i < svd_elements(c) && i < BITS_MAX && f.first <= BITS_MAX - f.width; i++, f.first += step) {
        svd_field element = f;
        element.name = memory_text(svd_element_name(c, i, name));
        add_values(own, c, &element);
        n->fields = memory_room(n->fields, n->field_count, max, sizeof *n->fields);
        n->fields[n->field_count++] = element;
    }
}

void svd_find_fields(const struct svd_own *own, svd_node *n)
{
    size_t max = 0;
    const svd_node *list = svd_child(n, "fields");
    if (n->fields)
        return;
    for (const svd_node *c = list ? list->child : NULL; c; c = c->next) {
        svd_field f = {0};
        if (!strcmp(c->tag, "field") && svd_own_text(c, "name") && parse_bits(c, &f))
            add_field(own, n, c, f, &max);
    }
    if (n->fields)
        qsort(n->fields, n->field_count, sizeof *n->fields, by_first);
}
