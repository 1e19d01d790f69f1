/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/streams.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

struct site_gathering {
    site_streams *all;
    uint32_t *slot; /* index + 1 into the streams, by site; open addressing */
    size_t size;
};

static size_t slot_of(const site_gathering *g, uint32_t site)
{
    size_t at = (site * 2654435761u) & (g->size - 1);
    while (g->slot[at] && g->all->stream[g->slot[at] - 1].site != site)
        at = (at + 1) & (g->size - 1);
    return at;
}

static site_stream *stream_of(site_gathering *g, uint32_t site)
{
    site_streams *all = g->all;
    if (2 * all->count >= g->size) {
        g->size = g->size ? 2 * g->size : 256;
        free(g->slot);
        g->slot = memory_zero(g->size, sizeof *g->slot);
        all->stream = memory_grow(all->stream, g->size, sizeof *all->stream);
        for (size_t i = 0; i < all->count; i++)
            g->slot[slot_of(g, all->stream[i].site)] = (uint32_t)i + 1;
    }
    size_t at = slot_of(g, site);
    if (!g->slot[at]) {
        all->stream[all->count] = (site_stream){.site = site};
        g->slot[at] = (uint32_t)++all->count;
    }
    return &all->stream[g->slot[at] - 1];
}

static void add(site_stream *stream, int64_t number)
{
    stream->number = memory_room(stream->number, stream->count, &stream->number_max, sizeof *stream->number);
    stream->number[stream->count++] = number;
}

static int by_site(const void *left, const void *right)
{
    const site_stream *a = left, *b = right;
    return a->site < b->site ? -1 : a->site > b->site;
}

site_gathering *site_gathering_begin(void)
{
    site_gathering *g = memory_zero(1, sizeof *g);
    g->all = memory_zero(1, sizeof *g->all);
    return g;
}

void site_gathering_add(site_gathering *g, site_stream site, int64_t number)
{
    site_stream *stream = stream_of(g, site.site);
    stream->store = site.store;
    stream->size = site.size;
    add(stream, number);
    g->all->total++;
}

uint64_t site_gathering_total(const site_gathering *g)
{
    return g->all->total;
}

site_streams *site_gathering_end(site_gathering *g)
{
    site_streams *all = g->all;
    if (all->count)
        qsort(all->stream, all->count, sizeof *all->stream, by_site);
    free(g->slot);
    free(g);
    return all;
}

site_streams *site_streams_load(const container *file, replay_model model, replay_kind kind, const event_filter *wanted,
                                char *message, size_t message_size)
{
    site_gathering *g = site_gathering_begin();
    bool gaps = false;
    replay *events = replay_open(file, model);
    for (replay_event event; replay_next(events, &event);) {
        gaps |= event.kind == REPLAY_GAP;
        if (event.kind == kind && !event.unknown && event_filter_site(wanted, event.context, event.id))
            site_gathering_add(g, (site_stream){.site = event.id, .store = event.store, .size = event.size},
                               kind == REPLAY_ACCESS ? (int64_t)event.address : (int64_t)event.value);
    }
    site_streams *all = site_gathering_end(g);
    all->gaps = gaps;
    all->unresolved = replay_unresolved(events);
    all->unknown = replay_unknown(events);
    const char *error = replay_error(events);
    if (error)
        snprintf(message, message_size, "%s: %s", container_path(file), error);
    bool good = error == NULL;
    replay_close(events);
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
        free(all->stream[i].number);
    free(all->stream);
    free(all);
}
