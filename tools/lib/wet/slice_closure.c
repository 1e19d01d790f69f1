/* SPDX-License-Identifier: MIT */
/* Step 2: what a set of operations reaches, and the counts. */
#include "tools/lib/wet/walker.h"

void slice_count(walker *w, uint32_t number, closure *c)
{
    const wet_file *f = w->f;
    const wet_node *n = &f->nodes[number].n;
    uint32_t last = WET_NONE;
    for (uint64_t rest = c->hits ? c->closed : 0; rest; rest &= rest - 1) {
        uint32_t index = n->operation_statement[__builtin_ctzll(rest)];
        const wet_statement *s = &f->statements[n->statements[index]];
        if (index == last || f->statics[s->instruction].exception)
            continue;
        last = index;
        w->statements += w->counts[s->instruction] == 0;
        w->counts[s->instruction] += c->hits;
        w->instances += c->hits;
    }
    c->hits = 0;
}

void slice_make_closure(walker *w, uint32_t number, closure *c, uint64_t key, uint64_t defines)
{
    const slice_node *m = &w->nodes[number];
    slice_count(w, number, c);
    *c = (closure){.key = key, .defines = defines};
    for (uint64_t rest = defines; rest; rest &= rest - 1)
        key |= BIT(m->definers[__builtin_ctzll(rest)]);
    for (uint64_t rest = key; rest; rest &= rest - 1)
        c->closed |= m->reach[__builtin_ctzll(rest)];
    for (uint64_t rest = w->forward ? m->defines : 0; rest; rest &= rest - 1)
        c->locations |= c->closed >> m->definers[__builtin_ctzll(rest)] & 1 ? rest & -rest : 0;
    if (w->forward)
        return;
    for (uint64_t rest = c->closed; rest; rest &= rest - 1)
        c->locations |= m->outside[__builtin_ctzll(rest)];
    for (uint32_t i = 0; i < m->controls; i++)
        c->controls |= m->under[i] & c->closed ? BIT(i) : 0;
    c->links = m->links > 64 ? 0 : c->controls;
    for (uint64_t rest = m->links > 64 ? 0 : c->closed & m->loads; rest; rest &= rest - 1) {
        const uint32_t *first = m->first + __builtin_ctzll(rest);
        for (uint32_t i = first[0]; i < first[1]; i++)
            c->links |= BIT(i);
    }
}
