/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/subject.h"

#include <stdlib.h>

int debug_instant_compare(debug_instant a, debug_instant b)
{
    if (a.window != b.window)
        return a.window < b.window ? -1 : 1;
    return a.step < b.step ? -1 : a.step > b.step;
}

void debug_contexts_free(debug_contexts *c)
{
    free(c->all);
}

void debug_subject_close(debug_subject *s)
{
    if (!s)
        return;
    s->close(s->own);
    free(s);
}
