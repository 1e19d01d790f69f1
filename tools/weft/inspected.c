/* SPDX-License-Identifier: MIT */
#include "tools/weft/inspected.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/text.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/announced.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/wet/run.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"

static int check_full(inspected *in)
{
    if (!full_begins_in(in->reader, in->im))
        return command_fail(in->name, EXIT_INPUT, "%s", full_error(in->reader));
    return inspected_again(in) ? EXIT_DONE : EXIT_INPUT;
}

bool inspected_again(inspected *in)
{
    char message[400];
    full_close(in->reader);
    in->reader = wet_run_open(in->path, message, sizeof message);
    if (in->reader)
        full_expect(in->reader, in->im);
    else
        command_fail(in->name, EXIT_INPUT, "%s: %s", in->path, message);
    return in->reader;
}

static int open_probes(inspected *in, const char *elf)
{
    char message[400];
    const char *why;
    in->file = container_open(in->path, message, sizeof message);
    if (!in->file)
        return command_fail(in->name, EXIT_INPUT, "%s", message);
    if ((why = container_without_paths(in->file)))
        return command_fail(in->name, EXIT_INPUT, "%s: %s", in->path, why);
    in->app = program_open(elf, message, sizeof message);
    if (!in->app || !program_fits(in->app, in->file, message, sizeof message))
        return command_fail(in->name, EXIT_INPUT, "%s", message);
    given_names_give(in->file, in->app);
    in->im = program_image(in->app);
    return EXIT_DONE;
}

int inspected_open(inspected *in, const char *elf)
{
    char message[400];
    elf = elf_beside(elf, in->path);
    if (!elf)
        return elf_missing(in->name, in->path);
    if (!wet_run_is(in->path))
        return open_probes(in, elf);
    in->own = image_open(elf, message, sizeof message);
    if (!in->own)
        return command_fail(in->name, EXIT_INPUT, "%s", message);
    in->im = in->own;
    in->reader = wet_run_open(in->path, message, sizeof message);
    if (!in->reader)
        return command_fail(in->name, EXIT_INPUT, "%s: %s", in->path, message);
    return check_full(in);
}

static int choose(inspected *in, const char *text)
{
    uint32_t context = 0;
    if (text && !vectors_find(in->im, text, &context))
        return command_fail(in->name, EXIT_INPUT,
                            "there is no context '%s': give a handler's name, thread, or a number", text);
    in->context = text ? (long long)context : -1;
    uint32_t address, size;
    if (in->function && !image_symbol_named(in->im, in->function, &address, &size))
        return command_fail(in->name, EXIT_INPUT, "there is no function '%s'", in->function);
    return EXIT_DONE;
}

bool inspected_wants(const inspected *in, uint32_t context)
{
    return in->context < 0 || (uint32_t)in->context == context;
}

bool inspected_wants_function(const inspected *in, const char *function)
{
    return !in->function || (function && !strcmp(in->function, function));
}

void inspected_put(json *j, const inspected *in)
{
    json_unsigned(j, "lost", in->seen.lost);
    if (in->seen.estimated && in->clocked)
        json_thousandths(j, "estimated", in->seen.estimated);
    else if (in->seen.estimated)
        json_unsigned(j, "estimated", in->seen.estimated);
    if (in->file && !program_identity_checked(in->app, in->file))
        json_string(j, "identity", "unchecked");
}

void inspected_print(const inspected *in, char *lines)
{
    enum { INDENT = 4 };
    text_folded(stdout, command_width(in->summary), INDENT, lines);
    free(lines);
}

bool inspected_has_memory(const inspected *in)
{
    const descriptors *all = program_descriptors(in->app);
    return descriptors_silent(all) < all->count;
}

bool inspected_say_silent(const char *command, const program *app)
{
    const descriptors *all = program_descriptors(app);
    if (all->count && descriptors_silent(all) == all->count)
        fprintf(stderr, "weft %s: the image was built without probes for loads and stores (PROBES=mem)\n", command);
    return announced_say(command, app, ANNOUNCED_ACCESSES);
}

bool inspected_failed(const inspected *in, const char *error)
{
    return error && !in->reader;
}

void inspected_note_cut(const inspected *in, const char *error)
{
    if (error && in->reader)
        json_remark("end", "missing");
}

int inspected_end(const inspected *in, const char *error)
{
    if (inspected_failed(in, error))
        return command_fail(in->name, EXIT_INPUT, "%s: %s", in->path, error);
    fflush(stdout);
    if (in->reader) {
        if (error)
            fprintf(stderr, "weft %s: gap: %s: %s\n", in->name, in->path, error);
        return error ? EXIT_GAPS : EXIT_DONE;
    }
    bool gaps = control_print_gaps(in->file, 0, in->name);
    (in->clocked ? announced_note_shared : announced_note_estimated)(in->name, in->seen.estimated);
    gaps |= announced_say_unknown(in->name, in->seen.unresolved, in->seen.unknown);
    return gaps ? EXIT_GAPS : EXIT_DONE;
}

void inspected_close(inspected *in)
{
    full_close(in->reader);
    if (in->own)
        image_close(in->own);
    container_close(in->file);
    program_close(in->app);
}

int inspected_run(int argc, char **argv, const inspection *what, void *own)
{
    enum { COMMON = 5, MORE_MAX = 8 };
    inspected in = {.name = argv[0]};
    const char *elf = NULL, *context = NULL;
    command_option list[COMMON + MORE_MAX + 1] = {{"elf", .text = &elf},
                                                  {"context", .text = &context},
                                                  {"function", .text = &in.function},
                                                  {"summary", .flag = &in.summary},
                                                  {"json", .flag = &in.json}};
    for (unsigned i = 0; what->more && what->more[i].name; i++)
        list[COMMON + i] = what->more[i];
    int status = command_options(argc, argv, what->help, list);
    if (status != OPTIONS_READ)
        return status;
    if (argc - optind != 1)
        return command_fail(in.name, EXIT_USAGE, "takes one recording (see weft %s --help)", in.name);
    in.path = argv[optind];
    in.summary = command_summary(in.summary, in.json);
    status = inspected_open(&in, elf);
    if (status == EXIT_DONE)
        status = choose(&in, context);
    if (status == EXIT_DONE)
        status = what->give(&in, own);
    inspected_close(&in);
    return status;
}
