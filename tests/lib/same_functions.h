/* SPDX-License-Identifier: MIT */
/* Whether two tables of calls and costs (tools/lib/profile/functions.h) are the same, in the same order. */
#ifndef WEFT_TESTS_LIB_SAME_FUNCTIONS_H
#define WEFT_TESTS_LIB_SAME_FUNCTIONS_H

#include "tests/lib/check.h"
#include "tools/lib/profile/functions.h"
#include "tools/lib/profile/functions_parts.h"

static inline bool same_place(function_place a, function_place b)
{
    return a.file == b.file && a.line == b.line;
}

static inline bool same_functions(const functions *a, const functions *b)
{
    EXPECT(a->count == b->count);
    for (size_t i = 0; i < a->count; i++) {
        const function_cost *f = &a->all[i], *g = &b->all[i];
        EXPECT(f->calls == g->calls && f->self == g->self && f->more == g->more && f->estimated == g->estimated);
        EXPECT(f->inclusive == g->inclusive);
        EXPECT(f->whole == g->whole && f->whole_sum == g->whole_sum);
        EXPECT(!f->whole || (f->min == g->min && f->max == g->max));
        EXPECT(!f->whole || (f->min_at == g->min_at && f->max_at == g->max_at));
    }
    return true;
}

static inline bool same_edges(const functions *a, const functions *b)
{
    EXPECT(a->edge_count == b->edge_count);
    for (size_t i = 0; i < a->edge_count; i++) {
        const call_edge *e = &a->edge[i], *g = &b->edge[i];
        EXPECT(e->caller == g->caller && e->callee == g->callee && same_place(e->place, g->place));
        EXPECT(e->calls == g->calls && e->inclusive == g->inclusive);
    }
    return true;
}

static inline bool same_nodes(const functions *a, const functions *b)
{
    EXPECT(a->node_count == b->node_count);
    for (size_t i = 0; i < a->node_count; i++) {
        const call_node *n = &a->node[i], *g = &b->node[i];
        EXPECT(n->parent == g->parent && n->function == g->function && n->context == g->context);
        EXPECT(n->child == g->child && n->sibling == g->sibling);
        EXPECT(n->calls == g->calls && n->self == g->self && n->inclusive == g->inclusive);
    }
    return true;
}

static inline bool same_tables(const functions *a, const functions *b)
{
    EXPECT(a->total == b->total && a->more == b->more && a->estimated == b->estimated && a->flat == b->flat);
    EXPECT(functions_charged(a) == functions_charged(b));
    return same_functions(a, b) && same_edges(a, b) && same_nodes(a, b);
}

static inline bool same_open_calls(const functions *a, const functions *b)
{
    EXPECT(functions_context_count(a) == functions_context_count(b));
    for (size_t i = 0; i < functions_context_count(a); i++) {
        EXPECT(functions_context_number(a, i) == functions_context_number(b, i));
        EXPECT(functions_depth(a, i) == functions_depth(b, i));
        for (size_t depth = 0; depth < functions_depth(a, i); depth++) {
            functions_call c = functions_call_at(a, i, depth), d = functions_call_at(b, i, depth);
            EXPECT(c.function == d.function && same_place(c.at, d.at) && c.entered == d.entered);
            EXPECT(!c.entered || (c.caller == d.caller && same_place(c.from, d.from)));
        }
    }
    return true;
}

#endif
