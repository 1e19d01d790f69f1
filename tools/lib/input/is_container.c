/* SPDX-License-Identifier: MIT */
#include "tools/lib/input/is_container.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/frame.h"
#include "tools/lib/base/kind.h"
#include "tools/lib/base/whole_file.h"

enum { HEAD = 1 << 16 }; /* bytes of a file that are looked at */

bool input_begins_as_container(const uint8_t *bytes, size_t size)
{
    return size >= WEFT_CONTAINER_HEAD_SIZE && memcmp(bytes, WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE) == 0;
}

/* Whether a whole frame, with its check sum, stands between zeros. A serial line that was listened to late gives a
 * recording without its head. */
static bool holds_frame(uint8_t *bytes, size_t size)
{
    weft_frame frame;
    for (uint8_t *zero; (zero = memchr(bytes, 0, size)); size -= (size_t)(zero + 1 - bytes), bytes = zero + 1)
        if (zero != bytes && weft_frame_open(&frame, bytes, (size_t)(zero - bytes)) == WEFT_OK)
            return true;
    return false;
}

static bool ends_with(const char *path, const char *end)
{
    size_t size = strlen(path), end_size = strlen(end);
    return size > end_size && !strcmp(path + size - end_size, end);
}

/* Whether the name is that of a recording; or that of another file of Weft, though its contents are not. Such a file is
 * not a stream. */
static bool is_named_so(const char *path, const uint8_t *bytes, size_t size)
{
    bool other = ends_with(path, ".weft-profile") || ends_with(path, ".wet");
    return ends_with(path, ".weft") || (other && !kind_no_stream(bytes, size));
}

bool input_is_container(const char *path)
{
    static uint8_t head[HEAD];
    struct stat about;
    errno = 0;
    /* A pipe gives its bytes only once: they are left for the reader. */
    FILE *file = strcmp(path, "-") && stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) {
        whole_file_host_failed(path);
        return false;
    }
    size_t size = fread(head, 1, sizeof head, file);
    if (ferror(file))
        whole_file_host_failed(path);
    fclose(file);
    return input_begins_as_container(head, size) || holds_frame(head, size) || is_named_so(path, head, size);
}
