/* SPDX-License-Identifier: MIT */
/* From searches for single nests to a model of the whole stream:
 *   1. the single-domain search, breadth first, so that a plain nest comes out with the least depth;
 *   2. the piecewise search: short ones; tiled loops by model_tiles.h, from full tiles to both ends of the stream; then several starts
 *      with several parameters (section 4.6), in rounds, each with several times the work of the one before. The first in the list that
 *      solves the stream is taken;
 *   3. others, by shorter searches: of fewer loops, of integer slopes where they are rational, of simpler slopes. The best by the
 *      order of model.h is taken;
 *   4. where no nest explains all, the one that explains most, and the rest of the stream anew. What no nest explains at
 *      a fair price becomes a raw run; after failures, searches are tried ever more rarely.
 * Searches are bounded by the work they do, so that the result is the same on every machine. */
#include "tools/lib/affine/model.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/affine/search.h"
#include "tools/lib/affine/tiles.h"
#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

enum {
    RARER = 16,
    PLAIN_DEPTH = 4,
    PLAIN_NODES = 900,
    QUICK_NODES = 36,
    FLATTER = 180,
    ROUNDED = 100,
    TILED_DEPTH = 4,
    TILES_DEPTH = 6,
    THREADS = 4
};

enum {
    FOLD = 8, /* the longest loop that a divisor may stand for: its bits weigh no more than the loop, see model.h */
    FOLD_RUNS = 32, /* of it that are looked at */
};

/* Where rows are looked for: in so many places of a long stream, so many strides. One in so many must be the same, and one distance between
 * rows, if there are not few. The nests of the tests have at least two in five. */
enum { PLACES = 8, STRIDES = 512, STRIDE_SHARE = 4, ROW_SHARE = 5, FEW_ROWS = 8 };

/* A round must explain so many values, or a third of them, if there is to be another. */
enum { PROMISING = 250 };

/* Work of a search, in rows passed: a second is about 30 million. */
enum {
    WORK_QUICK = 200000,  /* a look at what follows */
    WORK_ROUND = 1500000, /* one set in the first round, at most */
    WORK_VALUE = 3000,    /* and for each value */
    WORK_TILES = 4000000, /* tiles: as model_tiles.h counts it, */
    WORK_TILE = 300,      /* for each value, */
    WORK_READ = 30,       /* of which one takes so long */
    WORK_MORE = 5,        /* times as much in the next */
    WORK_REST = 20,       /* sets of the last round: all that is spent behind the first nest */
};

/* The parameter sets. */
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
enum { SETS = sizeof sets / sizeof *sets, LOOKS = 4 }; /* the first of them are for short searches, too */

void model_defaults(model_options *options)
{
    *options = (model_options){
        .depth_max = AFFINE_DEPTH, .time_limit = HUGE_VAL, .rounds = 3, .threads = THREADS, .nodes_max = 2000};
}

typedef struct builder {
    const int64_t *values;
    uint64_t count, at;
    const model_options *options;
    double deadline;
    model *out;
    size_t nests_max;
    uint64_t raw;      /* values before `at` that no nest holds yet */
    bool wrong;        /* a nest did not generate its values */
    uint64_t next;     /* no search before this position */
    uint64_t failures; /* searches in vain, less those that were not */
    uint64_t work;     /* done by searches */
} builder;

static void append(builder *b, affine_nest nest)
{
    if (b->out->nests == b->nests_max) {
        b->nests_max = 2 * b->nests_max + 8;
        b->out->nest = memory_grow(b->out->nest, b->nests_max, sizeof *b->out->nest);
    }
    b->out->nest[b->out->nests++] = nest;
}

static void flush_raw(builder *b)
{
    if (!b->raw)
        return;
    const int64_t *from = b->values + b->at - b->raw;
    affine_nest nest = {.base = *from, .accesses = b->raw, .whole = true};
    if (b->raw > 1) {
        nest.raw = memory_grow(NULL, b->raw, sizeof *from);
        memcpy(nest.raw, from, b->raw * sizeof *from);
    }
    append(b, nest);
    b->raw = 0;
}

/* Takes over a nest that generates the next values: found by a search, which checked that, or checked here. */
static void take(builder *b, affine_nest nest, bool checked)
{
    flush_raw(b);
    if (!checked && affine_match(&nest, b->values + b->at, b->count - b->at, AFFINE_PATIENCE) != nest.accesses)
        b->wrong = true;
    append(b, nest);
    b->at += nest.accesses;
}

/* ---- one nest ---- */

typedef struct attempt {
    builder *builder;
    search_options options;
    affine_nest nest;
    bool found, solved;
    search_spent spent;
    struct attempt *first; /* the array this one is in */
    unsigned number, count;
    atomic_bool stop;
} attempt;

static bool solves(const affine_nest *nest, const builder *b)
{
    return nest->accesses == b->count - b->at;
}

static void *attempt_run(void *argument)
{
    attempt *a = argument;
    const builder *b = a->builder;
    a->found = search_nest(&a->nest, b->values + b->at, b->count - b->at, &a->options, &a->spent);
    a->solved = a->found && solves(&a->nest, b);
    for (unsigned i = a->number + 1; a->solved && i < a->count; i++)
        atomic_store(&a->first[i].stop, true); /* what comes after is not needed */
    return NULL;
}

static uint64_t round_work(const builder *b)
{
    uint64_t left = b->count - b->at;
    return left < WORK_ROUND / WORK_VALUE ? left * WORK_VALUE : WORK_ROUND;
}

static search_options plain_options(const builder *b, uint64_t work)
{
    return (search_options){.single = true,
                            .depth_max = b->options->depth_max,
                            .growth = 2.718281828,
                            .slopes = FIT_INTEGER,
                            .expand_max = PLAIN_NODES,
                            .nodes_max = b->options->nodes_max,
                            .work_max = work + (b->count - b->at) * 2,
                            .deadline = b->deadline};
}

static search_options piecewise_options(const builder *b, unsigned number, uint64_t work)
{
    const struct set *set = &sets[number];
    search_options o = plain_options(b, work);
    o.single = false;
    o.start = set->start;
    o.growth = set->growth;
    o.face_cost = set->face_cost;
    o.slopes = set->slopes;
    o.expand_max = UINT32_MAX;
    return o;
}

/* Keeps the better of two nests in *best: the longer one, then one that ends by itself. */
static void keep(const builder *b, attempt *best, affine_nest *nest, bool found)
{
    if (!found)
        return;
    if (!best->found || nest->accesses > best->nest.accesses ||
        (nest->accesses == best->nest.accesses && nest->whole && !best->nest.whole)) {
        if (best->found)
            affine_nest_free(&best->nest);
        best->nest = *nest;
        best->found = true;
        best->solved = solves(nest, b);
    } else {
        affine_nest_free(nest);
    }
}

/* Runs a few sets at once. The first that solves the stream is taken, whichever is ready first. Returns the most values that a
 * nest explained, if none does all. */
static uint64_t try_batch(builder *b, attempt *best, unsigned from, unsigned count, unsigned depth_max, uint64_t work)
{
    attempt set[THREADS];
    pthread_t thread[THREADS];
    bool own[THREADS];
    memset(set, 0, sizeof set);
    for (unsigned i = 0; i < count; i++) {
        set[i].builder = b;
        set[i].options = piecewise_options(b, from + i, work);
        set[i].options.depth_max = depth_max;
        set[i].options.stop = &set[i].stop;
        set[i].first = set;
        set[i].number = i;
        set[i].count = count;
    }
    for (unsigned i = 0; i < count; i++) {
        own[i] = !pthread_create(&thread[i], NULL, attempt_run, &set[i]);
        if (!own[i])
            attempt_run(&set[i]);
    }
    bool needed = true;
    uint64_t reached = 0;
    for (unsigned i = 0; i < count; i++) {
        if (own[i])
            pthread_join(thread[i], NULL);
        b->work += needed ? set[i].spent.work : 0;
        reached = set[i].spent.reached > reached ? set[i].spent.reached : reached;
        if (needed)
            keep(b, best, &set[i].nest, set[i].found);
        else if (set[i].found)
            affine_nest_free(&set[i].nest);
        needed = needed && !set[i].solved;
    }
    return reached;
}

/* Rounds up to *round, and in which one the stream was solved. */
static void try_sets(builder *b, attempt *best, unsigned depth_max, unsigned *round)
{
    unsigned rounds = *round, at_once = b->options->threads < THREADS ? b->options->threads : THREADS;
    uint64_t work = round_work(b);
    uint64_t left = b->count - b->at, reached = left;
    for (*round = 0; *round < rounds && reached >= (left / 3 < PROMISING ? left / 3 : PROMISING);
         ++*round, work *= WORK_MORE) {
        reached = 0;
        for (unsigned from = 0; from < SETS; from += at_once) {
            uint64_t most = try_batch(b, best, from, SETS - from < at_once ? SETS - from : at_once, depth_max, work);
            reached = most > reached ? most : reached;
            if (best->solved)
                return;
        }
    }
}

static void try_options(builder *b, attempt *best, search_options options, unsigned depth_max, unsigned expand_max)
{
    attempt next = {.builder = b, .options = options};
    if (best->solved)
        return;
    next.options.depth_max = depth_max < options.depth_max ? depth_max : options.depth_max;
    next.options.expand_max = expand_max;
    attempt_run(&next);
    b->work += next.spent.work;
    keep(b, best, &next.nest, next.found);
}

/* Tiled loops whose tiles are full somewhere: the whole stream, or nothing. */
static void try_tiles(builder *b, attempt *best, unsigned depth_max, uint64_t work)
{
    if (b->at || b->options->single)
        return;
    uint64_t most = b->count < WORK_TILES / WORK_TILE ? b->count * WORK_TILE : WORK_TILES;
    tiles_options o = {.depth_max = depth_max, .work_max = work < most ? work : most, .deadline = b->deadline};
    affine_nest nest;
    uint64_t spent;
    bool found = tiles_nest(&nest, b->values, b->count, &o, &spent);
    b->work += spent * WORK_READ;
    keep(b, best, &nest, found);
}

/* ---- a better one ---- */

static const affine_face *face_of(const affine_level *level, unsigned f)
{
    return f < level->uppers ? &level->upper[f] : &level->lower[f - level->uppers];
}

/* True if a bound depends on an index. */
static bool sloped(const affine_nest *nest)
{
    bool slope = false;
    for (unsigned l = 0; l < nest->depth; l++)
        for (unsigned f = 0; f < nest->level[l].uppers + nest->level[l].lowers; f++)
            for (unsigned m = 0; m < l; m++)
                slope = slope || face_of(&nest->level[l], f)->slope[m];
    return slope;
}

static bool rational(const affine_nest *nest)
{
    for (unsigned l = 0; l < nest->depth; l++)
        for (unsigned f = 0; f < nest->level[l].uppers + nest->level[l].lowers; f++)
            if (face_of(&nest->level[l], f)->divisor != 1)
                return true;
    return false;
}

/* True if loop l goes over tiles of the level inside it: as many indices as bounds move by when l does. */
static bool over_tiles(const affine_level *level, unsigned l)
{
    static const affine_face zero = {.divisor = 1};
    uint64_t size = 0;
    for (unsigned f = 0; f < level->uppers + level->lowers; f++) {
        int64_t slope = face_of(level, f)->slope[l];
        uint64_t steep = slope < 0 ? -(uint64_t)slope : (uint64_t)slope;
        size = steep > size ? steep : size;
    }
    for (unsigned u = 0; u < level->uppers && size > 1; u++)
        for (unsigned f = 0; f < level->lowers + !level->lowers; f++) {
            const affine_face *upper = &level->upper[u], *lower = level->lowers ? &level->lower[f] : &zero;
            if (!memcmp(upper->slope, lower->slope, sizeof upper->slope) && upper->divisor == 1 &&
                lower->divisor == 1 && (uint64_t)upper->constant - (uint64_t)lower->constant == size - 1)
                return true;
        }
    return false;
}

/* True if a loop between others, not one over tiles, by a look at its first runs, is never longer than FOLD: one that a divisor may stand
 * for. */
static bool folded(const affine_nest *nest)
{
    for (unsigned l = 1; l + 1 < nest->depth; l++) {
        affine_cursor c;
        bool brief = affine_first(&c, nest->level, l + 1, 0, FOLD_RUNS);
        for (unsigned m = l + 1; m < nest->depth; m++)
            brief = brief && !over_tiles(&nest->level[m], l);
        for (unsigned run = 0; brief && run < FOLD_RUNS && (!run || affine_next_row(&c)); run++)
            brief = c.upper[l] - c.index[l] < FOLD;
        if (brief)
            return true;
    }
    return false;
}

/* Numbers that a nest consists of; a lower bound of 0 is none. */
static uint64_t parameters(const affine_nest *nest)
{
    uint64_t sum = 1; /* the base */
    for (unsigned l = 0; l < nest->depth; l++) {
        const affine_level *level = &nest->level[l];
        sum++;
        for (unsigned f = 0; f < level->uppers + level->lowers; f++) {
            const affine_face *face = face_of(level, f);
            unsigned slopes = 0;
            for (unsigned m = 0; m < l; m++)
                slopes += face->slope[m] != 0;
            sum += slopes + (face->divisor != 1) + (slopes || face->constant || f < level->uppers || level->lowers > 1);
        }
    }
    return sum;
}

/* The weight of model.h. */
static uint64_t weight(const affine_nest *nest)
{
    uint64_t sum = parameters(nest) + nest->depth;
    for (unsigned l = 0; l < nest->depth; l++)
        for (unsigned f = 0; f < nest->level[l].uppers + nest->level[l].lowers; f++)
            for (int64_t rest = (face_of(&nest->level[l], f)->divisor - 1) / 2; rest; rest /= 2)
                sum++;
    return sum;
}

/* The order of model.h. */
static bool better(const affine_nest *a, const affine_nest *b)
{
    uint64_t ours = weight(a), theirs = weight(b);
    if (a->depth < b->depth)
        return !rational(a) || rational(b) || ours <= theirs;
    return ours < theirs && (a->depth == b->depth || (rational(b) && !rational(a)));
}

/* A nest from another search: if it generates the stream and ends there, *depth becomes its depth, and it takes the place of *best
 * where it is better. True: it did. */
static bool replace(attempt *best, attempt *next, unsigned *depth)
{
    bool whole = next->solved && next->nest.whole, taken = whole && better(&next->nest, &best->nest);
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

static bool try_another(builder *b, attempt *best, search_options options, unsigned depth_max, unsigned expand_max,
                        unsigned *depth)
{
    attempt next = {.builder = b};
    try_options(b, &next, options, depth_max, expand_max);
    return replace(best, &next, depth);
}

/* From the begin; then, unless what is found there is taken, from the end. Returns the depth of the last found, 0: none. */
static unsigned try_both_ends(builder *b, attempt *best, fit_slopes slopes, unsigned depth_max, unsigned expand_max)
{
    search_options o = piecewise_options(b, 0, round_work(b));
    unsigned depth = 0;
    o.slopes = slopes;
    if (!try_another(b, best, o, depth_max, expand_max, &depth)) {
        o.start = SEARCH_BACKWARD;
        try_another(b, best, o, depth_max, expand_max, &depth);
    }
    return depth;
}

/* A nest of three or more loops was found, by that many rounds of sets: others may have fewer. */
static void try_flatter(builder *b, attempt *best, unsigned rounds)
{
    bool foldable = sloped(&best->nest) && (rational(&best->nest) || folded(&best->nest));
    for (unsigned depth = best->nest.depth; depth > 2;) {
        attempt tiled = {.builder = b}, all = {.builder = b};
        unsigned depth_max = depth - 1, round = rounds;
        if (depth > TILED_DEPTH)
            try_tiles(b, &tiled, depth_max, depth > TILES_DEPTH ? WORK_TILES / 8 : WORK_TILES / 128);
        depth = 0;
        if (!replace(best, &tiled, &depth))
            depth = try_both_ends(b, best, FIT_INTEGER, depth_max, FLATTER);
        if (!depth && foldable)
            depth = try_both_ends(b, best, FIT_RATIONAL, depth_max, ROUNDED);
        if (!depth) {
            try_sets(b, &all, depth_max, &round);
            replace(best, &all, &depth);
        }
    }
}

/* A nest for the stream is known: what may be better. */
static void improve(builder *b, attempt *best, unsigned rounds)
{
    if (!best->solved || b->options->single)
        return;
    unsigned deeper = best->nest.depth + 1, depth = 0;
    if (rational(&best->nest) && !try_another(b, best, plain_options(b, round_work(b)), deeper, PLAIN_NODES, &depth))
        try_both_ends(b, best, FIT_INTEGER, deeper, FLATTER);
    try_flatter(b, best, rounds);
    if (rational(&best->nest))
        try_both_ends(b, best, FIT_RATIONAL, best->nest.depth, ROUNDED);
}

/* A plain nest that has to be cut: bounds of several faces may end it. */
static void try_whole(builder *b, attempt *best)
{
    attempt whole = {.builder = b};
    if (!best->solved || best->nest.whole || b->options->single)
        return;
    try_options(b, &whole, piecewise_options(b, 0, round_work(b)), best->nest.depth, FLATTER);
    keep(b, best, &whole.nest, whole.found);
}

/* From short searches to long ones. Returns how many rounds of sets it took. */
static unsigned try_piecewise(builder *b, attempt *best, unsigned rounds)
{
    search_options forward = piecewise_options(b, 0, round_work(b));
    forward.slopes = FIT_INTEGER;
    try_options(b, best, forward, AFFINE_DEPTH, FLATTER);
    best->solved = best->solved && best->nest.whole; /* if it is cut, others may end by themselves */
    try_options(b, best, piecewise_options(b, 0, round_work(b)), AFFINE_DEPTH, FLATTER);
    if (!best->solved)
        try_tiles(b, best, b->options->depth_max, WORK_TILES);
    for (unsigned set = 1; set < LOOKS; set++)
        try_options(b, best, piecewise_options(b, set, round_work(b)), AFFINE_DEPTH, FLATTER);
    best->solved = best->found && solves(&best->nest, b);
    if (best->solved)
        return 0;
    try_sets(b, best, b->options->depth_max, &rounds);
    rounds += best->solved;
    try_options(b, best, plain_options(b, round_work(b)), AFFINE_DEPTH, PLAIN_NODES);
    return rounds;
}

/* The best nest for what is left. False: none. */
static bool best_nest(builder *b, affine_nest *nest, unsigned rounds)
{
    attempt best = {.builder = b};
    search_options plain = plain_options(b, rounds ? round_work(b) : WORK_QUICK);
    unsigned round = 0;
    if (!rounds)
        plain.nodes_max = 100;
    try_options(b, &best, plain, rounds && !b->options->single ? PLAIN_DEPTH : AFFINE_DEPTH,
                rounds ? PLAIN_NODES : QUICK_NODES);
    if (rounds && !b->options->single && !best.solved)
        round = try_piecewise(b, &best, rounds);
    try_whole(b, &best);
    improve(b, &best, round);
    *nest = best.nest;
    return best.found;
}

/* ---- the sequence ---- */

/* True if the nest is worth having: one that is the whole model, if it has no more numbers than the stream; a part of a
 * sequence, if it takes fewer bytes than its values would. */
static bool pays(const builder *b, const affine_nest *nest)
{
    affine_bytes affine = {0}, plain = {0};
    affine_nest raw = {.base = b->values[b->at], .accesses = nest->accesses, .whole = true};
    raw.raw = (int64_t *)(uintptr_t)(b->values + b->at);
    if (nest->accesses > 4096)
        return true;
    if (nest->accesses == b->count)
        return parameters(nest) <= b->count;
    affine_encode(nest, &affine);
    affine_encode(&raw, &plain);
    bool less = affine.size < plain.size;
    free(affine.bytes);
    free(plain.bytes);
    return less;
}

/* Without a search: a linear run, or a raw value. */
static void plain_step(builder *b)
{
    uint64_t left = b->count - b->at, length = 1;
    int64_t stride = 0;
    if (left > 1 && !__builtin_sub_overflow(b->values[b->at + 1], b->values[b->at], &stride))
        length = affine_match_run(b->values + b->at, left, b->values[b->at], stride);
    affine_level level = {.coefficient = stride, .uppers = 1};
    level.upper[0].divisor = 1;
    level.upper[0].constant = (int64_t)length - 1;
    affine_nest nest = {.depth = 1, .base = b->values[b->at], .accesses = length, .whole = true, .level = &level};
    if (length > 2 && pays(b, &nest)) {
        nest.level = memory_grow(NULL, 1, sizeof level);
        *nest.level = level;
        take(b, nest, false);
    } else {
        b->at++;
        b->raw++;
    }
}

static int by_size(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

/* True if one value is so frequent. Sorts them. */
static bool one_frequent(int64_t *value, uint64_t count, unsigned share)
{
    uint64_t same = 1, most = 1;
    qsort(value, count, sizeof *value, by_size);
    for (uint64_t i = 1; i < count; i++) {
        same = value[i] == value[i - 1] ? same + 1 : 1;
        most = same > most ? same : most;
    }
    return most * share >= count;
}

static int64_t difference(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* True if one stride is frequent, as that of innermost loops is, and one distance between the begins of rows. */
static bool regular(const int64_t *value, uint64_t count)
{
    int64_t stride[STRIDES], apart[STRIDES];
    uint64_t rows = 0, last = 0;
    for (uint64_t i = 0; i + 1 < count; i++)
        stride[i] = difference(value[i + 1], value[i]);
    for (uint64_t at = 1; at < count; at++)
        if (at > last + 1 &&
            stride[at - 1] != stride[last]) { /* a row ends: the next one's stride is that behind its first value */
            apart[rows++] = difference(value[at], value[last]);
            last = at;
        }
    return one_frequent(stride, count - 1, STRIDE_SHARE) && (rows < FEW_ROWS || one_frequent(apart, rows, ROW_SHARE));
}

/* True if the stream is regular in some of a few places. Where it is not, no nest says less than the values do. */
static bool has_rows(const builder *b)
{
    uint64_t look = b->count <= STRIDES ? b->count : STRIDES + 1;
    for (uint64_t place = 0; place < PLACES; place++) {
        if (regular(b->values + (b->count - look) / (PLACES - 1) * place, look))
            return true;
        if (look == b->count)
            break;
    }
    return false;
}

/* Searches at the present position. False: no nest that pays. */
static bool search_step(builder *b)
{
    affine_nest nest;
    bool first = b->at == 0;
    bool found = best_nest(b, &nest, first && (b->options->single || has_rows(b)) ? b->options->rounds : 0);
    if (found && !first && pays(b, &nest) && !solves(&nest, b) && nest.accesses >= 64) {
        affine_nest_free(&nest);
        found = best_nest(b, &nest, 1);
    }
    if (first)
        b->work = 0; /* the rest has a budget of its own */
    if (found && pays(b, &nest)) {
        b->failures /= 2;
        take(b, nest, true);
        return true;
    }
    if (found)
        affine_nest_free(&nest);
    return false;
}

void model_find(model *out, const int64_t *values, uint64_t count, const model_options *options)
{
    builder b = {.values = values, .count = count, .options = options, .out = out};
    memset(out, 0, sizeof *out);
    out->accesses = count;
    b.deadline = clock_seconds() + options->time_limit;
    uint64_t work_max = WORK_ROUND * WORK_REST;
    for (unsigned round = 1; round < options->rounds; round++)
        work_max *= WORK_MORE;
    while (b.at < count) {
        if (b.at >= b.next && count - b.at > 1 && b.work < work_max && clock_seconds() < b.deadline) {
            if (search_step(&b))
                continue;
            b.next = b.at + 1 + ++b.failures / RARER;
        }
        plain_step(&b);
        if (options->progress)
            options->progress(b.at, count);
    }
    flush_raw(&b);
    out->exact = b.at == count && !b.wrong;
}

void model_free(model *m)
{
    for (size_t i = 0; i < m->nests; i++)
        affine_nest_free(&m->nest[i]);
    free(m->nest);
    memset(m, 0, sizeof *m);
}

uint64_t model_affine(const model *m)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < m->nests; i++)
        sum += m->nest[i].depth ? m->nest[i].accesses : 0;
    return sum;
}
