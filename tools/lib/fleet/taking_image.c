/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/taking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The image of a recording. False, and a message: images are given, but not its own. */
bool taking_find_image(taking *t, char *message, size_t message_size)
{
    for (size_t i = 0; i < t->image_count && !t->image; i++)
        if (t->image_count == 1 || program_identity_checked(t->images[i].app, t->file))
            t->image = program_fits(t->images[i].app, t->file, message, message_size) ? &t->images[i] : NULL;
    if (!t->image && t->image_count > 1)
        snprintf(message, message_size, "it does not name one of the images that were given");
    return t->image || !t->image_count;
}

static size_t put_identity(uint8_t *out, uint32_t identity, const uint8_t *id, size_t id_size)
{
    size_t size = 0;
    if (identity)
        out[size++] = 'I';
    for (unsigned i = 0; identity && i < 4; i++)
        out[size++] = (uint8_t)(identity >> 8 * i);
    if (!id || id_size > TAKING_IDENTITY_MAX - 8)
        return size;
    out[size++] = 'B';
    memcpy(out + size, id, id_size);
    return size + id_size;
}

size_t taking_identity(const taking *t, uint8_t out[TAKING_IDENTITY_MAX])
{
    uint8_t *buffer = NULL;
    container_recording r = container_recording_at(t->file, 0, &buffer);
    size_t size = r.build_id_size;
    const uint8_t *id = t->image ? program_build_id(t->image->app, &size) : r.build_id;
    uint32_t identity = r.identity || !t->image ? r.identity : program_identity(t->image->app);
    size = put_identity(out, identity, id, size);
    free(buffer);
    if (size || !t->image)
        return size;
    out[0] = 'D';
    for (unsigned i = 0; i < 8; i++)
        out[i + 1] = (uint8_t)(t->image->digest >> 8 * i);
    return 9;
}
