/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/loops/binary.h"

struct nest_file {
    nest *nest;
    uint8_t *bytes;
    const char **names; /* by symbol; NULL: numbers */
    bool checked;
};

static const uint8_t magic[5] = {0, 'W', 'L', 'F', 2};
enum { CRC_SIZE = 4 };

/* A file under construction. */
typedef struct draft {
    uint8_t *data;
    size_t size, max;
} draft;

static void add(draft *b, const void *data, size_t size)
{
    b->data = memory_room(b->data, b->size + size, &b->max, 1);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void add_nest(draft *b, const nest *n)
{
    uint8_t head[WEFT_VARINT64_MAX];
    weft_writer writer;
    size_t size;
    uint8_t *encoded = nest_encode(n, &size);
    weft_writer_init(&writer, head, sizeof head);
    weft_write_varint64(&writer, size);
    add(b, head, writer.size);
    add(b, encoded, size);
    free(encoded);
}

static void add_crc(draft *b)
{
    uint8_t crc[CRC_SIZE];
    weft_writer writer;
    weft_writer_init(&writer, crc, sizeof crc);
    weft_write_u32(&writer, weft_crc32(0, b->data, b->size));
    add(b, crc, sizeof crc);
}

bool nest_file_write(const char *path, const nest *n, nest_namer *name, void *context, char *message,
                     size_t message_size)
{
    output *file = output_open(path, message, message_size);
    if (!file)
        return false;
    draft b = {NULL, 0, 0};
    uint8_t named = name != NULL;
    add(&b, magic, sizeof magic);
    add_nest(&b, n);
    add(&b, &named, 1);
    for (uint32_t i = 0; name && i < n->alphabet; i++) {
        char buffer[24];
        const char *text = name(context, i, buffer);
        add(&b, text, strlen(text) + 1);
    }
    add_crc(&b);
    fwrite(b.data, 1, b.size, output_stream(file));
    free(b.data);
    return output_commit(file, message, message_size);
}

/* Takes what follows the nest. False: there is not one name per symbol, or the symbols are not 0, 1, ... */
static bool take_names(nest_file *file, const char *bytes, size_t size)
{
    uint32_t count = file->nest->alphabet;
    if (size == 0 || (bytes[0] != 0 && bytes[0] != 1))
        return false;
    if (bytes[0] == 0)
        return size == 1;
    bytes++;
    size--;
    file->names = memory_zero(count, sizeof *file->names);
    for (uint32_t i = 0; i < count; i++) {
        const char *end = memchr(bytes, 0, size);
        if (!end || file->nest->symbols[i] >= count)
            return false;
        file->names[i] = bytes;
        size -= (size_t)(end + 1 - bytes);
        bytes = end + 1;
    }
    return size == 0;
}

/* Takes the frame of version 2 off *bytes, or leaves version 1 as it is. False: the check sum is wrong. */
static bool take_frame(const uint8_t **bytes, size_t *size)
{
    if (*size < sizeof magic || memcmp(*bytes, magic, sizeof magic))
        return true;
    if (*size < sizeof magic + CRC_SIZE)
        return false;
    weft_reader crc;
    weft_reader_init(&crc, *bytes + *size - CRC_SIZE, CRC_SIZE);
    if (weft_read_u32(&crc) != weft_crc32(0, *bytes, *size - CRC_SIZE))
        return false;
    *bytes += sizeof magic;
    *size -= sizeof magic + CRC_SIZE;
    return true;
}

/* The nest and the names that `bytes` hold. False, and what is wrong. */
static bool take_content(nest_file *file, const uint8_t *bytes, size_t size, char *error, size_t error_size)
{
    char message[160];
    weft_reader reader;
    weft_reader_init(&reader, bytes, size);
    uint64_t part = weft_read_varint64(&reader);
    const uint8_t *encoded = part <= SIZE_MAX ? weft_read_bytes(&reader, (size_t)part) : NULL;
    if (!encoded) {
        snprintf(error, error_size, "byte 0: this is not a file of `weft loops --binary`, or it is cut");
        return false;
    }
    file->nest = nest_decode(encoded, (size_t)part, message);
    if (!file->nest) {
        snprintf(error, error_size, "in the nest, at byte %zu of the file: %s", (size_t)(encoded - file->bytes),
                 message);
        return false;
    }
    if (take_names(file, (const char *)bytes + reader.at, size - reader.at))
        return true;
    snprintf(error, error_size, "byte %zu: the names do not fit the symbols",
             (size_t)(bytes - file->bytes) + reader.at);
    return false;
}

nest_file *nest_file_read(const char *path, char *error, size_t error_size)
{
    size_t size;
    nest_file *file = memory_zero(1, sizeof *file);
    file->bytes = memory_read(path, &size);
    const uint8_t *bytes = file->bytes;
    bool well = false;
    if (!bytes)
        snprintf(error, error_size, "cannot be read: %s", strerror(errno));
    else if (!take_frame(&bytes, &size))
        snprintf(error, error_size, "the check sum is wrong: it is damaged or cut");
    else
        well = take_content(file, bytes, size, error, error_size);
    file->checked = bytes != file->bytes;
    if (well)
        return file;
    nest_file_free(file);
    return NULL;
}

void nest_file_free(nest_file *file)
{
    nest_free(file->nest);
    free(file->bytes);
    free(file->names);
    free(file);
}

const nest *nest_file_nest(const nest_file *file)
{
    return file->nest;
}

bool nest_file_checked(const nest_file *file)
{
    return file->checked;
}

const char *nest_file_name(const nest_file *file, uint32_t symbol)
{
    return file->names ? file->names[symbol] : NULL;
}
