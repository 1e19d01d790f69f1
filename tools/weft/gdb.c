/* SPDX-License-Identifier: MIT */
/* `weft gdb`: a gdb remote server over a recorded run. `weft debug`: the same with gdb started. */
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/lib/debug/run.h"
#include "tools/lib/debug/server.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

static const char gdb_help[] =
    "usage: weft gdb X.wet --elf APP.elf [--listen HOST:PORT | --stdio]\n\n"
    "A gdb remote server over a recorded run (`weft wet build`): the stock client steps through it forwards and\n"
    "backwards. Registers and memory are those of the run at each instant; what nothing tells is unknown, never 0.\n\n"
    "  --listen   where to listen, one client after another; default: 127.0.0.1:1234. Without HOST: 127.0.0.1\n"
    "  --stdio    serve standard input and output: (gdb) target remote | weft gdb X.wet --elf APP.elf --stdio\n\n"
    "In gdb: `monitor weft help` lists what else can be asked. docs/DEBUGGER.md has a session.\n";

/* ---- listening ---- */

/* HOST:PORT, :PORT or PORT. */
static bool host_split(const char *text, char *host, size_t size, const char **port)
{
    const char *colon = strrchr(text, ':');
    *port = colon ? colon + 1 : text;
    size_t length = colon ? (size_t)(colon - text) : 0;
    if (length >= size || !**port)
        return false;
    snprintf(host, size, "%.*s", length ? (int)length : 9, length ? text : "127.0.0.1");
    return true;
}

/* A socket that listens; below 0: a message was printed. */
static int listen_at(const char *text)
{
    char host[256];
    const char *port;
    struct addrinfo want = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found = NULL;
    if (!host_split(text, host, sizeof host, &port))
        return -command_fail("gdb", EXIT_USAGE, "--listen wants HOST:PORT, not '%s'", text);
    int wrong = getaddrinfo(host, port, &want, &found), yes = 1;
    if (wrong)
        return -command_fail("gdb", EXIT_USAGE, "--listen %s: %s", text, gai_strerror(wrong));
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, 1)) {
        command_fail("gdb", EXIT_HOST, "cannot listen at %s: %s", text, strerror(errno));
        if (fd >= 0)
            close(fd);
        fd = -EXIT_HOST;
    }
    freeaddrinfo(found);
    return fd;
}

static void print_where(int fd)
{
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getsockname(fd, (struct sockaddr *)&at, &size) ||
        getnameinfo((struct sockaddr *)&at, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV))
        return;
    fprintf(stderr, "weft gdb: listening at %s:%s\n", host, port);
}

/* One client after another, until a signal ends us. */
static int serve_all(debug_run *r, const char *where)
{
    int fd = listen_at(where);
    if (fd < 0)
        return -fd;
    print_where(fd);
    for (;;) {
        int client = accept(fd, NULL, NULL);
        if (client < 0 && errno != EINTR && errno != ECONNABORTED)
            return command_fail("gdb", EXIT_HOST, "cannot accept: %s", strerror(errno));
        if (client < 0)
            continue;
        debug_serve(r, client, client);
        close(client);
    }
}

typedef struct gdb_options {
    const char *elf, *listen, *gdb;
    bool stdio;
} gdb_options;

int command_gdb(int argc, char **argv)
{
    gdb_options o = {0};
    const command_option list[] = {
        {"elf", .text = &o.elf}, {"listen", .text = &o.listen}, {"stdio", .flag = &o.stdio}, {NULL}};
    char message[1024];
    int status = command_options(argc, argv, gdb_help, list);
    if (status != OPTIONS_READ)
        return status;
    if (optind + 1 != argc || !o.elf)
        return command_fail("gdb", EXIT_USAGE, "wants X.wet and --elf APP.elf");
    if (o.stdio && o.listen)
        return command_fail("gdb", EXIT_USAGE, "--listen and --stdio exclude each other");
    debug_run *r = debug_run_open(argv[optind], o.elf, message, sizeof message);
    if (!r)
        return command_fail("gdb", EXIT_INPUT, "%s", message);
    signal(SIGPIPE, SIG_IGN);
    if (o.stdio)
        debug_serve(r, STDIN_FILENO, STDOUT_FILENO);
    else
        status = serve_all(r, o.listen ? o.listen : "127.0.0.1:1234");
    if (debug_run_file(r)->damaged)
        status = command_fail("gdb", EXIT_INPUT, "%s is damaged: what was shown may be wrong", argv[optind]);
    debug_run_close(r);
    return status == OPTIONS_READ ? EXIT_DONE : status;
}
