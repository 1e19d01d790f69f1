/* SPDX-License-Identifier: MIT */
/* What `weft gdb`, `weft debug` and `weft dap` debug: a whole execution trace, or a recording of probes. */
#ifndef WEFT_TOOLS_WEFT_DEBUGGED_H
#define WEFT_TOOLS_WEFT_DEBUGGED_H

#include <stddef.h>

#include "tools/lib/debug/subject.h"

/* `elf` NULL: NAME.elf beside NAME.wet or NAME.weft; it is set to what is used. NULL, a message was printed, and
 * *status: it cannot be. */
debug_subject *debugged_open(const char *command, const char *path, const char **elf, int *status);
/* The same, with the message returned instead of printed. */
debug_subject *debugged_open_quietly(const char *path, const char *elf, char *message, size_t message_size,
                                     int *status);
/* The names of devices come from an SVD file. False and a message: it cannot be read. */
bool debugged_devices(debug_subject *s, const char *svd_path, char *message, size_t message_size);
/* The exit status, `status` if the file was read well. */
int debugged_close(const char *command, debug_subject *s, const char *path, int status);

#endif
