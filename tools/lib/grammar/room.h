/* SPDX-License-Identifier: MIT */
/* The room `grammar`: symbols <-> grammars.
 *
 * In:   a stream of 32-bit symbols; a grammar segment of a target; a whole program path file; costs of symbols.
 * Out:  a `grammar` at rest (grammar.h), which gives its stream back symbol by symbol; the bytes of a whole program
 *       path file; the minimal hot subpaths of a stream.
 *
 * sequitur.h and runs.h build a grammar, segment.h and wpp.h read one, and hot.h asks one. No file is opened here:
 * bytes come from the caller and go back to it. What is read may be hostile: it is refused, or it is a grammar. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_ROOM_H
#define WEFT_TOOLS_LIB_GRAMMAR_ROOM_H

#include "tools/lib/grammar/grammar.h"
#include "tools/lib/grammar/hot.h"
#include "tools/lib/grammar/runs.h"
#include "tools/lib/grammar/segment.h"
#include "tools/lib/grammar/sequitur.h"
#include "tools/lib/grammar/wpp.h"
#include "tools/lib/grammar/wpp_ahead.h"

#endif
