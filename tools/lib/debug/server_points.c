/* SPDX-License-Identifier: MIT */
/* The packets that set break- and watchpoints, and that go to one. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/serving.h"

uint32_t serve_number(const char **text)
{
    char *end;
    unsigned long long value = strtoull(*text, &end, 16);
    *text = end;
    return (uint32_t)value;
}

uint32_t serve_number_after(const char **text, char mark)
{
    if (**text != mark)
        return 0;
    ++*text;
    return serve_number(text);
}

/* ---- points ---- */

static uint32_t watch_find(const debug_server *s, uint8_t kind, uint32_t address, uint32_t size)
{
    uint32_t i = 0;
    while (i < s->watch_count &&
           (s->watch_kinds[i] != kind || s->watches[i].address != address || s->watches[i].size != size))
        i++;
    return i;
}

static uint32_t break_find(const debug_server *s, uint32_t address)
{
    uint32_t i = 0;
    while (i < s->break_count && s->breaks[i] != address)
        i++;
    return i;
}

static bool insert(debug_server *s, uint8_t kind, uint32_t address, uint32_t size)
{
    if (s->break_count + s->watch_count >= SERVE_POINTS_MAX)
        return false;
    if (kind < 2) {
        if (break_find(s, address & ~1u) < s->break_count)
            return true;
        s->breaks = memory_grow(s->breaks, s->break_count + 1, sizeof *s->breaks);
        s->breaks[s->break_count++] = address & ~1u;
        return true;
    }
    if (watch_find(s, kind, address, size) < s->watch_count)
        return true;
    s->watches = memory_grow(s->watches, s->watch_count + 1, sizeof *s->watches);
    s->watch_kinds = memory_grow(s->watch_kinds, s->watch_count + 1, 1);
    s->watches[s->watch_count] = (debug_watch){address, size, kind != 3, kind != 2};
    s->watch_kinds[s->watch_count++] = kind;
    return true;
}

static void remove_point(debug_server *s, uint8_t kind, uint32_t address, uint32_t size)
{
    uint32_t at = kind < 2 ? break_find(s, address & ~1u) : watch_find(s, kind, address, size);
    if (kind < 2 && at < s->break_count) {
        s->breaks[at] = s->breaks[--s->break_count];
    } else if (kind >= 2 && at < s->watch_count) {
        s->watches[at] = s->watches[--s->watch_count];
        s->watch_kinds[at] = s->watch_kinds[s->watch_count];
    }
}

void serve_answer_point(debug_server *s, const char *rest)
{
    bool set = rest[-1] == 'Z';
    uint32_t kind = serve_number(&rest), address = serve_number_after(&rest, ','),
             size = serve_number_after(&rest, ',');
    if (kind > 4)
        return;
    if (!set)
        remove_point(s, (uint8_t)kind, address, size);
    link_add(&s->link, set && !insert(s, (uint8_t)kind, address, size ? size : 1) ? "E01" : "OK");
}

/* ---- going ---- */

static void add_stop(debug_server *s, const char *reason)
{
    uint8_t bytes[8];
    debug_contexts c = s->subject->contexts(s->subject->own, s->at);
    link_add(&s->link, "T05%s", reason);
    for (unsigned i = 0; i < 17; i++)
        if (serve_register(s, &c.all[0], i, bytes)) {
            link_add(&s->link, "%02x:", serve_register_number(i));
            link_add_hex(&s->link, bytes, 4);
            link_add(&s->link, ";");
        }
    link_add(&s->link, "thread:%x;", c.all[0].id);
    debug_contexts_free(&c);
    s->thread = 0;
}

static void add_hit(debug_server *s, debug_hit hit, bool backward)
{
    static const char *const kinds[] = {"watch", "rwatch", "awatch"};
    char reason[64] = "";
    if (hit.end == DEBUG_LIMIT)
        snprintf(reason, sizeof reason, "replaylog:%s;", backward ? "begin" : "end");
    else if (hit.end == DEBUG_WATCH)
        snprintf(reason, sizeof reason, "%s:%x;", kinds[s->watch_kinds[hit.watch] - 2], hit.address);
    add_stop(s, reason);
}

static bool interrupted(void *context)
{
    debug_server *s = context;
    return link_interrupted(&s->link);
}

static debug_points points_of(debug_server *s)
{
    return (debug_points){s->breaks, s->break_count, s->watches, s->watch_count, interrupted, s};
}

static void go(debug_server *s, bool backward)
{
    debug_points points = points_of(s);
    debug_hit hit = s->subject->search(s->subject->own, &s->at, &points, backward);
    add_hit(s, hit, backward);
}

static void step(debug_server *s, bool backward)
{
    debug_points points = points_of(s);
    debug_hit hit = {.end = DEBUG_BREAK};
    debug_subject *subject = s->subject;
    if (!subject->watched(subject->own, s->at, &points, backward, &hit) &&
        !(backward ? subject->previous : subject->next)(subject->own, &s->at))
        hit.end = DEBUG_LIMIT;
    add_hit(s, hit, backward);
}

void serve_answer_continue(debug_server *s, const char *rest)
{
    (void)rest;
    go(s, false);
}

void serve_answer_step(debug_server *s, const char *rest)
{
    (void)rest;
    step(s, false);
}

void serve_answer_back(debug_server *s, const char *rest)
{
    if (*rest == 'c')
        go(s, true);
    else if (*rest == 's')
        step(s, true);
}

/* All contexts go together: the first action is that of the one that runs. */
void serve_answer_actions(debug_server *s, const char *rest)
{
    if (*rest == ';' && (rest[1] == 's' || rest[1] == 'S'))
        step(s, false);
    else
        go(s, false);
}

void serve_answer_why_stopped(debug_server *s, const char *rest)
{
    (void)rest;
    add_stop(s, "");
}
