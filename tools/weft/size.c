/* SPDX-License-Identifier: MIT */
/* `weft size`: what Weft takes in a firmware image, and what makes it smaller. */
#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/machine/footprint.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft size [--without PLAIN.elf] [--json] APP.elf\n\n"
    "What Weft takes in a firmware image: flash of the engine and of the calls of the probes, RAM of its buffers; and\n"
    "which macro makes each smaller. weft.mk takes macros in WEFT_DEFINES, CMake after DEFINES, make firmware in\n"
    "AUTO_CFLAGS.\n\n"
    "  --without PLAIN.elf  the same program without probes (PROBES=none): the difference in code is exactly\n"
    "                       what the probes add. Without it, their calls are counted, with what sets up their "
    "arguments\n"
    "  --json               one JSON object: text, engine, probes, ram, calls (paths, accesses, values), parts (each\n"
    "                       name, bytes, macro)\n";

typedef struct sizes {
    footprint f;
    uint64_t plain; /* text without probes; 0: not known */
} sizes;

static void print_json(const sizes *s)
{
    const footprint *f = &s->f;
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "text", f->text);
    json_unsigned(j, "engine", f->engine);
    json_unsigned(j, "probes", f->probes);
    json_unsigned(j, "ram", f->ram);
    if (s->plain)
        json_unsigned(j, "plain", s->plain);
    json_object(j, "calls");
    json_unsigned(j, "paths", f->paths);
    json_unsigned(j, "accesses", f->accesses);
    json_unsigned(j, "values", f->values);
    json_end_object(j);
    json_array(j, "parts");
    for (size_t i = 0; i < f->part_count; i++) {
        json_object(j, NULL);
        json_string(j, "name", f->part[i].name);
        json_integer(j, "bytes", f->part[i].bytes);
        json_string(j, "macro", f->part[i].macro);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
    json_finish(j);
}

static void print_text(const sizes *s)
{
    const footprint *f = &s->f;
    printf("text    %8" PRIu64 "  bytes of the image in flash\n", f->text);
    if (s->plain)
        printf("plain   %8" PRIu64 "  without Weft\n", s->plain);
    printf("engine  %8" PRIu64 "  of these: recorder, coders, sink\n", f->engine);
    printf("probes  %8" PRIu64 "  and calls of the probes: %" PRIu64 " paths, %" PRIu64 " accesses, %" PRIu64
           " values\n",
           f->probes, f->paths, f->accesses, f->values);
    printf("ram     %8" PRIu64 "  bytes of Weft's buffers\n", f->ram);
    for (size_t i = 0; i < f->part_count && f->part[i].bytes >= 64; i++)
        if (f->part[i].macro)
            printf("  %8" PRIu32 "  %-24s lower %s\n", f->part[i].bytes, f->part[i].name, f->part[i].macro);
        else
            printf("  %8" PRIu32 "  %s\n", f->part[i].bytes, f->part[i].name);
    text_folded(stdout, command_columns(), 0,
                "smaller: probes=paths, exclude=GLOB and exclude-file=GLOB of the plugin leave out probes; "
                "a coder that is not chosen is not linked");
}

/* It may hold what records a fault, and check sums for that. */
static uint64_t text_without_engine(const image *im)
{
    footprint f;
    footprint_of(im, &f);
    return f.text - f.engine;
}

int command_size(int argc, char **argv)
{
    char message[512];
    sizes s = {.plain = 0};
    bool as_json = false;
    const char *without = NULL;
    const command_option list[] = {{"without", .text = &without}, {"json", .flag = &as_json}, {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "takes one ELF file (see weft size --help)");
    image *im = image_open(argv[optind], message, sizeof message);
    image *plain = im && without ? image_open(without, message, sizeof message) : NULL;
    if (!im || (without && !plain)) {
        status = command_fail(argv[0], EXIT_INPUT, "%s", message);
    } else if (!im->symbols.count) {
        status = command_fail(argv[0], EXIT_INPUT, "%s has no symbols", argv[optind]);
    } else {
        footprint_of(im, &s.f);
        s.plain = plain ? text_without_engine(plain) : 0;
        uint64_t rest = s.f.text - s.f.engine;
        if (s.plain && rest >= s.plain)
            s.f.probes = rest - s.plain;
        (as_json ? print_json : print_text)(&s);
        status = EXIT_DONE;
    }
    image_close(plain);
    image_close(im);
    return status;
}
