/* SPDX-License-Identifier: MIT */
/* Streams that are modelled piece by piece come back as they were, whatever the size of a piece; with room for all of
 * them each model is that of the whole stream; a loop that goes on for many pieces is one nest. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/address_streams.h"
#include "tests/lib/check.h"
#include "tools/lib/affine/binary.h"
#include "tools/lib/affine/pieces.h"

enum { STREAMS = 6, VALUES = 600 };

static int64_t given[STREAMS][VALUES];
static size_t sizes[STREAMS];

/* What the nests of each stream generate, compared as it comes. */
typedef struct taken {
    size_t at[STREAMS];
    unsigned nests[STREAMS];
    affine_bytes bytes[STREAMS];
    uint32_t now;
    bool right;
} taken;

static bool compare(void *own, const int64_t *values, size_t count)
{
    taken *t = own;
    t->right = t->right && count <= sizes[t->now] - t->at[t->now] &&
               !memcmp(values, given[t->now] + t->at[t->now], count * sizeof *values);
    t->at[t->now] += t->right ? count : 0;
    return t->right;
}

static void take(void *own, uint32_t number, const affine_nest *of)
{
    taken *t = own;
    size_t before = t->at[number];
    t->now = number;
    t->nests[number]++;
    affine_encode(of, &t->bytes[number]);
    t->right = affine_generate(of, compare, t) && t->right && t->at[number] - before == of->accesses;
}

/* Adds the streams in turns of random lengths. */
static void run_pieces(taken *t, size_t held, unsigned streams, check_random *random)
{
    pieces_options options = {{.model = quick_options(), .threads = 2}, held, take, t};
    size_t added[STREAMS] = {0}, left = 0;
    *t = (taken){.right = true};
    options.models.model.rounds = 1;
    pieces *p = pieces_open(&options);
    for (uint32_t i = 0; i < streams; left += sizes[i++])
        pieces_add(p, i, given[i][added[i]++]);
    for (left -= streams; left;) {
        uint32_t i = check_random_below(random, streams);
        for (uint32_t run = check_random_below(random, 40); run && added[i] < sizes[i]; run--, left--)
            pieces_add(p, i, given[i][added[i]++]);
    }
    pieces_end(p);
    for (uint32_t i = 0; i < streams; i++)
        t->right = t->right && pieces_exact(p, i) && t->at[i] == sizes[i];
    pieces_close(p);
}

static void free_taken(taken *t)
{
    for (unsigned i = 0; i < STREAMS; i++)
        free(t->bytes[i].bytes);
}

/* Fills stream `i` up to `most` values. Stream 0 is noise after its first nest. */
static void fill_one(check_random *random, unsigned i, size_t most)
{
    size_t at = 0;
    while (at < most) {
        nest n;
        random_nest(&n, random, check_random_below(random, 2));
        for (unsigned turn = 1 + check_random_below(random, 4); turn && at < most; turn--)
            for (size_t k = 0; k < length && at < most; k++)
                given[i][at++] = stream[k];
        for (unsigned noise = check_random_below(random, 9); (noise || i == 0) && at<most; noise -= noise> 0)
            given[i][at++] = (int64_t)check_random_below(random, 1u << 20);
    }
    sizes[i] = at;
}

/* Random nests, some repeated and some with noise in between; one stream is noise. */
static void fill(check_random *random, uint32_t length_max)
{
    for (unsigned i = 0; i < STREAMS; i++)
        fill_one(random, i, 1 + check_random_below(random, length_max));
}

static void streams_come_back_from_pieces_of_any_size(void)
{
    static const struct sweep {
        size_t held;
        uint32_t length_max;
    } sweep[] = {{1, 10}, {2, 20}, {7, 100}, {60, VALUES}, {400, VALUES}, {1000, VALUES}};
    check_random random = {77};
    for (unsigned turn = 0; turn < 12; turn++) {
        taken t;
        fill(&random, sweep[turn % 6].length_max);
        run_pieces(&t, sweep[turn % 6].held, STREAMS, &random);
        CHECK(t.right);
        free_taken(&t);
    }
}

static void with_room_for_all_each_is_modelled_whole(void)
{
    check_random random = {78};
    taken t;
    fill(&random, VALUES);
    run_pieces(&t, 1 + STREAMS * VALUES, STREAMS, &random);
    CHECK(t.right);
    for (unsigned i = 0; i < STREAMS; i++) {
        model alone;
        model_options options = quick_options();
        options.rounds = 1;
        model_find(&alone, given[i], sizes[i], &options);
        affine_bytes bytes = model_encode(&alone);
        CHECK(bytes.size == t.bytes[i].size && !memcmp(bytes.bytes, t.bytes[i].bytes, bytes.size));
        free(bytes.bytes);
        model_free(&alone);
    }
    free_taken(&t);
}

/* Stream 0: a[i][j] row by row; 1: one array again and again; 2: steps without an end; 3: one address. */
static void a_loop_of_many_pieces_is_one_nest(void)
{
    check_random random = {79};
    for (size_t held = 100; held <= 3000; held *= 2) {
        taken t;
        for (unsigned k = 0; k < VALUES; k++) {
            given[0][k] = 4 * (k % 10) + 100 * (k / 10);
            given[1][k] = 8 * (k % 16);
            given[2][k] = 12 * (int64_t)k;
            given[3][k] = 0x20000000;
        }
        for (unsigned i = 0; i < 4; i++)
            sizes[i] = VALUES - i;
        run_pieces(&t, held, 4, &random);
        CHECK(t.right);
        for (unsigned i = 0; i < 4; i++)
            CHECK(t.nests[i] == 1);
        free_taken(&t);
    }
}

int main(void)
{
    RUN(streams_come_back_from_pieces_of_any_size);
    RUN(with_room_for_all_each_is_modelled_whole);
    RUN(a_loop_of_many_pieces_is_one_nest);
    return check_failed();
}
