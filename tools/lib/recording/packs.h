/* SPDX-License-Identifier: MIT */
/* What it takes to expand packs (records of several paths each) without the image: the body of a PACKS frame
 * (core/FORMAT.md, section 13). A tool that has the image gathers it from all packs of a recording, and writes the
 * frame. */
#ifndef WEFT_TOOLS_LIB_RECORDING_PACKS_H
#define WEFT_TOOLS_LIB_RECORDING_PACKS_H

#include "core/bytes.h"
#include "tools/lib/image/descriptor_format.h"

struct descriptors; /* tools/lib/image/descriptor.h */

/* ---- reading ---- */

typedef struct stored_packs stored_packs;

/* NULL: damaged. Memory: 16 bytes for each path that it names. */
stored_packs *stored_packs_read(const uint8_t *body, size_t size);
void stored_packs_free(stored_packs *packs);
/* CRC-32 of the image's build id; 0: not known. */
uint32_t stored_packs_image(const stored_packs *packs);
/* Adds what other packs of the same image say. False: they say otherwise. */
bool stored_packs_add(stored_packs *packs, const stored_packs *other);
/* Whether that is the pack number of a function that the frame names. */
bool stored_packs_has(const stored_packs *packs, uint32_t number);
/* The global numbers of the paths that a pack holds, in order. Returns how many; 0: it is not a pack, or not one of
 * those it was made of. */
size_t stored_packs_unpack(const stored_packs *packs, uint32_t number, uint32_t word,
                           uint32_t paths[BALLARUS_PACK_MAX]);

/* ---- gathering ---- */

typedef struct packs_gathered packs_gathered;

packs_gathered *packs_gathered_new(void);
void packs_gathered_free(packs_gathered *all);
/* A pack of a function, and the global numbers of its paths. */
void packs_gathered_add(packs_gathered *all, const descriptor_function *f, const uint32_t *paths, size_t count);
size_t packs_gathered_size(const packs_gathered *all); /* bytes of the body, at most */
/* The body of the frame. `image_crc` as stored_packs_image. */
void packs_gathered_write(packs_gathered *all, uint32_t image_crc, weft_writer *to);

/* ---- who knows ---- */

/* Say which records are packs, and what they hold. Both NULL: nothing says so. */
typedef struct pack_source {
    const struct descriptors *program;
    const stored_packs *stored; /* is not asked where the program is known */
} pack_source;

#endif
