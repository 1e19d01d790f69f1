/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/weft/command.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/base/digits.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/text.h"

int command_fail(const char *name, int status, const char *format, ...)
{
    va_list args, again;
    char *message = NULL, short_one[512]; /* where there is no memory for all of it */
    fflush(stdout);
    va_start(args, format);
    va_copy(again, args);
    if (vasprintf(&message, format, args) < 0) {
        message = NULL;
        vsnprintf(short_one, sizeof short_one, format, again);
    }
    va_end(again);
    va_end(args);
    fprintf(stderr, "weft %s: ", name);
    text_print(stderr, message ? message : short_one); /* messages name files, and what stands in them */
    fputc('\n', stderr);
    free(message);
    return status;
}

bool command_same_file(const char *in, const char *out)
{
    struct stat a, b;
    return (strcmp(in, "-") ? stat(in, &a) : fstat(STDIN_FILENO, &a)) == 0 &&
           (strcmp(out, "-") ? stat(out, &b) : fstat(STDOUT_FILENO, &b)) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int command_output(const char *name, const char *out, bool json, bool binary)
{
    if (!out || !output_is_standard(out))
        return EXIT_DONE;
    if (json)
        return command_fail(name, EXIT_USAGE, "--json and the file cannot both go to standard output");
    if (binary && isatty(STDOUT_FILENO))
        return command_fail(name, EXIT_USAGE, "the file is not text, and standard output is a terminal");
    return EXIT_DONE;
}

FILE *command_says(const char *out)
{
    return out && output_is_standard(out) ? stderr : stdout;
}

int command_keep_input(const char *name, const char *in, const char *out)
{
    if (!in || !out || !command_same_file(in, out))
        return EXIT_DONE;
    return command_fail(name, EXIT_USAGE, "'%s' is an input: it would be written over", out);
}

int command_number(const char *name, const char *option, const char *text, long long min, long long max,
                   long long *value)
{
    uint64_t size;
    bool below = *text == '-', good = digits_whole(text + below, &size) && size <= LLONG_MAX;
    long long number = good ? (below ? -(long long)size : (long long)size) : 0;
    if (!good || number < min || number > max) {
        command_fail(name, EXIT_USAGE, "%s takes a whole number from %lld to %lld, not '%s'", option, min, max, text);
        return 0;
    }
    *value = number;
    return 1;
}

uint64_t command_memory(const char *path)
{
    struct stat status;
    bool file = path && strcmp(path, "-") && stat(path, &status) == 0 && S_ISREG(status.st_mode);
    uint64_t usual = COMMAND_MEMORY_BASE + (file ? COMMAND_MEMORY_FACTOR * (uint64_t)status.st_size : 0);
    return memory_limit() ? memory_limit() : usual;
}

bool command_summary(bool asked, bool other)
{
    return asked || (!other && isatty(STDOUT_FILENO));
}

unsigned command_columns(void)
{
    enum { LEAST = 40, USUAL = 80, MOST = 240 };
    struct winsize size;
    const char *told = getenv("COLUMNS");
    long columns = told ? strtol(told, NULL, 10) : 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
        columns = size.ws_col;
    if (columns <= 0)
        return USUAL;
    return columns < LEAST ? LEAST : columns > MOST ? MOST : (unsigned)columns;
}

unsigned command_width(bool summary)
{
    return summary ? command_columns() : UINT_MAX;
}
