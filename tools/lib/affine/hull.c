/* SPDX-License-Identifier: MIT */
/* Each box is watched by one normal that cuts it off: only when that one's support reaches it another must be found,
 * or the box is halved. */
#include "tools/lib/affine/hull.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum {
    HALVINGS =
        200, /* halvings of one box : 1 to 10^5 : keeps boxes that need many faces; slower to find contradictions */
    WATCHED = 1 << 18, /* boxes per normal : 2^8 to 2^24 : forgets fewer boxes, so faces are tighter; more memory */
};

typedef enum change_kind { SUPPORT, ADDED, MOVED } change_kind;

typedef struct hull_change {
    change_kind kind;
    uint16_t normal; /* whose support it was; that the box was moved away from */
    uint32_t out, at;
    int64_t value; /* the support, or `least`, before */
} hull_change;

static void log_change(hull *h, hull_change change)
{
    h->change = memory_room(h->change, h->changes, &h->changes_max, sizeof *h->change);
    h->change[h->changes++] = change;
}

/* ---- normals ---- */

static int greatest_divisor(int a, int b)
{
    for (a = abs(a), b = abs(b); b;) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Few components, and small ones, are simple. 0: not a normal, or not the shortest of its direction. */
static unsigned complexity(const int8_t *normal, unsigned dims)
{
    unsigned sum = 0;
    int common = 0;
    for (unsigned d = 0; d < dims; d++) {
        sum += (unsigned)(normal[d] * normal[d]);
        common = greatest_divisor(common, normal[d]);
    }
    return common == 1 ? sum : 0;
}

static void add_normals(hull *h, int most, unsigned wanted)
{
    int8_t n[HULL_POINTS] = {0};
    for (unsigned d = 0; d < h->dims; d++)
        n[d] = (int8_t)-most;
    for (unsigned d = 0; d < h->dims;) {
        if (complexity(n, h->dims) == wanted && h->normals < HULL_NORMALS)
            memcpy(h->normal[h->normals++], n, sizeof n);
        for (d = 0; d < h->dims && n[d] == most; d++)
            n[d] = (int8_t)-most;
        if (d < h->dims)
            n[d]++;
    }
}

void hull_init(hull *h, unsigned dims)
{
    static const int most[HULL_POINTS + 1] = {0, 1, 3, 2, 1};
    memset(h, 0, sizeof *h);
    h->dims = dims;
    for (unsigned wanted = 1; wanted <= dims * (unsigned)(most[dims] * most[dims]); wanted++)
        add_normals(h, most[dims], wanted);
    for (unsigned n = 0; n < h->normals; n++) {
        h->support[n] = INT64_MIN;
        h->order[n] = (uint16_t)n;
    }
}

void hull_free(hull *h)
{
    for (unsigned n = 0; n < h->normals; n++)
        free(h->list[n].out);
    free(h->out);
    free(h->change);
}

_Static_assert(HULL_POINTS == 4, "sums are written out, which is faster: normals are 0 beyond the dimensions");

static int64_t product(const hull *h, unsigned n, const int64_t point[HULL_POINTS])
{
    const int8_t *by = h->normal[n];
    return by[0] * point[0] + by[1] * point[1] + by[2] * point[2] + by[3] * point[3];
}

static int64_t least_in(const hull *h, unsigned n, const hull_box *box)
{
    const int8_t *by = h->normal[n];
    return by[0] * (by[0] < 0 ? box->high[0] : box->low[0]) + by[1] * (by[1] < 0 ? box->high[1] : box->low[1]) +
           by[2] * (by[2] < 0 ? box->high[2] : box->low[2]) + by[3] * (by[3] < 0 ? box->high[3] : box->low[3]);
}

/* Along an axis there are two normals, among the first 2 * dims. */
static int64_t axis_support(const hull *h, unsigned axis, int sign)
{
    for (unsigned n = 0; n < 2 * h->dims; n++)
        if (h->normal[n][axis] == sign)
            return h->support[n];
    return 0;
}

int64_t hull_low(const hull *h, unsigned axis)
{
    return -axis_support(h, axis, -1);
}

int64_t hull_high(const hull *h, unsigned axis)
{
    return axis_support(h, axis, 1);
}

bool hull_clip(const hull *h, hull_box *box, unsigned axis)
{
    hull_box rest = *box;
    rest.low[axis] = rest.high[axis] = 0;
    for (unsigned n = 0; n < h->normals; n++) {
        int64_t by = h->normal[n][axis];
        if (!by || !h->list[n].count)
            continue;
        int64_t room = h->support[n] - least_in(h, n, &rest);               /* by * index <= room */
        int64_t q = room / by - (room % by != 0 && (room < 0) != (by < 0)); /* rounded down */
        if (by > 0)
            box->high[axis] = q < box->high[axis] ? q : box->high[axis];
        else if (q + (room % by != 0) > box->low[axis])
            box->low[axis] = q + (room % by != 0);
    }
    return box->low[axis] <= box->high[axis];
}

/* ---- boxes ---- */

static void list_push(hull *h, unsigned n, uint32_t out)
{
    struct hull_list *list = &h->list[n];
    list->out = memory_room(list->out, list->count, &list->max, sizeof *list->out);
    h->out[out].at = (uint32_t)list->count;
    list->out[list->count++] = out;
}

/* Takes a box out of a list; the last one of the list takes its place. */
static void list_take(hull *h, unsigned n, uint32_t at)
{
    struct hull_list *list = &h->list[n];
    uint32_t last = list->out[--list->count];
    list->out[at] = last;
    h->out[last].at = at;
}

/* Takes list_take back. */
static void list_put(hull *h, unsigned n, uint32_t at, uint32_t out)
{
    struct hull_list *list = &h->list[n];
    if (at < list->count)
        list_push(h, n, list->out[at]);
    else
        list_push(h, n, out);
    list->out[at] = out;
    h->out[out].at = at;
}

/* A normal that cuts the box off. h->normals: none. */
static unsigned cutting(hull *h, const hull_box *box)
{
    for (unsigned i = 0; i < h->normals; i++) {
        unsigned n = h->order[i];
        if (least_in(h, n, box) > h->support[n]) {
            if (i) { /* forward, by half the way */
                unsigned to = i / 2;
                h->order[i] = h->order[to];
                h->order[to] = (uint16_t)n;
            }
            return n;
        }
    }
    return h->normals;
}

/* False: the box is a point that nothing cuts off. */
static bool halve(const hull *h, const hull_box *box, hull_box half[2])
{
    unsigned longest = 0;
    for (unsigned d = 1; d < h->dims; d++)
        if (box->high[d] - box->low[d] > box->high[longest] - box->low[longest])
            longest = d;
    if (box->high[longest] == box->low[longest])
        return false;
    half[0] = half[1] = *box;
    half[0].high[longest] = box->low[longest] + (box->high[longest] - box->low[longest]) / 2;
    half[1].low[longest] = half[0].high[longest] + 1;
    return true;
}

static void add_out(hull *h, const hull_box *box, unsigned n)
{
    if (h->list[n].count >= WATCHED)
        return;
    h->out = memory_room(h->out, h->outs, &h->outs_max, sizeof *h->out);
    h->out[h->outs] = (struct hull_out){.box = *box, .least = least_in(h, n, box), .normal = (uint16_t)n};
    list_push(h, n, (uint32_t)h->outs++);
    log_change(h, (hull_change){.kind = ADDED});
}

/* True if nothing cuts off the point in the middle: then no part of the box helps. */
static bool middle_stays(const hull *h, const hull_box *box)
{
    int64_t middle[HULL_POINTS] = {0};
    for (unsigned d = 0; d < h->dims; d++)
        middle[d] = box->low[d] + (box->high[d] - box->low[d]) / 2;
    for (unsigned i = 0; i < h->normals; i++)
        if (product(h, h->order[i], middle) > h->support[h->order[i]])
            return false;
    return true;
}

static bool exclude(hull *h, const hull_box *box, unsigned *halvings)
{
    hull_box half[2];
    unsigned n = cutting(h, box);
    if (n < h->normals) {
        add_out(h, box, n);
        return true;
    }
    return !middle_stays(h, box) && ++*halvings < HALVINGS && halve(h, box, half) && exclude(h, &half[0], halvings) &&
           exclude(h, &half[1], halvings);
}

bool hull_exclude(hull *h, const hull_box *box)
{
    unsigned halvings = 0;
    for (unsigned d = 0; d < h->dims; d++)
        if (box->high[d] < box->low[d])
            return true;
    return exclude(h, box, &halvings);
}

/* The box's normal does not cut it off any more: finds another one, or halves the box. False: neither is possible. */
static bool watch_anew(hull *h, uint32_t out)
{
    unsigned from = h->out[out].normal, n = cutting(h, &h->out[out].box), halvings = 0;
    hull_box half[2], box = h->out[out].box;
    bool cut = n < h->normals;
    if (!cut) { /* the box stays in the list, but never fails: its halves stand for it */
        if (!halve(h, &box, half))
            return false;
        n = from;
    }
    log_change(
        h, (hull_change){
               .kind = MOVED, .normal = (uint16_t)from, .out = out, .at = h->out[out].at, .value = h->out[out].least});
    list_take(h, from, h->out[out].at);
    h->out[out].normal = (uint16_t)n;
    h->out[out].least = cut ? least_in(h, n, &box) : INT64_MAX;
    list_push(h, n, out);
    return cut || (exclude(h, &half[0], &halvings) && exclude(h, &half[1], &halvings));
}

bool hull_include(hull *h, const int64_t *point)
{
    int64_t at[HULL_POINTS] = {0};
    uint16_t risen[HULL_NORMALS];
    unsigned count = 0;
    memcpy(at, point, h->dims * sizeof *at);
    for (unsigned n = 0; n < h->normals; n++) {
        int64_t p = product(h, n, at);
        if (p > h->support[n]) {
            log_change(h, (hull_change){.kind = SUPPORT, .normal = (uint16_t)n, .value = h->support[n]});
            h->support[n] = p;
            risen[count++] = (uint16_t)n;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        struct hull_list *list = &h->list[risen[i]];
        for (size_t k = 0; k < list->count;)
            if (h->out[list->out[k]].least > h->support[risen[i]])
                k++;
            else if (!watch_anew(h, list->out[k]))
                return false;
    }
    return true;
}

size_t hull_mark(const hull *h)
{
    return h->changes;
}

void hull_back(hull *h, size_t mark)
{
    while (h->changes > mark) {
        hull_change c = h->change[--h->changes];
        struct hull_out *o = &h->out[c.kind == ADDED ? h->outs - 1 : c.out];
        switch (c.kind) {
        case SUPPORT:
            h->support[c.normal] = c.value;
            break;
        case ADDED:
            h->outs--;
            h->list[o->normal].count--;
            break;
        default:
            h->list[o->normal].count--;
            list_put(h, c.normal, c.at, c.out);
            o->normal = c.normal;
            o->least = c.value;
            break;
        }
    }
}

/* ---- faces ---- */

unsigned hull_faces(const hull *h, uint16_t face[HULL_NORMALS])
{
    unsigned faces = 0;
    uint32_t *left = memory_grow(NULL, h->outs + 1, sizeof *left);
    size_t lefts = 0;
    for (size_t i = 0; i < h->outs; i++)
        if (h->out[i].least != INT64_MAX)
            left[lefts++] = (uint32_t)i;
    while (lefts) {
        unsigned best = 0;
        size_t most = 0;
        for (unsigned n = 0; n < h->normals; n++) {
            size_t cuts = 0;
            for (size_t i = 0; i < lefts; i++)
                cuts += least_in(h, n, &h->out[left[i]].box) > h->support[n];
            if (cuts > most) {
                most = cuts;
                best = n;
            }
        }
        if (!most) /* cannot be: a normal watches each of them */
            break;
        face[faces++] = (uint16_t)best;
        size_t kept = 0;
        for (size_t i = 0; i < lefts; i++)
            if (least_in(h, best, &h->out[left[i]].box) <= h->support[best])
                left[kept++] = left[i];
        lefts = kept;
    }
    free(left);
    return faces;
}
