/* SPDX-License-Identifier: MIT */
/* For tests: whether the links, labels and depths of a k-slab forest agree. */
#include "core/ksf_parts.h"
#include "core/own.h"

/* The ring of a node's siblings, in which `first` is one of them. */
static bool in_ring(const weft_ksf *ksf, weft_handle first, weft_handle node)
{
    unsigned met = 0;
    weft_handle at = first;
    for (; at && at <= ksf->used && at != node && met <= ksf->used; met++)
        at = ksf->node[at].sibling;
    return at == node;
}

/* Whether the last chunk above `leaf` begins again at `link`, as far as the labels are in this segment. */
static bool is_link(const weft_ksf *ksf, weft_handle leaf, weft_handle link)
{
    for (unsigned i = 0; i < ksf->chunk; i++) {
        const weft_ksf_node *a = &ksf->node[leaf], *b = &ksf->node[link];
        if (weft_ksf_is_stub(a->parent) || weft_ksf_is_stub(b->parent))
            return true;
        if (a->label != b->label)
            return false;
        leaf = a->parent;
        link = b->parent;
    }
    return link == 0;
}

/* A node leads to a child of its own, or at depth 2k-2 to one of its link. */
static bool leads_on(const weft_ksf *ksf, weft_handle node)
{
    const weft_ksf_node *n = &ksf->node[node];
    weft_handle parent = ksf->node[n->child].parent;
    return !n->child || parent == node ||
           (n->below + 1u == ksf->chunk && parent && !weft_ksf_is_stub(parent) && is_link(ksf, node, parent));
}

/* It comes back to the node, and the others have other labels and the same parent. */
static bool is_ring(const weft_ksf *ksf, weft_handle node)
{
    const weft_ksf_node *n = &ksf->node[node];
    unsigned met = 0;
    for (weft_handle other = n->sibling; other != node; other = ksf->node[other].sibling)
        if (!other || other > ksf->used || ksf->node[other].label == n->label || ksf->node[other].parent != n->parent ||
            met++ > ksf->used)
            return false;
    return true;
}

/* What a slot leads to is a root with its hash. */
static bool roots_agree(const weft_ksf *ksf)
{
    for (unsigned slot = 0; slot <= ksf->roots_mask; slot++) {
        const weft_ksf_node *n = &ksf->node[ksf->roots[slot]];
        if (ksf->roots[slot] > ksf->used ||
            (ksf->roots[slot] && (n->parent || ((n->label ^ n->label >> 7) & ksf->roots_mask) != slot)))
            return false;
    }
    return true;
}

bool weft_ksf_check(const weft_ksf *ksf)
{
    if (ksf->used >= ksf->nodes_max || !roots_agree(ksf))
        return false;
    for (weft_handle node = 1; node <= ksf->used; node++) {
        const weft_ksf_node *n = &ksf->node[node];
        if (!leads_on(ksf, node))
            return false;
        if (weft_ksf_is_stub(n->parent))
            continue;
        weft_handle first =
            n->parent ? ksf->node[n->parent].child : ksf->roots[(n->label ^ n->label >> 7) & ksf->roots_mask];
        if (n->parent >= node || n->below != weft_ksf_below(ksf, weft_ksf_steps(ksf, n->parent)) ||
            !in_ring(ksf, first, node) || !is_ring(ksf, node))
            return false;
    }
    return true;
}
