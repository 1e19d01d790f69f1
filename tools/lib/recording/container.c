/* SPDX-License-Identifier: MIT */
/* The steps, at container_open:
 *   1  all bytes of the file (base/whole_file)
 *   2  the frames in them, in the order in which they were recorded, and the damage between (index)
 *   3  what the frames prove to be missing (losses) */
#include "tools/lib/recording/container.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/kind.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/recording/chosen.h"
#include "tools/lib/recording/index.h"
#include "tools/lib/recording/losses.h"
#include "tools/lib/recording/packs_found.h"

struct container {
    char *path;
    whole_file whole; /* empty: the bytes are borrowed */
    frame_index index;
    weft_counts lost;
    const struct descriptors *known;
    stored_packs *stored; /* of PACKS frames; NULL: there are none */
    bool lost_more;
};

static container *new_container(const char *path)
{
    container *file = memory_zero(1, sizeof *file);
    file->path = memory_text(path);
    return file;
}

/* Closes the file and says why it cannot be read: `text`, or else what its index says. */
static container *fail(container *file, char *message, size_t size, const char *text)
{
    const container_gap *gap = file->index.gaps.count ? &file->index.gaps.all[0] : NULL;
    const char *other = text ? NULL : kind_of(file->index.bytes, file->index.size);
    if (other)
        snprintf(message, size, "%s: not a Weft container: %s", file->path, other);
    else if (text)
        snprintf(message, size, "%s: %s", file->path, text);
    else if (file->index.size == 0)
        snprintf(message, size, "%s: the file is empty", file->path);
    else if (gap && gap->kind == GAP_VERSION)
        snprintf(message, size, "%s: byte %" PRIu64 ": format version %u; this build reads versions %u to %u",
                 file->path, gap->offset, gap->version, WEFT_FORMAT_VERSION_MIN, WEFT_FORMAT_VERSION);
    else
        snprintf(message, size, "%s: byte %" PRIu64 ": not a Weft container: no intact frame in %" PRIu64 " bytes",
                 file->path, gap ? gap->offset : 0, file->index.size);
    container_close(file);
    return NULL;
}

/* Where recordings are of several images, none is read. */
static void read_stored(container *file)
{
    uint8_t *buffer = NULL;
    if (!file->index.packs || !file->index.pack_count || !container_same_image(file, file))
        return;
    container_recording first = container_recording_at(file, 0, &buffer);
    uint32_t crc = first.build_id_size ? weft_crc32(0, first.build_id, first.build_id_size) : 0;
    file->stored = packs_found(&file->index, first.identity, crc);
    free(buffer);
}

/* Once it is known that records may hold several paths each. */
static void note_packs(container *file)
{
    if (!file->lost.paths)
        return;
    file->lost_more = true;
    gaps_at_least(&file->index.gaps);
    json_remark("lost_is", "at least");
}

/* Step 2, and the choice of the command line. */
static container *find_frames(container *file, const uint8_t *bytes, uint64_t size, char *message, size_t message_size)
{
    index_build(&file->index, bytes, size);
    if (file->index.count == 0)
        return fail(file, message, message_size, NULL);
    if (recording_chosen() > file->index.recordings) {
        char text[80];
        snprintf(text, sizeof text, "it holds %zu recording%s; it has no recording %" PRIu64, file->index.recordings,
                 file->index.recordings == 1 ? "" : "s", recording_chosen());
        return fail(file, message, message_size, text);
    }
    if (recording_chosen()) {
        frame_index all = file->index;
        file->index = index_part(&all, (uint32_t)recording_chosen() - 1);
        index_free(&all);
    }
    return file;
}

/* Step 3. */
static container *find_losses(container *file)
{
    if (!file)
        return NULL;
    losses_find(&file->index, &file->lost);
    gaps_sort(&file->index.gaps);
    read_stored(file);
    if (file->index.packs || file->index.pack_count)
        note_packs(file);
    return file;
}

container *container_open(const char *path, char *message, size_t message_size)
{
    container *file = new_container(path);
    if (!whole_file_open(&file->whole, path))
        return fail(file, message, message_size, strerror(errno));
    file = find_losses(find_frames(file, file->whole.bytes, file->whole.size, message, message_size));
    if (file && container_end_missing(file))
        json_remark("end", "missing");
    return file;
}

container *container_open_bytes(const uint8_t *bytes, size_t size, const char *name, char *message, size_t message_size)
{
    return find_losses(find_frames(new_container(name), bytes, size, message, message_size));
}

container *container_open_frames(const uint8_t *bytes, size_t size, const char *name, char *message,
                                 size_t message_size)
{
    return find_frames(new_container(name), bytes, size, message, message_size);
}

container *container_part(const container *frames, size_t number)
{
    container *file = new_container(frames->path);
    file->index = index_part(&frames->index, (uint32_t)number);
    return find_losses(file);
}

void container_close(container *file)
{
    if (!file)
        return;
    index_free(&file->index);
    stored_packs_free(file->stored);
    whole_file_close(&file->whole);
    free(file->path);
    free(file);
}

const char *container_path(const container *file)
{
    return file->path;
}

uint64_t container_size(const container *file)
{
    return file->index.size;
}

void container_know(container *file, const struct descriptors *program)
{
    file->known = program;
    if (program && program->packed)
        note_packs(file);
}

uint64_t container_packs(const container *file)
{
    return file->index.packs;
}

pack_source container_packs_of(const container *file)
{
    return (pack_source){file->known, file->known ? NULL : file->stored};
}

const char *container_packed(const container *file)
{
    return file->index.packs && !file->known && !file->stored
               ? "its records hold several paths each, and only the program says which: name it with --elf APP.elf"
               : NULL;
}

size_t container_frame_count(const container *file)
{
    return file->index.count;
}

size_t container_recording_count(const container *file)
{
    return file->index.recordings;
}

static void find_build_id(const container *file, container_recording *recording, uint8_t **buffer)
{
    uint64_t size = 0;
    for (size_t i = recording->first; i < recording->first + recording->count && !recording->build_id; i++) {
        container_frame frame;
        if (file->index.frames[i].kind != WEFT_FRAME_META)
            continue;
        container_read(file, i, &frame, buffer);
        if (frame_field(frame.frame.body, frame.frame.body_size, WEFT_META_BUILD_ID, &size, &recording->build_id))
            recording->build_id_size = (size_t)size;
    }
}

container_recording container_recording_at(const container *file, size_t number, uint8_t **buffer)
{
    container_recording recording = {0};
    const frame_entry *frames = file->index.frames;
    recording.first = index_first_of(&file->index, number);
    size_t end = index_first_of(&file->index, number + 1);
    recording.count = end - recording.first;
    if (recording.count) {
        const frame_entry *first = &frames[recording.first];
        recording.offset = first->offset;
        recording.identity = first->identity;
        recording.run = first->run;
        recording.version = first->version;
        find_build_id(file, &recording, buffer);
    }
    return recording;
}

uint8_t *container_in_order(const container *file, size_t *size)
{
    const frame_index *all = &file->index;
    size_t most = WEFT_CONTAINER_HEAD_SIZE;
    for (size_t i = 0; i < all->count; i++)
        most += all->frames[i].size + 1;
    uint8_t *bytes = memory_grow(NULL, most, 1), *at = bytes;
    size_t head = all->size < WEFT_CONTAINER_HEAD_SIZE ? all->size : WEFT_CONTAINER_HEAD_SIZE;
    at = (uint8_t *)memcpy(at, all->bytes, head) + head;
    for (size_t i = 0; i < all->count; i++) {
        const frame_entry *f = &all->frames[i];
        if (f->kind == WEFT_FRAME_PACKS)
            continue;
        at = (uint8_t *)memcpy(at, all->bytes + f->offset, f->size) + f->size;
        *at++ = 0;
    }
    *size = (size_t)(at - bytes);
    return bytes;
}

uint8_t container_kind(const container *file, size_t index)
{
    return file->index.frames[index].kind;
}

uint32_t container_recording_of(const container *file, size_t index)
{
    return file->index.frames[index].recording;
}

size_t container_next(const container *file, uint8_t kind, size_t from)
{
    while (from < file->index.count && file->index.frames[from].kind != kind)
        from++;
    return from;
}

/* Do two recordings come from one image, as far as both say from which? */
static bool same_image(const container_recording *a, const container_recording *b)
{
    if (a->identity && b->identity && a->identity != b->identity)
        return false;
    return !a->build_id_size || !b->build_id_size ||
           (a->build_id_size == b->build_id_size && !memcmp(a->build_id, b->build_id, a->build_id_size));
}

bool container_same_image(const container *one, const container *other)
{
    uint8_t *first_bytes = NULL, *bytes = NULL;
    container_recording first = container_recording_at(one, 0, &first_bytes);
    bool same = true;
    for (size_t i = 0; i < container_recording_count(other) && same; i++) {
        container_recording next = container_recording_at(other, i, &bytes);
        same = same_image(&first, &next);
    }
    free(first_bytes);
    free(bytes);
    return same;
}

static bool has_kind(const container *file, uint8_t kind)
{
    return container_next(file, kind, 0) < file->index.count;
}

const char *container_mixed(const container *file)
{
    if (file->index.recordings < 2)
        return NULL;
    if (has_kind(file, WEFT_FRAME_FULL) && (has_kind(file, WEFT_FRAME_TRACE) || has_kind(file, WEFT_FRAME_PROFILE)))
        return "one of its recordings is a full recording: --recording N picks another";
    return !container_same_image(file, file) ? "its recordings are of different images: --recording N picks one" : NULL;
}

/* Readers of full recordings need the head of the file, and the recording's first frame. */
static bool lacks_beginning(const container *file)
{
    const frame_index *index = &file->index;
    return index->frames[0].sequence || index->size < WEFT_CONTAINER_HEAD_SIZE ||
           memcmp(index->bytes, WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE) != 0;
}

const char *container_without_paths(const container *file)
{
    const char *mixed = container_mixed(file);
    if (mixed || has_kind(file, WEFT_FRAME_TRACE))
        return !mixed && container_counts(file) ? CONTAINER_COUNTS : mixed;
    if (has_kind(file, WEFT_FRAME_FULL))
        return lacks_beginning(file) ? CONTAINER_FULL_WITHOUT_BEGINNING : CONTAINER_IS_FULL;
    return has_kind(file, WEFT_FRAME_PROFILE) ? "it holds a profile, which has no order of paths" : NULL;
}

void container_read(const container *file, size_t index, container_frame *frame, uint8_t **buffer)
{
    index_read(&file->index, index, frame, buffer);
}

size_t container_gap_count(const container *file)
{
    return file->index.gaps.count;
}

const container_gap *container_gap_at(const container *file, size_t index)
{
    return &file->index.gaps.all[index];
}

void container_print_gaps(const container *file, const char *command)
{
    gaps_print(&file->index.gaps, command);
}

bool container_cut(const container *file)
{
    return file->index.size && file->index.bytes[file->index.size - 1] != 0;
}

bool container_end_missing(const container *file)
{
    for (size_t i = 0; i < file->index.gaps.count; i++)
        if (file->index.gaps.all[i].kind == GAP_END)
            return true;
    return false;
}

weft_counts container_lost(const container *file)
{
    return file->lost;
}

const char *container_at_least(const container *file)
{
    return file && file->lost_more ? "at least " : "";
}

bool container_end_counts(const container *file, uint32_t recording, weft_counts *counts)
{
    uint8_t *buffer = NULL;
    bool found = false;
    for (size_t i = file->index.count; i-- > 0 && !found && file->index.frames[i].recording >= recording;) {
        container_frame frame;
        if (file->index.frames[i].recording != recording || file->index.frames[i].kind != WEFT_FRAME_STATS)
            continue;
        container_read(file, i, &frame, &buffer);
        found = frame_counts_before(&frame.frame, counts);
    }
    free(buffer);
    return found;
}

bool container_meta(const container *file, uint32_t key, uint64_t *value)
{
    return file->index.meta.bytes && frame_field(file->index.meta.bytes, file->index.meta.size, key, value, NULL);
}

bool container_stats(const container *file, uint32_t key, uint64_t *value)
{
    return file->index.stats.bytes && frame_field(file->index.stats.bytes, file->index.stats.size, key, value, NULL);
}

const uint8_t *container_meta_bytes(const container *file, uint32_t key, size_t *size)
{
    uint64_t value = 0;
    const uint8_t *bytes = NULL;
    if (!file->index.meta.bytes || !frame_field(file->index.meta.bytes, file->index.meta.size, key, &value, &bytes))
        return NULL;
    *size = (size_t)value;
    return bytes;
}
