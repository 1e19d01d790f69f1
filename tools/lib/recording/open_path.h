/* SPDX-License-Identifier: MIT */
/* The path that was not finished when a program stopped at an instruction: the ways through the function that lead
 * there, and agree with the paths that were recorded before. */
#ifndef WEFT_TOOLS_LIB_RECORDING_OPEN_PATH_H
#define WEFT_TOOLS_LIB_RECORDING_OPEN_PATH_H

#include "tools/lib/image/program.h"

#define OPEN_PATH_WAYS 8 /* as many are listed */

typedef struct open_way {
    bool entry;      /* it starts at the function's entry */
    uint32_t *block; /* local numbers */
    size_t count;
} open_way;

typedef struct open_path {
    const descriptor_function *function; /* NULL: no function with probes was open, as far as is known */
    bool
        called; /* the instruction is not known, or not in `function`, but perhaps in what the way's last block calls */
    uint64_t ways; /* how many lead there; the first OPEN_PATH_WAYS are in `way` */
    open_way way[OPEN_PATH_WAYS];
} open_path;

/* The function with probes whose code the instruction is; or NULL. */
const descriptor_function *open_path_function(const descriptors *all, const image *im, uint32_t pc);
/* The newest path of an activation that had not been left, by the last `count` paths of a context. False: none is
 * known. */
bool open_path_newest(const descriptors *all, const uint32_t *recent, size_t count, descriptor_path *path);
/* `pc`: NULL if it is not known: then what the last path led to is all that is. `recent`: the last `count` paths of
 * the context before, newest last; the more, the fewer ways. `number`: what the path's register holds, as a global
 * number, where `known`. */
void open_path_find(open_path *open, program *app, const uint32_t *pc, const uint32_t *recent, size_t count,
                    const uint32_t *number);
void open_path_free(open_path *open);

#endif
