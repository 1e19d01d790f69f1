/* SPDX-License-Identifier: MIT */
/* What an ELF file tells about a traced program: the plugin's descriptors (tools/lib/descriptor.h), symbols, source lines,
 * the build id. Also the scripts of paths: what one path record says, in order, for tools/lib/replay.h.
 *
 *     program *app = program_open("app.elf", message, sizeof message);     NULL: print message, exit status 1
 *     if (!program_fits(app, file, message, sizeof message)) ...           the container is of another image
 *     const replay_script *script = program_script(app, path);             script->entry: a routine starts here
 *     program_close(app); */
#ifndef WEFT_TOOLS_LIB_PROGRAM_H
#define WEFT_TOOLS_LIB_PROGRAM_H

#include "tools/lib/container.h"
#include "tools/lib/descriptor.h"
#include "tools/lib/replay.h"

typedef struct program program;

/* NULL and a message: not readable, no ELF, no descriptors, damaged. */
program *program_open(const char *path, char *message, size_t message_size);
void program_close(program *app);

const descriptors *program_descriptors(const program *app);

/* Does the container come from this image? By the build id, where both have one; else by the ranges of path numbers, up
 * to a few thousand paths. False, and a message, if it does not. */
bool program_fits(program *app, const container *file, char *message, size_t message_size);

/* The script of a global path number, kept until program_close; NULL if no function has that path. */
const replay_script *program_script(program *app, uint32_t path);
/* The same as a replay_model: {app, program_model}. */
const replay_script *program_model(void *app, uint32_t path);

/* The source lines of a path's blocks, in order, up to max, the same one in a row once; how many. 0: no such path. */
size_t program_path_lines(program *app, uint32_t path, descriptor_line *lines, size_t max);

/* The data object or function that holds an address: its name and the offset in it. NULL: none. */
const char *program_symbol(const program *app, uint32_t address, uint32_t *offset);
/* The address and size of a symbol. False: none of that name. */
bool program_find_symbol(const program *app, const char *name, uint32_t *address, uint32_t *size);

#endif
