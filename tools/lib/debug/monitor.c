/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/debug/monitor_choose.h"
#include "tools/lib/debug/questions.h"
#include "tools/lib/image/variables.h"
#include "tools/lib/wet/store.h"
#include "tools/lib/wet/why.h"

/* What the commands are about: the run, and where the debugger is. */
typedef struct asked {
    debug_run *run;
    debug_instant at;
} asked;

#define WHY_LINES 40u /* printed */
#define WHY_DEPTH 40u
#define EXCEPTION_RETURN 0xffffff00u /* lr from here on: a handler's */
#define FIND_MAX 20u                 /* stores, calls */

static void print_instant(asked *s, FILE *out, debug_instant at)
{
    const wet_file *f = debug_run_file(s->run);
    const debug_step *step = debug_run_step(s->run, at);
    char text[160];
    wet_text(f, step->instruction, text, sizeof text);
    fprintf(out, "%u.%u  0x%08x  ", step->time, step->statement, debug_run_pc(s->run, at));
    text_print(out, wet_function_name(f, step->instruction));
    fprintf(out, "  %s\n", text);
}

static void monitor_time(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    (void)rest;
    uint32_t flags;
    const wet_file *f = debug_run_file(s->run);
    if (!debug_run_xpsr(s->run, s->at, &flags))
        fputs("the flags are not known yet\n", out);
    fprintf(out, "time %u of %u; ", debug_run_step(s->run, s->at)->time, f->time);
    print_instant(s, out, s->at);
}

/* T, T.STATEMENT, start, end. */
static void monitor_goto(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    char *end;
    unsigned long long time = strtoull(rest, &end, 10), statement = *end == '.' ? strtoull(end + 1, &end, 10) : 0;
    if (!strcmp(rest, "start"))
        s->at = debug_run_first(s->run);
    else if (!strcmp(rest, "end"))
        s->at = debug_run_last(s->run);
    else if (end != rest && !*end && time >= 1 && time <= debug_run_file(s->run)->time && statement <= UINT16_MAX)
        s->at = debug_run_at(s->run, (uint32_t)time, (uint32_t)statement);
    else {
        fprintf(out, "goto takes a time from 1 to %u, start or end\n", debug_run_file(s->run)->time);
        return;
    }
    print_instant(s, out, s->at);
}

/* ---- places ---- */

/* The N-th instance of a place, for #N. False: there is none before now, which was printed. */
static bool nth_before_now(asked *s, FILE *out, const wet_place *place, debug_instant *found)
{
    char message[512];
    size_t count;
    wet_hit *hits = wet_place_hits(debug_run_file(s->run), place, &count);
    bool there = place->nth <= count;
    if (there)
        *found = debug_run_at(s->run, hits[place->nth - 1].time, hits[place->nth - 1].statement);
    else
        wet_place_few(count, place->nth, message, sizeof message);
    free(hits);
    if (!there)
        fprintf(out, "%s\n", message);
    else if (debug_instant_compare(*found, s->at) < 0)
        return true;
    else
        fprintf(out, "instance %llu comes only at %u.%u\n", (unsigned long long)place->nth,
                debug_run_step(s->run, *found)->time, debug_run_step(s->run, *found)->statement);
    return false;
}

/* Where a local or argument of the function that executes now is: in a register, its name. False: not in one. */
static bool register_here(asked *s, const char *function, const char *name, char *text, size_t size)
{
    image_range ranges[64];
    uint32_t pc = debug_run_pc(s->run, s->at);
    size_t count = image_local(debug_run_image(s->run), function, name, ranges, WEFT_COUNT(ranges));
    for (size_t k = 0; k < count; k++)
        if (pc >= ranges[k].low && pc < ranges[k].high && pc >= ranges[k].function_low &&
            pc < ranges[k].function_high) {
            char location[8];
            snprintf(text, size, "%s", wet_location_name(ranges[k].location, location));
            return true;
        }
    return false;
}

/* A place; a name that is none may be a local or argument of the function that executes now. */
static bool place_now(asked *s, const char *text, wet_place *place, char *message, size_t size)
{
    wet_file *f = debug_run_file(s->run);
    const image *im = debug_run_image(s->run);
    char function[256], other[512], unused[512];
    if (wet_place_parse(f, im, text, place, message, size))
        return true;
    if (strpbrk(text, ":@#.["))
        return false;
    const char *symbol = wet_function_name(f, debug_run_step(s->run, s->at)->instruction);
    snprintf(function, sizeof function, "%.*s", (int)image_copied_name(symbol), symbol);
    if (!register_here(s, function, text, other, sizeof other))
        snprintf(other, sizeof other, "%s:%s", function, text);
    return wet_place_parse(f, im, other, place, unused, sizeof unused);
}

/* The last instance of a place before now, and what of it is there (`from` may be NULL). False: why not was printed. */
static bool before_now(asked *s, FILE *out, const char *text, debug_instant *found, wet_start *from)
{
    char message[512];
    wet_place place;
    if (!place_now(s, text, &place, message, sizeof message)) {
        fprintf(out, "%s\n", message);
        return false;
    }
    bool good = place.nth ? nth_before_now(s, out, &place, found) : debug_place_before(s->run, s->at, &place, found);
    if (good && from)
        *from = wet_place_start(debug_run_file(s->run), &place, debug_instance_at(s->run, *found));
    if (!good && !place.nth)
        fprintf(out, "nothing %s at '%s' before this instant\n", place.statics ? "happened" : "was stored", text);
    wet_place_free(&place);
    return good;
}

static void print_stores(asked *s, FILE *out, debug_instant at)
{
    wet_access_seen seen[FULL_ACCESSES_MAX];
    print_instant(s, out, at);
    uint32_t count = wet_accesses_of(debug_run_file(s->run), debug_instance_at(s->run, at), seen);
    for (uint32_t i = 0; i < count; i++)
        if (seen[i].store && seen[i].known)
            fprintf(out, "    0x%08x (%u) = %llu (0x%llx)\n", seen[i].address, seen[i].size,
                    (unsigned long long)seen[i].value, (unsigned long long)seen[i].value);
}

static void monitor_last_write(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    debug_instant found;
    if (before_now(s, out, rest, &found, NULL))
        print_stores(s, out, found);
}

static void monitor_first_write(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    char message[512];
    debug_instant found;
    wet_place place;
    if (!wet_place_parse(debug_run_file(s->run), debug_run_image(s->run), rest, &place, message, sizeof message)) {
        fprintf(out, "%s\n", message);
        return;
    }
    if (place.statics)
        fprintf(out, "'%s' is not memory\n", rest);
    else if (place.nth)
        fputs("first-write takes no #N: it is the first of the run\n", out);
    else if (debug_place_first(s->run, &place, &found))
        print_stores(s, out, found);
    else
        fprintf(out, "nothing was ever stored at '%s'\n", rest);
    wet_place_free(&place);
}

/* ---- why, slice ---- */

typedef struct why_lines {
    asked *s;
    FILE *out;
    unsigned left;
} why_lines;

static bool why_line(void *own, const wet_why_line *line)
{
    why_lines *t = own;
    const wet_file *f = debug_run_file(t->s->run);
    const char *file = wet_file_name(f, line->instruction);
    char text[160];
    fprintf(t->out, "%8u  %*s", line->time, (int)(line->depth < 30 ? 2 * line->depth : 60), "");
    if (line->kind == WET_WHY_LOOP) {
        fprintf(t->out, "%s... and so on, round the same loop\n", line->prefix);
        return --t->left > 0;
    }
    fprintf(t->out, "%s%s   ", line->prefix, line->kind == WET_WHY_CALLER ? "  called from" : line->value);
    text_print(t->out, wet_function_name(f, line->instruction));
    if (*file) {
        fputs(" (", t->out);
        text_print(t->out, text_base(file));
        fprintf(t->out, ":%u)", f->static_line[line->instruction]);
    }
    wet_text(f, line->instruction, text, sizeof text);
    fprintf(t->out, "   %s\n", line->kind == WET_WHY_EVENT ? text : "");
    return --t->left > 0;
}

static void monitor_why(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    debug_instant found;
    wet_start from;
    why_lines t = {s, out, WHY_LINES};
    const debug_devices named = debug_run_devices(s->run);
    const wet_why_devices devices = {named.name, named.own};
    if (!before_now(s, out, rest, &found, &from))
        return;
    wet_why_walk(debug_run_file(s->run), from, WHY_DEPTH, named.name ? &devices : NULL, why_line, &t);
    if (!t.left)
        fputs("          ...\n", out);
}

/* Prints the source lines of a slice, and how often each took part, in the order of addresses. */
static void monitor_slice(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    debug_instant found;
    wet_start from;
    wet_file *f = debug_run_file(s->run);
    if (!before_now(s, out, rest, &found, &from))
        return;
    wet_store_end(f); /* a slice needs its memory */
    wet_slice *slice = wet_slice_run(f, from, false, NULL, NULL);
    fprintf(out, "%u statements, %llu instances\n", slice->statements, (unsigned long long)slice->instances);
    if (slice->unknown)
        fprintf(out, "%u are not decoded: what they depend on is missing\n", slice->unknown);
    for (uint32_t i = 0; i < f->static_count; i++) {
        uint64_t count = slice->counts[i];
        if (!count)
            continue;
        for (; i + 1 < f->static_count && f->static_file[i] && f->static_file[i + 1] == f->static_file[i] &&
               f->static_line[i + 1] == f->static_line[i];
             i++)
            count += slice->counts[i + 1];
        fprintf(out, "%10llu  0x%08x  ", (unsigned long long)count, f->statics[i].insn.pc);
        text_print(out, wet_function_name(f, i));
        fputs("  ", out);
        text_print(out, wet_file_name(f, i));
        fprintf(out, ":%u\n", f->static_line[i]);
    }
    wet_slice_free(slice);
}

/* ---- values, calls ---- */

static void monitor_find(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    debug_sought value;
    size_t count;
    uint64_t all;
    if (!debug_sought_parse(rest, &value)) {
        fputs(DEBUG_SOUGHT_TEXT, out);
        return;
    }
    wet_file *f = debug_run_file(s->run);
    debug_found *found = debug_stores_of(s->run, &value, FIND_MAX, &count, &all);
    fprintf(out, "stored %llu time%s%s\n", (unsigned long long)all, all == 1 ? "" : "s",
            all > count ? "; the first:"
            : all       ? ":"
                        : "");
    for (size_t i = 0; i < count; i++) {
        uint32_t offset,
            instruction = f->statements[f->nodes[found[i].node].n.statements[found[i].statement]].instruction;
        const image_symbol *object = wet_object_at(f, found[i].address, &offset);
        fprintf(out, "%u.%u  0x%08x ", found[i].time, found[i].statement, found[i].address);
        if (object) {
            text_print(out, object->name);
            fprintf(out, "+%u", offset);
        }
        fputs("  by ", out);
        text_print(out, wet_function_name(f, instruction));
        fprintf(out, "  0x%08x\n", f->statics[instruction].insn.pc);
    }
    free(found);
}

/* Where a call came from: the function by lr, or what the processor's exception number is. */
static void print_caller(asked *s, FILE *out, debug_instant at)
{
    uint32_t lr, number;
    bool known = debug_run_register(s->run, at, 14, &lr);
    const image_symbol *from = known ? image_function(&debug_run_image(s->run)->symbols, lr & ~1u) : NULL;
    if (known && lr >= EXCEPTION_RETURN && debug_run_register(s->run, at, WET_IPSR, &number))
        fprintf(out, "exception %u", number);
    else
        text_print(out, from ? from->name : "?");
}

/* Each call of a function: when, from where, its first four arguments. */
static void monitor_calls(void *own, FILE *out, const char *rest)
{
    asked *s = own;
    char message[512];
    size_t count;
    wet_place place;
    wet_file *f = debug_run_file(s->run);
    bool good = wet_place_parse(f, debug_run_image(s->run), rest, &place, message, sizeof message);
    if (!good || !place.statics || place.nth) {
        fprintf(out, good && place.nth ? "calls takes no #N\n" : "'%s' is not a function that was called\n", rest);
        if (good)
            wet_place_free(&place);
        return;
    }
    wet_hit *hits = wet_place_hits(f, &place, &count);
    fprintf(out, "%zu call%s\n", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count && i < FIND_MAX; i++) {
        debug_instant at = debug_run_at(s->run, hits[i].time, hits[i].statement);
        uint32_t value;
        fprintf(out, "%u.%u  from ", hits[i].time, hits[i].statement);
        print_caller(s, out, at);
        for (unsigned r = 0; r < 4; r++)
            if (debug_run_register(s->run, at, r, &value))
                fprintf(out, "  r%u=0x%x", r, value);
        fputc('\n', out);
    }
    free(hits);
    wet_place_free(&place);
}

static const monitor_command commands[] = {
    {"time", monitor_time, "time             where we are"},
    {"goto", monitor_goto, "goto T           go there: a time, T.N for a place on its path, start, end"},
    {"why", monitor_why, "why PLACE        how the value there came about: the last one before now"},
    {"last-write", monitor_last_write, "last-write PLACE the last store to it before now"},
    {"first-write", monitor_first_write, "first-write PLACE the first store to it of the run"},
    {"slice", monitor_slice, "slice PLACE      all that the last value before now depended on"},
    {"find", monitor_find, "find VALUE       when and where it was stored"},
    {"calls", monitor_calls, "calls FUNCTION   its calls: when, from where, with which arguments"},
    {NULL, NULL, NULL}};

void monitor_run(debug_run *r, debug_instant *at, const char *command, FILE *out)
{
    asked a = {r, *at};
    monitor_choose(commands, command, &a, out);
    *at = a.at;
}
