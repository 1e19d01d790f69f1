/* SPDX-License-Identifier: MIT */
/* Which events are wanted: those of one context, of one function, or both. `--context` and `--function` of all
 * subcommands that take a recording.
 *
 *     event_filter wanted;
 *     if (!event_filter_open(&wanted, choice, file, app, message, sizeof message)) ...       exit status 2
 *     if (event_filter_path(&wanted, context, path)) ...
 *     event_filter_close(&wanted); */
#ifndef WEFT_TOOLS_LIB_RECORDING_FILTER_H
#define WEFT_TOOLS_LIB_RECORDING_FILTER_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"

/* NULL: all. A context is a handler's name (vectors.h), a name that the recording gives, or a number; a function that
 * is in several files means all of them. */
typedef struct event_choice {
    const char *context, *function;
} event_choice;

typedef struct event_filter {
    bool one_context;
    uint32_t context;
    const descriptors *known; /* of the program; NULL: no function is chosen */
    bool *function;           /* by descriptor: is it wanted? NULL: all are */
} event_filter;

/* `app` may be NULL if no function is chosen, and the context by its number. False and a message: there is no such
 * context or function, or no program to say so. */
bool event_filter_open(event_filter *f, event_choice choice, const container *file, const program *app, char *message,
                       size_t message_size);
void event_filter_close(event_filter *f);

bool event_filter_context(const event_filter *f, uint32_t context);
/* By descriptor. */
bool event_filter_function(const event_filter *f, size_t function);
/* Both, of a path, a block, a site. */
bool event_filter_path(const event_filter *f, uint32_t context, uint32_t path);
bool event_filter_block(const event_filter *f, uint32_t context, uint32_t block);
bool event_filter_site(const event_filter *f, uint32_t context, uint32_t site);

#endif
