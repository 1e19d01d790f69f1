/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/ksf.h"
#include "tests/lib/check.h"

enum { STAR = 0xffff };

/* The paper's stream (figure "kblpp-example"), k = 4. */
static const uint16_t golden[] = {STAR, 6, 2, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 3};

WEFT_KSF_DEF(forest, 4, 40, 4);

static weft_status push_golden(weft_ksf *ksf)
{
    weft_ksf_activation activation = {0};
    for (unsigned i = 0; i < WEFT_COUNT(golden); i++) {
        if (golden[i] == STAR) {
            activation = (weft_ksf_activation){0};
            continue;
        }
        weft_status status = weft_ksf_push(ksf, &activation, golden[i]);
        if (status != WEFT_OK || !weft_ksf_check(ksf))
            return status ? status : WEFT_CORRUPT;
    }
    return WEFT_OK;
}

/* The counter at the end of a path from a root; -1 if it is not in the forest. */
static int32_t count_at(const weft_ksf *ksf, const uint8_t *path, unsigned length)
{
    weft_handle at = 0;
    for (unsigned i = 0; i < length; i++) {
        weft_handle next = 1;
        while (next <= ksf->used && !(ksf->node[next].parent == at && ksf->node[next].label == path[i]))
            next++;
        if (next > ksf->used)
            return -1;
        at = next;
    }
    return (int32_t)ksf->node[at].count;
}

static void the_papers_4_slab_forest_has_its_nodes_and_counters(void)
{
    /* The list L of the paper's example, and for each path how often its last label was counted there. */
    static const struct {
        uint8_t length, path[6], count;
    } expected[] = {
        {1, {6}, 1},
        {2, {6, 2}, 1},
        {3, {6, 2, 0}, 1},
        {4, {6, 2, 0, 0}, 1},
        {5, {6, 2, 0, 0, 2}, 1},
        {6, {6, 2, 0, 0, 2, 2}, 1},
        {4, {0, 2, 2, 0}, 1},
        {5, {0, 2, 2, 0, 0}, 1},
        {6, {0, 2, 2, 0, 0, 2}, 1},
        {4, {0, 0, 2, 2}, 1},
        {5, {0, 0, 2, 2, 0}, 1},
        {6, {0, 0, 2, 2, 0, 0}, 1},
        {4, {2, 0, 0, 2}, 1},
        {5, {2, 0, 0, 2, 3}, 1},
        /* Inner nodes that only prefixes need. */
        {1, {0}, 0},
        {2, {0, 2}, 0},
        {3, {0, 2, 2}, 0},
        {2, {0, 0}, 0},
        {3, {0, 0, 2}, 0},
        {1, {2}, 0},
        {2, {2, 0}, 0},
        {3, {2, 0, 0}, 0},
    };
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    CHECK_EQ(push_golden(&forest), WEFT_OK);
    uint32_t sum = 0;
    for (unsigned node = 1; node <= forest.used; node++)
        sum += forest.node[node].count;
    CHECK_EQ(sum, 14);
    CHECK_EQ(forest.used, WEFT_COUNT(expected));
    for (unsigned i = 0; i < WEFT_COUNT(expected); i++)
        CHECK_EQ(count_at(&forest, expected[i].path, expected[i].length), expected[i].count);
}

static void a_forest_is_written_in_parts_and_then_empty(void)
{
    uint8_t part[WEFT_KSF_PART_MIN];
    weft_writer out;
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    CHECK_EQ(push_golden(&forest), WEFT_OK);
    weft_writer_init(&out, part, sizeof part - 1);
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_FULL);
    CHECK_EQ(out.size, 0);
    unsigned nodes = 0, parts = 0;
    weft_status status;
    do {
        weft_writer_init(&out, part, sizeof part);
        status = weft_ksf_flush(&forest, &out);
        CHECK(out.status == WEFT_OK && out.size > 5 && ++parts < 30);
        CHECK_EQ(part[0], 1);         /* generation */
        CHECK_EQ(part[1], 4);         /* k */
        CHECK_EQ(part[2], nodes + 1); /* first handle */
        nodes += part[3];
        weft_ksf_activation activation = {0};
        if (status == WEFT_AGAIN)
            CHECK_EQ(weft_ksf_push(&forest, &activation, 1), WEFT_FULL);
    } while (status == WEFT_AGAIN);
    CHECK_EQ(status, WEFT_OK);
    CHECK_EQ(nodes, 22);
    CHECK_EQ(forest.used, 0);
    CHECK_EQ(forest.high_water, 22);
    weft_writer_init(&out, part, sizeof part);
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_OK);
    CHECK_EQ(out.size, 0);
}

/* The example of core/ksf.h. */
static void a_loop_of_two_paths_is_two_roots_and_their_children(void)
{
    WEFT_KSF_DEF(two, 2, 8, 4);
    static const uint8_t expected[] = {1, 2, 1, 4, 0, 'a', 1, 2, 'b', 2, 0, 'b', 0, 2, 'a', 1, 0};
    uint8_t part[40];
    weft_writer out;
    weft_ksf_activation activation = {0};
    CHECK_EQ(weft_ksf_init(&two, &two_config), WEFT_OK);
    for (const char *path = "abab"; *path; path++)
        CHECK_EQ(weft_ksf_push(&two, &activation, (uint8_t)*path), WEFT_OK);
    CHECK_EQ(two.node[2].child, 4);
    CHECK_EQ(two.node[4].child, 2);
    weft_writer_init(&out, part, sizeof part);
    CHECK_EQ(weft_ksf_flush(&two, &out), WEFT_OK);
    CHECK_EQ(out.size, sizeof expected);
    CHECK(memcmp(part, expected, sizeof expected) == 0);
}

static void a_full_pool_takes_nothing_until_it_is_written(void)
{
    WEFT_KSF_DEF(small, 3, 6, 2);
    uint8_t part[200];
    CHECK_EQ(weft_ksf_init(&small, &small_config), WEFT_OK);
    weft_ksf_activation activation = {0};
    check_random random = {7};
    unsigned segments = 0, events = 0;
    for (; events < 500; events++) {
        uint32_t path = check_random_below(&random, 5);
        weft_ksf_activation before = activation;
        if (weft_ksf_push(&small, &activation, path) == WEFT_OK)
            continue;
        CHECK_EQ(activation.at, before.at);
        CHECK_EQ(activation.generation, before.generation);
        weft_writer out;
        weft_writer_init(&out, part, sizeof part);
        CHECK_EQ(weft_ksf_flush(&small, &out), WEFT_OK);
        segments++;
        CHECK_EQ(weft_ksf_push(&small, &activation, path), WEFT_OK);
        CHECK(weft_ksf_check(&small));
        CHECK(small.used <= 2); /* a stub and its child */
    }
    CHECK(segments > 100);
}

/* The number of nodes is written after them: here it is shorter than it might have been. */
static void a_part_holds_as_many_nodes_as_it_says(void)
{
    WEFT_KSF_DEF(wide, 2, 200, 4);
    uint8_t part[500];
    weft_writer out;
    CHECK_EQ(weft_ksf_init(&wide, &wide_config), WEFT_OK);
    for (uint32_t i = 0; i < 150; i++) {
        weft_ksf_activation activation = {0};
        CHECK_EQ(weft_ksf_push(&wide, &activation, 0xf0000000 + i), WEFT_OK);
    }
    weft_writer_init(&out, part, sizeof part);
    CHECK_EQ(weft_ksf_flush(&wide, &out), WEFT_AGAIN);
    weft_reader in;
    weft_reader_init(&in, part, out.size);
    CHECK(weft_read_varint(&in) == 1 && weft_read_u8(&in) == 2 && weft_read_varint(&in) == 1);
    uint32_t nodes = weft_read_varint(&in);
    CHECK(nodes > 60 && nodes < 0x80);
    for (uint32_t i = 0; i < nodes; i++)
        CHECK(weft_read_varint(&in) == 0 && weft_read_varint(&in) == 0xf0000000 + i && weft_read_varint(&in) == 1);
    CHECK(weft_read_u8(&in) == 1 && weft_reader_left(&in) == 0 && in.status == WEFT_OK);
}

static void a_counter_does_not_wrap(void)
{
    uint8_t part[100];
    weft_writer out;
    weft_ksf_activation activation = {0};
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    CHECK_EQ(weft_ksf_push(&forest, &activation, 9), WEFT_OK);
    forest.node[activation.at >> 16].count = UINT32_MAX;
    activation = (weft_ksf_activation){0};
    CHECK_EQ(weft_ksf_push(&forest, &activation, 9), WEFT_FULL);
    weft_writer_init(&out, part, sizeof part);
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_OK);
    CHECK_EQ(weft_ksf_push(&forest, &activation, 9), WEFT_OK);
}

static void sizes_that_cannot_work_are_refused(void)
{
    weft_ksf_config config = forest_config;
    CHECK(sizeof(weft_ksf_activation) <= 16); /* what the compiler plugin sets aside for each */
    config.k = 1;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_CONFIG);
    config.k = 33;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_CONFIG);
    config.k = 32;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_OK);
    config.nodes_max = 2;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_CONFIG);
    config.nodes_max = 3;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_OK);
    config.roots_max = 3;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_CONFIG);
    config.roots_max = 0;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_CONFIG);
}

/* Any other sibling breaks a ring. A stub in the place of another node may be right. */
static void the_check_sees_each_broken_ring(void)
{
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    CHECK_EQ(push_golden(&forest), WEFT_OK);
    for (weft_handle node = 1; node <= forest.used; node++) {
        weft_ksf_node old = forest.node[node];
        for (weft_handle other = 0; other <= forest.used + 1; other++) {
            forest.node[node].sibling = other;
            CHECK_EQ(weft_ksf_check(&forest), other == old.sibling);
        }
        forest.node[node] = old;
        forest.node[node].parent = WEFT_NONE;
        (void)weft_ksf_check(&forest);
        forest.node[node] = old;
    }
    CHECK(weft_ksf_check(&forest));
}

/* After a, which has WEFT_KSF_NEAR + 2 children: at the one used last, the next ones are near, and no other. */
static void the_next_siblings_are_near(void)
{
    enum { A = 100, CHILDREN = WEFT_KSF_NEAR + 2, A_AT = 1 << 16 | 5 };
    weft_ksf_activation activation = {0};
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    for (uint32_t i = 0; i < CHILDREN; i++) {
        activation = (weft_ksf_activation){0};
        CHECK_EQ(weft_ksf_push(&forest, &activation, A), WEFT_OK);
        CHECK_EQ(weft_ksf_push(&forest, &activation, i), WEFT_OK);
    }
    weft_ksf_node *a = &forest.node[1];
    unsigned taken = 0;
    weft_handle used_last = a->child, at = used_last;
    for (unsigned i = 1; i <= CHILDREN; i++) {
        at = forest.node[at].sibling;
        activation = (weft_ksf_activation){forest.generation, A_AT};
        a->child = used_last;
        bool near = weft_ksf_near(&forest, &activation, forest.node[at].label);
        CHECK_EQ(near, i <= WEFT_KSF_NEAR);
        CHECK_EQ(forest.node[at].count, near ? 2 : 1);
        CHECK_EQ(activation.at, near ? (uint32_t)at << 16 | 4 : A_AT);
        CHECK(weft_ksf_check(&forest));
        taken += near;
    }
    CHECK_EQ(taken, WEFT_KSF_NEAR);
    CHECK_EQ(at, used_last);
}

/* An activation that begins: its root. Not an older one's, a full count's, or while the forest is written. */
static void a_root_that_is_there_is_near(void)
{
    weft_ksf_activation activation = {0};
    uint8_t bytes[WEFT_KSF_PART_MIN];
    weft_writer out;
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    CHECK(!weft_ksf_near(&forest, &activation, 7));
    CHECK_EQ(weft_ksf_push(&forest, &activation, 7), WEFT_OK);
    CHECK_EQ(weft_ksf_push(&forest, &activation, 8), WEFT_OK);
    activation = (weft_ksf_activation){0};
    CHECK(!weft_ksf_near(&forest, &activation, 8));
    CHECK(weft_ksf_near(&forest, &activation, 7));
    CHECK_EQ(forest.node[1].count, 2);
    CHECK_EQ(activation.generation, forest.generation);
    CHECK(weft_ksf_known(&forest, &activation, 8));
    activation = (weft_ksf_activation){0};
    forest.node[1].count = UINT32_MAX;
    CHECK(!weft_ksf_near(&forest, &activation, 7));
    forest.node[1].count = UINT32_MAX - 1;
    weft_writer_init(&out, bytes, sizeof bytes);
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_AGAIN);
    CHECK(!weft_ksf_near(&forest, &activation, 7));
    activation.generation = forest.generation - 1;
    activation.at = 1 << 16 | 5;
    CHECK(!weft_ksf_near(&forest, &activation, 8));
}

/* The first path after a node. Not without room, and not at depth 2k-2: there nothing changes. */
static void the_first_child_is_made_near_its_node(void)
{
    weft_ksf_activation activation = {0};
    WEFT_KSF_DEF(tiny, 2, 4, 2);
    CHECK_EQ(weft_ksf_init(&tiny, &tiny_config), WEFT_OK);
    CHECK(!weft_ksf_near(&tiny, &activation, 5)); /* a root */
    CHECK_EQ(weft_ksf_push(&tiny, &activation, 5), WEFT_OK);
    weft_ksf_activation at_root = activation;
    CHECK(weft_ksf_near(&tiny, &activation, 0));
    CHECK(activation.at == 2 << 16 && tiny.used == 2);
    CHECK(tiny.node[2].label == 0 && tiny.node[2].count == 1 && tiny.node[2].parent == 1 && tiny.node[1].child == 2);
    CHECK(weft_ksf_check(&tiny));
    weft_ksf_activation at_depth = activation;
    CHECK(!weft_ksf_near(&tiny, &activation, 5));
    CHECK(memcmp(&activation, &at_depth, sizeof activation) == 0 && tiny.used == 2);
    activation = (weft_ksf_activation){0};
    CHECK_EQ(weft_ksf_push(&tiny, &activation, 6), WEFT_OK); /* the last node that there is */
    weft_ksf_activation at_last = activation;
    CHECK(!weft_ksf_near(&tiny, &activation, 5));
    CHECK(memcmp(&activation, &at_last, sizeof activation) == 0 && tiny.used == 3 && tiny.node[3].child == 0);
    CHECK(weft_ksf_known(&tiny, &at_root, 0) && tiny.node[2].count == 2);
}

int main(void)
{
    RUN(the_papers_4_slab_forest_has_its_nodes_and_counters);
    RUN(a_forest_is_written_in_parts_and_then_empty);
    RUN(a_part_holds_as_many_nodes_as_it_says);
    RUN(a_loop_of_two_paths_is_two_roots_and_their_children);
    RUN(a_full_pool_takes_nothing_until_it_is_written);
    RUN(a_counter_does_not_wrap);
    RUN(sizes_that_cannot_work_are_refused);
    RUN(the_check_sees_each_broken_ring);
    RUN(the_next_siblings_are_near);
    RUN(a_root_that_is_there_is_near);
    RUN(the_first_child_is_made_near_its_node);
    return check_failed();
}
