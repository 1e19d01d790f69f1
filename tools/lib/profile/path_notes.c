/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/path_notes.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/recording/script.h"

struct path_notes {
    const descriptors *known;
    scripts *paths;
    numbering numbers;
    path_note *note; /* by number */
    size_t count, max;
};

path_notes *path_notes_new(const program *app)
{
    path_notes *all = memory_zero(1, sizeof *all);
    all->known = program_descriptors(app);
    all->paths = scripts_open(app);
    return all;
}

void path_notes_free(path_notes *all)
{
    if (!all)
        return;
    scripts_close(all->paths);
    numbering_free(&all->numbers);
    free(all->note);
    free(all);
}

bool path_leaves(const descriptors *known, const replay_script *script)
{
    const descriptor_function *f = known->function + script->function;
    for (uint32_t i = script->before_count; i < script->count; i++) {
        const replay_item *item = script->items + i;
        uint32_t flags = item->kind == REPLAY_BLOCK ? f->block[item->id - f->block_base].flags : 0;
        if (flags & DESCRIPTOR_BLOCK_NORETURN && !(flags & DESCRIPTOR_BLOCK_TAIL))
            return false;
    }
    return script->exit;
}

const path_note *path_notes_of(path_notes *all, uint32_t path)
{
    uint32_t number = numbering_find(&all->numbers, path);
    if (number < all->count)
        return &all->note[number];
    const replay_script *script = scripts_path(all->paths, path);
    if (!script)
        return NULL;
    (void)numbering_of(&all->numbers, path);
    all->note = memory_room(all->note, all->count, &all->max, sizeof *all->note);
    all->note[all->count] =
        (path_note){script->function, script->entry, path_leaves(all->known, script), script->arrives, script->caught};
    return &all->note[all->count++];
}

const path_note *path_notes_known(const path_notes *all, uint32_t path)
{
    return &all->note[numbering_find(&all->numbers, path)];
}
