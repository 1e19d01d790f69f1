/* SPDX-License-Identifier: MIT */
/* The search of the Trace Reconstruction Engine (Rodriguez et al., sections 3 and 4): best first, from a nest of one
 * level that explains one value to one that explains the stream. What the next value contradicts is expanded:
 *
 *   1. increments (section 3.1): a level moves on by one, those inside it start again, and the next value comes out;
 *   2. lower bounds (4.3): the same, where one or two inner levels start off their known bound;
 *   3. growth (3.2): a new level at each place, whose coefficient is what the next value asks for;
 *   4. an earlier end: growth at an earlier place, where a loop ended although its prediction went on to hold.
 *
 * Inner levels that had not ended get an example of their end. A level that goes beyond its end gets one that lifts
 * it. Their faces are then fitted again (fit.h). New faces have to agree with the old ones wherever the nest has been:
 * where they do not, the bound seen there becomes one more example (search_faces.h). Each child then runs on, row by
 * row, as far as it predicts (search_child.h).
 *
 * Example: 0 1 2 10 11 12 20 21 22. One loop of stride 1 explains 0 1 2 and predicts 3. Growth outside of it, with
 * coefficient 10, ends the inner loop at 2 and explains the rest.
 *
 * Steps 1 and 2 are tried when a node is the best one. Step 3 is tried if it still is at the price of half a level,
 * step 4 at the price of another half.
 *
 * A search may begin anywhere. Where the stream ends, the nest turns round: its last value becomes its first, upper
 * bounds become lower ones, and it goes on towards the stream's begin. So a search can start in the middle, where
 * tiles are full, and it meets the cut tiles at both ends with all its loops known. */
#include "tools/lib/affine/search.h"

#include <stdlib.h>

#include "tools/lib/affine/search_earlier.h"
#include "tools/lib/affine/search_growth.h"
#include "tools/lib/affine/search_moves.h"
#include "tools/lib/affine/search_queue.h"
#include "tools/lib/affine/search_solution.h"
#include "tools/lib/affine/start.h"
#include "tools/lib/base/memory.h"

/* ---- expansion ---- */

static bool grow_anywhere(search *x, search_family *f)
{
    for (unsigned p = 0; p <= f->parent->depth; p++)
        if (search_grow(x, f, p))
            return true;
    return false;
}

static bool end_earlier(search *x, const search_node *n)
{
    for (unsigned l = 0; l < n->depth; l++)
        if (n->index[l] > 0 && search_earlier_end(x, n, l))
            return true;
    return false;
}

/* One stage of a node's expansion. True: the stream is solved. */
static bool expand(search *x, const search_node *n)
{
    search_family f = {.parent = n};
    bool solved;
    switch (n->stage) {
    case STAGE_MOVES: /* steps 1 and 2 */
        solved = search_increments(x, &f) || (!x->options->single && search_lower_bounds(x, &f));
        break;
    case STAGE_GROWTH: /* step 3 */
        solved = grow_anywhere(x, &f);
        break;
    default: /* step 4 */
        solved = end_earlier(x, n);
        break;
    }
    search_family_free(x, &f);
    return solved;
}

/* ---- the start ---- */

/* The nest of one level that goes on from one value in one direction. NULL: its stride leaves 64 bits, or there is no
 * second value. */
static search_node *root(search *x, uint64_t origin, bool back)
{
    search_node *n = search_node_new(x, 1);
    n->origin = origin;
    n->back = back;
    n->open = origin && !back;
    n->known = 1;
    if (search_reach(x, n) > 1 &&
        !__builtin_sub_overflow(search_value(x, n, 1), search_value(x, n, 0), &n->level[0].coefficient))
        return n;
    search_node_free(x, n);
    return NULL;
}

/* Tries a first row of `length` values of the first run, unless that length was tried. True: the stream is solved. */
static bool try_short_row(search *x, const search_node *first, uint64_t length, uint64_t *tried, unsigned *count)
{
    bool again = length < 2 || length >= first->known || *count == SEARCH_SHORT_ROWS;
    for (unsigned i = 0; i < *count && !again; i++)
        again = tried[i] == length;
    if (again)
        return false;
    tried[(*count)++] = length;
    search_node *n = search_node_copy(x, first);
    n->known = length;
    n->index[0] = (int64_t)length - 1;
    search_family f = {.parent = n};
    bool solved = search_grow(x, &f, 0) || search_grow(x, &f, 1);
    search_family_free(x, &f);
    search_node_free(x, n);
    return solved;
}

/* The first run may be longer than the first row, where the next row happens to go on with the same stride. Tries the
 * lengths of runs soon after it, what is left when one is taken off, and the length that the first two would have had
 * two rows earlier. */
static bool try_short_rows(search *x, const search_node *first)
{
    uint64_t tried[SEARCH_SHORT_ROWS], at = first->known, end = search_reach(x, first), before = 0;
    unsigned count = 0;
    int64_t stride = first->level[0].coefficient;
    bool solved = false;
    for (unsigned run = 0; run < 2 * SEARCH_SHORT_ROWS && at < end && !solved; run++) {
        uint64_t same = search_match(x, first, at, end - at < first->known ? end - at : first->known,
                                     search_value(x, first, at), stride);
        at += same;
        solved = try_short_row(x, first, same, tried, &count) ||
                 try_short_row(x, first, first->known - same, tried, &count) ||
                 (run == 1 && try_short_row(x, first, 3 * before - 2 * same, tried, &count));
        before = same;
    }
    return solved;
}

static bool start_at(search *x, uint64_t origin, bool back)
{
    search_node *first = root(x, origin, back);
    if (!first)
        return false;
    search_node *start = search_node_copy(x, first);
    first->known = 0;
    bool solved = search_offer(x, first);
    search_run_on(x, start);
    solved = solved || try_short_rows(x, start);
    search_node_free(x, start);
    return solved;
}

/* The start of the outermost loop known comes first: it begins with the larger part of the nest. */
static bool start_in_the_middle(search *x)
{
    uint64_t at[START_POSITIONS];
    unsigned starts = start_positions(at, x->values, x->count);
    while (starts-- > 0)
        if (start_at(x, at[starts], false))
            return true;
    return false;
}

static bool start(search *x)
{
    switch (x->options->start) {
    case SEARCH_FORWARD:
        return start_at(x, 0, false);
    case SEARCH_BACKWARD:
        return start_at(x, x->count - 1, true);
    default:
        return start_in_the_middle(x);
    }
}

/* ---- the search ---- */

/* True: expand_max ended it. */
static bool search_loop(search *x)
{
    bool solved = start(x);
    uint64_t reached = 0;
    unsigned since = 0, expanded = 0;
    for (; !solved && x->nodes && expanded < x->options->expand_max && !search_late(x); expanded++) {
        search_node *n = search_queue_pop(x);
        solved = expand(x, n);
        search_queue_defer(x, n);
        since = x->reached > reached ? 0 : since + 1;
        reached = x->reached;
        /* A search that explains this little by now will not find anything. */
        if (since > SEARCH_STALLED || (expanded > SEARCH_HOPELESS && 4 * reached < expanded))
            return false;
    }
    return !solved && x->nodes && !search_late(x);
}

bool search_nest(affine_nest *nest, const int64_t *values, uint64_t count, const search_options *options,
                 search_spent *spent)
{
    search x = {.values = values, .count = count, .options = options};
    search_node_open_spare(&x);
    x.heap = memory_grow(NULL, options->nodes_max, sizeof *x.heap);
    bool cut = search_loop(&x);
    *spent = (search_spent){.work = x.work, .reached = x.reached, .cut = cut};
    while (x.nodes)
        search_node_free(&x, x.heap[--x.nodes]);
    free(x.heap);
    free(x.seen);
    bool found = search_take_best(&x, nest);
    search_node_close_spare(&x);
    return found;
}
