/* SPDX-License-Identifier: MIT */
/* Step 3, forward: what depends on the operations of an execution. */
#include "tools/lib/machine/flags.h"
#include "tools/lib/wet/walker.h"

#define FLAGS ((uint64_t)THUMB_FLAGS_ALL << FLAG_FIRST)

static bool group_affected(const walker *w, uint32_t link)
{
    const uint64_t *group = &w->log->groups[link & ~SLICE_GROUP];
    bool is = false;
    for (uint64_t i = 1; !is && i <= group[0]; i++)
        is = w->marks[group[i] >> SLICE_OPERATION_BITS] >> (group[i] & ((1u << SLICE_OPERATION_BITS) - 1)) & 1;
    return is;
}

/* Whether a link of an execution leads to what is affected. `mark` is that of the execution. */
static inline bool is_affected(const walker *w, const uint64_t *mark, const uint32_t *link, const uint32_t *end)
{
    for (; link < end; link++)
        if (*link & SLICE_GROUP
                ? *link != SLICE_NONE && group_affected(w, *link)
                : *(mark - (*link >> SLICE_OPERATION_BITS)) >> (*link & ((1u << SLICE_OPERATION_BITS) - 1)) & 1)
            return true;
    return false;
}

/* What was affected before reaches through registers and controls. */
static uint64_t entered(const walker *w, uint32_t number, const uint64_t *mark, const uint32_t *links)
{
    const wet_node *n = &w->f->nodes[number].n;
    const slice_node *m = &w->nodes[number];
    uint64_t here = *mark;
    for (uint32_t i = 0; w->locations & m->reads && i < n->input_count; i++)
        here |= w->locations >> n->inputs[i] & 1 ? m->readers[i] : 0;
    for (uint64_t rest = w->locations & m->reads & FLAGS; rest; rest &= rest - 1)
        here |= m->readers[n->input_count + (unsigned)__builtin_ctzll(rest) - FLAG_FIRST];
    for (uint32_t i = 0; i < m->controls; i++)
        if (m->under[i] & ~here && is_affected(w, mark, links + i, links + i + 1))
            here |= m->under[i];
    return here;
}

void slice_step_forward(walker *w, uint32_t number, uint32_t time, const uint32_t *links)
{
    slice_node *m = &w->nodes[number];
    uint64_t *mark = &w->marks[time], here = entered(w, number, mark, links);
    closure *c = here ? slice_closure(w, number, here, 0) : NULL;
    *mark = c ? c->closed : 0;
    /* From the first operation to the last: what is added reaches only later ones. */
    for (uint64_t left = ~UINT64_C(0), rest; (rest = m->loads & ~*mark & left) != 0;) {
        uint32_t o = (unsigned)__builtin_ctzll(rest);
        left = ~UINT64_C(0) << o << 1;
        if (!is_affected(w, mark, links + m->first[o], links + m->first[o + 1]))
            continue;
        c = slice_closure(w, number, *mark | BIT(o), 0);
        *mark = c->closed;
    }
    w->locations &= ~m->defines;
    m->rank++;
    if (!c)
        return;
    w->locations |= c->locations;
    slice_hit(w, number, m->rank - 1, c);
}
