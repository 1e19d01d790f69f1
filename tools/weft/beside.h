/* SPDX-License-Identifier: MIT */
/* The image of a recording that was not named: NAME.elf beside NAME.weft, if it is the one that was traced; and beside
 * NAME.wet. */
#ifndef WEFT_TOOLS_WEFT_BESIDE_H
#define WEFT_TOOLS_WEFT_BESIDE_H

#include "tools/lib/recording/filter.h"

/* `elf` if it is not NULL. Else NAME.elf, for a recording at NAME.weft, if that is an image whose identity (or build
 * id) every recording has; for a full recording, if its first instructions are those of the image. For a trace at
 * NAME.wet any NAME.elf: what reads both compares them. NULL: there is none. The path is good until the next call. */
const char *elf_beside(const char *elf, const char *recording);
/* What is missing where elf_beside found nothing: the image, or the recording, if `recording` is an image. */
void elf_missing_text(const char *recording, char *message, size_t size);
/* Says so, or that `recording` is none. Returns the exit status. */
int elf_missing(const char *command, const char *recording);
/* As elf_beside, but only where the recording cannot be read without the image: it has instructions instead of paths,
 * or records of several paths each; a function is chosen, or a context that only the vector table names. */
const char *elf_to_read(const char *recording, event_choice choice);

#endif
