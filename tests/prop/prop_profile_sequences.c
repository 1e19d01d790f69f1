/* SPDX-License-Identifier: MIT */
/* The most frequent sequences, against all of them, put in order here. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/ngrams.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/profile/sequences.h"

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

static bool top_is_right(sequences *all, unsigned depth, const uint32_t *rank, const size_t *top, size_t tops)
{
    const uint32_t none = 0;
    rows want = {0}, got = {0};
    bool right = true;
    for (size_t t = 0; t < tops; t++) {
        size_t first = got.count;
        right = right && sequences_top(all, depth, rank, top[t], keep, &got);
        keep(&got, &none, 0, first); /* where they begin, after the last */
    }
    sequences_each(all, depth, rank, keep, &want);
    if (want.count)
        qsort(want.all, want.count, sizeof *want.all, by_count);
    for (size_t t = 0, at = 0; t < tops && right; t++, at++) {
        size_t count = want.count < top[t] ? want.count : top[t];
        for (size_t i = 0; i < count; i++)
            right = right && got.all[at].length && same(&got.all[at++], &want.all[i]);
        right = right && at < got.count && !got.all[at].length;
    }
    free(want.all);
    free(got.all);
    return right;
}

/* Counted as `parts` threads do: each only some activations, and it follows the others; then added up. */
static sequences *counted(unsigned k, unsigned parts)
{
    sequences *all = NULL;
    for (unsigned part = 0; part < parts; part++) {
        uint32_t place[LIVE_MAX] = {0};
        sequences *one = sequences_new(k);
        for (unsigned i = 0; i < stream.size; i++) {
            unsigned live = stream.activation[i];
            if (stream.begins[i])
                place[live] = 0;
            if (i * parts / stream.size == part)
                sequences_push(one, place + live, stream.path[i]);
            else
                sequences_follow(one, place + live, stream.path[i]);
        }
        if (all) {
            sequences_merge(all, one);
            sequences_free(one);
        } else {
            all = one;
        }
    }
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
    RUN(what_is_too_much_is_refused_and_nothing_is_visited);
    return check_failed();
}
