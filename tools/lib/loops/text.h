/* SPDX-License-Identifier: MIT */
/* Loop nests as text: `(ab(a)^2b)^2` where symbols are characters, else `( 1 2 ( 3 )^4 )^5`. */
#ifndef WEFT_TOOLS_LIB_LOOPS_TEXT_H
#define WEFT_TOOLS_LIB_LOOPS_TEXT_H

#include <stdio.h>

#include "tools/lib/loops/nest.h"

/* The text of a symbol; `buffer` may be used for it. */
typedef const char *nest_namer(void *context, uint32_t symbol, char buffer[24]);

/* The nest on one line, without the newline. */
void nest_print(const nest *n, bool chars, nest_namer *name, void *context, FILE *file);
/* The same in memory from malloc. */
char *nest_to_text(const nest *n, bool chars, nest_namer *name, void *context);

#endif
