/* SPDX-License-Identifier: MIT */
/* Gathers inputs with several processes, each of which takes the next input as it becomes free. A process that crashes
 * or is out of memory does not take the others with it: the whole then fails, with a message. */
#ifndef WEFT_TOOLS_LIB_FLEET_WORKERS_H
#define WEFT_TOOLS_LIB_FLEET_WORKERS_H

#include "tools/lib/fleet/gather.h"

typedef struct workers_job {
    void *own;
    size_t count;
    gather_input (*input)(void *own, size_t number); /* valid until the next call */
    /* An input that is left out, and why. False: the whole fails. Called in the process that found it. */
    bool (*skip)(void *own, gather_input input, const char *why);
} workers_job;

typedef enum workers_end {
    WORKERS_DONE,
    WORKERS_SKIP, /* `skip` said so */
    WORKERS_BAD,  /* what was gathered is worth nothing; why is in the message */
    WORKERS_HOST  /* the system refused a process or memory; why is in the message */
} workers_end;

/* Adds all inputs to `all`; *skipped: those that were left out. processes: 1 or more. */
workers_end workers_gather(merged *all, intake *in, const workers_job *job, unsigned processes, uint64_t *skipped,
                           char *message, size_t message_size);

#endif
