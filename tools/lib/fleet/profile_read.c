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
#include "tools/lib/fleet/profile_file.h"

/* What is read, and where it goes. */
typedef struct reading {
    weft_reader in;
    merged *all;
    bool adds;         /* else it only checks */
    const char *error; /* what is wrong, if it is not damage */
    uint32_t *names;   /* by place in the file: number in all->names */
    uint32_t *sets;    /* by place + 1: number in all->sets; 0 is SETS_MORE */
    uint32_t *images;
    size_t name_count, set_count, image_count;
} reading;

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

static inline bool good(const reading *r)
{
    return r->in.status == WEFT_OK && !r->error;
}

static void bad(reading *r)
{
    r->in.status = WEFT_CORRUPT;
}

static inline uint64_t number(reading *r)
{
    weft_reader *in = &r->in;
    if (in->status == WEFT_OK && in->at < in->size && in->bytes[in->at] < 128) /* most are */
        return in->bytes[in->at++];
    return weft_read_varint64(in);
}

/* A number of at most `max`. */
static inline uint64_t number_to(reading *r, uint64_t max)
{
    uint64_t value = number(r);
    if (value > max)
        bad(r);
    return good(r) ? value : 0;
}

/* A count of things of at least `size` bytes each. */
static inline size_t count_of(reading *r, size_t size)
{
    uint64_t value = number(r), left = r->in.size - r->in.at;
    if (value > left || value * size > left)
        bad(r);
    return good(r) ? (size_t)value : 0;
}

static wide wide_number(reading *r)
{
    wide value = 0;
    for (unsigned shift = 0; shift < 128; shift += 7) {
        uint8_t byte = weft_read_u8(&r->in);
        value |= (wide)(byte & 127) << shift;
        if (!(byte & 128))
            return value;
    }
    bad(r);
    return 0;
}

/* Adds a step to a key, which must be above the last one unless it is the first. */
static inline uint32_t next_key(reading *r, bool first, uint32_t last)
{
    uint64_t delta = number_to(r, UINT32_MAX);
    if ((!first && !delta) || last + delta > UINT32_MAX)
        bad(r);
    return good(r) ? (uint32_t)(last + delta) : 0;
}

static void sum(reading *r, uint64_t *to, uint64_t value)
{
    if (r->adds)
        merged_sum(r->all, to, value);
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
            r->error = "a recording in it has been merged already";
        if (r->adds)
            digests_add(to, digest);
    }
}

static int compare_text(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
    return order ? order : a_size < b_size ? -1 : a_size > b_size;
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

static void read_image(reading *r, size_t place)
{
    merged_image from = {.identity_size = count_of(r, 1)};
    from.identity = (uint8_t *)(uintptr_t)weft_read_bytes(&r->in, from.identity_size);
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
    for (size_t i = 0; i < count && good(r); i++)
        read_image(r, i);
}

/* ---- groups ---- */

static void read_paths(reading *r, merged_group *g)
{
    size_t count = count_of(r, 6);
    uint32_t key = 0;
    for (size_t i = 0; i < count && good(r); i++) {
        key = next_key(r, i == 0, key);
        uint32_t price = (uint32_t)number_to(r, UINT32_MAX);
        uint64_t times = number(r), recordings = number(r);
        wide squares = wide_number(r), cross = wide_number(r);
        if (!r->adds)
            continue;
        merged_path *p = merged_path_of(g, key);
        p->price = p->price > price ? p->price : price;
        merged_sum(r->all, &p->count, times);
        merged_sum(r->all, &p->recordings, recordings);
        merged_sum_wide(r->all, &p->squares, squares);
        merged_sum_wide(r->all, &p->cross, cross);
    }
}

static void read_function(reading *r, merged_group *g, uint32_t key)
{
    merged_function part = {0}, *f = r->adds ? merged_function_of(g, key) : &part;
    uint64_t *const sums[] = {&f->recordings, &f->calls,     &f->self,     &f->more,
                              &f->estimated,  &f->inclusive, &f->whole_sum};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        sum(r, sums[i], number(r));
    uint64_t min = number(r), max = number(r), whole = number(r);
    if (r->adds && whole) {
        f->min = f->whole && f->min < min ? f->min : min;
        f->max = f->max > max ? f->max : max;
    }
    sum(r, &f->whole, whole);
    wide calls = wide_number(r), self = wide_number(r), cross = wide_number(r);
    if (!r->adds)
        return;
    merged_sum_wide(r->all, &f->calls_squares, calls);
    merged_sum_wide(r->all, &f->self_squares, self);
    merged_sum_wide(r->all, &f->cross, cross);
}

static void read_loop(reading *r, merged_group *g, uint32_t key)
{
    rounds_loop loop = {.head = key};
    loop.sum = number(r);
    loop.min = number(r);
    loop.max = number(r);
    unsigned used = (unsigned)number_to(r, ROUNDS_BINS), last = 0;
    for (unsigned i = 0; i < used && good(r); i++) {
        unsigned bin = weft_read_u8(&r->in);
        if (bin >= ROUNDS_BINS || (i && bin <= last)) {
            bad(r);
            return;
        }
        loop.bin[bin] = number(r);
        if (__builtin_add_overflow(loop.entries, loop.bin[bin], &loop.entries))
            bad(r);
        last = bin;
    }
    if (!loop.entries)
        bad(r);
    if (r->adds && good(r))
        merged_add_loop(r->all, g, &loop);
}

/* Functions (at least 14 bytes each) or loops (at least 7). */
static void read_table(reading *r, merged_group *g, size_t size, void (*one)(reading *, merged_group *, uint32_t))
{
    size_t count = count_of(r, size);
    uint32_t key = 0;
    for (size_t i = 0; i < count && good(r); i++) {
        key = next_key(r, i == 0, key);
        one(r, g, key);
    }
}

/* A node whose children are being read. */
typedef struct open_node {
    uint32_t node, label;
    size_t left;
    bool first;
} open_node;

static uint32_t read_node(reading *r, merged_group *g, open_node *parent, bool chain)
{
    parent->label = next_key(r, parent->first, parent->label);
    parent->first = false;
    uint64_t count = number(r), calls = chain ? number(r) : 0;
    size_t set = !chain && count ? (size_t)number_to(r, r->set_count) : 0;
    if (!r->adds || !good(r))
        return 0;
    return chain ? merged_add_chain(r->all, g, parent->node, parent->label, calls, count)
                 : merged_add_node(r->all, g, parent->node, parent->label, count, count ? r->sets[set] : SETS_NONE);
}

/* levels: nodes cannot be deeper. */
static void read_tree(reading *r, merged_group *g, uint32_t root, bool chain, size_t levels)
{
    size_t depth = 1, max = 0;
    open_node *open = memory_room(NULL, 0, &max, sizeof *open);
    open[0] = (open_node){root, 0, count_of(r, 3), true};
    while (depth && good(r)) {
        if (!open[depth - 1].left) {
            depth--;
            continue;
        }
        open[depth - 1].left--;
        uint32_t node = read_node(r, g, &open[depth - 1], chain);
        size_t children = count_of(r, 3);
        if (depth > levels || (r->adds && !node))
            bad(r);
        open = memory_room(open, depth, &max, sizeof *open);
        open[depth++] = (open_node){node, 0, children, true};
    }
    free(open);
}

static void read_totals(reading *r, merged_totals *to)
{
    uint64_t *const sums[] = {&to->recordings, &to->priced, &to->streams, &to->paths,  &to->lost,
                              &to->gaps,       &to->gapped, &to->unread,  &to->deeper, &to->flat};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        sum(r, sums[i], number(r));
}

static void read_group(reading *r)
{
    merged_totals none = {0};
    merged_group *g = NULL;
    uint64_t place = number(r), k = number(r);
    size_t size = count_of(r, 1);
    const uint8_t *labels = weft_read_bytes(&r->in, size);
    if (!labels || place >= r->image_count || k < 1 || k > MERGED_K_MAX || (size && memchr(labels, 0, size)))
        bad(r);
    if (!good(r))
        return;
    if (r->adds)
        g = merged_group_of(r->all, r->images[place], (uint32_t)k, (const char *)labels, size);
    size_t levels = k < 2 ? 1 : 2 * (size_t)k - 2;
    read_totals(r, g ? &g->totals : &none);
    read_paths(r, g);
    read_table(r, g, 14, read_function);
    read_table(r, g, 7, read_loop);
    read_tree(r, g, TRIE_ROOT, false, levels);
    read_tree(r, g, TRIE_UNKNOWN, false, levels);
    read_tree(r, g, TRIE_ROOT, true, SIZE_MAX);
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
    for (size_t i = 0; i < groups && good(r); i++)
        read_group(r);
    if (weft_reader_left(&r->in))
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
    if (version != PROFILE_VERSION)
        return "it is a profile of another version";
    if (head.status != WEFT_OK || body > weft_reader_left(&head) || weft_reader_left(&head) - body < PROFILE_TAIL_SIZE)
        return "it is cut short";
    size_t before = PROFILE_HEAD_SIZE + (size_t)body;
    weft_reader_init(&head, bytes + before, PROFILE_TAIL_SIZE);
    if (weft_read_u64(&head) != digest_of(0, bytes, before))
        return "its check sum is wrong";
    *used = before + PROFILE_TAIL_SIZE;
    reading r = {.all = all};
    for (int pass = 0; pass < 2 && good(&r); pass++) {
        r.adds = pass == 1;
        read_all(&r, bytes + PROFILE_HEAD_SIZE, (size_t)body);
    }
    free(r.names);
    free(r.sets);
    free(r.images);
    if (good(&r) && all->overflow)
        return "a sum is larger than a profile can hold";
    return good(&r) ? NULL : r.error ? r.error : "it is damaged";
}
