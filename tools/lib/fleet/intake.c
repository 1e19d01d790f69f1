/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/intake.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/fleet/held.h"
#include "tools/lib/fleet/taking.h"

struct intake {
    unsigned k;
    taking_image *image;
    size_t count, max;
    event_choice choice;
    bool (*claim)(void *own, uint64_t digest);
    void *claim_own;
};

void intake_choose(intake *in, event_choice choice)
{
    in->choice = choice;
}

bool intake_chooses(const intake *in)
{
    return in->choice.context || in->choice.function;
}

char *intake_labels(const intake *in, const char *labels)
{
    const char *const parts[][2] = {{"", labels}, {"context=", in->choice.context}, {"function=", in->choice.function}};
    size_t room = 1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        room += parts[i][1] ? strlen(parts[i][0]) + strlen(parts[i][1]) + 1 : 0;
    char *text = memory_zero(room, 1);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i][1] && *parts[i][1])
            strcat(strcat(strcat(text, *text ? "," : ""), parts[i][0]), parts[i][1]);
    return text;
}

void intake_on_claim(intake *in, bool (*claim)(void *own, uint64_t digest), void *own)
{
    in->claim = claim;
    in->claim_own = own;
}

intake *intake_new(unsigned k)
{
    intake *in = memory_zero(1, sizeof *in);
    in->k = k;
    return in;
}

void intake_free(intake *in)
{
    for (size_t i = 0; in && i < in->count; i++) {
        taking_image *k = &in->image[i];
        rounds_free(k->loops);
        costs_close(k->costs);
        scripts_close(k->paths);
        program_close(k->app);
        free(k->packed.packed);
        free(k->calls);
        free(k->self);
    }
    if (in)
        free(in->image);
    free(in);
}

/* Packed by zstd where that helps, but not so far that a reader would have to trust the size. */
static void pack(merged_image *to, const uint8_t *bytes, size_t size)
{
    size_t most = ZSTD_compressBound(size);
    to->size = size;
    to->digest = digest_of(0, bytes, size);
    to->packed = memory_zero(most > size ? most : size, 1);
    to->packed_size = ZSTD_compress(to->packed, most, bytes, size, 19);
    to->method = 2;
    if (!ZSTD_isError(to->packed_size) && to->packed_size < size && size / 64 <= to->packed_size)
        return;
    memcpy(to->packed, bytes, size);
    to->packed_size = size;
    to->method = 1;
}

bool intake_image(intake *in, const char *elf, char *message, size_t message_size)
{
    program *app = program_open(elf, message, message_size);
    if (!app)
        return false;
    size_t size = 0, count = program_descriptors(app)->count;
    const uint8_t *text = image_section(program_image(app), ".weft.desc", &size);
    in->image = memory_room(in->image, in->count, &in->max, sizeof *in->image);
    taking_image *k = &in->image[in->count++];
    *k = (taking_image){.app = app,
                        .paths = scripts_open(app),
                        .costs = costs_open(app),
                        .loops = rounds_new(program_descriptors(app)),
                        .calls = memory_zero(count + 1, sizeof *k->calls),
                        .self = memory_zero(count + 1, sizeof *k->self)};
    pack(&k->packed, text, size);
    k->digest = k->packed.digest;
    return true;
}

uint64_t intake_digest(const intake *in)
{
    uint64_t digest = in->k;
    char *chosen = intake_labels(in, NULL);
    digest = digest_of(digest, (const uint8_t *)chosen, strlen(chosen));
    free(chosen);
    for (size_t i = 0; i < in->count; i++) {
        size_t size = 0;
        const uint8_t *id = program_build_id(in->image[i].app, &size);
        digest = digest_of(digest_of(digest, &in->image[i].digest, sizeof digest), id ? id : (const uint8_t *)"", size);
    }
    return digest;
}

struct descriptors *intake_descriptors(const merged_image *from)
{
    char message[200];
    if (!from->packed || from->size / 64 > from->packed_size)
        return NULL;
    uint8_t *text = memory_zero(from->size + 1, 1);
    size_t size = from->packed_size;
    if (from->method == 2)
        size = ZSTD_decompress(text, from->size, from->packed, from->packed_size);
    else if (size == from->size)
        memcpy(text, from->packed, size);
    bool good = !ZSTD_isError(size) && size == from->size && digest_of(0, text, size) == from->digest;
    struct descriptors *all = good ? descriptors_parse(text, size, message, sizeof message) : NULL;
    free(text);
    return all;
}

/* ---- one recording ---- */

static bool again(char *message, size_t message_size)
{
    snprintf(message, message_size, "it has been merged already, with the same labels");
    return false;
}

/* A recording is claimed only when nothing can go wrong any more: a damaged one that is left out must not keep out a
 * sound copy of it. */
static bool take(const intake *in, taking *t, const labels *l, uint64_t digest, char *message, size_t message_size)
{
    uint8_t identity[TAKING_IDENTITY_MAX];
    if (!taking_find_image(t, message, message_size))
        return false;
    if (!taking_identity(t, identity)) {
        snprintf(message, message_size, "it does not name its image: give --elf APP.elf");
        return false;
    }
    if (!event_filter_open(&t->wanted, t->choice, t->file, t->image ? t->image->app : NULL, message, message_size))
        return false;
    const char *why = taking_count(t);
    path_sums sums = {0};
    if (!why) {
        sums = path_sums_of(t->forest);
        if (t->image && !taking_price(t, &sums))
            why = "its image does not have one of its paths";
    }
    bool good = !why;
    if (why)
        snprintf(message, message_size, "%s", why);
    else if (in->claim && !in->claim(in->claim_own, digest))
        good = again(message, message_size);
    else
        taking_add(t, &sums, l, digest);
    numbering_free(&sums.numbers);
    free(sums.count);
    return good;
}

static bool add_one(const intake *in, merged *all, container *file, const labels *l, char *message, size_t message_size)
{
    taking t = {
        .images = in->image, .image_count = in->count, .k_most = in->k, .choice = in->choice, .all = all, .file = file};
    uint64_t digest = held_digest(held_frames(file), l->text, l->device);
    bool good = digests_has(&all->recordings, digest) ? again(message, message_size)
                                                      : take(in, &t, l, digest, message, message_size);
    kipf_free(t.forest);
    functions_free(t.functions);
    event_filter_close(&t.wanted);
    return good;
}

bool intake_add(intake *in, merged *all, const char *path, const labels *l, const intake_left *left)
{
    whole_file bytes;
    char message[400], numbered[sizeof message + 60];
    bool on = true;
    if (!whole_file_open(&bytes, path)) {
        snprintf(message, sizeof message, "cannot read it: %s", strerror(errno));
        return left->say(left->own, message);
    }
    container *frames = container_open_frames(bytes.bytes, bytes.size, path, message, sizeof message);
    size_t count = frames ? container_recording_count(frames) : 0;
    if (!frames) { /* that message names the file */
        size_t name = strlen(path);
        on = left->say(left->own, strncmp(message, path, name) || message[name] != ':' ? message : message + name + 2);
    }
    for (size_t i = 0; on && i < count; i++) {
        container *file = container_part(frames, i);
        bool good = add_one(in, all, file, l, message, sizeof message);
        container_close(file);
        if (good)
            continue;
        snprintf(numbered, sizeof numbered, "recording %zu of %zu: %s", i + 1, count, message);
        on = left->say(left->own, count > 1 ? numbered : message);
    }
    container_close(frames);
    whole_file_close(&bytes);
    return on;
}
