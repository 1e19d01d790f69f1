/* SPDX-License-Identifier: MIT */
/* The names of contexts: thread mode, exception handlers as the image's vector table names them, further threads. */
#ifndef WEFT_TOOLS_LIB_IMAGE_VECTORS_H
#define WEFT_TOOLS_LIB_IMAGE_VECTORS_H

#include "tools/lib/image/image.h"

#define VECTORS_NAME_MAX 80
#define VECTORS_THREAD 512u /* contexts from here on are threads of an RTOS */

/* True for the context of an exception or interrupt; false for thread mode and threads. */
static inline bool vectors_is_handler(uint32_t context)
{
    return context > 0 && context < VECTORS_THREAD;
}

typedef struct image_context {
    uint32_t context;
    uint32_t entry;              /* where a thread begins; 0: not known */
    char name[VECTORS_NAME_MAX]; /* "": none was given */
} image_context;

/* A recording of this image names a context: from now on it is called so. Made fit for a terminal. */
void vectors_give(const image *im, uint32_t context, const char *name);
/* A thread that has no name begins at an address: from now on its name says in which function. */
void vectors_begin(const image *im, uint32_t context, uint32_t entry);
/* The name that was given; else "thread mode" for 0; "thread 513 (sampler)"; the function that the vector table has for
 * an exception ("SysTick_Handler"); where it is shared by several exceptions, or there is no table: the architecture's
 * name, or "interrupt N". `im` may be NULL. Returns `name`. */
const char *vectors_name(const image *im, uint32_t context, char name[VECTORS_NAME_MAX]);
/* The same of a context whose first instruction is known: "thread 512 (worker)", and a handler by the function that it
 * is. A long function's name is cut after a whole character. */
void vectors_name_from(const image *im, uint32_t context, uint32_t entry, char *name, size_t size);
/* What the vector table has for an exception, the Thumb bit clear; for 0 the stack pointer at reset. 0: not known. The
 * table is the part of the image whose second word is its entry; or, with no such part, whose words 1 to 3 lead to
 * functions. */
uint32_t vectors_word(const image *im, uint32_t exception);
/* Whether the table lies where the processor looks for it at reset, wherever memory is seen twice. */
bool vectors_at_zero(const image *im);
/* A context by its name ("thread" is "thread mode", "thread 513" does for "thread 513 (sampler)") or its number. False:
 * there is no such name. */
bool vectors_find(const image *im, const char *text, uint32_t *context);

#endif
