/* SPDX-License-Identifier: MIT */
/* `weft gdb`: a gdb remote server over a recorded run. `weft debug`: the same with gdb started. */
#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/lib/base/installed.h"
#include "tools/lib/debug/server.h"
#include "tools/weft/command.h"
#include "tools/weft/debug_script.h"
#include "tools/weft/debugged.h"
#include "tools/weft/options.h"

static const char gdb_help[] =
    "usage: weft gdb X.wet|FILE.weft [--elf APP.elf] [--svd FILE] [--listen HOST:PORT | --stdio]\n\n"
    "A gdb remote server over a recorded run: the stock client steps through it forwards and backwards. Of a whole\n"
    "execution trace (`weft wet build`) registers and memory are those of the run at each instant; of a recording of\n"
    "probes, from a board too: lines, calls, and the memory that the probes announced. What no record says is "
    "unknown,\n"
    "never 0.\n\n"
    "  --elf      the program; default: NAME.elf beside NAME.wet or NAME.weft\n"
    "  --svd      names of device registers (CMSIS-SVD), for `monitor weft why`\n"
    "  --listen   where to listen, one client after another; default: 127.0.0.1:1234. Without HOST: 127.0.0.1\n"
    "  --stdio    serve standard input and output: (gdb) target remote | weft gdb X.wet --elf APP.elf --stdio\n\n"
    "In gdb: `monitor weft help` lists what else can be asked. docs/DEBUGGER.md has a session.\n";

static const char debug_help[] =
    "usage: weft debug X.wet|FILE.weft [--elf APP.elf] [--svd FILE] [--gdb PROGRAM]\n\n"
    "Starts gdb on a recorded run, `weft gdb` being the server. In gdb, `weft COMMAND` is `monitor weft COMMAND`, and\n"
    "`weft goto` shows where it went. Of a recording of probes, `backtrace` and `finish` go by the calls that were\n"
    "recorded. Without --gdb it is gdb-multiarch, arm-none-eabi-gdb or gdb, whichever is found first. Without --elf it "
    "is\n"
    "NAME.elf beside NAME.wet or NAME.weft. --svd: names of device registers (CMSIS-SVD), for `weft why`.\n";

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
    if (!host_split(text, host, sizeof host, &port) || port[strspn(port, "0123456789")] ||
        strtoul(port, NULL, 10) > 65535)
        return -command_fail("gdb", EXIT_USAGE, "--listen takes HOST:PORT, not '%s'", text);
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

/* One client after another, until a signal ends us, or the file turns out to be damaged. */
static int serve_all(debug_subject *s, const char *where)
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
        int failed = debug_serve(s, client, client);
        if (failed)
            command_fail("gdb", EXIT_HOST, "a client: %s", strerror(failed));
        close(client);
        if (debug_subject_spoilt(s)) /* which is said below */
            return EXIT_DONE;
    }
}

typedef struct gdb_options {
    const char *elf, *svd, *listen, *gdb;
    bool stdio;
} gdb_options;

/* As debugged_open, with the names of devices. */
static debug_subject *open_named(const char *command, const char *path, gdb_options *o, int *status)
{
    char message[512];
    debug_subject *s = debugged_open(command, path, &o->elf, status);
    if (!s || !o->svd || debugged_devices(s, o->svd, message, sizeof message))
        return s;
    *status = command_fail(command, EXIT_INPUT, "%s", message);
    debug_subject_close(s);
    return NULL;
}

int command_gdb(int argc, char **argv)
{
    gdb_options o = {0};
    int failed;
    const command_option list[] = {{"elf", .text = &o.elf},
                                   {"svd", .text = &o.svd},
                                   {"listen", .text = &o.listen},
                                   {"stdio", .flag = &o.stdio},
                                   {NULL}};
    int status = command_options(argc, argv, gdb_help, list);
    if (status != OPTIONS_READ)
        return status;
    if (o.stdio && o.listen)
        return command_fail("gdb", EXIT_USAGE, "--listen and --stdio exclude each other");
    debug_subject *s = open_named("gdb", argc - optind == 1 ? argv[optind] : NULL, &o, &status);
    if (!s)
        return status;
    signal(SIGPIPE, SIG_IGN);
    status = EXIT_DONE;
    if (!o.stdio)
        status = serve_all(s, o.listen ? o.listen : "127.0.0.1:1234");
    else if ((failed = debug_serve(s, STDIN_FILENO, STDOUT_FILENO)))
        status = command_fail("gdb", EXIT_HOST, "cannot read from the client, or write to it: %s", strerror(failed));
    return debugged_close("gdb", s, argv[optind], status);
}

/* ---- weft debug ---- */

/* A word for the shell that gdb starts us with. */
static bool quoted(char *out, size_t size, const char *text)
{
    size_t at = 0;
    if (size < 3)
        return false;
    out[at++] = '\'';
    for (; *text; text++) {
        if (at + 7 > size)
            return false;
        if (*text == '\'')
            at += (size_t)snprintf(out + at, size - at, "'\\''");
        else
            out[at++] = *text;
    }
    out[at++] = '\'';
    out[at] = 0;
    return true;
}

/* target remote | SELF gdb WET --elf ELF --stdio --svd SVD */
static bool target_command(char *out, size_t size, const char *wet, const char *elf, const char *svd)
{
    char self[PATH_MAX], words[4][PATH_MAX];
    if (!installed_self(self, sizeof self))
        return false;
    if (!quoted(words[0], sizeof words[0], self) || !quoted(words[1], sizeof words[1], wet) ||
        !quoted(words[2], sizeof words[2], elf) || !quoted(words[3], sizeof words[3], svd ? svd : ""))
        return false;
    int used = snprintf(out, size, "target remote | %s gdb %s --elf %s --stdio%s%s", words[0], words[1], words[2],
                        svd ? " --svd " : "", svd ? words[3] : "");
    return used > 0 && (size_t)used < size;
}

/* The script as a file without a name, which gdb opens by its descriptor. False: it cannot be made. */
static bool script_file(char *name, size_t size)
{
    FILE *file = tmpfile();
    if (!file || fputs(debug_script, file) < 0 || fflush(file))
        return false;
    snprintf(name, size, "/dev/fd/%d", fileno(file));
    return true;
}

/* Becomes gdb; returns only if it cannot. */
static int become_gdb(const char *program, const char *elf, char *target)
{
    static const char *const programs[] = {"gdb-multiarch", "arm-none-eabi-gdb", "gdb"};
    char name[32];
    if (!script_file(name, sizeof name))
        return command_fail("debug", EXIT_HOST, "cannot write a temporary file: %s", strerror(errno));
    for (size_t i = 0; i < (program ? 1 : sizeof programs / sizeof *programs); i++) {
        const char *one = program ? program : programs[i];
        execlp(one, one, "-q", "-x", name, "-ex", target, elf, (char *)NULL);
    }
    return command_fail("debug", EXIT_HOST, "cannot start %s: %s", program ? program : "gdb-multiarch or gdb",
                        strerror(errno));
}

int command_debug(int argc, char **argv)
{
    gdb_options o = {0};
    const command_option list[] = {{"elf", .text = &o.elf}, {"svd", .text = &o.svd}, {"gdb", .text = &o.gdb}, {NULL}};
    char target[5 * PATH_MAX];
    int status = command_options(argc, argv, debug_help, list);
    if (status != OPTIONS_READ)
        return status;
    debug_subject *s = open_named("debug", argc - optind == 1 ? argv[optind] : NULL, &o, &status);
    if (!s) /* reported here, not by the server */
        return status;
    debug_subject_close(s);
    if (!target_command(target, sizeof target, argv[optind], o.elf, o.svd))
        return command_fail("debug", EXIT_USAGE, "the paths are too long");
    return become_gdb(o.gdb, o.elf, target);
}
