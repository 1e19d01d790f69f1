/* SPDX-License-Identifier: MIT */
/* Paths as source lines, from the ELF alone. */
#ifndef WEFT_TOOLS_LIB_IMAGE_PLACES_H
#define WEFT_TOOLS_LIB_IMAGE_PLACES_H

#include "tools/lib/base/json.h"
#include "tools/lib/image/program.h"

/* "function file.c:12-14,17": the lines of a path's blocks, in order. False: the program has no such path. */
bool places_print(program *app, uint32_t path, FILE *file);
/* An object: path, function, file, lines. */
void places_json(program *app, uint32_t path, json *j);

#endif
