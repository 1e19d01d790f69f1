/* SPDX-License-Identifier: MIT */
/* Places in a program, with #N for one of their instances; and what stands there. A place is
 *
 *     0x1234, FILE:LINE, FUNCTION, FUNCTION+N   instructions
 *     FUNCTION@call                             calls of a function
 *     0x20000010, OBJECT, OBJECT+N              memory: its instances are the stores to it
 *     table[2].offset, state.head               the same by the types of the debug information
 *     r4, sp, s0                                a register: its instances are the instructions that define it
 *     FUNCTION:LOCAL                            a local variable: the instructions that define the registers which the
 *                                               compiler keeps it in; or else those of the function that store to it */
#ifndef WEFT_TOOLS_LIB_WET_PLACE_H
#define WEFT_TOOLS_LIB_WET_PLACE_H

#include "tools/lib/wet/slice.h"

typedef struct wet_place {
    bool *statics;          /* the instructions meant; NULL: an object in memory */
    uint64_t defines;       /* with statics: only where one of these locations is defined (mask); 0: everywhere */
    uint32_t address, size; /* the object: its instances are the stores to it */
    int32_t *parts;         /* of a local in a frame, for each of `statics`: where the object is (of `size` bytes), from
                             * the address of the first access on; NULL: it is no such local */
    uint32_t elsewhere;     /* of a local in a frame: instructions of its function that store to addresses which are
                             * computed, from an index or a pointer. Whether these are the local's is not known */
    uint64_t nth;           /* 1, 2, 3...; 0: the last */
} wet_place;

/* An executed statement at a place. */
typedef struct wet_hit {
    uint32_t time, node, instance, statement;
} wet_hit;

/* `im`: the image, for members, elements and locals; NULL: these are not known. False and a message: no such place, or
 * it did not execute. */
bool wet_place_parse(wet_file *f, const image *im, const char *text, wet_place *place, char *message,
                     size_t message_size);
void wet_place_free(wet_place *place);
/* All hits in the order of time; from malloc, *count of them. */
wet_hit *wet_place_hits(wet_file *f, const wet_place *place, size_t *count);
/* Why there is no instance `nth` of a place that has `count`. */
void wet_place_few(size_t count, uint64_t nth, char *message, size_t size);
/* The N-th, or the last. False and a message: there is none. */
bool wet_place_find(wet_file *f, const wet_place *place, wet_instance *found, char *message, size_t message_size);

/* What of an instance is at the place: the operations that store to the object, or define one of the locations; all,
 * where an instruction as a whole is meant. */
wet_start wet_place_start(wet_file *f, const wet_place *place, wet_instance at);

/* The object that holds an address, and the offset; NULL: none. */
const image_symbol *wet_object_at(const wet_file *f, uint32_t address, uint32_t *offset);
/* Function, file and line of a static instruction; "" or 0 where not known. */
const char *wet_function_name(const wet_file *f, uint32_t instruction);
const char *wet_file_name(const wet_file *f, uint32_t instruction);
/* Its disassembly; of an exception what happened. */
void wet_text(const wet_file *f, uint32_t instruction, char *text, size_t size);

/* An access of a statement's execution. */
typedef struct wet_access_seen {
    uint32_t address;
    uint8_t size;
    bool store, known; /* known: the value is */
    uint64_t value;
} wet_access_seen;

/* Where a local in a frame is (`parts`), from the first access of an instruction that stores to it. */
uint32_t wet_place_local(const wet_place *place, uint32_t instruction, const wet_access_seen *first);
/* Up to FULL_ACCESSES_MAX accesses in order, and up to 49 values with their locations. Return their number. */
uint32_t wet_accesses_of(wet_file *f, wet_instance at, wet_access_seen *accesses);
/* The same from the words of the statement's slots, in order. Those of values are wanted where it loads. */
uint32_t wet_accesses_from(const wet_statement *s, const uint32_t *words, wet_access_seen *accesses);
uint32_t wet_values_of(wet_file *f, wet_instance at, uint32_t *values, uint8_t *locations);
/* r0, sp, lr, flags, fpscr, s0... */
const char *wet_location_name(unsigned location, char name[8]);

#endif
