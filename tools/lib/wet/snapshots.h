/* SPDX-License-Identifier: MIT */
/* What a debugger needs to know about any instant without reading the run up to it: snapshots, kept as differences.
 *
 * Time is cut into windows of WET_WINDOW timestamps. For each window the file says which words of memory were written
 * in it, the state at its end of those words and registers whose state changed, and once for the whole run what the
 * core stacked at exceptions. So the state at the start of a window is the last state that a window before it says
 * (past.h reads it), and a word is only looked for in windows that touched it. Words that were only read are listed for
 * WET_BATCH windows at a time: programs read far more words than they write.
 *
 * The state of a word is what is known of its four bytes: a byte is known once the program wrote or read it. Bytes that
 * others write unseen are forgotten: the core, where it stacks floating point registers late; the host, by
 * semihosting.
 *
 * The bytes are sections; each begins with varints: a count, and the size of what follows.
 *
 *   windows    of each: registers, words. From version 9 on, words with WET_READ alone stand in `reads` instead
 *                registers: varint: count | each: location (WET_IPSR too), zigzag difference to its last value
 *                words:     varint: count | each: varint of (its number minus that of the one before) * 8 + flags
 *   masks      of each word with WET_STATE in its flags: a byte, the bytes that are known (count: 0)
 *   states     the same: zigzag difference to its last value; bytes that are not known are 0 (count: 0)
 *   entries    of each exception entry: varints: 0 (where the run goes on is not known), or address / 2 + 1; IT bits of
 *              the stacked xPSR
 *   restores   of returns that changed floating point registers: varint: exception event (all are counted) minus the
 *              one before; s0..s15 and FPSCR after it (zigzag differences to the one before)
 *   blocks     of versions 3 to 6, later empty; varints: node, timestamp of its first execution in a block that is not
 *              its first (FORMAT.md, section 6)
 *   reads      from version 9 on (count: windows of a batch); of each batch: varint: count | each, ascending:
 *              varint: its number minus that of the one before
 */
#ifndef WEFT_TOOLS_LIB_WET_SNAPSHOTS_H
#define WEFT_TOOLS_LIB_WET_SNAPSHOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/lib/squeeze/bytes.h"

#ifndef WET_WINDOW
#define WET_WINDOW 1024u /* timestamps of a window. Fewer: quicker steps, larger files */
#endif

#ifndef WET_BATCH
#define WET_BATCH 16u /* windows of a batch : from 1. Fewer: larger files, quicker searches for reads */
#endif

#define WET_IPSR 17u /* location: the number of the exception that is active */

/* What a window says about a word. */
enum { WET_WRITTEN = 1, WET_READ = 2, WET_STATE = 4 };

/* The bits of the bytes of a word, of which `mask` has a bit each. */
uint32_t wet_word_bytes(uint8_t mask);

typedef struct wet_snapshots wet_snapshots;

wet_snapshots *wet_snapshots_new(void);
void wet_snapshots_free(wet_snapshots *s);

/* Memory that was loaded or stored: 1, 2, 4 or 8 bytes. */
void wet_snapshots_access(wet_snapshots *s, uint32_t address, unsigned size, bool store, uint64_t value);
/* Memory that was stored, with what is not known. */
void wet_snapshots_forget(wet_snapshots *s, uint32_t address, uint32_t size);
/* The present value of a word. False: a byte of it is not known. */
bool wet_snapshots_word(const wet_snapshots *s, uint32_t address, uint32_t *value);
/* A window ends. `registers` by location, `known` a mask of those that were ever written. */
void wet_snapshots_window(wet_snapshots *s, const uint32_t registers[64], uint64_t known);
/* An exception is entered, whose handler goes back to `resume` (0: not known) with these IT bits. */
void wet_snapshots_entry(wet_snapshots *s, uint32_t resume, uint32_t it);
/* The n-th exception event was a return that restored floating point registers: s0..s15, FPSCR. */
void wet_snapshots_restore(wet_snapshots *s, uint64_t event, const uint32_t values[17]);
/* All of it as bytes, at the end. */
squeeze_bytes wet_snapshots_bytes(wet_snapshots *s);

#endif
