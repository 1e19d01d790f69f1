/* SPDX-License-Identifier: MIT */
/* What lies between two addresses, in the words of the program. */
#ifndef WEFT_TOOLS_WEFT_MODEL_OBJECT_H
#define WEFT_TOOLS_WEFT_MODEL_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "tools/lib/image/image.h"

typedef struct model_objects model_objects; /* of an image that outlives it */

model_objects *model_objects_open(const image *im);
void model_objects_close(model_objects *all);

/* The name of what is walked from `low`, the first byte of the lowest access, to `high`, the last byte of the highest;
 * accesses are `size` bytes. As far as it fits `room`:
 *
 *     table[0]..[63]       elements and members, by the types of the debug information
 *     table+0..255         bytes of an object without types
 *     heap+96..191         bytes from the beginning of the heap, or of a device
 *     stack-96..-1         bytes from the top of the stack of thread mode
 *     0x20001000..0x20002fff
 */
void model_objects_name(const model_objects *all, int64_t low, int64_t high, uint32_t size, char *name, size_t room);

#endif
