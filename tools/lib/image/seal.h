/* SPDX-License-Identifier: MIT */
/* The seal of an image: a check sum of the whole ELF file, after its last byte. `weft seal` writes it when the image is
 * linked. No section of an ELF file could hold it: the linker makes symbols and headers after all sections are filled,
 * and its own build id leaves the symbols out. Readers of ELF files pass over what stands after the end. Tools that
 * rewrite an image (strip, objcopy) drop it.
 *
 *     "WEFTSEAL" | XXH64 of all bytes before the seal, little-endian, 8 bytes */
#ifndef WEFT_TOOLS_LIB_IMAGE_SEAL_H
#define WEFT_TOOLS_LIB_IMAGE_SEAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SEAL_SIZE 16u

typedef enum seal_state {
    SEAL_NONE,  /* the file does not end with a seal */
    SEAL_RIGHT, /* the file is as it was when it was sealed */
    SEAL_WRONG, /* it is damaged, or was edited */
} seal_state;

/* Of a whole file. */
seal_state seal_of(const uint8_t *file, size_t size);
/* The seal of a file that has none yet. */
void seal_make(uint8_t seal[SEAL_SIZE], const uint8_t *file, size_t size);

/* Notes that an image without a seal is read: a changed name, line or instruction of it may go unnoticed. What --json
 * prints then has "image":"unchecked" (json_remark). */
void seal_note_missing(const char *path);
/* It is not read after all. */
void seal_forget(const char *path);
/* Prints a line for each image that was noted, once per path, and forgets them. */
void seal_print_missing(FILE *file);

#endif
