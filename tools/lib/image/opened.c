/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/opened.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/demangle.h"

typedef struct known_names {
    image_name *all;
    char **made; /* names that are not in the image */
    size_t count, max, made_count, made_max;
} known_names;

static void add_name(known_names *known, const char *name, uint32_t address)
{
    known->all = memory_room(known->all, known->count, &known->max, sizeof *known->all);
    known->all[known->count++] = (image_name){name, address};
}

static void add_made(known_names *known, char *name, uint32_t address)
{
    known->made = memory_room(known->made, known->made_count, &known->made_max, sizeof *known->made);
    known->made[known->made_count++] = name;
    add_name(known, name, address);
}

static void add_function(known_names *known, const descriptor_function *f)
{
    char *source = f->address ? demangle(f->assembler_name) : NULL; /* at 0: discarded by the linker */
    if (source)
        add_made(known, source, f->address & ~1u);
    else if (f->address)
        add_name(known, f->assembler_name, f->address & ~1u);
}

/* Whether the expression is a variable's name alone, and not that of a local one, whose symbol is `NAME.1`. */
static bool is_variable(const image *im, const descriptor_site *site)
{
    uint32_t offset;
    size_t length = strlen(site->text);
    const image_symbol *there = image_object(&im->symbols, site->constant, &offset);
    bool local = there && !strncmp(there->name, site->text, length) && there->name[length] == '.';
    return site->how == DESCRIPTOR_STATIC && site->linked && length && !local;
}

static void add_variables(known_names *known, const image *im, const descriptor_function *f)
{
    for (uint32_t i = 0; f->address && i < f->site_count; i++)
        if (is_variable(im, &f->site[i]))
            add_name(known, f->site[i].text, f->site[i].constant);
}

static int by_name_and_address(const void *a, const void *b)
{
    const image_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->address > y->address) - (x->address < y->address);
}

/* Each pair of name and address once. */
static void drop_repeated(known_names *known)
{
    size_t kept = 0;
    if (known->count)
        qsort(known->all, known->count, sizeof *known->all, by_name_and_address);
    for (size_t i = 0; i < known->count; i++)
        if (!kept || by_name_and_address(&known->all[kept - 1], &known->all[i]))
            known->all[kept++] = known->all[i];
    known->count = kept;
}

bool image_in_place(const image *im, const descriptors *all, char *message, size_t message_size)
{
    known_names known = {0};
    for (size_t i = 0; i < all->count; i++) {
        add_function(&known, &all->function[i]);
        add_variables(&known, im, &all->function[i]);
    }
    drop_repeated(&known);
    bool good = image_agrees(im, known.all, known.count, message, message_size);
    for (size_t i = 0; i < known.made_count; i++)
        free(known.made[i]);
    free(known.made);
    free(known.all);
    return good;
}

/* Damaged descriptors say nothing here: a full recording does not need them. */
image *image_open(const char *path, char *message, size_t message_size)
{
    size_t size;
    image *im = image_read(path, message, message_size);
    const uint8_t *section = im && im->linked ? image_section(im, ".weft.desc", &size) : NULL;
    descriptors *all = section && size ? descriptors_parse(section, size, message, message_size) : NULL;
    bool good = !all || image_in_place(im, all, message, message_size);
    if (all)
        descriptors_free(all);
    if (good)
        return im;
    image_close(im);
    return NULL;
}
