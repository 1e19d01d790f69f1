/* SPDX-License-Identifier: MIT */
#include "tools/lib/emulator/gdb.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

#define PACKET_MAX 8192u
#define READ_MAX 1024u
#define ANSWER_SECONDS 120.0 /* the emulator may still be starting, and the machine do much other work */

struct gdb {
    int fd;
    size_t have; /* bytes received and not yet used */
    char input[PACKET_MAX];
    char packet[PACKET_MAX];
};

/* Takes a whole packet $...#xx out of the input, if there is one, and acknowledges it. */
static bool take_packet(gdb *g)
{
    char *start = memchr(g->input, '$', g->have);
    char *end = start ? memchr(start, '#', (size_t)(g->input + g->have - start)) : NULL;
    if (!end || end + 3 > g->input + g->have)
        return false;
    size_t size = (size_t)(end - start - 1), used = (size_t)(end + 3 - g->input);
    memcpy(g->packet, start + 1, size);
    g->packet[size] = 0;
    memmove(g->input, g->input + used, g->have - used);
    g->have -= used;
    return send(g->fd, "+", 1, MSG_NOSIGNAL) == 1;
}

/* GDB_STOPPED: a packet is there. */
static gdb_event receive(gdb *g, double seconds)
{
    double until = seconds < 0 ? -1 : clock_seconds() + seconds;
    while (!take_packet(g)) {
        double left = until < 0 ? 1e6 : until - clock_seconds();
        struct pollfd p = {g->fd, POLLIN, 0};
        if (left <= 0 || poll(&p, 1, left > 1e5 ? -1 : (int)(left * 1000) + 1) <= 0)
            return GDB_TIMEOUT;
        if (g->have == sizeof g->input)
            return GDB_ENDED;
        ssize_t got = read(g->fd, g->input + g->have, sizeof g->input - g->have);
        if (got <= 0)
            return GDB_ENDED;
        g->have += (size_t)got;
    }
    return GDB_STOPPED;
}

static bool send_packet(gdb *g, const char *text)
{
    char packet[128];
    unsigned sum = 0;
    for (const char *c = text; *c; c++)
        sum += (unsigned char)*c;
    int size = snprintf(packet, sizeof packet, "$%s#%02x", text, sum & 255);
    return send(g->fd, packet, (size_t)size, MSG_NOSIGNAL) == size;
}

static bool ask(gdb *g, const char *text)
{
    return send_packet(g, text) && receive(g, ANSWER_SECONDS) == GDB_STOPPED;
}

gdb *gdb_new(void)
{
    gdb *g = memory_zero(1, sizeof *g);
    g->fd = -1;
    return g;
}

bool gdb_connect(gdb *g, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    strcpy(address.sun_path, path);
    g->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (g->fd >= 0 && connect(g->fd, (struct sockaddr *)&address, sizeof address) == 0)
        return true;
    if (g->fd >= 0)
        close(g->fd);
    g->fd = -1;
    return false;
}

void gdb_close(gdb *g)
{
    if (g->fd >= 0)
        close(g->fd);
    free(g);
}

bool gdb_ready(gdb *g)
{
    return ask(g, "?");
}

bool gdb_break(gdb *g, uint32_t address, bool set)
{
    char text[32];
    snprintf(text, sizeof text, "%c0,%x,2", set ? 'Z' : 'z', address);
    return ask(g, text) && !strcmp(g->packet, "OK");
}

bool gdb_continue(gdb *g)
{
    return send_packet(g, "c");
}

/* The program goes on before the answer is sent: a short one may have ended by then, and says so instead, or nothing
 * but that the connection ends. */
bool gdb_detach(gdb *g)
{
    return send_packet(g, "D") && receive(g, ANSWER_SECONDS) != GDB_TIMEOUT;
}

void gdb_interrupt(gdb *g)
{
    if (send(g->fd, "\x03", 1, MSG_NOSIGNAL) != 1)
        return;
}

gdb_event gdb_wait(gdb *g, double seconds)
{
    gdb_event event = receive(g, seconds);
    if (event == GDB_STOPPED && (g->packet[0] == 'W' || g->packet[0] == 'X'))
        return GDB_ENDED;
    return event;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool gdb_ask_registers(gdb *g)
{
    return ask(g, "qXfer:features:read:target.xml:0,400") && g->packet[0] != 'E';
}

bool gdb_get(gdb *g, unsigned number, uint32_t *value)
{
    char text[32];
    snprintf(text, sizeof text, "p%x", number);
    if (!ask(g, text) || strlen(g->packet) != 8)
        return false;
    *value = 0;
    for (unsigned i = 0; i < 8; i++) { /* little-endian: digit i is half of byte i / 2 */
        int half = digit(g->packet[i]);
        if (half < 0)
            return false;
        *value |= (uint32_t)half << (8 * (i / 2) + (i % 2 ? 0 : 4));
    }
    return true;
}

bool gdb_set(gdb *g, unsigned number, uint32_t value)
{
    char text[32];
    snprintf(text, sizeof text, "P%x=%02x%02x%02x%02x", number, value & 255, value >> 8 & 255, value >> 16 & 255,
             value >> 24);
    return ask(g, text) && !strcmp(g->packet, "OK");
}

bool gdb_read(gdb *g, uint32_t address, void *bytes, size_t size)
{
    for (uint8_t *to = bytes; size;) {
        size_t part = size < READ_MAX ? size : READ_MAX;
        char text[32];
        snprintf(text, sizeof text, "m%x,%zx", address, part);
        if (!ask(g, text) || strlen(g->packet) != 2 * part)
            return false;
        for (size_t i = 0; i < part; i++) {
            int high = digit(g->packet[2 * i]), low = digit(g->packet[2 * i + 1]);
            if (high < 0 || low < 0)
                return false;
            *to++ = (uint8_t)(high << 4 | low);
        }
        address += (uint32_t)part;
        size -= part;
    }
    return true;
}
