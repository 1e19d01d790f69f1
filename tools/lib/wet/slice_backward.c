/* SPDX-License-Identifier: MIT */
/* The walk backward; step 3 there: what the operations of an execution depend on. A cursor that runs ahead of the walk
 * asks for the marks to which links lead, since most of them are not in the cache. */
#include "tools/lib/wet/walker.h"

#define SPAN (UINT32_C(1) << SLICE_SPAN_BITS)
#define AHEAD 16u /* executions from the cursor to the walk : 1 to 64. Fewer: memory does not answer in time */

static __attribute__((noinline)) void want_group(walker *w, uint32_t link)
{
    if (link == SLICE_NONE)
        return;
    const uint64_t *group = &w->log->groups[link & ~SLICE_GROUP];
    for (uint64_t i = 1; i <= group[0]; i++)
        w->marks[group[i] >> SLICE_OPERATION_BITS] |= BIT(group[i] & ((1u << SLICE_OPERATION_BITS) - 1));
}

/* What a link of an execution leads to is wanted. `mark` is that of the execution. */
static inline void want(walker *w, uint64_t *mark, uint32_t link)
{
    if (link & SLICE_GROUP)
        want_group(w, link);
    else
        *(mark - (link >> SLICE_OPERATION_BITS)) |= BIT(link & ((1u << SLICE_OPERATION_BITS) - 1));
}

/* The operations of a node with more links than a set has bits, from the last one to the first. */
static __attribute__((noinline)) closure *want_many(walker *w, uint32_t number, closure *c, uint64_t *mark,
                                                    const uint32_t *links)
{
    const slice_node *m = &w->nodes[number];
    for (uint64_t left = ~UINT64_C(0), rest; (rest = c->closed & m->loads & left) != 0;) {
        uint32_t o = 63 - (uint32_t)__builtin_clzll(rest);
        for (uint32_t i = m->first[o]; i < m->first[o + 1]; i++)
            want(w, mark, links[i]);
        left = BIT(o) - 1;
        if (*mark & ~c->closed)
            c = slice_closure(w, number, c->closed | *mark, 0);
    }
    for (uint64_t rest = c->controls; rest; rest &= rest - 1)
        want(w, mark, links[__builtin_ctzll(rest)]);
    return c;
}

static inline void want_links(walker *w, uint64_t *mark, const uint32_t *links, uint64_t set)
{
    for (; set; set &= set - 1)
        want(w, mark, links[__builtin_ctzll(set)]);
}

/* Mostly it is the one with which the step before began: so the next step need not wait for the search. */
static inline closure *closure_begin(walker *w, uint32_t number, uint64_t key, uint64_t defines)
{
    closure *c = w->nodes[number].last;
    if (__builtin_expect(c->key == key && c->defines == defines, 1))
        return c;
    return w->nodes[number].last = slice_closure(w, number, key, defines);
}

/* The locations that are wanted before an execution, of those after it. */
static inline uint64_t step(walker *w, uint32_t number, uint64_t *mark, const uint32_t *links, uint64_t locations)
{
    slice_node *m = &w->nodes[number];
    uint64_t here = locations & m->defines, key = *mark;
    m->rank--;
    if (!(key | here))
        return locations;
    closure *c = closure_begin(w, number, key, here);
    if (__builtin_expect(m->links > 64, 0)) {
        c = want_many(w, number, c, mark, links);
    } else {
        want_links(w, mark, links, c->links);
        while (*mark & ~c->closed) {
            uint64_t done = c->links;
            c = slice_closure(w, number, c->closed | *mark, 0);
            want_links(w, mark, links, c->links & ~done);
        }
    }
    *mark = 0;
    slice_hit(w, number, m->rank, c);
    return (locations & ~here) | c->locations;
}

static inline uint32_t links_of(const walker *w, const slice_span *s, uint32_t at)
{
    return s->nodes[at] == WET_NONE ? 0 : w->nodes[s->nodes[at]].links;
}

/* The executions of a span, from the one at `from` back to the first. */
static void walk_span(walker *w, const slice_span *s, uint32_t from, uint64_t *marks)
{
    const uint32_t *links = s->links, *asked;
    uint64_t locations = w->locations;
    for (uint32_t i = 0; i <= from; i++)
        links += links_of(w, s, i);
    asked = links;
    for (uint32_t i = 0; i < AHEAD && i <= from; i++)
        asked -= links_of(w, s, from - i);
    for (uint32_t at = from + 1; at-- > 0;) {
        /* Not a function of its own: GCC 12 drops calls of one that does nothing else. */
        for (uint32_t i = at >= AHEAD ? links_of(w, s, at - AHEAD) : 0; i > 0; i--) {
            uint32_t link = *--asked;
            __builtin_prefetch(&marks[at - AHEAD] - (link & SLICE_GROUP ? 0 : link >> SLICE_OPERATION_BITS), 1);
        }
        if (s->nodes[at] == WET_NONE)
            continue;
        links -= links_of(w, s, at);
        locations = step(w, s->nodes[at], &marks[at], links, locations);
    }
    w->locations = locations;
}

void slice_walk_backward(walker *w, uint32_t start)
{
    for (uint32_t time = start; time; time = (time - 1) & ~(SPAN - 1))
        walk_span(w, &w->log->spans[(time - 1) >> SLICE_SPAN_BITS], (time - 1) & (SPAN - 1),
                  &w->marks[((time - 1) & ~(SPAN - 1)) + 1]);
}
