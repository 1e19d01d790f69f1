/* SPDX-License-Identifier: MIT */
/* An interrupt at each instruction of a probe that looks for a path's node in a k-slab forest, and makes it and the
 * nodes that lead to it. Its handler takes the same paths in an activation of its own, and so makes or counts the same
 * nodes. After each instant the forest is the one that both streams make one after the other: no node is made twice,
 * none is lost, and each count is right. Build with PROBES=none; the calls of the probes stand here. Run with -icount
 * shift=6, as tests/target/programs/gate. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/probes.h"
#include "port/cortex-m/weft_profile.h"

enum { NODES = 60, FIRST_TICK = 4, TICKS_MAX = 4000 };

WEFT_PROFILE_DEF(two, 2, NODES);
WEFT_PROFILE_DEF(four, 4, NODES);
static weft_ksf expected;
static weft_ksf_node expected_nodes[NODES];
static weft_handle expected_roots[64];

/* Paths are letters. */
typedef struct work {
    const char *name;
    const weft_profile *profile;
    const char *before;  /* activations that have ended, with spaces between */
    const char *path;    /* the last one is interrupted */
    const char *handler; /* an activation */
} work;

static const work works[] = {
    {"a root", &two, "", "a", "a"},
    {"one root of two in a ring", &two, "A", "\x01", "\x01"}, /* both have the same hash with 64 roots */
    {"the edge used last", &two, "ab", "ab", "ab"},
    {"the first child", &two, "a", "ab", "ab"},
    {"the first child, of which the handler makes another", &two, "a", "ab", "ac"},
    {"a second child", &two, "ac", "ab", "ab"},
    {"a second child, where the handler makes another", &two, "ac", "ab", "ad"},
    {"a child that is found", &two, "ab ac", "ab", "ab"},
    {"a child that is found late", &two, "ab ac ad ae af ag ah ai", "ab", "abad"},
    {"a link, with its root", &two, "", "abc", "abc"},
    {"a link to a root that is there", &two, "b", "abc", "abc"},
    {"a link to a root that has children", &two, "bd", "abc", "abc"},
    {"a link to a child that is there", &two, "bc bd", "abc", "abc"},
    {"a path after a link", &two, "abc", "abcd", "abcd"},
    {"the first child, k = 4", &four, "ab", "abc", "abcd"},
    {"a link of three nodes", &four, "abcdef", "abcdefg", "abcdefg"},
    {"a link of which two are missing", &four, "d", "abcdefg", "abcdefg"},
    {"a link of which one is missing", &four, "de", "abcdefg", "abcdefg"},
    {"a link of which others are there", &four, "dex dyx", "abcdefg", "abcdefg"},
    {"a link that is there", &four, "defz", "abcdefg", "abcdefg"},
    {"a link to a child that is there, k = 4", &four, "defg", "abcdefg", "abcdefg"},
    {"the same link of another node", &four, "", "abcdefg", "xyzdefg"},
    {"a link, where the handler's begins alike", &four, "", "abcdefg", "abcdezg"},
    {"two links of an activation", &four, "abcdefg", "abcdefghij", "abcdefghij"},
};

void SysTick_Handler(void);

static weft_status take(void *context, const uint8_t *frame, size_t size)
{
    (void)context, (void)frame, (void)size;
    return WEFT_OK;
}
static const weft_sink sink = {NULL, take};

static volatile bool fired, done, returned;
static const char *volatile in_handler;

static void count(const char *paths, size_t size)
{
    uint32_t activation[4] = {0};
    for (size_t i = 0; i < size; i++)
        __weft_kpath((uint8_t)paths[i], activation);
}

void SysTick_Handler(void)
{
    WEFT_SYST_CSR = 0;
    if (fired)
        return;
    fired = true;
    returned = done;
    count(in_handler, strlen(in_handler));
}

static void set_timer(uint32_t ticks)
{
    WEFT_SYST_RVR = ticks;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
}

static void expect(const char *paths)
{
    weft_ksf_activation activation = {0};
    for (; *paths && *paths != ' '; paths++)
        if (weft_ksf_push(&expected, &activation, (uint8_t)*paths) != WEFT_OK)
            printf("no room for what is expected\n");
}

/* The expected forest's node that stands for the same sequence; 0: there is none. */
static weft_handle same(const weft_ksf *forest, weft_handle handle)
{
    const weft_ksf_node *node = &forest->node[handle];
    weft_handle parent = node->parent ? same(forest, node->parent) : 0;
    if (node->parent && !parent)
        return 0;
    weft_handle first = *weft_ksf_ring(&expected, parent, node->label);
    return first ? weft_ksf_search(&expected, first, node->label, NODES) : 0;
}

static bool as_expected(const weft_ksf *forest)
{
    bool right = weft_ksf_check(forest) && forest->used == expected.used;
    for (weft_handle node = 1; right && node <= forest->used; node++) {
        weft_handle other = same(forest, node);
        right = other && forest->node[node].count == expected.node[other].count;
    }
    return right;
}

/* Each activation of `paths`, which spaces part. */
static void for_each(const char *paths, void (*then)(const char *paths, size_t size))
{
    while (*paths) {
        size_t size = strcspn(paths, " ");
        then(paths, size);
        paths += size + (paths[size] == ' ');
    }
}

static void expect_some(const char *paths, size_t size)
{
    (void)size;
    expect(paths);
}

static uint32_t tried, wrong;

/* True: the interrupt came after the probe. */
static bool try_one(const work *w, uint32_t ticks)
{
    uint32_t activation[4] = {0};
    size_t last = strlen(w->path) - 1;
    fired = done = returned = false;
    in_handler = w->handler;
    bool right = weft_profile_begin(w->profile, &sink, NULL) == WEFT_OK;
    for_each(w->before, count);
    for (size_t i = 0; i < last; i++)
        __weft_kpath((uint8_t)w->path[i], activation);
    set_timer(ticks);
    __weft_kpath((uint8_t)w->path[last], activation);
    done = true;
    while (!fired)
        ;
    right &= as_expected(w->profile->forest);
    right &= weft_stop() == WEFT_OK;
    tried++;
    if (!right && !wrong++)
        printf("first wrong: %s, tick %u\n", w->name, (unsigned)ticks);
    return returned;
}

int main(void)
{
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        const work *w = &works[i];
        weft_ksf_config config = *w->profile->forest_config;
        uint32_t before = tried, wrong_before = wrong;
        config.node = expected_nodes;
        config.roots = expected_roots;
        if (weft_ksf_init(&expected, &config) != WEFT_OK)
            return 2;
        for_each(w->before, expect_some);
        expect(w->path);
        expect(w->handler);
        for (uint32_t ticks = FIRST_TICK; ticks < TICKS_MAX && !try_one(w, ticks); ticks++)
            ;
        printf("%s: %u of %u instants wrong\n", w->name, (unsigned)(wrong - wrong_before), (unsigned)(tried - before));
    }
    printf("%u instants, %u wrong\n", (unsigned)tried, (unsigned)wrong);
    return wrong != 0;
}
