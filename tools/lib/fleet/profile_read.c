/* SPDX-License-Identifier: MIT */
/* Reads twice: first to check, when nothing is added, then to add. All counts are compared with the bytes that are
 * left, and keys must rise, so that a profile has one form only and takes memory in proportion to its size. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/fleet/profile_reading.h"

bool profile_is(const char *path)
{
    struct stat about;
    uint8_t head[PROFILE_MAGIC_SIZE];
    errno = 0;
    FILE *file = strcmp(path, "-") && stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) {
        whole_file_host_failed(path);
        return false;
    }
    bool is = fread(head, 1, sizeof head, file) == sizeof head && !memcmp(head, PROFILE_MAGIC, sizeof head);
    if (ferror(file))
        whole_file_host_failed(path);
    fclose(file);
    return is;
}

/* ---- recordings, devices, names, sets ---- */

static void read_digests(reading *r, digests *to, bool once)
{
    size_t count = count_of(r, 8);
    uint64_t last = 0;
    for (size_t i = 0; i < count && good(r); i++) {
        uint64_t digest = weft_read_u64(&r->in);
        if (digest <= last)
            bad(r);
        last = digest;
        if (once && !r->adds && good(r) && digests_has(to, digest))
            r->error = PROFILE_REPEATS;
        if (r->adds)
            digests_add(to, digest);
    }
}

static void read_names(reading *r)
{
    const uint8_t *last = NULL;
    size_t last_size = 0, count = count_of(r, 1);
    if (!r->adds)
        r->names = memory_zero(count + 1, sizeof *r->names);
    r->name_count = count;
    for (size_t i = 0; i < count && good(r); i++) {
        size_t size = count_of(r, 1);
        const uint8_t *name = weft_read_bytes(&r->in, size);
        if (!name || (size && memchr(name, 0, size)) || (last && compare_text(last, last_size, name, size) >= 0)) {
            bad(r);
            return;
        }
        if (r->adds)
            r->names[i] = texts_of(&r->all->names, (const char *)name, size);
        last = name;
        last_size = size;
    }
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void read_sets(reading *r)
{
    size_t count = count_of(r, 2);
    if (!r->adds)
        r->sets = memory_zero(count + 1, sizeof *r->sets);
    r->set_count = count;
    r->sets[0] = SETS_MORE;
    for (size_t i = 0; i < count && good(r); i++) {
        uint32_t member[SETS_MEMBERS_MAX], place = 0, members = (uint32_t)number_to(r, SETS_MEMBERS_MAX);
        if (!members)
            bad(r);
        for (uint32_t m = 0; m < members && good(r); m++) {
            place = next_key(r, m == 0, place);
            if (place >= r->name_count) {
                bad(r);
                return;
            }
            member[m] = r->names[place];
        }
        if (!r->adds || !good(r))
            continue;
        qsort(member, members, sizeof *member, ascending);
        r->sets[i + 1] = sets_of(&r->all->sets, member, members);
    }
}

/* ---- images ---- */

/* Takes the descriptors of an image, or compares them with those that are there. Of two ways to pack them the shorter
 * stays. */
static void take_descriptors(reading *r, merged_image *to, const merged_image *from)
{
    if (to->packed && (to->size != from->size || to->digest != from->digest)) {
        r->error = "it has other descriptors for an image of the same identity";
        return;
    }
    bool less =
        to->packed && (to->packed_size != from->packed_size ? to->packed_size < from->packed_size
                                                            : memcmp(to->packed, from->packed, to->packed_size) <= 0);
    if (less || !r->adds)
        return;
    uint8_t *copy = memory_zero(from->packed_size + 1, 1);
    memcpy(copy, from->packed, from->packed_size);
    free(to->packed);
    to->packed = copy;
    to->packed_size = from->packed_size;
    to->method = from->method;
    to->size = from->size;
    to->digest = from->digest;
}

/* Images stand in the order of their identities, the shorter ones first. `last`: the one before. */
static void read_image(reading *r, size_t place, merged_image *last)
{
    merged_image from = {.identity_size = count_of(r, 1)};
    from.identity = (uint8_t *)(uintptr_t)weft_read_bytes(&r->in, from.identity_size);
    if (place && from.identity && last->identity &&
        (from.identity_size < last->identity_size ||
         (from.identity_size == last->identity_size && memcmp(last->identity, from.identity, from.identity_size) >= 0)))
        bad(r);
    last->identity = from.identity;
    last->identity_size = from.identity_size;
    from.method = weft_read_u8(&r->in);
    if (from.method > 2 || from.identity_size > 255)
        bad(r);
    if (from.method && good(r)) {
        from.size = number_to(r, UINT32_MAX);
        from.digest = weft_read_u64(&r->in);
        from.packed_size = count_of(r, 1);
        from.packed = (uint8_t *)(uintptr_t)weft_read_bytes(&r->in, from.packed_size);
        if (!from.packed || from.size / 64 > from.packed_size)
            bad(r);
    }
    if (!good(r) || (from.identity_size && !from.identity))
        return;
    if (r->adds) {
        r->images[place] = merged_image_of(r->all, from.identity, from.identity_size);
        if (from.method)
            take_descriptors(r, &r->all->image[r->images[place]], &from);
        return;
    }
    for (size_t i = 0; i < r->all->image_count && from.method; i++) {
        merged_image *to = &r->all->image[i];
        if (to->identity_size == from.identity_size && !memcmp(to->identity, from.identity, from.identity_size))
            take_descriptors(r, to, &from);
    }
}

static void read_images(reading *r)
{
    size_t count = count_of(r, 2);
    if (!r->adds)
        r->images = memory_zero(count + 1, sizeof *r->images);
    r->image_count = count;
    merged_image last = {0};
    for (size_t i = 0; i < count && good(r); i++)
        read_image(r, i, &last);
}

static void read_all(reading *r, const uint8_t *body, size_t size)
{
    weft_reader_init(&r->in, body, size);
    read_digests(r, &r->all->recordings, true);
    read_digests(r, &r->all->devices, false);
    read_names(r);
    read_sets(r);
    read_images(r);
    size_t groups = count_of(r, 18);
    r->last.labels = NULL;
    for (size_t i = 0; i < groups && good(r); i++)
        profile_read_group(r);
    if (weft_reader_left(&r->in) || r->led != r->leads)
        bad(r);
}

const char *profile_read(merged *all, const uint8_t *bytes, size_t size, size_t *used)
{
    weft_reader head;
    weft_reader_init(&head, bytes, size);
    const uint8_t *magic = weft_read_bytes(&head, PROFILE_MAGIC_SIZE);
    uint8_t version = weft_read_u8(&head);
    uint64_t body = weft_read_u64(&head);
    if (!magic || memcmp(magic, PROFILE_MAGIC, PROFILE_MAGIC_SIZE))
        return "it does not begin as a profile does";
    if (version < 1 || version > PROFILE_VERSION)
        return "it is a profile of another version";
    if (head.status != WEFT_OK || body > weft_reader_left(&head) || weft_reader_left(&head) - body < PROFILE_TAIL_SIZE)
        return "it is cut short";
    size_t before = PROFILE_HEAD_SIZE + (size_t)body;
    weft_reader_init(&head, bytes + before, PROFILE_TAIL_SIZE);
    if (weft_read_u64(&head) != digest_of(0, bytes, before))
        return "its check sum is wrong";
    *used = before + PROFILE_TAIL_SIZE;
    reading r = {.all = all, .leads = version > 1};
    for (int pass = 0; pass < 2 && good(&r); pass++) {
        r.adds = pass == 1;
        read_all(&r, bytes + PROFILE_HEAD_SIZE, (size_t)body);
    }
    free(r.names);
    free(r.sets);
    free(r.images);
    if (good(&r) && all->overflow)
        return PROFILE_TOO_LARGE;
    return good(&r) ? NULL : r.error ? r.error : "it is damaged";
}
