/* SPDX-License-Identifier: MIT */
#include "tools/weft/profiled.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/announced.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/script.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_input.h"

static int open_probes(profiled *run, const char *elf)
{
    char message[400];
    const char *why;
    run->app = program_open(elf, message, sizeof message);
    if (!run->app)
        return executed_no_paths(run->name, run->path, message);
    if (profile_is(run->path)) {
        functions_of_program(run->all, run->app);
        return fleet_input(&run->merged, &run->number, run->name, run->path, run->app);
    }
    run->file = container_open(run->path, message, sizeof message);
    if (!run->file)
        return command_fail(run->name, EXIT_INPUT, "%s", message);
    if ((why = container_without_paths(run->file)))
        return command_fail(run->name, EXIT_INPUT, "%s: %s", run->path, why);
    if (!program_fits(run->app, run->file, message, sizeof message))
        return command_fail(run->name, EXIT_INPUT, "%s", message);
    given_names_give(run->file, run->app);
    functions_of_program(run->all, run->app);
    return EXIT_DONE;
}

static int choose_function(profiled *run, const char *name)
{
    return !name || functions_only(run->all, name)
               ? EXIT_DONE
               : command_fail(run->name, EXIT_INPUT, "there is no function '%s'", name);
}

static int choose(profiled *run, profiled_choice choice)
{
    run->choice = (functions_choice){.one_context = choice.context, .with_probes = choice.with_probes};
    if (!choice.context || vectors_find(profiled_image(run), choice.context, &run->choice.context))
        return EXIT_DONE;
    return command_fail(run->name, EXIT_INPUT,
                        "there is no context '%s': give the name of a thread or handler, thread, or a number",
                        choice.context);
}

bool profiled_clocked(const profiled *run)
{
    return run->choice.clocked;
}

static int choose_unit(profiled *run, profiled_choice choice)
{
    if (choice.unit == CLOCKED_AUTO && choice.with_probes)
        choice.unit = CLOCKED_INSTRUCTIONS;
    return clocked_choose(run->name, run->path, run->file, choice.unit, &run->choice.clocked);
}

static int open_executed(profiled *run, const char *elf)
{
    char message[400];
    run->im = image_open(elf, message, sizeof message);
    return run->im ? EXIT_DONE : command_fail(run->name, EXIT_INPUT, "%s", message);
}

int profiled_open(profiled *run, const char *name, const char *elf, const char *path, profiled_choice choice)
{
    *run = (profiled){.name = name, .path = path, .kind = executed_kind_of(path), .all = functions_new()};
    int status = run->kind == EXECUTED_PATHS ? open_probes(run, elf) : open_executed(run, elf);
    if (status == EXIT_DONE)
        status = choose(run, choice);
    if (status == EXIT_DONE)
        status = choose_unit(run, choice);
    if (status == EXIT_DONE && run->im)
        run->run =
            execution_new(run->im, run->all,
                          (execution_choice){.one_context = run->choice.one_context, .context = run->choice.context});
    return status == EXIT_DONE ? choose_function(run, choice.function) : status;
}

const image *profiled_image(const profiled *run)
{
    return run->im ? run->im : run->app ? program_image(run->app) : NULL;
}

/* The same from a merged profile. */
static int read_merged(profiled *run, bool watched)
{
    char message[400];
    merged_totals t = restore_totals(run->merged, run->number);
    if (run->choice.one_context || run->choice.with_probes)
        return command_fail(run->name, EXIT_USAGE, "%s: a merged profile has all contexts, and no cost of probes",
                            run->path);
    if (watched || functions_listened(run->all))
        return fleet_refuse(run->name, run->path);
    if (!restore_functions(run->merged, run->number, run->app, run->all, message, sizeof message))
        return command_fail(run->name, EXIT_INPUT, "%s: %s", run->path, message);
    run->loss = (export_loss){.gaps = t.gaps, .paths = t.lost, .at_least = t.gapped};
    return EXIT_DONE;
}

int profiled_read(profiled *run)
{
    return profiled_read_watched(run, NULL);
}

int profiled_read_watched(profiled *run, const functions_watch *watch)
{
    if (run->merged)
        return read_merged(run, watch != NULL);
    if (run->kind != EXECUTED_PATHS) {
        int status = executed_read(run->run, run->name, run->path, &run->loss.cut);
        execution_finish(run->run);
        return status;
    }
    const char *error = functions_feed_watched(run->all, run->file, run->app, run->choice, &run->seen, watch);
    if (error)
        return command_fail(run->name, EXIT_INPUT, "%s: %s", run->path, error);
    functions_finish(run->all);
    run->loss = (export_loss){.gaps = container_gap_count(run->file),
                              .paths = container_lost(run->file).paths,
                              .at_least = *container_at_least(run->file),
                              .cut = container_end_missing(run->file)};
    return EXIT_DONE;
}

int profiled_warn(const profiled *run)
{
    fflush(stdout);
    if (run->all->flat)
        fprintf(stderr,
                "weft %s: %" PRIu64
                " paths are of functions built with MODE=span: what they call is not counted as theirs\n",
                run->name, run->all->flat);
    (profiled_clocked(run) ? announced_note_shared : announced_note_estimated)(run->name, run->all->estimated);
    if (run->all->deeper)
        fprintf(stderr,
                "weft %s: the tree has %" PRIu64 " calls whose callers are left out: too many chains of calls\n",
                run->name, run->all->deeper);
    if (run->kind != EXECUTED_PATHS)
        return run->loss.cut ? EXIT_GAPS : EXIT_DONE;
    if (run->merged)
        return fleet_warn(run->merged, run->number, run->name, run->path);
    return control_print_gaps(run->file, 0, run->name) ? EXIT_GAPS : EXIT_DONE;
}

uint64_t profiled_estimated(const profiled *run)
{
    return profiled_clocked(run) ? 0 : run->all->estimated;
}

bool profiled_lacks_accesses(const profiled *run)
{
    bool mixed = !run->merged && announced_say(run->name, run->app, ANNOUNCED_ACCESSES | ANNOUNCED_VALUES);
    return announced_say_unknown(run->name, 0, run->seen.unknown) || mixed;
}

void profiled_close(profiled *run)
{
    execution_free(run->run);
    functions_free(run->all);
    if (run->file)
        container_close(run->file);
    merged_free(run->merged);
    program_close(run->app);
    if (run->im)
        image_close(run->im);
}

/* ---- orders ---- */

static const functions *sorted; /* qsort has no context */

static int by_cost(const void *a, const void *b)
{
    const function_cost *x = &sorted->all[*(const uint32_t *)a], *y = &sorted->all[*(const uint32_t *)b];
    if (x->self != y->self)
        return x->self < y->self ? 1 : -1;
    if (x->inclusive != y->inclusive)
        return x->inclusive < y->inclusive ? 1 : -1;
    int names = strcmp(x->name, y->name);
    return names ? names : x < y ? -1 : x > y;
}

uint32_t *profiled_order(const functions *all)
{
    uint32_t *order = memory_zero(all->count + 1, sizeof *order);
    for (uint32_t i = 0; i < all->count; i++)
        order[i] = i;
    sorted = all;
    qsort(order, all->count, sizeof *order, by_cost);
    return order;
}

static int by_inclusive(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const call_node *x = &sorted->node[i], *y = &sorted->node[k];
    if (x->inclusive != y->inclusive)
        return x->inclusive < y->inclusive ? -1 : 1; /* the last of the waiting ones is next */
    return i < k ? 1 : i > k ? -1 : 0;
}

static void add_children(profiled_walk *walk, uint32_t node, unsigned depth)
{
    size_t first = walk->count;
    for (uint32_t child = walk->all->node[node].child; child; child = walk->all->node[child].sibling) {
        walk->waiting = memory_room(walk->waiting, walk->count, &walk->max, sizeof *walk->waiting);
        walk->level = memory_room(walk->level, walk->count, &walk->level_max, sizeof *walk->level);
        walk->level[walk->count] = depth;
        walk->waiting[walk->count++] = child;
    }
    sorted = walk->all;
    if (walk->count > first)
        qsort(walk->waiting + first, walk->count - first, sizeof *walk->waiting, by_inclusive);
}

profiled_walk profiled_walk_begin(const functions *all)
{
    profiled_walk walk = {.all = all};
    add_children(&walk, 0, 1);
    return walk;
}

uint32_t profiled_walk_next(profiled_walk *walk)
{
    if (!walk->count)
        return 0;
    uint32_t node = walk->waiting[--walk->count];
    walk->depth = walk->level[walk->count];
    add_children(walk, node, walk->depth + 1);
    return node;
}

void profiled_walk_end(profiled_walk *walk)
{
    free(walk->waiting);
    free(walk->level);
}
