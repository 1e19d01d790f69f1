/* SPDX-License-Identifier: MIT */
/* From the rings of symbols that sequitur.c works on to a grammar at rest. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_SEQUITUR_REST_H
#define WEFT_TOOLS_LIB_GRAMMAR_SEQUITUR_REST_H

#include "tools/lib/grammar/digrams.h"

/* Sets `start` and `symbols`, which have room for all rules. */
void sequitur_copy_rules(const grammar_builder *b, grammar *g);

#endif
