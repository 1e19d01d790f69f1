/* SPDX-License-Identifier: MIT */
/* What the parts of the server share. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_SERVING_H
#define WEFT_TOOLS_LIB_DEBUG_SERVING_H

#include "tools/lib/debug/link.h"
#include "tools/lib/debug/subject.h"

#define SERVE_POINTS_MAX 4096u /* break- and watchpoints; the client asks for few */

#define SERVE_ANY UINT32_MAX

typedef struct debug_server {
    debug_subject *subject;
    debug_link link;
    debug_instant at;
    uint32_t thread;  /* whose registers are asked for; 0: the current context's */
    uint32_t stepped; /* whose step `s` and `bs` are; 0: the current context's; SERVE_ANY: nothing was said */
    uint32_t told;    /* the context of the last stop, which the client takes for the current one */
    bool moved;       /* since then the client's user went elsewhere, which it does not know */
    uint32_t *breaks;
    bool *conditional; /* whether the client tests a condition at that break */
    uint32_t break_count;
    uint32_t *known; /* breaks without a condition when the client last continued a thread: its user's */
    uint32_t known_count;
    debug_watch *watches;
    uint8_t *watch_kinds; /* of the packet: 2, 3, 4 */
    uint32_t watch_count;
} debug_server;

/* ---- server_points.c ---- `rest` is what follows the packet's prefix. */

/* Reads a hexadecimal number; *text is then what follows it. The second: a number after a mark, 0 if the mark is not
 * there. */
uint32_t serve_number(const char **text);
uint32_t serve_number_after(const char **text, char mark);
/* Z, z */
void serve_answer_point(debug_server *s, const char *rest);

/* ---- server_go.c ---- c, s, b, vCont; ? */

void serve_answer_continue(debug_server *s, const char *rest);
void serve_answer_step(debug_server *s, const char *rest);
void serve_answer_back(debug_server *s, const char *rest);
void serve_answer_actions(debug_server *s, const char *rest);
void serve_answer_why_stopped(debug_server *s, const char *rest);

/* ---- description.c ---- */

#define SERVE_XPSR 25u /* its number in the protocol; floating point follows */
/* The description of the target, or of the threads, for qXfer; from malloc. */
char *serve_target(const debug_server *s);
char *serve_threads(debug_server *s);
bool serve_has_register(const debug_server *s, unsigned i);
/* Bytes of the i-th register in the order of `g`, and its number. */
unsigned serve_register_size(unsigned i);
unsigned serve_register_number(unsigned i);
/* The value, little-endian, of a context. False: not known. */
bool serve_register(debug_server *s, const debug_context *c, unsigned i, uint8_t bytes[8]);

#endif
