/* SPDX-License-Identifier: MIT */
/* Opens the file of a whole execution trace: its directory is read, its data are mapped. */
#ifndef WEFT_TOOLS_LIB_WET_OPEN_H
#define WEFT_TOOLS_LIB_WET_OPEN_H

#include "tools/lib/image/image.h"
#include "tools/lib/wet/file.h"

/* NULL and a message: not such a file, or damaged. */
wet_file *wet_file_open(const char *path, char *message, size_t message_size);
void wet_file_close(wet_file *f);
/* Whether it is a trace of this program. False, and a message: an instruction differs. */
bool wet_file_fits(const wet_file *f, const image *im, char *message, size_t message_size);
/* Whether a file is a trace, by its first bytes. */
bool wet_is(const char *path);

#endif
