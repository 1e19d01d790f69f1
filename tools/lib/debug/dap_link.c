/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/dap_link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/json_tree.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/debug/link.h"

#define MESSAGE_MAX (1u << 24) /* bytes; more is refused */
#define HEAD_MAX 4096u

/* ---- reading ---- */

static bool more(dap_link *link)
{
    link->input = memory_room(link->input, link->have + HEAD_MAX, &link->max, 1);
    return link_read(link->in, link->input, link->max - link->have - 1, &link->have, &link->failed);
}

/* The size of the next message; 0: there is none. The head is dropped. */
static size_t head(dap_link *link)
{
    static const char name[] = "Content-Length:";
    for (;;) {
        char *end = NULL;
        if (link->have) {
            link->input[link->have] = 0;
            end = strstr(link->input, "\r\n\r\n");
        }
        if (end) {
            const char *field = strstr(link->input, name);
            unsigned long size = field && field < end ? strtoul(field + sizeof name - 1, NULL, 10) : 0;
            link->have -= (size_t)(end + 4 - link->input);
            memmove(link->input, end + 4, link->have);
            if (size == 0 || size > MESSAGE_MAX)
                link->failed = EBADMSG;
            return size <= MESSAGE_MAX ? size : 0;
        }
        if (link->have > HEAD_MAX)
            link->failed = EBADMSG;
        if (link->have > HEAD_MAX || !more(link))
            return 0;
    }
}

bool dap_receive(dap_link *link, dap_request *r)
{
    char wrong[200];
    size_t size = head(link);
    while (size && link->have < size)
        if (!more(link))
            return false;
    if (!size)
        return false;
    char *text = strndup(link->input, size);
    link->have -= size;
    memmove(link->input, link->input + size, link->have);
    errno = 0;
    *r = (dap_request){.message = json_tree(memory_got(text), wrong, sizeof wrong)};
    if (!dap_text(r->message, "command"))
        link->failed = errno == ENOMEM ? ENOMEM : EBADMSG;
    free(text);
    r->arguments = dap_part(r->message, "arguments");
    r->command = dap_text(r->message, "command");
    r->seq = dap_number(r->message, "seq", 0);
    if (!r->command)
        dap_request_free(r);
    return r->command;
}

void dap_request_free(dap_request *r)
{
    yajl_tree_free(r->message);
    r->message = NULL;
}

/* ---- writing ---- */

static json *message(dap_link *link, const char *type)
{
    link->stream = memory_stream(&link->text, &link->size);
    link->body = json_begin(link->stream);
    json_object(link->body, NULL);
    json_integer(link->body, "seq", ++link->sent);
    json_string(link->body, "type", type);
    return link->body;
}

static json *response(dap_link *link, const dap_request *r, bool success)
{
    json *j = message(link, "response");
    json_integer(j, "request_seq", r->seq);
    json_string(j, "command", r->command);
    json_bool(j, "success", success);
    return j;
}

json *dap_respond(dap_link *link, const dap_request *r)
{
    json *j = response(link, r, true);
    json_object(j, "body");
    return j;
}

json *dap_event(dap_link *link, const char *event)
{
    json *j = message(link, "event");
    json_string(j, "event", event);
    json_object(j, "body");
    return j;
}

static void put(dap_link *link, const char *bytes, size_t size)
{
    while (size && !link->failed) {
        ssize_t done = write(link->out, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            link->failed = link_error(errno); /* if it is gone, dap_receive finds out */
            return;
        }
        bytes += done;
        size -= (size_t)done;
    }
}

static void finish(dap_link *link)
{
    char text[64];
    json_end_object(link->body);
    json_finish(link->body);
    fclose(link->stream);
    int size = snprintf(text, sizeof text, "Content-Length: %zu\r\n\r\n", link->size);
    put(link, text, (size_t)size);
    put(link, memory_got(link->text), link->size);
    free(link->text);
    link->text = NULL;
}

void dap_send(dap_link *link)
{
    json_end_object(link->body);
    finish(link);
}

void dap_discard(dap_link *link)
{
    json_end_object(link->body);
    json_finish(link->body);
    fclose(link->stream);
    free(link->text);
    link->text = NULL;
    link->sent--;
}

void dap_refuse(dap_link *link, const dap_request *r, const char *why)
{
    json *j = response(link, r, false);
    json_string(j, "message", why);
    json_object(j, "body");
    json_object(j, "error");
    json_integer(j, "id", 1);
    json_string(j, "format", why);
    json_end_object(j);
    dap_send(link);
}

/* ---- parts ---- */

yajl_val dap_part(yajl_val object, const char *key)
{
    const char *path[] = {key, NULL};
    return object && YAJL_IS_OBJECT(object) ? yajl_tree_get(object, path, yajl_t_any) : NULL;
}

yajl_val dap_element(yajl_val array, size_t i)
{
    return array && YAJL_IS_ARRAY(array) && i < YAJL_GET_ARRAY(array)->len ? YAJL_GET_ARRAY(array)->values[i] : NULL;
}

const char *dap_text(yajl_val object, const char *key)
{
    yajl_val v = dap_part(object, key);
    return v ? YAJL_GET_STRING(v) : NULL;
}

int64_t dap_number(yajl_val object, const char *key, int64_t otherwise)
{
    yajl_val v = dap_part(object, key);
    return v && YAJL_IS_INTEGER(v) ? YAJL_GET_INTEGER(v) : otherwise;
}

bool dap_true(yajl_val object, const char *key)
{
    yajl_val v = dap_part(object, key);
    return v && YAJL_IS_TRUE(v);
}
