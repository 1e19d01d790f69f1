/* SPDX-License-Identifier: MIT */
/* `weft capture`: runs firmware in the emulator and collects its container, whatever sink it has. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/frame.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/emulator/emulator.h"
#include "tools/lib/image/firmware.h"
#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/ring.h"
#include "tools/lib/recording/tally.h"
#include "tools/weft/capture_dump.h"
#include "tools/weft/capture_stream.h"
#include "tools/weft/command.h"
#include "tools/weft/follow.h"
#include "tools/weft/follow_source.h"
#include "tools/weft/foreign.h"
#include "tools/weft/options.h"

#define DEFAULT_TIMEOUT 300
#define FOREIGN_TIMEOUT 10 /* of firmware with a start-up of its own, which hardly ever ends */
#define FAULT_EXIT 125     /* of port/cortex-m/program/faults.c: a fault, and an interrupt without a handler */
#define UNEXPECTED_EXIT 126

static const char *const probe_functions[] = {"__weft_path",  "__weft_kpath",   "__weft_kpath_exit", "__weft_access",
                                              "__weft_value", "__weft_value64", "__weft_mark",       "__weft_derived",
                                              "__weft_stamp", "__weft_last",    "__weft_loop"};

typedef struct capture {
    const char *name, *elf, *memory, *out, *board, *argument, *watch, *count;
    follow_request follow;
    bool full, json, timeout_given, trust;
    bool foreign; /* not built by `make firmware`: its start-up is its own */
    long long timeout, icount;
    firmware *firmware;
    const char *machine, *sink;
    capture_stream *stream; /* a full recording on standard output; NULL: it goes elsewhere */
    output *trace, *beside; /* where the recording goes, and what the plugin writes besides; NULL: nowhere */
    char folder[32];        /* of links with short and plain names to them: names pass through the emulator's options */
    char link[64], seen[64]; /* and the firmware's command line */
    uint32_t ring;           /* address of the RAM ring, or black box */
    int extracted;           /* status of reading it */
} capture;

static const char help[] =
    "usage: weft capture APP.elf -o OUT.weft [OPTION]...\n"
    "       weft capture --from-memory DUMP [APP.elf] -o OUT.weft\n"
    "       weft capture --follow SOURCE -o OUT.weft [--elf APP.elf] [--baud N]\n\n"
    "Runs firmware in qemu-system-arm and collects its trace from the sink it was built with (semihosting, UART, RAM\n"
    "ring, black box). The program's own output goes to standard error. Or takes RAM ring, black box and what is "
    "known\n"
    "of a fault out of a memory dump, or decodes what arrives from a device while it runs.\n\n"
    "  -o, --output FILE    the container to write; - with --full: standard output, for `weft wet build -`\n"
    "      --machine M      the emulator's machine (default: what the image names, else mps2-an385); --board is the\n"
    "                       same; `qemu-system-arm -M help` lists them\n"
    "      --sink KIND      where the trace comes out: semihost, uart, ring or box (default: what the image names)\n"
    "      --full           observe any ELF from outside: every instruction, value and access\n"
    "      --timeout S      stop it after S seconds and keep what was recorded (default 300; 0: never).\n"
    "                       Firmware with a start-up of its own hardly ever ends: default 10, and what is being "
    "recorded\n"
    "                       then is brought to an end\n"
    "      --icount N       2^N ns of virtual time per instruction: a run with interrupts repeats exactly\n"
    "      --argument TEXT  the program's command line\n"
    "      --watch FILE     also write what the emulator sees at the probes (tools/qemu/probes.h)\n"
    "      --count FILE     instead count executed instructions and calls of the probes\n"
    "      --from-memory DUMP   run nothing: DUMP is what a debugger read from the RAM that holds ring or box\n"
    "      --follow SOURCE  a serial device, a pseudo-terminal, a FIFO, a file that grows, or - : decode what "
    "arrives,\n"
    "                       until it is interrupted (Ctrl-C), and write the whole frames of it. A connection that is "
    "cut\n"
    "                       is waited for. On a terminal a line says how it stands\n"
    "      --elf APP.elf    with --follow: the line also says which function and line runs\n"
    "      --baud N         with --follow: the speed of a serial device (default: as it is set)\n"
    "      --until-end      with --follow: stop where the recording ends\n"
    "      --trust          the firmware may do what you may: open any file and run commands on this machine, by\n"
    "                       semihosting. Without it, it prints, reads its command line, and writes its trace\n"
    "      --json           the result as one JSON object: events, bytes, lost, exit, ...\n"
    "                       with --follow also recordings, cuts, left_out (bytes of frames that are not whole), "
    "ended\n";

static int parse_follow(capture *c, long long baud, int arguments)
{
    if (arguments)
        return command_fail(c->name, EXIT_USAGE, "with --follow it takes no ELF file; --elf names one");
    if (!c->out)
        return command_fail(c->name, EXIT_USAGE, "where to? -o OUT.weft is missing");
    if (c->memory || c->full || c->watch || c->count || c->board || c->sink)
        return command_fail(c->name, EXIT_USAGE, "--follow runs nothing: it goes with -o, --elf and --json");
    if (baud && !follow_source_has_baud((unsigned)baud))
        return command_fail(c->name, EXIT_USAGE, "serial lines have no speed of %lld baud", baud);
    if (command_same_file(c->follow.source, c->out))
        return command_fail(c->name, EXIT_USAGE, "'%s' is the input", c->out);
    c->follow.name = c->name;
    c->follow.out = c->out;
    c->follow.baud = (unsigned)baud;
    c->follow.json = c->json;
    c->follow.timeout = c->timeout_given ? c->timeout : 0;
    return OPTIONS_READ;
}

/* OPTIONS_READ: go on. */
static int parse(capture *c, int argc, char **argv)
{
    enum { NOT_GIVEN = -1 };
    long long timeout = NOT_GIVEN, baud = 0;
    const command_option list[] = {{"o", .text = &c->out},
                                   {"output", .text = &c->out},
                                   {"board", .text = &c->board},
                                   {"machine", .text = &c->board},
                                   {"sink", .text = &c->sink},
                                   {"full", .flag = &c->full},
                                   {"timeout", .number = &timeout, .max = 1000000},
                                   {"icount", .number = &c->icount, .max = 10},
                                   {"argument", .text = &c->argument},
                                   {"watch", .text = &c->watch},
                                   {"count", .text = &c->count},
                                   {"from-memory", .text = &c->memory},
                                   {"follow", .text = &c->follow.source},
                                   {"elf", .text = &c->follow.elf},
                                   {"baud", .number = &baud, .max = 4000000},
                                   {"until-end", .flag = &c->follow.until_end},
                                   {"json", .flag = &c->json},
                                   {"trust", .flag = &c->trust},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    c->timeout_given = timeout != NOT_GIVEN;
    if (c->timeout_given)
        c->timeout = timeout;
    if (c->follow.source)
        return parse_follow(c, baud, argc - optind);
    if (c->follow.elf || baud || c->follow.until_end)
        return command_fail(c->name, EXIT_USAGE, "--elf, --baud and --until-end go with --follow");
    if (c->sink && strcmp(c->sink, "semihost") && strcmp(c->sink, "uart") && strcmp(c->sink, "ring") &&
        strcmp(c->sink, "box"))
        return command_fail(c->name, EXIT_USAGE, "--sink is semihost, uart, ring or box, not '%s'", c->sink);
    if (argc - optind > 1 || (argc - optind == 0 && !c->memory))
        return command_fail(c->name, EXIT_USAGE, "it takes one ELF file");
    if (!c->out && !c->count)
        return command_fail(c->name, EXIT_USAGE, "where to? -o OUT.weft is missing");
    if (c->full + (c->watch != NULL) + (c->count != NULL) > 1)
        return command_fail(c->name, EXIT_USAGE, "--full, --watch and --count exclude one another");
    if (c->out && !strcmp(c->out, "-") && (!c->full || c->json || isatty(STDOUT_FILENO)))
        return command_fail(c->name, EXIT_USAGE,
                            "-o - is for --full without --json, where standard output is not a terminal");
    if (c->memory && (c->full || c->watch || c->count || c->board || c->sink))
        return command_fail(c->name, EXIT_USAGE, "--from-memory runs nothing: it goes with -o and --json only");
    c->elf = argc > optind ? argv[optind] : NULL;
    if (c->out && c->elf && command_same_file(c->elf, c->out))
        return command_fail(c->name, EXIT_USAGE, "'%s' is the input", c->out);
    if (c->out && command_same_file(c->memory ? c->memory : c->elf, c->out))
        return command_fail(c->name, EXIT_USAGE, "'%s' is the input", c->out);
    return OPTIONS_READ;
}

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
        if (!strcmp(c->sink, "none"))
            return command_fail(c->name, EXIT_INPUT, "%s was built without probes; --full observes it", c->elf);
    }
    if (!emulator_has_machine(c->machine))
        return command_fail(c->name, c->board ? EXIT_USAGE : EXIT_INPUT, "the emulator has no machine '%s'",
                            c->machine);
    return EXIT_DONE;
}

/* Creates an output, which must be a file on a disk, for it is read again. And a symbolic link to it. */
static int make_file(const capture *c, const char *path, output **out, char link[64], const char *name)
{
    char message[300];
    *out = output_open_named(path, message, sizeof message);
    if (!*out)
        return command_fail(c->name, EXIT_HOST, "%s", message);
    snprintf(link, 64, "%s/%s", c->folder, name);
    if (symlink(output_path(*out), link))
        return command_fail(c->name, EXIT_HOST, "cannot make a file in /tmp: %s", strerror(errno));
    return EXIT_DONE;
}

/* Standard output takes the recording through a pipe, which a symbolic link names. */
static int make_stream(capture *c)
{
    char path[64];
    c->stream = capture_stream_open(path);
    snprintf(c->link, sizeof c->link, "%s/out", c->folder);
    if (!c->stream || symlink(path, c->link))
        return command_fail(c->name, EXIT_HOST, "cannot make a pipe: %s", strerror(errno));
    return EXIT_DONE;
}

static int make_trace(capture *c)
{
    if (c->out && c->full && !strcmp(c->out, "-"))
        return make_stream(c);
    return c->out ? make_file(c, c->out, &c->trace, c->link, "out") : EXIT_DONE;
}

static int make_outputs(capture *c)
{
    const char *seen = c->watch ? c->watch : c->count;
    strcpy(c->folder, "/tmp/weft-XXXXXX");
    if (!mkdtemp(c->folder)) {
        c->folder[0] = 0;
        return command_fail(c->name, EXIT_HOST, "cannot make a folder in /tmp: %s", strerror(errno));
    }
    int status = make_trace(c);
    return status == EXIT_DONE && seen ? make_file(c, seen, &c->beside, c->seen, "seen") : status;
}

/* What was not kept goes. */
static void remove_outputs(const capture *c)
{
    output_discard(c->trace);
    output_discard(c->beside);
    if (!c->folder[0])
        return;
    unlink(c->link);
    unlink(c->seen);
    rmdir(c->folder);
}

/* The emulator does not say that it could not write. Of a recording that is not whole: whether its file can grow. */
static int room_left(const capture *c, const char *path)
{
    static const uint8_t more[4096];
    struct stat before;
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &before) || !S_ISREG(before.st_mode)) {
        if (fd >= 0)
            close(fd);
        return EXIT_DONE; /* not a file on a disk: nothing is known */
    }
    errno = EFBIG; /* a short write says nothing */
    bool room = write(fd, more, sizeof more) == sizeof more;
    int error = errno;
    if (ftruncate(fd, before.st_size) || close(fd))
        room = false;
    return room ? EXIT_DONE
                : command_fail(c->name, EXIT_HOST, "'%s' cannot grow: %s; the end of the recording is missing", c->out,
                               strerror(error));
}

/* Gives an output its name, unless nothing came out. */
static int keep(const capture *c, output **out)
{
    char message[300];
    struct stat about;
    output *kept = *out;
    if (!kept)
        return EXIT_DONE;
    fflush(output_stream(kept));
    if (stat(output_path(kept), &about) == 0 && about.st_size == 0)
        return EXIT_DONE;
    *out = NULL;
    return output_commit(kept, message, sizeof message) ? EXIT_DONE : command_fail(c->name, EXIT_HOST, "%s", message);
}

/* The plugin's arguments; NULL: no plugin. */
static char *plugin_arguments(const capture *c)
{
    char *text = NULL;
    size_t size;
    if (!c->full && !c->watch && !c->count)
        return NULL;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (c->full)
        fprintf(out, "mode=full,out=%s,machine=%s", c->link, c->machine);
    else
        fprintf(out, "mode=%s,out=%s", c->watch ? "probes" : "count", c->seen);
    uint32_t thread, word;
    if (c->watch && image_symbol_named(firmware_image(c->firmware), "weft_target_thread", &thread, &word))
        fprintf(out, ",thread=%x", thread);
    for (size_t i = 0; !c->full && i < sizeof probe_functions / sizeof *probe_functions; i++) {
        uint32_t address, bytes;
        if (!image_symbol_named(firmware_image(c->firmware), probe_functions[i], &address, &bytes))
            address = 1; /* keeps the numbers of the functions; never executed */
        fprintf(out, ",function=%s:%x", probe_functions[i], address);
    }
    uint32_t poll, bytes;
    if (c->watch && image_symbol_named(firmware_image(c->firmware), "weft_poll", &poll, &bytes))
        fprintf(out, ",own=weft_poll:%x", poll);
    fclose(out);
    return text;
}

/* The bytes of an object of the image, appended to *bytes. */
static bool read_object(const capture *c, struct emulator_memory *memory, const char *symbol, uint8_t **bytes,
                        size_t *size)
{
    uint32_t address, length;
    if (!image_symbol_named(firmware_image(c->firmware), symbol, &address, &length))
        return true;
    *bytes = realloc(*bytes, *size + length + 1);
    *size += length;
    return *bytes && emulator_read(memory, address, *bytes + *size - length, length);
}

/* Copies the frames out of the ring, as a container, and what is known of a fault. */
static bool read_ring(void *context, struct emulator_memory *memory)
{
    capture *c = context;
    uint8_t head[RAM_RING_HEAD];
    ram_ring ring;
    if (!c->ring)
        c->ring = foreign_ring(c->firmware, memory);
    if (!c->ring) {
        command_fail(c->name, EXIT_INPUT, "no object of %s is a RAM ring: the recorder had not started", c->elf);
        return true;
    }
    if (!emulator_read(memory, c->ring, head, sizeof head))
        return false;
    if (!ram_ring_read(&ring, head)) {
        command_fail(c->name, EXIT_INPUT, "there is no ring at %08x: the recorder had not started", c->ring);
        return true;
    }
    size_t size = sizeof head + ring.size;
    uint8_t *bytes = memory_zero(size, 1);
    memcpy(bytes, head, sizeof head);
    bool works = emulator_read(memory, c->ring + RAM_RING_HEAD, bytes + sizeof head, ring.size) &&
                 read_object(c, memory, "weft_fault_record", &bytes, &size);
    if (works) /* what cannot be written is found when the output is kept */
        c->extracted = dump_extract(c->elf, bytes, size, c->elf, output_stream(c->trace));
    free(bytes);
    return works;
}

/* Likewise the black box. */
static bool read_box(void *context, struct emulator_memory *memory)
{
    capture *c = context;
    uint8_t *bytes = NULL;
    size_t size = 0;
    bool works = read_object(c, memory, "weft_blackbox_ram", &bytes, &size) &&
                 read_object(c, memory, "weft_fault_record", &bytes, &size);
    if (works)
        c->extracted = dump_extract(c->elf, bytes, size, c->elf, output_stream(c->trace));
    free(bytes);
    return works;
}

static int prepare_memory(capture *c, emulator_run *run)
{
    const char *ring = firmware_board(c->firmware, "ring"), *done = firmware_board(c->firmware, "done");
    bool box = !strcmp(c->sink, "box");
    c->ring = box ? foreign_address(c->firmware, "weft_blackbox_ram")
                  : foreign_address(c->firmware, ring ? ring : "weft_trace_ring");
    run->stop = foreign_address(c->firmware, done ? done : "weft_target_done");
    if (!c->foreign && (!c->ring || !run->stop))
        return command_fail(c->name, EXIT_INPUT, "%s has a %s as sink, but not the symbols that tell where", c->elf,
                            box ? "black box" : "RAM ring");
    run->has_stop = true;
    run->stopped = box ? read_box : read_ring;
    run->context = c;
    return EXIT_DONE;
}

/* The program's command line names the trace file for an image whose sink is semihosting. From malloc; NULL: as it was
 * given. */
static char *semihost_argument(const capture *c, const char *file)
{
    char *argument = NULL;
    if (!c->sink || c->full || strcmp(c->sink, "semihost"))
        return NULL;
    if (asprintf(&argument, "%s%sweft-trace=%s", c->argument ? c->argument : "", c->argument ? " " : "", file) < 0)
        return NULL;
    return argument;
}

/* The one file that firmware may open: its trace. Where that is not wanted it goes nowhere. */
static void set_file(const capture *c, emulator_run *run, const char *argument)
{
    bool wanted = argument && c->out;
    run->file = !argument ? "trace.weft" : wanted ? c->link : "/dev/null"; /* port/cortex-m/program/autostart.c */
    run->file_path = wanted ? output_path(c->trace) : "/dev/null";
}

static void print_refused(const capture *c, const emulator_end *end)
{
    if (end->refused)
        command_fail(c->name, EXIT_DONE, "note: refused to the program on this machine: %s%s (--trust grants it)",
                     end->first_refused, end->refused > 1 ? ", and more" : "");
}

/* EXIT_DONE: the program ran, however it ended. */
static int run_it(capture *c, emulator_end *end)
{
    char message[300], *plugin = plugin_arguments(c);
    char *argument = semihost_argument(c, c->out ? c->link : "/dev/null");
    emulator_run run = {.elf = c->elf,
                        .machine = c->machine,
                        .argument = argument ? argument : c->argument,
                        .trust = c->trust,
                        .plugin = plugin,
                        .icount = (int)c->icount,
                        .timeout = (double)c->timeout};
    bool traced = !c->full && c->sink && c->out;
    int status = EXIT_DONE;
    set_file(c, &run, argument);
    if (traced && !strncmp(c->sink, "uart", 4))
        run.uart = c->link;
    if (traced && (!strcmp(c->sink, "ring") || !strcmp(c->sink, "box")))
        status = prepare_memory(c, &run);
    if (traced && c->foreign)
        foreign_end(c->firmware, &run);
    if (status == EXIT_DONE && !emulator_start_and_wait(&run, end, message, sizeof message))
        status = command_fail(c->name, EXIT_HOST, "%s", message);
    free(plugin);
    free(argument);
    return status;
}

/* Says how the program ended if not well. EXIT_INPUT: the trace may be cut short by that. */
static int judge_end(const capture *c, const emulator_end *end)
{
    if (end->full)
        return EXIT_DONE; /* room_left says why */
    if (end->interrupted)
        return command_fail(c->name, EXIT_INPUT, "interrupted; what was recorded is kept");
    if (end->timed_out && end->finished)
        return command_fail(c->name, EXIT_DONE, "note: stopped after %lld s; the recording was ended there",
                            c->timeout);
    if (end->timed_out && c->foreign && !c->full)
        return command_fail(c->name, EXIT_GAPS,
                            "stopped after %lld s; what was not yet in a frame is missing (weft_target_end ends a "
                            "recording)",
                            c->timeout);
    if (end->timed_out) {
        command_fail(c->name, EXIT_INPUT, "stopped after %lld s; what was recorded is kept", c->timeout);
        return c->full && c->timeout_given ? EXIT_DONE : EXIT_INPUT;
    }
    if (end->status < 0)
        return command_fail(c->name, EXIT_INPUT, "the emulator died of signal %d", -end->status);
    if (end->status == FAULT_EXIT || end->status == UNEXPECTED_EXIT)
        return command_fail(c->name, EXIT_INPUT, "the program crashed (exit status %d); what was recorded is kept",
                            end->status);
    if (end->status)
        command_fail(c->name, EXIT_DONE, "note: the program ended with exit status %d", end->status);
    return EXIT_DONE;
}

typedef struct totals {
    uint64_t events, bytes, lost;
    tally in; /* of a full recording: the accesses */
    bool gaps;
} totals;

/* EXIT_DONE: what the recording says of itself. */
static int summarise(capture *c, full_summary *summary)
{
    char message[300];
    if (c->stream) {
        capture_stream *stream = c->stream;
        c->stream = NULL;
        return capture_stream_close(stream, summary, message, sizeof message)
                   ? EXIT_DONE
                   : command_fail(c->name, EXIT_HOST, "%s", message);
    }
    full_reader *reader = full_open(c->out, message, sizeof message);
    if (!reader)
        return command_fail(c->name, EXIT_INPUT, "%s: %s", c->out, message);
    full_summarise(reader, summary);
    full_close(reader);
    return EXIT_DONE;
}

static int total_full(capture *c, totals *t)
{
    full_summary summary = {0};
    int status = summarise(c, &summary);
    if (status != EXIT_DONE)
        return status;
    t->events = summary.instructions;
    t->in.accesses = summary.accesses;
    t->bytes = summary.bytes;
    t->gaps = !summary.complete;
    if (t->gaps)
        command_fail(c->name, EXIT_GAPS, "the recording has no end record: it is cut");
    return EXIT_DONE;
}

/* The first path that the program's descriptors do not know; false: they know all. */
static bool uncovered(const container *file, const program *app, uint32_t *path)
{
    control *events = control_open(file);
    control_event event;
    bool found = false;
    while (!found && control_next(events, &event)) {
        found = event.kind == CONTROL_PATH && !descriptors_of_path(program_descriptors(app), event.path);
        *path = event.path;
    }
    control_close(events);
    return found;
}

/* A program built for recording that records nothing, or what its own descriptors do not explain, was not built as it
 * should be. That would pass for a short run. */
static int judge_recording(const capture *c, const container *file, const totals *t)
{
    char message[512];
    uint32_t path;
    bool nothing = !t->events && !t->lost && !t->in.profiled;
    if (nothing && c->memory)
        return command_fail(c->name, EXIT_INPUT, "nothing was recorded");
    if (c->memory)
        return EXIT_DONE;
    program *app = program_open(c->elf, message, sizeof message);
    int status = EXIT_DONE;
    if (!app)
        status = command_fail(c->name, EXIT_INPUT, "%s: %s", nothing ? "nothing was recorded" : "cannot be decoded",
                              message);
    else if (nothing)
        status = command_fail(c->name, EXIT_INPUT,
                              "nothing was recorded: %zu functions of %s have probes, but none of them ran between "
                              "weft_start and weft_stop",
                              program_descriptors(app)->count, c->elf);
    else if (uncovered(file, app, &path))
        status = command_fail(c->name, EXIT_INPUT,
                              "the descriptors of %s do not cover the code that ran: they know no path %" PRIu32,
                              c->elf, path);
    program_close(app);
    return status;
}

static int total_container(const capture *c, totals *t, int *judged)
{
    char message[300];
    container *file = container_open(c->out, message, sizeof message);
    if (!file)
        return command_fail(c->name, EXIT_INPUT, "no trace came out: %s", message);
    weft_counts lost = container_lost(file);
    t->in = tally_of(file);
    t->bytes = container_size(file);
    t->lost = (uint64_t)lost.paths + lost.accesses + lost.values;
    t->events = tally_events(&t->in);
    t->gaps = container_gap_count(file) > 0;
    container_print_gaps(file, c->name);
    *judged = judge_recording(c, file, t);
    container_close(file);
    return EXIT_DONE;
}

/* `end` is NULL if nothing was run. */
static void print_totals(const capture *c, const totals *t, const emulator_end *end)
{
    if (!c->json) {
        fprintf(c->full && c->out && !strcmp(c->out, "-") ? stderr : stdout, "%llu events, %llu bytes, %llu lost\n",
                (unsigned long long)t->events, (unsigned long long)t->bytes, (unsigned long long)t->lost);
        return;
    }
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "events", t->events);
    json_unsigned(j, "bytes", t->bytes);
    json_unsigned(j, "lost", t->lost);
    json_unsigned(j, c->full ? "instructions" : "paths", (c->full ? t->events : t->in.paths));
    json_unsigned(j, "accesses", t->in.accesses);
    if (!c->full)
        json_unsigned(j, "values", t->in.values);
    if (end) {
        json_integer(j, "exit", end->status);
        json_string(j, "machine", c->machine);
    }
    json_end_object(j);
    json_finish(j);
}

/* The emulator ends with status 1 where it cannot load its plugin, as many a program does. */
static int check_counts(const capture *c)
{
    struct stat about;
    bool there = stat(c->count, &about) == 0 && about.st_size > 0;
    return there ? EXIT_DONE : command_fail(c->name, EXIT_INPUT, "no counts came out");
}

/* After a run: EXIT_HOST if an output could not be given its name. */
static int keep_outputs(capture *c)
{
    int trace = keep(c, &c->trace), beside = keep(c, &c->beside);
    return trace != EXIT_DONE ? trace : beside;
}

/* What is worse, in the order in which it is reported. */
static int worst(int kept, int ended, bool gaps)
{
    return kept != EXIT_DONE ? kept : ended != EXIT_DONE ? ended : gaps ? EXIT_GAPS : EXIT_DONE;
}

static int collect(capture *c)
{
    emulator_end end;
    totals t = {0};
    int judged = EXIT_DONE, status = run_it(c, &end);
    if (status != EXIT_DONE)
        return status;
    print_refused(c, &end);
    int ended = judge_end(c, &end), kept = keep_outputs(c);
    if (!c->out)
        return kept != EXIT_DONE || ended != EXIT_DONE ? worst(kept, ended, false) : check_counts(c);
    status = c->trace ? EXIT_INPUT : c->full ? total_full(c, &t) : total_container(c, &t, &judged);
    if (kept == EXIT_DONE && (status != EXIT_DONE || t.gaps))
        kept = room_left(c, c->trace ? output_path(c->trace) : c->out);
    if (c->trace)
        command_fail(c->name, EXIT_INPUT, "no trace came out: '%s' is not written", c->out);
    if (status != EXIT_DONE)
        return kept != EXIT_DONE ? kept : status;
    print_totals(c, &t, &end);
    return worst(kept, ended != EXIT_DONE ? ended : judged, t.gaps);
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
    return output_commit(out, message, sizeof message) ? status : command_fail(c->name, EXIT_HOST, "%s", message);
}

static int collect_from_memory(const capture *c)
{
    totals t = {0};
    int judged = EXIT_DONE, extracted = extract(c);
    if (extracted != EXIT_DONE && extracted != EXIT_GAPS)
        return extracted;
    int status = total_container(c, &t, &judged);
    if (status != EXIT_DONE)
        return status;
    print_totals(c, &t, NULL);
    return judged != EXIT_DONE ? judged : t.gaps ? EXIT_GAPS : extracted;
}

int command_capture(int argc, char **argv)
{
    capture c = {.name = argv[0], .timeout = DEFAULT_TIMEOUT, .icount = -1};
    int status = parse(&c, argc, argv);
    if (status != OPTIONS_READ)
        return status;
    if (c.follow.source)
        return follow_run(&c.follow);
    if (c.memory)
        return collect_from_memory(&c);
    status = look_at_image(&c);
    if (status == EXIT_DONE)
        status = make_outputs(&c);
    if (status == EXIT_DONE)
        status = collect(&c);
    remove_outputs(&c);
    firmware_close(c.firmware);
    return status;
}
