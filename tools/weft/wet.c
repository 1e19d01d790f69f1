/* SPDX-License-Identifier: MIT */
/* `weft wet`: its command line, and `weft wet build`. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "tools/lib/wet/gather.h"
#include "tools/lib/wet/pack.h"
#include "tools/weft/command.h"
#include "tools/weft/wet.h"

static const char help[] =
    "usage: weft wet build FULL.weft --elf APP.elf -o X.wet [--tier 1] [--json]\n"
    "       weft wet control X.wet [--backward] [--from T] [--to T] [--binary]\n"
    "       weft wet values X.wet --at PLACE\n"
    "       weft wet addresses X.wet --at PLACE\n"
    "       weft wet slice X.wet --at PLACE[#N] [--forward] [--instances] [--json]\n"
    "       weft wet why X.wet --at PLACE[#N] [--depth D] [--lines L]\n\n"
    "Whole execution traces: everything a run did, from a recording of `weft capture --full`, compressed, and open to\n"
    "questions in both directions of time.\n\n"
    "PLACE is an address, FILE:LINE, or a symbol: a function means its first instruction, an object means the stores\n"
    "to it. #N is its N-th instance (1, 2, ...); default: the last.\n"
    "T is a timestamp: executions of paths are numbered 1, 2, 3...\n\n"
    "  build      makes X.wet; --tier 1 leaves the streams uncompressed\n"
    "  control    the instructions executed, an object a line; --binary: their addresses, u32\n"
    "  values     what the statement produced, an object for each of its instances\n"
    "  addresses  what it loaded and stored, and where\n"
    "  slice      all that the instance depended on; --forward: all that depended on it; --instances: each of them\n"
    "  why        how the value at PLACE came about, for people\n";

static int number_option(const char *option, const char *text, long long max, long long *value)
{
    return command_number("wet", option, text, 1, max, value) ? 0 : EXIT_USAGE;
}

/* -1: go on; else the exit status. */
static int options_read(wet_options *o, int argc, char **argv)
{
    static const struct option longs[] = {
        {"elf", required_argument, NULL, 'e'},   {"at", required_argument, NULL, 'a'},
        {"from", required_argument, NULL, 'f'},  {"to", required_argument, NULL, 't'},
        {"tier", required_argument, NULL, 'T'},  {"depth", required_argument, NULL, 'd'},
        {"lines", required_argument, NULL, 'l'}, {"backward", no_argument, NULL, 'b'},
        {"forward", no_argument, NULL, 'F'},     {"json", no_argument, NULL, 'j'},
        {"binary", no_argument, NULL, 'B'},      {"instances", no_argument, NULL, 'i'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
    int c, bad = 0;
    optind = 1;
    while (!bad && (c = getopt_long(argc, argv, "o:", longs, NULL)) != -1) {
        switch (c) {
        case 'o':
            o->out = optarg;
            break;
        case 'e':
            o->elf = optarg;
            break;
        case 'a':
            o->at = optarg;
            break;
        case 'f':
            bad = number_option("--from", optarg, UINT32_MAX, &o->from);
            break;
        case 't':
            bad = number_option("--to", optarg, UINT32_MAX, &o->to);
            break;
        case 'T':
            bad = number_option("--tier", optarg, 2, &o->tier);
            break;
        case 'd':
            bad = number_option("--depth", optarg, 1000, &o->depth);
            break;
        case 'l':
            bad = number_option("--lines", optarg, 100000, &o->lines);
            break;
        case 'b':
            o->backward = true;
            break;
        case 'F':
            o->forward = true;
            break;
        case 'j':
            o->json = true;
            break;
        case 'B':
            o->binary = true;
            break;
        case 'i':
            o->instances = true;
            break;
        case 'h':
            fputs(help, stdout);
            return EXIT_DONE;
        default:
            return EXIT_USAGE;
        }
    }
    if (bad)
        return bad;
    if (optind + 1 != argc)
        return command_fail("wet", EXIT_USAGE, "%s wants one file", argv[0]);
    o->file = argv[optind];
    return -1;
}

int command_wet(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(const wet_options *o);
        bool place;
    } queries[] = {{"build", wet_build, false},       {"control", wet_show_control, false},
                   {"values", wet_show_values, true}, {"addresses", wet_show_addresses, true},
                   {"slice", wet_show_slice, true},   {"why", wet_why, true}};
    if (argc >= 2 && !strcmp(argv[1], "--help")) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    for (size_t i = 0; argc >= 2 && i < sizeof queries / sizeof *queries; i++) {
        if (strcmp(argv[1], queries[i].name))
            continue;
        wet_options o = {.from = 1, .to = UINT32_MAX, .tier = 2, .depth = 40, .lines = 40};
        int status = options_read(&o, argc - 1, argv + 1);
        if (status >= 0)
            return status;
        if (queries[i].place && !o.at)
            return command_fail("wet", EXIT_USAGE, "%s wants --at PLACE", argv[1]);
        return queries[i].run(&o);
    }
    fputs(help, stderr);
    return command_fail("wet", EXIT_USAGE, "there is no query '%s'", argc >= 2 ? argv[1] : "");
}

wet_file *wet_open(const wet_options *o)
{
    char message[512];
    wet_file *f = wet_file_open(o->file, message, sizeof message);
    if (!f)
        command_fail("wet", EXIT_INPUT, "%s", message);
    return f;
}

int wet_close(const wet_options *o, wet_file *f, int status)
{
    bool damaged = f->damaged;
    wet_file_close(f);
    if (status == EXIT_DONE && damaged)
        return command_fail("wet", EXIT_INPUT, "%s is damaged: a stream could not be read", o->file);
    return status;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t total(const wet_sizes *s)
{
    return s->timestamps + s->values + s->edges + s->program;
}

static void json_sizes(json *j, const char *key, const wet_sizes *s)
{
    json_object(j, key);
    json_integer(j, "timestamps", (int64_t)s->timestamps);
    json_integer(j, "values", (int64_t)s->values);
    json_integer(j, "edges", (int64_t)s->edges);
    json_integer(j, "program", (int64_t)s->program);
    json_integer(j, "bytes", (int64_t)total(s));
    json_end_object(j);
}

static void build_json(const wet_trace *t, const wet_report *r, double took)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_integer(j, "statements", (int64_t)t->executed);
    json_integer(j, "bytes", (int64_t)r->bytes);
    json_real(j, "bytes_per_statement", (double)r->bytes / (double)t->executed);
    json_integer(j, "tier1_bytes", (int64_t)total(&r->tier1));
    json_integer(j, "tier2_bytes", (int64_t)total(&r->tier2));
    json_integer(j, "original_bytes", (int64_t)total(&r->original));
    json_integer(j, "nodes", t->node_count);
    json_integer(j, "timestamps", t->time);
    json_real(j, "seconds", took);
    json_real(j, "cpu_seconds",
              (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
    json_integer(j, "peak_memory", (int64_t)used.ru_maxrss * 1024);
    json_sizes(j, "original", &r->original);
    json_sizes(j, "tier1", &r->tier1);
    json_sizes(j, "tier2", &r->tier2);
    json_end_object(j);
    json_finish(j);
}

static void text_sizes(const char *name, const wet_sizes *s, uint64_t statements)
{
    double n = (double)statements;
    printf("%-9s %14llu %10.4f %10.4f %10.4f %10.4f\n", name, (unsigned long long)total(s), (double)s->timestamps / n,
           (double)s->values / n, (double)s->edges / n, (double)total(s) / n);
}

static void build_text(const wet_trace *t, const wet_report *r, double took)
{
    printf("%llu statements, %u path executions of %u paths, %.1f s\n", (unsigned long long)t->executed, t->time,
           t->node_count, took);
    puts("                   bytes   bytes a statement: timestamps, values, edges, all");
    text_sizes("original", &r->original, t->executed);
    text_sizes("tier 1", &r->tier1, t->executed);
    text_sizes("tier 2", &r->tier2, t->executed);
}

int wet_build(const wet_options *o)
{
    char message[512] = "";
    bool cut = false;
    wet_report report;
    if (!o->elf || !o->out)
        return command_fail("wet", EXIT_USAGE, "build wants --elf APP.elf and -o X.wet");
    if (command_same_file(o->file, o->out) || command_same_file(o->elf, o->out))
        return command_fail("wet", EXIT_USAGE, "'%s' is an input", o->out);
    double start = seconds();
    wet_trace *t = wet_trace_read(o->file, o->elf, &cut, message, sizeof message);
    if (!t)
        return command_fail("wet", EXIT_INPUT, "%s", message);
    int status = EXIT_DONE;
    if (cut)
        status = command_fail("wet", EXIT_GAPS, "%s: %s; what stands before was taken", o->file, message);
    if (!wet_pack_write(t, o->out, (int)o->tier, &report, message, sizeof message))
        status = command_fail("wet", EXIT_INPUT, "%s", message);
    else if (o->json)
        build_json(t, &report, seconds() - start);
    else
        build_text(t, &report, seconds() - start);
    wet_trace_free(t);
    return status;
}
