/* SPDX-License-Identifier: MIT */
/* The one reader of ELF files: an image as a debugger sees it. Sections, bytes at addresses, symbols, source lines, the
 * build id of any 32-bit ARM ELF, with or without debug information. The file is opened once; all that this header
 * gives lives until image_close.
 *
 *     image *im = image_open("app.elf", message, sizeof message);     NULL: print message, exit status 1
 *     const image_symbol *f = image_function(&im->symbols, pc);
 *     const image_line *line = image_line_at(im, pc);
 *     image_close(im); */
#ifndef WEFT_TOOLS_LIB_IMAGE_IMAGE_H
#define WEFT_TOOLS_LIB_IMAGE_IMAGE_H

#include "tools/lib/image/lines.h"
#include "tools/lib/image/symbols.h"

/* What recordings say of the image's contexts (vectors.h): it changes while the image is open, by one thread at a
 * time. */
typedef struct image_contexts {
    struct image_context *all;
    size_t count, max;
} image_contexts;

typedef struct image {
    const char *path;
    bool linked;    /* a program; else an object file or a shared one */
    bool sealed;    /* no byte of it changed since it was sealed (seal.h) */
    uint32_t entry; /* where it starts, Thumb bit set */
    image_symbols symbols;
    image_contexts *contexts;
    struct image_own *own;
} image;

/* NULL and a message "PATH: reason": not readable, not an ELF file, not for a 32-bit ARM, cut short, not as it was
 * sealed, or with a section that was moved after the link, as its debug information says (moved.h). One without a seal
 * is noted (seal.h). Callers take image_open (opened.h). */
image *image_read(const char *path, char *message, size_t message_size);
void image_close(image *im);
/* False, and a message: a section was moved after the link, and these names are where it was (moved.h). */
bool image_agrees(const image *im, const image_name *names, size_t count, char *message, size_t message_size);

/* The bytes of a section. NULL: there is none of that name, or it has no bytes in the file. */
const uint8_t *image_section(const image *im, const char *name, size_t *size);
/* Also of a section without bytes. 0: there is none of that name. */
uint32_t image_section_size(const image *im, const char *name);
/* NULL: the image has none. */
const uint8_t *image_build_id(const image *im, size_t *size);
/* The address (Thumb bit clear) and size of a symbol of any kind. False: none of that name. */
bool image_symbol_named(const image *im, const char *name, uint32_t *address, uint32_t *size);

/* The address of the counter of a program that counts (port/cortex-m/places.h). 0: it does not. */
uint32_t image_counter(const image *im);

/* `size` loaded bytes at an address, or NULL. */
const uint8_t *image_bytes(const image *im, uint32_t address, size_t size);
/* How many of them there are from an address on, `most` at most: a damaged symbol may claim gigabytes. */
uint32_t image_bytes_from(const image *im, uint32_t address, uint32_t most);
/* The same by where a loader or flash has them, which is another address for data that the program copies. */
const uint8_t *image_loaded(const image *im, uint32_t address, size_t size);
/* Whether a part that the program cannot write has other bytes at an address; any part, if it can write all. */
bool image_differs(const image *im, uint32_t address, const uint8_t *bytes, size_t size);
/* The same of a constant; not in a part that can be written, where assembler may keep a variable beside code. */
bool image_constant_differs(const image *im, uint32_t address, const uint8_t *bytes, size_t size);
/* The bytes of the i-th part that is loaded, and its address; NULL: there are no more parts. */
const uint8_t *image_part(const image *im, size_t i, uint32_t *address, size_t *size);
/* The bytes of the i-th section that the program has at run time and that has bytes in the file, its address, and where
 * it is in the file. NULL: there are no more. strip and objcopy leave these as they are. */
const uint8_t *image_kept(const image *im, size_t i, uint32_t *address, size_t *size, size_t *offset);

/* The debug information, for libdw; NULL: there is none. Opened by the first call: one thread at a time. */
struct Dwarf *image_dwarf(const image *im);
/* The source line of an instruction; NULL: not known. The first call reads all lines: one thread at a time. */
const image_line *image_line_at(const image *im, uint32_t address);
/* Where the function that starts at an address is declared, as the debug information says (declared.h); without that
 * the line of its first instruction. NULL: not known. Any thread may ask; the first call reads all. */
const image_line *image_function_line(const image *im, uint32_t start);

#endif
