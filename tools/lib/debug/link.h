/* SPDX-License-Identifier: MIT */
/* Packets of gdb's remote protocol over two file descriptors: $text#sum, acknowledged by + until that is switched
 * off. */
#ifndef WEFT_TOOLS_LIB_DEBUG_LINK_H
#define WEFT_TOOLS_LIB_DEBUG_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINK_PACKET_MAX 0x4000u /* characters of a packet */

typedef struct debug_link {
    int in, out;
    bool quiet; /* no acknowledgements */
    int failed; /* errno of what the host could not read or write; 0: none. A client that is gone is none, too */
    size_t have;
    char input[2 * LINK_PACKET_MAX];
    char packet[LINK_PACKET_MAX + 1];
    char *answer; /* the text that link_add makes */
    size_t size, room;
} debug_link;

/* What `failed` is for an errno. */
int link_error(int number);
/* Waits for bytes: up to `room` of them, added to the *have at `to`. False: none come any more; *failed says why. */
bool link_read(int in, char *to, size_t room, size_t *have, int *failed);

/* Waits for the next packet: link->packet. False: the other side is gone. */
bool link_receive(debug_link *link);
/* Whether the other side asks the run to stop. */
bool link_interrupted(debug_link *link);

/* The answer: text, bytes as hex digits, bytes in binary with what must be escaped; then it is sent. */
void link_add(debug_link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));
void link_add_hex(debug_link *link, const void *bytes, size_t size);
void link_add_binary(debug_link *link, const void *bytes, size_t size);
bool link_send(debug_link *link);

#endif
