/* SPDX-License-Identifier: MIT */
/* compare APP.elf PROBES [span]: what the emulator saw, against the descriptors of the ELF file.
 *
 *   - at each path record, the marks of its context so far are the blocks that the records so far give
 *   - at each path record, the accesses announced since the one before are the sites of the path's blocks, in order
 *   - each announced access is made by the machine code before the next announcement
 *   - each load from the object `unread` has been announced
 * In span mode: marks and reported blocks are equal in number, block by block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/image/opened.h"
#include "tools/qemu/probes.h"

enum { PATH, KPATH, KPATH_EXIT, ACCESS, VALUE, VALUE64, MARK, DERIVED, STAMP, LOOP, LOOP_PATH };

#define CONTEXTS 64
#define PENDING_MAX 4096

/* An announced access that has not been made yet. */
typedef struct pending {
    uint32_t site, address, size, flags;
    uint64_t made; /* the bytes made so far, a bit for each of the first 64 */
    bool wider;    /* an access also reached bytes outside it */
} pending;

typedef struct context {
    uint32_t *told, *marked;
    size_t told_count, marked_count, told_room, marked_room;
    uint32_t sites[PENDING_MAX];
    size_t site_count;
    pending waiting[PENDING_MAX];
    size_t waiting_count;
} context;

static context contexts[CONTEXTS];
static descriptors *all;
static bool span;
static unsigned long paths, loops, accesses, exact, partial, missing, allowed, wrong;
static unsigned *marks_of, *told_of;
static uint32_t unread, unread_size; /* the object whose every load is looked at */
static unsigned long unread_loads, unannounced;

static void append(uint32_t **list, size_t *count, size_t *room, uint32_t value)
{
    *list = memory_room(*list, *count, room, sizeof **list);
    (*list)[(*count)++] = value;
}

static void tell_block(context *c, uint32_t block)
{
    append(&c->told, &c->told_count, &c->told_room, block);
    told_of[block]++;
}

static const char *block_name(uint32_t block, char text[128])
{
    const descriptor_function *f = descriptors_of_block(all, block);
    snprintf(text, 128, "%s+%u", f ? f->name : "?", f ? block - f->block_base : block);
    return text;
}

static void say_wrong(const char *what, uint32_t path, size_t at)
{
    const descriptor_function *f = descriptors_of_path(all, path);
    if (wrong++ < 5)
        printf("# %s: record %lu, path %u of %s, at %zu\n", what, paths, f ? path - f->path_base : path,
               f ? f->name : "?", at);
}

/* What was reported and what was marked must be the same up to here; then both lists start again. When a loop is
 * left, more was marked. */
static void compare_marks(context *c, uint32_t path, bool in_loop)
{
    char one[128], two[128];
    for (size_t i = 0; i < c->told_count || (!in_loop && i < c->marked_count); i++) {
        uint32_t told = i < c->told_count ? c->told[i] : UINT32_MAX,
                 marked = i < c->marked_count ? c->marked[i] : UINT32_MAX;
        if (told != marked) {
            say_wrong("blocks differ", path, i);
            if (wrong < 6)
                printf("#   told %s, marked %s\n", block_name(told, one), block_name(marked, two));
            break;
        }
    }
    size_t left = in_loop && c->told_count < c->marked_count ? c->marked_count - c->told_count : 0;
    memmove(c->marked, c->marked + c->told_count, left * sizeof *c->marked);
    c->told_count = 0;
    c->marked_count = left;
}

static void close_waiting(context *c, bool all_of_them);

/* Whether the site's base needs no probe: the decoder finds it. */
static bool is_silent(const descriptor_site *s)
{
    return s->flags & DESCRIPTOR_SITE_BASE && s->how != DESCRIPTOR_RECORDED;
}

static void on_path(context *c, uint32_t path, bool in_loop)
{
    static uint32_t blocks[100000];
    descriptor_path info;
    paths++;
    close_waiting(c, true);
    if (!descriptor_expand(all, path, blocks, 100000, &info)) {
        say_wrong("no such path", path, 0);
        return;
    }
    const descriptor_function *f = info.function;
    size_t site = 0;
    for (size_t i = 0; i < info.count; i++) {
        const descriptor_block *b = &f->block[blocks[i]];
        if (i > 0 || !info.starts_told)
            tell_block(c, f->block_base + blocks[i]);
        for (uint32_t k = b->first_site; k < b->first_site + b->site_count; k++) {
            if (is_silent(&f->site[k]))
                continue;
            if (site >= c->site_count || c->sites[site] != f->site_base + k) {
                say_wrong("sites differ", path, site);
                site = c->site_count;
            }
            site++;
        }
    }
    if (site != c->site_count)
        say_wrong("sites announced that are not of the path", path, site);
    c->site_count = 0;
    if (!span)
        compare_marks(c, path, in_loop);
    if (info.enters_told)
        tell_block(c, f->block_base + info.enters);
}

/* Kinds that may be made in pieces, by a routine, partly or not at all. */
#define SPECIAL (DESCRIPTOR_SITE_BITFIELD | DESCRIPTOR_SITE_ASM | DESCRIPTOR_SITE_AGGREGATE | DESCRIPTOR_SITE_ATOMIC)

static void say_site(const pending *p, const char *how)
{
    static uint8_t *said;
    const descriptor_site *s = descriptors_site(all, p->site);
    said = said ? said : calloc(all->site_end, 1);
    if (said && !said[p->site]++)
        printf("# %s: %s of %u bytes, %s at %s:%u, flags %u\n", how,
               p->flags & DESCRIPTOR_SITE_STORE ? "store" : "load", p->size, s->text, s->place.file, s->place.line,
               p->flags);
}

/* Ends the wait for one access: was it made? */
static void judge(const pending *p)
{
    uint64_t want = p->size >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << p->size) - 1;
    if ((p->made & want) == want && (!p->wider || p->flags & SPECIAL)) {
        exact++;
    } else if (p->made & want) {
        partial++;
        say_site(p, "in part");
    } else if (p->flags & (SPECIAL | DESCRIPTOR_SITE_CONSTANT)) {
        allowed++;
        say_site(p, "by other means");
    } else {
        missing++;
        say_site(p, "not made");
    }
}

static void close_waiting(context *c, bool all_of_them)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->waiting_count; i++) {
        if (!all_of_them && c->waiting[i].flags & SPECIAL)
            c->waiting[kept++] = c->waiting[i];
        else
            judge(&c->waiting[i]);
    }
    c->waiting_count = kept;
}

static void on_announcement(context *c, uint32_t number, uint32_t address)
{
    const descriptor_site *s = descriptors_site(all, number);
    bool access = s && !(s->flags & (DESCRIPTOR_SITE_BASE | DESCRIPTOR_SITE_LENGTH));
    accesses += access;
    close_waiting(c, false);
    if (!s || c->site_count == PENDING_MAX || c->waiting_count == PENDING_MAX) {
        printf("# site %u is not known, or too many\n", number);
        wrong++;
        return;
    }
    c->sites[c->site_count++] = number;
    if (access)
        c->waiting[c->waiting_count++] = (pending){number, address, s->size, s->flags, 0, false};
}

static void on_memory(context *c, const probe_record *r)
{
    bool announced = false;
    for (size_t i = 0; i < c->waiting_count; i++) {
        pending *p = &c->waiting[i];
        if ((r->kind == PROBE_STORE) != ((p->flags & DESCRIPTOR_SITE_STORE) != 0))
            continue;
        for (uint32_t k = 0; k < r->what; k++) {
            uint32_t at = r->values[0] + k - p->address;
            if (at < p->size && at < 64) {
                announced |= !(p->made >> at & 1);
                p->made |= UINT64_C(1) << at;
            }
        }
        uint32_t first = r->values[0] - p->address;
        p->wider |= first < p->size && (first + r->what > p->size);
        p->wider |= p->address - r->values[0] < r->what && r->values[0] < p->address;
    }
    if (r->kind == PROBE_LOAD && r->values[0] - unread < unread_size) {
        unread_loads++;
        unannounced += !announced;
    }
}

static void on_record(const probe_record *r)
{
    context *c = &contexts[r->context % CONTEXTS];
    if (r->kind != PROBE_CALL) {
        on_memory(c, r);
        return;
    }
    switch (r->what) {
    case PATH:
    case KPATH:
    case KPATH_EXIT:
        on_path(c, r->values[0], false);
        break;
    case LOOP:
    case LOOP_PATH:
        for (uint32_t i = 0; i < r->values[3]; i++)
            on_path(c, r->values[i ? 1 : 0], true);
        loops += r->values[3];
        if (r->what == LOOP_PATH)
            on_path(c, r->values[2] + (r->values[3] ? 0 : r->values[0] - r->values[1]), false);
        break;
    case ACCESS:
    case DERIVED:
        on_announcement(c, r->values[0], r->values[1]);
        break;
    case MARK:
        close_waiting(c, true);
        if (r->values[0] >= all->block_end) {
            say_wrong("no such block", 0, 0);
            break;
        }
        marks_of[r->values[0]]++;
        append(&c->marked, &c->marked_count, &c->marked_room, r->values[0]);
        break;
    default:
        break;
    }
}

static void compare_counts(void)
{
    char name[128];
    for (uint32_t i = 0; i < all->block_end; i++)
        if (marks_of[i] != told_of[i] && wrong++ < 5)
            printf("# block %s: %u marks, told %u times\n", block_name(i, name), marks_of[i], told_of[i]);
}

int main(int argc, char **argv)
{
    char error[300];
    probe_record r;
    if (argc < 3)
        return 2;
    span = argc > 3 && strcmp(argv[3], "span") == 0;
    image *im = image_open(argv[1], error, sizeof error);
    all = im ? descriptors_read(im, error, sizeof error) : NULL;
    if (im)
        image_symbol_named(im, "unread", &unread, &unread_size);
    image_close(im);
    FILE *file = fopen(argv[2], "rb");
    if (!all || !file) {
        printf("# %s\n", all ? argv[2] : error);
        return 1;
    }
    marks_of = calloc(all->block_end + 1, sizeof *marks_of);
    told_of = calloc(all->block_end + 1, sizeof *told_of);
    while (fread(&r, sizeof r, 1, file) == 1)
        on_record(&r);
    if (span)
        compare_counts();
    fclose(file);
    printf("# %zu functions, %lu paths recorded, %lu as passes of loops; %lu accesses: %lu exact, %lu in part, %lu by "
           "other means, %lu not made\n",
           all->count, paths, loops, accesses, exact, partial, allowed, missing);
    descriptors_free(all);
    if (accesses && (unannounced || !unread_loads)) {
        printf("# %lu of %lu loads from `unread` were not announced\n", unannounced, unread_loads);
        wrong++;
    }
    return wrong || missing || partial || paths == 0;
}
