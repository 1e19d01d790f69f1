/* SPDX-License-Identifier: MIT */
/* Which functions of several images are the same one. Versions may be built in different folders, so a function is
 * known by its name and by its file's name without folders. Where an image has two of that name in files of that name
 * (a/port.c and b/port.c), as many folders are added, in all images, as tell those apart.
 *
 *     image 1                image 2                known by
 *     poll  /w/a/port.c                             poll, a/port.c: image 1 has two of the name
 *     poll  /w/b/port.c      poll  /x/b/port.c      poll, b/port.c: the same function
 *     init  /w/a/port.c      init  /x/b/port.c      init, port.c: the same function, no image has two */
#ifndef WEFT_TOOLS_LIB_FLEET_MATCHING_H
#define WEFT_TOOLS_LIB_FLEET_MATCHING_H

#include "tools/lib/fleet/keys.h"
#include "tools/lib/fleet/questions.h"

/* All zero: none. */
typedef struct matching {
    texts names, keys; /* names with the file's name; with as much of its path as they need to differ */
    unsigned *parts;   /* by number of `names`: parts of the path that count */
    const char **file; /* by number of `keys`: the file that was met there last, */
    size_t *met;       /* and in which round */
    size_t parts_max, file_max, met_max, rounds;
} matching;

/* Looks at all functions of these images. */
void matching_make(matching *m, const fleet_images *images);
void matching_free(matching *m);
/* The number of a function: the same for the same one of another image. Below m->keys.count. *parts: how many parts of
 * its file's path count. */
uint32_t matching_of(matching *m, const descriptor_function *f, unsigned *parts);

/* The last parts of a path: 1 is the file's name. All of it where it has fewer. */
const char *matching_tail(const char *path, unsigned parts);

#endif
