/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/streams.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

/* Index + 1 into the streams, by site; open addressing. */
typedef struct site_table {
    uint32_t *slot;
    size_t size;
} site_table;

static size_t slot_of(const site_table *table, const site_streams *all, uint32_t site)
{
    size_t at = (site * 2654435761u) & (table->size - 1);
    while (table->slot[at] && all->stream[table->slot[at] - 1].site != site)
        at = (at + 1) & (table->size - 1);
    return at;
}

static site_stream *stream_of(site_table *table, site_streams *all, uint32_t site)
{
    if (2 * all->count >= table->size) {
        table->size = table->size ? 2 * table->size : 256;
        free(table->slot);
        table->slot = memory_zero(table->size, sizeof *table->slot);
        all->stream = memory_grow(all->stream, table->size, sizeof *all->stream);
        for (size_t i = 0; i < all->count; i++)
            table->slot[slot_of(table, all, all->stream[i].site)] = (uint32_t)i + 1;
    }
    size_t at = slot_of(table, all, site);
    if (!table->slot[at]) {
        all->stream[all->count] = (site_stream){.site = site};
        table->slot[at] = (uint32_t)++all->count;
    }
    return &all->stream[table->slot[at] - 1];
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

site_streams *site_streams_load(const container *file, replay_model model, replay_kind kind, const event_filter *wanted,
                                char *message, size_t message_size)
{
    site_streams *all = memory_zero(1, sizeof *all);
    site_table table = {NULL, 0};
    replay *events = replay_open(file, model);
    for (replay_event event; replay_next(events, &event);) {
        all->gaps |= event.kind == REPLAY_GAP;
        if (event.kind != kind || event.unknown || !event_filter_site(wanted, event.context, event.id))
            continue;
        site_stream *stream = stream_of(&table, all, event.id);
        stream->store = event.store;
        stream->size = event.size;
        add(stream, kind == REPLAY_ACCESS ? (int64_t)event.address : (int64_t)event.value);
        all->total++;
    }
    all->unresolved = replay_unresolved(events);
    all->unknown = replay_unknown(events);
    const char *error = replay_error(events);
    if (error)
        snprintf(message, message_size, "%s: %s", container_path(file), error);
    bool good = error == NULL;
    replay_close(events);
    free(table.slot);
    if (all->count)
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
        free(all->stream[i].number);
    free(all->stream);
    free(all);
}
