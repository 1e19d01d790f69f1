/* SPDX-License-Identifier: MIT */
/* The steps: 1. leave out what counts nothing (sorted_tree.h); 2. number names and sets by what they are
 * (profile_order.c); 3. write each table in the order of its keys (profile_write_group.c). */
#include <stdlib.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/fleet/profile_writing.h"

static void put_digests(bytes *b, const digests *all)
{
    uint64_t *sorted = digests_sorted(all);
    put_number(b, all->count);
    for (size_t i = 0; i < all->count; i++)
        put_fixed(b, sorted[i]);
    free(sorted);
}

static void put_sets(bytes *b, const profile_order *o)
{
    put_number(b, o->name_count);
    for (size_t i = 0; i < o->name_count; i++) {
        const char *name = o->all->names.text[o->names[i]];
        put_number(b, strlen(name));
        put_raw(b, name, strlen(name));
    }
    put_number(b, o->set_count);
    for (size_t i = 0; i < o->set_count; i++) {
        const sets_entry *e = &o->all->sets.set[o->sets[i] - SETS_FIRST];
        put_number(b, e->count);
        for (uint32_t m = 0; m < e->count; m++)
            put_number(b, m ? o->member[e->at + m] - o->member[e->at + m - 1] : o->member[e->at]);
    }
}

static const merged *whole;

static int by_identity(const void *a, const void *b)
{
    const merged_image *x = &whole->image[*(const uint32_t *)a], *y = &whole->image[*(const uint32_t *)b];
    if (x->identity_size != y->identity_size)
        return x->identity_size < y->identity_size ? -1 : 1;
    return memcmp(x->identity, y->identity, x->identity_size);
}

static const uint32_t *image_places;

static int by_key(const void *a, const void *b)
{
    const merged_group *x = *(merged_group *const *)a, *y = *(merged_group *const *)b;
    if (x->image != y->image)
        return image_places[x->image] < image_places[y->image] ? -1 : 1;
    return x->k != y->k ? (x->k < y->k ? -1 : 1) : strcmp(x->labels, y->labels);
}

static void put_image(bytes *b, const merged_image *from)
{
    put_number(b, from->identity_size);
    put_raw(b, from->identity, from->identity_size);
    put(b, from->method);
    if (!from->method)
        return;
    put_number(b, from->size);
    put_fixed(b, from->digest);
    put_number(b, from->packed_size);
    put_raw(b, from->packed, from->packed_size);
}

static void put_groups(bytes *b, const merged *all, const profile_order *o)
{
    uint32_t *images = memory_zero(all->image_count + 1, sizeof *images);
    uint32_t *places = memory_zero(all->image_count + 1, sizeof *places);
    for (uint32_t i = 0; i < all->image_count; i++)
        images[i] = i;
    whole = all;
    qsort(images, all->image_count, sizeof *images, by_identity);
    put_number(b, all->image_count);
    for (uint32_t i = 0; i < all->image_count; i++) {
        places[images[i]] = i;
        put_image(b, &all->image[images[i]]);
    }
    image_places = places;
    merged_group **group = profile_sorted(all->group, all->group_count, sizeof *group, by_key);
    put_number(b, all->group_count);
    for (size_t i = 0; i < all->group_count; i++)
        profile_put_group(b, group[i], places[group[i]->image], o);
    free(group);
    free(images);
    free(places);
}

static bool has_leads(const merged *all)
{
    for (size_t g = 0; g < all->group_count; g++)
        for (uint32_t i = 0; i < all->group[g]->paths.count; i++)
            if (all->group[g]->path[i].lead)
                return true;
    return false;
}

uint8_t *profile_write(const merged *all, size_t *size, const char **error)
{
    bytes b = {0};
    if (all->overflow) {
        *error = PROFILE_TOO_LARGE;
        return NULL;
    }
    put_raw(&b, PROFILE_MAGIC, PROFILE_MAGIC_SIZE);
    profile_order o = profile_order_of(all);
    o.leads = has_leads(all);
    put(&b, o.leads ? PROFILE_VERSION : 1);
    put_fixed(&b, 0);
    put_digests(&b, &all->recordings);
    put_digests(&b, &all->devices);
    put_sets(&b, &o);
    put_groups(&b, all, &o);
    profile_order_free(&o);
    uint64_t body = b.size - PROFILE_HEAD_SIZE;
    for (unsigned i = 0; i < 8; i++)
        b.all[8 + i] = (uint8_t)(body >> 8 * i);
    put_fixed(&b, digest_of(0, b.all, b.size));
    *size = b.size;
    return b.all;
}
