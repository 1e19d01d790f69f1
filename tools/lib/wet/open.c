/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "tools/lib/base/checksum.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/image/compared.h"
#include "tools/lib/recording/chosen.h"
#include "tools/lib/squeeze/coded.h"
#include "tools/lib/squeeze/mix.h"
#include "tools/lib/wet/directory.h"
#include "tools/lib/wet/past.h"
#include "tools/lib/wet/slice_log.h"
#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/store.h"
#include "tools/lib/wet/stream.h"

#define DIRECTORY_MAX (UINT64_C(1) << 30) /* bytes; more is refused */
#define SNAPSHOTS_MAX (UINT64_C(1) << 32) /* bytes; more is refused */
#define LOG_MAX (UINT64_C(256) << 20)     /* bytes of a slice's log in memory. Less: more of it on disk */
#define DECODED_MAX (UINT64_C(1) << 30)   /* bytes of decoded blocks held at once. Less: blocks are decoded again */

const uint8_t wet_file_magic[8] = {'w', 'e', 'f', 't', 'w', 'e', 't', WET_VERSION_HISTORY + WET_VERSION_CLEARED};

static void read_snapshots(directory *d)
{
    wet_file *f = d->f;
    f->window = directory_number(d);
    f->snapshots_plain = weft_read_varint64(&d->in);
    uint64_t packed = weft_read_varint64(&d->in);
    if (packed > f->size - d->data_at || f->snapshots_plain > SNAPSHOTS_MAX || !f->window) {
        directory_bad(d);
        return;
    }
    f->snapshots = f->bytes + d->data_at;
    f->snapshots_size = (size_t)packed;
    d->data_at += (size_t)packed;
}

static void read_schedule(directory *d)
{
    wet_file *f = d->f;
    f->schedule_plain = weft_read_varint64(&d->in);
    uint64_t packed = weft_read_varint64(&d->in);
    if (packed > f->size - d->data_at || f->schedule_plain > SNAPSHOTS_MAX) {
        directory_bad(d);
        return;
    }
    f->schedule = f->bytes + d->data_at;
    f->schedule_size = (size_t)packed;
    d->data_at += (size_t)packed;
}

/* The data end with the last stream, or the snapshots, or the schedule, or the history; the directory with their check
 * sums. */
static void read_sums(directory *d)
{
    wet_file *f = d->f;
    size_t count = (f->size - f->data_at + WET_CHUNK - 1) / WET_CHUNK;
    if (d->data_at != f->size || weft_reader_left(&d->in) != (f->version > 1 ? 4 * count : 0)) {
        directory_bad(d);
        return;
    }
    if (f->version == 1)
        return;
    f->sums = memory_zero(count + 1, sizeof *f->sums);
    f->sum_state = memory_zero(count + 1, 1);
    for (size_t i = 0; i < count; i++)
        f->sums[i] = weft_read_u32(&d->in);
}

static void read_directory(directory *d)
{
    wet_file *f = d->f;
    directory_program(d);
    uint32_t count = directory_good(d) ? directory_count(d) : 0;
    f->nodes = memory_zero(count + 1, sizeof *f->nodes);
    for (uint32_t i = 0; i < count && directory_good(d); i++) {
        f->node_count = i + 1;
        directory_node(d, &f->nodes[i]);
    }
    if (directory_good(d))
        directory_link(d);
    if (directory_good(d) && d->f->version > 2)
        read_snapshots(d);
    if (directory_good(d) && d->f->version >= WET_VERSION_SCHEDULE)
        read_schedule(d);
    if (directory_good(d) && d->f->version > 3 && d->f->version % 2 == 0)
        directory_history(d);
    if (directory_good(d))
        read_sums(d);
}

static const uint8_t *map(const char *path, size_t *size, char *message, size_t message_size)
{
    struct stat about;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &about)) {
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    *size = S_ISREG(about.st_mode) ? (size_t)about.st_size : 0;
    const uint8_t *bytes = *size ? mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED) {
        snprintf(message, message_size, "'%s' is not a whole execution trace", path);
        return NULL;
    }
    return bytes;
}

/* The directory is small beside the data; it is unpacked here. */
static bool directory_open(wet_file *f, size_t size, char *message, size_t message_size)
{
    const uint8_t *packed = f->bytes + WET_HEAD_SIZE;
    unsigned long long plain_size = ZSTD_getFrameContentSize(packed, size);
    uint8_t *plain = plain_size < DIRECTORY_MAX ? memory_try((size_t)plain_size + 1) : NULL;
    directory d = {.f = f, .data_at = f->data_at};
    f->directory = plain;
    f->directory_size = plain ? (size_t)plain_size : 0;
    weft_reader_init(&d.in, plain, f->directory_size);
    if (!plain || ZSTD_decompress(plain, (size_t)plain_size, packed, size) != plain_size)
        directory_bad(&d);
    else
        read_directory(&d);
    if (!directory_good(&d))
        snprintf(message, message_size, "the directory of the whole execution trace is damaged near its byte %zu",
                 d.in.at);
    return directory_good(&d);
}

/* Version 1 has the check sum of the directory, without its size. */
static uint32_t head_sum(const wet_file *f, uint64_t size)
{
    uint32_t crc = f->version == 1 ? 0 : checksum_crc32(0, f->bytes + 12, 8);
    return checksum_crc32(crc, f->bytes + WET_HEAD_SIZE, (size_t)size);
}

static bool head_read(wet_file *f, const char *path, char *message, size_t message_size)
{
    weft_reader head;
    weft_reader_init(&head, f->bytes, f->size);
    const uint8_t *magic = weft_read_bytes(&head, 8);
    uint32_t crc = weft_read_u32(&head);
    uint64_t size = weft_read_u64(&head);
    if (!magic || memcmp(magic, wet_file_magic, 7) || head.status != WEFT_OK) {
        snprintf(message, message_size, "'%s' is not a whole execution trace", path);
        return false;
    }
    f->version = magic[7];
    f->block_bits = f->version < WET_VERSION_SCHEDULE ? WET_BLOCK_BITS_OLD : WET_BLOCK_BITS;
    if (f->version < 1 || f->version > wet_file_magic[7]) {
        snprintf(message, message_size, "'%s': byte 7: format version %u; this weft reads versions 1 to %u", path,
                 f->version, wet_file_magic[7]);
        return false;
    }
    if (size > f->size - WET_HEAD_SIZE || head_sum(f, size) != crc) {
        snprintf(message, message_size, "'%s' is cut or damaged in its directory (bytes %u to %llu)", path,
                 WET_HEAD_SIZE, (unsigned long long)(WET_HEAD_SIZE + size));
        return false;
    }
    f->data_at = WET_HEAD_SIZE + (size_t)size;
    f->memo = memory_zero(1u << WET_MEMO_BITS, sizeof *f->memo);
    memset(f->memo, 0xff, sizeof *f->memo << WET_MEMO_BITS);
    return directory_open(f, (size_t)size, message, message_size);
}

wet_file *wet_file_open(const char *path, char *message, size_t message_size)
{
    size_t size;
    if (recording_chosen() > 1) {
        snprintf(message, message_size, "'%s' holds 1 recording; it has no recording %llu", path,
                 (unsigned long long)recording_chosen());
        return NULL;
    }
    const uint8_t *bytes = map(path, &size, message, message_size);
    if (!bytes)
        return NULL;
    wet_file *f = memory_zero(1, sizeof *f);
    f->bytes = bytes;
    f->size = size;
    f->decoded_max = DECODED_MAX;
    f->log_max = LOG_MAX;
    if (head_read(f, path, message, message_size))
        return f;
    wet_file_close(f);
    return NULL;
}

bool wet_file_fits(const wet_file *f, const image *im, char *message, size_t message_size)
{
    compared_image fits = {.im = im};
    for (uint32_t i = 0; i < f->static_count && !fits.differs; i++) {
        const thumb_insn *insn = &f->statics[i].insn;
        if (!f->statics[i].exception)
            compared_add(&fits, insn->pc, insn->bytes, insn->size);
    }
    return compared_fits(&fits, message, message_size);
}

static void node_close(wet_file_node *node)
{
    free(node->block_times);
    wet_node_free(&node->n);
}

static void program_close(wet_file *f)
{
    for (uint32_t i = 0; i < f->statement_count; i++)
        wet_statement_free(&f->statements[i]);
    for (uint32_t i = 1; i <= f->string_count; i++)
        free(f->strings[i]);
    free(f->strings);
    free(f->symbols);
    free(f->statics);
    free(f->static_function);
    free(f->static_file);
    free(f->static_line);
    free(f->statements);
}

void wet_file_close(wet_file *f)
{
    if (f->past) /* a search opened it */
        wet_past_close(f->past);
    wet_store_end(f);
    slice_log_free(f->log);
    wet_blocks_free(f);
    for (uint32_t i = 0; i < f->node_count; i++)
        node_close(&f->nodes[i]);
    program_close(f);
    if (f->kept)
        free(f->kept->events);
    free(f->kept);
    free(f->nodes);
    arena_free(&f->arrays);
    free(f->producer_node);
    free(f->memo);
    if (f->coder)
        squeeze_coder_free(f->coder);
    free(f->shifts);
    if (f->mixer)
        squeeze_mixer_free(f->mixer);
    free(f->streams);
    free(f->directory);
    free(f->sums);
    free(f->sum_state);
    munmap((void *)(uintptr_t)f->bytes, f->size);
    free(f);
}

bool wet_is(const char *path)
{
    struct stat about;
    uint8_t head[sizeof wet_file_magic - 1];
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return false; /* a pipe: its next reader would miss these bytes */
    FILE *file = fopen(path, "rb");
    bool is = file && fread(head, 1, sizeof head, file) == sizeof head && !memcmp(head, wet_file_magic, sizeof head);
    if (!file || ferror(file))
        whole_file_host_failed(path);
    if (file)
        fclose(file);
    return is;
}
