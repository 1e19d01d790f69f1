/* SPDX-License-Identifier: MIT */
/* `weft grammar --expand`: a file's grammar, back into the stream. */
#ifndef WEFT_TOOLS_WEFT_GRAMMAR_EXPAND_H
#define WEFT_TOOLS_WEFT_GRAMMAR_EXPAND_H

#include "tools/lib/input/input.h"

/* Writes the stream to standard output. `limit`: symbols at most. The exit status, after a message. */
int grammar_expand_file(const char *name, const char *path, input_format format, uint64_t limit);

#endif
