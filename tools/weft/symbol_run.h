/* SPDX-License-Identifier: MIT */
/* The paths of a full recording or a whole execution trace (tools/lib/profile/executed_paths.h), for the subcommands
 * that take paths: loops, grammar, hot, paths.
 *
 *     symbol_run *run;
 *     int status = symbol_run_open(&run, name, elf, choice)
 *     if (status == EXIT_DONE) status = symbol_run_add(run, path)      a recording; further ones when it is read
 *     while (symbol_run_read(run, symbols, max)) ...
 *     status = symbol_run_check(run)                                   EXIT_GAPS: the end of one is missing
 *     symbol_run_close(run) */
#ifndef WEFT_TOOLS_WEFT_SYMBOL_RUN_H
#define WEFT_TOOLS_WEFT_SYMBOL_RUN_H

#include "tools/lib/input/source.h"
#include "tools/lib/profile/sequences.h"
#include "tools/lib/recording/filter.h"

typedef struct symbol_run symbol_run;

/* Whether a file is such a recording. A pipe is not read. */
bool symbol_run_is(const char *path);
/* The exit status; what is wrong was printed. */
int symbol_run_open(symbol_run **run, const char *name, const char *elf, event_choice choice);
/* From now on every wanted path is also counted in sequences of its activation; NULL: no more. */
void symbol_run_count(symbol_run *run, sequences *counts);
int symbol_run_add(symbol_run *run, const char *path);
/* Up to `max` paths that are wanted, in the order in which they ended. 0: the end, or what is wrong was printed. */
size_t symbol_run_read(symbol_run *run, uint32_t *symbols, size_t max);
int symbol_run_check(const symbol_run *run);
/* The same as a feed of symbols, which is good as long as `run`. */
symbol_feed symbol_run_feed(symbol_run *run);
void symbol_run_close(symbol_run *run);

#endif
