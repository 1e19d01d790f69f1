/* SPDX-License-Identifier: MIT */
#include "tools/weft/capturing.h"

#include <string.h>
#include <unistd.h>

#include "tools/lib/recording/swo.h"
#include "tools/weft/follow_source.h"
#include "tools/weft/options.h"

#define DEFAULT_PORT 1 /* of the ITM: 0 is mostly the console's */

static const char help[] =
    "usage: weft capture APP.elf -o OUT.weft [OPTION]...\n"
    "       weft capture --from-memory DUMP [APP.elf] -o OUT.weft\n"
    "       weft capture --from-swo FILE -o OUT.weft [--itm-port N] [--tpiu STREAM]\n"
    "       weft capture --follow SOURCE -o OUT.weft [--swo] [--elf APP.elf] [--baud N]\n\n"
    "Runs firmware in qemu-system-arm and collects its trace from the sink it was built with (semihosting, UART, RAM\n"
    "ring, black box). The program's own output goes to standard error. Or takes RAM ring, black box and what is "
    "known\n"
    "of a fault out of a memory dump, or decodes what arrives from a device while it runs.\n\n"
    "  -o, --output FILE    the container to write; - with --full: standard output, for `weft wet build -`\n"
    "      --machine, --board M\n"
    "                       the emulator's machine (default: what the image names, else mps2-an385);\n"
    "                       `qemu-system-arm -M help` lists them\n"
    "      --sink KIND      where the trace comes out: semihost, uart (the first serial line), ring or box\n"
    "                       (default: what the image names)\n"
    "      --full           observe any ELF from outside: every instruction, value and access\n"
    "      --timeout S      stop it after S seconds and keep what was recorded (default 300; 0: never).\n"
    "                       Firmware with a start-up of its own hardly ever ends: default 10, and what is being "
    "recorded\n"
    "                       then is brought to an end\n"
    "      --icount N       2^N ns of virtual time per instruction: a run with interrupts repeats exactly\n"
    "      --argument TEXT  the program's command line\n"
    "      --input FILE     what the program reads from its first serial line (-: standard input)\n"
    "      --watch FILE     also write what the emulator sees at the probes (tools/qemu/probes.h)\n"
    "      --count FILE     instead count executed instructions and calls of the probes\n"
    "      --from-memory DUMP   run nothing: DUMP is what a debugger read from the RAM that holds ring or box\n"
    "      --from-swo FILE  run nothing: FILE is what a probe took from the SWO pin (docs/HARDWARE.md)\n"
    "      --swo            with --follow: what arrives is what a probe takes from the SWO pin\n"
    "      --itm-port N     of SWO: the stimulus port that carries the recording (default 1)\n"
    "      --tpiu STREAM    of SWO: the TPIU's formatter is on, and the ITM is its stream STREAM\n"
    "      --follow SOURCE  a serial device, a pseudo-terminal, a FIFO, a file that grows, or - : decode what "
    "arrives,\n"
    "                       until it is interrupted (Ctrl-C), and write its whole frames. If a connection is cut,\n"
    "                       wait for the next one. On a terminal a line shows the progress\n"
    "      --elf APP.elf    with --follow: the line also says which function and line runs\n"
    "      --baud N         with --follow: the speed of a serial device (default: as it is set)\n"
    "      --until-end      with --follow: stop where the recording ends\n"
    "      --trust          the firmware may do what you may: open any file and run commands on this machine, by\n"
    "                       semihosting, and use its network. Without it, it prints, reads its command\n"
    "                       line, and writes its trace\n"
    "      --json           the result as one JSON object: events, bytes, lost, exit, ...\n"
    "                       with --follow also recordings, cuts, left_out (bytes of frames that are not whole), "
    "ended\n";

/* --from-swo is --follow of a file up to its end. */
static int parse_swo(capture *c, const char *file, long long port, long long stream)
{
    follow_request *ask = &c->follow;
    if (file && (ask->source || ask->until_end))
        return command_fail(c->name, EXIT_USAGE, "--from-swo takes a file up to its end, without --follow");
    if (file) {
        ask->source = file;
        ask->swo = ask->whole = true;
    }
    if (!ask->swo && (port != DEFAULT_PORT || stream))
        return command_fail(c->name, EXIT_USAGE, "--itm-port and --tpiu go with --from-swo, or --follow --swo");
    if (ask->swo && !ask->source)
        return command_fail(c->name, EXIT_USAGE, "--swo goes with --follow");
    ask->port = (unsigned)port;
    ask->stream = (unsigned)stream;
    return OPTIONS_READ;
}

/* Whether an option is given that is about the program's run. */
static bool is_about_a_run(const capture *c)
{
    return c->full || c->watch || c->count || c->board || c->sink || c->input || c->argument || c->trust ||
           c->icount >= 0;
}

static int parse_follow(capture *c, long long baud, int arguments)
{
    if (arguments)
        return command_fail(c->name, EXIT_USAGE, "with --follow or --from-swo it takes no ELF file; --elf names one");
    if (!c->out)
        return command_fail(c->name, EXIT_USAGE, "-o OUT.weft is missing");
    if (output_is_standard(c->out))
        return command_fail(c->name, EXIT_USAGE, "-o - is for --full");
    if (c->memory || is_about_a_run(c))
        return command_fail(c->name, EXIT_USAGE, "%s runs nothing: it goes with -o, --elf and --json",
                            c->follow.whole ? "--from-swo" : "--follow");
    if (baud && !follow_source_has_baud((unsigned)baud))
        return command_fail(c->name, EXIT_USAGE, "serial lines have no speed of %lld baud", baud);
    if (command_same_file(c->follow.source, c->out))
        return command_fail(c->name, EXIT_USAGE, "'%s' is the input", c->out);
    if (command_keep_input(c->name, c->follow.elf, c->out) != EXIT_DONE)
        return EXIT_USAGE;
    c->follow.name = c->name;
    c->follow.out = c->out;
    c->follow.baud = (unsigned)baud;
    c->follow.json = c->json;
    c->follow.timeout = c->timeout_given ? c->timeout : 0;
    return OPTIONS_READ;
}

/* What else it reads, and what it writes beside. */
static int keep_inputs(const capture *c)
{
    const char *beside = c->watch ? c->watch : c->count;
    if (c->out && beside && !strcmp(c->out, beside))
        return command_fail(c->name, EXIT_USAGE, "'%s' is named for two outputs", c->out);
    bool kept = command_keep_input(c->name, c->input, c->out) == EXIT_DONE &&
                command_keep_input(c->name, c->input, beside) == EXIT_DONE &&
                command_keep_input(c->name, c->elf, beside) == EXIT_DONE;
    return kept ? OPTIONS_READ : EXIT_USAGE;
}

/* Options about the firmware that is run, or was dumped. */
static int parse_image(capture *c, int argc, char **argv)
{
    if (c->sink && strcmp(c->sink, "semihost") && strcmp(c->sink, "uart") && strcmp(c->sink, "ring") &&
        strcmp(c->sink, "box"))
        return command_fail(c->name, EXIT_USAGE, "--sink is semihost, uart, ring or box, not '%s'", c->sink);
    if (argc - optind > 1 || (argc - optind == 0 && !c->memory))
        return command_fail(c->name, EXIT_USAGE, "it takes one ELF file");
    if (!c->out && !c->count)
        return command_fail(c->name, EXIT_USAGE, "-o OUT.weft is missing");
    if (c->full + (c->watch != NULL) + (c->count != NULL) > 1)
        return command_fail(c->name, EXIT_USAGE, "--full, --watch and --count exclude one another");
    if (c->out && output_is_standard(c->out) && (!c->full || c->json || isatty(STDOUT_FILENO)))
        return command_fail(c->name, EXIT_USAGE,
                            "-o - is for --full without --json, where standard output is not a terminal");
    if (c->memory && is_about_a_run(c))
        return command_fail(c->name, EXIT_USAGE, "--from-memory runs nothing: it goes with -o and --json only");
    c->elf = argc > optind ? argv[optind] : NULL;
    if (c->out && c->elf && command_same_file(c->elf, c->out))
        return command_fail(c->name, EXIT_USAGE, "'%s' is the input", c->out);
    if (c->out && command_same_file(c->memory ? c->memory : c->elf, c->out))
        return command_fail(c->name, EXIT_USAGE, "'%s' is the input", c->out);
    return keep_inputs(c);
}

/* OPTIONS_READ: go on. */
int capture_options(capture *c, int argc, char **argv)
{
    enum { NOT_GIVEN = -1 };
    long long timeout = NOT_GIVEN, baud = 0, port = DEFAULT_PORT, stream = 0;
    const char *swo_file = NULL;
    const command_option list[] = {{"o", .text = &c->out},
                                   {"output", .text = &c->out},
                                   {"board", .text = &c->board},
                                   {"machine", .text = &c->board},
                                   {"sink", .text = &c->sink},
                                   {"full", .flag = &c->full},
                                   {"timeout", .number = &timeout, .max = 1000000},
                                   {"icount", .number = &c->icount, .max = 10},
                                   {"argument", .text = &c->argument},
                                   {"input", .text = &c->input},
                                   {"watch", .text = &c->watch},
                                   {"count", .text = &c->count},
                                   {"from-memory", .text = &c->memory},
                                   {"follow", .text = &c->follow.source},
                                   {"elf", .text = &c->follow.elf},
                                   {"baud", .number = &baud, .max = 4000000},
                                   {"until-end", .flag = &c->follow.until_end},
                                   {"from-swo", .text = &swo_file},
                                   {"swo", .flag = &c->follow.swo},
                                   {"itm-port", .number = &port, .max = SWO_PORTS - 1},
                                   {"tpiu", .number = &stream, .max = SWO_STREAMS - 1},
                                   {"json", .flag = &c->json},
                                   {"trust", .flag = &c->trust},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    c->timeout_given = timeout != NOT_GIVEN;
    if (c->timeout_given)
        c->timeout = timeout;
    status = parse_swo(c, swo_file, port, stream);
    if (status != OPTIONS_READ)
        return status;
    if (c->follow.source)
        return parse_follow(c, baud, argc - optind);
    if (c->follow.elf || baud || c->follow.until_end)
        return command_fail(c->name, EXIT_USAGE, "--elf, --baud and --until-end go with --follow");
    return parse_image(c, argc, argv);
}
