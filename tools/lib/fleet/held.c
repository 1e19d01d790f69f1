/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/held.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/whole_file.h"

uint64_t held_frames(const container *file)
{
    size_t size;
    uint8_t *bytes = container_in_order(file, &size);
    uint64_t digest = digest_of(0, bytes, size);
    free(bytes);
    return digest;
}

uint64_t held_digest(uint64_t frames, const char *labels, const char *device)
{
    uint64_t digest = digest_of(frames, labels, strlen(labels));
    digest = device ? digest_of(digest, device, strlen(device)) : digest;
    return digest + (digest == 0);
}

static bool holds(const merged *all, uint64_t frames)
{
    for (size_t g = 0; g < all->group_count; g++) {
        const char *labels = all->group[g]->labels;
        if (digests_has(&all->recordings, held_digest(frames, labels, NULL)))
            return true;
        for (size_t i = 0; i < all->names.count; i++)
            if (digests_has(&all->recordings, held_digest(frames, labels, all->names.text[i])))
                return true;
    }
    return false;
}

bool held_in(const merged *all, const char *path)
{
    char message[400];
    whole_file bytes;
    bool held = false;
    if (!whole_file_open(&bytes, path))
        return false;
    container *frames = container_open_frames(bytes.bytes, bytes.size, path, message, sizeof message);
    size_t count = frames ? container_recording_count(frames) : 0;
    for (size_t i = 0; i < count && !held; i++) {
        container *file = container_part(frames, i);
        held = holds(all, held_frames(file));
        container_close(file);
    }
    if (frames)
        container_close(frames);
    whole_file_close(&bytes);
    return held;
}
