/* SPDX-License-Identifier: MIT */
/* The room `input`: files and options -> streams of symbols or numbers, the same for all subcommands.
 *
 * In:   a raw stream (text, characters, or binary numbers), a container, or a grammar as text, as JSON or as a whole
 *       program path file; from a file or standard input.
 * Out:  32-bit symbols or 64-bit numbers; the texts that symbols stand for; grammars.
 *
 * input.h reads raw streams; source.h reads symbols from whatever the file is; grammar.h writes and reads grammars;
 * terminals.h prints and orders symbols. Input is hostile: what is wrong is reported with its byte, line or token. */
#ifndef WEFT_TOOLS_LIB_INPUT_ROOM_H
#define WEFT_TOOLS_LIB_INPUT_ROOM_H

#include "tools/lib/input/grammar.h"
#include "tools/lib/input/input.h"
#include "tools/lib/input/source.h"
#include "tools/lib/input/terminals.h"

#endif
