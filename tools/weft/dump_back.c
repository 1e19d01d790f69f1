/* SPDX-License-Identifier: MIT */
#include "tools/weft/dump_back.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/blackbox.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/fault.h"
#include "tools/lib/recording/open_path.h"
#include "tools/weft/dump_fault.h"
#include "tools/weft/dump_left.h"
#include "tools/weft/dump_marks.h"

/* What the recording holds, newest last. */
typedef struct step {
    control_kind kind; /* of a mark, a change of what is recorded */
    uint32_t context, path;
    uint32_t change, parameter;
} step;

typedef struct history {
    step *all;
    size_t count, max;
    uint64_t paths; /* and how many there were in all */
} history;

enum { LINES_MAX = 256, HANDLER = 511 };

/* ---- reading ---- */

/* Twice as many as wanted at most: then the older half goes. */
static void add(history *h, size_t last, step s)
{
    h->paths += s.kind == CONTROL_PATH;
    if (h->all && last && h->count >= 2 * last) {
        memmove(h->all, h->all + h->count - last, last * sizeof *h->all);
        h->count = last;
    }
    h->all = memory_room(h->all, h->count, &h->max, sizeof *h->all);
    h->all[h->count++] = s;
}

/* Of one recording, or of the last. */
static uint64_t gather(history *h, const container *file, const event_filter *wanted, size_t last,
                       const uint32_t *recording)
{
    control *events = control_open(file);
    uint32_t current = 0;
    for (control_event e; control_next(events, &e);) {
        bool change = e.kind == CONTROL_MARK && e.mark->kind == WEFT_MARK_CONTROL;
        if (recording && e.recording != *recording)
            continue;
        if (e.recording != current && e.kind != CONTROL_GAP)
            *h = (history){.all = h->all, .max = h->max};
        current = e.recording;
        if (e.kind == CONTROL_CONTEXT || (e.kind == CONTROL_MARK && !change) ||
            (e.kind == CONTROL_PATH && !event_filter_context(wanted, e.context)))
            continue;
        step s = {.kind = e.kind, .context = e.context, .path = e.path};
        if (change)
            s = (step){e.kind, e.context, 0, (uint32_t)e.mark->argument, e.mark->value[0]};
        add(h, last, s);
    }
    uint64_t unread = control_unread(events);
    control_close(events);
    return unread;
}

/* ---- lines of source ---- */

static void put_lines_text(out *o, const descriptor_line *lines, size_t count)
{
    const char *file = NULL;
    for (size_t i = 0; i < count;) {
        size_t end = i + 1; /* of a run of rising lines */
        while (end < count && !strcmp(lines[end].file, lines[i].file) && lines[end].line == lines[end - 1].line + 1)
            end++;
        if (file && !strcmp(file, lines[i].file)) {
            put_raw(o, ",");
        } else {
            put_raw(o, " ");
            put_raw(o, text_base(lines[i].file));
            put_raw(o, ":");
        }
        file = lines[i].file;
        put_number(o, lines[i].line);
        if (end - i > 1) {
            put_raw(o, "-");
            put_number(o, lines[end - 1].line);
        }
        i = end;
    }
}

static void put_lines(out *o, const descriptor_line *lines, size_t count)
{
    if (!o->json) {
        put_lines_text(o, lines, count);
        return;
    }
    put_key(o, "lines");
    put_raw(o, "[");
    for (size_t i = 0; i < count; i++) {
        put_raw(o, i ? "," : "");
        put_number(o, lines[i].line);
    }
    put_raw(o, "]");
}

/* ---- what is printed ---- */

static size_t way_lines(const descriptor_function *f, const open_way *way, descriptor_line *lines, size_t max)
{
    size_t count = 0;
    for (size_t i = 0; i < way->count; i++) {
        const descriptor_block *b = &f->block[way->block[i]];
        for (uint32_t k = 0; k < b->line_count; k++) {
            bool repeats =
                count && lines[count - 1].line == b->line[k].line && !strcmp(lines[count - 1].file, b->line[k].file);
            if (!repeats && b->line[k].line && count < max)
                lines[count++] = b->line[k];
        }
    }
    return count;
}

static void print_way(out *o, const open_path *open, const open_way *way, uint32_t context)
{
    descriptor_line lines[LINES_MAX];
    begin_line(o, context, "open");
    put_string(o, "function", open->function->name);
    if (way->entry)
        put_string(o, "from", "entry");
    if (open->called)
        put_string(o, "at", "call");
    put_named(o, "ways", open->ways);
    put_key(o, "blocks");
    put_raw(o, o->json ? "[" : "blocks ");
    for (size_t i = 0; i < way->count; i++) {
        put_raw(o, i ? "," : "");
        put_number(o, open->function->block_base + way->block[i]);
    }
    put_raw(o, o->json ? "]" : "");
    put_lines(o, lines, way_lines(open->function, way, lines, LINES_MAX));
    end_line(o);
}

/* ---- packs that were not recorded yet (core/FORMAT.md, section 4) ---- */

/* How many paths may be missing at most, of a context whose register is not known. */
static void print_unrecorded(out *o, uint32_t context)
{
    begin_line(o, context, "unrecorded");
    put_named(o, "at_most", BALLARUS_PACK_MAX - 1);
    end_line(o);
}

/* Other contexts were interrupted anywhere, except for handlers that had returned. `broken`: where the register is
 * known, or no pack can have been open. */
static void print_all_unrecorded(out *o, const program *app, const history *h, uint32_t context, bool broken)
{
    const descriptors *all = program_descriptors(app);
    uint32_t *recent = memory_zero(h->count + 1, sizeof *recent);
    bool *seen = memory_zero(h->count + 1, sizeof *seen);
    descriptor_path path;
    if (!broken && all->packed)
        print_unrecorded(o, context);
    for (size_t i = 0; i < h->count && all->packed; i++) {
        size_t count = 0;
        uint32_t other = h->all[i].context;
        if (h->all[i].kind != CONTROL_PATH || other == context || seen[i])
            continue;
        for (size_t k = i; k < h->count; k++)
            if (h->all[k].kind == CONTROL_PATH && h->all[k].context == other) {
                seen[k] = true;
                recent[count++] = h->all[k].path;
            }
        bool handler = other && other <= HANDLER;
        if (!handler || open_path_newest(all, recent, count, &path))
            print_unrecorded(o, other);
    }
    free(recent);
    free(seen);
}

/* The ways that may have led to the instruction, since the last path that was recorded. */
static void print_open(out *o, program *app, const history *h, const uint32_t *pc, const pack_left *left,
                       uint32_t context, bool contexts)
{
    uint32_t *recent = memory_zero(h->count + 1, sizeof *recent);
    size_t count = 0;
    open_path open;
    for (size_t i = 0; i < h->count; i++) {
        if (h->all[i].kind != CONTROL_PATH)
            count = 0; /* nothing goes on across a gap, or a pause */
        else if (!contexts || h->all[i].context == context)
            recent[count++] = h->all[i].path;
    }
    open_path_find(&open, app, pc, recent, count, left->known ? &left->open : NULL);
    for (size_t i = 0; i < OPEN_PATH_WAYS && i < open.ways; i++)
        print_way(o, &open, &open.way[i], context);
    if (open.ways > OPEN_PATH_WAYS) {
        begin_line(o, context, "open");
        put_named(o, "more", open.ways - OPEN_PATH_WAYS);
        end_line(o);
    }
    open_path_free(&open);
    free(recent);
}

static void print_step(out *o, program *app, const step *s)
{
    descriptor_line lines[LINES_MAX];
    if (s->kind == CONTROL_MARK) {
        trace_mark mark = {.kind = WEFT_MARK_CONTROL, .argument = s->change, .count = 1, .value = {s->parameter}};
        dump_mark(o, s->context, &mark, 0, NULL, NULL);
        return;
    }
    begin_line(o, s->context, s->kind == CONTROL_PATH ? "path" : "gap");
    if (s->kind == CONTROL_PATH) {
        const descriptor_function *f = app ? descriptors_of_path(program_descriptors(app), s->path) : NULL;
        put_key(o, "path");
        put_number(o, s->path);
        if (f) {
            size_t count = program_path_lines(app, s->path, lines, LINES_MAX);
            put_string(o, "function", f->name);
            put_lines(o, lines, count < LINES_MAX ? count : LINES_MAX);
        }
    }
    end_line(o);
}

/* The context that the fault interrupted: that of the exception in xPSR, or the thread that ran. */
static uint32_t fault_context(const fault *f, const history *h)
{
    uint32_t handler = f->head.flags & WEFT_FAULT_FRAME ? f->head.xpsr & HANDLER : 0;
    for (size_t i = h->count; !handler && i > 0; i--)
        if (h->all[i - 1].kind == CONTROL_PATH && (!h->all[i - 1].context || h->all[i - 1].context > HANDLER))
            return h->all[i - 1].context;
    return handler;
}

uint64_t dump_back(out *o, const container *file, program *app, const event_filter *wanted, size_t last)
{
    history h = {.all = NULL};
    fault f;
    uint8_t *buffer = NULL;
    uint32_t recording;
    uint64_t form, unread;
    bool broke = fault_of(file, &f, &recording, &buffer),
         contexts = !container_meta(file, WEFT_META_BLACKBOX, &form) || form == WEFT_BLACKBOX_PACKED;
    unread = gather(&h, file, wanted, last, broke ? &recording : NULL);
    uint32_t context = broke ? fault_context(&f, &h) : 0;
    if (broke)
        dump_fault(o, app, &f, context);
    if (broke && app) {
        pack_left left = pack_left_at(app, &f);
        for (size_t i = 0; i < left.count; i++)
            add(&h, last, (step){.kind = CONTROL_PATH, .context = context, .path = left.paths[i]});
        print_open(o, app, &h, f.head.flags & WEFT_FAULT_FRAME ? &f.head.pc : NULL, &left, context, contexts);
        print_all_unrecorded(o, app, &h, context, left.none || left.known);
    }
    size_t from = last && h.count > last ? h.count - last : 0;
    for (size_t i = h.count; i > from; i--)
        print_step(o, app, &h.all[i - 1]);
    put_flush(o);
    free(h.all);
    free(buffer);
    return unread;
}
