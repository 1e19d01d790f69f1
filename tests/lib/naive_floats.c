/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_floats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operand: its locations, in order. */
typedef struct operand {
    int at[34], count;
} operand;

static void add_float(operand *o, char kind, int number)
{
    for (int i = 0; i < (kind == 'd' ? 2 : 1) && o->count < 34; i++)
        o->at[o->count++] = NAIVE_FLOAT + (kind == 'd' ? 2 * number + i : number);
}

/* Floats of "s4", "{s16-s18}", "{d8}", "d3[1]" and the like, where a name begins. */
static bool take_floats(const char **s, operand *o)
{
    char kind = **s;
    if ((kind != 's' && kind != 'd') || (*s)[1] < '0' || (*s)[1] > '9')
        return false;
    char *end;
    long first = strtol(*s + 1, &end, 10), last = first;
    if (*end == '-')
        last = strtol(end + 2, &end, 10);
    if (*end == '[') { /* a half */
        kind = 's';
        first = last = 2 * first + strtol(end + 1, &end, 10);
    }
    for (long n = first; n <= last; n++)
        add_float(o, kind, (int)n);
    *s = end;
    return true;
}

static operand read_operand(const char *s, size_t size)
{
    operand o = {.count = 0};
    char text[NAIVE_TEXT_MAX];
    snprintf(text, sizeof text, "%.*s", (int)size, s);
    for (const char *at = text; *at;)
        if ((at > text && at[-1] != ' ' && at[-1] != '{' && at[-1] != ',') || !take_floats(&at, &o))
            at++;
    int list[32], count = o.count ? 0 : naive_registers_in(text, list);
    for (int i = 0; i < count; i++)
        o.at[o.count++] = list[i];
    return o;
}

/* Operands are separated by commas outside brackets and braces. */
static int read_operands(const char *s, operand list[8])
{
    int count = 0, depth = 0;
    const char *from = s;
    for (;; s++) {
        depth += (*s == '[' || *s == '{') - (*s == ']' || *s == '}');
        if (*s && (*s != ',' || depth))
            continue;
        if (count < 8)
            list[count++] = read_operand(from, (size_t)(s - from));
        if (!*s)
            return count;
        from = s + 1;
    }
}

static uint64_t mask(const operand *o)
{
    uint64_t all = 0;
    for (int i = 0; i < o->count; i++)
        all |= naive_location(o->at[i]);
    return all;
}

/* vmov to two registers, from two; to one, from one. */
static int first_source(const naive_line *t, const char *name, const operand *list, int count)
{
    if (!strcmp(name, "vmov"))
        return count == 4 || (count == 3 && list[0].count == 1 && list[0].at[0] < 15) ? 2 : 1;
    bool converts_in_place = naive_begins(name, "vcvt") && count == 3;
    bool adds_to_first = naive_begins(name, "vmla") || naive_begins(name, "vmls") || naive_begins(name, "vfma") ||
                         naive_begins(name, "vfms") || naive_begins(name, "vnml") || naive_begins(name, "vfnm");
    bool half = naive_begins(t->name, "vcvtb.f16") || naive_begins(t->name, "vcvtt.f16");
    return naive_begins(name, "vcmp") || naive_begins(name, "vmsr") || converts_in_place || adds_to_first || half ? 0
                                                                                                                  : 1;
}

void naive_reads_floats(const naive_line *t, const char *name, naive_reads *r)
{
    operand list[8];
    int count = read_operands(t->operands, list);
    if (naive_begins(name, "vld") || naive_begins(name, "vst") || naive_begins(name, "vpush") ||
        naive_begins(name, "vpop")) {
        r->load = naive_begins(name, "vld") || naive_begins(name, "vpop");
        r->store = !r->load;
        bool one = strchr(t->operands, '[') != NULL, stack = name[1] == 'p';
        r->multiple = !one;
        const operand *moved = &list[stack ? 0 : one ? 0 : 1], *base = &list[one ? 1 : 0];
        r->moved_count = moved->count < 32 ? moved->count : 32;
        memcpy(r->moved, moved->at, (size_t)r->moved_count * sizeof *r->moved);
        r->base = stack ? 13 : base->count ? base->at[0] : -1;
        r->address = r->base >= 0 ? naive_location(r->base) : 0;
        r->all |= r->address | (r->store ? mask(moved) : 0);
        return;
    }
    if (naive_begins(name, "vsel"))
        r->all |= 1 << NAIVE_FLAGS;
    if (!strcmp(name, "vmrs"))
        r->all |= 1 << NAIVE_FPSCR;
    for (int i = first_source(t, name, list, count); i < count && strcmp(name, "vmrs"); i++)
        r->all |= mask(&list[i]);
}
