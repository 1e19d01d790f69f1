/* SPDX-License-Identifier: MIT */
#include "tools/weft/dump_marks.h"

#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/event_text.h"

const char *dump_mark_name(const given_names *names, uint32_t recording, const trace_mark *mark)
{
    if (mark->kind != WEFT_MARK_EVENT)
        return NULL;
    return given_names_text(names, recording, NAMES_EVENT((uint32_t)mark->argument));
}

static void put_event(out *o, const trace_mark *mark, const char *name, const image_symbols *symbols)
{
    char text[EVENT_TEXT_MAX];
    bool told = name && event_text(text, name, mark->value, mark->count, symbols);
    /* A name says more than the number, which JSON has as well. */
    if (o->json || !name)
        put_named(o, "id", mark->argument);
    if (told)
        put_string(o, o->json ? "text" : "name", text);
    if (told && !o->json)
        return;
    if (name)
        put_string(o, "name", name);
    if (o->json || mark->count)
        put_key(o, "values");
    put_raw(o, o->json ? "[" : "");
    for (uint32_t i = 0; i < mark->count; i++) {
        put_raw(o, !i ? "" : o->json ? "," : " ");
        put_number(o, mark->value[i]);
    }
    put_raw(o, o->json ? "]" : "");
}

static void put_change(out *o, const trace_mark *mark)
{
    static const char *const names[] = {"pause", "resume", "trigger", "filter", "sampling", "held", "function"};
    if (mark->argument < WEFT_COUNT(names)) {
        put_string(o, "change", names[mark->argument]);
    } else {
        put_key(o, "change");
        put_number(o, mark->argument);
    }
    put_named(o, "parameter", mark->value[0]);
}

void dump_code(out *o, const program *app, const char *key, uint32_t address)
{
    uint32_t offset;
    const char *symbol = app ? program_symbol(app, address, &offset) : NULL;
    const image_line *line = app ? image_line_at(program_image(app), address) : NULL;
    put_address(o, key, address);
    if (symbol)
        put_string(o, "function", symbol);
    if (!line || !line->file)
        return;
    put_string(o, "file", o->json ? line->file : text_base(line->file));
    if (o->json)
        put_key(o, "line");
    else
        put_raw(o, ":");
    put_number(o, line->line);
}

static void put_stacked(out *o, const trace_mark *mark, const program *app)
{
    char name[VECTORS_NAME_MAX];
    put_address(o, "address", mark->value[WEFT_STACKED_FRAME]);
    if (o->json)
        put_named(o, "exception", mark->argument >> 2);
    else
        put_raw(o, " of");
    put_string(o, "name", vectors_name(app ? program_image(app) : NULL, (uint32_t)(mark->argument >> 2), name));
    if (o->json) {
        put_named(o, "floats", mark->argument >> 1 & 1);
        put_named(o, "under_way", mark->argument & 1);
    } else {
        put_raw(o, mark->argument & 2 ? " with floats" : "");
        put_raw(o, mark->argument & 1 ? " in a probe" : "");
        put_raw(o, " hashes");
    }
    put_address(o, "low", mark->value[WEFT_STACKED_LOW]);
    put_address(o, "high", mark->value[WEFT_STACKED_HIGH]);
}

void dump_mark(out *o, uint32_t context, const trace_mark *mark, uint64_t time, const char *name, const program *app)
{
    static const char *const kinds[WEFT_MARK_KINDS] = {"stamp", "event", "control", "trips", "place",
                                                       "pack",  "frame", "stacked", "laps",  "input"};
    begin_line(o, context, kinds[mark->kind]);
    if (mark->kind == WEFT_MARK_STAMP) {
        put_named(o, "time", time);
    } else if (mark->kind == WEFT_MARK_EVENT) {
        put_event(o, mark, name, app ? &program_image(app)->symbols : NULL);
    } else if (mark->kind == WEFT_MARK_CONTROL) {
        put_change(o, mark);
    } else if (mark->kind == WEFT_MARK_FRAME) {
        put_address(o, "address", mark->value[0]);
        put_raw(o, o->json ? "" : " check");
        put_address(o, "check", (uint32_t)mark->argument);
    } else if (mark->kind == WEFT_MARK_LAPS) {
        put_named(o, "count", mark->argument >> 1);
    } else if (mark->kind == WEFT_MARK_INPUT) {
        put_named(o, "value", mark->argument >> 8);
        put_named(o, "times", (uint64_t)mark->value[0] + 1);
    } else if (mark->kind == WEFT_MARK_STACKED) {
        put_stacked(o, mark, app);
    } else {
        dump_code(o, app, "address", (uint32_t)(2 * mark->argument));
    }
    end_line(o);
}
