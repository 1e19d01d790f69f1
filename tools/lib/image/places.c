/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/places.h"
#include "tools/lib/base/text.h"

#include <string.h>

enum { LINES_MAX = 256 };

static const descriptor_function *function_of(program *app, uint32_t path)
{
    return descriptors_of_path(program_descriptors(app), path);
}

bool places_print(program *app, uint32_t path, FILE *file)
{
    descriptor_line lines[LINES_MAX];
    const descriptor_function *f = function_of(app, path);
    if (!f)
        return false;
    fputs(f->name, file);
    size_t count = program_path_lines(app, path, lines, LINES_MAX);
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

void places_json(program *app, uint32_t path, json *j)
{
    descriptor_line lines[LINES_MAX];
    const descriptor_function *f = function_of(app, path);
    json_object(j, NULL);
    json_integer(j, "path", path);
    if (f) {
        json_string(j, "function", f->name);
        json_string(j, "file", f->file);
        json_array(j, "lines");
        size_t count = program_path_lines(app, path, lines, LINES_MAX);
        for (size_t i = 0; i < count; i++)
            json_integer(j, NULL, lines[i].line);
        json_end_array(j);
    }
    json_end_object(j);
}
