/* SPDX-License-Identifier: MIT */
/* What `weft model` wrote, as text or as a file, becomes the stream again. */
#ifndef WEFT_TOOLS_WEFT_MODEL_EXPAND_H
#define WEFT_TOOLS_WEFT_MODEL_EXPAND_H

#include "tools/lib/input/input.h"

/* The first bytes of a file. Version 2 ends with the CRC-32 of all before. Version 1 had none. */
#define MODEL_HEAD                                                                                                     \
    {                                                                                                                  \
        'W', 'E', 'F', 'T', 'M', 'O', 'D', 2                                                                           \
    }
enum { MODEL_CRC_SIZE = 4 };

/* Writes the stream of the file ("-": standard input) to standard output, in that format. The exit status. */
int model_expand(const char *path, input_format format);

#endif
