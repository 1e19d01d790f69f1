/* SPDX-License-Identifier: MIT */
/* What an ELF file says about a traced program: the plugin's descriptors (tools/lib/image/descriptor.h) on top of the
 * image itself (tools/lib/image/image.h). What one path record says, in order, is in tools/lib/recording/script.h.
 *
 *     program *app = program_open("app.elf", message, sizeof message);     NULL: print message, exit status 1
 *     size_t count = program_path_lines(app, path, lines, WEFT_COUNT(lines));
 *     program_close(app); */
#ifndef WEFT_TOOLS_LIB_IMAGE_PROGRAM_H
#define WEFT_TOOLS_LIB_IMAGE_PROGRAM_H

#include <stdbool.h>

#include "tools/lib/image/descriptor.h"
#include "tools/lib/image/image.h"

typedef struct program program;

/* NULL and a message: not an image (image_open), no descriptors, or damaged ones. */
program *program_open(const char *path, char *message, size_t message_size);
void program_close(program *app);

/* Valid until program_close, as is all that they give. */
const descriptors *program_descriptors(const program *app);
const image *program_image(const program *app);
/* vectors_give */
void program_give_context(program *app, uint32_t context, const char *name);

const char *program_file(const program *app); /* the path it was opened by */
/* NULL: the image has none. Valid until program_close. */
const uint8_t *program_build_id(const program *app, size_t *size);
/* The identity that frames of version 2 carry (core/FORMAT.md), of a sealed image; 0: the image has none. */
uint32_t program_identity(const program *app);
/* Whether frames of this identity, which is not 0, may be of the image: also those of a copy from before it was sealed.
 * An image that has none is refused nothing. */
bool program_may_be(const program *app, uint32_t identity);

/* The source lines of a path's blocks, in order, up to max; a line that repeats in a row counts once. Returns how many
 * there are. 0: no such path. */
size_t program_path_lines(program *app, uint32_t path, descriptor_line *lines, size_t max);

/* The data object or function that holds an address: its name and the offset in it. NULL: none. */
const char *program_symbol(const program *app, uint32_t address, uint32_t *offset);
/* The address and size of a symbol. False: none of that name. */
bool program_find_symbol(const program *app, const char *name, uint32_t *address, uint32_t *size);

#endif
