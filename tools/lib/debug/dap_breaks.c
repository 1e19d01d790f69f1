/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/dap_breaks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/dap_condition.h"
#include "tools/lib/debug/dap_show.h"
#include "tools/lib/debug/names.h"

#define LINE_ADDRESSES_MAX 64u
#define FUNCTIONS_MAX 64u /* of one name, as overloads */

/* ---- lines ---- */

/* Whether one path ends with the other. */
static bool ends_like(const char *a, const char *b)
{
    size_t x = strlen(a), y = strlen(b);
    const char *longer = x < y ? b : a, *shorter = x < y ? a : b;
    size_t rest = x < y ? y - x : x - y;
    return !strcmp(longer + rest, shorter) && (!rest || longer[rest - 1] == '/' || *shorter == '/');
}

/* Each line entry of code; the least line from `line` on that has some. */
static uint32_t line_with_code(const dap *d, const char *path, uint32_t line)
{
    const image *im = d->subject->im;
    uint32_t best = UINT32_MAX, address;
    size_t size;
    for (size_t i = 0; image_part(im, i, &address, &size); i++)
        for (uint32_t at = address; at < address + size; at += 2) {
            const image_line *here = image_line_at(im, at);
            if (here && here->file && here->address == at && here->line >= line && here->line < best &&
                ends_like(here->file, path))
                best = here->line;
        }
    return best;
}

/* Addresses where a line begins: up to `max`; *line becomes the one that has code. The file is the one in the image
 * whose path ends like `path`. */
static size_t line_addresses(const dap *d, const char *path, uint32_t *line, uint32_t *addresses, size_t max)
{
    const image *im = d->subject->im;
    uint32_t wanted = line_with_code(d, path, *line), address;
    size_t size, count = 0;
    if (wanted == UINT32_MAX)
        return 0;
    *line = wanted;
    for (size_t i = 0; image_part(im, i, &address, &size); i++) {
        bool inside = false;
        for (uint32_t at = address; at < address + size; at += 2) {
            const image_line *here = image_line_at(im, at);
            bool is = here && here->file && here->line == wanted && ends_like(here->file, path);
            if (is && !inside && here->address == at && count < max)
                addresses[count++] = at;
            inside = is;
        }
    }
    return count;
}

/* Whether `name`, as far as its arguments, is the end of a qualified name: Plant::step of plant::Plant::step. */
static bool names_end_of(const char *name, const char *whole)
{
    size_t length = strcspn(name, "("), all = strlen(whole);
    if (!length || all < length || strncmp(whole + all - length, name, length) != 0)
        return false;
    return all == length || (all > length + 1 && whole[all - length - 1] == ':' && whole[all - length - 2] == ':');
}

/* Where the functions of a name begin, up to `max`: that of the whole name, else all whose names end like it. */
static size_t function_addresses(const dap *d, const char *name, uint32_t *addresses, size_t max)
{
    uint32_t address, size;
    const image *im = d->subject->im;
    size_t count = 0;
    if (image_symbol_named(im, name, &address, &size)) {
        addresses[0] = debug_body_address(im, address, size);
        return 1;
    }
    for (size_t i = 0; i < im->symbols.count && count < max; i++) {
        const image_symbol *s = &im->symbols.all[i];
        uint32_t body = s->function && names_end_of(name, s->name) ? debug_body_address(im, s->address, s->size) : 0;
        if (body && (!count || addresses[count - 1] != body)) /* several names of one are neighbours */
            addresses[count++] = body;
    }
    return count;
}

/* ---- breakpoints ---- */

void dap_break_free(dap_break *b)
{
    free(b->source);
    free(b->condition);
}

static void breaks_drop(dap *d, const char *source)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->break_count; i++) {
        const char *own = d->breaks[i].source;
        if (own && source ? strcmp(own, source) : own != source)
            d->breaks[kept++] = d->breaks[i];
        else
            dap_break_free(&d->breaks[i]);
    }
    d->break_count = kept;
}

static void break_add(dap *d, const char *source, uint32_t address, const char *condition)
{
    d->breaks = memory_room(d->breaks, d->break_count, &d->break_max, sizeof *d->breaks);
    d->breaks[d->break_count++] = (dap_break){source ? memory_text(source) : NULL, address, d->break_id,
                                              condition ? memory_text(condition) : NULL};
}

/* `wrong`: why it will not stop; NULL: it will. */
static void json_break(json *j, int64_t id, const char *wrong, uint32_t line)
{
    json_object(j, NULL);
    json_integer(j, "id", id);
    json_bool(j, "verified", !wrong);
    if (line)
        json_integer(j, "line", line);
    if (wrong)
        json_string(j, "message", wrong);
    json_end_object(j);
}

/* Why a breakpoint will not be set: what it asks for cannot be had. NULL: it can. */
static const char *refused(yajl_val one, size_t count, const char **condition)
{
    *condition = dap_text(one, "condition");
    *condition = *condition && **condition ? *condition : NULL;
    const char *hits = dap_text(one, "hitCondition"), *log = dap_text(one, "logMessage");
    return !count                                          ? "there is no code here"
           : *condition && !dap_condition_read(*condition) ? "a condition is NAME == NUMBER, or with !=, <, <=, >, >=; "
                                                             "several are joined by &&"
           : hits && *hits                                 ? "hits are not counted: a run goes both ways"
           : log && *log                                   ? "nothing is logged: the console answers `weft help`"
                                                           : NULL;
}

void dap_break_lines(dap *d, const dap_request *r)
{
    const char *path = dap_text(dap_part(r->arguments, "source"), "path");
    yajl_val list = dap_part(r->arguments, "breakpoints"), one;
    path = path ? path : "";
    breaks_drop(d, path);
    json *j = dap_respond(&d->link, r);
    json_array(j, "breakpoints");
    for (size_t i = 0; (one = dap_element(list, i)) != NULL; i++) {
        uint32_t addresses[LINE_ADDRESSES_MAX], line = (uint32_t)dap_number(one, "line", 0);
        size_t count = line_addresses(d, path, &line, addresses, LINE_ADDRESSES_MAX);
        const char *condition, *wrong = refused(one, count, &condition);
        d->break_id++;
        for (size_t k = 0; k < count && !wrong; k++)
            break_add(d, path, addresses[k], condition);
        json_break(j, d->break_id, wrong, line);
    }
    json_end_array(j);
    dap_send(&d->link);
}

void dap_break_functions(dap *d, const dap_request *r)
{
    yajl_val list = dap_part(r->arguments, "breakpoints"), one;
    breaks_drop(d, NULL);
    json *j = dap_respond(&d->link, r);
    json_array(j, "breakpoints");
    for (size_t i = 0; (one = dap_element(list, i)) != NULL; i++) {
        const char *name = dap_text(one, "name");
        uint32_t addresses[FUNCTIONS_MAX];
        size_t count = name ? function_addresses(d, name, addresses, FUNCTIONS_MAX) : 0;
        const char *condition, *wrong = refused(one, count, &condition);
        d->break_id++;
        for (size_t k = 0; k < count && !wrong; k++)
            break_add(d, NULL, addresses[k], condition);
        json_break(j, d->break_id, wrong, 0);
    }
    json_end_array(j);
    dap_send(&d->link);
}

void dap_watch_info(dap *d, const dap_request *r)
{
    char id[64], said[300];
    debug_watch place;
    const char *name = dap_text(r->arguments, "name");
    bool good = name && dap_place_of(d, name, dap_number(r->arguments, "variablesReference", 0),
                                     dap_number(r->arguments, "frameId", 0), &place);
    const char *spoilt = debug_subject_spoilt(d->subject);
    if (spoilt) {
        dap_refuse(&d->link, r, spoilt);
        return;
    }
    json *j = dap_respond(&d->link, r);
    if (good) {
        snprintf(id, sizeof id, "%u,%u", place.address, place.size);
        json_string(j, "dataId", id);
        json_array(j, "accessTypes");
        json_string(j, NULL, "read");
        json_string(j, NULL, "write");
        json_string(j, NULL, "readWrite");
        json_end_array(j);
    }
    snprintf(said, sizeof said, good ? "%.200s" : "%.200s is not in memory", name ? name : "");
    json_string(j, "description", said);
    dap_send(&d->link);
}

/* The breakpoint with the number given last. */
static void watch_add(dap *d, debug_watch watch)
{
    d->watches = memory_room(d->watches, d->watch_count, &d->watch_max, sizeof *d->watches);
    d->watch_ids = memory_room(d->watch_ids, d->watch_count, &d->watch_id_max, sizeof *d->watch_ids);
    d->watches[d->watch_count] = watch;
    d->watch_ids[d->watch_count++] = d->break_id;
}

void dap_watch_places(dap *d, const dap_request *r)
{
    yajl_val list = dap_part(r->arguments, "breakpoints"), one;
    d->watch_count = 0;
    json *j = dap_respond(&d->link, r);
    json_array(j, "breakpoints");
    for (size_t i = 0; (one = dap_element(list, i)) != NULL; i++) {
        const char *id = dap_text(one, "dataId"), *kind = dap_text(one, "accessType");
        unsigned address = 0, size = 0;
        bool good = id && sscanf(id, "%u,%u", &address, &size) == 2 && size;
        d->break_id++;
        if (good)
            watch_add(d, (debug_watch){address, size, !kind || strcmp(kind, "read") != 0,
                                       kind && strcmp(kind, "write") != 0});
        json_break(j, d->break_id, good ? NULL : "this is no data of this run", 0);
    }
    json_end_array(j);
    dap_send(&d->link);
}
