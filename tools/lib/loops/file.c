/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/loops/binary.h"

struct nest_file {
    nest *nest;
    uint8_t *bytes;
    const char **names; /* by symbol; NULL: numbers */
};

bool nest_file_write(const char *path, const nest *n, nest_namer *name, void *context)
{
    uint8_t head[WEFT_VARINT64_MAX];
    weft_writer writer;
    size_t size;
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    uint8_t *bytes = nest_encode(n, &size);
    weft_writer_init(&writer, head, sizeof head);
    weft_write_varint64(&writer, size);
    fwrite(head, 1, writer.size, file);
    fwrite(bytes, 1, size, file);
    free(bytes);
    putc(name != NULL, file);
    for (uint32_t i = 0; name && i < n->alphabet; i++) {
        char buffer[24];
        const char *text = name(context, i, buffer);
        fwrite(text, 1, strlen(text) + 1, file);
    }
    bool bad = ferror(file);
    return !(fclose(file) || bad);
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

nest_file *nest_file_read(const char *path, char *error, size_t error_size)
{
    char message[160];
    size_t size;
    weft_reader reader;
    nest_file *file = memory_zero(1, sizeof *file);
    file->bytes = memory_read(path, &size);
    if (!file->bytes) {
        snprintf(error, error_size, "cannot be read: %s", strerror(errno));
        nest_file_free(file);
        return NULL;
    }
    weft_reader_init(&reader, file->bytes, size);
    uint64_t part = weft_read_varint64(&reader);
    const uint8_t *bytes = part <= SIZE_MAX ? weft_read_bytes(&reader, (size_t)part) : NULL;
    snprintf(error, error_size, "byte 0: this is no file of `weft loops --binary`, or it is cut");
    if (bytes && !(file->nest = nest_decode(bytes, (size_t)part, message)))
        snprintf(error, error_size, "in the nest, at byte %zu of the file: %s", (size_t)(bytes - file->bytes), message);
    if (file->nest) {
        if (take_names(file, (const char *)file->bytes + reader.at, size - reader.at))
            return file;
        snprintf(error, error_size, "byte %zu: the names do not fit the symbols", reader.at);
    }
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

const char *nest_file_name(const nest_file *file, uint32_t symbol)
{
    return file->names ? file->names[symbol] : NULL;
}
