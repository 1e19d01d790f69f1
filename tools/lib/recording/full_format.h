/* SPDX-License-Identifier: MIT */
/* The numbers of tools/qemu/FULL.md, for those who write such recordings (the emulator plugin, weft rerun) and those
 * who read them. */
#ifndef WEFT_TOOLS_LIB_RECORDING_FULL_FORMAT_H
#define WEFT_TOOLS_LIB_RECORDING_FULL_FORMAT_H

/* The first byte of a frame's body. */
enum { FULL_TAG_DESCRIPTION, FULL_TAG_CHUNK, FULL_TAG_END };

/* The columns of a chunk, in their order in the file. */
enum { FULL_DEFINITIONS, FULL_RUNS, FULL_PASSED, FULL_VALUES, FULL_ACCESSES, FULL_NOTES, FULL_COLUMNS };

/* The kinds of notes. */
enum { FULL_NOTE_WRITES = 1, FULL_NOTE_SHAPE, FULL_NOTE_INCOMPLETE, FULL_NOTE_EXCEPTION, FULL_NOTE_UNKNOWN };

/* In a shape: no register that the instruction writes has the value of the access. */
#define FULL_NO_SOURCE 31u

#endif
