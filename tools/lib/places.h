/* SPDX-License-Identifier: MIT */
/* Paths told by their source, and their cost in machine instructions, both from the ELF alone. */
#ifndef WEFT_TOOLS_LIB_PLACES_H
#define WEFT_TOOLS_LIB_PLACES_H

#include "tools/lib/json.h"
#include "tools/lib/program.h"

/* "function file.c:12-14,17": the lines of a path's blocks, in order. False: the program has no such path. */
bool places_print(program *app, uint32_t path, FILE *file);
/* An object: path, function, file, lines. */
void places_json(program *app, uint32_t path, json *j);

/* Instruction counts of paths. The instructions of a function are counted by source line, from the debug information and without
 * the calls of probes; the blocks that hold a line share its count evenly; a path costs what its blocks do, 1 at least. So the
 * blocks of a function cost together what the function has. */
typedef struct places_costs places_costs;
/* NULL, and a message: the file cannot be read. `app` is of the same file and outlives the costs. */
places_costs *places_costs_open(program *app, const char *elf, char *message, size_t message_size);
void places_costs_close(places_costs *costs);
uint64_t places_cost(places_costs *costs, uint32_t path);

#endif
