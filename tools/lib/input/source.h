/* SPDX-License-Identifier: MIT */
/* The symbols of a file, whether it is a raw stream or a container. Those of a container are the global path numbers,
 * in the order in which the paths ended, of all contexts or of one. What else has paths gives them as a feed. */
#ifndef WEFT_TOOLS_LIB_INPUT_SOURCE_H
#define WEFT_TOOLS_LIB_INPUT_SOURCE_H

#include "tools/lib/grammar/grammar.h"
#include "tools/lib/grammar/wpp_ahead.h"
#include "tools/lib/image/places.h"
#include "tools/lib/image/program.h"
#include "tools/lib/input/input.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/filter.h"

/* Stands where events are missing in a container, if gaps are wanted. No path has this number. */
#define SYMBOL_GAP UINT32_MAX

typedef struct symbol_options {
    input_format format; /* of a raw stream */
    event_choice choice; /* of a container */
    const char *elf;     /* the program of a container, or NULL */
    /* The same where none is named, but used only to expand records of several paths and to know what is chosen. */
    const char *unprinted;
    bool gaps;
} symbol_options;

/* Paths from elsewhere. */
typedef struct symbol_feed {
    void *own;
    size_t (*read)(void *own, uint32_t *symbols, size_t max); /* 0: the end */
    uint64_t (*cost)(void *own, uint32_t symbol);             /* instructions */
    path_places where;
} symbol_feed;

typedef struct symbol_source {
    input *in;       /* of a raw stream, else NULL */
    container *file; /* of a container, else NULL */
    symbol_feed feed;
    program *app; /* of a container, if named */
    program *unprinted;
    control *events;
    event_filter wanted;
    symbol_options options; /* the format of all but a raw stream: INPUT_U32 */
    bool named;             /* `where` is to be printed */
    path_places where;
    bool begun;
} symbol_source;

/* Where the symbols lie; NULL: that is not known, or not asked for. */
static inline const path_places *symbol_source_places(const symbol_source *source)
{
    return source->named ? &source->where : NULL;
}

/* False, and a message: it cannot be read, or the program is not that of the container, or has not what is chosen. */
bool symbol_source_open(symbol_source *source, const char *path, const symbol_options *options, char *message,
                        size_t message_size);
/* Opens a feed, which stays the caller's, for reading. `options`: whether an image is named. */
void symbol_source_feed(symbol_source *source, symbol_feed feed, const symbol_options *options);
void symbol_source_close(symbol_source *source);
/* Up to `max` symbols; 0 at the end or at an error. */
size_t symbol_source_read(symbol_source *source, uint32_t *symbols, size_t max);
/* NULL, or what is wrong. */
const char *symbol_source_error(const symbol_source *source);
/* The grammar of all symbols up to the end, or to an error, with runs (tools/lib/grammar/runs.h) or without. Shows a
 * progress line. `ahead`: NULL, or takes the symbols as well, if they are numbers; not with runs. */
grammar *symbol_source_grammar(symbol_source *source, bool lookahead, bool runs, wpp_ahead *ahead);
/* The number of 32 bits that a symbol is. False: it is a text that is no such number. */
bool symbol_source_number(const symbol_source *source, uint32_t symbol, uint32_t *number);
/* At the end: names the gaps of a container on standard error. True: there are gaps. */
bool symbol_source_gaps(const symbol_source *source, const char *command);

#endif
