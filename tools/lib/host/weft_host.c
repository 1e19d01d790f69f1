/* SPDX-License-Identifier: MIT */
/* The rest of the library is compiled with -fvisibility=hidden: libweft exports this. */
#pragma GCC visibility push(default)
#include "tools/lib/host/weft_host.h"
#pragma GCC visibility pop

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/version.h"
#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"

struct weft_host {
    container *file;
    program *app;   /* NULL: no image was given */
    scripts *paths; /* with app */
    replay *events; /* with app */
    control *bare;  /* without */
};

const char *weft_host_version(void)
{
    return WEFT_VERSION_TEXT;
}

int weft_host_api(void)
{
    return WEFT_HOST_API;
}

static void end_events(weft_host *trace)
{
    if (trace->events)
        replay_close(trace->events);
    if (trace->bare)
        control_close(trace->bare);
    trace->events = NULL;
    trace->bare = NULL;
}

void weft_host_rewind(weft_host *trace)
{
    end_events(trace);
    if (trace->app)
        trace->events = replay_open(trace->file, (replay_model){trace->paths, scripts_model});
    else
        trace->bare = control_open(trace->file);
}

weft_host *weft_host_open(const char *recording, const char *elf, char *message, size_t message_size)
{
    weft_host *trace = memory_zero(1, sizeof *trace);
    bool good = !full_is(recording);
    if (!good)
        snprintf(message, message_size, "%s is a full recording: `weft dump` prints it", recording);
    if (good)
        good = (trace->file = container_open(recording, message, message_size)) != NULL;
    if (good && elf)
        good = (trace->app = program_open(elf, message, message_size)) != NULL &&
               program_fits(trace->app, trace->file, message, message_size);
    if (good && !elf && container_packed(trace->file)) {
        snprintf(message, message_size, "%s: %s", recording, container_packed(trace->file));
        good = false;
    }
    if (!good) {
        weft_host_close(trace);
        return NULL;
    }
    if (trace->app)
        trace->paths = scripts_open(trace->app);
    weft_host_rewind(trace);
    return trace;
}

void weft_host_close(weft_host *trace)
{
    if (!trace)
        return;
    end_events(trace);
    if (trace->paths)
        scripts_close(trace->paths);
    if (trace->app)
        program_close(trace->app);
    if (trace->file)
        container_close(trace->file);
    free(trace);
}

static void put_place(weft_host_event *to, const descriptor_line *place)
{
    if (place && place->line) {
        to->file = place->file;
        to->line = place->line;
    }
}

static void put_site(weft_host_event *to, const descriptors *all, uint32_t id)
{
    const descriptor_function *f = descriptors_of_site(all, id);
    if (!f)
        return;
    to->function = f->name;
    put_place(to, &f->site[id - f->site_base].place);
}

static void put_block(weft_host_event *to, const descriptors *all, uint32_t id)
{
    const descriptor_function *f = descriptors_of_block(all, id);
    if (!f)
        return;
    const descriptor_block *block = &f->block[id - f->block_base];
    to->function = f->name;
    put_place(to, block->line_count ? &block->line[0] : NULL);
}

static void put_function(weft_host_event *to, const descriptors *all, uint32_t function)
{
    const descriptor_function *f = &all->function[function];
    descriptor_line place = {f->file, f->first_line};
    to->function = f->name;
    if (to->kind == WEFT_HOST_ENTRY)
        put_place(to, &place);
}

/* 0: nothing that is shown. */
static uint32_t kind_of(const replay_event *event)
{
    switch (event->kind) {
    case REPLAY_ENTRY:
        return WEFT_HOST_ENTRY;
    case REPLAY_EXIT:
        return WEFT_HOST_EXIT;
    case REPLAY_BLOCK:
        return WEFT_HOST_BLOCK;
    case REPLAY_ACCESS:
        return event->store ? WEFT_HOST_STORE : WEFT_HOST_LOAD;
    case REPLAY_VALUE:
        return WEFT_HOST_VALUE;
    case REPLAY_PATH:
        return WEFT_HOST_PATH;
    case REPLAY_CONTEXT:
        return WEFT_HOST_CONTEXT;
    case REPLAY_GAP:
    case REPLAY_UNRESOLVED:
        return WEFT_HOST_GAP;
    default:
        return 0;
    }
}

static void translate(weft_host_event *to, const descriptors *all, const replay_event *from)
{
    bool counted = from->counted || from->kind == REPLAY_UNRESOLVED;
    to->flags = (from->unwound ? WEFT_HOST_UNWOUND : 0) | (counted ? WEFT_HOST_COUNTED : 0) |
                (from->derived ? WEFT_HOST_DERIVED : 0) | (from->unknown ? WEFT_HOST_UNKNOWN : 0);
    to->context = from->context;
    to->id = from->id;
    to->time = from->time;
    switch (to->kind) {
    case WEFT_HOST_LOAD:
    case WEFT_HOST_STORE:
    case WEFT_HOST_VALUE:
        put_site(to, all, from->id);
        to->address = from->address;
        to->size = from->size;
        to->value = from->value;
        break;
    case WEFT_HOST_BLOCK:
        put_block(to, all, from->id);
        break;
    case WEFT_HOST_ENTRY:
    case WEFT_HOST_EXIT:
    case WEFT_HOST_PATH:
        put_function(to, all, from->function);
        break;
    case WEFT_HOST_GAP:
        to->paths = from->paths;
        to->accesses = from->accesses;
        to->values = from->values;
        break;
    default:
        break;
    }
}

static bool next_named(weft_host *trace, weft_host_event *to)
{
    replay_event event;
    while (replay_next(trace->events, &event)) {
        to->kind = kind_of(&event);
        if (!to->kind)
            continue;
        translate(to, program_descriptors(trace->app), &event);
        return true;
    }
    return false;
}

static bool next_bare(weft_host *trace, weft_host_event *to)
{
    static const uint32_t kinds[] = {WEFT_HOST_PATH, WEFT_HOST_CONTEXT, WEFT_HOST_GAP};
    control_event event;
    if (!control_next(trace->bare, &event))
        return false;
    to->kind = kinds[event.kind];
    to->context = event.context;
    to->id = event.kind == CONTROL_PATH ? event.path : 0;
    return true;
}

int weft_host_next_sized(weft_host *trace, weft_host_event *event, size_t event_size)
{
    weft_host_event whole = {0};
    if (!(trace->app ? next_named(trace, &whole) : next_bare(trace, &whole)))
        return 0;
    if (event_size > sizeof whole) {
        memset((char *)event + sizeof whole, 0, event_size - sizeof whole);
        event_size = sizeof whole;
    }
    memcpy(event, &whole, event_size);
    return 1;
}

const char *weft_host_error(const weft_host *trace)
{
    return trace->events ? replay_error(trace->events) : NULL;
}

void weft_host_missing_sized(const weft_host *trace, weft_host_lost *lost, size_t lost_size)
{
    weft_counts counts = container_lost(trace->file);
    uint64_t unread = trace->bare ? control_unread(trace->bare) : 0;
    uint64_t unknown = trace->events ? replay_unresolved(trace->events) + replay_unknown(trace->events) : 0;
    weft_host_lost whole = {counts.paths, counts.accesses, counts.values,
                            container_gap_count(trace->file) + unread + (unknown != 0)};
    if (lost_size > sizeof whole) {
        memset((char *)lost + sizeof whole, 0, lost_size - sizeof whole);
        lost_size = sizeof whole;
    }
    memcpy(lost, &whole, lost_size);
}

int weft_host_line(const weft_host *trace, uint32_t address, const char **file, uint32_t *line)
{
    const image_line *found = trace->app ? image_line_at(program_image(trace->app), address & ~1u) : NULL;
    if (!found || !found->file)
        return 0;
    *file = found->file;
    *line = found->line;
    return 1;
}

const char *weft_host_symbol(const weft_host *trace, uint32_t address, uint32_t *offset)
{
    return trace->app ? program_symbol(trace->app, address, offset) : NULL;
}
