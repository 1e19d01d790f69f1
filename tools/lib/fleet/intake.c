/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/intake.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/format.h"
#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/machine/costs.h"
#include "tools/lib/profile/activations.h"
#include "tools/lib/profile/functions_probes.h"

/* An image and what is known of it; kept over all recordings. */
typedef struct known {
    program *app;
    scripts *paths;
    path_costs *costs;
    rounds *loops;
    uint64_t digest;        /* of its descriptors */
    merged_image packed;    /* its descriptors only */
    uint64_t *calls, *self; /* of one recording, by function */
} known;

struct intake {
    unsigned k;
    known *image;
    size_t count, max;
    bool (*claim)(void *own, uint64_t digest);
    void *claim_own;
};

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
        known *k = &in->image[i];
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
    known *k = &in->image[in->count++];
    *k = (known){.app = app,
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

typedef struct taking {
    intake *in;
    merged *all;
    merged_group *group;
    known *image; /* NULL: not known */
    container *file;
    kipf *forest;
    functions *functions; /* NULL: no control stream, or no image */
    bool stream;
    uint32_t k, set;
    uint64_t unread;
    functions_seen seen;
} taking;

/* The image of a recording. False, and a message: images are given, but not its own. */
static bool find_image(taking *t, char *message, size_t message_size)
{
    const intake *in = t->in;
    for (size_t i = 0; i < in->count && !t->image; i++)
        if (in->count == 1 || program_identity_checked(in->image[i].app, t->file))
            t->image = program_fits(in->image[i].app, t->file, message, message_size) ? &in->image[i] : NULL;
    if (!t->image && in->count > 1)
        snprintf(message, message_size, "it does not name one of the images that were given");
    return t->image || !in->count;
}

enum { IDENTITY_MAX = 80 };

static size_t put_identity(uint8_t *out, uint32_t identity, const uint8_t *id, size_t id_size)
{
    size_t size = 0;
    if (identity)
        out[size++] = 'I';
    for (unsigned i = 0; identity && i < 4; i++)
        out[size++] = (uint8_t)(identity >> 8 * i);
    if (!id || id_size > IDENTITY_MAX - 8)
        return size;
    out[size++] = 'B';
    memcpy(out + size, id, id_size);
    return size + id_size;
}

/* What the image says of itself, or what all recordings of the file say. 0: nothing, or they differ. */
static size_t identity_of(const taking *t, uint8_t out[IDENTITY_MAX])
{
    size_t size = 0;
    if (t->image) {
        const uint8_t *id = program_build_id(t->image->app, &size);
        size = put_identity(out, program_identity(t->image->app), id, size);
        if (size)
            return size;
        out[0] = 'D';
        for (unsigned i = 0; i < 8; i++)
            out[i + 1] = (uint8_t)(t->image->digest >> 8 * i);
        return 9;
    }
    uint8_t *buffer = NULL, other[IDENTITY_MAX];
    for (size_t i = 0, last = 0; i < container_recording_count(t->file); i++, last = size) {
        container_recording r = container_recording_at(t->file, i, &buffer);
        size = put_identity(i ? other : out, r.identity, r.build_id, r.build_id_size);
        if (i && (size != last || memcmp(out, other, size)))
            size = 0;
        if (!size)
            break;
    }
    free(buffer);
    return size;
}

/* Fills the forest, and with an image the tables of calls and loops. NULL, or what is wrong. */
static const char *count(taking *t)
{
    uint64_t k = 0;
    known *of = t->image;
    bool forest = container_meta(t->file, WEFT_META_KSF_K, &k) && k >= 2 && k <= MERGED_K_MAX &&
                  container_next(t->file, WEFT_FRAME_PROFILE, 0) < container_frame_count(t->file);
    const char *why = container_without_paths(t->file);
    t->stream = !why && (of || !forest);
    if (!t->stream && !forest)
        return why;
    t->k = !t->stream ? (uint32_t)k : of ? t->in->k : 1;
    t->forest = kipf_new(t->k < 2 ? 2 : t->k);
    if (!t->stream)
        return activations_feed_profile(t->file, t->forest);
    if (of)
        rounds_clear(of->loops);
    why = activations_feed_scripts(t->file, of ? of->paths : NULL, of ? program_descriptors(of->app) : NULL, t->forest,
                                   of ? of->loops : NULL, &t->unread);
    if (why || !of)
        return why;
    t->functions = functions_new();
    functions_of_program(t->functions, of->app);
    why = functions_feed_known(t->functions, t->file, of->app, of->paths, of->costs, (functions_choice){0}, &t->seen);
    functions_finish(t->functions);
    return why;
}

/* How often each path came, from the nodes of the forest. */
typedef struct path_sums {
    numbering numbers;
    uint64_t *count;
    size_t max;
} path_sums;

static path_sums sum_paths(const kipf *forest)
{
    path_sums sums = {0};
    for (uint32_t n = TRIE_FIRST; n < kipf_nodes(forest); n++) {
        const trie_node *node = kipf_node(forest, n);
        if (!node->count)
            continue;
        uint32_t before = sums.numbers.count, number = numbering_of(&sums.numbers, node->label);
        sums.count = memory_room(sums.count, number, &sums.max, sizeof *sums.count);
        sums.count[number] = (number == before ? 0 : sums.count[number]) + node->count;
    }
    return sums;
}

static size_t function_of(const descriptors *all, uint32_t path)
{
    const descriptor_function *f = descriptors_of_path(all, path);
    return f ? (size_t)(f - all->function) : all->count;
}

/* Calls and costs by function: what the replay counted, or what the paths say. False: a path that the image does not
 * have. */
static bool price(taking *t, const path_sums *sums)
{
    known *of = t->image;
    const descriptors *all = program_descriptors(of->app);
    memset(of->calls, 0, (all->count + 1) * sizeof *of->calls);
    memset(of->self, 0, (all->count + 1) * sizeof *of->self);
    for (uint32_t i = 0; i < sums->numbers.count; i++) {
        uint32_t path = sums->numbers.values[i];
        const replay_script *script = scripts_path(of->paths, path);
        size_t f = function_of(all, path);
        uint64_t cost;
        if (!script || f == all->count)
            return false;
        t->all->overflow |= __builtin_mul_overflow(sums->count[i], costs_of(of->costs, path).least, &cost);
        of->calls[f] += script->entry ? sums->count[i] : 0;
        merged_sum(t->all, &of->self[f], cost);
    }
    for (size_t f = 0; t->functions && f < all->count; f++) {
        of->calls[f] = t->functions->all[f].calls;
        of->self[f] = t->functions->all[f].self;
    }
    return true;
}

static void add_paths(taking *t, const path_sums *sums)
{
    known *of = t->image;
    for (uint32_t i = 0; i < sums->numbers.count; i++) {
        uint32_t path = sums->numbers.values[i];
        merged_path *p = merged_path_of(t->group, path);
        merged_sum(t->all, &p->count, sums->count[i]);
        p->recordings++;
        merged_sum_wide(t->all, &p->squares, (wide)sums->count[i] * sums->count[i]);
        if (!of)
            continue;
        uint32_t least = costs_of(of->costs, path).least;
        p->price = least + (least < UINT32_MAX);
        size_t f = function_of(program_descriptors(of->app), path);
        merged_sum_wide(t->all, &p->cross, (wide)sums->count[i] * of->calls[f]);
    }
}

static void add_function(taking *t, uint32_t function)
{
    uint64_t calls = t->image->calls[function], self = t->image->self[function];
    if (!calls && !self)
        return;
    merged_function *to = merged_function_of(t->group, function);
    to->recordings++;
    merged_sum(t->all, &to->calls, calls);
    merged_sum(t->all, &to->self, self);
    merged_sum_wide(t->all, &to->calls_squares, (wide)calls * calls);
    merged_sum_wide(t->all, &to->self_squares, (wide)self * self);
    merged_sum_wide(t->all, &to->cross, (wide)calls * self);
    if (!t->functions)
        return;
    const function_cost *from = &t->functions->all[function];
    if (from->whole) {
        to->min = to->whole && to->min < from->min ? to->min : from->min;
        to->max = to->max > from->max ? to->max : from->max;
    }
    merged_sum(t->all, &to->more, from->more);
    merged_sum(t->all, &to->estimated, from->estimated);
    merged_sum(t->all, &to->inclusive, from->inclusive);
    merged_sum(t->all, &to->whole, from->whole);
    merged_sum(t->all, &to->whole_sum, from->whole_sum);
}

static void add_forest(taking *t)
{
    uint32_t nodes = kipf_nodes(t->forest), *to = memory_zero(nodes, sizeof *to);
    to[TRIE_UNKNOWN] = TRIE_UNKNOWN;
    for (uint32_t n = TRIE_FIRST; n < nodes; n++) {
        const trie_node *from = kipf_node(t->forest, n);
        to[n] = merged_add_node(t->all, t->group, to[from->parent], from->label, from->count,
                                from->count ? t->set : SETS_NONE);
    }
    free(to);
}

/* Chains of calls, and loops. */
static void add_stream(taking *t)
{
    const functions *from = t->functions;
    uint32_t *to = memory_zero(from->node_count, sizeof *to);
    for (uint32_t n = 1; n < from->node_count; n++) {
        const call_node *node = &from->node[n];
        uint32_t label = node->function == FUNCTIONS_NONE ? node->context : node->function;
        to[n] = merged_add_chain(t->all, t->group, to[node->parent], label, node->calls, node->self);
    }
    free(to);
    size_t loops;
    const rounds_loop *loop = rounds_loops(t->image->loops, &loops);
    for (size_t i = 0; i < loops; i++)
        if (loop[i].entries)
            merged_add_loop(t->all, t->group, &loop[i]);
}

static void add_totals(taking *t)
{
    merged_totals *to = &t->group->totals;
    size_t gaps = container_gap_count(t->file);
    uint64_t unread = t->unread + kipf_gaps(t->forest);
    to->recordings++;
    to->priced += t->image != NULL;
    to->streams += t->functions != NULL;
    to->gapped += gaps || unread;
    merged_sum(t->all, &to->paths, kipf_events(t->forest));
    merged_sum(t->all, &to->lost, container_lost(t->file).paths);
    merged_sum(t->all, &to->gaps, gaps);
    merged_sum(t->all, &to->unread, unread);
    if (t->functions) {
        merged_sum(t->all, &to->deeper, t->functions->deeper);
        merged_sum(t->all, &to->flat, t->functions->flat);
    }
}

/* Its image and its group. */
static void find_group(taking *t, const labels *l)
{
    uint8_t identity[IDENTITY_MAX];
    uint32_t number = merged_image_of(t->all, identity, identity_of(t, identity));
    merged_image *to = &t->all->image[number];
    if (t->image && !to->packed) {
        uint8_t *id = to->identity;
        size_t size = to->identity_size;
        *to = t->image->packed;
        to->identity = id;
        to->identity_size = size;
        to->packed = memory_zero(to->packed_size + 1, 1);
        memcpy(to->packed, t->image->packed.packed, to->packed_size);
    }
    t->group = merged_group_of(t->all, number, t->k, l->text, strlen(l->text));
}

static void add_all(taking *t, const path_sums *sums, const labels *l, uint64_t digest)
{
    char own[20];
    snprintf(own, sizeof own, "%016" PRIx64, digest);
    const char *device = l->device ? l->device : own;
    uint32_t member = texts_of(&t->all->names, device, strlen(device));
    digests_add(&t->all->recordings, digest);
    digests_add(&t->all->devices, digest_of(0, device, strlen(device)));
    t->set = sets_of(&t->all->sets, &member, 1);
    find_group(t, l);
    add_totals(t);
    add_paths(t, sums);
    for (uint32_t f = 0; t->image && f < program_descriptors(t->image->app)->count; f++)
        add_function(t, f);
    add_forest(t);
    if (t->functions)
        add_stream(t);
}

static bool take(taking *t, const labels *l, uint64_t digest, char *message, size_t message_size)
{
    uint8_t identity[IDENTITY_MAX];
    if (!find_image(t, message, message_size))
        return false;
    if (!identity_of(t, identity)) {
        snprintf(message, message_size, "it does not name its image, or several: give --elf APP.elf");
        return false;
    }
    const char *why = count(t);
    path_sums sums = {0};
    if (!why) {
        sums = sum_paths(t->forest);
        if (t->image && !price(t, &sums))
            why = "its image does not have one of its paths";
    }
    if (why)
        snprintf(message, message_size, "%s", why);
    else
        add_all(t, &sums, l, digest);
    numbering_free(&sums.numbers);
    free(sums.count);
    return !why;
}

/* Of the labels and of all bytes: two devices may well send the same bytes. */
static uint64_t digest_recording(const whole_file *file, const labels *l)
{
    uint64_t digest = digest_of(0, file->bytes, file->size);
    digest = digest_of(digest, l->text, strlen(l->text));
    digest = l->device ? digest_of(digest, l->device, strlen(l->device)) : digest;
    return digest + (digest == 0);
}

bool intake_add(intake *in, merged *all, const char *path, const labels *l, char *message, size_t message_size)
{
    whole_file file;
    if (!whole_file_open(&file, path)) {
        snprintf(message, message_size, "cannot read it: %s", strerror(errno));
        return false;
    }
    uint64_t digest = digest_recording(&file, l);
    taking t = {.in = in, .all = all};
    bool good = false;
    if (digests_has(&all->recordings, digest) || (in->claim && !in->claim(in->claim_own, digest)))
        snprintf(message, message_size, "it has been merged already, with the same labels");
    else if ((t.file = container_open_bytes(file.bytes, file.size, path, message, message_size)))
        good = take(&t, l, digest, message, message_size);
    if (t.file)
        container_close(t.file);
    kipf_free(t.forest);
    functions_free(t.functions);
    whole_file_close(&file);
    return good;
}
