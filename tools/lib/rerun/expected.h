/* SPDX-License-Identifier: MIT */
/* The events that a recording has next, for a run that is executed again. */
#ifndef WEFT_TOOLS_LIB_RERUN_EXPECTED_H
#define WEFT_TOOLS_LIB_RERUN_EXPECTED_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"

typedef struct rerun_expected rerun_expected;
rerun_expected *rerun_expected_open(const program *app, const container *file);
void rerun_expected_close(rerun_expected *e);
/* The run records a path, or a pack: is that what comes next? False: no, and rerun_expected_error says what does; or
 * the recording has ended, and there is no error. */
bool rerun_expected_path(rerun_expected *e, uint32_t path);
bool rerun_expected_pack(rerun_expected *e, uint32_t number, uint32_t word);
/* What comes next is the value of an access. It stays there until rerun_expected_take_value. */
typedef struct rerun_value {
    uint32_t site, size; /* bytes */
    uint64_t value;      /* its low bytes */
} rerun_value;
bool rerun_expected_value(rerun_expected *e, rerun_value *value);
void rerun_expected_take_value(rerun_expected *e);
/* Whether there are paths that were not compared yet. What comes before the next one is passed over. */
bool rerun_expected_more(rerun_expected *e);
const char *rerun_expected_error(const rerun_expected *e);
uint64_t rerun_expected_compared(const rerun_expected *e); /* paths, so far */

#endif
