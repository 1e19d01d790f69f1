/* SPDX-License-Identifier: MIT */
/* Ball-Larus numbering, and packs of paths, against enumeration: random graphs (irreducible, with multiple edges,
 * self-loops, blocks without a way out, unreachable blocks), all paths walked one by one. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/image/ballarus.h"

#define BLOCKS_MAX 12
#define EDGES_MAX 40
#define PATHS_MAX 4096

static check_random rng = {2463534242u};

typedef struct world {
    uint32_t blocks, edges;
    ballarus_edge edge[EDGES_MAX];
    bool start[BLOCKS_MAX];
} world;

static void add_edge(world *w, uint32_t from, uint32_t to, bool cut)
{
    if (w->edges < EDGES_MAX)
        w->edge[w->edges++] = (ballarus_edge){
            .from = from, .to = to, .cut = cut && to != BALLARUS_EXIT, .weight = check_random_below(&rng, 1000)};
}

static void random_world(world *w)
{
    memset(w, 0, sizeof *w);
    w->blocks = 1 + check_random_below(&rng, BLOCKS_MAX);
    uint32_t cuts = check_random_below(&rng, 4), exits = check_random_below(&rng, 4);
    add_edge(w, BALLARUS_ENTRY, check_random_below(&rng, w->blocks), check_random_below(&rng, 4) < cuts);
    for (uint32_t b = 0; b < w->blocks; b++) {
        uint32_t degree = check_random_below(&rng, 4);
        for (uint32_t i = 0; i < degree; i++) {
            bool exit = check_random_below(&rng, 8) < exits;
            add_edge(w, b, exit ? BALLARUS_EXIT : check_random_below(&rng, w->blocks),
                     check_random_below(&rng, 8) < cuts);
        }
        w->start[b] = check_random_below(&rng, 12) == 0;
    }
}

/* All paths of the cut graph, by walking: each seen once, with its number by values and by increments. */
typedef struct walk {
    const ballarus *g;
    uint32_t blocks[BLOCKS_MAX + 1];
    size_t count;
    bool from_entry;
    uint8_t seen[PATHS_MAX];
    uint64_t paths;
    bool wrong;
} walk;

static void path_ends(walk *w, uint32_t edge, uint32_t value, uint32_t sum)
{
    uint32_t blocks[BLOCKS_MAX];
    ballarus_ends ends;
    w->paths++;
    if (value != sum || value >= w->g->count || w->seen[value]++) {
        w->wrong = true;
        return;
    }
    size_t count = ballarus_expand(w->g, value, blocks, BLOCKS_MAX, &ends);
    bool at_exit = edge != BALLARUS_NONE && w->g->edge[edge].to == BALLARUS_EXIT;
    w->wrong |= count != w->count || memcmp(blocks, w->blocks, count * sizeof *blocks) != 0 || ends.edge != edge ||
                ends.at_exit != at_exit || ends.from_entry != w->from_entry;
}

static void walk_edge(walk *w, uint32_t edge, uint32_t value, uint32_t sum);

static void walk_block(walk *w, uint32_t block, uint32_t value, uint32_t sum)
{
    bool any = false;
    if (w->count == BLOCKS_MAX || w->wrong) { /* a cycle that was not cut */
        w->wrong = true;
        return;
    }
    w->blocks[w->count++] = block;
    for (uint32_t i = 0; i < w->g->edge_count; i++) {
        if (w->g->edge[i].from == block) {
            walk_edge(w, i, value, sum);
            any = true;
        }
    }
    if (!any) /* nothing is recorded at such an end, so increments need not agree */
        path_ends(w, BALLARUS_NONE, value, value);
    w->count--;
}

static void walk_edge(walk *w, uint32_t edge, uint32_t value, uint32_t sum)
{
    const ballarus_edge *e = &w->g->edge[edge];
    value += e->value;
    sum += e->increment;
    if (e->cut || e->to == BALLARUS_EXIT)
        path_ends(w, edge, value, sum);
    else
        walk_block(w, e->to, value, sum);
}

static void walk_all(walk *w)
{
    const ballarus *g = w->g;
    w->from_entry = true;
    for (uint32_t i = 0; i < g->edge_count; i++)
        if (g->edge[i].from == BALLARUS_ENTRY)
            walk_edge(w, i, 0, 0);
    w->from_entry = false;
    for (uint32_t b = 0; b < g->block_count; b++)
        if (g->start[b])
            walk_block(w, b, g->start_value[b], g->start_increment[b]);
}

static bool numbers_are_right(const world *given, uint64_t limit)
{
    static walk w; /* large */
    ballarus *g = ballarus_new(given->blocks, given->edge, given->edges, given->start, limit);
    EXPECT(g);
    memset(&w, 0, sizeof w);
    w.g = g;
    if (g->count < PATHS_MAX) {
        walk_all(&w);
        EXPECT(!w.wrong);
        EXPECT(w.paths == g->count);
    }
    for (uint32_t i = 0; i < given->edges; i++)
        EXPECT(g->edge[i].cut || !given->edge[i].cut);
    for (uint32_t i = 0; i < g->edge_count; i++) /* a path starts where a cut edge leads */
        EXPECT(!g->edge[i].cut || g->start[g->edge[i].to]);
    ballarus_free(g);
    return true;
}

static void paths_of_random_graphs_are_numbered_one_to_one(void)
{
    int rounds = (int)check_amount(20000, 80000, 200000);
    for (int i = 0; i < rounds && !check_failing(); i++) {
        world w;
        random_world(&w);
        if (!numbers_are_right(&w, BALLARUS_LIMIT))
            return;
    }
}

static void small_limits_cut_more_and_still_number_one_to_one(void)
{
    int rounds = (int)check_amount(10000, 40000, 100000);
    for (int i = 0; i < rounds && !check_failing(); i++) {
        world w;
        random_world(&w);
        if (!numbers_are_right(&w, check_random_below(&rng, 40)))
            return;
    }
}

/* 200 diamonds in a row: 2^200 paths. */
static void a_limit_is_kept(void)
{
    enum { DIAMONDS = 200 };
    static ballarus_edge edges[DIAMONDS * 4 + 2];
    uint32_t count = 0, block = 0;
    edges[count++] = (ballarus_edge){.from = BALLARUS_ENTRY, .to = 0};
    for (int i = 0; i < DIAMONDS; i++, block += 3) {
        edges[count++] = (ballarus_edge){.from = block, .to = block + 1};
        edges[count++] = (ballarus_edge){.from = block, .to = block + 2};
        edges[count++] = (ballarus_edge){.from = block + 1, .to = block + 3};
        edges[count++] = (ballarus_edge){.from = block + 2, .to = block + 3};
    }
    edges[count++] = (ballarus_edge){.from = block, .to = BALLARUS_EXIT};
    for (uint64_t limit = UINT64_C(1) << 32; limit >= 2048; limit /= 2) {
        ballarus *g = ballarus_new(block + 1, edges, count, NULL, limit);
        CHECK(g);
        CHECK(g->count <= limit);
        CHECK(g->count > limit / 64 || limit > 1u << 30);
        uint32_t blocks[DIAMONDS * 3 + 1];
        ballarus_ends ends;
        for (int i = 0; i < 1000; i++) { /* expansion fits the sum of values */
            uint32_t number = (uint32_t)(((uint64_t)check_random_next(&rng) * g->count) >> 32);
            size_t length = ballarus_expand(g, number, blocks, DIAMONDS * 3 + 1, &ends);
            CHECK(length <= DIAMONDS * 3 + 1);
            CHECK(ends.edge != BALLARUS_NONE);
        }
        ballarus_free(g);
    }
}

/* Ball & Larus 1996, figure 2: A to F, six paths. */
static void the_paper_s_example_has_six_paths(void)
{
    enum { A, B, C, D, E, F };
    const ballarus_edge edges[] = {{.from = BALLARUS_ENTRY, .to = A},
                                   {.from = A, .to = C},
                                   {.from = A, .to = B},
                                   {.from = B, .to = C},
                                   {.from = B, .to = D},
                                   {.from = C, .to = D},
                                   {.from = D, .to = F},
                                   {.from = D, .to = E},
                                   {.from = E, .to = F},
                                   {.from = F, .to = BALLARUS_EXIT}};
    ballarus *g = ballarus_new(6, edges, 10, NULL, BALLARUS_LIMIT);
    CHECK(g);
    CHECK_EQ(g->count, 6);
    CHECK_EQ(g->edge[2].value, 2); /* A -> B */
    CHECK_EQ(g->edge[4].value, 2); /* B -> D */
    CHECK_EQ(g->edge[7].value, 1); /* D -> E */
    uint32_t chords = 0;
    for (int i = 0; i < 10; i++)
        chords += g->edge[i].increment != 0;
    CHECK(chords <= 4); /* 10 edges, 7 nodes with ENTRY and EXIT as one */
    ballarus_free(g);
}

static void bad_graphs_are_refused(void)
{
    const ballarus_edge no_target = {.from = 0, .to = 1}, no_source = {.from = 7, .to = 0};
    const ballarus_edge cut_exit = {.from = 0, .to = BALLARUS_EXIT, .cut = true};
    CHECK(!ballarus_new(1, &no_target, 1, NULL, 10));
    CHECK(!ballarus_new(1, &no_source, 1, NULL, 10));
    CHECK(!ballarus_new(1, &cut_exit, 1, NULL, 10));
    ballarus *g = ballarus_new(0, NULL, 0, NULL, 10);
    CHECK(g);
    uint32_t block;
    ballarus_ends ends;
    CHECK_EQ(ballarus_expand(g, 0, &block, 1, &ends), 0);
    CHECK(ballarus_expand(g, 1, &block, 1, &ends) == SIZE_MAX);
    ballarus_free(g);
}

/* ---- packs ---- */

#define WORDS (1u << 14)

/* All packs below WORDS, by walking from path to path. */
typedef struct pack_walk {
    const ballarus *g;
    const bool *apart;
    uint8_t seen[WORDS];
    uint32_t paths[BALLARUS_PACK_MAX];
    bool wrong;
} pack_walk;

static unsigned bits_of(uint64_t count, unsigned least)
{
    unsigned bits = 0;
    while (UINT64_C(1) << bits < count)
        bits++;
    return bits < least ? least : bits;
}

static bool same_paths(const pack_walk *w, uint32_t word, size_t count)
{
    uint32_t paths[BALLARUS_PACK_MAX];
    return ballarus_unpack(w->g, w->apart, word, paths) == count && memcmp(paths, w->paths, count * sizeof *paths) == 0;
}

static void walk_packs(pack_walk *w, uint32_t word, size_t count)
{
    ballarus_ends ends;
    if (w->seen[word]++ || count == BALLARUS_PACK_MAX || !same_paths(w, word, count) ||
        ballarus_pack(w->g, w->apart, w->paths, count) != word)
        w->wrong = true;
    if (w->wrong || ballarus_expand(w->g, w->paths[count - 1], NULL, 0, &ends) == SIZE_MAX)
        return;
    if (ends.edge == BALLARUS_NONE || w->g->edge[ends.edge].to == BALLARUS_EXIT)
        return;
    uint32_t block = w->g->edge[ends.edge].to;
    unsigned bits = bits_of(w->g->ways[block], 1);
    for (uint32_t i = 0; (!w->apart || !w->apart[block]) && i < w->g->ways[block]; i++) {
        uint64_t longer = (uint64_t)word << bits | i;
        w->paths[count] = w->g->start_value[block] + i;
        if (longer < WORDS)
            walk_packs(w, (uint32_t)longer, count + 1);
    }
}

/* Every word unpacks to a pack of the walk, or to nothing. */
static bool words_are_right(const ballarus *g, const bool *apart)
{
    static pack_walk w; /* large */
    uint32_t paths[BALLARUS_PACK_MAX];
    memset(&w, 0, sizeof w);
    w.g = g;
    w.apart = apart;
    for (uint32_t i = 0; i < g->count && (UINT64_C(1) << bits_of(g->count, 0) | i) < WORDS; i++) {
        w.paths[0] = i;
        walk_packs(&w, 1u << bits_of(g->count, 0) | i, 1);
    }
    EXPECT(!w.wrong);
    for (uint32_t word = 0; word < WORDS; word++)
        EXPECT(w.seen[word] || ballarus_unpack(g, apart, word, paths) == 0);
    return true;
}

static void all_words_of_small_graphs_are_packs_or_refused(void)
{
    int rounds = (int)check_amount(300, 700, 1500);
    for (int i = 0; i < rounds && !check_failing(); i++) {
        world w;
        bool apart[BLOCKS_MAX];
        random_world(&w);
        for (uint32_t b = 0; b < BLOCKS_MAX; b++)
            apart[b] = check_random_below(&rng, 6) == 0;
        ballarus *g = ballarus_new(w.blocks, w.edge, w.edges, w.start, check_random_below(&rng, 60));
        CHECK(g);
        if (!words_are_right(g, NULL) || !words_are_right(g, apart))
            return;
        ballarus_free(g);
    }
}

/* As many consecutive paths as a word holds, then one more. */
static bool longest_pack(const ballarus *g)
{
    uint32_t paths[BALLARUS_PACK_MAX + 1], back[BALLARUS_PACK_MAX], word = 0;
    size_t count = 0;
    unsigned bits = 0;
    uint32_t next = check_random_below(&rng, (uint32_t)g->count);
    for (;;) {
        ballarus_ends ends;
        paths[count] = next;
        uint32_t longer = ballarus_pack(g, NULL, paths, count + 1);
        if (!longer)
            break;
        EXPECT(count < BALLARUS_PACK_MAX);
        word = longer;
        EXPECT(ballarus_unpack(g, NULL, word, back) == ++count);
        EXPECT(memcmp(back, paths, count * sizeof *back) == 0);
        EXPECT(ballarus_expand(g, next, NULL, 0, &ends) != SIZE_MAX);
        if (ends.edge == BALLARUS_NONE || ends.at_exit)
            return true;
        uint32_t block = g->edge[ends.edge].to;
        next = g->start_value[block] + check_random_below(&rng, (uint32_t)g->ways[block]);
        bits = bits_of(g->ways[block], 1);
    }
    EXPECT(word >> (32 - bits)); /* it has no room for the last */
    return true;
}

static void long_packs_of_random_graphs_come_back(void)
{
    int rounds = (int)check_amount(5000, 20000, 50000);
    for (int i = 0; i < rounds && !check_failing(); i++) {
        world w;
        random_world(&w);
        ballarus *g = ballarus_new(w.blocks, w.edge, w.edges, w.start, BALLARUS_LIMIT);
        CHECK(g);
        bool right = longest_pack(g);
        ballarus_free(g);
        if (!right)
            return;
    }
}

/* A loop of one block: two paths, the first and all that follow; 31 fit a word. */
static void a_pack_of_a_bit_per_path_holds_31(void)
{
    const ballarus_edge edges[] = {{.from = BALLARUS_ENTRY, .to = 0}, {.from = 0, .to = 0}};
    uint32_t paths[BALLARUS_PACK_MAX] = {0}, back[BALLARUS_PACK_MAX];
    ballarus *g = ballarus_new(1, edges, 2, NULL, BALLARUS_LIMIT);
    CHECK(g);
    CHECK_EQ(g->count, 2);
    for (size_t i = 1; i < BALLARUS_PACK_MAX; i++)
        paths[i] = 1;
    CHECK_EQ(ballarus_pack(g, NULL, paths, 31), UINT32_C(1) << 31);
    CHECK_EQ(ballarus_pack(g, NULL, paths, 32), 0);
    CHECK_EQ(ballarus_unpack(g, NULL, UINT32_C(1) << 31, back), 31);
    CHECK_EQ(ballarus_unpack(g, NULL, UINT32_C(1) << 31 | 1, back), 0); /* no such digit: the loop has one path */
    CHECK_EQ(ballarus_unpack(g, NULL, 0, back), 0);
    CHECK_EQ(ballarus_unpack(g, NULL, 1, back), 0); /* its first path is cut off */
    paths[1] = 0;
    CHECK_EQ(ballarus_pack(g, NULL, paths, 2), 0); /* the entry does not follow */
    CHECK_EQ(ballarus_pack(g, NULL, paths, 0), 0);
    ballarus_free(g);
}

int main(void)
{
    RUN(the_paper_s_example_has_six_paths);
    RUN(bad_graphs_are_refused);
    RUN(a_limit_is_kept);
    RUN(paths_of_random_graphs_are_numbered_one_to_one);
    RUN(small_limits_cut_more_and_still_number_one_to_one);
    RUN(a_pack_of_a_bit_per_path_holds_31);
    RUN(all_words_of_small_graphs_are_packs_or_refused);
    RUN(long_packs_of_random_graphs_come_back);
    return check_failed();
}
