/* SPDX-License-Identifier: MIT */
/* All bytes of a file at once. A file on disk is mapped; a pipe is read to its end into memory. */
#ifndef WEFT_TOOLS_LIB_BASE_WHOLE_FILE_H
#define WEFT_TOOLS_LIB_BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct whole_file {
    const uint8_t *bytes;
    size_t size;
    bool mapped;
} whole_file;

/* `path` is "-" for standard input. False: errno says why, and nothing is held. */
bool whole_file_open(whole_file *file, const char *path);
void whole_file_close(whole_file *file);

/* Whether an error (errno) says that the host could not, rather than something of the file. */
bool whole_file_is_of_host(int error);

/* To be called when a file of unknown kind could not be read. Ends the process with status 4 if errno says that the
 * host failed. Else the command would take the file for one of another kind, and succeed at something else. */
void whole_file_host_failed(const char *path);

#endif
