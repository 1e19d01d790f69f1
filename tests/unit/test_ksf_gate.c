/* SPDX-License-Identifier: MIT */
/* The gate of a k-slab forest, and how many paths a segment holds. */
#include <string.h>

#include "core/ksf.h"
#include "tests/lib/check.h"

WEFT_KSF_DEF(forest, 4, 40, 4);

/* A probe may go through the gate while nobody works on the forest. */
static void the_gate_lets_known_paths_in_while_it_is_open(void)
{
    weft_ksf_node none = {0}; /* no path is known there */
    weft_ksf_gate gate = {WEFT_KSF_SHUT, &none};
    weft_ksf_activation activation = {0}, before;
    uint8_t bytes[WEFT_KSF_PART_MIN];
    weft_writer out;
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    CHECK(!weft_ksf_pass(&gate, &activation, 0));
    weft_ksf_open(&forest, &gate);
    CHECK(!weft_ksf_pass(&gate, &activation, 0)); /* the first path of an activation */
    for (unsigned i = 0; i < 20; i++)
        CHECK_EQ(weft_ksf_push(&forest, &activation, 1), WEFT_OK);
    before = activation;
    CHECK(!weft_ksf_pass(&gate, &activation, 2) && memcmp(&activation, &before, sizeof before) == 0);
    CHECK(weft_ksf_pass(&gate, &activation, 1));
    CHECK(weft_ksf_known(&forest, &before, 1) && memcmp(&activation, &before, sizeof before) == 0);
    weft_ksf_shut(&forest);
    CHECK(!weft_ksf_pass(&gate, &activation, 1));
    weft_ksf_open(&forest, &gate);
    forest.node[activation.at >> 16].count = forest.node[forest.node[activation.at >> 16].child].count = UINT32_MAX;
    CHECK(!weft_ksf_pass(&gate, &activation, 1));
    weft_writer_init(&out, bytes, sizeof bytes);
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_AGAIN);
    CHECK_EQ(gate.open, WEFT_KSF_SHUT);
    weft_ksf_open(&forest, &gate);
    CHECK_EQ(gate.open, WEFT_KSF_SHUT); /* it is being written */
    weft_ksf_restart(&forest, 7);
    weft_ksf_open(&forest, &gate);
    CHECK_EQ(gate.open, 7);
    CHECK_EQ(weft_ksf_close(&forest), 0);
    CHECK_EQ(gate.open, WEFT_KSF_SHUT); /* though it is empty */
}

/* All paths since the last segment, whatever nodes they are counted at, and once. */
static void a_segment_that_ends_says_how_many_paths_it_holds(void)
{
    WEFT_KSF_DEF(small, 3, 12, 2);
    uint8_t part[200];
    weft_ksf_activation activation[3] = {{0}};
    check_random random = {11};
    uint64_t held = 0, sum = 0;
    CHECK_EQ(weft_ksf_init(&small, &small_config), WEFT_OK);
    CHECK_EQ(weft_ksf_close(&small), 0);
    for (unsigned events = 0; events < 2000; events++) {
        uint32_t path = check_random_below(&random, 3);
        weft_ksf_activation *a = &activation[check_random_below(&random, 3)];
        if (weft_ksf_push(&small, a, path) != WEFT_OK) {
            weft_writer out;
            CHECK_EQ(weft_ksf_close(&small), held);
            CHECK_EQ(weft_ksf_close(&small), 0);
            CHECK_EQ(weft_ksf_push(&small, a, path), WEFT_FULL);
            weft_writer_init(&out, part, sizeof part);
            CHECK_EQ(weft_ksf_flush(&small, &out), WEFT_OK);
            CHECK_EQ(weft_ksf_push(&small, a, path), WEFT_OK);
            sum += held;
            held = 0;
        }
        held++;
    }
    CHECK(sum > 1000);
    CHECK_EQ(weft_ksf_close(&small), held);
    activation[0] = (weft_ksf_activation){0};
    weft_ksf_restart(&small, 9);
    for (unsigned i = 0; i < 2; i++)
        CHECK_EQ(weft_ksf_push(&small, &activation[0], 1), WEFT_OK);
    small.node[1].count = small.node[2].count = UINT32_MAX;
    CHECK_EQ(weft_ksf_close(&small), 2 * (uint64_t)UINT32_MAX);
}

int main(void)
{
    RUN(the_gate_lets_known_paths_in_while_it_is_open);
    RUN(a_segment_that_ends_says_how_many_paths_it_holds);
    return check_failed();
}
