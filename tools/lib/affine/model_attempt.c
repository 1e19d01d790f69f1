/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/model_attempt.h"

#include <pthread.h>
#include <string.h>

#include "tools/lib/affine/model_limits.h"
#include "tools/lib/affine/search.h"
#include "tools/lib/affine/tiles.h"

/* The parameter sets: where a search begins, C of its fitness k / C^D, the price of a face in levels, and its slopes.
 */
static const struct set {
    search_start start;
    double growth, face_cost;
    fit_slopes slopes;
} sets[] = {
    {SEARCH_FORWARD, 2.718281828, 0.25, FIT_RATIONAL_LAST}, {SEARCH_BACKWARD, 1.5, 0.25, FIT_RATIONAL_LAST},
    {SEARCH_FORWARD, 1.5, 0.25, FIT_RATIONAL_LAST},         {SEARCH_MIDDLE, 1.15, 0.5, FIT_RATIONAL_LAST},
    {SEARCH_FORWARD, 1.15, 0.5, FIT_RATIONAL_LAST},         {SEARCH_BACKWARD, 1.15, 0.5, FIT_RATIONAL_LAST},
    {SEARCH_MIDDLE, 1.5, 0.25, FIT_RATIONAL_LAST},          {SEARCH_FORWARD, 2.718281828, 0.25, FIT_RATIONAL},
};
enum { SETS = sizeof sets / sizeof *sets };

/* ---- parameters ---- */

uint64_t model_round_work(const model_rest *rest)
{
    return rest->count < MODEL_WORK_ROUND / MODEL_WORK_VALUE ? rest->count * MODEL_WORK_VALUE : MODEL_WORK_ROUND;
}

/* One in `share` of the values, but at most `most`. */
static uint64_t share_of(const model_rest *rest, unsigned share, uint64_t most)
{
    uint64_t values = rest->count / share;
    return values < most ? values : most;
}

search_options model_plain_search(const model_rest *rest, uint64_t work)
{
    return (search_options){.single = true,
                            .depth_max = rest->options->depth_max,
                            .growth = 2.718281828,
                            .slopes = FIT_INTEGER,
                            .expand_max = MODEL_PLAIN_NODES,
                            .nodes_max = rest->options->nodes_max,
                            .work_max = work + rest->count * 2,
                            .deadline = rest->deadline,
                            .memory = rest->memory[0]};
}

search_options model_piecewise_search(const model_rest *rest, unsigned number, uint64_t work)
{
    const struct set *set = &sets[number];
    search_options o = model_plain_search(rest, work);
    o.single = false;
    o.start = set->start;
    o.growth = set->growth;
    o.face_cost = set->face_cost;
    o.slopes = set->slopes;
    o.expand_max = UINT32_MAX;
    return o;
}

/* What does not begin at the first value explains all or nothing. In the middle of a stream the rest is mostly many
 * nests: it is hardly one if what begins there ends after a small part of it. */
bool model_set_is_likely(const model_rest *rest, unsigned set, uint64_t reached)
{
    return rest->all || sets[set].start == SEARCH_FORWARD || reached >= rest->count / MODEL_WHOLE;
}

/* ---- one search ---- */

void model_keep(const model_rest *rest, model_attempt *best, affine_nest *nest)
{
    if (!best->found || nest->accesses > best->nest.accesses ||
        (nest->accesses == best->nest.accesses && nest->whole && !best->nest.whole)) {
        if (best->found)
            affine_nest_free(&best->nest);
        best->nest = *nest;
        best->found = true;
        best->solved = nest->accesses == rest->count;
    } else {
        affine_nest_free(nest);
    }
}

search_spent model_try(model_rest *rest, model_attempt *best, const search_options *options)
{
    affine_nest nest;
    search_spent spent = {.work = 0};
    if (best->solved)
        return spent;
    bool found = search_nest(&nest, rest->values, rest->count, options, &spent);
    rest->work += spent.work;
    if (found)
        model_keep(rest, best, &nest);
    return spent;
}

void model_try_tiles(model_rest *rest, model_attempt *best, unsigned depth_max, uint64_t work)
{
    if (!rest->all || rest->options->single)
        return;
    uint64_t most = rest->count < MODEL_WORK_TILES / MODEL_WORK_TILE ? rest->count * MODEL_WORK_TILE : MODEL_WORK_TILES;
    tiles_options o = {.depth_max = depth_max, .work_max = work < most ? work : most, .deadline = rest->deadline};
    affine_nest nest;
    uint64_t spent;
    bool found = tiles_nest(&nest, rest->values, rest->count, &o, &spent);
    rest->work += spent * MODEL_WORK_READ;
    if (found)
        model_keep(rest, best, &nest);
}

/* ---- several at once ---- */

/* A search in a batch, possibly by a thread of its own. */
typedef struct job {
    const model_rest *rest;
    search_options options;
    affine_nest nest;
    bool found, solved;
    search_spent spent;
    struct job *first; /* the array this one is in */
    unsigned number, count;
    atomic_bool stop;
} job;

/* The first in the list that solves the stream is taken: those after it may stop. */
static void *job_run(void *argument)
{
    job *j = argument;
    const model_rest *rest = j->rest;
    j->found = search_nest(&j->nest, rest->values, rest->count, &j->options, &j->spent);
    j->solved = j->found && j->nest.accesses == rest->count;
    for (unsigned i = j->number + 1; j->solved && i < j->count; i++)
        atomic_store(&j->first[i].stop, true);
    return NULL;
}

/* The first job runs here, the others on threads where there are any to be had. */
static void run_jobs(job *all, unsigned count)
{
    pthread_t thread[MODEL_THREADS];
    bool own[MODEL_THREADS] = {false};
    for (unsigned i = 1; i < count; i++)
        own[i] = !pthread_create(&thread[i], NULL, job_run, &all[i]);
    for (unsigned i = 0; i < count; i++)
        if (!own[i])
            job_run(&all[i]);
    for (unsigned i = 0; i < count; i++)
        if (own[i])
            pthread_join(thread[i], NULL);
}

/* Tries a few sets. The first that solves the stream is taken, whichever is ready first. Only the work of those up to
 * it counts, so that it does not depend on the number of threads. Returns the most values that a nest explained. */
static uint64_t try_batch(model_rest *rest, model_attempt *best, const search_options *options, unsigned count)
{
    job all[MODEL_THREADS];
    bool needed = true;
    uint64_t reached = 0;
    memset(all, 0, sizeof all);
    for (unsigned i = 0; i < count; i++) {
        all[i].rest = rest;
        all[i].options = options[i];
        all[i].options.stop = &all[i].stop;
        all[i].options.memory = rest->memory[i];
        all[i].first = all;
        all[i].number = i;
        all[i].count = count;
    }
    run_jobs(all, count);
    for (unsigned i = 0; i < count; i++) {
        rest->work += needed ? all[i].spent.work : 0;
        reached = all[i].spent.reached > reached ? all[i].spent.reached : reached;
        if (needed && all[i].found)
            model_keep(rest, best, &all[i].nest);
        else if (all[i].found)
            affine_nest_free(&all[i].nest);
        needed = needed && !all[i].solved;
    }
    return reached;
}

/* One round of the sets that are listed. Returns the most values that a nest explained. */
static uint64_t try_round(model_rest *rest, model_attempt *best, unsigned depth_max, uint64_t work,
                          const unsigned *number, unsigned numbers)
{
    unsigned at_once = rest->options->threads < MODEL_THREADS ? rest->options->threads : MODEL_THREADS;
    uint64_t reached = 0;
    for (unsigned from = 0; from < numbers && !best->solved; from += at_once) {
        search_options options[MODEL_THREADS];
        unsigned count = numbers - from < at_once ? numbers - from : at_once;
        for (unsigned i = 0; i < count; i++) {
            options[i] = model_piecewise_search(rest, number[from + i], work);
            options[i].depth_max = depth_max;
        }
        uint64_t most = try_batch(rest, best, options, count);
        reached = most > reached ? most : reached;
    }
    return reached;
}

/* Lists the sets that a round is to try. Returns how many. */
static unsigned list_sets(const model_rest *rest, unsigned *number, const model_looks *looks, uint64_t reached)
{
    unsigned count = 0;
    for (unsigned i = 0; i < SETS; i++)
        if ((!looks || i >= MODEL_LOOKS || !looks->done[i]) && (!looks || model_set_is_likely(rest, i, reached)))
            number[count++] = i;
    return count;
}

/* True if a round explained enough for another one, or the looks for the first. */
static bool is_promising(const model_rest *rest, const model_looks *looks, unsigned round, uint64_t reached)
{
    if (round)
        return reached >= share_of(rest, MODEL_MORE, MODEL_PROMISING);
    return !looks || reached >= share_of(rest, MODEL_HALF, MODEL_LIKELY);
}

unsigned model_try_sets(model_rest *rest, model_attempt *best, unsigned depth_max, unsigned rounds,
                        const model_looks *looks)
{
    uint64_t work = model_round_work(rest), reached = looks ? looks->reached : 0;
    unsigned round = 0, number[SETS];
    for (; round < rounds && is_promising(rest, looks, round, reached); round++, work *= MODEL_WORK_MORE) {
        unsigned count = list_sets(rest, number, round ? NULL : looks, reached);
        uint64_t most = try_round(rest, best, depth_max, work, number, count);
        reached = round || most > reached ? most : reached;
        if (best->solved)
            return round;
    }
    return round;
}
