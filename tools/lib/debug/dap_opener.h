/* SPDX-License-Identifier: MIT */
/* How a debug adapter opens a run. */
#ifndef WEFT_TOOLS_LIB_DEBUG_DAP_OPENER_H
#define WEFT_TOOLS_LIB_DEBUG_DAP_OPENER_H

#include "tools/lib/debug/subject.h"

/* How a client's `launch` opens a file; NULL of them: what the command line says. svd: names of devices. */
typedef struct dap_opener {
    debug_subject *(*open)(void *own, const char *path, const char *elf, const char *svd, char *message,
                           size_t message_size);
    void *own;
} dap_opener;

#endif
