/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/chrome.h"

#include <stdlib.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"

struct export_chrome {
    json *j;
    uint64_t events;
};

static void put_event(export_chrome *out, const char *phase, const char *name, uint32_t context, uint64_t time)
{
    json_object(out->j, NULL);
    json_string(out->j, "ph", phase);
    json_string(out->j, "name", name);
    json_integer(out->j, "pid", 1);
    json_integer(out->j, "tid", context);
    json_integer(out->j, "ts", (int64_t)time);
    if (*phase == 'i')
        json_string(out->j, "s", "g"); /* a line through all tracks */
    json_end_object(out->j);
    out->events++;
}

static void enter(void *own, uint32_t context, const function_cost *function, uint64_t time)
{
    put_event(own, "B", function->name, context, time);
}

static void leave(void *own, uint32_t context, const function_cost *function, uint64_t time)
{
    put_event(own, "E", function->name, context, time);
}

static void gap(void *own, uint64_t time)
{
    put_event(own, "i", "events lost", 0, time);
}

export_chrome *export_chrome_begin(FILE *file)
{
    export_chrome *out = memory_zero(1, sizeof *out);
    out->j = json_begin(file);
    json_object(out->j, NULL);
    json_array(out->j, "traceEvents");
    return out;
}

functions_listener export_chrome_listener(export_chrome *out)
{
    return (functions_listener){out, enter, leave, gap};
}

uint64_t export_chrome_end(export_chrome *out, uint64_t lost)
{
    uint64_t events = out->events;
    json_end_array(out->j);
    json_string(out->j, "displayTimeUnit", "ms");
    json_object(out->j, "otherData");
    json_string(out->j, "unit", "1 us is 1 instruction");
    json_integer(out->j, "lost_paths", (int64_t)lost);
    json_end_object(out->j);
    json_end_object(out->j);
    json_finish(out->j);
    free(out);
    return events;
}
