/* SPDX-License-Identifier: MIT */
/* What `weft capture` takes out of a dump of a target's memory: RAM ring or black box, and what is known of a fault. */
#ifndef WEFT_TOOLS_WEFT_CAPTURE_DUMP_H
#define WEFT_TOOLS_WEFT_CAPTURE_DUMP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a container: of the first ring that holds a frame, else of the first black box, else of the fault alone. Other
 * rings and boxes are named in notes. `name` stands for the dump in messages; `elf` may be NULL, else ring or box must
 * be of that image, where both have an identity. The exit status; EXIT_GAPS: the dump is cut. */
int dump_extract(const char *name, const uint8_t *bytes, size_t size, const char *elf, FILE *out);

#endif
