/* SPDX-License-Identifier: MIT */
/* The descriptors of a program, which the compiler plugin left in its ELF: what a global path, block or site number
 * means. Their format and what they say of one function: tools/lib/image/descriptor_format.h. */
#ifndef WEFT_TOOLS_LIB_IMAGE_DESCRIPTOR_H
#define WEFT_TOOLS_LIB_IMAGE_DESCRIPTOR_H

#include "tools/lib/image/descriptor_format.h"
#include "tools/lib/image/image.h"

typedef struct descriptors {
    const descriptor_function *function; /* by path_base, ascending; no two overlap */
    size_t count;
    uint32_t path_end, site_end, block_end; /* all numbers are below these */
    size_t packed;                          /* functions that may record several paths at once */
} descriptors;

/* How a path begins and ends, in the terms of the format. */
typedef struct descriptor_path {
    const descriptor_function *function;
    uint32_t number;  /* local */
    bool entry;       /* it starts at the routine's entry */
    bool exit;        /* the routine is left: by return, tail call, or a call that does not return and whose exceptions
                       * do not arrive in the routine */
    bool starts_told; /* an earlier record reported blocks[0] (it begins with a call): it does not start again now */
    uint32_t enters;  /* block that the path's last edge enters, if that edge is cut; else BALLARUS_NONE */
    bool enters_told; /* and it begins with a call: it is entered with this record */
    size_t count;     /* blocks */
} descriptor_path;

/* Reads all descriptors of an image, which outlives them: those of the plugin, or those of edges.h. NULL on any error,
 * with one line in `error` (cut at error_size): not linked, no .weft.desc, damaged, a version not known. All memory is
 * one object, freed by descriptors_free. */
descriptors *descriptors_read(const image *im, char *error, size_t error_size);
/* The same from the bytes of the section alone. */
descriptors *descriptors_parse(const uint8_t *section, size_t size, char *error, size_t error_size);
void descriptors_free(descriptors *all);

/* By global number; NULL if no function has it. O(log n). */
const descriptor_function *descriptors_of_path(const descriptors *all, uint32_t path);
/* The function whose pack number this is; NULL: it is the number of a path, or of nothing. O(1). */
const descriptor_function *descriptors_of_pack(const descriptors *all, uint32_t path);
const descriptor_function *descriptors_of_block(const descriptors *all, uint32_t block);
const descriptor_function *descriptors_of_site(const descriptors *all, uint32_t site);
const descriptor_site *descriptors_site(const descriptors *all, uint32_t site);
/* How many functions announce no loads and stores, and how many no values. */
size_t descriptors_silent(const descriptors *all);
size_t descriptors_valueless(const descriptors *all);

/* Expands a global path number: local block numbers into `blocks` (up to `max`; function->block_count is always
 * enough). False: no function has that path. */
bool descriptor_expand(const descriptors *all, uint32_t path, uint32_t *blocks, size_t max, descriptor_path *info);
/* The global numbers of the paths that a pack of a function holds, in order. Returns how many; 0: it is not a pack. */
size_t descriptor_unpack(const descriptor_function *f, uint32_t word, uint32_t paths[BALLARUS_PACK_MAX]);

#endif
