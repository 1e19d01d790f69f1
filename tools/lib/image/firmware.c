/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/firmware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

#define ATTRIBUTES_FILE 1u  /* build attributes of the whole file */
#define ATTRIBUTE_NAME_1 4u /* CPU_raw_name, CPU_name: strings */
#define ATTRIBUTE_NAME_2 5u
#define ATTRIBUTE_PROFILE 7u /* CPU_arch_profile: 'A', 'R', 'M', 'S' */
#define KEYS_MAX 32u

struct firmware {
    image *im;
    char *board; /* the section's text, each line and key ended by a zero */
    const char *keys[KEYS_MAX], *values[KEYS_MAX];
    unsigned key_count;
};

static bool read_uleb(const uint8_t **at, const uint8_t *end, uint32_t *value)
{
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 35; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= (uint32_t)(byte & 0x7f) << (shift & 31);
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

/* The profile in the file attributes of .ARM.attributes ("aeabi"); 0: it does not say. */
static uint32_t profile(const image *im)
{
    size_t size;
    const uint8_t *bytes = image_section(im, ".ARM.attributes", &size);
    if (!bytes || size < 16)
        return 0;
    const uint8_t *end = bytes + size, *at = bytes + 5;
    at = memchr(at, 0, (size_t)(end - at)); /* 'A', size, vendor's name, then the file's tag and size */
    if (!at || end - at < 6 || at[1] != ATTRIBUTES_FILE)
        return 0;
    for (at += 6; at < end;) {
        uint32_t tag, value;
        if (!read_uleb(&at, end, &tag))
            return 0;
        if (tag == ATTRIBUTE_NAME_1 || tag == ATTRIBUTE_NAME_2 || tag == 32 || (tag > 32 && tag & 1)) {
            if (tag == 32 && !read_uleb(&at, end, &value))
                return 0;
            at = memchr(at, 0, (size_t)(end - at));
            if (!at++)
                return 0;
        } else if (!read_uleb(&at, end, &value)) {
            return 0;
        } else if (tag == ATTRIBUTE_PROFILE) {
            return value;
        }
    }
    return 0;
}

static void read_board(firmware *f)
{
    size_t size;
    const uint8_t *bytes = image_section(f->im, ".weft.board", &size);
    if (!bytes)
        return;
    f->board = memory_zero(size + 1, 1);
    memcpy(f->board, bytes, size);
    for (char *save, *line = strtok_r(f->board, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *equals = strchr(line, '=');
        if (!equals || f->key_count == KEYS_MAX)
            continue;
        *equals = 0;
        f->keys[f->key_count] = line;
        f->values[f->key_count++] = equals + 1;
    }
}

/* NULL: it is firmware for a Cortex-M. */
static const char *complaint(const image *im)
{
    if (!im->linked)
        return "it is not a linked program (an object file, or a shared one)";
    uint32_t kind = profile(im);
    if (kind && kind != 'M')
        return "it is for an application or real-time ARM (Cortex-A or -R), not for a Cortex-M";
    if (!kind && !(im->entry & 1))
        return "its entry is ARM code, which no Cortex-M runs";
    return NULL;
}

firmware *firmware_open(const char *path, char *message, size_t message_size)
{
    image *im = image_open(path, message, message_size);
    const char *wrong = im ? complaint(im) : NULL;
    if (!im || wrong) {
        if (wrong)
            snprintf(message, message_size, "%s: %s", path, wrong);
        image_close(im);
        return NULL;
    }
    firmware *f = memory_zero(1, sizeof *f);
    f->im = im;
    read_board(f);
    return f;
}

void firmware_close(firmware *f)
{
    if (!f)
        return;
    image_close(f->im);
    free(f->board);
    free(f);
}

const image *firmware_image(const firmware *f)
{
    return f->im;
}

const char *firmware_board(const firmware *f, const char *key)
{
    for (unsigned i = 0; i < f->key_count; i++)
        if (!strcmp(f->keys[i], key))
            return f->values[i];
    return NULL;
}
