/* SPDX-License-Identifier: MIT */
/* Searches for one nest, each with its parameters and its budget; the best nest so far is kept. */
#ifndef WEFT_TOOLS_LIB_AFFINE_MODEL_ATTEMPT_H
#define WEFT_TOOLS_LIB_AFFINE_MODEL_ATTEMPT_H

#include "tools/lib/affine/model_options.h"
#include "tools/lib/affine/nest.h"
#include "tools/lib/affine/search_options.h"

/* The values that are not in a nest yet. */
typedef struct model_rest {
    const int64_t *values;
    uint64_t count;
    bool all; /* that is the whole stream */
    const model_options *options;
    double deadline;             /* on clock_seconds */
    uint64_t work;               /* done by searches so far, in rows */
    memo *memory[MODEL_THREADS]; /* of each search in a batch; may be NULL */
} model_rest;

/* The best nest so far. Begins with 0s. */
typedef struct model_attempt {
    affine_nest nest;
    bool found, solved; /* solved: the nest explains all values */
} model_attempt;

/* first sets of parameters : 1 to all : more of them are tried by short searches first; slower on noise */
enum { MODEL_LOOKS = 4 };

/* What these found out. Begins with 0s. */
typedef struct model_looks {
    bool done[MODEL_LOOKS]; /* as long as in the first round: it would come out the same there */
    uint64_t reached;       /* most values that a nest explained */
} model_looks;

/* Rows of work for one set in the first round. */
uint64_t model_round_work(const model_rest *rest);

/* A single-domain search, and one with a parameter set. */
search_options model_plain_search(const model_rest *rest, uint64_t work);
search_options model_piecewise_search(const model_rest *rest, unsigned set, uint64_t work);

/* Whether a search with the set is worth its work, where others explained `reached` values so far. */
bool model_set_is_likely(const model_rest *rest, unsigned set, uint64_t reached);

/* Takes over a nest, and keeps the better one: the longer, then one that ends by itself. */
void model_keep(const model_rest *rest, model_attempt *best, affine_nest *nest);

/* One search, unless `best` is solved: then nothing was spent. */
search_spent model_try(model_rest *rest, model_attempt *best, const search_options *options);

/* All parameter sets, in at most `rounds` rounds, after looks of the same depth (NULL: none). Returns how many rounds
 * ended without a solution. */
unsigned model_try_sets(model_rest *rest, model_attempt *best, unsigned depth_max, unsigned rounds,
                        const model_looks *looks);

/* Tiled loops whose tiles are full somewhere. They explain the whole stream, or nothing. */
void model_try_tiles(model_rest *rest, model_attempt *best, unsigned depth_max, uint64_t work);

#endif
