/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/script.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/recording/chosen.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/jumps.h"

/* By path; open addressing. A thread that looks a script up may still read a table that has become too small. */
typedef struct script_table {
    struct script_table *smaller; /* the one before it */
    size_t max;
    replay_script *_Atomic script[];
} script_table;

struct scripts {
    const descriptors *known;
    script_table *_Atomic table;
    pthread_mutex_t adding; /* held for what is below */
    size_t script_count;
    uint32_t *blocks; /* scratch: as many as the largest function has */
    bool jumps;       /* jumps_unseen, where it matters */
    replay_needs needs;
};

/* ---- does the recording fit the program? ---- */

static bool paths_fit(const program *app, const container *file, char *message, size_t size)
{
    if (container_packs(file) && !program_descriptors(app)->packed) {
        snprintf(message, size,
                 "%s: not the image that was traced: its records hold one path each, the recording's several",
                 program_file(app));
        return false;
    }
    control *events = control_open(file);
    control_event event;
    bool good = true;
    for (unsigned seen = 0; good && seen < 10000 && control_next(events, &event); seen++)
        if (event.kind == CONTROL_PATH && !descriptors_of_path(program_descriptors(app), event.path)) {
            snprintf(message, size,
                     "%s: not the image that was traced: it has no path %" PRIu32 " (the recording's %" PRIu64 "th)",
                     program_file(app), event.path, event.index + 1);
            good = false;
        }
    control_close(events);
    return good;
}

typedef enum fit { DIFFERS, UNCHECKED, SAME } fit;

static fit recording_fits(const program *app, const container_recording *traced)
{
    size_t size;
    const uint8_t *own = program_build_id(app, &size);
    bool names = traced->identity && program_identity(app), ids = traced->build_id && own;
    if ((names && !program_may_be(app, traced->identity)) ||
        (ids && (traced->build_id_size != size || memcmp(traced->build_id, own, size) != 0)))
        return DIFFERS;
    return names || ids ? SAME : UNCHECKED;
}

/* Of all recordings; the first that is the least fitting in `number`, from 0. */
static fit identities_fit(const program *app, const container *file, size_t *number)
{
    uint8_t *buffer = NULL;
    fit worst = SAME;
    for (size_t i = 0; i < container_recording_count(file) && worst != DIFFERS; i++) {
        container_recording traced = container_recording_at(file, i, &buffer);
        fit this = traced.count ? recording_fits(app, &traced) : SAME;
        *number = this < worst ? i : *number;
        worst = this < worst ? this : worst;
    }
    free(buffer);
    return worst;
}

bool program_identity_checked(const program *app, const container *file)
{
    size_t number = 0;
    return identities_fit(app, file, &number) == SAME;
}

/* As `--recording N` takes it. */
static uint64_t number_in_file(size_t number)
{
    return recording_chosen() ? recording_chosen() : number + 1;
}

bool program_fits(const program *app, container *file, char *message, size_t message_size)
{
    size_t number = 0;
    fit worst = identities_fit(app, file, &number);
    container_know(file, NULL);
    if (worst == DIFFERS) {
        snprintf(message, message_size,
                 "%s: not the image that was traced: its identity or build id differs from that of recording %" PRIu64,
                 program_file(app), number_in_file(number));
        return false;
    }
    container_know(file, program_descriptors(app));
    if (!paths_fit(app, file, message, message_size)) {
        container_know(file, NULL);
        return false;
    }
    if (worst == UNCHECKED) {
        fprintf(stderr,
                "weft: %s: identity unchecked: recording %" PRIu64
                " and the image have no identity or build id to compare\n",
                container_path(file), number_in_file(number));
        json_remark("identity", "unchecked");
    }
    return true;
}

/* ---- scripts ---- */

static script_table *new_table(size_t max, script_table *smaller)
{
    script_table *t = memory_zero(1, sizeof *t + max * sizeof t->script[0]);
    t->max = max;
    t->smaller = smaller;
    return t;
}

static bool has_frames(const descriptor_function *f)
{
    for (uint32_t i = 0; i < f->site_count; i++)
        if (f->site[i].flags & DESCRIPTOR_SITE_FRAME)
            return true;
    return false;
}

scripts *scripts_open(const program *app)
{
    scripts *all = memory_zero(1, sizeof *all);
    uint32_t most = 1;
    bool derives = false;
    all->known = program_descriptors(app);
    for (size_t i = 0; i < all->known->count; i++) {
        most = all->known->function[i].block_count > most ? all->known->function[i].block_count : most;
        derives |= all->known->function[i].flags & DESCRIPTOR_ACTIVATION;
        all->needs.frames |= has_frames(&all->known->function[i]);
        all->needs.memory |= (all->known->function[i].flags & (DESCRIPTOR_MEMORY | DESCRIPTOR_VALUES)) != 0;
    }
    all->jumps = derives && jumps_unseen(app);
    all->blocks = memory_zero(most, sizeof *all->blocks);
    all->table = new_table(1024, NULL);
    pthread_mutex_init(&all->adding, NULL);
    return all;
}

void scripts_close(scripts *all)
{
    if (!all)
        return;
    script_table *t = all->table;
    for (size_t i = 0; i < t->max; i++)
        if (t->script[i]) {
            free(t->script[i]->items);
            free(t->script[i]);
        }
    while (t) {
        script_table *smaller = t->smaller;
        free(t);
        t = smaller;
    }
    pthread_mutex_destroy(&all->adding);
    free(all->blocks);
    free(all);
}

static void add_item(replay_script *script, uint8_t kind, uint32_t id)
{
    script->items[script->count++] = (replay_item){.kind = kind, .id = id};
}

static void add_site(replay_script *script, const descriptor_function *f, uint32_t i)
{
    const descriptor_site *site = &f->site[i];
    bool base = site->flags & DESCRIPTOR_SITE_BASE;
    replay_item *access = &script->items[script->count];
    add_item(script,
             site->flags & DESCRIPTOR_SITE_LENGTH ? REPLAY_LENGTH
             : base                               ? REPLAY_BASE
                                                  : REPLAY_ACCESS,
             f->site_base + i);
    access->size = site->size;
    access->store = site->flags & DESCRIPTOR_SITE_STORE;
    access->how = (uint8_t)site->how;
    access->group = site->group;
    access->target = site->target;
    access->frame = site->flags & DESCRIPTOR_SITE_FRAME;
    script->frames |= access->frame;
    access->constant = site->constant;
    access->terms = site->term;
    access->count = site->term_count;
    script->accesses += site->how == DESCRIPTOR_RECORDED;
    if (!(site->flags & (DESCRIPTOR_SITE_VALUE | DESCRIPTOR_SITE_VALUE64)))
        return;
    access[1] = access[0];
    access[1].kind = REPLAY_VALUE;
    script->count++;
    script->values++;
}

static void add_block(replay_script *script, const descriptor_function *f, uint32_t block)
{
    const descriptor_block *b = &f->block[block];
    add_item(script, REPLAY_BLOCK, f->block_base + block);
    bool announces = f->flags & (DESCRIPTOR_MEMORY | DESCRIPTOR_VALUES);
    for (uint32_t i = b->first_site; announces && i < b->first_site + b->site_count; i++)
        add_site(script, f, i);
}

/* The edge from one block to the next; edge_count if there is none. */
static uint32_t edge_between(const descriptor_function *f, uint32_t from, uint32_t to)
{
    for (uint32_t i = f->graph->first[from]; i < f->graph->first[from + 1]; i++)
        if (f->graph->edge[f->graph->out[i]].to == to)
            return f->graph->out[i];
    return f->edge_count;
}

/* What the edge does to the bases of groups. */
static void add_moves(replay_script *script, const descriptor_function *f, uint32_t edge)
{
    uint32_t low =
        (uint32_t)bisect_below(f->move, f->move_count, sizeof *f->move, offsetof(descriptor_move, edge), edge);
    uint32_t high = low;
    for (; high < f->move_count && f->move[high].edge == edge; high++)
        continue;
    if (high == low)
        return;
    add_item(script, REPLAY_MOVE, 0);
    script->items[script->count - 1].moves = &f->move[low];
    script->items[script->count - 1].count = high - low;
}

/* Items that the path may have: an entry, a block that is entered, an exit; its blocks, sites and values; moves. */
static size_t items_of(const scripts *all, const descriptor_function *f, const descriptor_path *info)
{
    size_t items = 3 + f->move_count;
    for (size_t i = 0; i < info->count; i++)
        items += 1 + 2 * (size_t)f->block[all->blocks[i]].site_count;
    return items;
}

static bool is_plain(const replay_script *script)
{
    bool plain = true;
    for (uint32_t i = 0; i < script->count; i++)
        plain &= (REPLAY_KIND(script->items[i].kind) &
                  (REPLAY_KIND(REPLAY_ENTRY) | REPLAY_KIND(REPLAY_BLOCK) | REPLAY_KIND(REPLAY_EXIT))) != 0;
    return plain;
}

/* Whether exceptions arrive at the block. */
static bool is_landing(const descriptor_function *f, uint32_t block)
{
    bool found = false;
    for (uint32_t b = 0; b < f->block_count && !found; b++)
        found = f->block[b].landing == block;
    return found;
}

/* replay_script.caught of a path that enters the block. */
static uint32_t caught_at(const descriptor_function *f, uint32_t block)
{
    if (block == BALLARUS_NONE)
        return REPLAY_NO_BLOCK;
    if (f->block[block].landing != BALLARUS_NONE)
        return f->block_base + f->block[block].landing;
    return is_landing(f, block) ? f->block_base + block : REPLAY_NO_BLOCK;
}

static replay_script *make_script(scripts *all, uint32_t path)
{
    descriptor_path info;
    const descriptor_function *f = descriptors_of_path(all->known, path);
    if (!f || !descriptor_expand(all->known, path, all->blocks, f->block_count, &info))
        return NULL;
    replay_script *script = memory_zero(1, sizeof *script);
    script->items = memory_zero(items_of(all, f, &info), sizeof *script->items);
    script->path = path;
    script->function = (uint32_t)(f - all->known->function);
    script->entry = info.entry;
    script->exit = info.exit;
    script->groups = f->group_count;
    script->keeps_bases = f->flags & DESCRIPTOR_ACTIVATION;
    script->first_reported = info.starts_told;
    script->jumps = all->jumps && info.starts_told;
    script->span = f->flags & DESCRIPTOR_SPAN;
    script->begins = info.count ? f->block_base + all->blocks[0] : REPLAY_NO_BLOCK;
    script->away = !info.exit && info.enters == BALLARUS_NONE;
    script->enters = info.enters != BALLARUS_NONE ? f->block_base + info.enters : REPLAY_NO_BLOCK;
    script->lands = info.count && f->block[all->blocks[0]].flags & (DESCRIPTOR_BLOCK_TWICE | DESCRIPTOR_BLOCK_LANDING);
    script->arrives = info.count && is_landing(f, all->blocks[0]) ? script->begins : REPLAY_NO_BLOCK;
    script->caught = caught_at(f, info.enters);
    if (info.entry)
        add_item(script, REPLAY_ENTRY, script->function);
    for (size_t i = 0; i < info.count; i++) {
        if (i)
            add_moves(script, f, edge_between(f, all->blocks[i - 1], all->blocks[i]));
        add_block(script, f, all->blocks[i]);
    }
    script->before_count = script->count;
    if (info.count && info.enters != BALLARUS_NONE)
        add_moves(script, f, edge_between(f, all->blocks[info.count - 1], info.enters));
    if (info.enters_told)
        add_item(script, REPLAY_BLOCK, f->block_base + info.enters);
    if (info.exit)
        add_item(script, REPLAY_EXIT, script->function);
    script->plain = is_plain(script);
    return script;
}

replay_needs scripts_needs(const scripts *all)
{
    return all->needs;
}

/* Where the script of a path is, or would be. */
static replay_script *_Atomic *script_slot(script_table *t, uint32_t path)
{
    size_t at = (path * 2654435761u >> 3) & (t->max - 1);
    for (const replay_script *s; (s = atomic_load_explicit(&t->script[at], memory_order_acquire)) && s->path != path;)
        at = (at + 1) & (t->max - 1);
    return &t->script[at];
}

static void scripts_grow(scripts *all)
{
    script_table *old = all->table, *t = new_table(2 * old->max, old);
    for (size_t i = 0; i < old->max; i++)
        if (old->script[i])
            *script_slot(t, old->script[i]->path) = old->script[i];
    atomic_store_explicit(&all->table, t, memory_order_release);
}

/* Another thread may have added it meanwhile. */
static const replay_script *add_script(scripts *all, uint32_t path)
{
    pthread_mutex_lock(&all->adding);
    if (2 * all->script_count >= all->table->max)
        scripts_grow(all);
    replay_script *_Atomic *slot = script_slot(all->table, path);
    replay_script *script = *slot;
    if (!script && (script = make_script(all, path))) {
        all->script_count++;
        atomic_store_explicit(slot, script, memory_order_release);
    }
    pthread_mutex_unlock(&all->adding);
    return script;
}

const replay_script *scripts_path(scripts *all, uint32_t path)
{
    script_table *t = atomic_load_explicit(&all->table, memory_order_acquire);
    const replay_script *script = atomic_load_explicit(script_slot(t, path), memory_order_acquire);
    return script ? script : add_script(all, path);
}

const replay_script *scripts_model(void *all, uint32_t path)
{
    return scripts_path(all, path);
}
