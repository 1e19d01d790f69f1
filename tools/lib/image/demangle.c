/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/demangle.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* Of the C++ library (Itanium C++ ABI, 3.4). */
char *__cxa_demangle(const char *name, char *to, size_t *size, int *status); /* NOLINT */

/* Cuts `(int, char) const` off the end: what follows the last parenthesis, and all up to the one that it closes. */
static void cut_parameters(char *name)
{
    char *end = strrchr(name, ')');
    int depth = 0;
    if (!end || strpbrk(end, ":<>"))
        return;
    for (char *at = end; at >= name; at--) {
        depth += (*at == ')') - (*at == '(');
        if (depth == 0) {
            if (at > name)
                *at = 0;
            return;
        }
    }
}

/* Where the name begins after a result, which instances of templates have: after the last space at the top. */
static const char *after_result(const char *name)
{
    const char *begin = name;
    int depth = 0;
    for (const char *at = name; *at; at++) {
        if (!strncmp(at, "operator", 8))
            break;
        depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
        if (*at == ' ' && depth == 0)
            begin = at + 1;
    }
    return begin;
}

/* `vtable for X`, `non-virtual thunk to X::f`: words that belong to the name. */
static int is_special(const char *name)
{
    return strstr(name, " for ") || strstr(name, " to ");
}

char *demangle(const char *name)
{
    if (strncmp(name, "_Z", 2))
        return NULL;
    size_t head = strcspn(name, ".");
    char *mangled = strndup(name, head);
    char *all = mangled ? __cxa_demangle(mangled, NULL, NULL, NULL) : NULL;
    free(mangled);
    if (!all)
        return NULL;
    cut_parameters(all);
    const char *from = is_special(all) ? all : after_result(all);
    size_t size = strlen(from) + strlen(name + head) + 1;
    char *shown = memory_zero(size, 1);
    snprintf(shown, size, "%s%s", from, name + head);
    free(all);
    return shown;
}
