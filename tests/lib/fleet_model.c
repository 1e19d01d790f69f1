/* SPDX-License-Identifier: MIT */
#include "tests/lib/fleet_model.h"

#include <stdio.h>
#include <string.h>

enum { PATHS = 12, FUNCTIONS = 3, DEPTH = 4 };

static const char *const label_texts[] = {"", "version=1.3", "version=1.4", "site=a,version=1.4"};

static void fill_forest(merged *m, merged_group *g, check_random *random, uint32_t set)
{
    uint32_t levels = g->k < 2 ? 1 : 2 * g->k - 2, walks = 1 + check_random_below(random, 8);
    for (uint32_t w = 0; w < walks; w++) {
        uint32_t node = check_random_below(random, 9) ? TRIE_ROOT : TRIE_UNKNOWN;
        for (uint32_t d = 0; d < levels && check_random_below(random, DEPTH); d++) {
            uint32_t count = check_random_below(random, 4);
            node = merged_add_node(m, g, node, check_random_below(random, PATHS), count, count ? set : SETS_NONE);
        }
    }
}

static void fill_tables(merged *m, merged_group *g, check_random *random)
{
    for (uint32_t i = 0; i < PATHS; i++) {
        uint64_t count = check_random_below(random, 1000), calls = check_random_below(random, 100);
        if (count & 1)
            continue;
        merged_path *p = merged_path_of(g, i);
        p->price = 10 * i;
        p->count += count;
        p->recordings++;
        p->squares += (wide)count * count;
        p->cross += (wide)count * calls;
    }
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        uint64_t self = (uint64_t)check_random_next(random) << 8, calls = check_random_below(random, 5);
        merged_function *f = merged_function_of(g, i);
        f->recordings++;
        f->calls += calls;
        f->self += self;
        f->self_squares += (wide)self * self;
        f->calls_squares += (wide)calls * calls;
        f->cross += (wide)calls * self;
        f->whole = calls;
        f->min = calls ? self / 2 : 0;
        f->max = calls ? self : 0;
    }
    rounds_loop loop = {.head = check_random_below(random, 3), .entries = 2, .sum = 9};
    loop.min = 1 + check_random_below(random, 3);
    loop.max = 9 - loop.min;
    loop.bin[check_random_below(random, ROUNDS_BINS)] = 2;
    merged_add_loop(m, g, &loop);
    uint32_t context = merged_add_chain(m, g, TRIE_ROOT, check_random_below(random, 2), 0, 0);
    for (uint32_t d = check_random_below(random, 6); d > 0; d--)
        context = merged_add_chain(m, g, context, check_random_below(random, FUNCTIONS), d, 7 * d);
}

merged *fleet_model_recording(uint32_t number)
{
    check_random random = {number * 2654435761u + 1};
    uint8_t identity[5] = "I123";
    char device[24];
    merged *m = merged_new();
    for (int i = 0; i < 8; i++)
        check_random_next(&random);
    snprintf(device, sizeof device, "device %u", check_random_below(&random, 40));
    identity[4] = (uint8_t)check_random_below(&random, 3);
    const char *labels = label_texts[check_random_below(&random, 4)];
    uint32_t of = merged_image_of(m, identity, sizeof identity);
    merged_group *g = merged_group_of(m, of, 1 + check_random_below(&random, 3), labels, strlen(labels));
    uint32_t member = texts_of(&m->names, device, strlen(device));
    digests_add(&m->recordings, ((uint64_t)check_random_next(&random) << 32 | number) + 1);
    digests_add(&m->devices, check_random_next(&random));
    g->totals.recordings = 1;
    g->totals.paths = check_random_below(&random, 1000);
    g->totals.lost = check_random_below(&random, 3);
    fill_forest(m, g, &random, sets_of(&m->sets, &member, 1));
    fill_tables(m, g, &random);
    return m;
}
