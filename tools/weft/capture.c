/* SPDX-License-Identifier: MIT */
/* `weft capture`: runs firmware in the emulator and collects its container, whatever sink it has. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/whole_file.h"
#include "tools/lib/recording/packs_add.h"
#include "tools/weft/capture_dump.h"
#include "tools/weft/capturing.h"
#include "tools/weft/foreign.h"
#include "tools/weft/options.h"

#define DEFAULT_TIMEOUT 300
#define FOREIGN_TIMEOUT 10 /* of firmware with a start-up of its own, which hardly ever ends */

/* Machine and sink, from the command line and the image. */
static int look_at_image(capture *c)
{
    char message[512];
    c->firmware = firmware_open(c->elf, message, sizeof message);
    if (!c->firmware)
        return command_fail(c->name, EXIT_INPUT, "%s", message);
    const char *named = firmware_board(c->firmware, "machine");
    c->foreign = !firmware_board(c->firmware, "board");
    if (c->foreign && !c->timeout_given)
        c->timeout = FOREIGN_TIMEOUT;
    if (!c->sink)
        c->sink = firmware_board(c->firmware, "sink");
    c->machine = c->board ? c->board : named ? named : "mps2-an385";
    if (!c->full && !c->count) {
        if (!c->sink || !strcmp(c->sink, "hook"))
            c->sink = foreign_sink(c->firmware, message, sizeof message);
        if (!c->sink)
            return command_fail(c->name, EXIT_INPUT, "%s: %s", c->elf, message);
        if (!strcmp(c->sink, "rtt"))
            return command_fail(c->name, EXIT_INPUT,
                                "%s sends its trace by RTT: read it with a debugger (docs/HARDWARE.md)", c->elf);
        if (!strcmp(c->sink, "itm"))
            return command_fail(c->name, EXIT_INPUT,
                                "%s sends its trace by SWO, which the emulator does not have: save what a probe takes "
                                "from the pin, then --from-swo (docs/HARDWARE.md)",
                                c->elf);
        if (!strcmp(c->sink, "none"))
            return command_fail(c->name, EXIT_INPUT, "%s was built without probes; --full observes it", c->elf);
    }
    if (!emulator_has_machine(c->machine))
        return command_fail(c->name, c->board ? EXIT_USAGE : EXIT_INPUT, "the emulator has no machine '%s'",
                            c->machine);
    return EXIT_DONE;
}

/* The emulator ends with status 1 where it cannot load its plugin, as many programs do. */
static int check_counts(const capture *c)
{
    struct stat about;
    bool there = stat(c->count, &about) == 0 && about.st_size > 0;
    return there ? EXIT_DONE : command_fail(c->name, EXIT_INPUT, "no counts came out");
}

/* The exit status: the first of these that is not EXIT_DONE, in the order in which they are reported. */
static int worst(int kept, int ended, bool gaps)
{
    return kept != EXIT_DONE ? kept : ended != EXIT_DONE ? ended : gaps ? EXIT_GAPS : EXIT_DONE;
}

/* What the recording's packs hold, so that it can be read without the image. */
static void add_packs(output *out, const capture *c)
{
    char message[300];
    program *app = out && !c->full && c->elf ? program_open(c->elf, message, sizeof message) : NULL;
    if (!app)
        return;
    packs_add(out, app);
    program_close(app);
}

static int collect(capture *c)
{
    emulator_end end;
    capture_totals t = {0};
    int judged = EXIT_DONE, status = capture_run(c, &end);
    if (status != EXIT_DONE)
        return status;
    capture_run_refused(c, &end);
    int ended = capture_run_judge(c, &end);
    add_packs(c->trace, c);
    int kept = capture_outputs_keep(c);
    if (!c->out)
        return kept != EXIT_DONE || ended != EXIT_DONE ? worst(kept, ended, false) : check_counts(c);
    status = c->trace ? EXIT_INPUT : c->full ? capture_total_full(c, &t) : capture_total_container(c, &t, &judged);
    if (kept == EXIT_DONE && (status != EXIT_DONE || t.gaps))
        kept = capture_outputs_can_grow(c, c->trace ? output_path(c->trace) : c->out);
    if (c->trace)
        command_fail(c->name, EXIT_INPUT, "no trace came out of machine '%s': '%s' is not written", c->machine, c->out);
    if (status != EXIT_DONE)
        return kept != EXIT_DONE ? kept : ended == EXIT_HOST ? ended : status;
    capture_totals_print(c, &t, &end);
    int ran = ended != EXIT_DONE ? ended : c->health, recording = judged != EXIT_DONE ? judged : c->extracted;
    return worst(kept, ran != EXIT_DONE ? ran : recording, t.gaps);
}

/* What the dump holds, into the output. */
static int extract(const capture *c)
{
    char message[300];
    whole_file dump;
    if (!whole_file_open(&dump, c->memory))
        return command_fail(c->name, EXIT_INPUT, "cannot read '%s': %s", c->memory, strerror(errno));
    output *out = output_open(c->out, message, sizeof message);
    if (!out) {
        whole_file_close(&dump);
        return command_fail(c->name, EXIT_HOST, "%s", message);
    }
    int status = dump_extract(c->memory, dump.bytes, dump.size, c->elf, output_stream(out));
    whole_file_close(&dump);
    if (status == EXIT_INPUT) {
        output_discard(out);
        return status;
    }
    add_packs(out, c);
    return output_commit(out, message, sizeof message) ? status : command_fail(c->name, EXIT_HOST, "%s", message);
}

static int collect_from_memory(const capture *c)
{
    capture_totals t = {0};
    int judged = EXIT_DONE, extracted = extract(c);
    if (extracted != EXIT_DONE && extracted != EXIT_GAPS)
        return extracted;
    int status = capture_total_container(c, &t, &judged);
    if (status != EXIT_DONE)
        return status;
    capture_totals_print(c, &t, NULL);
    return judged != EXIT_DONE ? judged : t.gaps ? EXIT_GAPS : extracted;
}

int command_capture(int argc, char **argv)
{
    capture c = {.name = argv[0], .timeout = DEFAULT_TIMEOUT, .icount = -1};
    int status = capture_options(&c, argc, argv);
    if (status != OPTIONS_READ)
        return status;
    if (c.follow.source)
        return follow_run(&c.follow);
    if (c.memory)
        return collect_from_memory(&c);
    status = look_at_image(&c);
    if (status == EXIT_DONE)
        status = capture_outputs_open(&c);
    if (status == EXIT_DONE)
        status = collect(&c);
    capture_outputs_close(&c);
    firmware_close(c.firmware);
    return status;
}
