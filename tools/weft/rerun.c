/* SPDX-License-Identifier: MIT */
/* weft rerun: a recording of paths becomes a full recording. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/output.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/full_write.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/rerun/run.h"
#include "tools/lib/rerun/unseen.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"
#include "tools/weft/rerun_chosen.h"

static const char help[] =
    "usage: weft rerun FILE.weft --elf APP.elf -o FULL.weft [--argument TEXT] [--zero] [--json]\n"
    "                  [--context NAME] [--function NAME]\n\n"
    "Executes the program again on the host, along the recorded paths, or with the recorded answers of devices and\n"
    "places of interrupts (PROBES=inputs), and writes what --full would have recorded: every instruction, value and\n"
    "access, from reset to the end of the recording. Every command that takes a full recording takes the result, so\n"
    "one that a real part sent can be asked `weft wet why`, too. What is recorded is compared with what the execution\n"
    "does. What devices answered and is not recorded is unknown, and so is what follows from it: nothing is guessed.\n"
    "The probes themselves are left out.\n\n"
    "  --elf APP.elf    the image; may be left out where FILE.elf stands beside FILE.weft\n"
    "  -o FULL.weft     the file to write\n"
    "  --argument TEXT  the program's command line, as `weft capture` was given it\n"
    "  --zero           memory and registers are 0 at reset, as in the emulator; else they are unknown\n"
    "  --context NAME, --function NAME\n"
    "                   also count the instructions and accesses of this context (a handler's name, thread, or a "
    "number),\n"
    "                   or of this function. FULL.weft has the whole run in any case\n"
    "  --json           instructions, accesses, exceptions, interrupts, uncertain, early, paths, counts,\n"
    "                   inputs, memory, sums, unknown_sums, unanswered, granted, unknown, bytes, stopped; with "
    "--context or\n"
    "                   --function also chosen\n\n"
    "DMA is not seen: weft_input_memory() in the program records what it wrote, and weft_check_memory() a check sum\n"
    "that is compared (port/cortex-m/places.h).\n"
    "Exit status 3: it could not go on to the end (what was executed is written), the recording has gaps, answers\n"
    "from outside are missing, or handlers without probes may have run.\n";

typedef struct rerun_command {
    const char *in, *elf, *out, *argument;
    event_choice choice;
    bool zero, json;
} rerun_command;

static int options_read(rerun_command *c, int argc, char **argv)
{
    const command_option list[] = {{"elf", .text = &c->elf},
                                   {"o", .text = &c->out},
                                   {"argument", .text = &c->argument},
                                   {"zero", .flag = &c->zero},
                                   {"context", .text = &c->choice.context},
                                   {"function", .text = &c->choice.function},
                                   {"json", .flag = &c->json},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (optind + 1 != argc || !c->out)
        return command_fail("rerun", EXIT_USAGE, "takes one file, and -o");
    c->in = argv[optind];
    if ((status = command_output("rerun", c->out, c->json, true)) != EXIT_DONE ||
        (status = command_keep_input("rerun", c->in, c->out)) != EXIT_DONE ||
        (status = command_keep_input("rerun", c->elf, c->out)) != EXIT_DONE)
        return status;
    return OPTIONS_READ;
}

static void print_json(const rerun_summary *s, const rerun_chosen *chosen, uint64_t bytes)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "instructions", s->instructions);
    json_unsigned(j, "accesses", s->accesses);
    json_unsigned(j, "exceptions", s->exceptions);
    json_unsigned(j, "interrupts", s->interrupts);
    json_unsigned(j, "uncertain", s->uncertain);
    json_bool(j, "early", s->early);
    json_unsigned(j, "paths", s->paths);
    json_unsigned(j, "counts", s->counts);
    json_unsigned(j, "inputs", s->inputs);
    json_unsigned(j, "memory", s->memory);
    json_unsigned(j, "sums", s->sums);
    json_unsigned(j, "unknown_sums", s->unknown_sums);
    json_unsigned(j, "unanswered", s->unanswered);
    json_unsigned(j, "granted", s->granted);
    json_unsigned(j, "unknown", s->unknown);
    json_unsigned(j, "bytes", bytes);
    json_string(j, "stopped", s->stopped);
    rerun_chosen_put(chosen, j);
    json_end_object(j);
    json_finish(j);
}

/* None: nothing is printed. */
static void print_count(FILE *to, uint64_t count, const char *one, const char *more)
{
    if (count)
        fprintf(to, "%" PRIu64 " %s\n", count, count == 1 ? one : more);
}

static void print_text(const rerun_summary *s, const rerun_chosen *chosen, uint64_t bytes, FILE *to)
{
    fprintf(to, "%" PRIu64 " instruction%s, %" PRIu64 " access%s, %" PRIu64 " exception%s, %" PRIu64 " bytes\n",
            s->instructions, s->instructions == 1 ? "" : "s", s->accesses, s->accesses == 1 ? "" : "es", s->exceptions,
            s->exceptions == 1 ? "" : "s", bytes);
    rerun_chosen_print(chosen, to);
    print_count(to, s->paths, "path is as recorded", "paths are as recorded");
    if (!s->paths && !s->counts && !s->interrupts)
        fputs("0 paths are as recorded\n", to);
    print_count(to, s->counts, "count of laps is as recorded", "counts of laps are as recorded");
    print_count(to, s->interrupts, "interrupt came where it was recorded", "interrupts came where they were recorded");
    print_count(to, s->inputs, "answer of a device is that of the recording",
                "answers of devices are those of the recording");
    print_count(to, s->memory, "byte of memory came from outside, as the recording has it",
                "bytes of memory came from outside, as the recording has them");
    print_count(to, s->sums, "check sum of memory is as recorded", "check sums of memory are as recorded");
    print_count(to, s->unknown_sums, "check sum is of memory that is not known",
                "check sums are of memory that is not known");
    print_count(to, s->granted, "semihosting request is taken to have succeeded",
                "semihosting requests are taken to have succeeded");
    print_count(to, s->unknown, "value is not known", "values are not known");
}

/* What is missing, on standard error. */
static int verdict(const rerun_summary *s, const program *app)
{
    int status = EXIT_DONE;
    char names[200];
    if (rerun_unseen(app, names, sizeof names))
        status = command_fail("rerun", EXIT_GAPS,
                              "no probes tell when these handlers ran, so what they change is missing: %s", names);
    if (s->early)
        status = command_fail("rerun", EXIT_GAPS,
                              "interrupts were enabled before the recording began: what their handlers did until then "
                              "is missing");
    if (s->uncertain)
        status = command_fail("rerun", EXIT_GAPS,
                              "%" PRIu64 " interrupt%s may have come at another moment, too: in a loop without "
                              "records, say. The first moment was taken. EXACT=1 records each pass",
                              s->uncertain, s->uncertain == 1 ? "" : "s");
    if (s->unanswered)
        status = command_fail("rerun", EXIT_GAPS,
                              "%" PRIu64 " answer%s from outside %s not in the recording; what follows is unknown, and "
                              "marked so",
                              s->unanswered, s->unanswered == 1 ? "" : "s", s->unanswered == 1 ? "is" : "are");
    if (s->stopped)
        status = command_fail("rerun", EXIT_GAPS, "%s", s->stopped);
    return status;
}

static int run(const rerun_command *c, const program *app, const container *file)
{
    char message[400];
    rerun_chosen chosen;
    int chose = rerun_chosen_begin(&chosen, c->choice, program_image(app));
    if (chose != EXIT_DONE)
        return chose;
    rerun_options options = {.zero = c->zero, .command_line = c->argument ? c->argument : ""};
    rerun *r = rerun_open(app, file, &options, message, sizeof message);
    if (!r)
        return command_fail("rerun", EXIT_INPUT, "%s: %s", program_file(app), message);
    output *out = output_open(c->out, message, sizeof message);
    if (!out) {
        rerun_close(r);
        return command_fail("rerun", EXIT_HOST, "%s", message);
    }
    char machine[64];
    size_t length;
    const uint8_t *note = container_meta_bytes(file, WEFT_META_NOTE, &length);
    snprintf(machine, sizeof machine, "%.*s", note ? (int)(length < sizeof machine ? length : sizeof machine - 1) : 0,
             note ? (const char *)note : "");
    full_writer *w = full_writer_open(output_stream(out), machine);
    for (full_event event; rerun_next_event(r, &event);) {
        full_writer_add(w, &event);
        rerun_chosen_add(&chosen, &event);
    }
    rerun_summary summary;
    rerun_summarise(r, &summary);
    full_writer_close(w);
    uint64_t bytes = output_size(out);
    int status = EXIT_DONE;
    if (!output_commit(out, message, sizeof message)) {
        status = command_fail("rerun", EXIT_HOST, "%s", message);
    } else {
        if (c->json)
            print_json(&summary, &chosen, bytes);
        else
            print_text(&summary, &chosen, bytes, command_says(c->out));
        fflush(stdout);
        status = verdict(&summary, app);
    }
    rerun_close(r);
    return status;
}

int command_rerun(int argc, char **argv)
{
    rerun_command c = {0};
    char message[512];
    int status = options_read(&c, argc, argv);
    if (status != OPTIONS_READ)
        return status;
    container *file = container_open(c.in, message, sizeof message);
    if (!file)
        return command_fail("rerun", EXIT_INPUT, "%s", message);
    const char *elf = elf_beside(c.elf, c.in);
    program *app = elf ? program_open(elf, message, sizeof message) : NULL;
    if (!elf)
        status = elf_missing("rerun", c.in);
    else if (!container_counts(file) && container_without_paths(file))
        status = command_fail("rerun", EXIT_INPUT, "%s: %s", c.in, container_without_paths(file));
    else if (container_mixed(file))
        status = command_fail("rerun", EXIT_INPUT, "%s: %s", c.in, container_mixed(file));
    else if (container_recording_count(file) > 1)
        status = command_fail("rerun", EXIT_INPUT, "%s: it holds %zu recordings: --recording N picks one", c.in,
                              container_recording_count(file));
    else if (!app || !program_fits(app, file, message, sizeof message))
        status = command_fail("rerun", EXIT_INPUT, "%s", message);
    else
        status = run(&c, app, file);
    if ((status == EXIT_DONE || status == EXIT_GAPS) && control_print_gaps(file, 0, "rerun"))
        status = EXIT_GAPS;
    container_close(file);
    program_close(app);
    return status;
}
