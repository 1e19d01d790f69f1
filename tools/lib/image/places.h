/* SPDX-License-Identifier: MIT */
/* Paths as source lines, from the ELF alone: those of descriptors, or whatever else a recording's symbols stand for. */
#ifndef WEFT_TOOLS_LIB_IMAGE_PLACES_H
#define WEFT_TOOLS_LIB_IMAGE_PLACES_H

#include "tools/lib/base/json.h"
#include "tools/lib/image/program.h"

/* A path's function and the file that defines it (NULL: not known). */
typedef struct places_function {
    const char *name, *file;
} places_function;

/* Where paths lie. `at` gives the function of one, and its source lines in order, up to `max`; a line that repeats in a
 * row counts once. It returns false if there is no such path. */
typedef struct path_places {
    void *own;
    bool (*at)(void *own, uint32_t path, places_function *function, descriptor_line *lines, size_t max, size_t *count);
} path_places;

/* Those of a program's descriptors. They are good as long as the program. */
path_places path_places_of(program *app);

/* "function file.c:12-14,17": the lines of a path's blocks, in order. False: there is no such path. */
bool places_print(const path_places *all, uint32_t path, FILE *file);
/* Those of paths that ran one after the other, with " | " between them. `shorter`: function and file are named where
 * they change only, a path has three runs of lines at most, and one that repeats stands once:
 *
 *     main a.c:12 | main a.c:14-15 | main a.c:14-15 | f a.c:3          main a.c:12 | 14-15 x2 | f a.c:3 */
void places_print_sequence(const path_places *all, const uint32_t *path, size_t paths, bool shorter, FILE *file);
/* An object: path, function, file, lines. */
void places_json(const path_places *all, uint32_t path, json *j);

#endif
