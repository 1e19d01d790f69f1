/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_chosen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/text.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"
#include "tools/weft/command.h"
#include "tools/weft/executed.h"

bool info_chosen_is(const info_chosen *c)
{
    return c->choice.context || c->choice.function;
}

static int read_sites(info_chosen *c, const container *file, const program *app, const event_filter *wanted)
{
    replay_event event;
    scripts *paths = scripts_open(app);
    replay *r = replay_open(file, (replay_model){paths, scripts_model});
    while (replay_next(r, &event))
        if (event.kind == REPLAY_PATH)
            c->paths += event_filter_path(wanted, event.context, event.id);
        else if (event.kind == REPLAY_ACCESS || event.kind == REPLAY_VALUE)
            *(event.kind == REPLAY_ACCESS ? &c->accesses : &c->values) +=
                event_filter_site(wanted, event.context, event.id);
    const char *error = replay_error(r);
    int status = error ? command_fail("info", EXIT_INPUT, "%s: %s", container_path(file), error) : EXIT_DONE;
    replay_close(r);
    scripts_close(paths);
    return status;
}

static void read_paths(info_chosen *c, const container *file, const event_filter *wanted)
{
    control *events = control_open(file);
    for (control_event event; control_next(events, &event);)
        c->paths += event.kind == CONTROL_PATH && event_filter_path(wanted, event.context, event.path);
    control_close(events);
    c->paths_only = true;
}

static int read_probes(info_chosen *c, const container *file, const program *app)
{
    char message[400];
    event_filter wanted = {0};
    int status = EXIT_DONE;
    if (container_packed(file))
        status = command_fail("info", EXIT_INPUT, "%s: %s", container_path(file), container_packed(file));
    else if (!event_filter_open(&wanted, c->choice, file, app, message, sizeof message))
        status = command_fail("info", EXIT_INPUT, "%s", message);
    else if (app)
        status = read_sites(c, file, app, &wanted);
    else
        read_paths(c, file, &wanted);
    event_filter_close(&wanted);
    return status;
}

static int read_executed(info_chosen *c, const char *path, const image *im)
{
    bool cut = false;
    uint32_t address, size;
    execution_choice choice = {.one_context = c->choice.context};
    if (c->choice.context && !vectors_find(im, c->choice.context, &choice.context))
        return command_fail("info", EXIT_INPUT, "there is no context '%s'", c->choice.context);
    if (c->choice.function && !image_symbol_named(im, c->choice.function, &address, &size))
        return command_fail("info", EXIT_INPUT, "there is no function '%s'", c->choice.function);
    execution *run = execution_new(im, NULL, choice);
    int status = executed_read(run, "info", path, &cut);
    for (uint32_t i = 0; i < run->count; i++) {
        const image_symbol *s = image_function(&im->symbols, run->all[i].insn.pc);
        if (!c->choice.function || (s && !strcmp(s->name, c->choice.function)))
            c->instructions += run->all[i].count;
    }
    execution_free(run);
    return status;
}

int info_chosen_executed(info_chosen *c, const char *path, const char *elf)
{
    char message[400];
    if (!info_chosen_is(c))
        return EXIT_DONE;
    c->full = true;
    if (!elf)
        return command_fail("info", EXIT_USAGE, "--context and --function of instructions need --elf APP.elf");
    image *im = image_open(elf, message, sizeof message);
    if (!im)
        return command_fail("info", EXIT_INPUT, "%s", message);
    int status = read_executed(c, path, im);
    image_close(im);
    return status;
}

int info_chosen_read(info_chosen *c, const container *file, const char *elf, const program *app)
{
    bool full = container_next(file, WEFT_FRAME_FULL, 0) < container_frame_count(file);
    if (full)
        return info_chosen_executed(c, container_path(file), elf);
    return info_chosen_is(c) ? read_probes(c, file, app) : EXIT_DONE;
}

void info_chosen_print(const info_chosen *c)
{
    if (!info_chosen_is(c))
        return;
    fputs("\n  of", stdout);
    if (c->choice.context) {
        fputs(" context ", stdout);
        text_print(stdout, c->choice.context);
    }
    if (c->choice.function) {
        fputs(" function ", stdout);
        text_print(stdout, c->choice.function);
    }
    if (c->full)
        printf(": %" PRIu64 " instructions\n", c->instructions);
    else if (c->paths_only)
        printf(": %" PRIu64 " paths; only the ELF says which accesses and values: --elf APP.elf\n", c->paths);
    else
        printf(": %" PRIu64 " paths, %" PRIu64 " accesses, %" PRIu64 " values\n", c->paths, c->accesses, c->values);
}

void info_chosen_put(json *j, const info_chosen *c)
{
    if (!info_chosen_is(c))
        return;
    json_object(j, "chosen");
    if (c->full) {
        json_unsigned(j, "instructions", c->instructions);
    } else {
        json_unsigned(j, "paths", c->paths);
        if (!c->paths_only) {
            json_unsigned(j, "accesses", c->accesses);
            json_unsigned(j, "values", c->values);
        }
    }
    json_end_object(j);
}
