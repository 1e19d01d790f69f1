/* SPDX-License-Identifier: MIT */
/* Messages of the debug adapter protocol over two file descriptors: `Content-Length: N`, an empty line, N bytes of
 * JSON. Private to the room.
 *
 *     for (dap_request r; dap_receive(&link, &r); dap_request_free(&r))
 *         json *j = dap_respond(&link, &r);          or dap_refuse(&link, &r, "why")
 *         json_integer(j, "line", 3);                in the body
 *         dap_send(&link); */
#ifndef WEFT_TOOLS_LIB_DEBUG_DAP_LINK_H
#define WEFT_TOOLS_LIB_DEBUG_DAP_LINK_H

#include <stddef.h>
#include <stdint.h>
#include <yajl/yajl_tree.h>

#include "tools/lib/base/json.h"

typedef struct dap_link {
    int in, out;
    int failed; /* as in link.h; EBADMSG: what came is not a message */
    char *input;
    size_t have, max;
    int64_t sent; /* messages */
    FILE *stream; /* of the message that is being written */
    char *text;
    size_t size;
    json *body;
} dap_link;

typedef struct dap_request {
    yajl_val message, arguments; /* arguments: NULL if there are none */
    const char *command;
    int64_t seq;
} dap_request;

/* False: the other side is gone, or sent what is not a message. */
bool dap_receive(dap_link *link, dap_request *r);
void dap_request_free(dap_request *r);

/* An answer or an event; what is written goes into its body, until dap_send. */
json *dap_respond(dap_link *link, const dap_request *r);
json *dap_event(dap_link *link, const char *event);
void dap_send(dap_link *link);
void dap_discard(dap_link *link); /* instead */
void dap_refuse(dap_link *link, const dap_request *r, const char *why);

/* Parts of a message; of an array, element `i`. What is missing, or of another type, is NULL, `otherwise`, false. */
yajl_val dap_part(yajl_val object, const char *key);
yajl_val dap_element(yajl_val array, size_t i);
const char *dap_text(yajl_val object, const char *key);
int64_t dap_number(yajl_val object, const char *key, int64_t otherwise);
bool dap_true(yajl_val object, const char *key);

#endif
