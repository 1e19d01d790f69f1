/* SPDX-License-Identifier: MIT */
/* A black box as a container: the recorder writes it, as it would have on the target. Only what writes recordings uses
 * the recorder; readers do not. */
#include "tools/lib/recording/blackbox.h"

#include <stdlib.h>
#include <string.h>

#include "core/recorder.h"
#include "tools/lib/base/memory.h"

enum { META_MAX = 256, FIELD_MAX = 8 }; /* bytes of a META frame, and of a field of it */

typedef struct making {
    const blackbox *box;
    FILE *out;
    weft_sink sink;
    weft_recorder recorder;
    weft_recorder_config config;
    const fault *fault;
    uint64_t at, fault_at; /* the entry that comes next, and the number of those before the fault */
    uint32_t run;
    uint32_t history[WEFT_HISTORY_WORDS(WEFT_RECORDER_HISTORY)];
    uint8_t bytes[4096];
} making;

/* The description of a recorder, and that this one is a black box. */
static void write_meta(const making *m, weft_frame *like)
{
    uint8_t bytes[WEFT_FRAME_WIRE_MAX(META_MAX)];
    weft_writer writer;
    weft_writer_init(&writer, bytes + WEFT_FRAME_SHIFT(META_MAX), META_MAX - WEFT_FRAME_CHECK_SIZE);
    weft_frame_head(&writer, like);
    weft_write_bytes(&writer, like->body, like->body_size);
    weft_write_field(&writer, WEFT_META_BLACKBOX, m->box->head.form);
    if (m->box->sum != BLACKBOX_UNSUMMED)
        weft_write_field(&writer, WEFT_META_BLACKBOX_SUM, m->box->sum);
    fwrite(bytes, 1, weft_frame_seal(bytes, WEFT_FRAME_SHIFT(META_MAX), writer.size), m->out);
}

static weft_status to_file(void *context, const uint8_t *frame, size_t size)
{
    const making *m = context;
    uint8_t copy[META_MAX];
    weft_frame opened = {.kind = WEFT_FRAME_TRACE};
    if (size <= sizeof copy - FIELD_MAX) {
        memcpy(copy, frame, size);
        (void)weft_frame_open(&opened, copy, size - 1);
    }
    if (opened.kind == WEFT_FRAME_META)
        write_meta(m, &opened);
    else
        fwrite(frame, 1, size, m->out);
    return ferror(m->out) ? WEFT_AGAIN : WEFT_OK;
}

static void begin(making *m)
{
    m->sink = (weft_sink){m, to_file};
    m->config = (weft_recorder_config){.sink = &m->sink,
                                       .bytes = m->bytes,
                                       .bytes_size = sizeof m->bytes,
                                       .history = m->history,
                                       .history_max = WEFT_RECORDER_HISTORY,
                                       .probes = WEFT_PROBE_PATHS,
                                       .identity = m->box->head.identity,
                                       .run = m->run++};
    (void)weft_recorder_init(&m->recorder, &m->config);
}

static void finish(making *m, const fault *f)
{
    (void)weft_recorder_finish(&m->recorder);
    weft_frame like = {.version = WEFT_FORMAT_VERSION,
                       .sequence = m->recorder.sequence,
                       .identity = m->config.identity,
                       .run = m->config.run};
    if (f)
        (void)fault_write(f, &like, m->out);
}

static void add(making *m, uint32_t context, uint32_t path)
{
    if (path == WEFT_BLACKBOX_RESET) {
        finish(m, NULL);
        begin(m);
    } else if (path == WEFT_BLACKBOX_PAUSE) {
        (void)weft_recorder_change(&m->recorder, WEFT_CHANGE_PAUSE, 0);
        (void)weft_recorder_flush(&m->recorder);
        (void)weft_recorder_change(&m->recorder, WEFT_CHANGE_RESUME, 0);
    } else {
        weft_recorder_path(&m->recorder, context, path);
    }
}

/* The number of entries before the fault; count + 1: it is not about them. */
static uint64_t fault_index(const blackbox *box, const fault *f)
{
    uint32_t after = f ? box->total - f->head.paths : 0;
    if (!f || !(f->head.flags & WEFT_FAULT_BOX))
        return f ? box->count : box->count + 1;
    return after <= box->count ? box->count - after : box->count + 1;
}

static void count_reset(void *own, uint32_t context, uint32_t path)
{
    uint32_t *resets = own;
    (void)context;
    *resets += path == WEFT_BLACKBOX_RESET;
}

static void write_entry(void *own, uint32_t context, uint32_t path)
{
    making *m = own;
    if (m->at++ == m->fault_at) {
        finish(m, m->fault);
        begin(m);
    }
    add(m, context, path);
}

bool blackbox_write(const blackbox *box, const fault *f, FILE *out)
{
    making *m = memory_zero(1, sizeof *m);
    uint32_t resets = 0;
    blackbox_each(box, count_reset, &resets);
    m->box = box;
    m->out = out;
    m->fault = f;
    m->fault_at = fault_index(box, f);
    m->run = box->head.run > resets ? box->head.run - resets : 1;
    begin(m);
    if (box->overwritten)
        weft_recorder_lost(&m->recorder, &(weft_counts){.paths = box->overwritten});
    blackbox_each(box, write_entry, m);
    finish(m, m->fault_at == box->count ? f : NULL);
    free(m);
    return !ferror(out);
}
