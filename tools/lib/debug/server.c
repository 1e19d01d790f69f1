/* SPDX-License-Identifier: MIT */
/* The packets: a table of prefixes and what answers them. What is not in it gets the empty answer, as the protocol
 * wants. What the client sends is checked where it is read: a number that is missing reads as 0. */
#include "tools/lib/debug/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/debug/serving.h"

/* ---- registers ---- */

/* The context whose registers are asked for. */
static debug_context context_asked(debug_server *s)
{
    debug_contexts c = s->subject->contexts(s->subject->own, s->at);
    debug_context asked = c.all[0];
    for (uint32_t i = 0; s->thread && i < c.count; i++)
        if (c.all[i].id == s->thread)
            asked = c.all[i];
    debug_contexts_free(&c);
    return asked;
}

static void add_register(debug_server *s, const debug_context *c, unsigned i)
{
    uint8_t bytes[8];
    if (serve_register(s, c, i, bytes))
        link_add_hex(&s->link, bytes, serve_register_size(i));
    else
        link_add(&s->link, "%.*s", (int)(2 * serve_register_size(i)), "xxxxxxxxxxxxxxxx");
}

static void answer_registers(debug_server *s, const char *rest)
{
    (void)rest;
    debug_context c = context_asked(s);
    for (unsigned i = 0; i < DEBUG_REGISTERS; i++)
        if (serve_has_register(s, i))
            add_register(s, &c, i);
}

static void answer_register(debug_server *s, const char *rest)
{
    uint32_t wanted = serve_number(&rest);
    debug_context c = context_asked(s);
    for (unsigned i = 0; i < DEBUG_REGISTERS; i++)
        if (serve_has_register(s, i) && serve_register_number(i) == wanted) {
            add_register(s, &c, i);
            return;
        }
    link_add(&s->link, "E01");
}

/* ---- memory ---- */

static void answer_memory(debug_server *s, const char *rest)
{
    uint8_t bytes[LINK_PACKET_MAX / 2];
    uint32_t address = serve_number(&rest), size = serve_number_after(&rest, ',');
    if (size > sizeof bytes)
        size = sizeof bytes;
    size_t known = s->subject->memory(s->subject->own, s->at, address, bytes, size);
    if (known || !size)
        link_add_hex(&s->link, bytes, known);
    else
        link_add(&s->link, "E0e");
}

static void answer_refused(debug_server *s, const char *rest)
{
    (void)rest;
    link_add(&s->link, "E.the run is over: registers and memory cannot be changed");
}

/* ---- threads ---- */

static bool is_thread(debug_server *s, uint32_t id)
{
    return debug_subject_runs(s->subject, s->at).id == id || debug_subject_waits(s->subject, s->at, id);
}

static void answer_thread_choice(debug_server *s, const char *rest)
{
    char use = *rest;
    uint32_t id = use && rest[1] == '-' ? 0 : serve_number_after(&rest, use);
    if (use == 'g' && id && !is_thread(s, id)) {
        link_add(&s->link, "E01");
        return;
    }
    if (use == 'g')
        s->thread = id;
    else
        s->stepped = id;
    link_add(&s->link, "OK");
}

static void answer_thread_alive(debug_server *s, const char *rest)
{
    uint32_t id = serve_number(&rest);
    link_add(&s->link, is_thread(s, id) ? "OK" : "E01");
}

static void answer_threads(debug_server *s, const char *rest)
{
    (void)rest;
    debug_contexts c = s->subject->contexts(s->subject->own, s->at);
    for (uint32_t i = 0; i < c.count; i++)
        link_add(&s->link, "%c%x", i ? ',' : 'm', c.all[i].id);
    debug_contexts_free(&c);
}

static void answer_threads_end(debug_server *s, const char *rest)
{
    (void)rest;
    link_add(&s->link, "l");
}

static void answer_current_thread(debug_server *s, const char *rest)
{
    (void)rest;
    link_add(&s->link, "QC%x", debug_subject_runs(s->subject, s->at).id);
}

/* ---- queries ---- */

static void answer_supported(debug_server *s, const char *rest)
{
    (void)rest;
    link_add(&s->link,
             "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;ReverseStep+;"
             "ReverseContinue+;vContSupported+;ConditionalBreakpoints+",
             LINK_PACKET_MAX);
}

static void answer_no_acknowledgements(debug_server *s, const char *rest)
{
    (void)rest;
    link_add(&s->link, "OK");
    s->link.quiet = true;
}

/* A part of a document: `at` is its offset and size. */
static void add_part(debug_server *s, char *document, const char *at)
{
    size_t size = strlen(document), from = serve_number(&at), count = serve_number_after(&at, ',');
    from = from < size ? from : size;
    count = count < size - from ? count : size - from;
    count = count < LINK_PACKET_MAX / 2 ? count : LINK_PACKET_MAX / 2;
    link_add(&s->link, from + count < size ? "m" : "l");
    link_add_binary(&s->link, document + from, count);
    free(document);
}

static void answer_target(debug_server *s, const char *rest)
{
    add_part(s, serve_target(s), rest);
}

static void answer_thread_list(debug_server *s, const char *rest)
{
    add_part(s, serve_threads(s), rest);
}

static void answer_attached(debug_server *s, const char *rest)
{
    (void)rest;
    link_add(&s->link, "1");
}

static void answer_actions_known(debug_server *s, const char *rest)
{
    (void)rest;
    link_add(&s->link, "vCont;c;C;s;S");
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static char *monitored(debug_server *s, const char *command)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    debug_context c = context_asked(s);
    debug_instant before = s->at;
    s->subject->monitor(s->subject->own, &s->at, &c, command, out);
    s->moved |= debug_instant_compare(before, s->at) != 0;
    fclose(out);
    return memory_got(text);
}

static void answer_monitor(debug_server *s, const char *rest)
{
    char command[512];
    size_t size = 0;
    while (digit(rest[0]) >= 0 && digit(rest[1]) >= 0 && size + 1 < sizeof command) {
        command[size++] = (char)(digit(rest[0]) << 4 | digit(rest[1]));
        rest += 2;
    }
    command[size] = 0;
    char *text = monitored(s, command);
    const char *spoilt = debug_subject_spoilt(s->subject);
    for (const char *at = spoilt ? spoilt : text; *at;) { /* the client prints each part as it comes */
        size_t part = strlen(at) < LINK_PACKET_MAX / 2 - 2 ? strlen(at) : LINK_PACKET_MAX / 2 - 2;
        link_add(&s->link, "O");
        link_add_hex(&s->link, at, part);
        link_send(&s->link);
        at += part;
    }
    free(text);
    link_add(&s->link, spoilt ? "E01" : "OK");
}

static const struct answer {
    const char *prefix;
    void (*give)(debug_server *s, const char *rest);
    bool always; /* it tells nothing of the run, or sees to that itself */
} answers[] = {
    {"qSupported", answer_supported, true},
    {"QStartNoAckMode", answer_no_acknowledgements, true},
    {"qXfer:features:read:target.xml:", answer_target, true},
    {"qXfer:threads:read::", answer_thread_list, false},
    {"qRcmd,", answer_monitor, true},
    {"qfThreadInfo", answer_threads, false},
    {"qsThreadInfo", answer_threads_end, false},
    {"qAttached", answer_attached, true},
    {"qC", answer_current_thread, false},
    {"vCont?", answer_actions_known, true},
    {"vCont", serve_answer_actions, false},
    {"?", serve_answer_why_stopped, false},
    {"g", answer_registers, false},
    {"p", answer_register, false},
    {"m", answer_memory, false},
    {"H", answer_thread_choice, false},
    {"T", answer_thread_alive, false},
    {"Z", serve_answer_point, false},
    {"z", serve_answer_point, false},
    {"c", serve_answer_continue, false},
    {"s", serve_answer_step, false},
    {"b", serve_answer_back, false},
    {"G", answer_refused, false},
    {"P", answer_refused, false},
    {"M", answer_refused, false},
    {"X", answer_refused, false},
};

/* False: what the answer was made of is damaged, so it is not given. */
static bool answer(debug_server *s, const char *packet)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        size_t size = strlen(answers[i].prefix);
        if (strncmp(packet, answers[i].prefix, size))
            continue;
        answers[i].give(s, packet + size);
        return answers[i].always || !debug_subject_spoilt(s->subject);
    }
    return true;
}

int debug_serve(debug_subject *subject, int in, int out)
{
    debug_server *s = memory_zero(1, sizeof *s);
    s->subject = subject;
    s->link.in = in;
    s->link.out = out;
    s->at = subject->first(subject->own);
    s->stepped = SERVE_ANY;
    while (link_receive(&s->link)) {
        char kind = s->link.packet[0];
        bool good = true;
        if (kind == 'k')
            break;
        if (kind == 'D')
            link_add(&s->link, "OK");
        else
            good = answer(s, s->link.packet);
        if (!good || !link_send(&s->link) || kind == 'D')
            break;
    }
    int failed = s->link.failed;
    free(s->link.answer);
    free(s->breaks);
    free(s->conditional);
    free(s->known);
    free(s->watches);
    free(s->watch_kinds);
    free(s);
    return failed;
}
