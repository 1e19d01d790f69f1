/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/gather.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/recording/chosen.h"

/* All profiles of a file. What was added cannot be taken back, so a bad one after good ones breaks the whole. So does
 * one that has a recording in common with another: which of the two is left out must not depend on their order. */
static bool add_profiles(merged *all, const whole_file *file, bool *broken, char *message, size_t message_size)
{
    size_t at = 0, used = 0;
    const char *why = NULL;
    if ((why = profile_read(all, file->bytes, file->size, &used))) {
        snprintf(message, message_size, "%s", why);
        *broken = all->overflow || !strcmp(why, PROFILE_REPEATS);
        return false;
    }
    for (at = used; at < file->size; at += used)
        if ((why = profile_read(all, file->bytes + at, file->size - at, &used))) {
            snprintf(message, message_size, "the profile at byte %zu: %s", at, why);
            *broken = true;
            return false;
        }
    return true;
}

static gather_end add_recordings(merged *all, intake *in, gather_input input, const intake_left *left, char *message,
                                 size_t message_size)
{
    labels l = {0};
    char *text = intake_labels(in, input.labels);
    bool on = labels_parse(&l, text, message, message_size) ? intake_add(in, all, input.path, &l, left)
                                                            : left->say(left->own, message);
    labels_free(&l);
    free(text);
    if (all->overflow)
        snprintf(message, message_size, "%s", PROFILE_TOO_LARGE);
    return all->overflow ? GATHER_BROKEN : on ? GATHER_ON : GATHER_STOP;
}

/* Of what is not there, the reader says so. */
static bool is_readable(const gather_input *input)
{
    struct stat about;
    return !input->listed || stat(input->path, &about) != 0 || S_ISREG(about.st_mode);
}

gather_end gather_add(merged *all, intake *in, gather_input input, const intake_left *left, char *message,
                      size_t message_size)
{
    bool broken = false, good = false;
    whole_file file;
    if (!is_readable(&input))
        return left->say(left->own, "it is not a regular file") ? GATHER_ON : GATHER_STOP;
    if (!profile_is(input.path))
        return add_recordings(all, in, input, left, message, message_size);
    if (recording_chosen()) {
        snprintf(message, message_size, "%s", PROFILE_NO_CHOICE);
    } else if (intake_chooses(in)) {
        snprintf(message, message_size, "a merged profile does not tell contexts apart, nor functions");
    } else if (!whole_file_open(&file, input.path)) {
        snprintf(message, message_size, "cannot read it: %s", strerror(errno));
    } else {
        good = add_profiles(all, &file, &broken, message, message_size);
        whole_file_close(&file);
    }
    return broken ? GATHER_BROKEN : good || left->say(left->own, message) ? GATHER_ON : GATHER_STOP;
}

/* ---- lists ---- */

struct gather_list {
    whole_file file;
    uint64_t *place; /* of each STEP-th entry */
    size_t count, places_max;
    char *text;
    size_t text_max;
};

enum { STEP = 64 };

/* The entry that begins at `at` or after it; its end in *end. False: there is none. */
static bool next_entry(const gather_list *list, uint64_t *at, uint64_t *end)
{
    const uint8_t *bytes = list->file.bytes;
    for (; *at < list->file.size; *at = *end + 1) {
        const uint8_t *newline = memchr(bytes + *at, '\n', list->file.size - *at);
        *end = newline ? (uint64_t)(newline - bytes) : list->file.size;
        if (*end > *at && bytes[*at] != '#')
            return true;
    }
    return false;
}

gather_list *gather_list_open(const char *path, char *message, size_t message_size)
{
    gather_list *list = memory_zero(1, sizeof *list);
    if (!whole_file_open(&list->file, path)) {
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
        free(list);
        return NULL;
    }
    const uint8_t *zero = list->file.size ? memchr(list->file.bytes, 0, list->file.size) : NULL;
    if (zero) {
        snprintf(message, message_size, "'%s': byte %zu is zero: a list has one input per line", path,
                 (size_t)(zero - list->file.bytes));
        gather_list_close(list);
        return NULL;
    }
    for (uint64_t at = 0, end = 0; next_entry(list, &at, &end); at = end + 1, list->count++) {
        if (list->count % STEP)
            continue;
        list->place = memory_room(list->place, list->count / STEP, &list->places_max, sizeof *list->place);
        list->place[list->count / STEP] = at;
    }
    if (!list->count) {
        snprintf(message, message_size, "'%s' names no input", path);
        gather_list_close(list);
        return NULL;
    }
    return list;
}

void gather_list_close(gather_list *list)
{
    if (!list)
        return;
    whole_file_close(&list->file);
    free(list->place);
    free(list->text);
    free(list);
}

size_t gather_list_count(const gather_list *list)
{
    return list->count;
}

uint64_t gather_list_digest(const gather_list *list)
{
    return digest_of(0, list->file.bytes, list->file.size);
}

gather_input gather_list_at(gather_list *list, size_t number)
{
    uint64_t at = list->place[number / STEP], end = 0;
    for (size_t i = number / STEP * STEP; next_entry(list, &at, &end) && i < number; i++)
        at = end + 1;
    size_t size = (size_t)(end - at);
    list->text = memory_room(list->text, size, &list->text_max, 1);
    memcpy(list->text, list->file.bytes + at, size);
    list->text[size] = 0;
    if (size && list->text[size - 1] == '\r')
        list->text[size - 1] = 0;
    char *tab = strchr(list->text, '\t');
    if (tab)
        *tab++ = 0;
    return (gather_input){list->text, tab, true};
}
