/* SPDX-License-Identifier: MIT */
/* The packets that set break- and watchpoints. */
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

/* Of a breakpoint that is there already only the condition is new. */
static bool break_insert(debug_server *s, uint32_t address, bool conditional)
{
    uint32_t at = break_find(s, address);
    if (at == s->break_count) {
        if (s->break_count + s->watch_count >= SERVE_POINTS_MAX)
            return false;
        s->breaks = memory_grow(s->breaks, at + 1, sizeof *s->breaks);
        s->conditional = memory_grow(s->conditional, at + 1, sizeof *s->conditional);
        s->breaks[s->break_count++] = address;
    }
    s->conditional[at] = conditional;
    return true;
}

static bool watch_insert(debug_server *s, uint8_t kind, uint32_t address, uint32_t size)
{
    if (s->break_count + s->watch_count >= SERVE_POINTS_MAX)
        return false;
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
        s->conditional[at] = s->conditional[s->break_count];
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
    bool done = true;
    if (!set)
        remove_point(s, (uint8_t)kind, address, size);
    else if (kind < 2) /* conditions follow as ;X...; the client tests them itself where the server stops */
        done = break_insert(s, address & ~1u, rest[0] == ';' && rest[1] == 'X');
    else
        done = watch_insert(s, (uint8_t)kind, address, size ? size : 1);
    link_add(&s->link, done ? "OK" : "E01");
}
