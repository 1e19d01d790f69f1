/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/descriptor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/callees.h"
#include "tools/lib/image/edges.h"
#include "tools/lib/image/image.h"
#include "tools/lib/image/record.h"

typedef struct store {
    descriptors all; /* first: what the user holds */
    record_memory memory;
    descriptor_function *function;
    const descriptor_function **by_block, **by_site;
    size_t max, sites_with;
    const descriptor_function **by_pack; /* open addressing by pack number; NULL: none is packed */
    uint32_t pack_mask;
} store;

static bool fail(char *error, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (size)
        vsnprintf(error, size, format, list);
    va_end(list);
    return false;
}

static bool read_records(store *s, const uint8_t *section, size_t size, char *error, size_t error_size)
{
    for (size_t at = 0; at < size;) {
        const uint8_t *record = section + at;
        uint32_t length = size - at < DESCRIPTOR_HEAD_SIZE ? 0 : record_load32(record);
        if (length < DESCRIPTOR_HEAD_SIZE || length > size - at || record[4] != 'W' || record[5] != 'D')
            return fail(error, error_size, ".weft.desc: damaged at byte %zu: no record here", at);
        if (record[6] == 0 || record[6] > DESCRIPTOR_VERSION)
            return fail(error, error_size, ".weft.desc: byte %zu: version %u is not known", at, record[6]);
        s->function = memory_room(s->function, s->all.count, &s->max, sizeof *s->function);
        s->all.function = s->function;
        s->function[s->all.count] = (descriptor_function){0};
        const char *wrong = record_read(&s->memory, &s->function[s->all.count++], record, length);
        if (wrong)
            return fail(error, error_size, ".weft.desc: damaged record at byte %zu: %s", at, wrong);
        at += length;
    }
    return true;
}

static int by_path(const void *a, const void *b)
{
    const descriptor_function *f = a, *g = b;
    return f->path_base < g->path_base ? -1 : f->path_base > g->path_base;
}

static int by_block(const void *a, const void *b)
{
    const descriptor_function *f = *(const descriptor_function *const *)a, *g = *(const descriptor_function *const *)b;
    return f->block_base < g->block_base ? -1 : f->block_base > g->block_base;
}

static int by_site(const void *a, const void *b)
{
    const descriptor_function *f = *(const descriptor_function *const *)a, *g = *(const descriptor_function *const *)b;
    return f->site_base < g->site_base ? -1 : f->site_base > g->site_base;
}

static bool is_packed(const descriptor_function *f)
{
    return f->flags & DESCRIPTOR_PACKED;
}

static uint32_t pack_slot(const store *s, uint32_t path)
{
    uint32_t at = (path * 2654435761u >> 7) & s->pack_mask;
    while (s->by_pack[at] && s->by_pack[at]->path_base + s->by_pack[at]->path_count != path)
        at = (at + 1) & s->pack_mask;
    return at;
}

/* A path that is not a pack mostly meets an empty slot at once. */
static bool index_packs(store *s)
{
    uint32_t slots = 64;
    for (size_t i = 0; i < s->all.count; i++)
        s->all.packed += is_packed(&s->function[i]);
    while (s->all.packed && slots / 8 < s->all.packed)
        slots *= 2;
    if (!s->all.packed)
        return true;
    s->pack_mask = slots - 1;
    s->by_pack = record_take(&s->memory, slots, sizeof *s->by_pack);
    for (size_t i = 0; s->by_pack && i < s->all.count; i++)
        if (is_packed(&s->function[i]))
            s->by_pack[pack_slot(s, s->function[i].path_base + s->function[i].path_count)] = &s->function[i];
    return s->by_pack;
}

/* Sorts the functions by each of the three numbers; ranges must not overlap. */
static bool sort_functions(store *s, char *error, size_t error_size)
{
    size_t n = s->all.count;
    if (n)
        qsort(s->function, n, sizeof *s->function, by_path);
    s->by_block = record_take(&s->memory, n, sizeof *s->by_block);
    s->by_site = record_take(&s->memory, n, sizeof *s->by_site);
    if (!s->by_block || !s->by_site)
        return fail(error, error_size, "not enough memory");
    for (size_t i = 0; i < n; i++) {
        const descriptor_function *f = &s->function[i];
        s->by_block[i] = f;
        if (f->site_count)
            s->by_site[s->sites_with++] = f;
    }
    qsort(s->by_block, n, sizeof *s->by_block, by_block);
    qsort(s->by_site, s->sites_with, sizeof *s->by_site, by_site);
    descriptors *all = &s->all;
    for (size_t i = 0; i < n; i++) {
        const descriptor_function *f = &s->function[i], *g = s->by_block[i], *h = s->by_site[i];
        if (f->path_base < all->path_end || g->block_base < all->block_end ||
            (i < s->sites_with && h->site_base < all->site_end))
            return fail(error, error_size, ".weft.desc: functions share numbers (near %s): is the file fully linked?",
                        f->name);
        all->path_end = f->path_base + f->path_count + is_packed(f);
        all->block_end = g->block_base + g->block_count;
        if (i < s->sites_with)
            all->site_end = h->site_base + h->site_count;
    }
    return index_packs(s) || fail(error, error_size, "not enough memory");
}

descriptors *descriptors_parse(const uint8_t *section, size_t size, char *error, size_t error_size)
{
    store *s = calloc(1, sizeof *s);
    if (!s) {
        fail(error, error_size, "not enough memory");
        return NULL;
    }
    if (read_records(s, section, size, error, error_size) && sort_functions(s, error, error_size)) {
        callees_apply(s->function, s->all.count);
        return &s->all;
    }
    descriptors_free(&s->all);
    return NULL;
}

void descriptors_free(descriptors *all)
{
    store *s = (store *)all;
    if (!s)
        return;
    for (size_t i = 0; s->function && i < s->all.count; i++)
        ballarus_free((ballarus *)s->function[i].graph);
    free(s->function);
    record_memory_free(&s->memory);
    free(s);
}

/* Of a program that was compiled without the plugin. NULL: it has no such probes either, or no memory. */
static descriptors *descriptors_of_edges(const image *im, char *error, size_t error_size)
{
    store *s = memory_zero(1, sizeof *s);
    s->function = edges_functions(im, &s->memory, &s->all.count);
    s->all.function = s->function;
    bool some = s->all.count || image_counter(im) != 0;
    if (s->function && some && sort_functions(s, error, error_size))
        return &s->all;
    if (!s->function)
        fail(error, error_size, "not enough memory");
    else if (!some)
        fail(error, error_size,
             "%s: no path descriptors (section .weft.desc): was it compiled with weft_gcc.so? (with -flto, also linked "
             "with it)",
             im->path);
    descriptors_free(&s->all);
    return NULL;
}

descriptors *descriptors_read(const image *im, char *error, size_t error_size)
{
    size_t size;
    const uint8_t *section = image_section(im, ".weft.desc", &size);
    if (!im->linked)
        fail(error, error_size, "%s: not a linked program: its numbers are not known before it is linked", im->path);
    else if (section && size)
        return descriptors_parse(section, size, error, error_size);
    else
        return descriptors_of_edges(im, error, error_size);
    return NULL;
}

const descriptor_function *descriptors_of_path(const descriptors *all, uint32_t path)
{
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const descriptor_function *f = &all->function[middle];
        if (path < f->path_base)
            high = middle;
        else if (path - f->path_base >= f->path_count)
            low = middle + 1;
        else
            return f;
    }
    return NULL;
}

const descriptor_function *descriptors_of_pack(const descriptors *all, uint32_t path)
{
    const store *s = (const store *)all;
    return all->packed ? s->by_pack[pack_slot(s, path)] : NULL;
}

const descriptor_function *descriptors_of_block(const descriptors *all, uint32_t block)
{
    const store *s = (const store *)all;
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const descriptor_function *f = s->by_block[middle];
        if (block < f->block_base)
            high = middle;
        else if (block - f->block_base >= f->block_count)
            low = middle + 1;
        else
            return f;
    }
    return NULL;
}

const descriptor_function *descriptors_of_site(const descriptors *all, uint32_t site)
{
    const store *s = (const store *)all;
    size_t low = 0, high = s->sites_with;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const descriptor_function *f = s->by_site[middle];
        if (site < f->site_base)
            high = middle;
        else if (site - f->site_base >= f->site_count)
            low = middle + 1;
        else
            return f;
    }
    return NULL;
}

const descriptor_site *descriptors_site(const descriptors *all, uint32_t site)
{
    const descriptor_function *f = descriptors_of_site(all, site);
    return f ? &f->site[site - f->site_base] : NULL;
}

bool descriptor_expand(const descriptors *all, uint32_t path, uint32_t *blocks, size_t max, descriptor_path *info)
{
    const uint32_t leaves = DESCRIPTOR_BLOCK_TAIL | DESCRIPTOR_BLOCK_NORETURN;
    const descriptor_function *f = descriptors_of_path(all, path);
    uint32_t first = BALLARUS_NONE;
    ballarus_ends ends;
    if (!f)
        return false;
    *info = (descriptor_path){.function = f, .number = path - f->path_base, .enters = BALLARUS_NONE};
    info->count = ballarus_expand(f->graph, info->number, max ? blocks : &first, max ? max : 1, &ends);
    if (info->count == SIZE_MAX)
        return false;
    if (max && info->count)
        first = blocks[0];
    info->entry = ends.from_entry;
    info->starts_told = !ends.from_entry && first != BALLARUS_NONE && f->block[first].flags & DESCRIPTOR_BLOCK_CALL;
    if (ends.edge == BALLARUS_NONE)
        return true;
    if (ends.at_exit) {
        info->exit = f->edge_kind[ends.edge] == DESCRIPTOR_EDGE_RETURN;
    } else {
        uint32_t flags;
        info->enters = f->graph->edge[ends.edge].to;
        flags = f->block[info->enters].flags;
        info->enters_told = flags & DESCRIPTOR_BLOCK_CALL;
        info->exit = flags & leaves && f->block[info->enters].landing == BALLARUS_NONE;
    }
    return true;
}

size_t descriptor_unpack(const descriptor_function *f, uint32_t word, uint32_t paths[BALLARUS_PACK_MAX])
{
    size_t count = ballarus_unpack(f->graph, f->apart, word, paths);
    for (size_t i = 0; i < count; i++)
        paths[i] += f->path_base;
    return count;
}

static size_t without_flag(const descriptors *all, unsigned flag)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        count += !(all->function[i].flags & flag);
    return count;
}

size_t descriptors_silent(const descriptors *all)
{
    return without_flag(all, DESCRIPTOR_MEMORY);
}

size_t descriptors_valueless(const descriptors *all)
{
    return without_flag(all, DESCRIPTOR_VALUES);
}
