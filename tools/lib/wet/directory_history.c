/* SPDX-License-Identifier: MIT */
/* The architecture history in a directory: where its columns are. */
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/directory.h"
#include "tools/lib/wet/history_event.h"

static uint32_t stream_length(const wet_kept_event *e, uint32_t executions)
{
    return e->mode == WET_MISSES ? e->misses
           : e->mode == WET_HITS ? executions - e->misses
                                 : (uint32_t)(((uint64_t)executions + 31) / 32);
}

static void read_event(directory *d, wet_kept_event *e, uint32_t executions)
{
    e->misses = directory_below(d, (uint64_t)executions + 1);
    if (!directory_good(d) || !e->misses || e->misses == executions)
        return;
    e->mode = (uint8_t)directory_below(d, WET_KEPT_MODES);
    e->stream = directory_stream(d, stream_length(e, executions));
}

static void read_events(directory *d, unsigned kind)
{
    wet_file *f = d->f;
    wet_event events[WET_EVENTS_MAX];
    for (uint32_t i = 0; i < f->node_count && directory_good(d); i++) {
        const wet_node *n = &f->nodes[i].n;
        uint32_t count = wet_events_of(n, (wet_code){f->statements, f->statics}, events);
        d->node_first = f->stream_count;
        for (uint32_t k = 0; k < count && directory_good(d); k++) {
            if (events[k].kind != kind)
                continue;
            f->kept->events =
                memory_room(f->kept->events, f->kept->event_count, &f->kept->event_max, sizeof *f->kept->events);
            wet_kept_event *e = &f->kept->events[f->kept->event_count++];
            *e = (wet_kept_event){0};
            read_event(d, e, n->count);
        }
    }
}

void directory_history(directory *d)
{
    wet_kept *kept = d->f->kept = memory_zero(1, sizeof *kept);
    uint32_t size = directory_below(d, sizeof kept->text);
    const uint8_t *text = weft_read_bytes(&d->in, size);
    if (!text || !directory_good(d)) {
        directory_bad(d);
        return;
    }
    memcpy(kept->text, text, size);
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++)
        kept->waited[kind] = weft_read_varint64(&d->in);
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++)
        read_events(d, kind);
}
