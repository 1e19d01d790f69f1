/* SPDX-License-Identifier: MIT */
/* What the debug information of an image says of an instant: the frames of its calls, the variables that are in scope,
 * their values with members and elements. What the subject does not know has no value. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_NAMES_H
#define WEFT_TOOLS_LIB_DEBUG_NAMES_H

#include <elfutils/libdw.h>

#include "tools/lib/debug/subject.h"
#include "tools/lib/image/dies.h"

typedef struct debug_names {
    const image *im;
    Dwarf *dwarf; /* NULL: there is no such information */
    Dwarf_CFI *rules;
} debug_names;

/* `im` outlives them. */
void debug_names_open(debug_names *n, const image *im);

/* An activation. Of a caller, the pc is where it goes on. */
typedef struct debug_frame {
    uint32_t pc;
    uint32_t known; /* mask of the registers r0..r15 that are */
    uint32_t r[16];
    bool has_cfa, caller;
    uint32_t cfa; /* the stack pointer before the call */
} debug_frame;

/* The frames of a context, innermost first, up to `max`. */
size_t debug_frames_at(const debug_names *n, const debug_subject *s, debug_instant at, const debug_context *c,
                       debug_frame *frames, size_t max);

/* The stack pointer before the innermost function of a context was called; where the image does not say, the stack
 * pointer now. 0: not known. */
uint32_t debug_frame_address(const debug_names *n, const debug_subject *s, debug_instant at, const debug_context *c);

/* A function of a frame: the one that it is of, and those that the compiler put into it. */
typedef struct debug_level {
    Dwarf_Die die;
    bool has_die;
    const char *name; /* never NULL */
    const char *file; /* NULL: not known */
    uint32_t line;
} debug_level;

/* Innermost first, up to `max`; at least one. */
size_t debug_levels_at(const debug_names *n, const debug_frame *frame, debug_level *levels, size_t max);

/* Where the body of a function begins, after its prologue; `start`: its first instruction. */
uint32_t debug_body_address(const image *im, uint32_t start, uint32_t size);
/* Whether the body alone has the arguments where the debug information says: it does not know where they are before. */
bool debug_needs_prologue(const debug_level *level);

/* What values are looked at from. */
typedef struct debug_view {
    const debug_names *names;
    const debug_subject *subject;
    debug_instant at;
    debug_frame frame;
    debug_level level;
} debug_view;

typedef struct debug_value {
    const char *name; /* of the debug information; NULL: an element, whose number is `index` */
    uint64_t index;
    Dwarf_Die type;
    bool has_type;
    enum { DEBUG_NOWHERE, DEBUG_MEMORY, DEBUG_BYTES } where;
    uint32_t address; /* DEBUG_MEMORY */
    uint8_t bytes[16];
    uint32_t size;  /* of the type; 0: not known */
    unsigned row;   /* of a row of an array: how many indices of its type were taken */
    dies_bits bits; /* of a bit-field: which of the bytes at `address` it is */
} debug_value;

typedef bool debug_visit(void *own, const debug_value *value); /* false: enough */

/* Arguments and locals of the view's function that are in scope; the variables of its source file. */
void debug_locals(const debug_view *v, debug_visit *visit, void *own);
void debug_statics(const debug_view *v, debug_visit *visit, void *own);
/* Members, elements (the first 1,000), what a pointer points to. */
void debug_children(const debug_view *v, const debug_value *value, debug_visit *visit, void *own);
bool debug_has_children(const debug_value *value);

/* The bytes that hold it; of a bit-field, fewer than those of its type. */
uint32_t debug_value_bytes(const debug_value *value);
/* As a number. False: it is none, or not known. */
bool debug_value_number(const debug_view *v, const debug_value *value, long double *number);

/* A reference becomes what it refers to. */
void debug_follow_reference(const debug_view *v, debug_value *value);

/* For people: numbers, names of enumerations, strings, "{...}"; "<unknown>". And the name of the type. */
void debug_value_text(const debug_view *v, const debug_value *value, char *text, size_t size);
void debug_type_text(const debug_value *value, char *text, size_t size);
/* name, name.member, name->member, name[3], *name. A name of C++ may be qualified (plant::Sensor::count), and members
 * of the object whose function runs need no this->. False: there is no such thing. */
bool debug_value_named(const debug_view *v, const char *expression, debug_value *value);

#endif
