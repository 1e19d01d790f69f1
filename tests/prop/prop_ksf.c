/* SPDX-License-Identifier: MIT */
/* k-slab forest and k-IPF against a plain count of all n-grams, which shares no code with them. */
#include <stdlib.h>
#include <string.h>

#include "core/ksf.h"
#include "tests/lib/check.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/profile/sequences.h"

enum { EVENTS_MAX = 4096, LIVE_MAX = 64, NODES_MAX = 512, ROOTS_MAX = 16 };

/* A stream, and for each event the position of the previous event of its activation (-1: it is the first). */
static struct {
    uint8_t path[EVENTS_MAX];
    uint8_t activation[EVENTS_MAX]; /* slot of the activation */
    bool begins[EVENTS_MAX];
    int before[EVENTS_MAX];
    unsigned size;
} stream;

/* The plain model: the events that end with the n-gram. */
static uint64_t plain_count(const uint32_t *path, unsigned length)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < stream.size; i++) {
        unsigned left = length;
        int at = (int)i;
        while (left && at >= 0 && stream.path[at] == path[left - 1]) {
            left--;
            at = stream.before[at];
        }
        count += left == 0;
    }
    return count;
}

static uint64_t ngrams_of_length(unsigned length)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < stream.size; i++) {
        unsigned have = 0;
        for (int at = (int)i; at >= 0 && have < length; at = stream.before[at])
            have++;
        count += have == length;
    }
    return count;
}

typedef struct verdict {
    uint64_t sum[WEFT_KSF_K_MAX + 1];
    bool wrong;
} verdict;

static void compare(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    verdict *v = context;
    v->sum[length] += count;
    if (count != plain_count(path, length))
        v->wrong = true;
}

/* Each count is right, and their sum is the number of n-grams, so that none is missing. */
static bool is_plain_count(const kipf *forest, unsigned k)
{
    verdict v = {0};
    kipf_each(forest, k, NULL, compare, &v);
    EXPECT(!v.wrong);
    for (unsigned n = 1; n <= k; n++)
        EXPECT(v.sum[n] == ngrams_of_length(n));
    return true;
}

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
    verdict v = {0};
    sequences_each(all, k, NULL, compare, &v);
    sequences_free(all);
    EXPECT(!v.wrong);
    for (unsigned n = 1; n <= k; n++)
        EXPECT(v.sum[n] == ngrams_of_length(n));
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
            status = weft_ksf_take(&w->ksf, a, stream.path[event], &place);
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

/* Calls, returns, recursion, and activations that are left without an exit, as after longjmp. */
static void random_stream(check_random *random, unsigned size, unsigned paths)
{
    int last[LIVE_MAX];
    unsigned depth = 0;
    last[0] = -1;
    stream.size = 0;
    while (stream.size < size) {
        unsigned dice = check_random_below(random, 16);
        if (dice == 0 && depth + 1 < LIVE_MAX)
            last[++depth] = -1;
        else if (dice == 1 && depth)
            depth--;
        else if (dice == 2 && check_random_below(random, 8) == 0)
            depth = check_random_below(random, depth + 1);
        unsigned i = stream.size++;
        /* Loops, mostly of a short period, so that nodes are used again. */
        unsigned regular = i % (2 + depth % 3);
        stream.path[i] = (uint8_t)(check_random_below(random, 4) ? regular : check_random_below(random, paths));
        stream.activation[i] = (uint8_t)depth;
        stream.begins[i] = last[depth] < 0;
        stream.before[i] = last[depth];
        last[depth] = (int)i;
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

/* What stands where a forest was emptied, and taken anew by others, while weft_ksf_find looks. */
static void spoil(weft_ksf *ksf, check_random *random, unsigned nodes)
{
    for (weft_handle i = 1; i < nodes; i++) {
        bool stub = check_random_below(random, 4) == 0;
        ksf->node[i] = (weft_ksf_node){.child = (weft_handle)check_random_below(random, nodes),
                                       .steps = (uint16_t)check_random_below(random, 3),
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
    for (uint32_t tries = check_amount(5000, 20000, 100000); tries; tries--) {
        weft_ksf_config config = {2 + tries % 5, node, NODES, root, ROOTS};
        weft_ksf ksf;
        weft_ksf_place place = {0};
        CHECK_EQ(weft_ksf_init(&ksf, &config), WEFT_OK);
        spoil(&ksf, &random, NODES);
        weft_ksf_activation a = {1, check_random_below(&random, 3), &node[check_random_below(&random, NODES)]};
        CHECK(weft_ksf_take(&ksf, &a, 1, &place) == WEFT_AGAIN && place.kind == WEFT_KSF_LOOK);
        CHECK_EQ(weft_ksf_take(&ksf, &a, 1, &place), WEFT_AGAIN); /* nobody has looked yet */
        place.at = (weft_handle)check_random_below(&random, NODES);
        place.known = (uint8_t)check_random_below(&random, ksf.chunk + 1u);
        place.kind = tries % 3 ? WEFT_KSF_LOOK : WEFT_KSF_GO_ON;
        memcpy(then, node, sizeof node);
        memcpy(roots_then, root, sizeof root);
        weft_ksf_find(&ksf, &a, check_random_below(&random, 5), &place);
        CHECK(memcmp(then, node, sizeof node) == 0 && memcmp(roots_then, root, sizeof root) == 0);
        ksf.generation++; /* as it was when the forest was emptied */
        CHECK_EQ(weft_ksf_take(&ksf, &a, 1, &place), WEFT_AGAIN);
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
    RUN(nested_activations_count_like_the_plain_model_at_every_k_and_pool_size);
    RUN(the_largest_k_counts_like_the_plain_model);
    RUN(missing_and_damaged_parts_never_add_counts);
    RUN(every_string_up_to_9_over_3_symbols_and_markers_counts_like_the_plain_model);
    RUN(a_search_in_a_forest_that_changes_meanwhile_ends_and_changes_nothing);
    return check_failed();
}
