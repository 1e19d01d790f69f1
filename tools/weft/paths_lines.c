/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* the unlocked functions of stdio */
#include "tools/weft/paths_lines.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/threads.h"

/* ---- a line ---- */

enum {
    STEP = 32,            /* bytes that are copied at once: texts and lines have as much room after their end */
    NUMBER_MAX = 20,      /* digits of 64 bits */
    LINES_SIZE = 1 << 20, /* bytes of lines that wait for their turn */
    PROGRESS = 4096       /* lines */
};

/* Gives the digits of a number; returns how many. */
static inline size_t put_number(char *to, uint64_t number)
{
    size_t size = 1;
    for (uint64_t power = 10; size < NUMBER_MAX && number >= power; power *= 10)
        size++;
    char *at = to + size;
    for (; number > UINT32_MAX; number /= 10)
        *--at = (char)('0' + number % 10);
    for (uint32_t rest = (uint32_t)number; at > to; rest /= 10)
        *--at = (char)('0' + rest % 10);
    return size;
}

static bool has_names(const path_lines *l)
{
    return l->in && (l->format == INPUT_TEXT || l->format == INPUT_I64);
}

static void append_path(path_lines *l, unsigned at, uint32_t path)
{
    bool chars = l->format == INPUT_CHARS;
    const char *name = has_names(l) ? input_name(l->in, path, NULL) : NULL;
    size_t size = name ? strlen(name) : NUMBER_MAX, start = at ? l->end[at] : 0;
    l->text = memory_room(l->text, start + 1 + size + STEP, &l->text_max, 1);
    l->text[start] = ' ';
    start += at && !chars;
    if (name)
        memcpy(l->text + start, name, size);
    else if (chars)
        l->text[start] = (char)path;
    else
        size = put_number(l->text + start, path);
    l->path[at] = path;
    l->end[at + 1] = start + (chars ? 1 : size);
}

/* The text of a sequence, whose first `same` paths may be the last one's. */
static void make_text(path_lines *l, const uint32_t *path, unsigned same, unsigned length)
{
    for (unsigned n = same < l->length ? same : l->length; n < length; n++)
        append_path(l, n, path[n]);
    l->length = length;
}

/* The line of the first `length` paths of the text. */
static inline void add_line(path_lines *l, unsigned length, uint64_t count, char last)
{
    size_t size = l->end[length];
    l->bytes = memory_room(l->bytes, l->size + NUMBER_MAX + 2 + size + STEP, &l->max, 1);
    char *to = l->bytes + l->size;
    to += put_number(to, count);
    *to++ = '\t';
    for (size_t i = 0; i < size; i += STEP)
        memcpy(to + i, l->text + i, STEP);
    to[size] = last;
    l->size = (size_t)(to + size + 1 - l->bytes);
}

void path_lines_add(path_lines *l, const uint32_t *path, unsigned length, uint64_t count, char last)
{
    unsigned same = 0;
    while (same < l->length && same < length && l->path[same] == path[same])
        same++;
    make_text(l, path, same, length);
    add_line(l, length, count, last);
}

void path_lines_free(path_lines *l)
{
    free(l->bytes);
    free(l->text);
}

/* ---- all of them ---- */

typedef struct printing {
    const sequences *all;
    unsigned depth;
    const input *in;
    input_format format;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t turn;
    size_t block; /* the one whose lines may be written */
    path_lines spare[THREADS_MAX];
    size_t spares;
    uint64_t printed;
} printing;

/* A thread's block. */
typedef struct block_lines {
    printing *of;
    size_t block;
    path_lines lines;
    uint64_t count; /* of the lines */
} block_lines;

/* Waits until the blocks before are written. */
static void write_lines(block_lines *b, bool last)
{
    printing *p = b->of;
    pthread_mutex_lock(&p->lock);
    while (p->block != b->block)
        pthread_cond_wait(&p->turn, &p->lock);
    pthread_mutex_unlock(&p->lock);
    if (b->lines.size)
        fwrite_unlocked(b->lines.bytes, 1, b->lines.size, stdout);
    b->lines.size = 0;
    p->printed += b->count;
    b->count = 0;
    progress_printed(p->printed / PROGRESS * PROGRESS, "sequences");
    if (!last)
        return;
    pthread_mutex_lock(&p->lock);
    p->block++;
    pthread_cond_broadcast(&p->turn);
    pthread_mutex_unlock(&p->lock);
}

static void add_lines(void *context, const uint32_t *path, unsigned first, unsigned length, const uint64_t *count)
{
    block_lines *b = context;
    make_text(&b->lines, path, first - 1, length);
    for (unsigned n = first; n <= length; n++)
        add_line(&b->lines, n, count[n], '\n');
    b->count += length - first + 1;
    if (b->lines.size >= LINES_SIZE)
        write_lines(b, false);
}

static void print_block(void *own, size_t block)
{
    printing *p = own;
    block_lines b = {.of = p, .block = block, .lines = {.in = p->in, .format = p->format}};
    pthread_mutex_lock(&p->lock);
    if (p->spares)
        b.lines = p->spare[--p->spares];
    pthread_mutex_unlock(&p->lock);
    b.lines.length = 0;
    sequences_block(p->all, block, p->depth, add_lines, &b);
    write_lines(&b, true);
    pthread_mutex_lock(&p->lock);
    p->spare[p->spares++] = b.lines;
    pthread_mutex_unlock(&p->lock);
}

void paths_lines_print(sequences *all, unsigned depth, const uint32_t *rank, const input *in, input_format format)
{
    printing p = {.all = all, .depth = depth, .in = in, .format = format};
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.turn, NULL);
    threads_run(sequences_blocks(all, rank), print_block, &p);
    while (p.spares)
        path_lines_free(&p.spare[--p.spares]);
    pthread_cond_destroy(&p.turn);
    pthread_mutex_destroy(&p.lock);
}
