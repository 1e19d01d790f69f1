/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/places.h"
#include "tools/lib/base/text.h"

#include <string.h>

enum {
    LINES_MAX = 256,
    RUNS_SHOWN = 3, /* runs of lines of a path : 1 to 100 : longer texts, where they are to be short */
};

static bool program_at(void *own, uint32_t path, places_function *function, descriptor_line *lines, size_t max,
                       size_t *count)
{
    program *app = own;
    const descriptor_function *f = descriptors_of_path(program_descriptors(app), path);
    if (!f)
        return false;
    *function = (places_function){f->name, f->file};
    *count = program_path_lines(app, path, lines, max);
    return true;
}

path_places path_places_of(program *app)
{
    return (path_places){app, program_at};
}

/* "file.c:12-14,17", after a blank if `space`; at most `most` runs of lines. `last`: the file that was named before,
 * which is not named again, or NULL. Returns the file named now. */
static const char *print_lines(const descriptor_line *lines, size_t count, size_t most, const char *last, bool space,
                               FILE *file)
{
    for (size_t i = 0; i < count; most--) {
        if (!most) {
            fputs(",..", file);
            break;
        }
        size_t end = i + 1; /* of a run of rising lines */
        while (end < count && !strcmp(lines[end].file, lines[i].file) && lines[end].line == lines[end - 1].line + 1)
            end++;
        if (!last || strcmp(last, lines[i].file)) {
            fputs(space ? " " : "", file);
            text_print(file, text_base(lines[i].file));
            fputc(':', file);
        } else if (i) {
            fputc(',', file);
        }
        space = true;
        last = lines[i].file;
        fprintf(file, end - i > 1 ? "%u-%u" : "%u", lines[i].line, lines[end - 1].line);
        i = end;
    }
    return last;
}

bool places_print(const path_places *all, uint32_t path, FILE *file)
{
    descriptor_line lines[LINES_MAX];
    places_function f;
    size_t count;
    if (!all->at(all->own, path, &f, lines, LINES_MAX, &count))
        return false;
    text_print(file, f.name);
    print_lines(lines, count, SIZE_MAX, NULL, true, file);
    return true;
}

/* What the text of a sequence names already; NULL: nothing. */
typedef struct named {
    const char *function, *file;
} named;

/* A path after the first. Returns what is named then. */
static named print_next(const path_places *all, uint32_t path, bool shorter, named before, FILE *file)
{
    descriptor_line lines[LINES_MAX];
    places_function f;
    size_t count;
    if (!all->at(all->own, path, &f, lines, LINES_MAX, &count))
        return (named){NULL, NULL};
    bool same = shorter && count && before.function && !strcmp(before.function, f.name);
    if (!same)
        text_print(file, f.name);
    return (named){f.name,
                   print_lines(lines, count, shorter ? RUNS_SHOWN : SIZE_MAX, same ? before.file : NULL, !same, file)};
}

void places_print_sequence(const path_places *all, const uint32_t *path, size_t paths, bool shorter, FILE *file)
{
    named before = {NULL, NULL};
    for (size_t i = 0, next; i < paths; i = next) {
        for (next = i + 1; shorter && next < paths && path[next] == path[i];)
            next++;
        fputs(i ? " | " : "", file);
        before = print_next(all, path[i], shorter, before, file);
        if (next > i + 1)
            fprintf(file, " x%zu", next - i);
    }
}

void places_json(const path_places *all, uint32_t path, json *j)
{
    descriptor_line lines[LINES_MAX];
    places_function f;
    size_t count;
    json_object(j, NULL);
    json_integer(j, "path", path);
    bool known = all->at(all->own, path, &f, lines, LINES_MAX, &count);
    json_string(j, "function", known ? f.name : NULL);
    json_string(j, "file", known ? f.file : NULL);
    json_array(j, "lines");
    for (size_t i = 0; known && i < count; i++)
        json_integer(j, NULL, lines[i].line);
    json_end_array(j);
    json_end_object(j);
}
