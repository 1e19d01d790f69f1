/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/matching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

const char *matching_tail(const char *path, unsigned parts)
{
    const char *at = path + strlen(path);
    for (; at > path; at--)
        if (at[-1] == '/' && --parts == 0)
            break;
    return at;
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* "name", a newline, the end of the path. */
static uint32_t number_of(texts *all, const descriptor_function *f, unsigned parts)
{
    const char *name = text_of(f->name), *tail = matching_tail(text_of(f->file), parts);
    size_t size = strlen(name) + 1 + strlen(tail);
    char *key = memory_zero(size + 1, 1);
    snprintf(key, size + 1, "%s\n%s", name, tail);
    uint32_t number = texts_of(all, key, size);
    free(key);
    return number;
}

static unsigned *parts_of(matching *m, const descriptor_function *f)
{
    size_t before = m->names.count;
    uint32_t name = number_of(&m->names, f, 1);
    m->parts = memory_room(m->parts, name, &m->parts_max, sizeof *m->parts);
    if (m->names.count > before)
        m->parts[name] = 1;
    return &m->parts[name];
}

uint32_t matching_of(matching *m, const descriptor_function *f, unsigned *parts)
{
    *parts = *parts_of(m, f);
    return number_of(&m->keys, f, *parts);
}

/* False: a function of another file was met in this round with that number; one more part counts now. */
static bool apart(matching *m, const descriptor_function *f)
{
    unsigned parts;
    uint32_t key = matching_of(m, f, &parts);
    size_t room = m->met_max;
    m->file = memory_room(m->file, key, &m->file_max, sizeof *m->file);
    m->met = memory_room(m->met, key, &m->met_max, sizeof *m->met);
    memset(m->met + room, 0, (m->met_max - room) * sizeof *m->met);
    bool good = m->met[key] != m->rounds || !strcmp(text_of(m->file[key]), text_of(f->file));
    m->met[key] = m->rounds;
    m->file[key] = f->file;
    if (!good)
        ++*parts_of(m, f);
    return good;
}

/* Rounds over an image, until all its functions are told apart. */
static void take(matching *m, const descriptors *known)
{
    bool good;
    do {
        good = true;
        m->rounds++;
        for (uint32_t i = 0; i < known->count; i++)
            good &= apart(m, &known->function[i]);
    } while (!good);
}

void matching_make(matching *m, const fleet_images *images)
{
    for (size_t i = 0; i < images->count; i++)
        if (images->known[i])
            take(m, images->known[i]);
}

void matching_free(matching *m)
{
    texts_free(&m->names);
    texts_free(&m->keys);
    free(m->parts);
    free(m->file);
    free(m->met);
    *m = (matching){0};
}
