/* SPDX-License-Identifier: MIT */
/* Parts of a k-slab forest: written, missing, damaged, and a forest that changes while it is searched. */
#include <stdlib.h>
#include <string.h>

#include "core/ksf.h"
#include "tests/lib/check.h"
#include "tests/lib/ngrams.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/profile/sequences.h"

static void write_all(weft_ksf *ksf, uint8_t parts[][64], size_t *sizes, unsigned *count)
{
    weft_status status;
    do {
        weft_writer out;
        weft_writer_init(&out, parts[*count], 64);
        status = weft_ksf_flush(ksf, &out);
        sizes[(*count)++] = out.size;
    } while (status == WEFT_AGAIN);
}

/* A count may be smaller than the plain one, never larger. */
static void compare_lossy(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    if (count > plain_count(path, length))
        *(bool *)context = true;
}

static void missing_and_damaged_parts_never_add_counts(void)
{
    static uint8_t parts[2000][64];
    static size_t sizes[2000];
    WEFT_KSF_DEF(small, 5, 40, 4);
    weft_ksf_activation live[LIVE_MAX];
    unsigned count = 0;
    check_random random = {5};
    CHECK_EQ(weft_ksf_init(&small, &small_config), WEFT_OK);
    random_stream(&random, 1500, 6);
    for (unsigned i = 0; i < stream.size; i++) {
        weft_ksf_activation *a = live + stream.activation[i];
        if (stream.begins[i])
            memset(a, 0, sizeof *a);
        while (weft_ksf_push(&small, a, stream.path[i]) != WEFT_OK)
            write_all(&small, parts, sizes, &count);
    }
    write_all(&small, parts, sizes, &count);
    for (unsigned round = 0; round < 200; round++) {
        kipf *forest = kipf_new(5);
        bool damage = round % 2;
        bool wrong = false;
        for (unsigned i = 0; i < count; i++) {
            uint8_t copy[64];
            weft_reader in;
            memcpy(copy, parts[i], sizes[i]);
            bool hit = check_random_below(&random, 10) == 0;
            if (hit && !damage)
                continue;
            if (hit)
                copy[check_random_below(&random, (uint32_t)sizes[i])] ^=
                    (uint8_t)(1u << check_random_below(&random, 8));
            weft_reader_init(&in, copy, sizes[i]);
            weft_status status = kipf_add_part(forest, &in);
            if (!damage)
                CHECK_EQ(status, WEFT_OK);
        }
        if (!damage) {
            CHECK(kipf_gaps(forest) > 0);
            kipf_each(forest, 5, NULL, compare_lossy, &wrong);
            CHECK(!wrong);
        } else {
            kipf_each(forest, 5, NULL, compare_lossy, &wrong); /* the only demand is that it ends */
        }
        kipf_free(forest);
    }
}

/* What stands where a forest was emptied, and taken again by others, while weft_ksf_find looks. */
static void spoil(weft_ksf *ksf, check_random *random, unsigned nodes)
{
    for (weft_handle i = 1; i < nodes; i++) {
        bool stub = check_random_below(random, 4) == 0;
        ksf->node[i] = (weft_ksf_node){.child = (weft_handle)check_random_below(random, nodes),
                                       .below = (uint16_t)check_random_below(random, 3),
                                       .sibling = (weft_handle)check_random_below(random, nodes),
                                       .parent = stub ? WEFT_NONE : (weft_handle)check_random_below(random, nodes),
                                       .label = check_random_below(random, 4),
                                       .count = 1};
    }
    for (unsigned i = 0; i <= ksf->roots_mask; i++)
        ksf->roots[i] = (weft_handle)check_random_below(random, nodes);
    ksf->used = (weft_handle)(nodes - 1 - check_random_below(random, 6));
}

static void a_search_in_a_forest_that_changes_meanwhile_ends_and_changes_nothing(void)
{
    enum { NODES = 12, ROOTS = 2 };
    weft_ksf_node node[NODES], then[NODES];
    weft_handle root[ROOTS], roots_then[ROOTS];
    check_random random = {5};
    for (uint32_t tries = check_amount(5000, 10000, 100000); tries; tries--) {
        weft_ksf_config config = {2 + tries % 5, node, NODES, root, ROOTS};
        weft_ksf ksf;
        weft_ksf_place place = {0};
        CHECK_EQ(weft_ksf_init(&ksf, &config), WEFT_OK);
        spoil(&ksf, &random, NODES);
        weft_ksf_activation a = {1, check_random_below(&random, 3) | check_random_below(&random, NODES) << 16};
        CHECK(weft_ksf_take(&ksf, &a, &place) == WEFT_AGAIN && place.kind == WEFT_KSF_LOOK);
        CHECK_EQ(weft_ksf_take(&ksf, &a, &place), WEFT_AGAIN); /* no walk has looked yet */
        memcpy(then, node, sizeof node);
        memcpy(roots_then, root, sizeof root);
        weft_ksf_find(&ksf, &a, check_random_below(&random, 5), &place);
        CHECK(memcmp(then, node, sizeof node) == 0 && memcmp(roots_then, root, sizeof root) == 0);
        ksf.generation++; /* as it was when the forest was emptied */
        CHECK_EQ(weft_ksf_take(&ksf, &a, &place), WEFT_AGAIN);
        CHECK(memcmp(then, node, sizeof node) == 0);
    }
}

/* Each number takes all the bytes that it ever may, but for the number of nodes. */
static void no_part_is_longer_than_its_room(void)
{
    enum { MANY = 20000, ROOM = 2000 };
    WEFT_KSF_DEF(large, 2, MANY + 1, 4);
    static uint8_t part[ROOM + 20];
    CHECK_EQ(weft_ksf_init(&large, &large_config), WEFT_OK);
    weft_ksf_restart(&large, UINT32_MAX - 1);
    for (weft_handle i = 1; i <= MANY; i++)
        large.node[i] = (weft_ksf_node){.parent = i > 1, .label = UINT32_MAX, .count = UINT32_MAX};
    large.used = MANY;
    weft_status status = WEFT_AGAIN;
    for (unsigned parts = 0; status == WEFT_AGAIN; parts++) {
        size_t room = ROOM + parts % 13;
        weft_writer out;
        memset(part, 0xaa, sizeof part);
        weft_writer_init(&out, part, room);
        status = weft_ksf_flush(&large, &out);
        CHECK(status >= WEFT_OK && out.status == WEFT_OK && out.size <= room && part[room] == 0xaa);
    }
    CHECK_EQ(status, WEFT_OK);
}

int main(void)
{
    RUN(no_part_is_longer_than_its_room);
    RUN(missing_and_damaged_parts_never_add_counts);
    RUN(a_search_in_a_forest_that_changes_meanwhile_ends_and_changes_nothing);
    return check_failed();
}
