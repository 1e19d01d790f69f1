/* SPDX-License-Identifier: MIT */
/* `weft wet`: its command line. */
#include <stdio.h>
#include <string.h>

#include "tools/weft/command.h"
#include "tools/weft/options.h"
#include "tools/weft/wet_queries.h"

static const char help[] =
    "usage: weft wet build FULL.weft --elf APP.elf -o X.wet [--tier 1] [--model M] [--json]\n"
    "       weft wet control X.wet [--backward] [--from T] [--to T] [--binary]\n"
    "       weft wet values X.wet --at PLACE [--table|--plot]\n"
    "       weft wet addresses X.wet --at PLACE [--table|--plot]\n"
    "       weft wet slice X.wet --at PLACE[#N] [--forward] [--instances] [--json]\n"
    "       weft wet why X.wet --at PLACE[#N] [--depth D] [--lines L] [--svd FILE]\n"
    "                    [--json]\n"
    "       weft wet misses X.wet --model M [--at PLACE] [--from T] [--to T] [--by statement|line|object] [--top N]\n"
    "                    [--json]\n"
    "       weft wet misses X.wet --model M --each [--backward] [--at PLACE] [--from T] [--to T]\n\n"
    "Whole execution traces: everything a run did, from a recording of `weft capture --full`, compressed, and open to\n"
    "questions in both directions of time.\n\n"
    "PLACE is an address, FILE:LINE, FUNCTION (its first instruction), FUNCTION+N, FUNCTION@call, or memory, which\n"
    "means the stores to it: a data address, OBJECT, OBJECT+N; or a register (r4, sp, s0). With --elf APP.elf also\n"
    "members and elements, table[2].offset, and locals, FUNCTION:LOCAL: where the function writes them, to registers "
    "or\n"
    "its frame. #N is the N-th instance (1, 2, ...); default: the last.\n"
    "FULL.weft of build may be -, standard input.\n"
    "T is a timestamp: executions of paths are numbered 1, 2, 3...\n\n"
    "  build      makes X.wet; --tier 1 leaves the streams uncompressed; --model M: keeps an architecture history\n"
    "  control    the instructions executed, one object per line; --binary: their addresses, u32\n"
    "  values     what the statement produced, an object for each of its instances\n"
    "  addresses  what it loaded and stored, and where\n"
    "             of both, --table: when, what and where, a line for each; --plot: over time, for a terminal\n"
    "  slice      all that the instance depended on; --forward: all that depended on it; --instances: each of them\n"
    "  why        how the value at PLACE came about, for people; with source lines from below the current folder, or\n"
    "             from below --source-dir DIR, where a file is also found by the last parts of its name; what came\n"
    "             from outside is marked, device registers by their names in the CMSIS-SVD file\n"
    "  misses     branches, loads, stores and instruction fetches that missed in a modelled part, which of them most;\n"
    "             --each: every miss, one object per line, in the order of time or (--backward) from the end. --at:\n"
    "             of these instructions only, or of loads and stores that touch the object. M may be left out\n"
    "             where X.wet keeps a history\n"
    "  --summary  of slice, why and misses: names first, in the terminal's width, in a pipe, too\n\n"
    "M is cortex-m7, stm32f1, stm32f4, stm32f7, stm32h7, or parameters with commas between, or both; the later ones\n"
    "count: branch=not-taken, backward, bimodal:B, gshare:B:H or two-level:B:H; icache=SIZE:WAYS:LINE[:POLICY],\n"
    "dcache=SIZE:WAYS:LINE[:POLICY][:around][:flash], POLICY lru, fifo or random; flash=WAIT[:LINE][:prefetch]; none\n"
    "takes each away. docs/MISSES.md says what they do.\n";

typedef struct query {
    const char *name;
    int (*run)(const wet_options *o);
    const char *takes; /* options, besides those of every query: others are refused, not passed over */
} query;

static const query queries[] = {{"build", wet_build, " o tier model "},
                                {"control", wet_show_control, " from to backward binary "},
                                {"values", wet_show_values, " at table plot "},
                                {"addresses", wet_show_addresses, " at table plot "},
                                {"slice", wet_show_slice, " at forward instances summary "},
                                {"why", wet_why, " at depth lines svd summary "},
                                {"misses", wet_show_misses, " model at from to by top each backward summary "}};

static bool takes(const query *q, const char *option)
{
    char word[24];
    snprintf(word, sizeof word, " %s ", option);
    return strstr(" elf json ", word) || strstr(q->takes, word);
}

/* OPTIONS_READ, or the exit status. */
static int options_read(wet_options *o, const query *q, int argc, char **argv)
{
    const command_option all[] = {{"o", .text = &o->out},
                                  {"elf", .text = &o->elf},
                                  {"at", .text = &o->at},
                                  {"from", .number = &o->from, .min = 1, .max = UINT32_MAX},
                                  {"to", .number = &o->to, .min = 1, .max = UINT32_MAX},
                                  {"tier", .number = &o->tier, .min = 1, .max = 2},
                                  {"depth", .number = &o->depth, .min = 1, .max = 1000},
                                  {"lines", .number = &o->lines, .min = 1, .max = 100000},
                                  {"svd", .text = &o->svd},
                                  {"model", .text = &o->model},
                                  {"by", .text = &o->by},
                                  {"top", .number = &o->top, .min = 1, .max = UINT32_MAX},
                                  {"backward", .flag = &o->backward},
                                  {"forward", .flag = &o->forward},
                                  {"summary", .flag = &o->summary},
                                  {"json", .flag = &o->json},
                                  {"binary", .flag = &o->binary},
                                  {"instances", .flag = &o->instances},
                                  {"each", .flag = &o->each},
                                  {"table", .flag = &o->table},
                                  {"plot", .flag = &o->plot},
                                  {NULL}};
    command_option list[sizeof all / sizeof *all] = {{NULL}};
    for (size_t i = 0, kept = 0; all[i].name; i++)
        if (takes(q, all[i].name))
            list[kept++] = all[i];
    argv[0] = "wet"; /* in messages */
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (argc - optind != 1)
        return command_fail("wet", EXIT_USAGE, "%s takes one file", q->name);
    if (o->json && (o->binary || o->table || o->plot))
        return command_fail("wet", EXIT_USAGE, "--json does not go with --%s",
                            o->binary  ? "binary"
                            : o->table ? "table"
                                       : "plot");
    o->summary = command_summary(o->summary, o->json);
    o->file = argv[optind];
    return OPTIONS_READ;
}

static int run(const query *q, int argc, char **argv)
{
    wet_options o = {.from = 1, .to = UINT32_MAX, .tier = 2, .depth = 40, .lines = 40};
    int status = options_read(&o, q, argc, argv);
    if (status != OPTIONS_READ)
        return status;
    if (o.from > o.to)
        return command_fail("wet", EXIT_USAGE, "--from is after --to");
    if (strcmp(q->name, "misses") != 0 && takes(q, "at") && !o.at)
        return command_fail("wet", EXIT_USAGE, "%s needs --at PLACE", q->name);
    return q->run(&o);
}

int command_wet(int argc, char **argv)
{
    if (argc >= 2 && !strcmp(argv[1], "--help")) {
        command_help(help, stdout);
        return EXIT_DONE;
    }
    for (size_t i = 0; argc >= 2 && i < sizeof queries / sizeof *queries; i++)
        if (!strcmp(argv[1], queries[i].name))
            return run(&queries[i], argc - 1, argv + 1);
    if (argc >= 2)
        return command_fail("wet", EXIT_USAGE, "there is no query '%s' (see weft wet --help)", argv[1]);
    command_help(help, stderr);
    return EXIT_USAGE;
}
