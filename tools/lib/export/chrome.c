/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/chrome.h"

#include <stdlib.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/export/labels.h"
#include "tools/lib/image/vectors.h"

struct export_chrome {
    const functions *all;
    const image *im;
    export_labels labels;
    char **label;    /* by function */
    uint32_t *named; /* contexts whose tracks have a name */
    size_t named_count, named_max;
    json *j;
    uint64_t events, last; /* last: time of the last event */
};

static void put_event(export_chrome *out, const char *phase, const char *name, uint32_t context, uint64_t time)
{
    json_object(out->j, NULL);
    json_string(out->j, "ph", phase);
    json_string(out->j, "name", name);
    json_integer(out->j, "pid", 1);
    json_integer(out->j, "tid", context);
    if (functions_clocked(out->all))
        json_thousandths(out->j, "ts", time);
    else
        json_integer(out->j, "ts", (int64_t)time);
    if (*phase == 'i')
        json_string(out->j, "s", "g"); /* a line through all tracks */
    json_end_object(out->j);
    out->last = time;
    out->events++;
}

/* The name of a context's track, when it is first met. */
static void name_track(export_chrome *out, uint32_t context)
{
    char name[VECTORS_NAME_MAX];
    for (size_t i = out->named_count; i-- > 0;)
        if (out->named[i] == context)
            return;
    out->named = memory_room(out->named, out->named_count, &out->named_max, sizeof *out->named);
    out->named[out->named_count++] = context;
    json_object(out->j, NULL);
    json_string(out->j, "ph", "M");
    json_string(out->j, "name", "thread_name");
    json_integer(out->j, "pid", 1);
    json_integer(out->j, "tid", context);
    json_object(out->j, "args");
    json_string(out->j, "name", vectors_name(out->im, context, name));
    json_end_object(out->j);
    json_end_object(out->j);
}

static void enter(void *own, const functions_moment *at, uint32_t function)
{
    export_chrome *out = own;
    name_track(out, at->context);
    put_event(out, "B", out->label[function], at->context, at->time);
}

static void leave(void *own, const functions_moment *at, uint32_t function)
{
    export_chrome *out = own;
    put_event(out, "E", out->label[function], at->context, at->time);
}

static void gap(void *own, const functions_moment *at, const functions_loss *loss)
{
    (void)loss;
    put_event(own, "i", "events lost", 0, at->time);
}

export_chrome *export_chrome_begin(const functions *all, const image *im, FILE *file)
{
    export_chrome *out = memory_zero(1, sizeof *out);
    out->all = all;
    out->im = im;
    out->label = export_labels_of_functions(&out->labels, all);
    out->j = json_begin(file);
    json_object(out->j, NULL);
    json_array(out->j, "traceEvents");
    return out;
}

functions_listener export_chrome_listener(export_chrome *out)
{
    return (functions_listener){.own = out, .enter = enter, .leave = leave, .gap = gap};
}

uint64_t export_chrome_end(export_chrome *out, export_loss loss)
{
    if (loss.cut)
        put_event(out, "i", EXPORT_END_LOST, 0, out->last);
    uint64_t events = out->events;
    json_end_array(out->j);
    json_string(out->j, "displayTimeUnit", "ms");
    json_object(out->j, "otherData");
    json_string(out->j, "unit",
                functions_clocked(out->all) ? "time by the recording's clock" : "1 us is 1 instruction");
    json_unsigned(out->j, "lost_paths", loss.paths);
    if (loss.paths && loss.at_least)
        json_string(out->j, "lost_is", "at least");
    if (loss.gaps)
        json_unsigned(out->j, "gaps", loss.gaps);
    if (loss.cut)
        json_bool(out->j, "cut", true);
    json_end_object(out->j);
    json_end_object(out->j);
    json_finish(out->j);
    export_labels_free(&out->labels);
    free(out->named);
    free(out);
    return events;
}
