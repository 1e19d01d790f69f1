/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/dap_condition.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_MAX 200u

/* A part of a condition. */
typedef struct comparison {
    char left[VALUE_MAX], right[VALUE_MAX]; /* right "": there is no other */
    char by[3];
} comparison;

/* A number, or a name with members and elements; text is then what follows it. */
static bool read_value(const char **text, char *value)
{
    size_t size = 0;
    const char *at = *text + strspn(*text, " ");
    for (; isalnum((unsigned char)*at) || strchr("_.[]:*$", *at) || (*at == '-' && (!size || at[1] == '>')) ||
           (size && *at == '>' && at[-1] == '-');
         at++) {
        if (!*at || size + 1 == VALUE_MAX)
            break;
        value[size++] = *at;
    }
    value[size] = 0;
    *text = at + strspn(at, " ");
    return size > 0 && strcmp(value, "-") != 0;
}

/* The next comparison; *text is then what follows it. */
static bool read_comparison(const char **text, comparison *c)
{
    static const char *const all[] = {"==", "!=", "<=", ">=", "<", ">"};
    *c = (comparison){0};
    if (!read_value(text, c->left))
        return false;
    for (size_t i = 0; i < sizeof all / sizeof *all && !*c->by; i++)
        if (!strncmp(*text, all[i], strlen(all[i])))
            strcpy(c->by, all[i]);
    *text += strlen(c->by);
    if (*c->by && !read_value(text, c->right))
        return false;
    if (!**text)
        return true;
    bool more = !strncmp(*text, "&&", 2);
    *text += more ? 2 : 0;
    return more && (*text)[strspn(*text, " ")];
}

bool dap_condition_read(const char *text)
{
    comparison c;
    do
        if (!read_comparison(&text, &c))
            return false;
    while (*text);
    return true;
}

static bool view_now(const dap *d, debug_view *v)
{
    debug_context c = debug_subject_runs(d->subject, d->at);
    *v = (debug_view){.names = &d->names, .subject = d->subject, .at = d->at};
    return debug_frames_at(&d->names, d->subject, d->at, &c, &v->frame, 1) == 1 &&
           debug_levels_at(&d->names, &v->frame, &v->level, 1) == 1;
}

/* False: it is not known. */
static bool number_of(const debug_view *v, const char *text, long double *number)
{
    char *end;
    debug_value value;
    *number = strtold(text, &end);
    if (end != text && !*end)
        return true;
    return debug_value_named(v, text, &value) && debug_value_number(v, &value, number);
}

static bool compare(long double left, const char *by, long double right)
{
    int order = left < right ? -1 : left > right;
    switch (by[0]) {
    case '=':
        return order == 0;
    case '!':
        return order != 0;
    case '<':
        return order < 0 || (by[1] && !order);
    default:
        return order > 0 || (by[1] && !order);
    }
}

static bool condition_holds(const dap *d, const char *text)
{
    debug_view v;
    comparison c;
    if (!view_now(d, &v))
        return true;
    while (*text && read_comparison(&text, &c)) {
        long double left, right = 0;
        if (!number_of(&v, c.left, &left) || (*c.by && !number_of(&v, c.right, &right)))
            return true;
        if (!compare(left, *c.by ? c.by : "!=", right))
            return false;
    }
    return true;
}

bool dap_break_stops(const dap *d, const dap_break *b, uint32_t pc)
{
    return b->address == pc && (!b->condition || condition_holds(d, b->condition));
}

bool dap_break_now(const dap *d)
{
    uint32_t pc = d->subject->pc(d->subject->own, d->at);
    for (size_t i = 0; i < d->break_count; i++)
        if (dap_break_stops(d, &d->breaks[i], pc))
            return true;
    return false;
}
