/* SPDX-License-Identifier: MIT */
/* Reads the events of a recording. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_PROBES_READ_H
#define WEFT_TOOLS_LIB_DEBUG_PROBES_READ_H

#include "tools/lib/debug/probes_data.h"

/* Fills a run whose files are open. False and a message: there are no paths in it. */
bool probes_read(probes_run *r, char *message, size_t message_size);

#endif
