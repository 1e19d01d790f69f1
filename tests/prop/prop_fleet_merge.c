/* SPDX-License-Identifier: MIT */
/* Merging is associative and commutative to the byte: any tree of merges of any partition of the same recordings,
 * with files in between, gives the same file. Its sums are those that a naive model counts. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/fleet_model.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/profile_file.h"

enum { RECORDINGS = 60 };

typedef struct part {
    uint8_t *bytes;
    size_t size;
} part;

static part write_part(const merged *m)
{
    const char *why = NULL;
    part p = {0};
    p.bytes = profile_write(m, &p.size, &why);
    return p;
}

static part recording(uint32_t number)
{
    merged *m = fleet_model_recording(number);
    part p = write_part(m);
    merged_free(m);
    return p;
}

/* Merges a file of several parts, one after the other, into one. */
static bool join(const part *parts, size_t count, part *out)
{
    merged *m = merged_new();
    size_t used = 0;
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = !profile_read(m, parts[i].bytes, parts[i].size, &used) && used == parts[i].size;
    if (good)
        *out = write_part(m);
    merged_free(m);
    return good && out->bytes;
}

static void shuffle(part *parts, size_t count, check_random *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = check_random_below(random, (uint32_t)i);
        part swap = parts[i - 1];
        parts[i - 1] = parts[k];
        parts[k] = swap;
    }
}

static void any_tree_of_merges_of_any_partition_gives_the_same_file(void)
{
    check_random random = {4711};
    unsigned trees = check_quick() ? 20 : 200;
    for (unsigned round = 0; round < trees; round++) {
        part parts[RECORDINGS], first;
        uint32_t base = check_random_next(&random), count = 1 + check_random_below(&random, RECORDINGS);
        for (uint32_t i = 0; i < count; i++)
            parts[i] = recording(base + i);
        CHECK(join(parts, count, &first));
        for (size_t left = count; left > 1;) {
            size_t take = 1 + check_random_below(&random, (uint32_t)left < 5 ? (uint32_t)left : 5);
            part joined;
            shuffle(parts, left, &random);
            left -= take;
            CHECK(join(parts + left, take, &joined));
            for (size_t i = 0; i < take; i++)
                free(parts[left + i].bytes);
            parts[left++] = joined;
        }
        CHECK_EQ(parts[0].size, first.size);
        CHECK(!memcmp(parts[0].bytes, first.bytes, first.size));
        free(parts[0].bytes);
        free(first.bytes);
    }
}

/* The counter of a path and the devices of a node, summed up by hand. */
static void the_sums_are_those_of_a_naive_model(void)
{
    merged *all = merged_new();
    uint64_t paths = 0, lost = 0, counted = 0, found = 0;
    for (uint32_t i = 0; i < 300; i++) {
        size_t used;
        merged *one = fleet_model_recording(9000 + i);
        part p = write_part(one);
        merged_totals t = merged_totals_of(one);
        paths += t.paths;
        lost += t.lost;
        counted += one->group[0]->paths.count ? one->group[0]->path[0].count : 0;
        if (one->group[0]->paths.count && one->group[0]->path[0].path != 0)
            counted -= one->group[0]->path[0].count;
        CHECK(!profile_read(all, p.bytes, p.size, &used));
        free(p.bytes);
        merged_free(one);
    }
    for (size_t g = 0; g < all->group_count; g++)
        for (uint32_t i = 0; i < all->group[g]->paths.count; i++)
            found += all->group[g]->path[i].path == 0 ? all->group[g]->path[i].count : 0;
    merged_totals t = merged_totals_of(all);
    CHECK_EQ(t.recordings, 300);
    CHECK_EQ(t.paths, paths);
    CHECK_EQ(t.lost, lost);
    CHECK_EQ(found, counted);
    merged_free(all);
}

/* A set of devices is exact up to the cap, and "more" beyond it, in whatever order they come. */
static void sets_of_devices_are_exact_up_to_their_cap(void)
{
    check_random random = {99};
    for (unsigned round = 0; round < 2000; round++) {
        sets all = {0};
        bool in[40] = {false};
        uint32_t set = SETS_NONE, distinct = 0, count, members = 1 + check_random_below(&random, 30);
        for (uint32_t i = 0; i < members; i++) {
            uint32_t device = check_random_below(&random, 40), other = check_random_below(&random, 40);
            uint32_t pair[2] = {device < other ? device : other, device < other ? other : device};
            distinct += !in[device];
            in[device] = true;
            distinct += !in[other];
            in[other] = true;
            uint32_t fresh = sets_of(&all, pair, device == other ? 1 : 2);
            set = check_random_below(&random, 2) ? sets_union(&all, set, fresh) : sets_union(&all, fresh, set);
        }
        const uint32_t *member = sets_members(&all, set, &count);
        CHECK_EQ(set == SETS_MORE, distinct > SETS_MEMBERS_MAX);
        CHECK_EQ(count, distinct > SETS_MEMBERS_MAX ? 0 : distinct);
        for (uint32_t i = 0; i < count; i++)
            CHECK(in[member[i]] && (!i || member[i - 1] < member[i]));
        sets_free(&all);
    }
}

static void a_recording_is_merged_once(void)
{
    part parts[3] = {recording(1), recording(2), recording(1)}, joined, more[2];
    CHECK(!join(parts, 3, &joined));
    CHECK(join(parts, 2, &joined));
    more[0] = joined;
    more[1] = parts[2];
    CHECK(!join(more, 2, &joined));
    for (int i = 0; i < 3; i++)
        free(parts[i].bytes);
    free(more[0].bytes);
}

/* A sum that overflows is refused, not cut off. */
static void sums_that_overflow_are_refused(void)
{
    merged *m = fleet_model_recording(5);
    const char *why = NULL;
    size_t size;
    merged_sum(m, &m->group[0]->totals.paths, UINT64_MAX);
    CHECK(m->overflow);
    CHECK(!profile_write(m, &size, &why) && why);
    merged_free(m);
}

int main(void)
{
    RUN(any_tree_of_merges_of_any_partition_gives_the_same_file);
    RUN(the_sums_are_those_of_a_naive_model);
    RUN(sets_of_devices_are_exact_up_to_their_cap);
    RUN(a_recording_is_merged_once);
    RUN(sums_that_overflow_are_refused);
    return check_failed();
}
