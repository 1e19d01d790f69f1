/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/text.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

typedef struct text {
    FILE *file; /* NULL: to memory */
    char *bytes;
    size_t size, max;
    const char *between; /* what separates two tokens */
    bool begun;
    nest_namer *name;
    void *context;
    const nest *nest;
} text;

static void put(text *t, const char *s)
{
    size_t size = strlen(s);
    if (t->file) {
        fwrite(s, 1, size, t->file);
        return;
    }
    t->bytes = memory_room(t->bytes, t->size + size, &t->max, 1);
    memcpy(t->bytes + t->size, s, size + 1);
    t->size += size;
}

static void token(text *t, const char *s)
{
    if (t->begun)
        put(t, t->between);
    t->begun = true;
    put(t, s);
}

static void put_symbol(void *context, uint32_t symbol, uint64_t at, unsigned depth)
{
    char buffer[24];
    text *t = context;
    (void)at;
    (void)depth;
    token(t, t->name(t->context, symbol, buffer));
}

static void put_enter(void *context, uint32_t loop, uint64_t at, unsigned depth)
{
    (void)loop;
    (void)at;
    (void)depth;
    token(context, "(");
}

static void put_leave(void *context, uint32_t loop, uint64_t at, unsigned depth)
{
    text *t = context;
    char buffer[24];
    (void)at;
    (void)depth;
    snprintf(buffer, sizeof buffer, ")^%u", t->nest->loops[loop].iterations);
    token(t, buffer);
}

static void print(text *t, const nest *n)
{
    t->nest = n;
    nest_visitor v = {t, put_symbol, put_enter, put_leave};
    nest_walk(n, &v);
}

void nest_print(const nest *n, bool chars, nest_namer *name, void *context, FILE *file)
{
    text t = {.file = file, .between = chars ? "" : " ", .name = name, .context = context};
    print(&t, n);
}

char *nest_to_text(const nest *n, bool chars, nest_namer *name, void *context)
{
    text t = {.between = chars ? "" : " ", .name = name, .context = context};
    put(&t, "");
    print(&t, n);
    return t.bytes;
}
