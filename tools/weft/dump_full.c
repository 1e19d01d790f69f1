/* SPDX-License-Identifier: MIT */
#include "tools/weft/dump_full.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/image/compared.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/machine/who_runs.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/wet/run.h"
#include "tools/weft/command.h"
#include "tools/weft/lines.h"

static void put_place(out *o, const image *im, uint32_t pc)
{
    const image_symbol *function = im ? image_function(&im->symbols, pc) : NULL;
    const image_line *line = im ? image_line_at(im, pc) : NULL;
    if (function)
        put_string(o, "function", function->name);
    if (!line || !line->file)
        return;
    put_string(o, "file", line->file);
    if (o->json)
        put_key(o, "line");
    else
        put_raw(o, ":");
    put_number(o, line->line);
}

static void put_unknown(out *o)
{
    put_key(o, "value");
    put_raw(o, o->json ? "null" : "unknown");
}

static void put_accesses(out *o, uint32_t context, const full_event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++) {
        const full_access *access = &event->accesses[i];
        begin_line(o, context, access->store ? "store" : "load");
        put_address(o, "address", access->address);
        put_key(o, "size");
        put_number(o, access->size);
        if (event->unknown >> i & 1)
            put_unknown(o);
        else
            put_named(o, "value", access->value);
        put_address(o, "pc", event->instruction->pc);
        end_line(o);
    }
}

static void put_values(out *o, uint32_t context, const full_event *event)
{
    uint32_t at = 0;
    for (unsigned bit = 0; bit < 64 && at < event->value_count; bit++) {
        if (!(event->written >> bit & 1))
            continue;
        char name[8];
        if (bit < 15)
            snprintf(name, sizeof name, "r%u", bit);
        else if (bit >= 32)
            snprintf(name, sizeof name, "s%u", bit - 32);
        else
            snprintf(name, sizeof name, "%s", bit == 15 ? "apsr" : "fpscr");
        begin_line(o, context, "value");
        put_string(o, "register", name);
        if (event->unknown_values >> bit & 1)
            put_unknown(o);
        else
            put_address(o, "value", event->values[at]);
        at++;
        put_address(o, "pc", event->instruction->pc);
        end_line(o);
    }
}

/* `from`: the context before the event. */
static void put_event(out *o, const image *im, uint32_t from, uint32_t context, const full_event *event,
                      unsigned events)
{
    if (event->kind == FULL_EXCEPTION) {
        if (!(events & EVENTS_CONTROL))
            return;
        begin_line(o, context, event->entry ? "exception" : "return");
        put_named(o, "from", from);
        put_address(o, "pc", event->pc);
        end_line(o);
        return;
    }
    if (events & EVENTS_CONTROL) {
        begin_line(o, context, event->passed ? "instruction" : "skipped");
        put_address(o, "pc", event->instruction->pc);
        put_place(o, im, event->instruction->pc);
        end_line(o);
    }
    if (events & EVENTS_BUS)
        put_accesses(o, context, event);
    if (events & EVENTS_VALUES)
        put_values(o, context, event);
}

/* Whether an instruction is of a function. */
static bool is_in(const image *im, const full_event *event, const char *function)
{
    const image_symbol *s = event->kind == FULL_EXECUTED ? image_function(&im->symbols, event->instruction->pc) : NULL;
    return s && !strcmp(s->name, function);
}

static int fail(image *im, const char *format, const char *what)
{
    char message[400];
    snprintf(message, sizeof message, format, what);
    if (im)
        image_close(im);
    return command_fail("dump", EXIT_INPUT, "%s", message);
}

/* NULL and a message: it cannot be read, or does not begin in the image (NULL: there is none). */
static full_reader *open_run(const char *path, const image *im, char *message, size_t size)
{
    full_reader *reader = wet_run_open(path, message, size);
    bool fits = !reader || !im || full_begins_in(reader, im);
    if (!fits)
        snprintf(message, size, "%s", full_error(reader));
    if (reader && im)
        full_close(reader);
    if (!fits)
        return NULL;
    return reader && im ? wet_run_open(path, message, size) : reader;
}

int dump_full(const char *path, const char *elf, event_choice choice, unsigned events, bool json)
{
    out o = {.json = json};
    static full_event event;
    char message[400];
    uint32_t wanted = 0, address, size;
    image *im = elf ? image_open(elf, message, sizeof message) : NULL;
    if (elf && !im)
        return command_fail("dump", EXIT_INPUT, "%s", message);
    if (choice.context && !vectors_find(im, choice.context, &wanted))
        return fail(im, "there is no context '%s'", choice.context);
    if (choice.function && !im)
        return fail(im, "%s needs --elf APP.elf", "--function");
    if (choice.function && !image_symbol_named(im, choice.function, &address, &size))
        return fail(im, "there is no function '%s'", choice.function);
    full_reader *reader = open_run(path, im, message, sizeof message);
    if (!reader)
        return fail(im, "%s", message);
    if (json && im && !im->sealed)
        put_unchecked(&o, "image");
    who_runs who = {0};
    compared_image fits = {.im = im};
    uint32_t met = 0;
    int status = EXIT_DONE;
    while (full_next(reader, &event) > 0) {
        const full_instruction *i = event.instruction;
        if (event.kind == FULL_EXECUTED && i->number >= met) {
            met = i->number + 1;
            if (!compared_add(&fits, i->pc, i->bytes, i->size))
                break;
        }
        uint32_t from = who.context;
        if (event.kind == FULL_EXCEPTION)
            who_runs_event(&who, &event);
        if ((!choice.context || who.context == wanted) && (!choice.function || is_in(im, &event, choice.function)))
            put_event(&o, im, from, who.context, &event, events);
    }
    who_runs_free(&who);
    put_flush(&o);
    put_close(&o);
    fflush(stdout);
    if (!compared_fits(&fits, message, sizeof message)) {
        status = command_fail("dump", EXIT_INPUT, "%s", message);
    } else if (full_error(reader)) {
        fprintf(stderr, "weft dump: gap: %s: %s\n", path, full_error(reader));
        status = EXIT_GAPS;
    }
    full_close(reader);
    if (im)
        image_close(im);
    return status;
}
