/* SPDX-License-Identifier: MIT */
/* Small enough for a board with 16 KB of RAM: one stream of each kind in every method and context size. */
#include "core/bfcm.h"
#include "tests/lib/check.h"

#include <string.h>

#define VALUES 200u
#define BITS 5u
#define WORDS (2u << BITS)

typedef struct world {
    uint32_t tables[WORDS];
    uint32_t misses[VALUES];
    uint8_t flags[VALUES / 2];
    weft_bfcm b;
} world;

static world one;
static uint32_t values[VALUES];

enum { STREAMS = 5 };

static void make_stream(unsigned kind)
{
    check_random random = {kind + 1u};
    for (unsigned i = 0; i < VALUES; i++) {
        static const uint32_t pattern[] = {1, 2, 3, 4, 5, 4, 6};
        uint32_t r = check_random_next(&random);
        values[i] = kind == 0   ? 7u
                    : kind == 1 ? 0x20000000u + 4u * i
                    : kind == 2 ? pattern[i % WEFT_COUNT(pattern)]
                    : kind == 3 ? r % 3u * 1000u
                                : r;
    }
}

static weft_bfcm_config config_of(world *w, unsigned method, unsigned size)
{
    weft_bfcm_config config = {
        .method = (weft_bfcm_method)method,
        .context = weft_bfcm_contexts[method][size],
        .table_bits = BITS,
        .tables = w->tables,
        .flags = w->flags,
        .values_max = VALUES,
        .misses = w->misses,
        .misses_max = VALUES,
    };
    return config;
}

/* Pushes all, walks to the start and back to the end, checking every value and every invariant. */
static bool round_trip(unsigned method, unsigned size)
{
    weft_bfcm_config config = config_of(&one, method, size);
    uint32_t value;
    EXPECT(weft_bfcm_init(&one.b, &config) == WEFT_OK);
    for (unsigned i = 0; i < VALUES; i++) {
        EXPECT(weft_bfcm_push(&one.b, values[i]) == WEFT_OK);
        EXPECT(weft_bfcm_check(&one.b) && one.b.value == values[i]);
    }
    EXPECT(weft_bfcm_push(&one.b, 1) == WEFT_FULL);
    size_t left = one.b.left;
    for (unsigned i = VALUES; i-- > 0;) {
        EXPECT(weft_bfcm_backward(&one.b, &value, 1) == 1 && value == values[i]);
        EXPECT(weft_bfcm_check(&one.b) && one.b.at == i);
    }
    EXPECT(weft_bfcm_backward(&one.b, &value, 1) == 0);
    for (unsigned i = 0; i < VALUES; i++) {
        EXPECT(weft_bfcm_forward(&one.b, &value, 1) == 1 && value == values[i]);
        EXPECT(weft_bfcm_check(&one.b));
    }
    EXPECT(weft_bfcm_forward(&one.b, &value, 1) == 0);
    EXPECT(one.b.left == left && one.b.right == 0);
    return true;
}

static void every_method_gives_every_stream_back_in_both_directions(void)
{
    for (unsigned kind = 0; kind < STREAMS; kind++)
        for (unsigned method = 0; method < WEFT_BFCM_METHODS; method++)
            for (unsigned size = 0; size < WEFT_BFCM_SIZES; size++) {
                make_stream(kind);
                CHECK(round_trip(method, size));
            }
}

/* At the start, only words of the tables that look right differ from 0. Going back undid the others. */
static void at_the_start_the_tables_that_look_left_are_as_new(void)
{
    make_stream(2);
    for (unsigned size = 0; size < WEFT_BFCM_SIZES; size++) {
        CHECK(round_trip(WEFT_BFCM_FCM, size));
        CHECK_EQ(weft_bfcm_backward(&one.b, NULL, VALUES), VALUES);
        for (unsigned i = 0; i < WORDS; i += 2)
            CHECK_EQ(one.tables[i], 0);
        CHECK_EQ(one.b.left, 0);
    }
}

/* The example of core/bfcm.h. */
static void a_step_back_restores_the_tables(void)
{
    static const uint32_t stream[] = {1, 2, 1, 2};
    weft_bfcm_config config = config_of(&one, WEFT_BFCM_FCM, 0);
    CHECK_EQ(weft_bfcm_init(&one.b, &config), WEFT_OK);
    for (unsigned i = 0; i < WEFT_COUNT(stream); i++)
        CHECK_EQ(weft_bfcm_push(&one.b, stream[i]), WEFT_OK);
    CHECK_EQ(one.flags[0], 0x6); /* 0 1 1 0, lowest first */
    CHECK_EQ(one.b.left, 2);
    uint32_t after_2 = one.b.row, value;
    CHECK_EQ(one.tables[2 * after_2], 1);
    CHECK_EQ(weft_bfcm_backward(&one.b, &value, 1), 1);
    uint32_t after_1 = one.b.row;
    CHECK_EQ(one.flags[0], 0xe);
    CHECK(one.tables[2 * after_1] == 2 && one.tables[2 * after_1 + 1] == 2 && one.b.right == 1);
    CHECK_EQ(weft_bfcm_backward(&one.b, &value, 1), 1);
    CHECK(one.tables[2 * after_1] == 0 && one.tables[2 * after_2 + 1] == 1 && one.b.left == 1 && one.b.right == 2);
    CHECK_EQ(weft_bfcm_forward(&one.b, NULL, 2), 2);
    CHECK_EQ(one.flags[0], 0x6);
    CHECK(one.tables[2 * after_1 + 1] == 0 && one.tables[2 * after_2 + 1] == 0 && one.b.right == 0);
}

static void a_pattern_is_predicted_once_it_was_seen(void)
{
    make_stream(2);
    CHECK(round_trip(WEFT_BFCM_FCM, 1));
    CHECK(one.b.left < 20);
    make_stream(1);
    CHECK(round_trip(WEFT_BFCM_LAST_STRIDE, 0));
    CHECK(one.b.left <= 2);
}

static void too_little_room_for_misses_stops_and_changes_nothing(void)
{
    make_stream(4);
    weft_bfcm_config config = config_of(&one, WEFT_BFCM_FCM, 0);
    config.misses_max = 10;
    CHECK_EQ(weft_bfcm_init(&one.b, &config), WEFT_OK);
    unsigned taken = 0;
    while (taken < VALUES && weft_bfcm_push(&one.b, values[taken]) == WEFT_OK)
        taken++;
    CHECK(taken >= 10 && taken < VALUES);
    weft_bfcm before = one.b;
    CHECK_EQ(weft_bfcm_push(&one.b, values[taken]), WEFT_FULL);
    CHECK(!memcmp(&before, &one.b, sizeof before));
}

static void impossible_settings_are_refused(void)
{
    weft_bfcm_config config = config_of(&one, WEFT_BFCM_FCM, 0);
    config.context = 3;
    CHECK_EQ(weft_bfcm_init(&one.b, &config), WEFT_CONFIG);
    config = config_of(&one, WEFT_BFCM_FCM, 0);
    config.table_bits = 0;
    CHECK_EQ(weft_bfcm_init(&one.b, &config), WEFT_CONFIG);
    config = config_of(&one, WEFT_BFCM_FCM, 0);
    config.tables = NULL;
    CHECK_EQ(weft_bfcm_init(&one.b, &config), WEFT_CONFIG);
}

static void trial_picks_a_stride_method_for_strides_and_a_context_method_for_patterns(void)
{
    weft_bfcm_config config = config_of(&one, WEFT_BFCM_FCM, 0);
    make_stream(1);
    weft_bfcm_choose(&config, values, VALUES);
    CHECK(config.method == WEFT_BFCM_DFCM || config.method == WEFT_BFCM_LAST_STRIDE);
    make_stream(2);
    weft_bfcm_choose(&config, values, VALUES);
    CHECK(config.method == WEFT_BFCM_FCM || config.method == WEFT_BFCM_DFCM);
}

int main(void)
{
    RUN(every_method_gives_every_stream_back_in_both_directions);
    RUN(at_the_start_the_tables_that_look_left_are_as_new);
    RUN(a_step_back_restores_the_tables);
    RUN(a_pattern_is_predicted_once_it_was_seen);
    RUN(too_little_room_for_misses_stops_and_changes_nothing);
    RUN(impossible_settings_are_refused);
    RUN(trial_picks_a_stride_method_for_strides_and_a_context_method_for_patterns);
    return check_failed();
}
