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

/* What links of an execution lead to is wanted. `mark` is that of the execution. */
static inline void want(walker *w, uint64_t *mark, const uint32_t *link, const uint32_t *end)
{
    for (; link < end; link++) {
        uint32_t distance = *link >> SLICE_OPERATION_BITS;
        uint64_t operation = BIT(*link & ((1u << SLICE_OPERATION_BITS) - 1));
        if (distance < FAR)
            *(mark - distance) |= operation;
        else if (!(*link & SLICE_GROUP))
            want_far(w, mark - distance, operation);
        else if (*link != SLICE_NONE)
            want_group(w, *link);
    }
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
    /* From the last operation to the first: what is added reaches only earlier ones. */
    for (uint64_t left = ~UINT64_C(0), rest; (rest = c->closed & m->loads & left) != 0;) {
        uint32_t o = 63 - (uint32_t)__builtin_clzll(rest);
        want(w, mark, links + m->first[o], links + m->first[o + 1]);
        left = BIT(o) - 1;
        if (*mark & ~c->closed)
            c = slice_closure(w, number, c->closed | *mark, 0);
    }
    for (uint64_t rest = c->controls; rest; rest &= rest - 1) {
        uint32_t i = (unsigned)__builtin_ctzll(rest);
        want(w, mark, links + i, links + i + 1);
    }
    *mark = 0;
    w->locations |= c->locations;
    slice_hit(w, number, m->rank, c);
}
