/* SPDX-License-Identifier: MIT */
/* Records of several paths each, in frames made by hand: in a section of their own and among the marks. They read as
 * the paths that went in. The reader survives each flipped bit and each missing byte of the paths' encoding. */
#include <stdlib.h>
#include <string.h>

#include "core/frame.h"
#include "tests/lib/check.h"
#include "tests/lib/pack_frames.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/host_frame.h"
#include "tools/lib/recording/packs.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/tally.h"

/* ---- what is read of them ---- */

/* Whether the file has exactly the paths that were packed. */
static bool has_paths(container *file)
{
    control *events = control_open(file);
    size_t count = 0;
    for (control_event e; control_next(events, &e);)
        if (e.kind == CONTROL_PATH) {
            EXPECT(count < f.count && e.path == f.path[count].path && e.context == f.path[count].context);
            count++;
        }
    EXPECT(count == f.count);
    EXPECT(control_unread(events) == 0);
    control_close(events);
    EXPECT(tally_of(file).paths == f.count);
    return true;
}

static bool reads_back(void)
{
    container *file = open_frame(known);
    EXPECT(file);
    EXPECT(has_paths(file));
    EXPECT(container_packs(file) == f.packed);
    container_close(file);
    return true;
}

/* Appends the PACKS frame that a host with the image adds. Returns the size of its body, which is at the start of
 * `body`; 0: it failed. */
static size_t put_stored(uint8_t *file, size_t *size, uint8_t body[ROOM])
{
    weft_frame like = {.version = WEFT_FORMAT_VERSION, .sequence = 1, .run = 1};
    weft_writer writer;
    packs_gathered *all = packs_gathered_new();
    for (size_t i = 0; i < f.pack_count; i++) {
        uint32_t paths[BALLARUS_PACK_MAX];
        const descriptor_function *of = descriptors_of_pack(known, f.pack[i].number);
        packs_gathered_add(all, of, paths, descriptor_unpack(of, f.pack[i].word, paths));
    }
    weft_writer_init(&writer, body, packs_gathered_size(all));
    packs_gathered_write(all, 0, &writer);
    packs_gathered_free(all);
    FILE *to = fmemopen(file + *size, 2 * ROOM, "wb");
    if (writer.status != WEFT_OK || !to || !host_frame_write(&like, WEFT_FRAME_PACKS, body, writer.size, to))
        return 0;
    *size += (size_t)ftell(to);
    fclose(to);
    return writer.size;
}

/* As reads_back, but reads with the stored packs and without the program. */
static bool reads_stored(const uint8_t *file, size_t size)
{
    char message[200];
    container *c = container_open_bytes(file, size, "test", message, sizeof message);
    EXPECT(c && !container_packed(c));
    EXPECT(has_paths(c));
    container_close(c);
    return true;
}

/* Whether the frame is refused: it does not open, or decoding ends and reports it as unread. */
static bool is_refused(void)
{
    container *file = open_frame(known);
    bool refused = true;
    if (file && container_next(file, WEFT_FRAME_TRACE, 0) < container_frame_count(file)) {
        control *events = control_open(file);
        for (control_event e; control_next(events, &e);)
            ;
        refused = control_unread(events) == 1;
        control_close(events);
    }
    container_close(file);
    return refused;
}

/* Adds a record of up to `most` paths that follow one another. */
static void put_random_pack(const descriptor_function *of, size_t most)
{
    uint32_t local[BALLARUS_PACK_MAX], paths[BALLARUS_PACK_MAX], word = 0;
    uint32_t next = check_random_below(&rng, of->path_count);
    size_t count = 0;
    while (count < most) {
        ballarus_ends ends;
        local[count] = next;
        uint32_t longer = ballarus_pack(of->graph, of->apart, local, count + 1);
        if (!longer)
            break;
        word = longer;
        paths[count++] = of->path_base + next;
        if (ballarus_expand(of->graph, next, NULL, 0, &ends) == SIZE_MAX || ends.at_exit)
            break;
        uint32_t block = of->graph->edge[ends.edge].to;
        next = of->graph->start_value[block] + check_random_below(&rng, (uint32_t)of->graph->ways[block]);
    }
    put_pack(of->path_base + of->path_count, word, paths, count);
}

static void put_trips(void)
{
    uint32_t trips = check_random_below(&rng, 5);
    put_mark(WEFT_MARK_TRIPS, trips);
    for (uint32_t i = 0; i < trips; i++)
        expect(f.path[f.count - 1].path);
    f.records += trips;
}

static void random_frame(bool section, unsigned slots, unsigned records)
{
    begin(section, slots);
    for (unsigned i = 0; i < records; i++) {
        const descriptor_function *of = &known->function[check_random_below(&rng, 3)];
        uint32_t what = check_random_below(&rng, 20);
        if (what < 10 && of->flags & DESCRIPTOR_PACKED) {
            put_random_pack(of, 1 + check_random_below(&rng, 12));
        } else if (what == 10) {
            put_switch(16 + check_random_below(&rng, 3));
        } else if (what == 11) {
            put_mark(WEFT_MARK_STAMP, 3);
        } else if (what == 12 && f.after_path) {
            put_trips();
        } else {
            uint32_t path = of->path_base + check_random_below(&rng, of->path_count);
            put_path(path);
            expect(path);
        }
    }
}

static void packs_read_as_the_paths_that_they_hold(void)
{
    for (unsigned i = 0; i < 400 && !check_failing(); i++) {
        random_frame(i & 1, i / 2 % 14, check_random_below(&rng, 120));
        CHECK(reads_back());
    }
}

/* The same pack again and again: runs longer than an item holds. */
static void long_runs_of_one_pack_are_read(void)
{
    const uint32_t lengths[] = {1, 15, 16, 17, 127, 128, 129, 1000};
    for (size_t i = 0; i < WEFT_COUNT(lengths); i++) {
        const uint32_t path = 0;
        begin(true, 4);
        for (uint32_t k = 0; k < lengths[i]; k++)
            put_pack(known->function[0].path_count, ballarus_pack(known->function[0].graph, NULL, &path, 1), &path, 1);
        CHECK(reads_back());
        const uint32_t other = 1;
        put_pack(known->function[0].path_count, ballarus_pack(known->function[0].graph, NULL, &other, 1), &other, 1);
        CHECK(reads_back());
    }
}

static void each_flip_and_cut_of_packs_is_survived(void)
{
    for (unsigned round = 0; round < 8; round++) {
        random_frame(round & 1, 5, 40);
        frame good = f;
        bytes *of = round & 1 ? &f.packs : &f.marks;
        for (size_t i = 0; i < 8 * of->size; i++) {
            of->at[i / 8] ^= (uint8_t)(1 << i % 8);
            (void)is_refused(); /* the changed frame may hold another valid pack */
            f = good;
        }
        for (size_t size = 0; size < good.packs.size; size++) {
            f.packs.size = size;
            CHECK(is_refused());
            f = good;
        }
    }
}

static bool refuses(uint32_t number, uint32_t word)
{
    begin(true, 0);
    put_pack(number, word, NULL, 0);
    bool both = is_refused();
    begin(false, 0);
    put_pack(number, word, NULL, 0);
    return both && is_refused();
}

static void what_is_stored_is_read_without_the_program(void)
{
    static uint8_t file[4 * ROOM], body[ROOM];
    for (unsigned i = 0; i < 100 && !check_failing(); i++) {
        do
            random_frame(i & 1, i / 2 % 14, 120);
        while (!f.pack_count);
        size_t size = seal(file);
        CHECK(put_stored(file, &size, body) > 0);
        CHECK(reads_stored(file, size));
        /* storing the same packs twice has the effect of storing them once */
        size_t at = seal(file), end = at;
        CHECK(put_stored(file, &end, body) > 0);
        memcpy(file + end, file + at, end - at);
        CHECK(reads_stored(file, 2 * end - at));
    }
}

static void each_flip_and_cut_of_what_is_stored_is_survived(void)
{
    static uint8_t file[4 * ROOM], body[ROOM];
    do
        random_frame(true, 5, 60);
    while (f.pack_count < 8);
    size_t whole = seal(file), size = put_stored(file, &whole, body);
    CHECK(size > 4);
    for (size_t i = 0; i < 8 * size; i++) {
        body[i / 8] ^= (uint8_t)(1 << i % 8);
        stored_packs *packs = stored_packs_read(body, size);
        for (size_t k = 0; packs && k < f.pack_count; k++) {
            uint32_t paths[BALLARUS_PACK_MAX];
            CHECK(stored_packs_unpack(packs, f.pack[k].number, f.pack[k].word, paths) <= BALLARUS_PACK_MAX);
        }
        stored_packs_free(packs);
        body[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    for (size_t cut = 0; cut < size; cut++)
        stored_packs_free(stored_packs_read(body, cut));
}

static void packs_that_disagree_are_not_joined(void)
{
    const uint8_t one[] = {0, 0, 0, 0, 2, 10, 1, 3, 4, 1, 5}, other[] = {0, 0, 0, 0, 2, 10, 1, 3, 5, 1, 5},
                  more[] = {0, 0, 0, 0, 2, 10, 1, 3, 4, 1, 6};
    stored_packs *a = stored_packs_read(one, sizeof one), *b = stored_packs_read(other, sizeof other),
                 *c = stored_packs_read(more, sizeof more);
    uint32_t paths[BALLARUS_PACK_MAX];
    CHECK(a && b && c);
    CHECK(stored_packs_has(a, 12) && !stored_packs_has(a, 11));
    CHECK(!stored_packs_add(a, b));
    CHECK_EQ(stored_packs_unpack(a, 12, 1u << 6 | 6u << 2 | 1, paths), 0);
    CHECK(stored_packs_add(a, c));
    CHECK_EQ(stored_packs_unpack(a, 12, 1u << 6 | 6u << 2 | 1, paths), 2);
    CHECK(paths[0] == 8 && paths[1] == 6);
    stored_packs_free(a);
    stored_packs_free(b);
    stored_packs_free(c);
}

static void words_that_are_no_packs_are_refused(void)
{
    uint32_t number = known->function[0].path_count, paths[BALLARUS_PACK_MAX];
    unsigned refused = 0;
    for (uint32_t word = 0; word < 1000; word++)
        if (!descriptor_unpack(&known->function[0], word, paths)) {
            CHECK(refuses(number, word));
            refused++;
        }
    CHECK(refused > 100);
}

static void frames_that_do_not_fit_their_packs_are_refused(void)
{
    uint32_t number = known->function[0].path_count, other = known->function[1].path_base;
    const uint32_t path = 0, word = ballarus_pack(known->function[0].graph, NULL, &path, 1);
    begin(true, 3); /* one word too many */
    put_pack(number, word, &path, 1);
    put_word(number, word + 1);
    CHECK(is_refused());
    begin(true, 3); /* one pack's number more than words */
    put_pack(number, word, &path, 1);
    put_path(number);
    CHECK(is_refused());
    begin(true, 3); /* the frame claims more words than it has */
    put_pack(number, word, &path, 1);
    f.packed++;
    f.records++;
    CHECK(is_refused());
    begin(true, 14); /* no recorder has a table of this size */
    CHECK(is_refused());
    begin(false, 0); /* the word is missing */
    put_path(number);
    CHECK(is_refused());
    put_path(other);
    CHECK(is_refused());
    begin(false, 0); /* a word after a path that is not a pack */
    put_path(other);
    put_mark(WEFT_MARK_PACK, word);
    CHECK(is_refused());
    begin(false, 0); /* another mark between the number and its word */
    put_path(number);
    put_mark(WEFT_MARK_STAMP, 1);
    put_mark(WEFT_MARK_PACK, word);
    CHECK(is_refused());
    begin(true, 3); /* a mark where there is a section */
    put_pack(number, word, &path, 1);
    put_mark(WEFT_MARK_PACK, word);
    CHECK(is_refused());
    begin(false, 0); /* a word of more than 32 bits */
    put_path(number);
    put_mark(WEFT_MARK_PACK, UINT64_C(1) << 32 | word);
    CHECK(is_refused());
    static const uint8_t items[][3] = {{0, 0, 0}, {192, 0, 0}, {255, 0, 0}, {129, 8, 0}, {130, 8, 1}};
    for (size_t i = 0; i < WEFT_COUNT(items); i++) { /* no items; or a word in more bytes than it needs */
        begin(true, 3);
        put_path(number);
        f.packed = 1;
        memcpy(f.packs.at, items[i], f.packs.size = i < 3 ? 2 : 3);
        CHECK(is_refused());
    }
}

/* Without the program, a record of several paths counts as one record with the pack's number. */
static void without_the_program_packs_are_counted_only(void)
{
    for (unsigned i = 0; i < 40; i++) {
        random_frame(i & 1, 6, 60);
        container *file = open_frame(NULL);
        CHECK(file);
        CHECK((container_packed(file) != NULL) == (f.packed > 0));
        CHECK_EQ(tally_of(file).paths, f.records);
        control *events = control_open(file);
        uint64_t paths = 0;
        for (control_event e; control_next(events, &e);)
            paths += e.kind == CONTROL_PATH;
        CHECK_EQ(paths, f.records);
        CHECK_EQ(control_unread(events), 0);
        control_close(events);
        container_close(file);
    }
}

int main(void)
{
    known = new_program();
    if (!known || known->packed != 2)
        return 1;
    RUN(packs_read_as_the_paths_that_they_hold);
    RUN(long_runs_of_one_pack_are_read);
    RUN(each_flip_and_cut_of_packs_is_survived);
    RUN(what_is_stored_is_read_without_the_program);
    RUN(each_flip_and_cut_of_what_is_stored_is_survived);
    RUN(packs_that_disagree_are_not_joined);
    RUN(words_that_are_no_packs_are_refused);
    RUN(frames_that_do_not_fit_their_packs_are_refused);
    RUN(without_the_program_packs_are_counted_only);
    descriptors_free(known);
    return check_failed();
}
