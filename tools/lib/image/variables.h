/* SPDX-License-Identifier: MIT */
/* Objects in memory as a programmer names them: `table`, `sensors[2].offset`, `state.queue.head`, by the types in the
 * image's debug information. Objects with a fixed address only; pointers are not followed. */
#ifndef WEFT_TOOLS_LIB_IMAGE_VARIABLES_H
#define WEFT_TOOLS_LIB_IMAGE_VARIABLES_H

#include "tools/lib/image/image.h"

/* Where the object is, and its size. False and a message: there is no such variable, member or element, or the image
 * has no debug information. */
bool image_variable(const image *im, const char *expression, uint32_t *address, uint32_t *size, char *message,
                    size_t message_size);

/* How the bytes of such an object are read as a number; of an array: those of an element. */
typedef struct image_kind {
    bool positive;            /* no negative numbers */
    bool is_float;            /* a float (4 bytes) or double (8) */
    unsigned first_bit, bits; /* bits 0: all of them */
    uint32_t size;            /* bytes */
} image_kind;

/* False: it is not known. */
bool image_variable_kind(const image *im, const char *expression, image_kind *kind);

/* The offset of a member of what a pointer variable points to. False: there is no such variable or member. */
bool image_pointed_member(const image *im, const char *pointer, const char *name, uint32_t *offset);

/* A local variable in the frame of its function: where it is from the frame's address (the stack pointer before the
 * call), while it is in scope. */
typedef struct image_slot {
    uint32_t low, high, function_low, function_high;
    int32_t offset;
    uint32_t size;
} image_slot;

/* Up to `max` slots; 0: there is no such local, or it is never in memory. */
size_t image_local_slots(const image *im, const char *function, const char *name, image_slot *slots, size_t max);

/* How a local variable is read as a number, and its size. False: there is no such one, its type is not known, or locals
 * of that name have several types. */
bool image_local_kind(const image *im, const char *function, const char *name, image_kind *kind, uint32_t *size);

/* Where a local variable is in a register: from address `low` up to `high`, in the function's code. */
typedef struct image_range {
    uint32_t low, high, function_low, function_high;
    unsigned location; /* r0..r15: 0..15; s0..s31: 32..63 */
} image_range;

/* Up to `max` ranges of a local variable or argument; 0: there is no such one, or it is never in a register. */
size_t image_local(const image *im, const char *function, const char *name, image_range *ranges, size_t max);

#endif
