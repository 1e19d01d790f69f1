/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/script.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/jumps.h"

struct scripts {
    const descriptors *known;
    replay_script **script; /* by path; open addressing */
    size_t script_count, script_max;
    uint32_t *blocks; /* scratch: as many as the largest function has */
    bool jumps;       /* jumps_unseen, where it matters */
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
    uint32_t identity = program_identity(app);
    bool names = traced->identity && identity, ids = traced->build_id && own;
    if ((names && traced->identity != identity) ||
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

bool program_fits(const program *app, container *file, char *message, size_t message_size)
{
    size_t number = 0;
    fit worst = identities_fit(app, file, &number);
    container_know(file, NULL);
    if (worst == DIFFERS) {
        snprintf(
            message, message_size,
            "%s: not the image that was traced: its identity or build id differs from that of recording %zu of %zu",
            program_file(app), number + 1, container_recording_count(file));
        return false;
    }
    container_know(file, program_descriptors(app));
    if (!paths_fit(app, file, message, message_size)) {
        container_know(file, NULL);
        return false;
    }
    if (worst == UNCHECKED) {
        fprintf(stderr,
                "weft: %s: identity unchecked: recording %zu and the image have no identity or build id to compare\n",
                container_path(file), number + 1);
        json_remark("identity", "unchecked");
    }
    return true;
}

/* ---- scripts ---- */

scripts *scripts_open(const program *app)
{
    scripts *all = memory_zero(1, sizeof *all);
    uint32_t most = 1;
    bool derives = false;
    all->known = program_descriptors(app);
    for (size_t i = 0; i < all->known->count; i++) {
        most = all->known->function[i].block_count > most ? all->known->function[i].block_count : most;
        derives |= all->known->function[i].flags & DESCRIPTOR_ACTIVATION;
    }
    all->jumps = derives && jumps_unseen(app);
    all->blocks = memory_zero(most, sizeof *all->blocks);
    return all;
}

void scripts_close(scripts *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->script_max; i++)
        if (all->script[i]) {
            free(all->script[i]->items);
            free(all->script[i]);
        }
    free(all->script);
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
    uint32_t low = 0, high = f->move_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->move[middle].edge < edge)
            low = middle + 1;
        else
            high = middle;
    }
    for (high = low; high < f->move_count && f->move[high].edge == edge; high++)
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
    return script;
}

static size_t script_slot(const scripts *all, uint32_t path)
{
    size_t at = (path * 2654435761u >> 3) & (all->script_max - 1);
    while (all->script[at] && all->script[at]->path != path)
        at = (at + 1) & (all->script_max - 1);
    return at;
}

static void scripts_grow(scripts *all)
{
    replay_script **old = all->script;
    size_t old_max = all->script_max;
    all->script_max = old_max ? 2 * old_max : 1024;
    all->script = memory_zero(all->script_max, sizeof *all->script);
    for (size_t i = 0; i < old_max; i++)
        if (old[i])
            all->script[script_slot(all, old[i]->path)] = old[i];
    free(old);
}

const replay_script *scripts_path(scripts *all, uint32_t path)
{
    if (2 * all->script_count >= all->script_max)
        scripts_grow(all);
    size_t at = script_slot(all, path);
    if (!all->script[at]) {
        all->script[at] = make_script(all, path);
        all->script_count += all->script[at] != NULL;
    }
    return all->script[at];
}

const replay_script *scripts_model(void *all, uint32_t path)
{
    return scripts_path(all, path);
}
