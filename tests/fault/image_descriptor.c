/* SPDX-License-Identifier: MIT */
/* The reader of path descriptors. A record written by hand reads back. With any bit flipped, any byte cut off, or as
 * plain garbage, it reads as something sound or is refused with a message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "core/bytes.h"
#include "tests/lib/check.h"
#include "tests/lib/descriptor_records.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/image/opened.h"

static bytes records;
static size_t first_size; /* size of the first record in it */
static char message[200];

static void a_record_reads_back(void)
{
    descriptors *all = descriptors_parse(records.at, records.size, message, sizeof message);
    CHECK(all);
    CHECK_EQ(all->count, 2);
    const descriptor_function *f = descriptors_of_path(all, 1);
    CHECK(f && strcmp(f->name, "f") == 0 && strcmp(f->file, "f.c") == 0);
    CHECK_EQ(f->last_line, 300);
    CHECK_EQ(f->path_count, 7);
    CHECK_EQ(f->site_count, 2);
    CHECK(descriptors_of_path(all, 7) == NULL);
    CHECK(descriptors_of_path(all, 100)->path_base == 100);
    CHECK(descriptors_of_site(all, 1) == f && descriptors_of_site(all, 2) == NULL);
    CHECK(descriptors_of_block(all, 104)->block_base == 100);
    const descriptor_site *site = descriptors_site(all, 1);
    CHECK(site && site->flags == DESCRIPTOR_SITE_STORE && site->size == 2 && site->block == 1);
    CHECK_EQ(f->block[1].line[1].line, 200);
    descriptors_free(all);
}

static void paths_expand(void)
{
    static const struct {
        uint32_t path, count, blocks[3], enters;
        bool entry, exit, starts_told, enters_told;
    } want[] = {
        {0, 2, {0, 1}, 2, true, false, false, true},
        {1, 3, {0, 1, 3}, 0, true, false, false, false},
        {2, 2, {0, 4}, BALLARUS_NONE, true, true, false, false},
        {3, 2, {0, 1}, 2, false, false, false, true},
        {5, 2, {0, 4}, BALLARUS_NONE, false, true, false, false},
        {6, 2, {2, 3}, 0, false, false, true, false},
    };
    descriptors *all = descriptors_parse(records.at, records.size, message, sizeof message);
    CHECK(all);
    for (size_t i = 0; i < WEFT_COUNT(want); i++) {
        uint32_t blocks[5];
        descriptor_path info;
        CHECK(descriptor_expand(all, want[i].path, blocks, 5, &info));
        CHECK_EQ(info.count, want[i].count);
        CHECK(memcmp(blocks, want[i].blocks, want[i].count * sizeof *blocks) == 0);
        CHECK_EQ(info.enters, want[i].enters);
        CHECK(info.entry == want[i].entry && info.exit == want[i].exit);
        CHECK(info.starts_told == want[i].starts_told && info.enters_told == want[i].enters_told);
    }
    descriptors_free(all);
}

/* A packed function has one number more than paths. In a pack, only the first path may start after the call. */
static void a_packed_function_has_a_pack_number(void)
{
    bytes b = records;
    uint32_t paths[BALLARUS_PACK_MAX];
    b.at[7] |= DESCRIPTOR_PACKED | DESCRIPTOR_COUNTED;
    descriptors *all = descriptors_parse(b.at, b.size, message, sizeof message);
    CHECK(all && all->packed == 1);
    const descriptor_function *f = &all->function[0];
    CHECK(descriptors_of_path(all, 6) == f && !descriptors_of_pack(all, 6));
    CHECK(!descriptors_of_path(all, 7) && descriptors_of_pack(all, 7) == f);
    CHECK(!descriptors_of_path(all, 107) && !descriptors_of_pack(all, 107) && all->path_end == 107);
    /* 1 | path 1 in 3 bits | its digit of block 0, twice: paths 1, 4, 5. */
    CHECK_EQ(descriptor_unpack(f, 1u << 7 | 1 << 4 | 1 << 2 | 2, paths), 3);
    CHECK(paths[0] == 1 && paths[1] == 4 && paths[2] == 5);
    CHECK_EQ(descriptor_unpack(f, 1u << 5 | 0 << 2 | 0, paths), 0); /* path 0 enters the call */
    descriptors_free(all);
    b = records;
    b.at[first_size + 7] |= DESCRIPTOR_PACKED;
    b.at[12] = 93; /* the first one's paths end where the second one's begin */
    all = descriptors_parse(b.at, b.size, message, sizeof message);
    CHECK(all != NULL && all->path_end == 108);
    descriptors_free(all);
    b.at[7] |= DESCRIPTOR_PACKED;
    CHECK(!descriptors_parse(b.at, b.size, message, sizeof message));
    b.at[12] = 92; /* and it has room for its own */
    all = descriptors_parse(b.at, b.size, message, sizeof message);
    CHECK(all != NULL && all->packed == 2);
    descriptors_free(all);
}

/* Uses whatever the reader accepts. Returns whether it accepted the section. */
static bool use(const uint8_t *section, size_t size)
{
    message[0] = 0;
    descriptors *all = descriptors_parse(section, size, message, sizeof message);
    if (!all)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        const descriptor_function *f = &all->function[i];
        uint32_t *blocks = malloc((f->block_count + 1) * sizeof *blocks);
        for (uint32_t path = 0; blocks && path < f->path_count && path < 100; path++) {
            descriptor_path info;
            if (!descriptor_expand(all, f->path_base + path, blocks, f->block_count, &info) ||
                info.count > f->block_count)
                abort();
        }
        free(blocks);
    }
    descriptors_free(all);
    return true;
}

static void every_flipped_bit_is_survived(void)
{
    for (size_t i = 0; i < records.size * 8; i++) {
        records.at[i / 8] ^= (uint8_t)(1 << i % 8);
        bool read = use(records.at, records.size);
        records.at[i / 8] ^= (uint8_t)(1 << i % 8);
        CHECK(read || message[0]);
    }
}

/* From version 3 on a record has a check sum, and holds what the linker fills in twice. */
static void every_flip_and_cut_of_checked_records_is_refused(void)
{
    bytes b = {.size = 0};
    put_checked(&b, 0);
    size_t first = b.size;
    put_checked(&b, 1);
    descriptors *all = descriptors_parse(b.at, b.size, message, sizeof message);
    CHECK(all && descriptors_site(all, 1)->constant == 0x20000008);
    CHECK_EQ(all->count, 2);
    descriptors_free(all);
    for (size_t i = 0; i < b.size * 8; i++) {
        b.at[i / 8] ^= (uint8_t)(1 << i % 8);
        bool read = use(b.at, b.size);
        b.at[i / 8] ^= (uint8_t)(1 << i % 8);
        CHECK(!read && message[0]);
    }
    for (size_t size = 1; size < b.size; size++)
        CHECK(use(b.at, size) == (size == first));
}

static void a_computed_site_reads_back(void)
{
    bytes b = {.size = 0};
    put_computed(&b, DESCRIPTOR_AND, 15);
    descriptors *all = descriptors_parse(b.at, b.size, message, sizeof message);
    CHECK(all);
    const descriptor_site *site = descriptors_site(all, 1);
    CHECK(site->how == DESCRIPTOR_COMPUTED && site->constant == 8 && site->term_count == 1);
    CHECK(site->term->group == 0 && site->term->coefficient == 2 && site->term->plus == 3);
    CHECK(site->term->operation == DESCRIPTOR_AND && site->term->operand == 15);
    const descriptor_function *f = &all->function[0];
    CHECK(f->move_count == 1 && f->group_count == 3);
    CHECK(f->move->group == 1 && f->move->from == 2 && f->move->step == 12);
    descriptors_free(all);
    b.size = 0;
    put_computed(&b, DESCRIPTOR_AND_BASE, 3);
    all = descriptors_parse(b.at, b.size, message, sizeof message);
    CHECK(all && descriptors_site(all, 1)->term->operand == 2);
    descriptors_free(all);
}

/* A shift by 32, an unknown operation, a mask that belongs to no group. */
static void terms_that_mean_nothing_are_refused(void)
{
    static const unsigned bad[][2] = {{DESCRIPTOR_SHIFT, 32},
                                      {DESCRIPTOR_SHIFT_SIGNED, 99},
                                      {DESCRIPTOR_SHIFT_SIGNED + 1, 0},
                                      {DESCRIPTOR_AND_BASE, 0}};
    for (size_t i = 0; i < WEFT_COUNT(bad); i++) {
        bytes b = {.size = 0};
        put_computed(&b, bad[i][0], bad[i][1]);
        CHECK(!use(b.at, b.size) && strstr(message, "a term of a site's address is not known"));
    }
}

static void steps_and_gotos_read_back(void)
{
    bytes b = {.size = 0};
    put_steps(&b, 2, DESCRIPTOR_GOTO_WITHIN);
    descriptors *all = descriptors_parse(b.at, b.size, message, sizeof message);
    CHECK(all);
    const descriptor_function *f = &all->function[0];
    CHECK_EQ(f->block->step_count, 3);
    CHECK(f->block->step[0] == 1 && f->block->step[1] == 0 && f->block->step[2] == 2);
    CHECK(f->edge_goto[0].how == DESCRIPTOR_GOTO_NONE && f->edge_goto[1].how == DESCRIPTOR_GOTO_WITHIN);
    CHECK_EQ(f->edge_goto[1].place.line, 13);
    descriptors_free(all);
}

static void a_step_on_no_line_and_an_unknown_goto_are_refused(void)
{
    bytes b = {.size = 0};
    put_steps(&b, 3, DESCRIPTOR_GOTO_WITHIN);
    CHECK(!use(b.at, b.size) && strstr(message, "a step is on a line that is not there"));
    b.size = 0;
    put_steps(&b, 2, DESCRIPTOR_GOTO_ALONE + 1);
    CHECK(!use(b.at, b.size) && strstr(message, "an edge leads nowhere"));
}

static void landings_read_back(void)
{
    for (uint8_t version = 5; version <= 6; version++) {
        bytes b = {.size = 0};
        put_landing(&b, version, 0);
        descriptors *all = descriptors_parse(b.at, b.size, message, sizeof message);
        CHECK(all);
        CHECK_EQ(all->function[0].block[0].landing, version < 6 ? BALLARUS_NONE : 0);
        descriptors_free(all);
    }
}

static void a_landing_on_no_block_is_refused(void)
{
    bytes b = {.size = 0};
    put_landing(&b, 6, 1);
    CHECK(!use(b.at, b.size) && strstr(message, "an exception arrives nowhere"));
}

static void every_cut_is_survived(void)
{
    for (size_t size = 1; size < records.size; size++) {
        uint8_t *copy = malloc(size); /* of exactly this size, so that the sanitizer sees a read beyond it */
        CHECK(copy);
        memcpy(copy, records.at, size);
        bool read = use(copy, size);
        free(copy);
        CHECK(read == (size == first_size));
    }
}

static void garbage_is_survived(void)
{
    check_random rng = {12345};
    for (int i = 0; i < (int)check_amount(5000, 25000, 50000); i++) {
        bytes b = records;
        uint32_t changes = 1 + check_random_below(&rng, 6);
        for (uint32_t k = 0; k < changes; k++) {
            uint32_t at = check_random_below(&rng, (uint32_t)b.size);
            b.at[at] = (uint8_t)(check_random_below(&rng, 2) ? check_random_next(&rng) : 0xff);
        }
        CHECK(use(b.at, b.size) || message[0]);
    }
}

static bool refuses(const void *content, size_t size)
{
    char path[] = "/tmp/weft-descriptor.XXXXXX";
    int file = mkstemp(path);
    EXPECT(file >= 0 && write(file, content, size) == (ssize_t)size);
    close(file);
    message[0] = 0;
    image *im = image_open(path, message, sizeof message);
    unlink(path);
    EXPECT(!im && message[0] && !strchr(message, '\n'));
    return true;
}

static void files_that_hold_none_are_refused(void)
{
    static uint8_t head[64] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    CHECK(refuses("", 0));
    CHECK(refuses("plain text\n", 11));
    CHECK(refuses(head, 4));
    CHECK(refuses(head, 52));
    for (unsigned i = 7; i < 52; i++) {
        head[i] = 0xff;
        CHECK(refuses(head, 52));
    }
    CHECK(!image_open("/nowhere/at/all", message, sizeof message));
    CHECK(strstr(message, "No such file"));
    CHECK(!image_open("/proc/self/exe", message, sizeof message));
    CHECK(strstr(message, "not for a 32-bit ARM"));
    CHECK(!image_open("/", message, sizeof message));
}

int main(void)
{
    put_function(&records, 0, true);
    first_size = records.size;
    put_function(&records, 100, false);
    RUN(a_record_reads_back);
    RUN(paths_expand);
    RUN(a_packed_function_has_a_pack_number);
    RUN(every_flipped_bit_is_survived);
    RUN(every_flip_and_cut_of_checked_records_is_refused);
    RUN(a_computed_site_reads_back);
    RUN(terms_that_mean_nothing_are_refused);
    RUN(steps_and_gotos_read_back);
    RUN(landings_read_back);
    RUN(a_landing_on_no_block_is_refused);
    RUN(a_step_on_no_line_and_an_unknown_goto_are_refused);
    RUN(every_cut_is_survived);
    RUN(garbage_is_survived);
    RUN(files_that_hold_none_are_refused);
    return check_failed();
}
