/* SPDX-License-Identifier: MIT */
#include "tools/weft/symbol_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/profile/executed_paths.h"
#include "tools/weft/command.h"
#include "tools/weft/executed.h"

struct symbol_run {
    const char *name;
    image *im;
    execution *run;
    executed_paths *paths;
    executed_reader *reader; /* of the recording that is read; NULL: none */
    const char *path;
    uint64_t memory; /* most bytes that paths may take */
    sequences *counts;
    event_choice choice;
    uint32_t context;
    uint8_t *chosen; /* by path: 0 not asked yet, 1 no, 2 yes: it is of the function */
    size_t chosen_max, asked;
    uint32_t *waiting; /* wanted paths that were not taken yet: from `first` on */
    size_t first, count, max;
    int status;
};

bool symbol_run_is(const char *path)
{
    struct stat about;
    return strcmp(path, "-") && stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
           executed_kind_of(path) != EXECUTED_PATHS;
}

/* ---- what is wanted ---- */

static bool has_function(const image *im, const char *name)
{
    for (size_t i = 0; i < im->symbols.count; i++)
        if (im->symbols.all[i].function && !strcmp(im->symbols.all[i].name, name))
            return true;
    return false;
}

static bool is_of_function(symbol_run *r, uint32_t path)
{
    r->chosen = memory_room(r->chosen, path, &r->chosen_max, 1);
    for (; r->asked <= path; r->asked++)
        r->chosen[r->asked] = 0;
    if (!r->chosen[path])
        r->chosen[path] = 1 + !strcmp(executed_paths_function(r->paths, path), r->choice.function);
    return r->chosen[path] == 2;
}

static void take(void *own, uint32_t context, uint32_t path, uint32_t *place)
{
    symbol_run *r = own;
    if ((r->choice.context && context != r->context) || (r->choice.function && !is_of_function(r, path)))
        return;
    if (r->counts)
        sequences_push(r->counts, place, path);
    r->waiting = memory_room(r->waiting, r->count, &r->max, sizeof *r->waiting);
    r->waiting[r->count++] = path;
}

static int choose(symbol_run *r)
{
    if (r->choice.context && !vectors_find(r->im, r->choice.context, &r->context))
        return command_fail(r->name, EXIT_INPUT,
                            "there is no context '%s': give the name of a handler, thread, or a number",
                            r->choice.context);
    if (r->choice.function && !has_function(r->im, r->choice.function))
        return command_fail(r->name, EXIT_INPUT, "there is no function '%s'", r->choice.function);
    return EXIT_DONE;
}

/* ---- a run ---- */

int symbol_run_open(symbol_run **run, const char *name, const char *elf, event_choice choice)
{
    char message[400];
    *run = NULL;
    image *im = image_open(elf, message, sizeof message);
    if (!im)
        return command_fail(name, EXIT_INPUT, "%s", message);
    symbol_run *r = *run = memory_zero(1, sizeof *r);
    *r = (symbol_run){.name = name, .im = im, .choice = choice};
    r->run = execution_new(im, NULL, (execution_choice){0});
    r->paths = executed_paths_new(r->run, take, r);
    return r->status = choose(r);
}

void symbol_run_count(symbol_run *r, sequences *counts)
{
    r->counts = counts;
}

int symbol_run_add(symbol_run *r, const char *path)
{
    r->path = path;
    r->memory = command_memory(path);
    int status = executed_open(&r->reader, r->run, r->name, path);
    r->status = status == EXIT_DONE ? r->status : status;
    return status;
}

static void read_on(symbol_run *r)
{
    execution_fed fed = executed_next(r->reader);
    if (fed == EXECUTION_MORE && executed_paths_bytes(r->paths) > r->memory) {
        command_fail(r->name, EXIT_INPUT,
                     "%s: its different paths take more than %" PRIu64 " bytes; give a larger --memory-limit", r->path,
                     r->memory);
        fed = EXECUTION_WRONG;
    }
    if (fed == EXECUTION_MORE)
        return;
    executed_close(r->reader);
    r->reader = NULL;
    if (fed != EXECUTION_END)
        r->status = fed == EXECUTION_CUT ? EXIT_GAPS : EXIT_INPUT;
}

size_t symbol_run_read(symbol_run *r, uint32_t *symbols, size_t max)
{
    while (r->first == r->count && r->reader) {
        r->first = r->count = 0;
        read_on(r);
    }
    size_t count = r->count - r->first < max ? r->count - r->first : max;
    if (count)
        memcpy(symbols, r->waiting + r->first, count * sizeof *symbols);
    r->first += count;
    return count;
}

int symbol_run_check(const symbol_run *r)
{
    return r->status;
}

static size_t feed_read(void *own, uint32_t *symbols, size_t max)
{
    return symbol_run_read(own, symbols, max);
}

static uint64_t feed_cost(void *own, uint32_t symbol)
{
    return executed_paths_cost(((symbol_run *)own)->paths, symbol);
}

symbol_feed symbol_run_feed(symbol_run *r)
{
    return (symbol_feed){r, feed_read, feed_cost, executed_paths_places(r->paths)};
}

void symbol_run_close(symbol_run *r)
{
    if (!r)
        return;
    executed_close(r->reader);
    executed_paths_free(r->paths);
    execution_free(r->run);
    image_close(r->im);
    free(r->chosen);
    free(r->waiting);
    free(r);
}
