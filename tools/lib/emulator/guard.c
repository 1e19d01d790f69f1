/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/emulator/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"

#define NAME_SIZE 1024u

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#error "guard.c: which AUDIT_ARCH_ is this machine's?"
#endif

struct guard {
    const char *name, *path, *own;
    int ends[2]; /* of a socket pair: ours and the child's; the listener comes through it */
    int listener;
    pthread_t thread;
    bool serving;
    atomic_bool started;
    unsigned refused;
    char first[200];
};

/* A system call that asks for something of the host: what, and which of its arguments are a path and flags, or -1. */
static const struct asked {
    int number;
    const char *what;
    int path, flags;
} asked[] = {
    {SYS_openat, "open", 1, 2},
#ifdef SYS_open
    {SYS_open, "open", 0, 1},
    {SYS_creat, "make", 0, -1},
    {SYS_unlink, "remove", 0, -1},
    {SYS_rename, "rename", 0, -1},
#endif
#ifdef SYS_renameat
    {SYS_renameat, "rename", 1, -1},
#endif
    {SYS_openat2, "open", 1, -1},
    {SYS_unlinkat, "remove", 1, -1},
    {SYS_renameat2, "rename", 1, -1},
    {SYS_linkat, "link", 1, -1},
    {SYS_symlinkat, "link", 2, -1},
    {SYS_execve, "run a program", 0, -1},
    {SYS_execveat, "run a program", 1, -1},
};

enum { ASKED = sizeof asked / sizeof *asked };

guard *guard_new(const char *name, const char *path, const char *own)
{
    guard *g = memory_zero(1, sizeof *g);
    *g = (guard){.name = name, .path = path, .own = own, .listener = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, g->ends) == 0)
        return g;
    free(g);
    return NULL;
}

/* ---- in the child ---- */

static int install(void)
{
    struct sock_filter code[ASKED + 8], *to = code;
    *to++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    *to++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    *to++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    *to++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    *to++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* another way to number calls */
    *to++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    for (unsigned i = 0; i < ASKED; i++)
        *to++ =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)asked[i].number, (uint8_t)(ASKED - i), 0);
    *to++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    *to++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {(unsigned short)(to - code), code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* A message of one byte, with room for a file descriptor. */
typedef struct fd_message {
    char byte;
    struct iovec part;
    struct msghdr message;
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control; /* last: `head` ends in an array without a size */
} fd_message;

static void fd_message_make(fd_message *m)
{
    *m = (fd_message){0};
    m->part = (struct iovec){&m->byte, 1};
    m->message = (struct msghdr){.msg_iov = &m->part,
                                 .msg_iovlen = 1,
                                 .msg_control = m->control.bytes,
                                 .msg_controllen = sizeof m->control.bytes};
}

static bool send_fd(int to, int fd)
{
    fd_message m;
    fd_message_make(&m);
    struct cmsghdr *c = CMSG_FIRSTHDR(&m.message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    return sendmsg(to, &m.message, MSG_NOSIGNAL) == 1;
}

int guard_enter(guard *g)
{
    close(g->ends[0]);
    int listener = install(), error = errno;
    if (listener < 0)
        return error;
    error = send_fd(g->ends[1], listener) ? 0 : errno;
    close(listener);
    close(g->ends[1]);
    return error;
}

/* ---- in the parent ---- */

static int receive_fd(int from)
{
    int fd = -1;
    fd_message m;
    fd_message_make(&m);
    struct cmsghdr *c = recvmsg(from, &m.message, MSG_CMSG_CLOEXEC) == 1 ? CMSG_FIRSTHDR(&m.message) : NULL;
    if (c && c->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}

/* A text may end where nothing follows it: it is read page by page. What cannot be read is "". */
static void read_name(pid_t pid, uint64_t address, char name[NAME_SIZE])
{
    memset(name, 0, NAME_SIZE);
    for (size_t have = 0; have < NAME_SIZE - 1 && (!have || !memchr(name, 0, have));) {
        size_t size = 4096 - (address + have) % 4096, left = NAME_SIZE - 1 - have;
        size = size < left ? size : left;
        struct iovec to = {name + have, size}, from = {(void *)(uintptr_t)(address + have), size};
        if (process_vm_readv(pid, &to, 1, &from, 1, 0) != (ssize_t)size)
            return;
        have += size;
    }
}

/* Opens the program's file and gives it a descriptor for it. The answer: that, or an error below 0. */
static int give_file(const guard *g, const struct seccomp_notif *n, int flags)
{
    int fd = open(g->path, (flags & (O_ACCMODE | O_APPEND | O_TRUNC)) | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    struct seccomp_notif_addfd add = {.id = n->id, .srcfd = (uint32_t)fd, .newfd_flags = O_CLOEXEC};
    int given = ioctl(g->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add), error = errno;
    close(fd);
    return given >= 0 ? given : -error;
}

static void note(guard *g, const char *what, const char *name)
{
    if (!g->refused++)
        snprintf(g->first, sizeof g->first, "%s '%.150s'", what, name);
}

/* Requests that the emulator makes for itself. They are refused too, but not reported. Its C library makes one when a
 * thread frees much memory. From version 8 on the emulator makes one to print who stopped it, which is this process. */
static bool is_emulators(const char *name)
{
    char stopper[40];
    snprintf(stopper, sizeof stopper, "/proc/%ld/cmdline", (long)getpid());
    return !strcmp(name, "/proc/sys/vm/overcommit_memory") || !strcmp(name, stopper);
}

static void decide(guard *g, const struct seccomp_notif *n, struct seccomp_notif_resp *answer)
{
    const struct asked *a = asked;
    char name[NAME_SIZE];
    while (a->number != n->data.nr)
        a++;
    if (!atomic_load(&g->started)) {
        answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        return;
    }
    read_name((pid_t)n->pid, n->data.args[a->path], name);
    int result = -EACCES;
    if (a->flags >= 0 && g->name && !strcmp(name, g->name))
        result = give_file(g, n, (int)n->data.args[a->flags]);
    else if (strcmp(name, g->own) && !is_emulators(name))
        note(g, a->what, name);
    answer->error = result < 0 ? result : 0;
    answer->val = result < 0 ? 0 : result;
}

static void *serve(void *context)
{
    guard *g = context;
    g->listener = receive_fd(g->ends[0]);
    for (;;) {
        struct pollfd p = {g->listener, POLLIN, 0};
        if (g->listener < 0 || (poll(&p, 1, -1) < 0 && errno != EINTR) || p.revents & (POLLHUP | POLLERR))
            return NULL;
        struct seccomp_notif n;
        memset(&n, 0, sizeof n);
        if (ioctl(g->listener, SECCOMP_IOCTL_NOTIF_RECV, &n))
            continue; /* the process that asked is gone, or poll was interrupted */
        struct seccomp_notif_resp answer = {.id = n.id};
        decide(g, &n, &answer);
        ioctl(g->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer); /* fails if the process that asked is gone */
    }
}

bool guard_serve(guard *g)
{
    close(g->ends[1]);
    g->ends[1] = -1;
    sigset_t all, before; /* signals are for the thread that waits for the child's end */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&g->thread, NULL, serve, g);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    g->serving = error == 0;
    errno = error;
    return g->serving;
}

void guard_start(guard *g)
{
    atomic_store(&g->started, true);
}

unsigned guard_end(guard *g, char *first, size_t room)
{
    if (g->serving)
        pthread_join(g->thread, NULL);
    unsigned refused = g->refused;
    snprintf(first, room, "%s", g->first);
    if (g->listener >= 0)
        close(g->listener);
    close(g->ends[0]);
    if (g->ends[1] >= 0)
        close(g->ends[1]);
    free(g);
    return refused;
}
