/* SPDX-License-Identifier: MIT */
/* The image of a recording that was not named: NAME.elf beside NAME.weft, if it is the one that was traced. */
#ifndef WEFT_TOOLS_WEFT_BESIDE_H
#define WEFT_TOOLS_WEFT_BESIDE_H

/* `elf` if it is not NULL. Else NAME.elf, for a recording at NAME.weft, if that is an image whose identity (or build
 * id) every recording has; for a full recording, if its first instructions are those of the image. NULL: there is
 * none. The path is good until the next call. */
const char *elf_beside(const char *elf, const char *recording);
/* The same, but only if the recording has records of several paths each, which cannot be read without the image. */
const char *elf_to_unpack(const char *recording);

#endif
