/* SPDX-License-Identifier: MIT */
/* A kernel's own code. A kernel protects its lists by means that no single access shows: a scheduler that is suspended,
 * counts that each user puts back. So a race all of whose steps are in it is listed separately. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_KERNEL_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_KERNEL_H

#include "tools/lib/inspect/race.h"

typedef struct race_kernel {
    const image *im;
    const char **files; /* source files of FreeRTOS, by functions that only it has. The image's */
    size_t count, max;
    char *folder;       /* of Zephyr's kernel, with the last slash; NULL: it is not there */
    const char *engine; /* a file of our own engine; NULL: it is not there. The image's */
    size_t engine_size; /* bytes that all names of its files begin with */
    bool engine_folder; /* its files are in core/ and port/ there; else there is one */
} race_kernel;

/* Of an image with debug information; without it only ThreadX is known, by the names of its functions. */
void race_kernel_find(race_kernel *k, const image *im);
void race_kernel_free(race_kernel *k);
/* All steps are in the code of one. */
bool race_kernel_own(const race_kernel *k, const race *r);
/* Its object is of our own engine, which recorded: a step is there. (Another may be in a function of a library.) */
bool race_kernel_engine(const race_kernel *k, const race *r);

#endif
