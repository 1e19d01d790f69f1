/* SPDX-License-Identifier: MIT */
/* The readers of Weft as a fuzzer calls them: each is a list of commands that read an input. The first byte of an
 * input chooses the command; the rest is what it reads. The fuzzer (tests/fuzz/afl) and the replay of its inputs
 * (tests/fuzz/readers.c) run the same code. */
#ifndef WEFT_TESTS_LIB_READERS_H
#define WEFT_TESTS_LIB_READERS_H

#include <stddef.h>
#include <stdint.h>

#include "tests/lib/readers_put.h"

typedef struct reader {
    const char *name;
    /* Each a command line: @ is the input, %o a file to write. */
    const char *const *commands;
    reader_kind kind;
    /* Sound inputs, in tests/fuzz/fixed. Those of other readers stand in the corpus. */
    const char *sound[2];
} reader;

/* The reader of that name; NULL: there is none. */
const reader *reader_find(const char *name);
/* All readers; the last entry has NULL for its name. */
extern const reader readers[];

/* Once per process: `folder` is where inputs and outputs are written. From now on standard output is discarded. */
void readers_start(const char *folder);
/* The first inputs of a reader: each of its commands with each sound file. Gives the n-th into `bytes`, and its size;
 * 0: there are no more. */
size_t reader_first(const reader *r, size_t n, uint8_t *bytes, size_t max);
/* Runs the command that bytes[0] chooses on the others. It ends the process where the command does. */
void reader_run(const reader *r, const uint8_t *bytes, size_t size);

#endif
