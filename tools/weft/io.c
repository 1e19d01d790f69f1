/* SPDX-License-Identifier: MIT */
/* weft io: accesses of device registers, as a table and as a log. */
#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/inspect/devices.h"
#include "tools/lib/recording/announced.h"
#include "tools/weft/command.h"
#include "tools/weft/inspected.h"

static const char help[] =
    "usage: weft io [--svd FILE] [--log] [--context NAME] [--function NAME] [--json] [--elf APP.elf] IN\n\n"
    "Accesses of device registers (0x40000000 to 0x5fffffff, and the core's own from 0xe0000000 on): a table of the\n"
    "registers, or with --log each access in order.\n\n"
    "  --elf APP.elf    the image that was traced (default: beside IN)\n"
    "  --svd FILE       the device's CMSIS-SVD file: names of peripherals, registers, fields and values\n"
    "  --log            each access, in order, with its place in the source\n"
    "  --context NAME   only one context: thread, a handler's name, or a number\n"
    "  --function NAME  only accesses that it makes\n"
    "  --summary        lines within the terminal's width in a pipe, too\n"
    "  --json           one JSON object: accesses (the log: time, context, register, store, value, fields, ...),\n"
    "                   registers (the table)\n\n"
    "Values are known in full recordings (weft capture --full) and .wet files, and with probes that record values. "
    "Times are\n"
    "instructions of such a recording, and with probes the paths before the access.\n";

typedef struct options {
    const char *svd;
    bool log;
} options;

/* ---- the log ---- */

/* The bits of a register's value that an access of a part of it has. */
static bool field_in(const device_access *a, const device_register *r, const svd_field *f, uint64_t *bits)
{
    uint32_t from = 8 * (a->address - r->address), to = from + 8 * a->size;
    if (!a->known || f->first < from || f->first + f->width > to)
        return false;
    *bits = svd_bits(f, from < 64 ? a->value << from : 0);
    return true;
}

static void print_fields(FILE *out, const device_access *a, const device_register *r)
{
    uint64_t bits;
    for (size_t i = 0; r->is && i < r->is->field_count; i++) {
        const svd_field *f = &r->is->field[i];
        if (!field_in(a, r, f, &bits))
            continue;
        fputc(' ', out);
        text_print(out, f->name);
        fprintf(out, "=%" PRIu64, bits);
        if (svd_value_name(f, bits)) {
            fputc('(', out);
            text_print(out, svd_value_name(f, bits));
            fputc(')', out);
        }
    }
}

static void print_access(FILE *out, const device_access *a, const device_register *r)
{
    fprintf(out, "%12" PRIu64 " %4" PRIu32 " %s ", a->time, a->context, a->store ? "store" : "load ");
    text_print(out, r->name);
    if (a->address != r->address)
        fprintf(out, "+%" PRIu32, a->address - r->address);
    if (a->known)
        fprintf(out, " 0x%0*" PRIx64, (int)(2 * a->size), a->value);
    print_fields(out, a, r);
    if (a->function) {
        fputs("  ", out);
        text_print(out, a->function);
    }
    if (a->file) {
        fputc(' ', out);
        text_print(out, text_base(a->file));
        fprintf(out, ":%" PRIu32, a->line);
    }
    fputc('\n', out);
}

static void log_access(void *own, const device_access *a, const device_register *r)
{
    const inspected *in = own;
    char *line;
    size_t size;
    FILE *out = in->summary ? memory_stream(&line, &size) : stdout;
    print_access(out, a, r);
    if (!in->summary)
        return;
    fclose(out);
    inspected_print(in, line);
}

static void put_known(json *j, const char *key, bool known, uint64_t value)
{
    if (known)
        json_unsigned(j, key, value);
    else
        json_null(j, key);
}

static void put_access(void *own, const device_access *a, const device_register *r)
{
    json *j = own;
    uint64_t bits;
    json_object(j, NULL);
    json_unsigned(j, "time", a->time);
    json_integer(j, "context", a->context);
    json_string(j, "register", r->name);
    json_integer(j, "address", a->address);
    json_integer(j, "size", a->size);
    json_bool(j, "store", a->store);
    put_known(j, "value", a->known, a->value);
    json_string(j, "function", a->function);
    json_place(j, a->file, a->file ? a->line : 0);
    if (r->is && r->is->field_count && a->known) {
        json_object(j, "fields");
        for (size_t i = 0; i < r->is->field_count; i++)
            if (field_in(a, r, &r->is->field[i], &bits))
                json_integer(j, r->is->field[i].name, (int64_t)bits);
        json_end_object(j);
    }
    json_end_object(j);
}

/* ---- the table ---- */

enum { VALUE = 18, SCREEN_VALUE = 10, SCREEN_NUMBERS = 2 * 10 + 2 * (SCREEN_VALUE + 1) };

static void print_value(FILE *out, bool any, uint64_t value, int width)
{
    if (any)
        fprintf(out, " %#*" PRIx64, width, value);
    else
        fprintf(out, " %*s", width, "-");
}

static void print_figures(FILE *out, const device_register *r, int width)
{
    print_value(out, r->loaded_any, r->loaded, width);
    print_value(out, r->stored_any, r->stored, width);
}

/* Names first on a screen. */
static void print_register(FILE *out, const device_register *r, unsigned columns)
{
    if (columns) {
        text_cell(out, columns, r->name);
        fprintf(out, " %9" PRIu64 " %9" PRIu64, r->loads, r->stores);
        print_figures(out, r, SCREEN_VALUE);
    } else {
        fprintf(out, "%10" PRIu64 " %10" PRIu64, r->loads, r->stores);
        print_figures(out, r, VALUE);
        fputs("  ", out);
        text_print(out, r->name);
    }
    fputc('\n', out);
}

static void print_device_fields(FILE *out, const device_register *r, int indent)
{
    for (size_t i = 0; r->is && i < r->is->field_count; i++) {
        const device_field *f = &r->field[i];
        if (!f->any)
            continue;
        fprintf(out, "%*s", indent, "");
        text_print(out, f->field->name);
        fprintf(out, " %" PRIu64 " to %" PRIu64 ", changed %" PRIu64 " times, at last %" PRIu64, f->min, f->max,
                f->changes, f->last);
        if (svd_value_name(f->field, f->last)) {
            fputs(" (", out);
            text_print(out, svd_value_name(f->field, f->last));
            fputc(')', out);
        }
        fputc('\n', out);
    }
}

static void print_table(const inspected *in, const devices *d)
{
    enum { NAME_LEAST = 12, INDENT = 26, SCREEN_INDENT = 4 };
    char *lines;
    size_t size;
    unsigned room = in->summary ? command_columns() : 0;
    unsigned name = room > SCREEN_NUMBERS + NAME_LEAST ? room - SCREEN_NUMBERS : NAME_LEAST;
    FILE *out = memory_stream(&lines, &size);
    if (room && d->count)
        fprintf(out, "%-*s %9s %9s %*s %*s\n", (int)name, "REGISTER", "loads", "stores", SCREEN_VALUE, "loaded",
                SCREEN_VALUE, "stored");
    else if (d->count)
        fprintf(out, "%10s %10s %*s %*s  register\n", "loads", "stores", VALUE, "last loaded", VALUE, "last stored");
    for (size_t i = 0; i < d->count; i++) {
        print_register(out, &d->all[i], room ? name : 0);
        print_device_fields(out, &d->all[i], room ? SCREEN_INDENT : INDENT);
    }
    fprintf(out, "%" PRIu64 " access%s of %zu register%s\n", d->accesses, d->accesses == 1 ? "" : "es", d->count,
            d->count == 1 ? "" : "s");
    fclose(out);
    inspected_print(in, lines);
}

static void put_register(json *j, const device_register *r)
{
    json_object(j, NULL);
    json_string(j, "name", r->name);
    json_integer(j, "address", r->address);
    json_unsigned(j, "loads", r->loads);
    json_unsigned(j, "stores", r->stores);
    json_unsigned(j, "first", r->first);
    json_unsigned(j, "last", r->last);
    put_known(j, "loaded", r->loaded_any, r->loaded);
    put_known(j, "stored", r->stored_any, r->stored);
    json_array(j, "fields");
    for (size_t i = 0; r->is && i < r->is->field_count; i++) {
        const device_field *f = &r->field[i];
        if (!f->any)
            continue;
        json_object(j, NULL);
        json_string(j, "name", f->field->name);
        json_integer(j, "min", (int64_t)f->min);
        json_integer(j, "max", (int64_t)f->max);
        json_unsigned(j, "changes", f->changes);
        json_unsigned(j, "last", f->last);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

/* ---- the command ---- */

static const char *read_all(inspected *in, devices *d)
{
    return in->reader ? devices_full(d, in->reader, in->im) : devices_probes(d, in->file, in->app, &in->seen);
}

static const char *give_json(inspected *in, devices *d)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_string(j, "unit", in->reader ? "instructions" : "paths");
    json_array(j, "accesses");
    d->log = (device_log){j, put_access};
    const char *error = read_all(in, d);
    inspected_note_cut(in, error);
    json_end_array(j);
    json_array(j, "registers");
    for (size_t i = 0; i < d->count; i++)
        put_register(j, &d->all[i]);
    json_end_array(j);
    json_unsigned(j, "total", d->accesses);
    json_unsigned(j, "unknown", in->seen.unknown);
    inspected_put(j, in);
    json_end_object(j);
    json_finish(j);
    return error;
}

static const char *give_text(inspected *in, devices *d, bool log)
{
    if (log)
        d->log = (device_log){in, log_access};
    const char *error = read_all(in, d);
    if (!log)
        print_table(in, d);
    return error;
}

static int give(inspected *in, void *own)
{
    char message[400];
    const options *o = own;
    if (in->file && !inspected_has_memory(in))
        return inspected_end(in, "its probes do not announce all accesses (PROBES=mem does)");
    svd *names = o->svd ? svd_open(o->svd, message, sizeof message) : NULL;
    if (o->svd && !names)
        return command_fail(in->name, EXIT_INPUT, "%s", message);
    devices d = {
        .names = names, .one_context = in->context >= 0, .context = (uint32_t)in->context, .function = in->function};
    bool mixed = announced_say(in->name, in->app, ANNOUNCED_ACCESSES | ANNOUNCED_VALUES);
    const char *error = in->json ? give_json(in, &d) : give_text(in, &d, o->log);
    int status = inspected_end(in, error);
    status = mixed && status == EXIT_DONE ? EXIT_GAPS : status;
    devices_free(&d);
    svd_close(names);
    return status;
}

int command_io(int argc, char **argv)
{
    options o = {0};
    const command_option more[] = {{"svd", .text = &o.svd}, {"log", .flag = &o.log}, {NULL}};
    return inspected_run(argc, argv, &(inspection){help, more, give}, &o);
}
