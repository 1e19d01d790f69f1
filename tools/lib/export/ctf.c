/* SPDX-License-Identifier: MIT */
/* Layout, all little-endian, in bytes:
 *
 *   packet   4 magic, 4 stream (0), 8 first time, 8 last time, 8 size of the content in bits, 8 of the packet in bits,
 *            8 events discarded so far; then events
 *   event    1 kind, 8 time; enter, leave: 4 context, 4 function; gap: 8 each paths, accesses, values, damaged bytes
 *
 * The first packet is empty: readers see what is discarded as a difference between packets. */
#include "tools/lib/export/ctf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/export/labels.h"
#include "tools/lib/image/vectors.h"

enum { HEAD_SIZE = 48, PACKET_MAX = 1 << 18, EVENT_MAX = 48 };
enum { KIND_ENTER, KIND_LEAVE, KIND_GAP };
#define CTF_MAGIC UINT32_C(0xc1fc1fc1)

struct export_ctf {
    const functions *all;
    FILE *file;
    numbering contexts;
    uint8_t packet[PACKET_MAX];
    size_t size; /* of the packet so far */
    uint64_t first, last, discarded, events;
};

static void put(export_ctf *out, uint64_t value, unsigned size)
{
    for (; size--; value >>= 8)
        out->packet[out->size++] = (uint8_t)value;
}

static void end_packet(export_ctf *out)
{
    uint64_t bits = 8 * (uint64_t)out->size;
    size_t size = out->size;
    out->size = 0;
    put(out, CTF_MAGIC, 4);
    put(out, 0, 4);
    put(out, out->first, 8);
    put(out, out->last, 8);
    put(out, bits, 8);
    put(out, bits, 8);
    put(out, out->discarded, 8);
    fwrite(out->packet, 1, size, out->file);
    out->size = HEAD_SIZE;
    out->first = out->last;
}

static void put_head(export_ctf *out, unsigned kind, uint64_t time)
{
    if (out->size > PACKET_MAX - EVENT_MAX)
        end_packet(out);
    out->last = time;
    put(out, kind, 1);
    put(out, time, 8);
    out->events++;
}

static void put_function(export_ctf *out, unsigned kind, const functions_moment *at, uint32_t function)
{
    put_head(out, kind, at->time);
    put(out, numbering_of(&out->contexts, at->context), 4);
    put(out, function, 4);
}

static void enter(void *own, const functions_moment *at, uint32_t function)
{
    put_function(own, KIND_ENTER, at, function);
}

static void leave(void *own, const functions_moment *at, uint32_t function)
{
    put_function(own, KIND_LEAVE, at, function);
}

static void gap(void *own, const functions_moment *at, const functions_loss *loss)
{
    export_ctf *out = own;
    out->last = at->time;
    end_packet(out);
    out->discarded += loss->paths + loss->accesses + loss->values;
    put_head(out, KIND_GAP, at->time);
    put(out, loss->paths, 8);
    put(out, loss->accesses, 8);
    put(out, loss->values, 8);
    put(out, loss->bytes, 8);
}

export_ctf *export_ctf_begin(const functions *all, FILE *stream)
{
    export_ctf *out = memory_zero(1, sizeof *out);
    out->all = all;
    out->file = stream;
    out->size = HEAD_SIZE;
    end_packet(out);
    return out;
}

functions_listener export_ctf_listener(export_ctf *out)
{
    return (functions_listener){.own = out, .enter = enter, .leave = leave, .gap = gap};
}

/* ---- metadata ---- */

static const char head[] = "/* CTF 1.8 */\n"
                           "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
                           "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
                           "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
                           "trace {\n    major = 1;\n    minor = 8;\n    byte_order = le;\n"
                           "    packet.header := struct { uint32_t magic; uint32_t stream_id; };\n};\n";

/* What times are: instructions, or the clock's nanoseconds. */
static void put_clock(bool clocked, const char *lost, FILE *file)
{
    const char *unit = clocked ? "nanoseconds" : "instructions";
    const char *text = clocked ? "time by the recording's clock, since its first frame began"
                               : "executed instructions: a nanosecond is one of them";
    fprintf(file,
            "env { tracer_name = \"weft\"; unit = \"%s\"; lost = \"%s\"; };\n"
            "clock {\n    name = %s;\n    description = \"%s\";\n    freq = 1000000000;\n};\n"
            "typealias integer { size = 64; align = 8; signed = false; map = clock.%s.value; } := %s_t;\n",
            unit, lost, unit, text, unit, unit);
    fprintf(file,
            "stream {\n    id = 0;\n"
            "    packet.context := struct {\n        %s_t timestamp_begin;\n        %s_t timestamp_end;\n"
            "        uint64_t content_size;\n        uint64_t packet_size;\n"
            "        uint64_t events_discarded;\n    };\n"
            "    event.header := struct { uint8_t id; %s_t timestamp; };\n};\n",
            unit, unit, unit);
}

static void put_enum(FILE *file, const char *name, char **labels, size_t count)
{
    fprintf(file, "enum %s : uint32_t {%s", name, count ? "" : " none = 0");
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s \"%s\" = %zu", i ? "," : "", labels[i], i);
    fputs(" };\n", file);
}

static void put_enums(const export_ctf *out, const image *im, FILE *file)
{
    char name[VECTORS_NAME_MAX];
    export_labels labels = {0};
    for (uint32_t i = 0; i < out->contexts.count; i++)
        export_labels_add(&labels, vectors_name(im, out->contexts.values[i], name), NULL, 0);
    put_enum(file, "context", export_labels_made(&labels), labels.count);
    export_labels_free(&labels);
    put_enum(file, "function", export_labels_of_functions(&labels, out->all), out->all->count);
    export_labels_free(&labels);
}

uint64_t export_ctf_end(export_ctf *out, const image *im, export_loss loss, FILE *metadata)
{
    char lost[EXPORT_LOSS_MAX];
    uint64_t events = out->events;
    end_packet(out);
    fputs(head, metadata);
    put_clock(functions_clocked(out->all), export_loss_text(lost, loss), metadata);
    put_enums(out, im, metadata);
    for (unsigned kind = KIND_ENTER; kind <= KIND_LEAVE; kind++)
        fprintf(metadata,
                "event {\n    name = \"%s\";\n    id = %u;\n    stream_id = 0;\n"
                "    fields := struct { enum context context; enum function function; };\n};\n",
                kind == KIND_ENTER ? "enter" : "leave", kind);
    fprintf(metadata,
            "event {\n    name = \"gap\";\n    id = %u;\n    stream_id = 0;\n"
            "    fields := struct { uint64_t paths; uint64_t accesses; uint64_t values; uint64_t bytes; };\n};\n",
            KIND_GAP);
    numbering_free(&out->contexts);
    free(out);
    return events;
}
