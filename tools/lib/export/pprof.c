/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/pprof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/export/labels.h"
#include "tools/lib/export/protobuf.h"
#include "tools/lib/image/vectors.h"

/* Numbers of fields in profile.proto, by message. */
enum {
    PROFILE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT = 14
};
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3, LABEL_KEY = 1, LABEL_TEXT = 2 };
enum { LOCATION_ID = 1, LOCATION_LINE = 4, LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4, FUNCTION_LINE = 5 };

typedef struct writer {
    protobuf profile, inner, part;
    uint64_t strings; /* written so far; the first one is empty */
} writer;

static uint64_t put_string(writer *w, const char *text)
{
    protobuf_text(&w->profile, PROFILE_STRING, text);
    return w->strings++;
}

static void put_type(writer *w, const char *type, const char *unit)
{
    uint64_t type_text = put_string(w, type), unit_text = put_string(w, unit);
    protobuf_number(&w->inner, TYPE_TYPE, type_text);
    protobuf_number(&w->inner, TYPE_UNIT, unit_text);
    protobuf_message(&w->profile, PROFILE_TYPE, &w->inner);
}

/* Function i is location and function i + 1: what is known of a stack is its functions. Readers add up functions of one
 * name, whatever their files. */
static void put_function(writer *w, const function_cost *f, const char *label, uint64_t id)
{
    uint64_t name = put_string(w, label), symbol = put_string(w, f->name);
    uint64_t file = put_string(w, f->place.file ? f->place.file : "");
    protobuf_number(&w->part, LINE_FUNCTION, id);
    protobuf_number(&w->part, LINE_LINE, f->place.line);
    protobuf_number(&w->inner, LOCATION_ID, id);
    protobuf_message(&w->inner, LOCATION_LINE, &w->part);
    protobuf_message(&w->profile, PROFILE_LOCATION, &w->inner);
    protobuf_number(&w->inner, FUNCTION_ID, id);
    protobuf_number(&w->inner, FUNCTION_NAME, name);
    protobuf_number(&w->inner, FUNCTION_SYSTEM_NAME, symbol);
    protobuf_number(&w->inner, FUNCTION_FILE, file);
    protobuf_number(&w->inner, FUNCTION_LINE, f->place.line);
    protobuf_message(&w->profile, PROFILE_FUNCTION, &w->inner);
}

/* The chain of a node, its own function first. */
static void put_sample(writer *w, const functions *all, uint32_t at, uint64_t key, uint64_t context)
{
    const call_node *node = &all->node[at];
    uint64_t values[2] = {node->calls, node->self}, *chain = NULL;
    size_t count = 0, max = 0;
    for (; all->node[at].function != FUNCTIONS_NONE; at = all->node[at].parent) {
        chain = memory_room(chain, count, &max, sizeof *chain);
        chain[count++] = all->node[at].function + UINT64_C(1);
    }
    protobuf_numbers(&w->inner, SAMPLE_LOCATIONS, chain, count);
    protobuf_numbers(&w->inner, SAMPLE_VALUES, values, 2);
    protobuf_number(&w->part, LABEL_KEY, key);
    protobuf_number(&w->part, LABEL_TEXT, context);
    protobuf_message(&w->inner, SAMPLE_LABEL, &w->part);
    protobuf_message(&w->profile, PROFILE_SAMPLE, &w->inner);
    free(chain);
}

/* The samples below a context. */
static uint64_t put_context(writer *w, const functions *all, const image *im, uint32_t context, uint64_t key)
{
    char name[VECTORS_NAME_MAX];
    uint64_t samples = 0, text = put_string(w, vectors_name(im, context, name));
    for (uint32_t i = 1; i < all->node_count; i++) {
        const call_node *node = &all->node[i];
        if (node->context != context || node->function == FUNCTIONS_NONE || !(node->self || node->calls))
            continue;
        put_sample(w, all, i, key, text);
        samples++;
    }
    return samples;
}

static void put_comments(writer *w, export_loss loss)
{
    char text[EXPORT_LOSS_MAX];
    uint64_t unit = put_string(w, "costs are instructions");
    protobuf_number(&w->profile, PROFILE_COMMENT, unit);
    protobuf_number(&w->profile, PROFILE_COMMENT, put_string(w, export_loss_text(text, loss)));
}

/* Compresses it as gzip does. */
static void put_compressed(const protobuf *m, FILE *file)
{
    static uint8_t buffer[1 << 16];
    z_stream z = {.next_in = m->bytes, .avail_in = 0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        memory_got(NULL);
    size_t left = m->size;
    for (int status = Z_OK; status != Z_STREAM_END;) {
        if (!z.avail_in) {
            z.avail_in = left < sizeof buffer ? (uInt)left : (uInt)sizeof buffer;
            left -= z.avail_in;
        }
        z.next_out = buffer;
        z.avail_out = sizeof buffer;
        status = deflate(&z, left ? Z_NO_FLUSH : Z_FINISH);
        fwrite(buffer, 1, sizeof buffer - z.avail_out, file);
    }
    deflateEnd(&z);
}

uint64_t export_pprof(const functions *all, const image *im, export_loss loss, FILE *file)
{
    writer w = {0};
    export_labels labels = {0};
    uint64_t samples = 0;
    put_string(&w, "");
    put_type(&w, "calls", "count");
    put_type(&w, "instructions", "count");
    protobuf_number(&w.profile, PROFILE_DEFAULT, put_string(&w, "instructions"));
    put_comments(&w, loss);
    char **label = export_labels_of_functions(&labels, all);
    for (size_t i = 0; i < all->count; i++)
        put_function(&w, &all->all[i], label[i], i + 1);
    export_labels_free(&labels);
    uint64_t key = put_string(&w, "context");
    for (uint32_t i = all->node[0].child; i; i = all->node[i].sibling)
        samples += put_context(&w, all, im, all->node[i].context, key);
    put_compressed(&w.profile, file);
    protobuf_free(&w.profile);
    protobuf_free(&w.inner);
    protobuf_free(&w.part);
    return samples;
}
