/* SPDX-License-Identifier: MIT */
/* Raw streams are counted while they are read once. Only for the most frequent sequences, files are read twice, which
 * takes less time and memory (tools/lib/profile/sequences_sieve.c). */
#include "tools/weft/paths_raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/profile/sequences_sieve.h"
#include "tools/lib/profile/sequences_stream.h"
#include "tools/weft/command.h"

/* Where the stream's block begins an activation: at this symbol. NULL: nowhere. */
static const uint32_t *star_of(const input *in, input_format format, uint32_t *star)
{
    *star = '*';
    return format == INPUT_CHARS || (format == INPUT_TEXT && input_find(in, "*", star)) ? star : NULL;
}

/* What takes the symbols of one file. */
typedef void feed(void *to, input *in, input_format format);

static void feed_once(void *to, input *in, input_format format)
{
    static uint32_t block[4096];
    sequences *all = to;
    uint32_t place = 0, symbol;
    for (size_t size; (size = input_symbols(in, block, sizeof block / sizeof *block)) > 0;) {
        const uint32_t *star = star_of(in, format, &symbol);
        for (size_t i = 0; i < size; i++)
            if (star && block[i] == *star)
                place = 0;
            else
                sequences_push(all, &place, block[i]);
        progress_show(sequences_events(all), "events");
    }
}

static void feed_stream(void *to, input *in, input_format format)
{
    sequences_stream *all = to;
    size_t max = sequences_stream_block(all);
    uint32_t *block = memory_grow(NULL, max, sizeof *block), symbol;
    sequences_stream_enter(all);
    for (size_t size; (size = input_symbols(in, block, max)) > 0;) {
        sequences_stream_push(all, block, size, star_of(in, format, &symbol));
        progress_show(sequences_stream_events(all), "events");
    }
    free(block);
}

/* Reads all files; `in` has the first one open, unless it was read before. */
static int feed_all(const char *name, char **files, input *in, bool read, input_format format, feed *with, void *to)
{
    int status = EXIT_DONE;
    for (char **file = files; *file && status == EXIT_DONE; file++) {
        if ((read || file != files) && !input_open_next(in, *file))
            return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", *file, strerror(errno));
        with(to, in, format);
        progress_end();
        if (input_error(in))
            status = command_fail(name, EXIT_INPUT, "%s: %s", *file, input_error(in));
    }
    return status;
}

static int feed_counts(const char *name, char **files, input *in, bool read, input_format format, sequences *counts,
                       uint64_t *sum)
{
    sequences_stream *stream = sequences_stream_new(counts);
    int status = feed_all(name, files, in, read, format, feed_stream, stream);
    *sum = sequences_stream_close(stream);
    return status;
}

/* Whether only the most frequent sequences are asked for, and so long ones that it takes less to count them in two
 * turns. */
static bool is_worth_it(const paths_options *o)
{
    enum { LONG = 6 }; /* up to that many paths one turn takes as long as two : 5 to 8 */
    return o->k >= LONG && o->top != PATHS_ALL && (o->as_json || !command_summary(o->summary, true));
}

static void visit_nothing(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    (void)context;
    (void)path;
    (void)length;
    (void)count;
}

/* `counts` of the second turn (or NULL), if it has what is asked for. Else it is freed: NULL. */
static sequences *ready(sequences *counts, const paths_options *o)
{
    if (!counts || sequences_top(counts, (unsigned)o->k, NULL, (size_t)o->top, visit_nothing, NULL))
        return counts;
    sequences_free(counts);
    return NULL;
}

static bool can_read_twice(char **files)
{
    struct stat about;
    for (; *files; files++)
        if (!strcmp(*files, "-") || stat(*files, &about) || !S_ISREG(about.st_mode))
            return false;
    return true;
}

/* *counts: NULL if the most frequent ones cannot be told without all others. */
static int count_twice(const char *name, char **files, input *in, const paths_options *o, sequences **counts)
{
    uint64_t first, second;
    sequences *all = sequences_new(SEQUENCES_FIRST);
    int status = feed_counts(name, files, in, false, o->format, all, &first);
    all = sequences_again(all, (unsigned)o->k, (size_t)o->top);
    if (all && status == EXIT_DONE) {
        status = feed_counts(name, files, in, true, o->format, all, &second);
        if (status == EXIT_DONE && (first != second || !sequences_same(all)))
            status = command_fail(name, EXIT_INPUT, "%s changed while it was read", files[1] ? "a file" : files[0]);
    }
    *counts = ready(all, o);
    return status;
}

int paths_raw(const char *name, char **files, const paths_options *o)
{
    input *in = input_open(*files, o->format);
    if (!in)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", *files, strerror(errno));
    paths_counts all = {0};
    bool twice = is_worth_it(o) && can_read_twice(files);
    int status = twice ? count_twice(name, files, in, o, &all.host) : EXIT_DONE;
    if (!all.host && status == EXIT_DONE) {
        all.host = sequences_new(o->k < 2 ? 2 : (unsigned)o->k);
        status = feed_all(name, files, in, twice, o->format, feed_once, all.host);
    }
    if (status == EXIT_DONE)
        paths_show(&all, in, o, NULL);
    paths_counts_free(&all);
    input_close(in);
    return status;
}
