/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/places.h"
#include "tools/lib/base/text.h"

#include <string.h>

enum { LINES_MAX = 256 };

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

bool places_print(const path_places *all, uint32_t path, FILE *file)
{
    descriptor_line lines[LINES_MAX];
    places_function f;
    size_t count;
    if (!all->at(all->own, path, &f, lines, LINES_MAX, &count))
        return false;
    fputs(f.name, file);
    const char *last = NULL;
    for (size_t i = 0; i < count;) {
        size_t end = i + 1; /* of a run of rising lines */
        while (end < count && !strcmp(lines[end].file, lines[i].file) && lines[end].line == lines[end - 1].line + 1)
            end++;
        bool same = last && !strcmp(last, lines[i].file);
        if (same)
            fputc(',', file);
        else
            fprintf(file, " %s:", text_base(lines[i].file));
        last = lines[i].file;
        fprintf(file, end - i > 1 ? "%u-%u" : "%u", lines[i].line, lines[end - 1].line);
        i = end;
    }
    return true;
}

void places_json(const path_places *all, uint32_t path, json *j)
{
    descriptor_line lines[LINES_MAX];
    places_function f;
    size_t count;
    json_object(j, NULL);
    json_integer(j, "path", path);
    if (all->at(all->own, path, &f, lines, LINES_MAX, &count)) {
        json_string(j, "function", f.name);
        if (f.file)
            json_string(j, "file", f.file);
        json_array(j, "lines");
        for (size_t i = 0; i < count; i++)
            json_integer(j, NULL, lines[i].line);
        json_end_array(j);
    }
    json_end_object(j);
}
