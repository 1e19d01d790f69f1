/* SPDX-License-Identifier: MIT */
/* Where the plugin writes: frames of a container, packed and written by a thread of its own while the emulator runs
 * on. */
#ifndef WEFT_TOOLS_QEMU_OUTPUT_H
#define WEFT_TOOLS_QEMU_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts the file with the head of a container. False, and a message: it cannot be written. */
bool output_open(const char *path);

/* Writes a frame of kind FULL whose body starts with `tag`. */
void output_plain(uint8_t tag, uint64_t time, const void *bytes, size_t size);

/* Hands over a chunk: `bytes`, from malloc, is freed by the writer. Blocks while too many wait. */
void output_chunk(uint64_t time, uint8_t *bytes, size_t size);

/* Writes what waits and closes. False: something could not be written (reported on standard error). */
bool output_close(void);

#endif
