/* SPDX-License-Identifier: MIT */
/* Steps of model_best_nest:
 *   1. the single-domain search, breadth first, so that a plain nest comes out with the least depth;
 *   2. the piecewise search: short ones. If these explain next to nothing, it ends there. Else tiled loops (tiles.h);
 *      then several starts with several parameters (section 4.6), in rounds, each with several times the work of the
 *      one before. The first in the list that solves the stream is taken;
 *   3. others, by shorter searches: of fewer loops, of integer slopes where they are rational, of simpler slopes. The
 *      best by the order of model_weight.h is taken. */
#include "tools/lib/affine/model_best.h"

#include "tools/lib/affine/model_limits.h"
#include "tools/lib/affine/model_weight.h"

/* A search of at most these levels and expansions. */
static search_spent try_short(model_rest *rest, model_attempt *best, search_options options, unsigned depth_max,
                              unsigned expand_max)
{
    options.depth_max = depth_max < options.depth_max ? depth_max : options.depth_max;
    options.expand_max = expand_max;
    return model_try(rest, best, &options);
}

/* ---- step 2 ---- */

static void look(model_rest *rest, model_attempt *best, model_looks *looks, unsigned set)
{
    search_spent spent = try_short(rest, best, model_piecewise_search(rest, set, model_round_work(rest)), AFFINE_DEPTH,
                                   MODEL_FLATTER_NODES);
    looks->done[set] = !spent.cut;
    looks->reached = spent.reached > looks->reached ? spent.reached : looks->reached;
}

/* True if what was found so far is a speck in a long stream: it is noise. Nests that tiles or later searches find show
 * several times as much of themselves to the first looks. */
static bool is_hopeless(const model_rest *rest, const model_attempt *best, const model_looks *looks)
{
    uint64_t most = looks->reached;
    if (best->found && best->nest.accesses > most)
        most = best->nest.accesses;
    return most < MODEL_HOPELESS && most < rest->count / MODEL_SPECK;
}

/* From short searches to long ones. Returns how many rounds of sets it took. */
static unsigned try_piecewise(model_rest *rest, model_attempt *best, unsigned rounds)
{
    search_options forward = model_piecewise_search(rest, 0, model_round_work(rest));
    model_looks looks = {.reached = 0};
    forward.slopes = FIT_INTEGER;
    try_short(rest, best, forward, AFFINE_DEPTH, MODEL_FLATTER_NODES);
    best->solved = best->solved && best->nest.whole; /* if it is cut, others may end by themselves */
    look(rest, best, &looks, 0);
    if (is_hopeless(rest, best, &looks))
        return 0;
    if (!best->solved)
        model_try_tiles(rest, best, rest->options->depth_max, MODEL_WORK_TILES);
    for (unsigned set = 1; set < MODEL_LOOKS; set++)
        if (model_set_is_likely(rest, set, looks.reached))
            look(rest, best, &looks, set);
    best->solved = best->found && best->nest.accesses == rest->count;
    if (best->solved)
        return 0;
    rounds = model_try_sets(rest, best, rest->options->depth_max, rounds, &looks);
    rounds += best->solved;
    try_short(rest, best, model_plain_search(rest, model_round_work(rest)), AFFINE_DEPTH, MODEL_PLAIN_NODES);
    return rounds;
}

/* A plain nest that has to be cut: bounds of several faces may end it. */
static void try_whole(model_rest *rest, model_attempt *best)
{
    model_attempt whole = {.found = false};
    if (!best->solved || best->nest.whole || rest->options->single)
        return;
    try_short(rest, &whole, model_piecewise_search(rest, 0, model_round_work(rest)), best->nest.depth,
              MODEL_FLATTER_NODES);
    if (whole.found)
        model_keep(rest, best, &whole.nest);
}

/* ---- step 3 ---- */

/* A nest from another search takes the place of *best if it is better. If it generates the stream and ends there,
 * *depth becomes its depth. True: it was taken. */
static bool replace(model_attempt *best, model_attempt *next, unsigned *depth)
{
    bool whole = next->solved && next->nest.whole, taken = whole && model_better(&next->nest, &best->nest);
    if (whole)
        *depth = next->nest.depth;
    if (taken) {
        affine_nest_free(&best->nest);
        best->nest = next->nest;
    } else if (next->found) {
        affine_nest_free(&next->nest);
    }
    return taken;
}

static bool try_another(model_rest *rest, model_attempt *best, search_options options, unsigned depth_max,
                        unsigned expand_max, unsigned *depth)
{
    model_attempt next = {.found = false};
    try_short(rest, &next, options, depth_max, expand_max);
    return replace(best, &next, depth);
}

/* From the begin; then, unless what is found there is taken, from the end. Returns the depth of the last found, 0:
 * none. */
static unsigned try_both_ends(model_rest *rest, model_attempt *best, fit_slopes slopes, unsigned depth_max,
                              unsigned expand_max)
{
    search_options o = model_piecewise_search(rest, 0, model_round_work(rest));
    unsigned depth = 0;
    o.slopes = slopes;
    if (!try_another(rest, best, o, depth_max, expand_max, &depth)) {
        o.start = SEARCH_BACKWARD;
        try_another(rest, best, o, depth_max, expand_max, &depth);
    }
    return depth;
}

/* Looks for a nest of fewer loops than `depth`, from the likeliest search to the longest. Returns its depth. 0: none.
 */
static unsigned flatter(model_rest *rest, model_attempt *best, unsigned depth, unsigned rounds, bool foldable)
{
    model_attempt tiled = {.found = false}, all = {.found = false};
    unsigned depth_max = depth - 1, found = 0;
    if (depth > MODEL_TILED_DEPTH)
        model_try_tiles(rest, &tiled, depth_max,
                        depth > MODEL_TILES_DEPTH ? MODEL_WORK_TILES / 8 : MODEL_WORK_TILES / 128);
    if (!replace(best, &tiled, &found))
        found = try_both_ends(rest, best, FIT_INTEGER, depth_max, MODEL_FLATTER_NODES);
    if (!found && foldable)
        found = try_both_ends(rest, best, FIT_RATIONAL, depth_max, MODEL_ROUNDED_NODES);
    if (!found) {
        model_try_sets(rest, &all, depth_max, rounds, NULL);
        replace(best, &all, &found);
    }
    return found;
}

/* A nest was found, by `rounds` rounds of sets: others may be better. */
static void improve(model_rest *rest, model_attempt *best, unsigned rounds)
{
    if (!best->solved || rest->options->single)
        return;
    unsigned deeper = best->nest.depth + 1, depth = 0;
    if (model_rational(&best->nest) &&
        !try_another(rest, best, model_plain_search(rest, model_round_work(rest)), deeper, MODEL_PLAIN_NODES, &depth))
        try_both_ends(rest, best, FIT_INTEGER, deeper, MODEL_FLATTER_NODES);
    bool foldable = model_foldable(&best->nest);
    for (depth = best->nest.depth; depth > 2;)
        depth = flatter(rest, best, depth, rounds, foldable);
    if (model_rational(&best->nest))
        try_both_ends(rest, best, FIT_RATIONAL, best->nest.depth, MODEL_ROUNDED_NODES);
}

bool model_best_nest(model_rest *rest, affine_nest *nest, unsigned rounds)
{
    model_attempt best = {.found = false};
    bool single = rest->options->single;
    search_options plain = model_plain_search(rest, rounds ? model_round_work(rest) : MODEL_WORK_QUICK);
    unsigned taken = 0;
    if (!rounds)
        plain.nodes_max = MODEL_QUICK_HELD;
    try_short(rest, &best, plain, rounds && !single ? MODEL_PLAIN_DEPTH : AFFINE_DEPTH,
              rounds ? MODEL_PLAIN_NODES : MODEL_QUICK_NODES);
    if (rounds && !single && !best.solved)
        taken = try_piecewise(rest, &best, rounds);
    try_whole(rest, &best);
    improve(rest, &best, taken);
    *nest = best.nest;
    return best.found;
}
