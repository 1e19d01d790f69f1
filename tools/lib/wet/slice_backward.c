/* SPDX-License-Identifier: MIT */
/* Step 3, backward: what the operations of an execution depend on. */
#include "tools/lib/wet/walker.h"

static void want_group(walker *w, uint32_t link)
{
    const uint64_t *group = &w->log->groups[link & ~SLICE_GROUP];
    for (uint64_t i = 1; i <= group[0]; i++)
        w->marks[group[i] >> SLICE_OPERATION_BITS] |= BIT(group[i] & ((1u << SLICE_OPERATION_BITS) - 1));
}

/* The one that waits for longest is marked in its place. */
static inline void want_far(walker *w, uint64_t *mark, uint64_t operation)
{
    waiting *oldest = &w->far[w->far_next++ % WAITING];
    *oldest->mark |= oldest->operations;
    *oldest = (waiting){mark, operation};
    __builtin_prefetch(mark, 1);
}

void slice_far_mark(walker *w)
{
    for (uint32_t i = 0; i < WAITING; i++) {
        *w->far[i].mark |= w->far[i].operations;
        w->far[i].mark = &w->nowhere;
    }
}

/* What a link of an execution leads to is wanted. `mark` is that of the execution. */
static inline void want(walker *w, uint64_t *mark, uint32_t link)
{
    uint32_t distance = link >> SLICE_OPERATION_BITS;
    uint64_t operation = BIT(link & ((1u << SLICE_OPERATION_BITS) - 1));
    if (distance < FAR)
        *(mark - distance) |= operation;
    else if (!(link & SLICE_GROUP))
        want_far(w, mark - distance, operation);
    else if (link != SLICE_NONE)
        want_group(w, link);
}

/* From the last link to the first: what is added reaches only earlier ones. */
static closure *want_links(walker *w, uint32_t number, closure *c, uint64_t *mark, const uint32_t *links)
{
    for (uint64_t rest = c->links; rest;) {
        uint32_t i = 63 - (uint32_t)__builtin_clzll(rest);
        rest ^= BIT(i);
        want(w, mark, links[i]);
        if (*mark & ~c->closed) {
            c = slice_closure(w, number, c->closed | *mark, 0);
            rest = c->links & (BIT(i) - 1);
        }
    }
    return c;
}

/* The same of a node with more links than a set has bits. */
static closure *want_many(walker *w, uint32_t number, closure *c, uint64_t *mark, const uint32_t *links)
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

void slice_step_backward(walker *w, uint32_t number, uint32_t time, const uint32_t *links)
{
    slice_node *m = &w->nodes[number];
    uint64_t *mark = &w->marks[time], here = w->locations & m->defines;
    m->rank--;
    if (!(*mark | here))
        return;
    w->locations &= ~here;
    closure *c = slice_closure(w, number, *mark, here);
    c = m->links > 64 ? want_many(w, number, c, mark, links) : want_links(w, number, c, mark, links);
    *mark = 0;
    w->locations |= c->locations;
    slice_hit(w, number, m->rank, c);
}
