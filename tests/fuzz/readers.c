/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Replays what the fuzzers found, tests/fuzz/corpus/READER/INPUT, under the sanitizers. Each input has a time limit.
 * `readers FOLDER` takes another folder. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/readers.h"
#include "tools/weft/command.h"

enum { SECONDS_MAX = 60, INPUT_MAX = 1 << 20 };

static char folder[] = "/tmp/weft-readers.XXXXXX", report[64];

static size_t *done; /* inputs that were begun, shared with the child */

/* The inputs of a folder, then the first inputs of the reader. */
typedef struct inputs {
    const char *corpus;
    struct dirent **all;
    size_t files, count;
} inputs;

/* Reads input number `n` into `bytes`. Returns its size; 0: there are no more. */
static size_t take(const reader *r, const inputs *in, size_t n, uint8_t *bytes)
{
    char path[600];
    if (n >= in->files)
        return reader_first(r, n - in->files, bytes, INPUT_MAX);
    snprintf(path, sizeof path, "%s/%s/%s", in->corpus, r->name, in->all[n]->d_name);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, INPUT_MAX, file) : 0;
    if (file)
        fclose(file);
    return size;
}

/* In the child: runs the inputs from *done on. It ends with status 0, or when a command or a sanitizer ends it. */
static void run_all(const reader *r, const inputs *in)
{
    static uint8_t bytes[INPUT_MAX];
    int errors = open(report, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (errors < 0 || dup2(errors, STDERR_FILENO) < 0)
        _exit(EXIT_USAGE);
    close(errors);
    readers_start(folder);
    while (*done < in->count) {
        size_t size = take(r, in, (*done)++, bytes);
        if (!size)
            _exit(EXIT_USAGE);
        alarm(SECONDS_MAX);
        reader_run(r, bytes, size);
    }
    exit(EXIT_DONE);
}

static void print_report(void)
{
    char line[300];
    FILE *file = fopen(report, "r");
    for (int i = 0; file && i < 30 && fgets(line, sizeof line, file); i++)
        printf("# %s", line);
    if (file)
        fclose(file);
}

/* Runs inputs in a child. True: the child ended as it may. The return value of a command does not matter: it ends
 * the process only where memory is refused, or after a long output. Sanitizers end it with status 1 or a signal. */
static bool survives(const reader *r, const inputs *in)
{
    int status = 0;
    size_t from = *done;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run_all(r, in);
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && (WEXITSTATUS(status) == EXIT_DONE || WEXITSTATUS(status) == EXIT_HOST) && *done > from)
        return true;
    printf("# %s/%s/%s ended with %s %d\n", in->corpus, r->name,
           *done && *done <= in->files ? in->all[*done - 1]->d_name : "(a first input)",
           WIFEXITED(status) ? "status" : "signal", WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    print_report();
    *done += *done == from; /* skip this input if the child never began one */
    return false;
}

static int is_input(const struct dirent *one)
{
    return one->d_name[0] != '.';
}

static bool replay(const reader *r, const char *corpus, size_t *count)
{
    static uint8_t bytes[INPUT_MAX];
    char path[600];
    inputs in = {.corpus = corpus};
    bool good = true;
    snprintf(path, sizeof path, "%s/%s", corpus, r->name);
    int found = scandir(path, &in.all, is_input, alphasort);
    in.files = in.count = found > 0 ? (size_t)found : 0;
    while (found > 0 && reader_first(r, in.count - in.files, bytes, sizeof bytes))
        in.count++;
    for (*done = 0; *done < in.count;)
        good &= survives(r, &in);
    for (size_t i = 0; i < in.files; i++)
        free(in.all[i]);
    free(in.all);
    *count = in.count;
    return good;
}

int main(int argc, char **argv)
{
    int failed = 0;
    done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (done == MAP_FAILED || !mkdtemp(folder))
        return EXIT_HOST;
    snprintf(report, sizeof report, "%s/report", folder);
    for (const reader *r = readers; r->name; r++) {
        size_t count = 0;
        bool good = replay(r, argc > 1 ? argv[1] : "tests/fuzz/corpus", &count) && (count || argc > 1);
        printf("%s inputs_of_%s_do_no_harm\n# %zu inputs\n", good ? "ok" : "not ok", r->name, count);
        failed |= !good;
    }
    unlink(report);
    rmdir(folder);
    return failed;
}
