/* SPDX-License-Identifier: MIT */
/* `weft wet build`. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "tools/lib/base/clock.h"
#include "tools/lib/base/json.h"
#include "tools/lib/wet/gather.h"
#include "tools/lib/wet/pack.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/wet_queries.h"

static uint64_t total(const wet_sizes *s)
{
    return s->timestamps + s->values + s->edges + s->program;
}

static void json_sizes(json *j, const char *key, const wet_sizes *s)
{
    json_object(j, key);
    json_unsigned(j, "timestamps", s->timestamps);
    json_unsigned(j, "values", s->values);
    json_unsigned(j, "edges", s->edges);
    json_unsigned(j, "program", s->program);
    json_unsigned(j, "bytes", total(s));
    json_end_object(j);
}

static uint32_t undecoded(const wet_trace *t)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->static_count; i++)
        count += t->statics[i].insn.unknown;
    return count;
}

static void build_json(const wet_trace *t, const wet_report *r, double took)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "statements", t->executed);
    json_unsigned(j, "bytes", r->bytes);
    json_real(j, "bytes_per_statement", (double)r->bytes / (double)t->executed);
    json_unsigned(j, "tier1_bytes", total(&r->tier1));
    json_unsigned(j, "tier2_bytes", total(&r->tier2));
    json_unsigned(j, "original_bytes", total(&r->original));
    json_unsigned(j, "snapshot_bytes", r->snapshots);
    json_unsigned(j, "history_bytes", r->history);
    json_integer(j, "nodes", t->node_count);
    json_integer(j, "timestamps", t->time);
    if (undecoded(t))
        json_integer(j, "undecoded", undecoded(t));
    if (t->unknown)
        json_unsigned(j, "unknown", t->unknown);
    json_real(j, "seconds", took);
    json_real(j, "cpu_seconds",
              (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
    json_unsigned(j, "peak_memory", used.ru_maxrss * 1024);
    json_sizes(j, "original", &r->original);
    json_sizes(j, "tier1", &r->tier1);
    json_sizes(j, "tier2", &r->tier2);
    json_end_object(j);
    json_finish(j);
}

static void text_sizes(FILE *to, const char *name, const wet_sizes *s, uint64_t statements)
{
    double n = (double)statements;
    fprintf(to, "%-9s %14llu %10.4f %10.4f %10.4f %10.4f\n", name, (unsigned long long)total(s),
            (double)s->timestamps / n, (double)s->values / n, (double)s->edges / n, (double)total(s) / n);
}

static void note_undecoded(const wet_trace *t)
{
    uint32_t count = undecoded(t);
    if (count)
        fprintf(
            stderr,
            "weft wet: note: %u of the %u instructions that ran %s not decoded, as vectors are not: slices and why\n"
            "show them as .inst, do not know what they read, and end with status 3\n",
            count, t->static_count, count == 1 ? "is" : "are");
}

static void build_text(const wet_trace *t, const wet_report *r, double took, FILE *to)
{
    fprintf(to, "%llu statements, %u path executions of %u paths, %.1f s\n", (unsigned long long)t->executed, t->time,
            t->node_count, took);
    fputs("                   bytes   bytes per statement: timestamps, values, edges, all\n", to);
    text_sizes(to, "original", &r->original, t->executed);
    text_sizes(to, "tier 1", &r->tier1, t->executed);
    text_sizes(to, "tier 2", &r->tier2, t->executed);
    fprintf(to, "snapshots %14llu %43.4f\n", (unsigned long long)r->snapshots,
            (double)r->snapshots / (double)t->executed);
    if (t->history)
        fprintf(to, "history   %14llu %43.4f\n", (unsigned long long)r->history,
                (double)r->history / (double)t->executed);
}

/* Standard input as a file without a name, for a recording is read twice. False and a message. */
static bool input_take(FILE **file, char path[64], char *message, size_t message_size)
{
    static char part[1 << 16];
    size_t size;
    *file = tmpfile();
    while (*file && (size = fread(part, 1, sizeof part, stdin)) > 0)
        if (fwrite(part, 1, size, *file) != size)
            break;
    if (*file && !fflush(*file) && !ferror(*file) && !ferror(stdin)) {
        snprintf(path, 64, "/proc/self/fd/%d", fileno(*file));
        return true;
    }
    snprintf(message, message_size, "cannot keep standard input in a temporary file: %s", strerror(errno));
    return false;
}

static int build(const wet_options *o, const char *full, const char *elf)
{
    char message[512] = "";
    bool cut = false;
    wet_report report;
    double start = clock_seconds();
    wet_trace *t = wet_trace_read(full, elf, o->model, &cut, message, sizeof message);
    if (!t)
        return command_fail("wet", EXIT_INPUT, "%s", message);
    int status = EXIT_DONE;
    if (cut)
        json_remark("end", "missing");
    if (cut)
        status = command_fail("wet", EXIT_GAPS, "%s: %s; what stands before that was taken", o->file, message);
    if (!wet_pack_write(t, o->out, (int)o->tier, &report, message, sizeof message))
        status = command_fail("wet", EXIT_HOST, "%s", message);
    else if (o->json)
        build_json(t, &report, clock_seconds() - start);
    else
        build_text(t, &report, clock_seconds() - start, command_says(o->out));
    if (status == EXIT_DONE || status == EXIT_GAPS) {
        note_undecoded(t);
        if (t->unknown)
            status = command_fail("wet", EXIT_GAPS,
                                  "%llu values are not known in the recording: each stands as 0 in the trace",
                                  (unsigned long long)t->unknown);
    }
    wet_trace_free(t);
    return status;
}

int wet_build(const wet_options *o)
{
    char message[512] = "", path[64];
    FILE *file = NULL;
    const char *elf = elf_beside(o->elf, o->file);
    if (!elf && o->out && strcmp(o->file, "-") != 0)
        return elf_missing("wet", o->file);
    if (!elf || !o->out)
        return command_fail("wet", EXIT_USAGE, "build needs --elf APP.elf and -o X.wet");
    int status = command_output("wet", o->out, o->json, true);
    if (status != EXIT_DONE)
        return status;
    if (command_same_file(o->file, o->out) || command_same_file(elf, o->out))
        return command_fail("wet", EXIT_USAGE, "'%s' is an input", o->out);
    if (strcmp(o->file, "-"))
        return build(o, o->file, elf);
    status = input_take(&file, path, message, sizeof message) ? build(o, path, elf)
                                                              : command_fail("wet", EXIT_HOST, "%s", message);
    if (file)
        fclose(file);
    return status;
}
