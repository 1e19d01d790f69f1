/* SPDX-License-Identifier: MIT */
/* The most frequent sequences, against all of them, put in order here. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/ngrams.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/profile/sequences.h"
#include "tools/lib/profile/sequences_kept.h"
#include "tools/lib/profile/sequences_sieve.h"
#include "tools/lib/profile/sequences_stream.h"

typedef struct row {
    uint64_t count;
    size_t number; /* in the order in which they came */
    unsigned length;
    uint32_t path[SEQUENCES_MAX];
} row;

typedef struct rows {
    row *all;
    size_t count, max;
} rows;

static void keep(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    rows *r = context;
    r->all = memory_room(r->all, r->count, &r->max, sizeof *r->all);
    r->all[r->count] = (row){.count = count, .number = r->count, .length = length};
    memcpy(r->all[r->count++].path, path, length * sizeof *path);
}

static int by_count(const void *left, const void *right)
{
    const row *l = left, *r = right;
    return l->count != r->count ? (l->count < r->count ? 1 : -1) : (l->number > r->number) - (l->number < r->number);
}

static bool same(const row *a, const row *b)
{
    return a->count == b->count && a->length == b->length && !memcmp(a->path, b->path, a->length * sizeof *a->path);
}

/* All of them in order. */
static rows in_order(sequences *all, unsigned depth, const uint32_t *rank)
{
    rows want = {0};
    sequences_each(all, depth, rank, keep, &want);
    if (want.count)
        qsort(want.all, want.count, sizeof *want.all, by_count);
    return want;
}

/* Whether `all` gives the first `top` of `want`. */
static bool gives(const sequences *all, unsigned depth, const uint32_t *rank, size_t top, const rows *want)
{
    rows got = {0};
    bool right = sequences_top(all, depth, rank, top, keep, &got);
    right = right && got.count == (want->count < top ? want->count : top);
    for (size_t i = 0; right && i < got.count; i++)
        right = same(&got.all[i], &want->all[i]);
    free(got.all);
    return right;
}

static bool top_is_right(sequences *all, unsigned depth, const uint32_t *rank, const size_t *top, size_t tops)
{
    bool right = true;
    rows want = in_order(all, depth, rank);
    for (size_t t = 0; t < tops; t++)
        right = right && gives(all, depth, rank, top[t], &want);
    free(want.all);
    return right;
}

/* The state of an activation after its last paths, which end with event `at` (-1: there is none). */
static void resume(sequences *all, uint32_t *place, int at)
{
    uint32_t paths[SEQUENCES_MAX];
    size_t keep_paths = sequences_k(all) - 1, count = 0, n;
    for (int before = at; before >= 0 && count < keep_paths; before = stream.before[before])
        count++;
    for (n = count; n-- > 0; at = stream.before[at])
        paths[n] = stream.path[at];
    sequences_resume(all, place, paths, count);
}

/* Counts the events from `begin` to `end`. Where its activations stand there is found by following the events before,
 * or by the last paths of each. */
static void count_events(sequences *all, unsigned begin, unsigned end, bool follows)
{
    uint32_t place[LIVE_MAX] = {0};
    int last[LIVE_MAX];
    memset(last, -1, sizeof last);
    for (unsigned i = 0; i < begin; i++) {
        unsigned live = stream.activation[i];
        place[live] = stream.begins[i] ? 0 : place[live];
        last[live] = (int)i;
        if (follows)
            sequences_follow(all, place + live, stream.path[i]);
    }
    for (unsigned live = 0; live < LIVE_MAX && !follows; live++)
        resume(all, place + live, last[live]);
    for (unsigned i = begin; i < end; i++) {
        unsigned live = stream.activation[i];
        place[live] = stream.begins[i] ? 0 : place[live];
        sequences_push(all, place + live, stream.path[i]);
    }
}

/* Counted as `parts` threads do: each only some events; then added up. */
static void count_parts(sequences *all, unsigned parts, bool follows)
{
    sequences *one[3];
    for (unsigned part = 0; part < parts; part++)
        one[part] = part ? sequences_like(all) : all;
    for (unsigned part = 0; part < parts; part++)
        count_events(one[part], (stream.size * part + parts - 1) / parts,
                     (stream.size * (part + 1) + parts - 1) / parts, follows);
    for (unsigned part = 1; part < parts; part++) {
        sequences_merge(all, one[part]);
        sequences_free(one[part]);
    }
}

static sequences *counted(unsigned k, unsigned parts)
{
    sequences *all = sequences_new(k);
    count_parts(all, parts, true);
    return all;
}

static void the_most_frequent_are_the_first_of_all_in_order(void)
{
    check_random random = {81};
    for (unsigned round = check_amount(40, 150, 1000); round; round--) {
        unsigned paths = round % 3 ? 2 + check_random_below(&random, 5) : 40;
        unsigned k = 2 + check_random_below(&random, round % 8 ? 7 : SEQUENCES_MAX - 1);
        uint32_t rank[64];
        random_stream(&random, 20 + check_random_below(&random, 500), paths);
        for (uint32_t i = 0; i < 64; i++)
            rank[i] = i;
        for (uint32_t i = 63; i; i--) {
            uint32_t other = check_random_below(&random, i + 1), kept = rank[i];
            rank[i] = rank[other];
            rank[other] = kept;
        }
        unsigned depth = 1 + check_random_below(&random, k);
        size_t top[] = {1, 2, 3, 1 + check_random_below(&random, 60), 4096};
        sequences *all = counted(k, 1 + round % 3);
        CHECK(top_is_right(all, depth, round & 4 ? rank : NULL, top, sizeof top / sizeof *top));
        sequences_free(all);
    }
}

static void in_two_turns_they_are_the_same(void)
{
    check_random random = {82};
    for (unsigned round = check_amount(60, 200, 2000); round; round--) {
        unsigned paths = round % 3 ? 2 + check_random_below(&random, 5) : 40;
        unsigned k = SEQUENCES_FIRST + 1 + check_random_below(&random, round % 8 ? 7 : SEQUENCES_MAX - SEQUENCES_FIRST);
        random_stream(&random, 20 + check_random_below(&random, 500), paths);
        size_t top[] = {1, 2, 3, 1 + check_random_below(&random, 60), 4096};
        sequences *all = counted(k, 1);
        for (size_t t = 0; t < sizeof top / sizeof *top; t++) {
            unsigned depth = t % 2 ? k : 1 + check_random_below(&random, k), parts = 1 + (round + (unsigned)t) % 3;
            rows want = in_order(all, depth, NULL);
            sequences *first = sequences_new(SEQUENCES_FIRST), *again;
            count_parts(first, parts, round & 4);
            again = sequences_again(first, k, top[t]);
            CHECK(again && sequences_k(again) == k);
            count_parts(again, parts, round & 8 && round & 4);
            CHECK(sequences_same(again) && gives(again, depth, NULL, top[t], &want));
            sequences_free(again);
            free(want.all);
        }
        sequences_free(all);
    }
}

static void what_differs_the_second_time_is_noticed(void)
{
    const uint32_t paths[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 1, 2};
    enum { COUNT = sizeof paths / sizeof *paths };
    for (unsigned wrong = 0; wrong <= COUNT + 1; wrong++) {
        sequences *first = sequences_new(SEQUENCES_FIRST), *again;
        uint32_t place = 0;
        for (unsigned i = 0; i < COUNT; i++)
            sequences_push(first, &place, paths[i]);
        again = sequences_again(first, 6, 2);
        place = 0;
        for (unsigned i = 0; again && i < COUNT - (wrong == COUNT); i++)
            sequences_push(again, &place, i == wrong ? 9 : paths[i]);
        CHECK(again && sequences_same(again) == (wrong > COUNT));
        sequences_free(again);
    }
}

/* A stream with marks, in blocks of any size, on any number of cores. */
static void streams_are_divided_anywhere(void)
{
    enum { STAR = 3 };
    const uint32_t star = STAR;
    check_random random = {83};
    for (unsigned round = check_amount(60, 200, 2000); round; round--) {
        uint32_t paths[600], place = 0;
        unsigned k = 2 + check_random_below(&random, 9), count = check_random_below(&random, 600);
        sequences *all = sequences_new(k), *divided = sequences_new(k);
        threads_choose(1 + round % 4);
        sequences_stream *s = sequences_stream_new(divided);
        for (unsigned i = 0; i < count; i++) {
            paths[i] = check_random_below(&random, round & 1 ? 3 : 5);
            place = paths[i] == STAR ? 0 : place;
            if (paths[i] != STAR)
                sequences_push(all, &place, paths[i]);
        }
        for (unsigned at = 0, size; at < count; at += size) {
            size = 1 + check_random_below(&random, count - at);
            sequences_stream_push(s, paths + at, size, &star);
        }
        sequences_stream_close(s);
        rows want = in_order(all, k, NULL);
        CHECK(sequences_events(divided) == sequences_events(all) && gives(divided, k, NULL, 50, &want));
        free(want.all);
        sequences_free(all);
        sequences_free(divided);
    }
    threads_choose(0);
}

/* What comes, in order. */
static void add_up(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    uint64_t *sum = context;
    for (unsigned n = 0; n < length; n++)
        *sum = (*sum ^ path[n]) * 0x9e3779b97f4a7c15u;
    *sum = (*sum ^ (uint64_t)length << 40 ^ count) * 0xd6e8feb86659fd93u;
}

static uint64_t sum_of(sequences *all, unsigned depth, const uint32_t *rank)
{
    uint64_t sum = 0;
    sequences_each(all, depth, rank, add_up, &sum);
    return sum;
}

/* A stream of random paths, or loops with some; counted as it comes, and kept. */
static bool kept_is_the_same(check_random *random, unsigned k, uint32_t alphabet, size_t count, size_t most,
                             size_t trial)
{
    enum { BLOCK = 1000 };
    const uint32_t star = 0;
    uint32_t block[BLOCK], place = 0, kept_place = 0, *rank = memory_grow(NULL, alphabet, sizeof *rank);
    sequences *all = sequences_new(k), *kept = sequences_keep(k, most, trial);
    uint32_t rare = 1 + check_random_below(random, 40), stars = 1 + check_random_below(random, 3) * 100;
    for (uint32_t i = 0; i < alphabet; i++)
        rank[i] = alphabet % 2 ? i : alphabet - 1 - i;
    for (size_t done = 0, size; done < count; done += size) {
        size = 1 + check_random_below(random, BLOCK);
        for (size_t i = 0; i < size; i++) {
            uint32_t other = check_random_below(random, alphabet);
            block[i] = check_random_below(random, rare) ? (uint32_t)(done + i) % 5 % alphabet : other;
            block[i] += !block[i] && check_random_below(random, stars);
            place = block[i] == star ? 0 : place;
            if (block[i] != star)
                sequences_push(all, &place, block[i]);
        }
        sequences_take(kept, &kept_place, block, size, &star);
    }
    bool same = sequences_events(all) == sequences_events(kept);
    for (unsigned depth = k; same && depth; depth /= 2)
        same = sum_of(all, depth, alphabet % 3 ? rank : NULL) == sum_of(kept, depth, alphabet % 3 ? rank : NULL);
    sequences_free(all);
    sequences_free(kept);
    free(rank);
    return same;
}

static void what_is_kept_gives_the_same(void)
{
    check_random random = {84};
    for (unsigned round = check_amount(60, 200, 2000); round; round--) {
        unsigned k = 2 + check_random_below(&random, round % 4 ? 15 : SEQUENCES_MAX - 1);
        uint32_t alphabet = 2 + check_random_below(&random, round % 3 ? 6 : 100000);
        size_t count = check_random_below(&random, 6000), trial = check_random_below(&random, 3000);
        threads_choose(1 + round % 3);
        CHECK(kept_is_the_same(&random, k, alphabet, count, round % 5 ? 1 << 20 : count / 2, trial));
    }
    CHECK(kept_is_the_same(&random, 9, 7, 100000, 1 << 20, 1000));
    threads_choose(0);
}

static void what_is_too_much_is_refused_and_nothing_is_visited(void)
{
    enum { DISTINCT = 6000 };
    rows none = {0};
    sequences *all = sequences_new(4);
    CHECK(sequences_top(all, 4, NULL, 5, keep, &none) && !none.count);
    uint32_t place = 0;
    for (uint32_t path = 0; path < DISTINCT; path++)
        sequences_push(all, &place, path);
    CHECK(!sequences_top(all, 4, NULL, 1, keep, &none)); /* all of them are as frequent */
    CHECK(!sequences_top(all, 4, NULL, 0, keep, &none));
    CHECK(!sequences_top(all, 4, NULL, 4097, keep, &none));
    for (unsigned i = 0; i < 5; i++)
        sequences_push(all, &place, 7);
    size_t top = 1;
    CHECK(top_is_right(all, 4, NULL, &top, 1));
    CHECK(!none.count);
    sequences_free(all);
}

int main(void)
{
    RUN(the_most_frequent_are_the_first_of_all_in_order);
    RUN(in_two_turns_they_are_the_same);
    RUN(what_differs_the_second_time_is_noticed);
    RUN(streams_are_divided_anywhere);
    RUN(what_is_kept_gives_the_same);
    RUN(what_is_too_much_is_refused_and_nothing_is_visited);
    return check_failed();
}
