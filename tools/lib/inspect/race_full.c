/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "tools/lib/inspect/race_find.h"
#include "tools/lib/inspect/retrace.h"
#include "tools/lib/wet/run.h"

/* ---- a full recording ---- */

typedef struct full_source {
    const char *path;
    full_reader *reader;
    char *message;
    size_t message_size;
} full_source;

static bool full_begin(void *own, const processor *p)
{
    full_source *s = own;
    (void)p;
    full_close(s->reader);
    s->reader = wet_run_open(s->path, s->message, s->message_size);
    return s->reader;
}

static int full_read(void *own, full_event *event)
{
    return full_next(((full_source *)own)->reader, event);
}

static const thumb_insn *full_insn(void *own, processor *p, const full_event *event)
{
    (void)own;
    return processor_insn(p, event->instruction);
}

static const char *full_wrong(void *own)
{
    return full_error(((full_source *)own)->reader);
}

bool races_full(races *out, const char *path, const image *im, const race_lock *locks, const char **gap, char *message,
                size_t message_size)
{
    full_source s = {path, NULL, message, message_size};
    const race_source source = {&s, full_begin, full_read, full_insn, full_wrong, false};
    bool good = races_find(out, &source, im, locks, gap);
    full_close(s.reader);
    return good;
}

/* ---- a recording with probes ---- */

static bool probes_begin(void *own, const processor *p)
{
    retrace_begin(own, p);
    return true;
}

static int probes_read(void *own, full_event *event)
{
    return retrace_next(own, event);
}

static const thumb_insn *probes_insn(void *own, processor *p, const full_event *event)
{
    (void)p, (void)event;
    return retrace_insn(own);
}

static const char *probes_wrong(void *own)
{
    return retrace_error(own);
}

const char *races_probes(races *out, const container *file, program *app, const race_lock *locks, functions_seen *seen,
                         race_doubts *doubts)
{
    static char text[300];
    const char *wrong;
    retrace *r = retrace_open(file, app);
    const race_source source = {r, probes_begin, probes_read, probes_insn, probes_wrong, true};
    (void)races_find(out, &source, program_image(app), locks, &wrong);
    if (wrong)
        snprintf(text, sizeof text, "%s", wrong);
    *seen = retrace_seen(r);
    *doubts = retrace_doubts(r);
    retrace_close(r);
    return wrong ? text : NULL;
}
