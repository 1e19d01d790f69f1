/* SPDX-License-Identifier: MIT */
/* Names of C++ as they stand in the source: `_ZN5Queue3putEi` is `Queue::put`. */
#ifndef WEFT_TOOLS_LIB_IMAGE_DEMANGLE_H
#define WEFT_TOOLS_LIB_IMAGE_DEMANGLE_H

/* The name without parameters and result, to be freed; a clone's suffix (`.part.0`) stays. NULL: it is not such a name,
 * and stands for itself. */
char *demangle(const char *name);

#endif
