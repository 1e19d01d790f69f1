/* SPDX-License-Identifier: MIT */
#include "tests/lib/site_streams.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"

static int by_site(const void *left, const void *right)
{
    const site_stream *a = left, *b = right;
    return a->site < b->site ? -1 : a->site > b->site;
}

site_streams *site_streams_load(const container *file, replay_model model, char *message, size_t message_size)
{
    site_streams *all = memory_zero(1, sizeof *all);
    numbering sites = {0};
    size_t max = 0;
    replay *events = replay_open(file, model);
    for (replay_event event; replay_next(events, &event);) {
        if (event.kind != REPLAY_ACCESS || event.unknown)
            continue;
        uint32_t number = numbering_of(&sites, event.id);
        if (number == all->count) {
            all->stream = memory_room(all->stream, all->count, &max, sizeof *all->stream);
            all->stream[all->count++] = (site_stream){.site = event.id};
        }
        site_stream *s = &all->stream[number];
        s->address = memory_room(s->address, s->count, &s->address_max, sizeof *s->address);
        s->address[s->count++] = (int64_t)event.address;
    }
    const char *error = replay_error(events);
    bool good = error == NULL;
    if (error)
        snprintf(message, message_size, "%s: %s", container_path(file), error);
    replay_close(events);
    numbering_free(&sites);
    if (good && all->count)
        qsort(all->stream, all->count, sizeof *all->stream, by_site);
    if (good)
        return all;
    site_streams_free(all);
    return NULL;
}

void site_streams_free(site_streams *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        free(all->stream[i].address);
    free(all->stream);
    free(all);
}
