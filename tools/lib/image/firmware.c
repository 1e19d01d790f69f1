/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/firmware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/attributes.h"
#include "tools/lib/image/opened.h"

#define KEYS_MAX 32u

struct firmware {
    image *im;
    char *board; /* the section's text, each line and key ended by a zero */
    const char *keys[KEYS_MAX], *values[KEYS_MAX];
    unsigned key_count;
};

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
    uint32_t kind = attributes_get(im, ATTRIBUTES_PROFILE);
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
