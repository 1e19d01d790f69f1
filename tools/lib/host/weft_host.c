/* SPDX-License-Identifier: MIT */
/* The rest of the library is compiled with -fvisibility=hidden: libweft exports this. */
#pragma GCC visibility push(default)
#include "tools/lib/host/weft_host.h"
#pragma GCC visibility pop

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/base/version.h"
#include "tools/lib/image/program.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/event_text.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/times.h"

struct weft_host {
    container *file;
    program *app;   /* NULL: no image was given */
    scripts *paths; /* with app */
    replay *events; /* with app */
    control *bare;  /* without */
    given_names names;
    uint32_t recording; /* of the file, from 0: that of the last event */
    /* Of the last event, and of the last weft_host_context. */
    char text[EVENT_TEXT_MAX], context[VECTORS_NAME_MAX];
    uint32_t numbers[WEFT_MARK_VALUES_MAX];
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
    trace->recording = 0;
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
    if (good && container_without_paths(trace->file)) {
        snprintf(message, message_size, "%s: %s", recording, container_without_paths(trace->file));
        good = false;
    }
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
    given_names_read(&trace->names, trace->file);
    if (trace->app) {
        given_names_give(trace->file, trace->app);
        trace->paths = scripts_open(trace->app);
    }
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
    given_names_free(&trace->names);
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
static uint32_t kind_of_mark(const trace_mark *mark)
{
    return mark->kind == WEFT_MARK_EVENT ? WEFT_HOST_EVENT : mark->kind == WEFT_MARK_STAMP ? WEFT_HOST_STAMP : 0;
}

static uint32_t kind_of(const replay_event *event)
{
    static const uint8_t kinds[] = {
        [REPLAY_ENTRY] = WEFT_HOST_ENTRY,     [REPLAY_EXIT] = WEFT_HOST_EXIT,   [REPLAY_BLOCK] = WEFT_HOST_BLOCK,
        [REPLAY_ACCESS] = WEFT_HOST_LOAD,     [REPLAY_VALUE] = WEFT_HOST_VALUE, [REPLAY_PATH] = WEFT_HOST_PATH,
        [REPLAY_CONTEXT] = WEFT_HOST_CONTEXT, [REPLAY_GAP] = WEFT_HOST_GAP,     [REPLAY_UNRESOLVED] = WEFT_HOST_GAP,
    };
    if (event->kind == REPLAY_MARK)
        return kind_of_mark(event->mark);
    if (event->kind == REPLAY_ACCESS && event->store)
        return WEFT_HOST_STORE;
    return event->kind < WEFT_COUNT(kinds) ? kinds[event->kind] : 0;
}

static void put_mark(weft_host *trace, weft_host_event *to, const trace_mark *mark)
{
    if (mark->kind != WEFT_MARK_EVENT)
        return;
    to->id = (uint32_t)mark->argument;
    const char *name = given_names_text(&trace->names, trace->recording, NAMES_EVENT(to->id));
    const image_symbols *symbols = trace->app ? &program_image(trace->app)->symbols : NULL;
    char filled[EVENT_TEXT_MAX];
    bool is_format = name && event_text(filled, name, mark->value, mark->count, symbols);
    if (name)
        text_safe(trace->text, sizeof trace->text, is_format ? filled : name);
    to->text = name ? trace->text : NULL;
    memcpy(trace->numbers, mark->value, mark->count * sizeof *mark->value);
    to->numbers = trace->numbers;
    to->number_count = mark->count;
}

static void translate(weft_host *trace, weft_host_event *to, const replay_event *from)
{
    const descriptors *all = program_descriptors(trace->app);
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
    case WEFT_HOST_EVENT:
    case WEFT_HOST_STAMP:
        put_mark(trace, to, from->mark);
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
        trace->recording = event.recording;
        if (!to->kind)
            continue;
        translate(trace, to, &event);
        return true;
    }
    return false;
}

static bool next_bare(weft_host *trace, weft_host_event *to)
{
    static const uint8_t kinds[] = {
        [CONTROL_PATH] = WEFT_HOST_PATH, [CONTROL_CONTEXT] = WEFT_HOST_CONTEXT, [CONTROL_GAP] = WEFT_HOST_GAP};
    control_event event;
    control_frame_times frame;
    while (control_next(trace->bare, &event)) {
        to->kind = event.kind == CONTROL_MARK ? kind_of_mark(event.mark) : kinds[event.kind];
        trace->recording = event.recording;
        if (!to->kind)
            continue;
        (void)control_frame(trace->bare, &frame);
        to->context = event.context;
        to->id = event.kind == CONTROL_PATH ? event.path : 0;
        to->time = event.kind == CONTROL_MARK ? event.time : frame.closed;
        if (event.kind == CONTROL_MARK)
            put_mark(trace, to, event.mark);
        return true;
    }
    return false;
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

const char *weft_host_context(weft_host *trace, uint32_t context)
{
    const char *name = given_names_text(&trace->names, trace->recording, NAMES_CONTEXT(context));
    if (!name)
        return vectors_name(trace->app ? program_image(trace->app) : NULL, context, trace->context);
    text_safe(trace->context, sizeof trace->context, name);
    return trace->context;
}

uint64_t weft_host_hz(const weft_host *trace)
{
    return times_base_of(trace->file).hz;
}
