/* SPDX-License-Identifier: MIT */
/* A stream of symbols, as the subcommands open and close it that take one: grammar, hot, loops. */
#ifndef WEFT_TOOLS_WEFT_SYMBOL_STREAM_H
#define WEFT_TOOLS_WEFT_SYMBOL_STREAM_H

#include "tools/lib/input/source.h"

/* Whether an input has paths: a container, a full recording, or a whole execution trace. A pipe is a raw stream. */
bool symbol_stream_has_paths(const char *path);
/* Sets the image of such an input, where none is named: in a `summary` to be printed too, else only where the input
 * cannot be read without it (beside.h). */
void symbol_stream_image(symbol_options *options, const char *path, bool summary);

/* Such an input is wanted, by `options` ("--elf goes"), and `path` is none. A message, and the exit status:
 * EXIT_INPUT where there is no such file. */
int symbol_stream_refuse(const char *name, const char *path, const char *options);

/* Opens whatever has paths, or a raw stream. EXIT_DONE; else the exit status, after a message. */
int symbol_stream_open(symbol_source *source, const char *name, const char *path, const symbol_options *options);
/* After the last symbol was read: EXIT_DONE; else the exit status, after a message that says what is wrong. */
int symbol_stream_check(const symbol_source *source, const char *name, const char *path);
/* Opens a stream and makes the grammar of all its symbols (symbol_source_grammar). NULL: the stream is closed, and
 * *status is the exit status, after a message. */
typedef struct grammar grammar;
grammar *symbol_stream_grammar(symbol_source *source, const char *name, const char *path, const symbol_options *options,
                               bool lookahead, bool runs, wpp_ahead *ahead, int *status);
/* Closes it. The exit status: `status`, but EXIT_GAPS instead of EXIT_DONE where there are gaps, which are named. */
int symbol_stream_close(symbol_source *source, const char *name, int status);

#endif
