/* SPDX-License-Identifier: MIT */
/* Raw streams are counted while they are read. For the most frequent sequences alone it takes less time and memory to
 * go through a stream twice (tools/lib/profile/sequences_sieve.c). Files are read twice. The symbols of a pipe are
 * kept, up to a bound; if it has more, it is counted in one turn after all. */
#include "tools/weft/paths_raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/profile/sequences_kept.h"
#include "tools/lib/profile/sequences_sieve.h"
#include "tools/lib/profile/sequences_stream.h"
#include "tools/weft/command.h"

/* ---- the symbols of all files, in blocks ---- */

/* symbols of a pipe that are kept, 4 bytes each : 0 to 2^30 : more: longer pipes take less time */
enum { KEPT_MAX = 1 << 24 };
enum { LONG = 6 /* paths of sequences; shorter ones are counted as they come, in less time : 5 to 8 */ };

typedef struct kept {
    uint32_t *paths;
    size_t count;
    bool begins; /* the first block of its file */
} kept;

typedef struct blocks {
    const char *name;
    char **files, **file; /* file: the one that is open */
    input *in;
    input_format format;
    int status;
    bool regular, begins; /* all files can be read again; the next block that is read is the first of its file */
    uint32_t *room;
    size_t max; /* symbols of a block */
    kept *all;  /* of files that are not regular */
    size_t count, all_max, at;
    uint64_t symbols;
} blocks;

static bool can_read_twice(char **files)
{
    struct stat about;
    for (; *files; files++)
        if (!strcmp(*files, "-") || stat(*files, &about) || !S_ISREG(about.st_mode))
            return false;
    return true;
}

/* Whether all blocks so far can be had again. */
static bool can_repeat(const blocks *b)
{
    return b->regular || b->symbols <= KEPT_MAX;
}

static void open_file(blocks *b)
{
    b->begins = true;
    if (!input_open_next(b->in, *b->file))
        b->status = command_fail(b->name, EXIT_INPUT, "cannot read '%s': %s", *b->file, strerror(errno));
}

/* Reads a block. 0: there is none, or b->status says why. */
static size_t read_block(blocks *b)
{
    while (b->status == EXIT_DONE && *b->file) {
        size_t count = input_symbols(b->in, b->room, b->max);
        if (count)
            return count;
        if (input_error(b->in))
            b->status = command_fail(b->name, EXIT_INPUT, "%s: %s", *b->file, input_error(b->in));
        else if (*++b->file)
            open_file(b);
    }
    return 0;
}

/* The next block; how many symbols. 0: the end, or b->status. */
static size_t next_block(blocks *b, const uint32_t **paths, bool *begins)
{
    if (b->at == b->count) {
        size_t count = read_block(b);
        *paths = b->room;
        *begins = b->begins;
        b->begins = b->begins && !count;
        if (!count || b->regular || !can_repeat(b))
            return count;
        b->all = memory_room(b->all, b->count, &b->all_max, sizeof *b->all);
        b->all[b->count++] = (kept){memory_copy(b->room, count, sizeof *b->room), count, *begins};
        b->symbols += count;
    }
    const kept *next = &b->all[b->at++];
    *paths = next->paths;
    *begins = next->begins;
    return next->count;
}

/* Goes to the first block again. */
static void begin_again(blocks *b)
{
    b->at = 0;
    if (!b->regular)
        return;
    b->file = b->files;
    open_file(b);
}

static void blocks_free(blocks *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->all[i].paths);
    free(b->all);
    free(b->room);
    input_close(b->in);
}

/* ---- counting ---- */

/* Where an activation begins: at this symbol. NULL: nowhere. */
static const uint32_t *star_of(const blocks *b, uint32_t *star)
{
    *star = '*';
    bool has = b->format == INPUT_CHARS || (b->format == INPUT_TEXT && input_find(b->in, "*", star));
    return has ? star : NULL;
}

static void count_once(blocks *b, sequences *all)
{
    const uint32_t *paths;
    uint32_t place = 0, symbol;
    bool begins;
    for (size_t count; (count = next_block(b, &paths, &begins)) > 0;) {
        place = begins ? 0 : place;
        sequences_take(all, &place, paths, count, star_of(b, &symbol));
        progress_show(sequences_events(all), "events");
    }
    progress_end();
}

/* One of two turns. Gives the check sum of the stream. It ends early where there can be no other turn. */
static uint64_t count_turn(blocks *b, sequences *counts)
{
    const uint32_t *paths;
    uint32_t symbol;
    bool begins;
    sequences_stream *stream = sequences_stream_new(counts);
    for (size_t count; can_repeat(b) && (count = next_block(b, &paths, &begins)) > 0;) {
        if (begins)
            sequences_stream_enter(stream);
        sequences_stream_push(stream, paths, count, star_of(b, &symbol));
        progress_show(sequences_stream_events(stream), "events");
    }
    progress_end();
    return sequences_stream_close(stream);
}

/* Whether only the most frequent sequences are asked for, and so long ones that it takes less to count them in two
 * turns. */
static bool is_worth_it(const paths_options *o)
{
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

/* NULL: the most frequent ones cannot be told without all others, or b->status. */
static sequences *count_twice(blocks *b, const paths_options *o)
{
    sequences *all = sequences_new(SEQUENCES_FIRST);
    uint64_t first = count_turn(b, all);
    all = sequences_again(all, (unsigned)o->k, can_repeat(b) ? (size_t)o->top : 0);
    if (all && b->status == EXIT_DONE) {
        begin_again(b);
        if ((count_turn(b, all) != first || !sequences_same(all)) && b->status == EXIT_DONE)
            b->status =
                command_fail(b->name, EXIT_INPUT, "%s changed while it was read", b->files[1] ? "a file" : b->files[0]);
    }
    return ready(all, o);
}

int paths_raw(const char *name, char **files, const paths_options *o)
{
    blocks b = {.name = name, .files = files, .file = files, .format = o->format, .begins = true};
    b.in = input_open(*files, o->format);
    if (!b.in)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", *files, strerror(errno));
    bool twice = is_worth_it(o);
    b.regular = !twice || can_read_twice(files);
    b.max = twice ? sequences_stream_block() : 4096;
    b.room = memory_grow(NULL, b.max, sizeof *b.room);
    paths_counts all = {.host = twice ? count_twice(&b, o) : NULL};
    if (!all.host && b.status == EXIT_DONE) {
        all.host = sequences_keep(o->k < 2 ? 2 : (unsigned)o->k, o->k < LONG || twice ? 0 : KEPT_MAX, SEQUENCES_TRIAL);
        if (twice)
            begin_again(&b);
        count_once(&b, all.host);
    }
    if (b.status == EXIT_DONE)
        paths_show(&all, b.in, o, NULL);
    paths_counts_free(&all);
    blocks_free(&b);
    return b.status;
}
