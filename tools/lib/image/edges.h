/* SPDX-License-Identifier: MIT */
/* Descriptors of a program whose probes a compiler inserted without the plugin (port/cortex-m/compiler_edges.c): made
 * from its machine code, symbols and source lines. A path's number is half of the address that a probe's call returns
 * to. The first probe of a function, in the order of addresses, is in its first block, so its path starts the function;
 * those that call __cyg_profile_func_exit end it. Each path is one block with one line: nothing is known of how blocks
 * follow each other, nor of accesses. */
#ifndef WEFT_TOOLS_LIB_IMAGE_EDGES_H
#define WEFT_TOOLS_LIB_IMAGE_EDGES_H

#include "tools/lib/image/descriptor_format.h"
#include "tools/lib/image/image.h"
#include "tools/lib/image/record.h"

/* The functions with such probes, by address, from memory_grow; *count of them, 0 where the image has no such probe.
 * What they point to is in `memory`, except for the graphs, which the caller frees. NULL: out of memory. */
descriptor_function *edges_functions(const image *im, record_memory *memory, size_t *count);

#endif
