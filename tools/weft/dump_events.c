/* SPDX-License-Identifier: MIT */
#include "tools/weft/dump_events.h"

#include "tools/lib/image/vectors.h"
#include "tools/weft/dump_marks.h"

static void put_place(out *o, const descriptor_line *place)
{
    if (!place || !place->line)
        return;
    if (o->json) {
        put_string(o, "file", place->file);
        put_key(o, "line");
    } else {
        put_string(o, "file", place->file);
        put_raw(o, ":");
    }
    put_number(o, place->line);
}

static void dump_gap(out *o, const replay_event *event)
{
    begin_line(o, event->context, event->kind == REPLAY_GAP ? "gap" : "unresolved");
    put_named(o, "offset", event->offset);
    if (event->kind == REPLAY_UNRESOLVED || event->counted) {
        if (event->kind == REPLAY_GAP)
            put_named(o, "paths", event->paths);
        put_named(o, "accesses", event->accesses);
        put_named(o, "values", event->values);
        if (event->marks)
            put_named(o, "marks", event->marks);
    }
    end_line(o);
}

static void dump_address(out *o, const program *app, const replay_event *event)
{
    uint32_t offset = 0;
    const char *symbol = event->unknown ? NULL : program_symbol(app, event->address, &offset);
    if (event->unknown) {
        put_key(o, "address");
        put_raw(o, o->json ? "null" : "unknown");
    } else {
        put_address(o, "address", event->address);
    }
    put_key(o, "size");
    put_number(o, event->size);
    if (!symbol)
        return;
    put_string(o, "symbol", symbol);
    if (o->json || offset) {
        if (o->json)
            put_key(o, "offset");
        else
            put_raw(o, "+");
        put_number(o, offset);
    }
}

static void dump_access(out *o, const program *app, const replay_event *event)
{
    const descriptors *all = program_descriptors(app);
    const descriptor_function *f = descriptors_of_site(all, event->id);
    const descriptor_site *site = f ? &f->site[event->id - f->site_base] : NULL;
    begin_line(o, event->context, event->kind == REPLAY_VALUE ? "value" : event->store ? "store" : "load");
    if (event->kind == REPLAY_VALUE) {
        put_key(o, "value");
        if (o->json)
            put_number(o, event->value);
        else
            put_hex(o, event->value);
    } else {
        dump_address(o, app, event);
    }
    put_named(o, "site", event->id);
    if (site) {
        put_place(o, &site->place);
        if (site->text[0])
            put_string(o, "text", site->text);
    }
    end_line(o);
}

static void dump_block(out *o, const program *app, const replay_event *event)
{
    const descriptor_function *f = descriptors_of_block(program_descriptors(app), event->id);
    begin_line(o, event->context, "block");
    put_key(o, "block");
    put_number(o, event->id);
    if (f) {
        const descriptor_block *block = &f->block[event->id - f->block_base];
        put_string(o, "function", f->name);
        put_place(o, block->line_count ? &block->line[0] : NULL);
    }
    end_line(o);
}

static void put_true(out *o, const char *key)
{
    if (o->json) {
        put_key(o, key);
        put_raw(o, "true");
    } else {
        put_raw(o, " ");
        put_raw(o, key);
    }
}

static void dump_routine(out *o, const program *app, const replay_event *event, const dump_moment *moment)
{
    const descriptor_function *f = &program_descriptors(app)->function[event->function];
    begin_line(o, event->context, event->kind == REPLAY_ENTRY ? "entry" : event->kind == REPLAY_EXIT ? "exit" : "path");
    if (event->kind == REPLAY_PATH) {
        put_key(o, "path");
        put_number(o, event->id);
    }
    put_string(o, "function", f->name);
    if (event->kind == REPLAY_ENTRY) {
        descriptor_line place = {f->file, f->first_line};
        put_place(o, &place);
    }
    if (moment && event->kind == REPLAY_PATH) {
        put_named(o, "time_ns", moment->time);
        if (moment->estimated)
            put_true(o, "estimated");
    }
    if (event->unwound)
        put_true(o, "unwound");
    end_line(o);
}

void dump_context(out *o, uint32_t context, const char *given, const program *app)
{
    char buffer[VECTORS_NAME_MAX];
    const char *name = given ? given : app ? vectors_name(program_image(app), context, buffer) : NULL;
    begin_line(o, context, "context");
    if (name)
        put_string(o, "name", name);
}

void dump_event(out *o, const program *app, const given_names *names, const replay_event *event,
                const dump_moment *moment)
{
    switch (event->kind) {
    case REPLAY_ACCESS:
    case REPLAY_VALUE:
        dump_access(o, app, event);
        break;
    case REPLAY_BLOCK:
        dump_block(o, app, event);
        break;
    case REPLAY_ENTRY:
    case REPLAY_EXIT:
    case REPLAY_PATH:
        dump_routine(o, app, event, moment);
        break;
    case REPLAY_CONTEXT:
        dump_context(o, event->context, given_names_text(names, event->recording, NAMES_CONTEXT(event->context)), app);
        put_named(o, "time", event->time);
        end_line(o);
        break;
    case REPLAY_MARK:
        dump_mark(o, event->context, event->mark, event->time, dump_mark_name(names, event->recording, event->mark),
                  app);
        break;
    case REPLAY_GAP:
    case REPLAY_UNRESOLVED:
        dump_gap(o, event);
        break;
    case REPLAY_BASE:
    case REPLAY_LENGTH:
    case REPLAY_MOVE:
        break; /* never events */
    }
}
