/* SPDX-License-Identifier: MIT */
/* The events that a recording has next, for a run that is executed again. What one exception's handler records, or
 * thread mode (0), comes in order; the events of handlers stand before those that the code which they interrupted
 * records later. */
#ifndef WEFT_TOOLS_LIB_RERUN_EXPECTED_H
#define WEFT_TOOLS_LIB_RERUN_EXPECTED_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/rerun/items.h"

typedef struct rerun_expected rerun_expected;
rerun_expected *rerun_expected_open(const program *app, const container *file);
void rerun_expected_close(rerun_expected *e);
/* The run records a path, or a pack: is that what comes next? False: no, and rerun_expected_error says what does; or
 * the recording has ended, and there is no error. */
bool rerun_expected_path(rerun_expected *e, uint32_t exception, uint32_t path);
bool rerun_expected_pack(rerun_expected *e, uint32_t exception, uint32_t number, uint32_t word);

/* What comes next of an exception is the value of an access. It stays there until rerun_expected_take_value. */
bool rerun_expected_value(rerun_expected *e, uint32_t exception, rerun_value *value);
void rerun_expected_take_value(rerun_expected *e, uint32_t exception);

/* What comes next of an exception, after `past` (0 or 1) other answers, is the answer of a device. It stays there until
 * rerun_expected_take_input. */
bool rerun_expected_input(rerun_expected *e, uint32_t exception, unsigned past, uint32_t *value);
/* The run records such an answer, with that hash of its place. False: the recording has another one, or none here. */
bool rerun_expected_take_input(rerun_expected *e, uint32_t exception, uint32_t value, uint8_t hash);

/* What comes next of an exception is an access of that site. It stays there until rerun_expected_take_access. *address
 * is where, if not NULL. */
bool rerun_expected_access(rerun_expected *e, uint32_t exception, uint32_t site, uint32_t *address);
void rerun_expected_take_access(rerun_expected *e, uint32_t exception);

/* The next event is the start of a handler. */
bool rerun_expected_start(rerun_expected *e, rerun_place *place);
/* What comes next of that exception is a start of its handler, wherever it stands. */
bool rerun_expected_start_of(rerun_expected *e, uint32_t exception, rerun_place *place);
/* The run records the start of that exception's handler. False: the recording has other events of it first. */
bool rerun_expected_take_start(rerun_expected *e, uint32_t exception);
/* Events of that exception come before its next start. */
bool rerun_expected_own(rerun_expected *e, uint32_t exception);

/* The next event is a count of laps in that exception, other than that of a place. */
bool rerun_expected_laps(rerun_expected *e, uint32_t exception, uint32_t *laps);
/* And nothing comes after it. */
bool rerun_expected_laps_last(rerun_expected *e);
/* The run records such a count. False: the recording has another one, or none here. */
bool rerun_expected_take_laps(rerun_expected *e, uint32_t laps);

/* The exception whose event, other than a start, comes next. False: none does. rerun_expected_stray says that it should
 * not, as rerun_expected_error. */
bool rerun_expected_next(rerun_expected *e, uint32_t *exception);
void rerun_expected_stray(rerun_expected *e);
/* Events are missing here, or the recording breaks off: what interrupted the run after its last event is not known.
 * rerun_expected_error says so. */
bool rerun_expected_gap(rerun_expected *e);
/* Whether there are paths that were not compared yet. */
bool rerun_expected_more(rerun_expected *e);
const char *rerun_expected_error(const rerun_expected *e);
uint64_t rerun_expected_compared(const rerun_expected *e); /* paths, so far */
uint64_t rerun_expected_counts(const rerun_expected *e);   /* of laps */

#endif
