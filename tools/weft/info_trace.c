/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_trace.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/base/text.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/wet/blocks.h"
#include "tools/lib/wet/open.h"
#include "tools/weft/command.h"

/* The bytes of a file, by part. */
typedef struct parts {
    uint64_t directory, snapshots, schedule, data;
} parts;

static parts parts_of(const wet_file *f)
{
    return (parts){f->data_at, f->snapshots_size, f->schedule_size,
                   f->size - f->data_at - f->snapshots_size - f->schedule_size};
}

/* Instructions of the program that are not decoded: slices and why stop at them. */
static uint32_t undecoded(const wet_file *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->static_count; i++)
        count += f->statics[i].insn.unknown;
    return count;
}

static double per_statement(const wet_file *f, uint64_t bytes)
{
    return f->executed ? (double)bytes / (double)f->executed : 0;
}

static void print_parts(const wet_file *f, parts p)
{
    printf("  bytes        %zu, %.4f per statement\n", f->size, per_statement(f, f->size));
    printf("    program    %" PRIu64 ": instructions, paths, and where the columns stand\n", p.directory);
    printf("    columns    %" PRIu64 ": timestamps, values, edges\n", p.data);
    if (f->window)
        printf("    snapshots  %" PRIu64 ": memory and registers every %" PRIu32 " paths\n", p.snapshots, f->window);
    if (p.schedule)
        printf("    schedule   %" PRIu64 ": which paths run when\n", p.schedule);
}

static void print(const char *path, const wet_file *f, const info_chosen *chosen)
{
    text_print(stdout, path);
    printf(": whole execution trace, format version %u\n", f->version);
    printf("  statements   %" PRIu64 ", of %" PRIu32 " instructions of the program\n", f->executed, f->static_count);
    printf("  paths        %" PRIu32 ", of %" PRIu32 " different ones\n", f->time, f->node_count);
    print_parts(f, parts_of(f));
    if (f->kept) {
        fputs("  history      ", stdout);
        text_print(stdout, f->kept->text);
        putchar('\n');
    }
    if (undecoded(f))
        printf("  not decoded  %" PRIu32 " instructions of the program: slices and why that meet one say so\n",
               undecoded(f));
    puts(f->sums ? "  check sums   all right" : "  check sums   none: version 1 cannot be checked");
    info_chosen_print(chosen);
}

static void put(const wet_file *f, const info_chosen *chosen)
{
    parts p = parts_of(f);
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_integer(j, "version", f->version);
    json_unsigned(j, "statements", f->executed);
    json_integer(j, "instructions", f->static_count);
    json_integer(j, "timestamps", f->time);
    json_integer(j, "nodes", f->node_count);
    json_unsigned(j, "bytes", f->size);
    json_real(j, "bytes_per_statement", per_statement(f, f->size));
    json_unsigned(j, "directory_bytes", p.directory);
    json_unsigned(j, "snapshot_bytes", p.snapshots);
    json_unsigned(j, "schedule_bytes", p.schedule);
    if (f->kept)
        json_string(j, "model", f->kept->text);
    if (undecoded(f))
        json_integer(j, "undecoded", undecoded(f));
    json_bool(j, "checked", f->sums);
    info_chosen_put(j, chosen);
    json_end_object(j);
    json_finish(j);
}

static int compare(const wet_file *f, const char *elf)
{
    char message[400];
    image *im = image_open(elf, message, sizeof message);
    bool fits = im && wet_file_fits(f, im, message, sizeof message);
    if (im)
        image_close(im);
    return fits ? EXIT_DONE : command_fail("info", EXIT_INPUT, "%s", message);
}

int info_trace(const char *path, const char *elf, info_chosen *chosen, bool as_json)
{
    char message[400];
    wet_file *f = wet_file_open(path, message, sizeof message);
    if (!f)
        return command_fail("info", EXIT_INPUT, "%s", message);
    wet_stream_check(f, f->bytes + f->data_at, f->size - f->data_at);
    int status = f->damaged ? command_fail("info", EXIT_INPUT, "%s: damaged at byte %zu", path, f->damaged_at)
                 : elf      ? compare(f, elf)
                            : EXIT_DONE;
    if (status == EXIT_DONE)
        status = info_chosen_executed(chosen, path, elf);
    if (status == EXIT_DONE && as_json)
        put(f, chosen);
    else if (status == EXIT_DONE)
        print(path, f, chosen);
    wet_file_close(f);
    return status;
}
