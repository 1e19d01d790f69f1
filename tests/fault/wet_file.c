/* SPDX-License-Identifier: MIT */
/* A file of a whole execution trace, cut at every byte and with every bit flipped. It is refused, or damage is
 * reported, or every answer is that of the file as it was written. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/bytes.h"
#include "tests/lib/check.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/wet/column.h"
#include "tools/lib/wet/room.h"
#include "tools/lib/wet/store.h"

#define PART 256u /* numbers read at once */

static char name[] = "/tmp/weft-test-XXXXXX";
static uint8_t *bytes; /* of the file as it was written */
static size_t size;

static void history_write(wet_file *f, FILE *out)
{
    wet_history *h = wet_history_kept(f);
    fputs(h ? h->text : "none", out);
    for (uint32_t node = 0; h && node < h->node_count; node++)
        for (uint32_t i = 0; i < h->nodes[node].event_count; i++)
            for (uint32_t at = 0; at < h->nodes[node].executions && !f->damaged; at++)
                fputc(wet_bits_missed(&h->nodes[node].bits[i], at), out);
    if (h)
        wet_history_free(h);
}

/* A check sum over what the file answers: control flow, every word, a slice in each direction, the program, the
 * architecture history. */
static uint32_t answers(wet_file *f)
{
    char *text = NULL;
    size_t length;
    uint32_t words[PART];
    FILE *out = open_memstream(&text, &length);
    wet_control_addresses(f, 1, f->time, false, out);
    for (uint32_t node = 0; node < f->node_count; node++)
        for (uint32_t slot = 0; slot < f->nodes[node].n.slot_count; slot++)
            for (uint32_t at = 0, count = f->nodes[node].n.count, part; at < count; at += part) {
                part = count - at < PART ? count - at : PART;
                wet_words(f, node, slot, at, part, words);
                fwrite(words, sizeof *words, part, out);
            }
    wet_instance last = {f->node_count - 1, 0, f->nodes[f->node_count - 1].n.count - 1};
    for (int forward = 0; forward < 2; forward++) {
        wet_slice *slice = wet_slice_run(f, (wet_start){last, 0}, forward, NULL, NULL);
        fwrite(slice->counts, sizeof *slice->counts, f->static_count, out);
        wet_slice_free(slice);
    }
    for (uint32_t i = 0; i < f->static_count; i++)
        fprintf(out, "%s %s %u\n", wet_function_name(f, i), wet_file_name(f, i), f->static_line[i]);
    for (uint32_t i = 0; i < f->symbol_count; i++)
        fprintf(out, "%s %u %u\n", f->symbols[i].name, f->symbols[i].address, f->symbols[i].size);
    history_write(f, out);
    fclose(out);
    uint32_t sum = weft_crc32(0, (const uint8_t *)text, length);
    free(text);
    return sum;
}

static bool put(const uint8_t *from, size_t count)
{
    int fd = open(name, O_WRONLY | O_TRUNC);
    bool good = fd >= 0 && write(fd, from, count) == (ssize_t)count;
    close(fd);
    return good;
}

enum { REFUSED, DAMAGED, AS_WRITTEN, OTHER };

/* `stored`: as a debugger reads it, whose thread decodes all blocks. */
static int judge(uint32_t wanted, bool stored)
{
    char message[300];
    wet_file *f = wet_file_open(name, message, sizeof message);
    if (!f)
        return REFUSED;
    f->alone = stored;
    if (stored)
        wet_store_begin(f, UINT32_MAX);
    wet_store_wait(f);
    bool same = answers(f) == wanted;
    int verdict = f->damaged ? DAMAGED : same ? AS_WRITTEN : OTHER;
    wet_file_close(f);
    return verdict;
}

/* Writes the small trace. *wanted gets the sum of its answers. */
static bool write_trace(int tier, uint32_t *wanted)
{
    char message[300];
    bool cut;
    wet_report report;
    wet_trace *t = wet_trace_read("tests/fault/wet/small.weft", "tests/fault/wet/small.elf", "stm32f4,branch=bimodal:4",
                                  &cut, message, sizeof message);
    EXPECT(t && !cut);
    EXPECT(wet_pack_write(t, name, tier, &report, message, sizeof message));
    wet_trace_free(t);
    free(bytes);
    bytes = (uint8_t *)memory_read(name, &size);
    wet_file *f = wet_file_open(name, message, sizeof message);
    EXPECT(f);
    *wanted = answers(f);
    EXPECT(!f->damaged);
    wet_file_close(f);
    return true;
}

/* Flips one bit in every 20th byte of the directory, in every byte with WEFT_LONG. Tier 1 is much the same, so there
 * one in 36 or 18. Answers take their time, so fewer bits of the data are flipped. */
static void every_flip_is_reported(void)
{
    uint32_t wanted;
    for (int tier = 1; tier <= 2; tier++) {
        CHECK(write_trace(tier, &wanted));
        size_t data = 20 + (size_t)(bytes[12] | bytes[13] << 8 | bytes[14] << 16);
        size_t in_data = tier == 1 ? check_amount(545, 545, 273) : check_amount(369, 369, 9);
        size_t before = tier == 1 ? check_amount(289, 289, 145) : check_amount(161, 161, 9);
        bool stored = false;
        for (size_t bit = 0; bit < 8 * size; bit += bit >= 8 * data ? in_data : before) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            CHECK(put(bytes, size));
            int verdict = judge(wanted, stored = !stored);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            CHECK(verdict == REFUSED || verdict == DAMAGED);
        }
    }
}

static void every_cut_is_refused(void)
{
    uint32_t wanted;
    for (int tier = 1; tier <= 2; tier++) {
        CHECK(write_trace(tier, &wanted));
        for (size_t cut = 0; cut < size; cut += tier == 1 ? 61 : check_amount(61, 61, 3)) {
            CHECK(put(bytes, cut));
            CHECK_EQ(judge(wanted, false), REFUSED);
        }
        CHECK(put(bytes, size));
        CHECK_EQ(judge(wanted, false), AS_WRITTEN);
        CHECK_EQ(judge(wanted, true), AS_WRITTEN);
    }
}

/* Readers keep 32 bits for the place where a block begins, so no column may reach 4 GB. */
static void a_column_of_4_GB_is_not_written(void)
{
    for (uint64_t more = 0; more < 2; more++) {
        squeeze_bytes directory = {0}, data = {0};
        wet_column column = {.kind = {WET_RAW, WET_CODED}, .data = {.size = (size_t)(UINT32_MAX * more + more)}};
        wet_columns columns = {&column, 1, 1, 2};
        uint32_t number = WET_NONE;
        wet_column_writer writer = {&columns, 2, &number, 0, &directory, &data, false};
        wet_column_write(&writer, 0);
        CHECK_EQ(writer.too_long, more);
        CHECK_EQ(data.size, 0);
        squeeze_bytes_free(&directory);
        squeeze_bytes_free(&data);
    }
}

int main(void)
{
    int fd = mkstemp(name);
    if (fd < 0)
        return 1;
    close(fd);
    RUN(every_flip_is_reported);
    RUN(every_cut_is_refused);
    RUN(a_column_of_4_GB_is_not_written);
    unlink(name);
    free(bytes);
    return check_failed();
}
