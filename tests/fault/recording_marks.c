/* SPDX-License-Identifier: MIT */
/* Marks in frames made by hand: loops of one path, which no recorder here writes yet, places and frames. Also damaged
 * and unknown marks. */
#include <string.h>

#include "core/frame.h"
#include "tests/lib/check.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/replay.h"

/* The script of a made-up program: each path has one access. */
static const replay_script *script_of(void *context, uint32_t path)
{
    static replay_item item = {.kind = REPLAY_ACCESS, .id = 1, .size = 4};
    static replay_script script = {.span = true, .before_count = 1, .count = 1, .accesses = 1, .items = &item};
    (void)context;
    script.path = path;
    return path == 5 ? &script : NULL;
}

typedef struct section {
    const uint8_t *bytes;
    size_t size;
} section;

/* Escapes: a mark, a switch, a mark after path 5. */
static const uint8_t control_bytes[] = {64 + 10, 64, 2, 64, 1, 64, 2};
/* Three trips; to context 16, after 4 accesses; the place 0x1000. */
static const uint8_t marks_bytes[] = {3 << 5 | 7, 0x80 | ((16 << 3 | 2) & 0x7f), 1, 4, 0, 0x89, 0x80, 4};
/* 0x20, +4, and twice +4. */
static const uint8_t bus_bytes[] = {0xc0, 1, 64 + 8, 2};
static const section control_section = {control_bytes, sizeof control_bytes};
static const section marks_section = {marks_bytes, sizeof marks_bytes};

/* A container of one TRACE frame of `paths` paths with an access each. */
static size_t make(uint8_t *out, section symbols, section marks, uint32_t paths)
{
    static const uint8_t coders[] = {WEFT_CONTROL_RAW, 0, WEFT_BUS_PLAIN, 0, WEFT_VALUE_PLAIN, 0};
    uint8_t bytes[256];
    size_t shift = WEFT_FRAME_SHIFT(200);
    weft_writer writer;
    weft_writer_init(&writer, bytes + shift, 190);
    weft_frame_head(&writer,
                    &(weft_frame){.version = WEFT_FORMAT_VERSION, .kind = WEFT_FRAME_TRACE, .sequence = 0, .run = 1});
    weft_write_bytes(&writer, coders, sizeof coders);
    for (unsigned i = 0; i < 4; i++)
        weft_write_varint64(&writer, 0);
    weft_write_varint64(&writer, 50);
    const uint32_t counts[] = {paths, 4, 0, 0, 0, 0};
    for (unsigned i = 0; i < WEFT_COUNT(counts); i++)
        weft_write_varint(&writer, counts[i]);
    const section sections[WEFT_REGIONS] = {symbols, marks, {bus_bytes, sizeof bus_bytes}, {NULL, 0}, {NULL, 0}};
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        weft_write_varint(&writer, (uint32_t)sections[i].size);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        weft_write_bytes(&writer, sections[i].bytes, sections[i].size);
    size_t size = weft_frame_seal(bytes, shift, writer.size);
    memcpy(out, WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE);
    memcpy(out + WEFT_CONTAINER_HEAD_SIZE, bytes, size);
    return writer.status == WEFT_OK ? WEFT_CONTAINER_HEAD_SIZE + size : 0;
}

static container *open(section symbols, section marks, uint32_t paths)
{
    static uint8_t bytes[512];
    char message[200];
    return container_open_bytes(bytes, make(bytes, symbols, marks, paths), "test", message, sizeof message);
}

/* "p" a path, "a" the next access of the row, "c" a context, "@" the place, "#" the frame, "=" what was
 * stacked; "!" an error. */
static void replayed(const container *file, char *text)
{
    uint32_t address = 0x20;
    replay *events = replay_open(file, (replay_model){NULL, script_of});
    replay_event event;
    while (replay_next(events, &event)) {
        char letter = event.kind == REPLAY_PATH && event.id == 5                ? 'p'
                      : event.kind == REPLAY_ACCESS && event.address == address ? 'a'
                      : event.kind == REPLAY_CONTEXT                            ? 'c'
                      : event.kind == REPLAY_MARK && event.mark->kind == WEFT_MARK_PLACE && event.time == 50 &&
                              event.mark->argument == 0x800 && event.context == 16
                          ? '@'
                      : event.kind == REPLAY_MARK && event.mark->kind == WEFT_MARK_FRAME && event.context == 16 &&
                              event.mark->argument == 0xfedcba98 && event.mark->value[0] == 0x20007fd8
                          ? '#'
                      : event.kind == REPLAY_MARK && event.mark->kind == WEFT_MARK_STACKED && event.context == 16 &&
                              event.mark->argument == (15 << 2 | 1) && event.mark->count == WEFT_STACKED_VALUES &&
                              event.mark->value[WEFT_STACKED_FRAME] == 0x20007fd8 &&
                              event.mark->value[WEFT_STACKED_LOW] == 0x01020304 &&
                              event.mark->value[WEFT_STACKED_HIGH] == 5
                          ? '='
                          : '?';
        address += event.kind == REPLAY_ACCESS ? 4 : 0;
        *text++ = letter;
    }
    if (replay_error(events))
        *text++ = '!';
    *text = 0;
    replay_close(events);
}

static void a_loop_of_one_path_is_as_many_paths(void)
{
    char text[64];
    container *file = open(control_section, marks_section, 4);
    CHECK(file != NULL);
    replayed(file, text);
    CHECK(strcmp(text, "capapapapc@") == 0);
    control *events = control_open(file);
    uint64_t paths = 0, marks = 0;
    for (control_event event; control_next(events, &event);) {
        paths += event.kind == CONTROL_PATH && event.path == 5 && event.index == paths;
        marks += event.kind == CONTROL_MARK && event.mark->kind == WEFT_MARK_PLACE;
    }
    CHECK(paths == 4 && marks == 1 && control_unread(events) == 0);
    control_close(events);
    container_close(file);
}

static bool refused(section symbols, section marks, uint32_t paths)
{
    char text[64];
    container *file = open(symbols, marks, paths);
    EXPECT(file != NULL);
    replayed(file, text);
    control *events = control_open(file);
    for (control_event event; control_next(events, &event);)
        ;
    bool both = strchr(text, '!') && control_unread(events) == 1;
    control_close(events);
    container_close(file);
    return both;
}

static void marks_that_do_not_fit_the_frame_are_refused(void)
{
    static const uint8_t none_before[] = {64, 2, 64 + 10, 64, 1, 64, 2};
    static const uint8_t too_many[] = {64 + 10, 64, 2, 64, 1, 64, 2, 64, 2};
    static const uint8_t unknown_escape[] = {64 + 10, 64, 2, 64, 1, 64, 3};
    /* Far more trips than the frame has paths. */
    static const uint8_t more[] = {0xe7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x82, 1, 4, 0, 0x89, 0x80, 4};
    CHECK(refused((section){none_before, sizeof none_before}, marks_section, 4));
    CHECK(refused((section){too_many, sizeof too_many}, marks_section, 4));
    CHECK(refused((section){unknown_escape, sizeof unknown_escape}, marks_section, 4));
    CHECK(refused(control_section, marks_section, 3));
    CHECK(refused(control_section, marks_section, 5));
    CHECK(refused(control_section, (section){more, sizeof more}, 4));
}

static void a_frame_has_a_check_of_32_bits_and_an_address(void)
{
    static const uint8_t symbols[] = {64 + 10, 64, 2, 64, 1, 64, 2, 64, 2};
    static const uint8_t marks[] = {3 << 5 | 7, 0x80 | ((16 << 3 | 2) & 0x7f),
                                    1,          4,
                                    0,          0x89,
                                    0x80,       4,
                                    0x8d,       0xa6,
                                    0xdd,       0xdc,
                                    0xfd,       0x03,
                                    0xd8,       0xff,
                                    0x81,       0x80,
                                    0x02};
    static const uint8_t wide[] = {3 << 5 | 7, 0x80 | ((16 << 3 | 2) & 0x7f),
                                   1,          4,
                                   0,          0x89,
                                   0x80,       4,
                                   0x8d,       0xa6,
                                   0xdd,       0xdc,
                                   0xfd,       0x07,
                                   0xd8,       0xff,
                                   0x81,       0x80,
                                   0x02};
    char text[64], message[200];
    uint8_t bytes[512];
    container *file = open((section){symbols, sizeof symbols}, (section){marks, sizeof marks}, 4);
    CHECK(file != NULL);
    replayed(file, text);
    CHECK(strcmp(text, "capapapapc@#") == 0);
    container_close(file);
    CHECK(refused((section){symbols, sizeof symbols}, (section){marks, sizeof marks - 5}, 4));
    size_t size = make(bytes, (section){symbols, sizeof symbols}, (section){wide, sizeof wide}, 4);
    file = container_open_bytes(bytes, size, "test", message, sizeof message);
    CHECK(file != NULL && container_gap_count(file) > 0);
    container_close(file);
}

static void what_was_stacked_is_an_address_and_hashes(void)
{
    static const uint8_t symbols[] = {64 + 10, 64, 2, 64, 1, 64, 2, 64, 2};
    static const uint8_t marks[] = {3 << 5 | 7, 0x80 | ((16 << 3 | 2) & 0x7f),
                                    1,          4,
                                    0,          0x89,
                                    0x80,       4,
                                    0xaf,       0x0f,
                                    0xd8,       0xff,
                                    0x81,       0x80,
                                    0x02,       0x84,
                                    0x86,       0x88,
                                    0x08,       5};
    char text[64];
    container *file = open((section){symbols, sizeof symbols}, (section){marks, sizeof marks}, 4);
    CHECK(file != NULL);
    replayed(file, text);
    CHECK(strcmp(text, "capapapapc@=") == 0);
    container_close(file);
    for (size_t cut = 1; cut <= 12; cut++)
        CHECK(refused((section){symbols, sizeof symbols}, (section){marks, sizeof marks - cut}, 4));
}

static void a_mark_of_an_unknown_kind_is_named(void)
{
    static const uint8_t kinds[] = {WEFT_MARK_KINDS << 1 | 1, 15 << 1 | 1};
    for (unsigned i = 0; i < WEFT_COUNT(kinds); i++) {
        char message[200];
        uint8_t bytes[512];
        size_t size = make(bytes, control_section, (section){&kinds[i], 1}, 4);
        size += make(bytes + size, control_section, marks_section, 4);
        container *file = container_open_bytes(bytes, size, "test", message, sizeof message);
        CHECK(file != NULL && container_gap_count(file) > 0);
        CHECK_EQ(container_gap_at(file, 0)->kind, GAP_MARK);
        CHECK_EQ(container_gap_at(file, 0)->version, kinds[i] >> 1);
        container_gap_text(container_gap_at(file, 0), message, sizeof message);
        CHECK(strstr(message, "which this build does not know") != NULL);
        container_close(file);
    }
}

int main(void)
{
    RUN(a_loop_of_one_path_is_as_many_paths);
    RUN(marks_that_do_not_fit_the_frame_are_refused);
    RUN(what_was_stacked_is_an_address_and_hashes);
    RUN(a_frame_has_a_check_of_32_bits_and_an_address);
    RUN(a_mark_of_an_unknown_kind_is_named);
    return check_failed();
}
