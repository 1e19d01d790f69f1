/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/given_names.h"
#include "tools/lib/image/vectors.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"

static int by_number(const void *left, const void *right)
{
    const given_name *a = left, *b = right;
    if (a->recording != b->recording)
        return a->recording < b->recording ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void add_frame(given_names *names, const container_frame *frame)
{
    weft_reader reader;
    frame_name name;
    weft_reader_init(&reader, frame->frame.body, frame->frame.body_size);
    while (frame_names_next(&reader, &name)) {
        names->all = memory_room(names->all, names->count, &names->max, sizeof *names->all);
        char *text = memory_grow(NULL, name.size + 1, 1);
        memcpy(text, name.text, name.size);
        text[name.size] = 0;
        names->all[names->count++] = (given_name){frame->recording, name.number, text};
    }
}

static const char ended_thread[] = "ended thread"; /* whose name was forgotten */

/* A number's name while its names are read in their order. */
typedef struct settling {
    given_name *name;
    size_t last; /* of its text, where the last name begins */
} settling;

/* Another text for the number. Memory and number of a thread that has ended may be another's: its name follows. */
static void take_text(settling *s, const char *text)
{
    enum { ENOUGH = 120 };
    char *joined, *before = s->name->text;
    size_t size;
    if (!*text || s->last > ENOUGH || !strcmp(before + s->last, text))
        return;
    FILE *out = memory_stream(&joined, &size);
    fprintf(out, "%s, then ", *before ? before : ended_thread);
    fflush(out);
    s->last = size;
    fputs(size > ENOUGH ? "others" : text, out);
    fclose(out);
    free(before);
    s->name->text = joined;
}

/* Of equal numbers one stays. */
static void settle(given_names *names)
{
    settling s = {NULL, 0};
    size_t to = 0;
    for (size_t i = 0; i < names->count; i++) {
        given_name *name = &names->all[i];
        if (s.name && by_number(s.name, name) == 0) {
            take_text(&s, name->text);
            free(name->text);
            continue;
        }
        s = (settling){&names->all[to], 0};
        names->all[to++] = *name;
    }
    names->count = to;
    for (size_t i = 0; i < to; i++)
        if (!*names->all[i].text) {
            free(names->all[i].text);
            names->all[i].text = memory_text(ended_thread);
        }
}

/* A stable sort: of equal numbers the last one given stays last. */
static void sort(given_name *all, given_name *scratch, size_t count)
{
    size_t half = count / 2, a = 0, b = half;
    if (count < 2)
        return;
    sort(all, scratch, half);
    sort(all + half, scratch, count - half);
    for (size_t i = 0; i < count; i++)
        scratch[i] = b == count || (a < half && by_number(&all[a], &all[b]) <= 0) ? all[a++] : all[b++];
    memcpy(all, scratch, count * sizeof *all);
}

void given_names_read(given_names *names, const container *file)
{
    uint8_t *buffer = NULL;
    size_t frames = container_frame_count(file);
    for (size_t i = container_next(file, WEFT_FRAME_NAMES, 0); i < frames;
         i = container_next(file, WEFT_FRAME_NAMES, i + 1)) {
        container_frame frame;
        container_read(file, i, &frame, &buffer);
        add_frame(names, &frame);
    }
    given_name *scratch = memory_grow(NULL, names->count + 1, sizeof *scratch);
    sort(names->all, scratch, names->count);
    free(scratch);
    settle(names);
    free(buffer);
}

void given_names_free(given_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->all[i].text);
    free(names->all);
    *names = (given_names){0};
}

const char *given_names_text(const given_names *names, uint32_t recording, uint32_t number)
{
    given_name sought = {recording, number, NULL};
    const given_name *found =
        names->count ? bsearch(&sought, names->all, names->count, sizeof sought, by_number) : NULL;
    return found ? found->text : NULL;
}

bool given_names_find(const container *file, const char *text, const image *im, uint32_t *context)
{
    given_names names = {0};
    if (file)
        given_names_read(&names, file);
    bool found = false;
    for (size_t i = 0; i < names.count && !found; i++) {
        found = names.all[i].number % 2 == 0 && !strcmp(names.all[i].text, text);
        if (found)
            *context = names.all[i].number / 2; /* NAMES_CONTEXT */
    }
    given_names_free(&names);
    return found || vectors_find(im, text, context);
}

void given_names_give(const container *file, program *app)
{
    given_names names = {0};
    given_names_read(&names, file);
    for (size_t i = 0; i < names.count; i++)
        if (names.all[i].number % 2 == 0)
            program_give_context(app, names.all[i].number / 2, names.all[i].text); /* NAMES_CONTEXT */
    given_names_free(&names);
}
