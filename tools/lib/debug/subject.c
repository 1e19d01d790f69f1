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

const char *debug_subject_spoilt(const debug_subject *s)
{
    return s->spoils ? s->damage(s->own) : NULL;
}

debug_context debug_subject_runs(const debug_subject *s, debug_instant at)
{
    debug_contexts c = s->contexts(s->own, at);
    debug_context runs = c.all[0];
    debug_contexts_free(&c);
    return runs;
}

bool debug_subject_waits(const debug_subject *s, debug_instant at, uint32_t id)
{
    debug_contexts c = s->contexts(s->own, at);
    bool waits = false;
    for (uint32_t i = 1; i < c.count; i++)
        waits |= c.all[i].id == id;
    debug_contexts_free(&c);
    return waits;
}

void debug_subject_close(debug_subject *s)
{
    if (!s)
        return;
    s->close(s->own);
    free(s);
}
