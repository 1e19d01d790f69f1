/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/walks.h"

#include <stdlib.h>

#include "tools/lib/affine/many.h"
#include "tools/lib/base/memory.h"

void walks_free(walks *w)
{
    for (size_t i = 0; i < w->count; i++) {
        free(w->all[i].address);
        if (w->all[i].modelled)
            model_free(&w->all[i].model);
    }
    free(w->all);
    free(w->slots);
}

enum { DEPTH = 4 }; /* loops of a model : 1 to AFFINE_DEPTH : finds deeper ones; irregular sites take longer */

static uint32_t *slot_of(const walks *w, uint32_t site)
{
    size_t at = site * 2654435761u & (w->slot_max - 1);
    while (w->slots[at] && w->all[w->slots[at] - 1].site != site)
        at = (at + 1) & (w->slot_max - 1);
    return &w->slots[at];
}

static void widen(walks *w)
{
    w->slot_max = w->slot_max ? 2 * w->slot_max : 256;
    free(w->slots);
    w->slots = memory_zero(w->slot_max, sizeof *w->slots);
    for (uint32_t i = 0; i < w->count; i++)
        *slot_of(w, w->all[i].site) = i + 1;
}

void walks_access(walks *w, uint32_t site, uint32_t address, uint32_t size, bool store)
{
    if (2 * w->count >= w->slot_max)
        widen(w);
    uint32_t *slot = slot_of(w, site);
    if (!*slot) {
        if (w->count == WALKS_SITES) {
            w->left_out++;
            return;
        }
        w->all = memory_room(w->all, w->count, &w->max, sizeof *w->all);
        w->all[w->count] = (walk){.site = site, .low = address, .high = address};
        *slot = (uint32_t)++w->count;
    }
    walk *one = &w->all[*slot - 1];
    one->store = store;
    one->size = size;
    one->low = address < one->low ? address : one->low;
    one->high = address > one->high ? address : one->high;
    one->count++;
    if (one->kept == WALKS_KEPT)
        return;
    if ((one->kept & (one->kept - 1)) == 0) /* room for the next power of two */
        one->address = memory_grow(one->address, one->kept ? 2 * (size_t)one->kept : 1, sizeof *one->address);
    one->address[one->kept++] = address;
}

static int by_count(const void *a, const void *b)
{
    const walk *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->site > y->site) - (x->site < y->site);
}

void walks_model(walks *w, size_t most)
{
    most = most < w->count ? most : w->count;
    if (!most)
        return;
    qsort(w->all, w->count, sizeof *w->all, by_count);
    many_options options = {.threads = many_threads()};
    model_defaults(&options.model);
    options.model.rounds = 1;
    options.model.depth_max = DEPTH;
    many_stream *stream = memory_zero(most, sizeof *stream);
    model *models = memory_zero(most, sizeof *models);
    for (size_t i = 0; i < most; i++)
        stream[i] = (many_stream){w->all[i].address, w->all[i].kept};
    many_find(models, stream, most, &options);
    for (size_t i = 0; i < most; i++) {
        w->all[i].model = models[i];
        w->all[i].modelled = true;
    }
    free(models);
    free(stream);
}
