/* SPDX-License-Identifier: MIT */
/* Memory for the host tools. No function returns NULL for lack of memory: the process then ends with a message and
 * status 4. */
#ifndef WEFT_TOOLS_LIB_BASE_MEMORY_H
#define WEFT_TOOLS_LIB_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_NEVER_NULL __attribute__((returns_nonnull))

/* Takes what another library allocated, which is NULL if there was no memory. */
void *memory_got(void *memory) MEMORY_NEVER_NULL;
/* `count` elements of `size` bytes, all zero. */
void *memory_zero(size_t count, size_t size) MEMORY_NEVER_NULL;
/* The same for a table that is read at random: in large pages if it is large and the system has some. For free, not for
 * memory_grow. */
void *memory_table(size_t count, size_t size) MEMORY_NEVER_NULL;
/* As realloc, in large pages as above. New memory is not set. */
void *memory_grow(void *old, size_t count, size_t size) MEMORY_NEVER_NULL;
/* As malloc: for what is as large as a file says. NULL: there is not so much. */
void *memory_try(size_t size);
/* A copy of `count` elements of `size` bytes, with an element of zeros after them. */
void *memory_copy(const void *from, size_t count, size_t size) MEMORY_NEVER_NULL;
/* A copy of a text. */
char *memory_text(const char *text) MEMORY_NEVER_NULL;
/* Makes room for the element with index `count`. Returns the array as it is while it has room for *max > count
 * elements, else a larger one, and sets *max. The room doubles: appending takes constant time per element on average.
 * New memory is not set.
 *
 *     list->all = memory_room(list->all, list->count, &list->max, sizeof *list->all);
 *     list->all[list->count++] = element;
 *
 * For `more` elements at once, ask for the last: memory_room(all, count + more - 1, &max, sizeof *all). */
void *memory_more(void *old, size_t count, size_t *max, size_t size) MEMORY_NEVER_NULL;
static inline void *memory_room(void *old, size_t count, size_t *max, size_t size)
{
    return count < *max ? old : memory_more(old, count, max, size);
}
/* All bytes of a file, or of standard input for "-", from malloc. NULL, and errno: it cannot be read. */
void *memory_read(const char *path, size_t *size);
/* Whether an open file has no end, as /dev/zero: a device that is not a terminal and holds more than /dev/null. */
bool memory_is_endless(int file);

/* From now on the process takes at most `bytes` of memory, except for files that are mapped; 0: no limit. False: the
 * system does not allow it. */
bool memory_set_limit(uint64_t bytes);
/* The limit that was set; 0: none. */
uint64_t memory_limit(void);

#endif
