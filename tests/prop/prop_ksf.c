/* SPDX-License-Identifier: MIT */
/* k-slab forest and k-IPF against a plain count of all n-grams, which shares no code with them. */
#include <stdlib.h>
#include <string.h>

#include "core/ksf.h"
#include "tests/lib/check.h"
#include "tests/lib/ngrams.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/profile/sequences.h"

static bool host_counts(unsigned k)
{
    kipf_activation live[LIVE_MAX];
    kipf *forest = kipf_new(k);
    for (unsigned i = 0; i < stream.size; i++) {
        kipf_activation *a = live + stream.activation[i];
        if (stream.begins[i])
            memset(a, 0, sizeof *a);
        kipf_push(forest, a, stream.path[i]);
    }
    bool right = is_plain_count(forest, k);
    kipf_free(forest);
    return right;
}

/* Events, and a forest of as many others, joined. */
static bool sequences_count(unsigned k, unsigned forest_k, unsigned joined)
{
    kipf_activation activation[LIVE_MAX];
    uint32_t place[LIVE_MAX];
    bool to_forest[LIVE_MAX];
    sequences *all = sequences_new(k);
    kipf *forest = kipf_new(forest_k);
    for (unsigned i = 0; i < stream.size; i++) {
        unsigned live = stream.activation[i];
        if (stream.begins[i]) {
            to_forest[live] = joined && (i & joined);
            activation[live] = (kipf_activation){0};
            place[live] = 0;
        }
        if (to_forest[live])
            kipf_push(forest, activation + live, stream.path[i]);
        else
            sequences_push(all, place + live, stream.path[i]);
    }
    if (joined)
        sequences_add(all, forest);
    kipf_free(forest);
    EXPECT(sequences_events(all) == stream.size);
    verdict v = {0}, again = {0};
    sequences_each(all, k, NULL, compare, &v);
    sequences_each(all, k, NULL, compare, &again);
    sequences_free(all);
    EXPECT(!v.wrong && !again.wrong);
    for (unsigned n = 1; n <= k; n++)
        EXPECT(v.sum[n] == ngrams_of_length(n) && again.sum[n] == v.sum[n]);
    return true;
}

static bool write_segment(weft_ksf *ksf, kipf *forest, check_random *random)
{
    uint8_t part[600];
    weft_status status;
    do {
        weft_writer out;
        weft_reader in;
        weft_writer_init(&out, part, WEFT_KSF_PART_MIN + check_random_below(random, sizeof part - WEFT_KSF_PART_MIN));
        status = weft_ksf_flush(ksf, &out);
        EXPECT(status >= 0 && out.status == WEFT_OK);
        weft_reader_init(&in, part, out.size);
        if (out.size)
            EXPECT(kipf_add_part(forest, &in) == WEFT_OK && weft_reader_left(&in) == 0);
    } while (status == WEFT_AGAIN);
    return true;
}

static bool target_counts(unsigned k, unsigned nodes, unsigned roots, bool check)
{
    static weft_ksf_node node[NODES_MAX];
    static weft_handle root[ROOTS_MAX];
    weft_ksf_config config = {k, node, nodes, root, roots};
    weft_ksf_activation live[LIVE_MAX];
    check_random random = {k * 77777 + nodes};
    weft_ksf ksf;
    EXPECT(weft_ksf_init(&ksf, &config) == WEFT_OK);
    kipf *forest = kipf_new(k);
    for (unsigned i = 0; i < stream.size; i++) {
        weft_ksf_activation *a = live + stream.activation[i];
        if (stream.begins[i])
            memset(a, 0, sizeof *a);
        if (weft_ksf_push(&ksf, a, stream.path[i]) != WEFT_OK) {
            EXPECT(write_segment(&ksf, forest, &random));
            EXPECT(weft_ksf_push(&ksf, a, stream.path[i]) == WEFT_OK);
        }
        EXPECT(!check || weft_ksf_check(&ksf));
    }
    EXPECT(write_segment(&ksf, forest, &random));
    EXPECT(kipf_gaps(forest) == 0 && kipf_events(forest) == stream.size);
    bool right = is_plain_count(forest, k);
    kipf_free(forest);
    return right;
}

/* Pushes in parts; between them come events of other activations, and segments are written. */
typedef struct interrupted {
    weft_ksf ksf;
    weft_ksf_activation live[LIVE_MAX];
    bool busy[LIVE_MAX], wrong; /* busy: an event of the activation is being pushed */
    kipf *forest;
    check_random random;
    unsigned next; /* event */
} interrupted;

static void push_in_parts(interrupted *w, unsigned event);
static void interrupt(interrupted *w)
{
    w->wrong |= check_random_below(&w->random, 24) == 0 && !write_segment(&w->ksf, w->forest, &w->random);
    while (w->next < stream.size && !w->busy[stream.activation[w->next]] && check_random_below(&w->random, 2))
        push_in_parts(w, w->next++);
}

/* The first parts of a path. */
static weft_status begin(interrupted *w, weft_ksf_activation *a, uint32_t path, weft_ksf_place *place)
{
    if (weft_ksf_known(&w->ksf, a, path) || weft_ksf_near(&w->ksf, a, path))
        return WEFT_OK;
    interrupt(w);
    return weft_ksf_look(&w->ksf, place);
}

static void push_in_parts(interrupted *w, unsigned event)
{
    weft_ksf_activation *a = w->live + stream.activation[event];
    weft_ksf_place place;
    if (stream.begins[event])
        memset(a, 0, sizeof *a);
    w->busy[stream.activation[event]] = true;
    for (weft_status status; (status = begin(w, a, stream.path[event], &place)) != WEFT_OK;) {
        while (status == WEFT_AGAIN) {
            interrupt(w);
            weft_ksf_find(&w->ksf, a, stream.path[event], &place);
            interrupt(w);
            status = weft_ksf_take(&w->ksf, a, &place);
        }
        w->wrong |= !weft_ksf_check(&w->ksf);
        if (status == WEFT_OK)
            break;
        w->wrong |= !write_segment(&w->ksf, w->forest, &w->random);
    }
    w->busy[stream.activation[event]] = false;
}

static bool interrupted_counts(unsigned k, unsigned nodes, unsigned roots)
{
    weft_ksf_node node[NODES_MAX];
    weft_handle root[ROOTS_MAX];
    weft_ksf_config config = {k, node, nodes, root, roots};
    interrupted w = {.random = {k * 777 + nodes}, .forest = kipf_new(k)};
    EXPECT(weft_ksf_init(&w.ksf, &config) == WEFT_OK);
    while (w.next < stream.size)
        push_in_parts(&w, w.next++);
    EXPECT(write_segment(&w.ksf, w.forest, &w.random) && !w.wrong);
    EXPECT(kipf_gaps(w.forest) == 0 && kipf_events(w.forest) == stream.size);
    bool right = is_plain_count(w.forest, k);
    kipf_free(w.forest);
    return right;
}

/* A string over 0..2 and 3, the marker, without nesting. */
static void stream_of_digits(uint32_t digits, unsigned length)
{
    int before = -1;
    bool begins = true;
    stream.size = 0;
    for (; length; length--, digits /= 4) {
        if (digits % 4 == 3) {
            begins = true;
            continue;
        }
        unsigned i = stream.size++;
        stream.path[i] = digits % 4;
        stream.activation[i] = 0;
        stream.begins[i] = begins;
        stream.before[i] = begins ? -1 : before;
        before = (int)i;
        begins = false;
    }
}

/* Names of symbols matter to neither side, so one of the six renamings of a string is enough: the one where 0, 1, 2
 * appear in this order. */
static bool is_first_of_its_renamings(uint32_t digits, unsigned length)
{
    unsigned met = 0;
    for (; length; length--, digits /= 4) {
        if (digits % 4 == 3)
            continue;
        if (digits % 4 > met)
            return false;
        met += digits % 4 == met;
    }
    return true;
}

static void every_string_up_to_9_over_3_symbols_and_markers_counts_like_the_plain_model(void)
{
    unsigned longest = check_amount(7, 9, 10);
    for (unsigned length = 0; length <= longest; length++)
        for (uint32_t digits = 0; digits < 1u << 2 * length; digits++) {
            if (!is_first_of_its_renamings(digits, length))
                continue;
            stream_of_digits(digits, length);
            for (unsigned k = 2; k <= 12; k++) {
                unsigned nodes = WEFT_KSF_NODES_MIN + (digits ^ digits >> 9 ^ k) % 9;
                CHECK(host_counts(k) && target_counts(k, 64, 4, length < 7));
                CHECK(k != 2 + digits % 11 || sequences_count(k, k, digits & 3));
                CHECK(target_counts(k, nodes, 2, length < 7));
            }
        }
}

static void nested_activations_count_like_the_plain_model_at_every_k_and_pool_size(void)
{
    check_random random = {2024};
    unsigned step = check_amount(7, 2, 1);
    for (unsigned k = 2; k <= 12; k++)
        for (unsigned nodes = WEFT_KSF_NODES_MIN; nodes <= 70; nodes += nodes < 12 ? 1 : step) {
            random_stream(&random, 20 + check_random_below(&random, 400), 2 + nodes % 7);
            CHECK(target_counts(k, nodes, 1u << nodes % 5, true));
            CHECK(interrupted_counts(k, nodes, 1u << nodes % 5));
            CHECK(host_counts(k));
            CHECK(sequences_count(k, k + nodes % 3, nodes & 7));
        }
}

static void the_largest_k_counts_like_the_plain_model(void)
{
    check_random random = {99};
    for (unsigned k = 13; k <= WEFT_KSF_K_MAX; k++) {
        random_stream(&random, 600, 3);
        CHECK(target_counts(k, 3 + k % 5, 8, true));
        CHECK(target_counts(k, 500, 8, true));
        CHECK(host_counts(k));
        CHECK(sequences_count(k, k, 0) && sequences_count(k, k, 4));
    }
}

/* The largest sizes that core/ksf.h states, and one more of each. */
static void a_forest_of_the_largest_sizes_is_taken(void)
{
    enum { NODES = 65534, ROOTS = 32768 };
    static weft_ksf_node nodes[NODES];
    static weft_handle roots[ROOTS];
    static weft_ksf forest;
    weft_ksf_config config = {WEFT_KSF_K_MAX, nodes, NODES, roots, ROOTS};
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_OK);
    for (uint32_t path = 1; path <= NODES; path++) { /* element 0 is the forest's own: one too many */
        weft_ksf_activation activation = {0};
        CHECK_EQ(weft_ksf_push(&forest, &activation, path), path < NODES ? WEFT_OK : WEFT_FULL);
    }
    CHECK(weft_ksf_check(&forest));
    config.nodes_max = NODES + 1;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_CONFIG);
    config.nodes_max = NODES;
    config.roots_max = 2 * ROOTS;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_CONFIG);
}

/* Their number takes three bytes, as does the place that is kept for it. */
static void a_part_of_16384_nodes_and_more_comes_back(void)
{
    enum { NODES = 20000 };
    static weft_ksf_node nodes[NODES];
    static weft_handle roots[64];
    static weft_ksf forest;
    static uint8_t bytes[8 * NODES];
    const weft_ksf_config config = {2, nodes, NODES, roots, WEFT_COUNT(roots)};
    weft_writer out;
    weft_reader in;
    CHECK_EQ(weft_ksf_init(&forest, &config), WEFT_OK);
    for (uint32_t path = 1; path < NODES; path++) {
        weft_ksf_activation activation = {0};
        CHECK_EQ(weft_ksf_push(&forest, &activation, path), WEFT_OK);
    }
    weft_writer_init(&out, bytes, sizeof bytes);
    CHECK_EQ(weft_ksf_flush(&forest, &out), WEFT_OK);
    weft_reader_init(&in, bytes, out.size);
    CHECK(weft_read_varint(&in) == 1 && weft_read_u8(&in) == 2 && weft_read_varint(&in) == 1);
    CHECK_EQ(weft_read_varint(&in), NODES - 1);
    for (uint32_t path = 1; path < NODES; path++)
        CHECK(weft_read_varint(&in) == 0 && weft_read_varint(&in) == path && weft_read_varint(&in) == 1);
    CHECK(weft_read_u8(&in) == 0 && weft_reader_left(&in) == 0 && in.status == WEFT_OK);
}

int main(void)
{
    RUN(a_part_of_16384_nodes_and_more_comes_back);
    RUN(a_forest_of_the_largest_sizes_is_taken);
    RUN(nested_activations_count_like_the_plain_model_at_every_k_and_pool_size);
    RUN(the_largest_k_counts_like_the_plain_model);
    RUN(every_string_up_to_9_over_3_symbols_and_markers_counts_like_the_plain_model);
    return check_failed();
}
