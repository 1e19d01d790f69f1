/* SPDX-License-Identifier: MIT */
/* The requests: a table of names and what answers them. */
#include "tools/lib/debug/dap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/dap_breaks.h"
#include "tools/lib/debug/dap_condition.h"
#include "tools/lib/debug/dap_run.h"
#include "tools/lib/debug/dap_show.h"

#define MEMORY_MAX (1u << 20) /* bytes read at once */

static void answer_nothing(dap *d, const dap_request *r)
{
    dap_respond(&d->link, r);
    dap_send(&d->link);
}

static void answer_capabilities(dap *d, const dap_request *r)
{
    static const char *const able[] = {
        "supportsConfigurationDoneRequest", "supportsStepBack",         "supportsEvaluateForHovers",
        "supportsFunctionBreakpoints",      "supportsDataBreakpoints",  "supportsReadMemoryRequest",
        "supportsSteppingGranularity",      "supportsTerminateRequest", "supportsConditionalBreakpoints"};
    json *j = dap_respond(&d->link, r);
    for (size_t i = 0; i < sizeof able / sizeof *able; i++)
        json_bool(j, able[i], true);
    dap_send(&d->link);
}

/* ---- launching ---- */

static void answer_launch(dap *d, const dap_request *r)
{
    char message[1024] = "a run is open already";
    const char *dir = dap_text(r->arguments, "sourceDir");
    if (!d->subject)
        d->subject = d->opener->open(d->opener->own, dap_text(r->arguments, "program"), dap_text(r->arguments, "elf"),
                                     dap_text(r->arguments, "svd"), message, sizeof message);
    else
        dir = NULL;
    if (!d->subject || d->names.im) {
        dap_refuse(&d->link, r, message);
        return;
    }
    debug_names_open(&d->names, d->subject->im);
    d->at = d->subject->first(d->subject->own);
    d->stop_on_entry = dap_true(r->arguments, "stopOnEntry");
    d->source_dir = dir ? memory_text(dir) : NULL;
    answer_nothing(d, r);
    dap_event(&d->link, "initialized");
    dap_send(&d->link);
}

/* ---- stopping ---- */

/* Instead of a stop: what the run was read from is damaged. */
static void say_spoilt(dap *d, const char *why)
{
    char text[256];
    snprintf(text, sizeof text, "the run: %s\n", why);
    json *j = dap_event(&d->link, "output");
    json_string(j, "category", "important");
    json_string(j, "output", text);
    dap_send(&d->link);
    dap_event(&d->link, "terminated");
    dap_send(&d->link);
}

static void say_stopped(dap *d, const char *reason)
{
    bool end = !strcmp(reason, "end"), hit = !strcmp(reason, "breakpoint");
    uint32_t pc = d->subject->pc(d->subject->own, d->at);
    dap_forget(d);
    json *j = dap_event(&d->link, "stopped");
    json_string(j, "reason", end ? "pause" : reason);
    if (end)
        json_string(j, "description", "end of the recording");
    json_integer(j, "threadId", dap_context_now(d).id);
    json_bool(j, "allThreadsStopped", true);
    json_array(j, "hitBreakpointIds");
    for (size_t i = 0; hit && i < d->break_count; i++)
        if (dap_break_stops(d, &d->breaks[i], pc))
            json_integer(j, NULL, d->breaks[i].id);
    if (!strcmp(reason, "data breakpoint") && d->watch_hit < d->watch_count)
        json_integer(j, NULL, d->watch_ids[d->watch_hit]);
    json_end_array(j);
    const char *spoilt = debug_subject_spoilt(d->subject);
    if (!spoilt) {
        dap_send(&d->link);
        return;
    }
    dap_discard(&d->link);
    say_spoilt(d, spoilt);
}

static void answer_configured(dap *d, const dap_request *r)
{
    answer_nothing(d, r);
    say_stopped(d, d->stop_on_entry ? "entry" : dap_go(d, false));
}

/* Answers the request first, then reports the stop as an event. */
static void answer_continue(dap *d, const dap_request *r)
{
    json_bool(dap_respond(&d->link, r), "allThreadsContinued", true);
    dap_send(&d->link);
    say_stopped(d, dap_go(d, !strcmp(r->command, "reverseContinue")));
}

static bool by_instruction(const dap_request *r)
{
    const char *granularity = dap_text(r->arguments, "granularity");
    return granularity && !strcmp(granularity, "instruction");
}

static void answer_step(dap *d, const dap_request *r)
{
    bool backward = !strcmp(r->command, "stepBack"), into = !strcmp(r->command, "stepIn");
    answer_nothing(d, r);
    say_stopped(d, by_instruction(r) ? dap_step_instruction(d, backward) : dap_step_line(d, backward, into));
}

static void answer_step_out(dap *d, const dap_request *r)
{
    answer_nothing(d, r);
    say_stopped(d, dap_step_out(d));
}

static void answer_pause(dap *d, const dap_request *r)
{
    answer_nothing(d, r);
    say_stopped(d, "pause");
}

/* ---- looking ---- */

typedef const char *show(dap *d, json *j, const dap_request *r);

static const char *show_threads(dap *d, json *j, const dap_request *r)
{
    (void)r;
    return dap_show_threads(d, j);
}

static const char *show_stack(dap *d, json *j, const dap_request *r)
{
    return dap_show_stack(d, j, dap_number(r->arguments, "threadId", 0), dap_number(r->arguments, "startFrame", 0),
                          dap_number(r->arguments, "levels", 0));
}

static const char *show_scopes(dap *d, json *j, const dap_request *r)
{
    return dap_show_scopes(d, j, dap_number(r->arguments, "frameId", 0));
}

static const char *show_variables(dap *d, json *j, const dap_request *r)
{
    return dap_show_variables(d, j, dap_number(r->arguments, "variablesReference", 0),
                              dap_number(r->arguments, "start", 0), dap_number(r->arguments, "count", 0));
}

/* Base64, as the protocol sends bytes. */
static void json_bytes(json *j, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = memory_grow(NULL, size / 3 * 4 + 8, 1);
    size_t to = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t word =
            (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            text[to++] = k <= left ? digits[word >> (18 - 6 * k) & 63] : '=';
    }
    text[to] = 0;
    json_string(j, "data", text);
    free(text);
}

static const char *show_memory(dap *d, json *j, const dap_request *r)
{
    char text[16];
    const char *reference = dap_text(r->arguments, "memoryReference");
    int64_t offset = dap_number(r->arguments, "offset", 0), count = dap_number(r->arguments, "count", 0);
    char *end = NULL;
    uint32_t address = (uint32_t)(strtoul(reference ? reference : "", &end, 0) + (uint64_t)offset);
    if (!reference || end == reference || *end)
        return "a memory reference is an address";
    size_t size = count < 0 ? 0 : count > (int64_t)MEMORY_MAX ? MEMORY_MAX : (size_t)count;
    uint8_t *bytes = memory_grow(NULL, size + 1, 1);
    size_t known = d->subject->memory(d->subject->own, d->at, address, bytes, size);
    snprintf(text, sizeof text, "0x%08x", address);
    json_string(j, "address", text);
    json_integer(j, "unreadableBytes", (int64_t)(size - known));
    json_bytes(j, bytes, known);
    free(bytes);
    return NULL;
}

/* `wrong`, or why nothing that was found holds. */
static const char *wrong_or_spoilt(const dap *d, const char *wrong)
{
    const char *spoilt = debug_subject_spoilt(d->subject);
    return spoilt ? spoilt : wrong;
}

static void answer_shown(dap *d, const dap_request *r, show *of)
{
    const char *wrong = wrong_or_spoilt(d, of(d, dap_respond(&d->link, r), r));
    if (!wrong) {
        dap_send(&d->link);
        return;
    }
    dap_discard(&d->link);
    dap_refuse(&d->link, r, wrong);
}

static void answer_value(dap *d, const dap_request *r)
{
    bool moved = false;
    const char *expression = dap_text(r->arguments, "expression");
    json *j = dap_respond(&d->link, r);
    const char *wrong = !expression ? "there is no expression"
                                    : dap_show_value(d, j, expression, dap_number(r->arguments, "frameId", 0),
                                                     dap_text(r->arguments, "context"), &moved);
    wrong = wrong_or_spoilt(d, wrong);
    if (wrong) {
        dap_discard(&d->link);
        dap_refuse(&d->link, r, wrong);
        return;
    }
    dap_send(&d->link);
    if (moved)
        say_stopped(d, "goto");
}

static void answer_end(dap *d, const dap_request *r)
{
    d->ended = !strcmp(r->command, "disconnect");
    answer_nothing(d, r);
    if (d->ended)
        return;
    dap_event(&d->link, "terminated");
    dap_send(&d->link);
}

static const struct answer {
    const char *command;
    void (*give)(dap *d, const dap_request *r); /* or: */
    show *show;
    bool always; /* allowed while no run is open, too */
} answers[] = {
    {"initialize", answer_capabilities, NULL, true},
    {"launch", answer_launch, NULL, true},
    {"attach", answer_launch, NULL, true},
    {"configurationDone", answer_configured, NULL, false},
    {"setBreakpoints", dap_break_lines, NULL, false},
    {"setFunctionBreakpoints", dap_break_functions, NULL, false},
    {"setExceptionBreakpoints", answer_nothing, NULL, false},
    {"dataBreakpointInfo", dap_watch_info, NULL, false},
    {"setDataBreakpoints", dap_watch_places, NULL, false},
    {"continue", answer_continue, NULL, false},
    {"reverseContinue", answer_continue, NULL, false},
    {"next", answer_step, NULL, false},
    {"stepIn", answer_step, NULL, false},
    {"stepBack", answer_step, NULL, false},
    {"stepOut", answer_step_out, NULL, false},
    {"pause", answer_pause, NULL, false},
    {"evaluate", answer_value, NULL, false},
    {"threads", NULL, show_threads, false},
    {"stackTrace", NULL, show_stack, false},
    {"scopes", NULL, show_scopes, false},
    {"variables", NULL, show_variables, false},
    {"readMemory", NULL, show_memory, false},
    {"terminate", answer_end, NULL, true},
    {"disconnect", answer_end, NULL, true},
};

static void answer(dap *d, const dap_request *r)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const struct answer *a = &answers[i];
        if (strcmp(r->command, a->command))
            continue;
        if (!a->always && !d->names.im)
            dap_refuse(&d->link, r, "no run is open yet");
        else if (a->give)
            a->give(d, r);
        else
            answer_shown(d, r, a->show);
        return;
    }
    dap_refuse(&d->link, r, "this is not something that can be asked of a recorded run");
}

debug_subject *dap_serve(const dap_opener *opener, int in, int out, int *failed)
{
    dap d = {.link = {.in = in, .out = out}, .opener = opener};
    for (dap_request r; !d.ended && !d.link.failed && dap_receive(&d.link, &r); dap_request_free(&r))
        answer(&d, &r);
    for (size_t i = 0; i < d.break_count; i++)
        dap_break_free(&d.breaks[i]);
    free(d.breaks);
    free(d.watches);
    free(d.watch_ids);
    free(d.frames);
    free(d.handles);
    free(d.source_dir);
    free(d.link.input);
    *failed = d.link.failed;
    return d.subject;
}
