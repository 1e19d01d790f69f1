/* SPDX-License-Identifier: MIT */
/* How a debug adapter opens a run. */
#ifndef WEFT_TOOLS_LIB_DEBUG_DAP_OPENER_H
#define WEFT_TOOLS_LIB_DEBUG_DAP_OPENER_H

#include "tools/lib/debug/subject.h"

/* Opens the file of a client's `launch`. A text that is NULL is taken from the command line. svd: the file that names
 * the devices' registers. */
typedef struct dap_opener {
    debug_subject *(*open)(void *own, const char *path, const char *elf, const char *svd, char *message,
                           size_t message_size);
    void *own;
} dap_opener;

#endif
