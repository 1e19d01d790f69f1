/* SPDX-License-Identifier: MIT */
/* Full recordings (tools/qemu/FULL.md) with whole frames whose chunks no emulator writes. They are refused, in
 * reading and in building a whole execution trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "core/frame.h"
#include "tests/lib/check.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/wet/gather.h"
#include "tools/lib/wet/pack.h"

enum { ROOM = 4096, COLUMNS = 6 };

/* A chunk of one instruction that executes once. */
typedef struct sample {
    uint8_t size, condition;
    uint64_t writes, later; /* later: what a note says before it executes; 0: no note */
    bool passed;            /* the column of that has a byte */
    uint32_t from, to;      /* of an exception after the instruction; both 0: none */
    uint32_t other;         /* not 0: the frame with this number is of another recording */
} sample;

static const sample good = {.size = 2, .condition = FULL_ALWAYS, .writes = FULL_REGISTER(0)};

static void columns_of(const sample *s, weft_writer *column)
{
    static uint8_t bytes[COLUMNS][256];
    for (unsigned c = 0; c < COLUMNS; c++)
        weft_writer_init(&column[c], bytes[c], sizeof bytes[c]);
    weft_write_u32(&column[0], 0x1d2); /* a nop of small.elf */
    weft_write_u8(&column[0], s->size);
    weft_write_u32(&column[0], 0xbf00bf00);
    weft_write_u8(&column[0], s->condition);
    weft_write_u64(&column[0], s->writes);
    weft_write_varint(&column[1], 1); /* a run of one, number 0 */
    weft_write_varint(&column[1], 0);
    if (s->passed)
        weft_write_u8(&column[2], 1);
    for (unsigned i = 0; i < 64; i++)
        weft_write_varint(&column[3], 2);
    if (s->later) {
        weft_write_varint(&column[5], 0);
        weft_write_u8(&column[5], 1);
        weft_write_u64(&column[5], s->later);
    }
    if (s->from || s->to) {
        weft_write_varint(&column[5], 0);
        weft_write_u8(&column[5], 4);
        weft_write_varint(&column[5], s->from);
        weft_write_varint(&column[5], s->to);
        weft_write_u8(&column[5], 1);
        for (unsigned i = 0; i < 18; i++)
            weft_write_u32(&column[5], 0x20000000);
    }
}

/* The frame names the CRC of the one before it. */
static void write_frame(FILE *file, uint32_t sequence, const uint8_t *body, size_t size, uint32_t *chain)
{
    uint8_t bytes[2 * ROOM];
    size_t shift = WEFT_FRAME_SHIFT(ROOM);
    weft_writer out;
    weft_writer_init(&out, bytes + shift, ROOM);
    weft_frame head = {.version = WEFT_FORMAT_VERSION, .kind = WEFT_FRAME_FULL, .sequence = sequence, .lost = *chain};
    weft_frame_head(&out, &head);
    weft_write_bytes(&out, body, size);
    *chain = weft_frame_check(out.bytes, out.size);
    fwrite(bytes, 1, weft_frame_seal(bytes, shift, out.size), file);
}

static void write_sample(const char *path, const sample *s)
{
    static const char description[] = "\0format=1\nchained=1\nmachine=none\n";
    uint8_t chunk[ROOM], body[ROOM], end[] = {2, 1, 0, 0};
    weft_writer column[COLUMNS], plain, out;
    uint32_t chain = 0;
    FILE *file = fopen(path, "wb");
    columns_of(s, column);
    weft_writer_init(&plain, chunk, sizeof chunk);
    weft_write_varint(&plain, 1);
    for (unsigned c = 0; c < COLUMNS; c++)
        weft_write_varint(&plain, (uint32_t)column[c].size);
    for (unsigned c = 0; c < COLUMNS; c++)
        weft_write_bytes(&plain, column[c].bytes, column[c].size);
    weft_writer_init(&out, body, sizeof body);
    weft_write_u8(&out, 1);
    weft_write_varint64(&out, plain.size);
    out.size += ZSTD_compress(body + out.size, sizeof body - out.size, chunk, plain.size, 1);
    fwrite(WEFT_CONTAINER_HEAD, 1, WEFT_CONTAINER_HEAD_SIZE, file);
    write_frame(file, 0, (const uint8_t *)description, sizeof description - 1, &chain);
    chain ^= s->other == 1;
    write_frame(file, 1, body, out.size, &chain);
    chain ^= s->other == 2;
    write_frame(file, 2, end, sizeof end, &chain);
    fclose(file);
}

/* Whether the sample is read to its end without an error. Also builds a trace of it, whatever the verdict. */
static bool reads(const sample *s)
{
    char path[] = "/tmp/weft-test.XXXXXX", message[300];
    int fd = mkstemp(path);
    bool cut = false;
    if (fd < 0)
        return false;
    close(fd);
    write_sample(path, s);
    full_reader *r = full_open(path, message, sizeof message);
    full_event *event = calloc(1, sizeof *event);
    unsigned executed = 0;
    while (r && full_next(r, event) > 0)
        executed += event->kind == FULL_EXECUTED;
    bool well = r && executed == 1 && !full_error(r);
    full_close(r);
    free(event);
    wet_trace *t = wet_trace_read(path, "tests/fault/wet/small.elf", NULL, &cut, message, sizeof message);
    wet_report report;
    well = well && t && !cut && wet_pack_write(t, path, 2, &report, message, sizeof message);
    if (t)
        wet_trace_free(t);
    unlink(path);
    return well;
}

static void an_instruction_reads(void)
{
    sample s = good;
    CHECK(reads(&s));
    s.condition = 3;
    s.passed = true;
    CHECK(reads(&s));
    s.later = FULL_FLAGS | FULL_FLOAT(31);
    CHECK(reads(&s));
}

static void masks_of_what_is_not_there_are_refused(void)
{
    for (unsigned bit = 17; bit < 32; bit++) {
        sample s = good;
        s.writes |= UINT64_C(1) << bit;
        CHECK(!reads(&s));
        s = good;
        s.later = UINT64_C(1) << bit;
        CHECK(!reads(&s));
    }
    sample all = good;
    all.writes = UINT64_MAX;
    CHECK(!reads(&all));
}

static void instructions_of_no_size_are_refused(void)
{
    static const uint8_t sizes[] = {0, 1, 3, 5, 255};
    for (unsigned i = 0; i < sizeof sizes; i++) {
        sample s = good;
        s.size = sizes[i];
        CHECK(!reads(&s));
    }
}

static void conditions_that_are_none_are_refused(void)
{
    for (unsigned condition = FULL_ALWAYS + 1; condition < 256; condition += 15) {
        sample s = good;
        s.condition = (uint8_t)condition;
        s.passed = true;
        CHECK(!reads(&s));
    }
}

static void exceptions_have_numbers_of_nine_bits(void)
{
    sample s = good;
    s.from = 3;
    s.to = 511;
    CHECK(reads(&s));
    s.to = 512;
    CHECK(!reads(&s));
    s.to = 15;
    s.from = UINT32_MAX;
    CHECK(!reads(&s));
}

static void frames_of_another_recording_are_refused(void)
{
    sample s = good;
    for (s.other = 1; s.other <= 2; s.other++)
        CHECK(!reads(&s));
}

/* What the index of frames says of the sample, `times` in a file with one head. */
static void index_of(const sample *s, unsigned times, size_t *recordings, size_t *gaps)
{
    char path[] = "/tmp/weft-test.XXXXXX", message[300];
    static uint8_t bytes[4 * ROOM];
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    write_sample(path, s);
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, ROOM, file), all = size;
    fclose(file);
    for (unsigned i = 1; i < times; i++, all += size - WEFT_CONTAINER_HEAD_SIZE)
        memcpy(bytes + all, bytes + WEFT_CONTAINER_HEAD_SIZE, size - WEFT_CONTAINER_HEAD_SIZE);
    container *c = container_open_bytes(bytes, all, "sample", message, sizeof message);
    CHECK(c != NULL);
    *recordings = container_recording_count(c);
    *gaps = container_gap_count(c);
    container_close(c);
    unlink(path);
}

static void the_index_sees_them_too(void)
{
    sample s = good;
    size_t recordings, gaps;
    for (s.other = 0; s.other <= 2; s.other++) {
        index_of(&s, 1, &recordings, &gaps);
        CHECK(recordings == 1 && gaps == (s.other != 0));
    }
}

static void a_recording_that_comes_again_is_one_more(void)
{
    size_t recordings, gaps;
    index_of(&good, 2, &recordings, &gaps);
    CHECK(recordings == 2 && gaps == 0);
}

static void outcomes_that_are_missing_are_told(void)
{
    sample s = good;
    s.condition = 3;
    CHECK(!reads(&s));
}

int main(void)
{
    RUN(an_instruction_reads);
    RUN(frames_of_another_recording_are_refused);
    RUN(the_index_sees_them_too);
    RUN(a_recording_that_comes_again_is_one_more);
    RUN(masks_of_what_is_not_there_are_refused);
    RUN(instructions_of_no_size_are_refused);
    RUN(conditions_that_are_none_are_refused);
    RUN(exceptions_have_numbers_of_nine_bits);
    RUN(outcomes_that_are_missing_are_told);
    return check_failed();
}
